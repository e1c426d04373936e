//! Any text at all gives diagnostics: no panic, no overflow of the stack, no hang.

use std::time::{Duration, Instant};

use sandalc::source::Sources;
use sandalc::syntax::{self, MAX_ERRORS, Parsed, dump};

fn parse(text: impl Into<String>) -> Parsed {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    syntax::parse(&sources, file)
}

/// Repeats a piece: to ten megabytes (one without optimisation) if it is one of the classics, to 200 kilobytes otherwise. Time grows with the
/// length, not faster, so more would only take longer.
fn huge(before: &str, piece: &str, after: &str) -> String {
    let classic = matches!(piece, "(" | "!" | "{" | "if x {} else ");
    let size = match classic {
        true if cfg!(debug_assertions) => 1_000_000,
        true => 10_000_000,
        false => 200_000,
    };
    let mut text = String::from(before);
    text.push_str(&piece.repeat(size / piece.len()));
    text.push_str(after);
    text
}

fn rejects(name: &str, text: String) {
    let begin = Instant::now();
    let parsed = parse(text);
    let took = begin.elapsed();
    assert!(!parsed.diagnostics.is_empty(), "{name}: accepted");
    assert!(
        parsed.diagnostics.len() <= MAX_ERRORS + 1,
        "{name}: {} messages",
        parsed.diagnostics.len()
    );
    // Walks over what was parsed must not overflow the stack either.
    assert!(parsed == parsed.clone());
    if std::env::var_os("TIMES").is_some() {
        eprintln!(
            "{name}: {took:?}, {} messages, first: {}",
            parsed.diagnostics.len(),
            parsed.diagnostics[0].message
        );
    }
    // Generous: the machine may be busy. What grows faster than the text takes hours.
    assert!(took < Duration::from_secs(120), "{name}: took {took:?}");
}

#[test]
fn megabytes_of_brackets() {
    for bracket in [
        "(", "[", "{", ")", "]", "}", "([{", "(}", "{]", "()", "[]", "{}", "[1]",
    ] {
        rejects(bracket, huge("", bracket, ""));
        rejects(
            &format!("proc {bracket}"),
            huge("proc P() { x = ", bracket, ""),
        );
    }
}

#[test]
fn megabytes_of_one_expression() {
    for piece in [
        "!", "-", "a+", "a&&", "a->", "a.b.", "a[0]", ".a", "@a", "f(", "[a,", "a b ", "3x ", "a ",
    ] {
        rejects(piece, huge("proc P() { x = ", piece, " }"));
        rejects(&format!("ltl {piece}"), huge("ltl { ", piece, " }"));
    }
    for piece in ["G ", "G F ", "a U ", "!X ", "A ("] {
        rejects(piece, huge("ltl { ", piece, "a }"));
        rejects(&format!("ctl {piece}"), huge("ctl { ", piece, "a }"));
    }
}

#[test]
fn megabytes_of_one_statement() {
    for piece in [
        "if x {} else ",
        "L: ",
        "x = ;",
        "choice {}, ",
        "case ",
        "select {",
        "for {",
        "if ",
        "else ",
        "var ",
        "; = ",
        "\n+",
        ", ",
        "{ x y }",
        "a b;",
    ] {
        rejects(piece, huge("proc P() { ", piece, " }"));
        rejects(&format!("top {piece}"), huge("", piece, ""));
        rejects(&format!("init {piece}"), huge("init { ", piece, ""));
    }
    let types = huge("proc P() { var x ", "[1]", "int }");
    rejects("types", types);
}

#[test]
fn megabytes_of_characters() {
    for piece in [
        "\0", "é", "$", "\"", "/*", "/", "'", "\u{FEFF}", "\r", "\n\"", "__ ", "9", "a", "1.5 ",
        "😀 x ",
    ] {
        rejects(piece, huge("x ", piece, ""));
    }
}

#[test]
fn deep_blocks_before_an_error() {
    let mut text = String::from("proc P() ");
    text.push_str(&"{".repeat(250));
    text.push_str(&" a".repeat(300_000));
    rejects("deep", text);
    let mut text = String::from("proc P() ");
    for _ in 0..250 {
        text.push_str("{ x = ; ");
    }
    text.push_str(&" a;".repeat(300_000));
    rejects("deep and many", text);
    let mut text = String::from("proc P() {");
    for i in 0..10_000 {
        text.push_str(if i % 120 == 0 {
            "x = = 2\n"
        } else {
            "x = x + 1\n"
        });
    }
    text.push('}');
    rejects("errors all over a large proc", text);
}

#[test]
fn a_long_but_flat_model_is_fine() {
    let mut text = String::from("proc P() {\n");
    text.push_str(&"    x = x + 1\n".repeat(100_000));
    text.push_str("}\n");
    assert_eq!(parse(text).diagnostics, vec![]);
    let array = format!("const A = [{}]\n", "1, ".repeat(100_000));
    assert_eq!(parse(array).diagnostics, vec![]);
}

#[test]
fn a_model_cut_anywhere() {
    let text = include_str!("models/constructs.sdl");
    for cut in 0..text.len() {
        if text.is_char_boundary(cut) {
            let parsed = parse(&text[..cut]);
            assert!(
                parsed.diagnostics.len() <= 3,
                "cut at {cut}: {:#?}",
                parsed.diagnostics
            );
            if cut % 11 == 0 {
                parse(&text[cut..]);
            }
        }
    }
}

/// As high as the limits allow, and walked in all ways this module has: with the stack of a test's thread.
#[test]
fn the_highest_trees_can_be_walked() {
    let mut deep = String::from("proc P() {\n");
    deep.push_str(&"if x {} else ".repeat(300));
    deep.push_str(&"{".repeat(120));
    deep.push_str(" L: x = ");
    deep.push_str(&"!(a + ".repeat(100));
    deep.push_str(&"-".repeat(10));
    deep.push('a');
    deep.push_str(&")".repeat(100));
    deep.push_str(&"}".repeat(120));
    deep.push_str("\n}\nconst N = ");
    deep.push_str(&"a + ".repeat(498));
    deep.push_str("a\n");
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", deep);
    let parsed = syntax::parse(&sources, file);
    assert_eq!(parsed.diagnostics, vec![]);
    let formatted = syntax::format(&sources, file).expect("it parses");
    assert!(parsed == parsed.clone());
    assert!(dump::ast(&parsed.file, &sources).len() > formatted.len());
    drop(parsed);
}
