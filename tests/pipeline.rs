//! `docs/pipeline.md` carries one small model through every representation. It is generated;
//! `BLESS=1 cargo test --test pipeline` writes it anew.

mod support;

use std::process::Command;

const MODEL: &str = "\
proc Sender(c channel { 0..2 }) {
    send(c, 1)
}

proc Receiver(c channel { 0..2 }) {
    var got 0..2
    recv(c, got)
}

init {
    c: channel { 0..2 } @drop,
    sender: Sender(c),
    receiver: Receiver(c),
}

ltl arrives { F receiver.got == 1 }
";

/// A form of the model: what `sandalc dump` calls it, a title, what is worth knowing, and how many lines are shown.
struct Section {
    form: &'static str,
    title: &'static str,
    about: &'static str,
    lines: usize,
}

const ALL: usize = usize::MAX;

const SECTIONS: [Section; 7] = [
    Section {
        form: "tokens",
        title: "Tokens",
        about: "the first lines. A line end that closes a statement has become a semicolon.",
        lines: 24,
    },
    Section {
        form: "ast",
        title: "Syntax tree",
        about: "the first lines. Names are not resolved yet.",
        lines: 24,
    },
    Section {
        form: "program",
        title: "Program",
        about: "every instance has a body of its own; parameters are channels and values.",
        lines: ALL,
    },
    Section {
        form: "graph",
        title: "Process graphs",
        about: "what each process does by itself; what a channel is comes next.",
        lines: ALL,
    },
    Section {
        form: "woven",
        title: "System",
        about: "the channel has become variables, its operations guards and updates, and the marker `@drop` the edge \
                named `fault`.",
        lines: ALL,
    },
    Section {
        form: "simplified",
        title: "Simplified System",
        about: "the same answers with fewer states: what the engines read.",
        lines: ALL,
    },
    Section {
        form: "smv",
        title: "NuSMV",
        about: "`sandalc small.sdl` prints the same.",
        lines: ALL,
    },
];

#[test]
fn the_pipeline_is_as_documented() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("small.sdl"), MODEL).expect("the model can be written");
    let mut text = format!(
        "# One model through every representation\n\n\
         This page is generated (`BLESS=1 cargo test --test pipeline`): each section is what the command in its first\n\
         line prints.\n\n\
         ## Source\n\nWhat the user writes, `small.sdl`.\n\n```sdl\n{MODEL}```\n"
    );
    for section in SECTIONS {
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args(["dump", section.form, "small.sdl"])
            .current_dir(folder.path())
            .output()
            .expect("sandalc runs");
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8(output.stdout).expect("text");
        text += &format!(
            "\n## {}\n\n`sandalc dump {} small.sdl`: {}\n\n```text\n{}\n```\n",
            section.title,
            section.form,
            section.about,
            head(printed.trim_end(), section.lines)
        );
    }

    let path = support::root().join("docs/pipeline.md");
    let documented = std::fs::read_to_string(&path).unwrap_or_default();
    if documented != text {
        if support::bless() {
            std::fs::write(&path, text).expect("docs/pipeline.md can be written");
        } else {
            panic!("docs/pipeline.md is out of date: run `BLESS=1 cargo test --test pipeline`");
        }
    }
}

fn head(text: &str, lines: usize) -> String {
    let mut kept: Vec<&str> = text.lines().take(lines).collect();
    if text.lines().count() > lines {
        kept.push("...");
    }
    kept.join("\n")
}
