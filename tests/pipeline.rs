//! `docs/pipeline.md` carries one small model through every representation. It is generated;
//! `BLESS=1 cargo test --test pipeline` writes it anew.

mod support;

use sandalc::source::Sources;
use sandalc::{build, graph, nusmv, program, simplify, syntax, system, weave};

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

#[test]
fn the_pipeline_is_as_documented() {
    let mut sources = Sources::new();
    let file = sources.add("small.sdl", MODEL);
    let parsed = syntax::parse(&sources, file);
    assert_eq!(parsed.diagnostics, []);
    let program = program::check(&parsed.file, &[], &[])
        .program
        .expect("the model is correct");
    let graphs = graph::lower(&program);
    let system = build(&program, &weave::Options::default());
    let simplified = simplify::simplify(&system, &simplify::Rules::default());
    let emitted = nusmv::emit(&simplified.system, &sources);

    let mut text = String::from(
        "# One model through every representation\n\n\
         This page is generated (`BLESS=1 cargo test --test pipeline`). Each section is what\n\
         `sandalc dump` prints for this model, except for the first.\n",
    );
    let mut section = |title: &str, about: &str, kind: &str, contents: &str| {
        text += &format!(
            "\n## {title}\n\n{about}\n\n```{kind}\n{}\n```\n",
            contents.trim_end()
        );
    };
    section("Source", "What the user writes, `small.sdl`.", "sdl", MODEL);
    section(
        "Tokens",
        "`sandalc dump tokens small.sdl`, the first lines. A line end that closes a statement has become a semicolon.",
        "text",
        &head(&syntax::dump::tokens(&sources, file), 24),
    );
    section(
        "Syntax tree",
        "`sandalc dump ast small.sdl`, the first lines. Names are not resolved yet.",
        "text",
        &head(&syntax::dump::ast(&parsed.file, &sources), 24),
    );
    section(
        "Program",
        "`sandalc dump program small.sdl`. Every instance has a body of its own; parameters are channels and values.",
        "text",
        &program::dump(&program),
    );
    section(
        "Process graphs",
        "`sandalc dump graph small.sdl`. What each process does by itself; what a channel is comes next.",
        "text",
        &graph::print::text(&program, &graphs, &sources),
    );
    section(
        "System",
        "`sandalc dump woven --no-simplify small.sdl`. The channel has become variables, its operations guards and \
         updates, and the marker `@drop` the edge named `fault`.",
        "text",
        &system::print::system(&system),
    );
    section(
        "Simplified System",
        "`sandalc dump woven small.sdl`. The same answers with fewer states: what the engines read.",
        "text",
        &system::print::system(&simplified.system),
    );
    section(
        "NuSMV",
        "`sandalc small.sdl` or `sandalc dump smv small.sdl`.",
        "text",
        &emitted.text,
    );

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
