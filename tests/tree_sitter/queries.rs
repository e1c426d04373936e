//! Colours, folds and indentation.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::{Language, Query, QueryCursor, StreamingIterator};
use tree_sitter_sandal::{FOLDS_QUERY, HIGHLIGHTS_QUERY, INDENTS_QUERY};

use crate::{parse, support};

/// What a query captures in a text: from where to where, the text there, and under what names.
fn captured(query: &str, text: &str) -> BTreeMap<(usize, usize), Vec<String>> {
    let language: Language = tree_sitter_sandal::LANGUAGE.into();
    let query = Query::new(&language, query).expect("the query fits the grammar");
    let tree = parse(text);
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
    let mut found: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    while let Some(found_here) = matches.next() {
        for capture in found_here.captures() {
            let range = capture.node.byte_range();
            let names = found.entry((range.start, range.end)).or_default();
            names.push(query.capture_names()[capture.index as usize].to_owned());
        }
    }
    found
}

fn examples() -> Vec<(String, String)> {
    let folders = ["examples", "stdlib", "tests/fixtures/models"];
    let files = folders.iter().flat_map(|folder| {
        let entries = std::fs::read_dir(support::root().join(folder)).expect("a folder");
        entries.flatten().map(|entry| entry.path())
    });
    let models = files.filter(|path| path.extension().is_some_and(|extension| extension == "sdl"));
    let read = |path: std::path::PathBuf| {
        Some((
            path.display().to_string(),
            std::fs::read_to_string(path).ok()?,
        ))
    };
    models.filter_map(read).collect()
}

#[test]
fn every_word_and_sign_has_one_colour() {
    for (name, text) in examples() {
        let found = captured(HIGHLIGHTS_QUERY, &text);
        for ((start, end), names) in &found {
            assert_eq!(
                names.len(),
                1,
                "{name}: `{}` is {names:?}",
                &text[*start..*end]
            );
        }
        let mut sources = sandalc::source::Sources::new();
        let file = sources.add("m.sdl", text.as_str());
        for token in sandalc::syntax::tokens(&sources, file) {
            let (start, end) = (token.start as usize, token.end as usize);
            let known = token.is_virtual() || found.contains_key(&(start, end));
            assert!(
                known,
                "{name}:{}: `{}` has no colour",
                text[..start].matches('\n').count() + 1,
                &text[start..end]
            );
        }
    }
}

#[test]
fn colours_say_what_a_name_is() {
    let text = "\
proc Work(inbox channel { Kind }, n 0..9) {
    var x Kind = any // 1
    if !timeout_recv(inbox, x) { goto out }
    out: skip
}
init { w: Work(c, 2) @drop(max = 1) as lost }
ltl done { G (w@out -> F w.x == Stop) }
";
    let found = captured(HIGHLIGHTS_QUERY, text);
    let colour = |word: &str| {
        let at = text.find(word).expect("it is there") + word.find('|').map_or(0, |mark| mark);
        found
            .iter()
            .find(|((start, _), _)| *start == at)
            .map(|(_, names)| names[0].as_str())
    };
    let expected = [
        ("proc", "keyword.function"),
        ("Work(inbox", "function"),
        ("inbox channel", "variable.parameter"),
        ("channel", "type.builtin"),
        ("Kind }", "type"),
        ("any", "constant.builtin"),
        ("// 1", "comment"),
        ("if", "keyword.conditional"),
        ("timeout_recv", "function.builtin"),
        ("out }", "label"),
        ("Work(c", "function.call"),
        ("drop", "attribute"),
        ("lost", "label"),
        ("done", "label"),
        ("G (", "keyword.operator"),
        ("F w", "keyword.operator"),
        ("w@", "variable"),
        ("x == ", "variable.member"),
        ("Stop", "constant"),
        ("->", "operator"),
    ];
    for (word, kind) in expected {
        assert_eq!(colour(word), Some(kind), "{word}");
    }
}

#[test]
fn blocks_are_folded_and_indented() {
    let text = include_str!("../../examples/two_phase_all.sdl");
    let line = |at: usize| text[..at].matches('\n').count();
    // Where the language server folds, tree-sitter does, too: from a line to the one that closes.
    let folds: BTreeSet<(usize, usize)> = captured(FOLDS_QUERY, text)
        .keys()
        .map(|(start, end)| (line(*start), line(end - 1)))
        .filter(|(first, last)| first < last)
        .collect();
    for (at, _) in text.match_indices("{\n") {
        assert!(
            folds.iter().any(|(first, _)| *first == line(at)),
            "line {}",
            line(at) + 1
        );
    }
    // Indentation by the query is that of the formatter, in every line.
    let marks = captured(INDENTS_QUERY, text);
    for (row, content) in text
        .lines()
        .enumerate()
        .filter(|(_, content)| !content.trim().is_empty())
    {
        let start = text
            .lines()
            .take(row)
            .map(|line| line.len() + 1)
            .sum::<usize>();
        let first = start + content.len() - content.trim_start().len();
        // Of several that begin in one line only one counts.
        let around = marks.iter().filter(|((from, to), names)| {
            *from < start && first < *to && names.iter().any(|name| name == "indent.begin")
        });
        let lines: BTreeSet<usize> = around.map(|((from, _), _)| line(*from)).collect();
        let closes = marks
            .get(&(first, first + 1))
            .is_some_and(|names| names.iter().any(|name| name == "indent.branch"));
        let depth = lines.len() - usize::from(closes && !lines.is_empty());
        assert_eq!(first - start, 4 * depth, "line {}: {content}", row + 1);
    }
}

#[test]
fn what_zed_reads_fits_the_grammar() {
    let language: Language = tree_sitter_sandal::LANGUAGE.into();
    for name in ["brackets.scm", "outline.scm"] {
        let path = support::root()
            .join("editors/tree-sitter/queries")
            .join(name);
        let query = std::fs::read_to_string(path).expect("the query");
        Query::new(&language, &query).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
