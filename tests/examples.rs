//! What `examples/` promises: `examples/README.md` lists every example and nothing else, and every line `variant:` and `large:` in a header comes
//! out as it says.
//!
//! ```text
//! // variant: -D EAGER=true: nothing_lost violated by primary@shutdown
//! // large: -D ROUNDS=2: agreement holds
//! ```
//!
//! A line is flags of the command line and what `// expect:` would say under them. Those that are `large` take too long for every day.

mod support;

use std::path::Path;
use std::process::Command;

#[test]
fn every_example_is_listed() {
    let folder = support::root().join("examples");
    let page = std::fs::read_to_string(folder.join("README.md")).expect("examples/README.md");
    let mut listed: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| [")?.split_once(']'))
        .map(|(name, _)| name)
        .collect();
    listed.sort_unstable();
    let there: Vec<String> = support::files(&folder, "sdl")
        .iter()
        .map(|path| support::relative(path).replacen("examples/", "", 1))
        .collect();
    assert_eq!(listed, there);
    for name in listed {
        assert!(page.contains(&format!("[{name}]({name})")), "{name}");
    }
}

/// A line of a header: flags, and what is expected under them.
struct Promise {
    flags: Vec<String>,
    property: String,
    expected: String,
}

/// The lines of a text that begin with a word and a colon; every line that does must be one.
fn promises(text: &str, word: &str) -> Result<Vec<Promise>, String> {
    let prefix = format!("// {word}:");
    let lines = text.lines().filter_map(|line| line.strip_prefix(&prefix));
    lines
        .map(|line| {
            let bad = || format!("`{word}: FLAGS: PROPERTY VERDICT`, not `{line}`");
            let (flags, expected) = line.trim().split_once(": ").ok_or_else(bad)?;
            let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
            let (property, verdict) = expected.split_once(' ').ok_or_else(bad)?;
            let known = ["holds", "violated"].iter().any(|v| verdict.starts_with(v));
            (known && !flags.is_empty())
                .then(|| Promise {
                    flags,
                    property: property.to_owned(),
                    expected: expected.to_owned(),
                })
                .ok_or_else(bad)
        })
        .collect()
}

/// What is not as promised, in words.
fn broken(path: &Path, text: &str, promise: &Promise) -> Result<Option<String>, std::io::Error> {
    // The same model, with this promise in place of those of its header.
    let folder = tempfile::tempdir()?;
    let model = folder.path().join("model.sdl");
    let own = ["// expect:", "// flags:", "// states:"];
    let body: Vec<&str> = (text.lines())
        .filter(|line| !own.iter().any(|key| line.starts_with(key)))
        .collect();
    let body = body.join("\n");
    std::fs::write(&model, format!("// expect: {}\n{body}\n", promise.expected))?;
    let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args([
            "check", "--expect", "--engine", "embedded", "--trace", "none",
        ])
        .args(["--property", &promise.property])
        .args(&promise.flags)
        .arg(&model)
        .output()?;
    Ok((!output.status.success()).then(|| {
        format!(
            "{} {}: {}\n{}{}",
            support::relative(path),
            promise.flags.join(" "),
            promise.expected,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    }))
}

fn all_come_out(word: &str) {
    let mut problems = Vec::new();
    let mut count = 0;
    for path in support::files(&support::root().join("examples"), "sdl") {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        match promises(&text, word) {
            Ok(all) => {
                count += all.len();
                for promise in &all {
                    problems.extend(broken(&path, &text, promise).expect("sandalc runs"));
                }
            }
            Err(why) => problems.push(format!("{}: {why}", support::relative(&path))),
        }
    }
    assert!(count > 0, "no example has a line `{word}:`");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_variant_goes_wrong_as_its_header_says() {
    all_come_out("variant");
}

#[test]
#[ignore = "minutes: `cargo xtask soak` runs it"]
fn every_large_size_comes_out_as_its_header_says() {
    all_come_out("large");
}

#[test]
fn a_promise_that_is_not_kept_is_noticed() {
    let path = support::root().join("examples/ping.sdl");
    let text = std::fs::read_to_string(&path).expect("a readable example");
    let promise = |expected: &str| Promise {
        flags: vec!["--no-faults".to_owned()],
        property: expected.split(' ').next().unwrap_or_default().to_owned(),
        expected: expected.to_owned(),
    };
    let broken = |expected| broken(&path, &text, &promise(expected)).expect("sandalc runs");
    assert!(broken("deadlock holds").is_none());
    assert!(broken("deadlock violated").is_some());
    assert!(promises("// variant: nothing", "variant").is_err());
    assert!(promises("// variant: -D N=1: p improves", "variant").is_err());
}
