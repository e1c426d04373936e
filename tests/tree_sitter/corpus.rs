//! The trees of `editors/tree-sitter/test/corpus`, in the format of `tree-sitter test`: a title between lines of `=`, a text, a line
//! of `-`, and the tree, or no tree and `:error` under the title. `BLESS=1` writes the trees.

use std::fmt::Write;

use crate::{ours, parse, support};

struct Case<'t> {
    title: &'t str,
    error: bool,
    text: &'t str,
    tree: &'t str,
}

/// The cases of a file.
fn cases(file: &str) -> Vec<Case<'_>> {
    let is_rule = |line: &str, sign: char| line.len() > 2 && line.chars().all(|c| c == sign);
    let mut places = Vec::new();
    let mut at = 0;
    for line in file.split_inclusive('\n') {
        places.push((at, line.trim_end()));
        at += line.len();
    }
    let rules: Vec<usize> = (0..places.len())
        .filter(|at| is_rule(places[*at].1, '='))
        .collect();
    let mut cases = Vec::new();
    for (number, pair) in rules.chunks(2).enumerate() {
        let [first, second] = *pair else {
            panic!("a title between two lines of `=`")
        };
        let end = rules.get(2 * number + 2).map_or(places.len(), |next| *next);
        let middle = (second..end)
            .find(|at| is_rule(places[*at].1, '-'))
            .expect("a line of `-`");
        let slice = |from: usize, to: usize| {
            let place = |at: usize| places.get(at).map_or(file.len(), |(place, _)| *place);
            file[place(from)..place(to)].trim_end()
        };
        cases.push(Case {
            title: places[first + 1].1,
            error: places[first + 1..second]
                .iter()
                .any(|(_, line)| *line == ":error"),
            text: slice(second + 1, middle),
            tree: slice(middle + 1, end).trim_start(),
        });
    }
    cases
}

/// A tree with a node on each line.
fn laid_out(tree: &str) -> String {
    let mut text = String::new();
    let (mut depth, mut field) = (0, false);
    for (at, word) in tree.split(' ').enumerate() {
        match at {
            0 => {}
            _ if field => text.push(' '),
            _ => {
                let _ = write!(text, "\n{}", "  ".repeat(depth));
            }
        }
        text.push_str(word);
        field = word.ends_with(':');
        depth += word.matches('(').count();
        depth -= word.matches(')').count();
    }
    text
}

#[test]
fn trees_are_as_expected() {
    let bless = std::env::var_os("BLESS").is_some();
    let folder = support::root().join("editors/tree-sitter/test/corpus");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let path = entry.path();
        let file = std::fs::read_to_string(&path).expect("the file");
        let mut written = String::new();
        let rule = "=".repeat(80);
        for case in cases(&file) {
            let title = case.title;
            let tree = parse(case.text);
            let error = tree.root_node().has_error();
            assert_eq!(error, case.error, "{title}: {}", tree.root_node().to_sexp());
            assert_eq!(
                error,
                !ours(case.text).is_empty(),
                "{title}: {:?}",
                ours(case.text)
            );
            let tree = match error {
                true => String::new(),
                false => laid_out(&tree.root_node().to_sexp()),
            };
            assert!(
                bless || tree == case.tree,
                "{title}:\n{tree}\nbut expected:\n{}",
                case.tree
            );
            let mark = if error { ":error\n" } else { "" };
            let text = case.text;
            let gap = if written.is_empty() { "" } else { "\n" };
            let _ = write!(
                written,
                "{gap}{rule}\n{title}\n{mark}{rule}\n{text}\n\n{}\n",
                "-".repeat(80)
            );
            if !tree.is_empty() {
                let _ = write!(written, "\n{tree}\n");
            }
            count += 1;
        }
        if bless {
            std::fs::write(&path, written).expect("it can be written");
        }
    }
    assert!(count > 12, "{count}");
}
