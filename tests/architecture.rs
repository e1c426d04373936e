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
    ("tool", &[]),
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
    ("nusmv", PROGRAMS),
    ("aiger", PROGRAMS),
    ("engine", WAIST),
    // The judge of runs does not know the engines that it judges.
    ("trace", WAIST),
    // The strategy knows one engine; others are asked through its trait.
    (
        "check",
        &[
            "source",
            "vocabulary",
            "verdict",
            "system",
            "simplify",
            "engine",
            "trace",
        ],
    ),
    (
        "analysis",
        &[
            "vocabulary",
            "verdict",
            "system",
            "simplify",
            "engine",
            "trace",
            "check",
        ],
    ),
    (
        "report",
        &[
            "source",
            "vocabulary",
            "diagnostic",
            "verdict",
            "system",
            "trace",
            "check",
            "analysis",
        ],
    ),
    // Answers for editors, from what the front end knows.
    (
        "editor",
        &[
            "source",
            "vocabulary",
            "diagnostic",
            "syntax",
            "load",
            "program",
        ],
    ),
    // How bytes get from one process of a search to another.
    ("machines", &["engine"]),
    ("lsp", ALL),
    ("cli", ALL),
    ("testing", ALL),
];

/// For those who read the System and nothing earlier.
const WAIST: &[&str] = &["source", "vocabulary", "verdict", "system"];

/// For those who ask other programs besides.
const PROGRAMS: &[&str] = &["source", "vocabulary", "verdict", "tool", "system"];

/// For the outermost modules.
const ALL: &[&str] = &[
    "source",
    "vocabulary",
    "diagnostic",
    "syntax",
    "load",
    "program",
    "verdict",
    "tool",
    "system",
    "graph",
    "weave",
    "simplify",
    "nusmv",
    "aiger",
    "engine",
    "trace",
    "check",
    "analysis",
    "report",
    "editor",
    "machines",
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

/// What tests, which may know every module and touch the outside (a temporary folder, the clock, the environment),
/// must not do either: talk to the network, wait for a person, or leave behind what was there to look for a bug.
const NOT_IN_TESTS: &[&str] = &["std::net", "io::stdin", "dbg!", "process::exit"];

/// Where [`OUTSIDE`] is at home.
const SHELL: &[&str] = &[
    "main.rs",
    "build.rs",
    "cli/",
    "lsp/",
    "nusmv/run/",
    "aiger/run/",
    "tool/",
    "machines/",
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

/// A line of code, without comments.
struct Line<'a> {
    number: usize,
    code: &'a str,
    /// Whether it is there for tests only.
    test: bool,
}

/// All code of a file. What follows `#[cfg(test)]` is test code, up to the end of that item; so is all of a
/// file that is tests only.
fn code<'a>(name: &str, text: &'a str) -> Vec<Line<'a>> {
    let whole = is_test(name);
    // How far the item is indented that `#[cfg(test)]` stands before.
    let mut item: Option<usize> = None;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = without_comment(line);
        let indent = line.len() - line.trim_start().len();
        if code.trim() == "#[cfg(test)]" {
            item = item.or(Some(indent));
        }
        lines.push(Line {
            number: index + 1,
            code,
            test: whole || item.is_some(),
        });
        let ends = code.trim_end().ends_with(';') || code.trim() == "}";
        if item == Some(indent) && ends {
            item = None;
        }
    }
    assert!(
        item.is_none() || whole,
        "{name}: the end of the tests is not found"
    );
    lines
}

/// A line up to its comment; `//` in a string is none.
fn without_comment(line: &str) -> &str {
    let quotes = |text: &str| text.matches('"').count() - text.matches("\\\"").count();
    let mut comments = line.match_indices("//").map(|(at, _)| at);
    let comment = comments.find(|at| quotes(&line[..*at]).is_multiple_of(2));
    comment.map_or(line, |at| &line[..at])
}

/// The files and folders that are tests only: those whose `mod` has `#[cfg(test)]` before it.
fn tests_only() -> &'static [String] {
    static FOUND: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = Vec::new();
        for (name, text) in compiler() {
            let folder = ["lib.rs", "main.rs", "mod.rs"]
                .iter()
                .find_map(|file| name.strip_suffix(file))
                .map_or_else(|| name.replace(".rs", "/"), str::to_string);
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
                let module = pair[1].trim_start_matches("pub ").strip_prefix("mod ");
                if let Some(module) = module.and_then(|rest| rest.strip_suffix(';')) {
                    found.push(format!("{folder}{module}.rs"));
                    found.push(format!("{folder}{module}/"));
                }
            }
        }
        found
    })
}

/// Whether a file is tests only.
fn is_test(name: &str) -> bool {
    tests_only().iter().any(|place| name.starts_with(place))
}

#[test]
fn all_code_is_read() {
    let text = "use a; // b\n\n#[cfg(test)]\nuse t;\nlet u = \"http://x\"; // y\n#[cfg(test)]\nmod tests {\n    fn f() {\n    }\n}\nfn g() {}\n";
    let lines = code("weave/mod.rs", text);
    let numbers = |test: bool| -> Vec<usize> {
        let of = lines.iter().filter(|line| line.test == test);
        of.map(|line| line.number).collect()
    };
    assert_eq!(numbers(true), [3, 4, 6, 7, 8, 9, 10]);
    assert_eq!(numbers(false), [1, 2, 5, 11]);
    assert_eq!(lines[0].code, "use a; ");
    assert_eq!(lines[4].code, "let u = \"http://x\"; ");
    assert!(code("weave/tests.rs", text).iter().all(|line| line.test));
    let read: usize = compiler()
        .iter()
        .map(|(name, text)| code(name, text).len())
        .sum();
    assert!(read > 40_000, "{read} lines");
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
        for Line { number, code, test } in code(&name, &text) {
            for used in code.split("crate::").skip(1) {
                let used: String = used
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let is_module = MODULES.iter().any(|(known, _)| *known == used);
                let may = test || used == module || allowed.contains(&used.as_str());
                if is_module && !may {
                    wrong.push(format!(
                        "compiler/{name}:{number}: `{module}` uses `{used}`"
                    ));
                }
            }
            if code.contains("use crate::{") {
                wrong.push(format!(
                    "compiler/{name}:{number}: name one module for each `use`"
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
        let shell = SHELL.iter().any(|place| name.starts_with(place));
        for Line { number, code, test } in code(&name, &text) {
            let forbidden = match (test, shell) {
                (true, _) => NOT_IN_TESTS,
                (false, true) => &[],
                (false, false) => OUTSIDE,
            };
            for word in forbidden {
                if code.contains(word) {
                    wrong.push(format!("compiler/{name}:{number}: uses `{word}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_is_no_unsafe_code() {
    for (name, text) in compiler() {
        for Line { number, code, .. } in code(&name, &text) {
            let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(
                !words.any(|word| word == "unsafe"),
                "compiler/{name}:{number}"
            );
        }
    }
}

/// Where faults are at home.
const FAULT_FOLDER: &str = "weave/fault/";

/// Words that a fault is called and that mean something else, or are an example for the reader: where, and why.
const NOT_A_FAULT: &[(&str, &str, &str)] = &[
    ("", "sort_unstable", "sorting that may swap equals"),
    ("syntax/balance.rs", "dropping", "tokens that are left out"),
    ("program/", "duplicate", "a second thing of one name"),
    (
        "lsp/server.rs",
        "shutdown",
        "what a client of the protocol says before the end",
    ),
    (
        "syntax/explain.rs",
        "shutdown",
        "an example in a hint of the parser, which reads any marker",
    ),
    (
        "syntax/problem.rs",
        "drop",
        "an example in a hint of the parser",
    ),
];

/// The words of a line: of `FaultKind::sort_unstable` they are `fault`, `kind`, `sort` and `unstable`.
fn words(code: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in code.chars() {
        if !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && small) {
            words.push(String::new());
        }
        small = c.is_ascii_lowercase();
        if c.is_ascii_alphabetic() {
            words.last_mut().expect("one").push(c.to_ascii_lowercase());
        }
    }
    words
}

/// A fault is its file and its row: whoever else names one has a case for it. (Tests name what they test.)
#[test]
fn only_its_file_and_the_table_name_a_fault() {
    // Words that Rust and every compiler use all the time: only where they are a name of their own do they tell of the fault.
    const ORDINARY: [&str; 6] = ["replace", "random", "partition", "flip", "stuck", "wrong"];
    let (ordinary, names): (Vec<&str>, Vec<&str>) = (sandalc::weave::FAULTS.iter())
        .flat_map(|kind| kind.names())
        .partition(|name| ORDINARY.contains(name));
    assert_eq!(ordinary.len(), ORDINARY.len(), "all of them are faults");
    let mut wrong = Vec::new();
    for (name, text) in compiler() {
        if name.starts_with(FAULT_FOLDER) {
            continue;
        }
        for line in code(&name, &text).iter().filter(|line| !line.test) {
            let mut code = line.code.to_string();
            // Rust has a `drop` of its own.
            for own in ["impl Drop for", "fn drop(", " drop(", "(drop)"] {
                code = code.replace(own, "");
            }
            for (place, word, _) in NOT_A_FAULT {
                if name.starts_with(place) {
                    let lower = code.to_lowercase();
                    if let Some(at) = lower.find(word) {
                        code.replace_range(at..at + word.len(), "");
                    }
                }
            }
            for fault in &ordinary {
                let quoted = [format!("\"{fault}\""), format!("@{fault}")];
                if quoted.iter().any(|form| code.contains(form.as_str())) {
                    wrong.push(format!("compiler/{name}:{}: names @{fault}", line.number));
                }
            }
            for word in words(&code) {
                let forms = |fault: &&&str| word.starts_with(fault.trim_end_matches('e'));
                if let Some(fault) = names.iter().find(forms) {
                    wrong.push(format!(
                        "compiler/{name}:{}: `{word}` names @{fault}",
                        line.number
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page about the language and the editor's grammar list the faults of the table, all of them and no other.
#[test]
fn what_is_written_about_faults_agrees_with_the_table() {
    let page = read(&support::root().join("docs/language.md"));
    let section = page.split("\n## ").find(|part| part.starts_with("7. "));
    let rows: Vec<&str> = section
        .expect("the section about faults")
        .lines()
        .filter(|line| line.starts_with("| `@"))
        .map(|line| {
            let end = line.match_indices(" | ").nth(1).expect("three columns").0;
            &line[..end]
        })
        .collect();
    let expected: Vec<String> = sandalc::weave::FAULTS
        .iter()
        .map(|kind| {
            let names: Vec<String> = kind.names().map(|name| format!("`@{name}`")).collect();
            let on = kind.marks.as_str().trim_start_matches("a ");
            format!("| {} | {on}", names.join(", also "))
        })
        .collect();
    assert_eq!(rows, expected);

    let names: Vec<&str> = sandalc::weave::FAULTS
        .iter()
        .flat_map(|kind| kind.names())
        .collect();
    let grammar = "editors/vscode/syntaxes/sandal.tmLanguage.json";
    assert!(read(&support::root().join(grammar)).contains(&format!("({})", names.join("|"))));
}

#[test]
fn no_file_is_long() {
    let long: Vec<String> = compiler()
        .into_iter()
        .map(|(name, text)| (name, text.lines().count()))
        // The grammar is one by nature: its productions cannot be told apart into files.
        .filter(|(name, lines)| {
            *lines
                > if name.ends_with(".lalrpop") {
                    1_000
                } else {
                    LONGEST
                }
        })
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

#[test]
fn the_guide_for_contributors_names_files_that_exist() {
    let text = read(&support::root().join("CONTRIBUTING.md"));
    let named: Vec<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.starts_with("compiler/") && !name.contains("NAME"))
        .collect();
    assert!(named.len() > 15, "the lists are found");
    for name in named {
        assert!(support::root().join(name).exists(), "{name}");
    }
}
