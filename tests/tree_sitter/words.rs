//! The words and signs of the language, in one list for all: the lexer has it (`compiler/syntax/words.rs`), `editors/words.json` is
//! written from it (`BLESS=1`), and from there the tests of the VS Code package have it. Here it is compared with tree-sitter;
//! completion compares its own (`compiler/editor/tests.rs`).

use std::collections::BTreeSet;

use sandalc::source::Sources;
use sandalc::syntax::{is_keyword, signs, tokens, words};
use sandalc::vocabulary::SpecKind;
use serde_json::{Value, json};

use crate::{ours, parse, support, takes};

/// For each word that is a name elsewhere, a model in which it is none; the word stands between `<` and `>`.
const SAMPLES: &[&str] = &[
    "<limit> 1 { p @shutdown }",
    "<inject> { p @shutdown }",
    "<fault> f() on process { anytime { crash } }",
    "proc P() { select { case <timeout> { skip } } }",
    "proc P() { select { case <after> 3 { skip } } }",
    "<type> T = bool",
    "type T <struct> { a bool }",
    "proc P() { <await> x }",
    "proc P() { <atomic> { skip } }",
    "proc P() { <fair> choice { skip }, { skip } }",
    "proc P() { <switch> x { default { skip } } }",
    "<func> f() { skip }",
    "<predicate> f() { true }",
    "<protocol> p on c { skip }",
    "protocol <complete> p on c { skip }",
    "protocol p <on> c { skip }",
    "init { c: channel <bag> [1] { bool } }",
    "init { c: channel [1] { bool } <overflow> }",
    "invariant { <count> i in range 0 to 2 { true } == 1 }",
    "invariant { <sum> i in range 0 to 2 { 1 } == 1 }",
    "invariant { p.x <is> A }",
    "<view> p { x }",
    "<diagnosable> f by p",
    "<unreachable> { true }",
    "<tolerant> t to f { true }",
];

/// A sample without its marks, the word, and where it is.
fn sample(marked: &str) -> (String, &str, usize) {
    let (before, rest) = marked.split_once('<').expect("a mark");
    let (word, after) = rest.split_once('>').expect("a second mark");
    (format!("{before}{word}{after}"), word, before.len())
}

/// Words of specifications and all others.
fn all_words() -> BTreeSet<&'static str> {
    let specs = SpecKind::ALL.into_iter().map(SpecKind::as_str);
    words().map(|(_, word)| word).chain(specs).collect()
}

fn is_reserved(word: &str) -> bool {
    let spec = SpecKind::of_word(word).is_some_and(SpecKind::is_reserved);
    is_keyword(word) || spec
}

/// The letters of formulas of a kind.
fn letters(kind: &str) -> Vec<&'static str> {
    let is_letter = |word: &&str| {
        let mut sources = Sources::new();
        let file = sources.add("m.sdl", format!("{kind} {{ {word} }}"));
        let known = all_words();
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && known.contains(word)
            && tokens(&sources, file)[2].kind.text() == Some(*word)
    };
    words().map(|(_, word)| word).filter(is_letter).collect()
}

#[test]
fn the_list_for_editors_is_that_of_the_lexer() {
    let names = sandalc::weave::FAULTS.iter().flat_map(|kind| kind.names());
    let contextual: serde_json::Map<String, Value> = SAMPLES
        .iter()
        .map(|marked| (sample(marked).1.to_owned(), json!(marked)))
        .collect();
    let list = json!({
        "keywords": all_words().into_iter().filter(|word| is_reserved(word)).collect::<Vec<_>>(),
        "contextual": contextual,
        "ltl": letters("ltl"),
        "ctl": letters("ctl"),
        "faults": names.collect::<Vec<_>>(),
        "signs": signs().collect::<Vec<_>>(),
    });
    let text = format!("{list:#}\n");
    let path = support::root().join("editors/words.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("it can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "editors/words.json is not the lexer's list: BLESS=1 writes it\n{text}"
    );
}

#[test]
fn every_word_is_in_the_samples_or_reserved_or_a_letter() {
    let samples: BTreeSet<&str> = SAMPLES.iter().map(|marked| sample(marked).1).collect();
    let letters: Vec<&str> = [letters("ltl"), letters("ctl")].concat();
    for word in all_words() {
        let known = is_reserved(word) || letters.contains(&word) || samples.contains(word);
        assert!(known, "{word}");
    }
    assert_eq!(letters.len(), 11 + 9);
}

#[test]
fn a_word_that_is_a_name_elsewhere_is_one_to_both() {
    for marked in SAMPLES {
        let (text, word, at) = sample(marked);
        let mut sources = Sources::new();
        let file = sources.add("m.sdl", text.as_str());
        let all = tokens(&sources, file);
        let token = all
            .iter()
            .find(|token| token.start as usize == at)
            .expect("a token");
        assert!(token.kind.is_word(), "{marked}: {:?}", token.kind);
        assert_eq!(ours(&text), [""; 0], "{marked}");
        let tree = parse(&text);
        let root = tree.root_node();
        assert!(!root.has_error(), "{marked}: {}", root.to_sexp());
        let node = root
            .descendant_for_byte_range(at, at + word.len())
            .expect("a node");
        assert_eq!((node.kind(), node.is_named()), (word, false), "{marked}");
        // As a name.
        for name in [
            format!("proc P({word} bool) {{ var x bool = {word} }}"),
            format!("proc P() {{ var {word} bool; {word} = true; {word}: skip }}"),
            format!("init {{ {word}: P() }}\ninvariant {{ p.{word} && {word}.x && p@{word} }}"),
        ] {
            assert_eq!(takes(&name), ours(&name).is_empty(), "{name}");
            assert!(takes(&name), "{name}");
        }
    }
}

#[test]
fn a_keyword_is_no_name_to_both() {
    for word in all_words().into_iter().filter(|word| is_reserved(word)) {
        for text in [
            format!("proc {word}() {{ skip }}"),
            format!("proc P() {{ var {word} bool }}"),
            format!("proc P() {{ x = y + {word} }}"),
            format!("proc P() {{ await {word} }}"),
            format!("proc P() {{ select {{ case after {word} {{ skip }} }} }}"),
            format!("invariant {{ p.{word} }}"),
        ] {
            assert_eq!(
                takes(&text),
                ours(&text).is_empty(),
                "{text}: {:?}",
                ours(&text)
            );
        }
    }
}

#[test]
fn letters_are_operators_in_the_same_places() {
    for kind in ["ltl", "ctl", "assume", "invariant"] {
        for word in [letters("ltl"), letters("ctl")].concat() {
            for formula in [
                format!("{word} p.x"),
                format!("p.x {word} p.y"),
                format!("{word} (p.x U p.y)"),
                format!("{word}"),
                format!("{word}.x"),
                format!("p.{word} && p@{word} && p.m is {word}"),
                format!("1 + {word} == 2"),
                format!("({word}..2)"),
            ] {
                let text = format!("{kind} {{ {formula} }}");
                assert_eq!(
                    takes(&text),
                    ours(&text).is_empty(),
                    "{text}: {:?}",
                    ours(&text)
                );
            }
        }
    }
}

#[test]
fn tree_sitter_has_no_words_and_signs_of_its_own() {
    let path = support::root().join("editors/tree-sitter/src/grammar.json");
    let grammar = std::fs::read_to_string(path).expect("the grammar");
    let grammar: Value = serde_json::from_str(&grammar).expect("JSON");
    let mut found = BTreeSet::new();
    strings(&grammar["rules"], &mut found);
    strings(&grammar["reserved"], &mut found);
    let letters: BTreeSet<&str> = [letters("ltl"), letters("ctl")]
        .concat()
        .into_iter()
        .collect();
    // Words that are names to the lexer, and known by their place to the parser.
    let by_place = ["as", "by"];
    let known: BTreeSet<String> = all_words()
        .into_iter()
        .filter(|word| !letters.contains(word))
        .chain(by_place)
        .chain(signs())
        .map(str::to_owned)
        .collect();
    assert_eq!(found, known);
}

/// The texts of a grammar: of tokens, and what tokens of the scanner are called.
fn strings(rule: &Value, found: &mut BTreeSet<String>) {
    match rule {
        Value::Array(parts) => parts.iter().for_each(|part| strings(part, found)),
        Value::Object(parts) => {
            let is = |kind: &str| parts.get("type").is_some_and(|found| found == kind);
            let alias = is("ALIAS") && parts.get("named") == Some(&json!(false));
            if (is("STRING") || alias)
                && let Some(Value::String(text)) = parts.get("value")
            {
                found.insert(text.clone());
            }
            parts.values().for_each(|part| strings(part, found));
        }
        _ => {}
    }
}
