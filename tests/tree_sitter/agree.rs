//! tree-sitter and our parser take the same texts.

use sandalc::source::Sources;
use sandalc::syntax::tokens;
use tree_sitter::Tree;

use crate::{ours, parse, parser, support, takes};

/// What our parser refuses although the grammar has it: numbers that do not fit, and what nests too deep.
const LIMITS: [&str; 3] = ["S0105", "S0204", "S0205"];

/// Whether both say the same about a text; `None` if ours only minds a limit.
fn agrees(text: &str) -> Option<bool> {
    let codes = ours(text);
    let limits = codes.iter().all(|code| LIMITS.contains(code));
    (codes.is_empty() || !limits).then(|| takes(text) == codes.is_empty())
}

/// Every model of the repository, those with mistakes included.
fn models() -> Vec<(String, String)> {
    let folders = [
        "examples",
        "stdlib",
        "tests",
        "docs",
        "editors/vscode/tests",
    ];
    let root = support::root();
    let mut found = Vec::new();
    let mut open: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "sdl")
                // One fixture is no text.
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                found.push((path.display().to_string(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn tree_sitter_takes_the_models_that_our_parser_takes() {
    let models = models();
    let mut refused = 0;
    for (name, text) in &models {
        let codes = ours(text);
        refused += usize::from(!codes.is_empty());
        assert_ne!(agrees(text), Some(false), "{name}: ours says {codes:?}");
    }
    assert!(
        models.len() > 500 && refused > 30,
        "{}, {refused}",
        models.len()
    );
}

/// A linear congruence is random enough here.
fn random(state: &mut u64, below: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below.max(1)
}

/// A model in which a word or sign is removed, doubled, exchanged or moved to a line of its own.
fn spoiled(text: &str, others: &[String], state: &mut u64) -> String {
    let mut sources = Sources::new();
    let file = sources.add("m.sdl", text);
    let tokens = tokens(&sources, file);
    let solid: Vec<_> = tokens.iter().filter(|token| !token.is_virtual()).collect();
    let at = random(state, solid.len());
    let (Some(token), Some(next)) = (solid.get(at), solid.get(at + 1)) else {
        return text.to_owned();
    };
    let (start, end) = (token.start as usize, token.end as usize);
    let word = &text[start..end];
    let other = &others[random(state, others.len())];
    let (from, to, new) = match random(state, 6) {
        0 => (start, end, String::new()),
        1 => (start, end, format!("{word} {word}")),
        2 => (start, end, other.clone()),
        3 => (start, end, format!("{other} {word}")),
        4 => (end, end, "\n".to_owned()),
        // The line end after it, if there is one.
        _ => (end, next.start as usize, " ".to_owned()),
    };
    format!("{}{new}{}", &text[..from], &text[to..])
}

#[test]
fn tree_sitter_takes_the_spoiled_models_that_our_parser_takes() {
    let mut state = std::env::var("SEED").map_or(20, |seed| seed.parse().expect("a number"));
    let count = std::env::var("COUNT").map_or(300, |count| count.parse().expect("a number"));
    let models: Vec<_> = models()
        .into_iter()
        .filter(|(_, text)| text.len() < 3_000)
        .collect();
    let (mut taken, mut refused) = (0, 0);
    let mut differ = Vec::new();
    for _ in 0..count {
        let (name, text) = &models[random(&mut state, models.len())];
        let others: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if others.is_empty() || !ours(text).is_empty() {
            continue;
        }
        let mut new = text.clone();
        for _ in 0..=random(&mut state, 2) {
            new = spoiled(&new, &others, &mut state);
        }
        match agrees(&new) {
            Some(true) if takes(&new) => taken += 1,
            Some(true) => refused += 1,
            Some(false) => differ.push(format!("// {name}: ours says {:?}\n{new}", ours(&new))),
            None => {}
        }
    }
    if let Some(folder) = std::env::var_os("DIFFER") {
        for (number, text) in differ.iter().enumerate() {
            let _ = std::fs::write(
                std::path::Path::new(&folder).join(format!("{number}.sdl")),
                text,
            );
        }
    }
    assert!(
        differ.is_empty(),
        "{} differ, one of them:\n{}",
        differ.len(),
        differ[0]
    );
    assert!(
        taken > count / 10 && refused > count / 3,
        "{taken}, {refused}"
    );
}

#[test]
fn what_is_typed_is_parsed_as_if_it_had_been_there() {
    let text = include_str!("../../examples/two_phase_all.sdl");
    let mut parser = parser();
    let mut state = 7;
    let mut text = text.to_owned();
    let mut tree = parse(&text);
    let words = [
        "x",
        "\n",
        "}",
        "{",
        "/*",
        "*/",
        "// ",
        "G ",
        "ltl l { F ",
        "await ",
        ";",
        "\t",
        "é",
        "😀",
    ];
    let edit = |tree: &mut Tree, text: &str, range: std::ops::Range<usize>, new: &str| {
        let place = |text: &str, at: usize| {
            let row = text[..at].matches('\n').count();
            let column = at - text[..at].rfind('\n').map_or(0, |line| line + 1);
            tree_sitter::Point::new(row, column)
        };
        let mut edited = text.to_owned();
        edited.replace_range(range.clone(), new);
        let end = range.start + new.len();
        tree.edit(&tree_sitter::InputEdit {
            start_byte: range.start,
            old_end_byte: range.end,
            new_end_byte: end,
            start_position: place(text, range.start),
            old_end_position: place(text, range.end),
            new_end_position: place(&edited, end),
        });
        edited
    };
    let mut sound = 0;
    for _ in 0..100 {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let start = places[random(&mut state, places.len())];
        let removed: usize = text[start..]
            .chars()
            .take(random(&mut state, 12))
            .map(char::len_utf8)
            .sum();
        let old = text[start..start + removed].to_owned();
        let new = words[random(&mut state, words.len())];
        // What is typed is removed again.
        let back = (start..start + new.len(), old.as_str());
        let steps = [(start..start + removed, new), back];
        for (range, new) in &steps {
            text = edit(&mut tree, &text, range.clone(), new);
            tree = parser
                .parse(&text, Some(&tree))
                .expect("nothing cancels it");
            let anew = parse(&text);
            // What it makes of mistakes may depend on what was there before.
            let (tree, anew) = (tree.root_node(), anew.root_node());
            sound += usize::from(!anew.has_error());
            assert!(
                anew.has_error() || tree.to_sexp() == anew.to_sexp(),
                "{text}"
            );
        }
    }
    assert!(sound >= 100, "{sound}");
}
