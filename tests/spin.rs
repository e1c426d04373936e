//! Spin answers the conversations of agents, too: `tests/spin/conversations.pml`, written by hand after the scheme of the thesis that
//! they are from. It shares nothing with us, and its verdicts are those that the examples expect.

mod support;

use std::path::Path;
use std::process::Command;

use support::header;

/// What a program prints.
fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{program} {args:?}: {printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}

/// Whether the verifier in a folder finds no error.
fn holds(folder: &Path, verifier: &str, args: &[&str]) -> bool {
    let printed = run(folder, verifier, args);
    assert!(!printed.contains("max search depth too small"), "{printed}");
    let count = printed
        .split_once("errors: ")
        .and_then(|(_, rest)| rest.split_whitespace().next());
    match count {
        Some("0") => true,
        Some("1") => false,
        _ => panic!("it says nothing about errors: {printed}"),
    }
}

#[test]
fn spin_agrees_on_the_conversations() {
    if !support::spin("spin: what it says of the conversations") {
        return;
    }
    let model = support::root().join("tests/spin/conversations.pml");
    let model = model.to_str().expect("a path");
    for (example, defined) in [
        ("conversations", &[][..]),
        ("conversations_right", &["-DRIGHT"]),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        run(folder, "spin", &[defined, &["-a", model]].concat());
        run(folder, "cc", &["-w", "-o", "formulas", "pan.c"]);
        run(
            folder,
            "cc",
            &["-w", "-DNOCLAIM", "-o", "deadlock", "pan.c"],
        );
        let text = std::fs::read_to_string(support::root().join(format!("examples/{example}.sdl")));
        let expected = header::read(&text.expect("the example")).expect("its header");
        let expected = |name: &str| {
            let verdict = expected.verdicts.iter().find(|(other, _)| other == name);
            verdict.map_or("holds", |(_, verdict)| verdict)
        };
        let deadlock = holds(folder, "./deadlock", &[]);
        assert_eq!(deadlock, expected("deadlock") == "holds", "{example}");
        for name in [
            "fig31",
            "fig32",
            "twice",
            "collecting",
            "gets_over",
            "info_ends",
        ] {
            let never = holds(folder, "./formulas", &["-a", "-f", "-N", name]);
            // Spin is asked whether the messages are never sent in that order.
            let reached = name == "fig31";
            let ours = (expected(name) == "holds") != reached;
            assert_eq!(never, ours, "{example}: {name}");
        }
    }
}
