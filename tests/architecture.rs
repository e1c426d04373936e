//! The invariants of the house that can be read off its files: which module may know which, who talks
//! to the outside, how long a file may be, and that every message is documented and exercised.

mod support;

use std::path::{Path, PathBuf};

use sandalc::diagnostic::Code;

/// Every module, and the modules it may mention besides itself. The order is the pipeline's: a module
/// mentions only earlier ones.
const MODULES: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("vocabulary", &["source"]),
    ("diagnostic", &["source"]),
    ("syntax", &["source", "vocabulary", "diagnostic"]),
    ("load", &["source", "diagnostic", "syntax"]),
    ("program", &["source", "vocabulary", "diagnostic", "syntax"]),
    ("verdict", &["vocabulary"]),
    ("system", &["source", "vocabulary", "verdict"]),
    // (of `system` only what edges and expressions are made of)
    ("graph", &["source", "vocabulary", "program", "system"]),
    // (of `diagnostic` only `did_you_mean`)
    (
        "weave",
        &[
            "source",
            "vocabulary",
            "diagnostic",
            "program",
            "graph",
            "system",
        ],
    ),
    ("simplify", WAIST),
    // The back ends read the System and nothing earlier, and do not know each other.
    ("nusmv", WAIST),
    ("engine", WAIST),
    // The judge of runs does not know the engines that it judges.
    ("trace", WAIST),
    // The strategy knows one engine; others are asked through its trait.
    (
        "check",
        &["verdict", "system", "simplify", "engine", "trace"],
    ),
    (
        "report",
        &[
            "source",
            "vocabulary",
            "verdict",
            "system",
            "trace",
            "check",
        ],
    ),
    ("lsp", ALL),
    ("cli", ALL),
    ("testing", ALL),
];

/// For those who read the System and nothing earlier.
const WAIST: &[&str] = &["source", "vocabulary", "verdict", "system"];

/// For the outermost modules.
const ALL: &[&str] = &[
    "source",
    "vocabulary",
    "diagnostic",
    "syntax",
    "load",
    "program",
    "verdict",
    "system",
    "graph",
    "weave",
    "simplify",
    "nusmv",
    "engine",
    "trace",
    "check",
    "report",
    "lsp",
    "cli",
];

/// What only the outermost modules may touch.
const OUTSIDE: &[&str] = &[
    "std::fs",
    "std::process",
    "std::time::Instant",
    "time::{Instant",
    "Instant::now",
    "std::env",
    "std::net",
    "std::io::stdin",
    "io::stdin",
    "io::stdout",
    "io::stderr",
    "println!",
    "eprintln!",
    "print!(",
    "eprint!(",
    "dbg!",
    "SystemTime",
];

/// Where [`OUTSIDE`] is at home.
const SHELL: &[&str] = &[
    "main.rs",
    "build.rs",
    "cli/",
    "lsp/",
    "nusmv/run.rs",
    "nusmv/run/",
    "testing/",
];

/// No file is longer.
const LONGEST: usize = 600;

/// The compiler's source files, each with its path under `compiler/` and its text.
fn compiler() -> Vec<(String, String)> {
    let folder = support::root().join("compiler");
    let mut paths = support::files(&folder, "rs");
    paths.extend(support::files(&folder, "lalrpop"));
    assert!(paths.len() > 20, "the sources are found");
    paths
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&folder).expect("a path under compiler/");
            (name.to_string_lossy().replace('\\', "/"), read(&path))
        })
        .collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The code of a file: without comments, and without the tests at its end.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .take_while(|line| line.trim() != "#[cfg(test)]")
        .enumerate()
        .map(|(index, line)| (index + 1, line.split("//").next().unwrap_or("")))
}

/// Whether a file is tests only.
fn is_test(name: &str) -> bool {
    name.ends_with("/tests.rs") || name.contains("/tests/") || name.ends_with("_tests.rs")
}

fn module_of(name: &str) -> &str {
    let first = name.split('/').next().unwrap_or(name);
    first.strip_suffix(".rs").unwrap_or(first)
}

#[test]
fn modules_know_only_what_comes_before_them() {
    let mut wrong = Vec::new();
    for (index, (module, allowed)) in MODULES.iter().enumerate() {
        for other in *allowed {
            let before = MODULES[..index].iter().any(|(earlier, _)| earlier == other);
            assert!(
                before || *allowed == ALL,
                "`{module}` may not know `{other}`, which comes later"
            );
        }
    }
    for (name, text) in compiler() {
        let module = module_of(&name);
        if ["lib", "main", "build"].contains(&module) {
            continue;
        }
        let Some((_, allowed)) = MODULES.iter().find(|(known, _)| *known == module) else {
            wrong.push(format!("compiler/{name}: `{module}` is not in the table"));
            continue;
        };
        if is_test(&name) {
            continue;
        }
        for (line, code) in code(&text) {
            for used in code.split("crate::").skip(1) {
                let used: String = used
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                // `testing` exists in tests only, so the compiler sees to it.
                let is_module =
                    used != "testing" && MODULES.iter().any(|(known, _)| *known == used);
                if is_module && used != module && !allowed.contains(&used.as_str()) {
                    wrong.push(format!("compiler/{name}:{line}: `{module}` uses `{used}`"));
                }
            }
            if code.contains("use crate::{") {
                wrong.push(format!(
                    "compiler/{name}:{line}: name one module for each `use`"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_shell_talks_to_the_outside() {
    let mut wrong = Vec::new();
    for (name, text) in compiler() {
        if is_test(&name) || SHELL.iter().any(|place| name.starts_with(place)) {
            continue;
        }
        for (line, code) in code(&text) {
            for word in OUTSIDE {
                if code.contains(word) {
                    wrong.push(format!("compiler/{name}:{line}: uses `{word}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_is_no_unsafe_code() {
    for (name, text) in compiler() {
        for (line, code) in code(&text) {
            let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(
                !words.any(|word| word == "unsafe"),
                "compiler/{name}:{line}"
            );
        }
    }
}

#[test]
fn no_file_is_long() {
    let long: Vec<String> = compiler()
        .into_iter()
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(name, lines)| format!("compiler/{name} has {lines} lines"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Every code of every phase.
fn codes() -> Vec<Code> {
    [
        sandalc::syntax::problem::CODES,
        sandalc::program::problem::CODES,
        sandalc::load::problem::CODES,
    ]
    .concat()
}

#[test]
fn codes_are_unique() {
    let mut codes = codes();
    codes.sort();
    let count = codes.len();
    codes.dedup();
    assert_eq!(codes.len(), count);
}

#[test]
fn every_code_is_documented_and_no_other() {
    let text = read(&support::root().join("docs/errors.md"));
    let mut documented: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .filter_map(|heading| heading.split([':', ' ']).next())
        .filter(|word| word.starts_with('S') && word.len() == 5)
        .collect();
    let mut codes: Vec<&str> = codes().iter().map(|code| code.0).collect();
    codes.sort_unstable();
    documented.sort_unstable();
    assert_eq!(
        documented, codes,
        "headings `### CODE: ..` of docs/errors.md"
    );
}

#[test]
fn every_code_has_a_fixture() {
    let fixtures: String = support::files(&support::root().join("tests/fixtures"), "sdl")
        .iter()
        .map(|path: &PathBuf| {
            let bytes = std::fs::read(path).expect("a readable fixture");
            String::from_utf8_lossy(&bytes).into_owned()
        })
        .collect();
    let missing: Vec<&str> = codes()
        .iter()
        .map(|code| code.0)
        .filter(|code| {
            !fixtures.contains(&format!(" error[{code}]: "))
                && !fixtures.contains(&format!(" warning[{code}]: "))
        })
        .collect();
    assert!(
        missing.is_empty(),
        "no fixture expects {}",
        missing.join(", ")
    );
}

#[test]
fn the_library_is_the_folder() {
    let folder = support::root().join("stdlib");
    let modules: Vec<(String, String)> = support::files(&folder, "sdl")
        .iter()
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy();
            (name.into_owned(), read(path))
        })
        .collect();
    let embedded: Vec<(String, String)> = sandalc::load::library::MODULES
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    assert_eq!(embedded, modules);
}
