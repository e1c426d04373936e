//! What names mean, in every example.

use std::path::Path;

use super::complete::{OPERATORS, WORDS, complete};
use super::index::Kind;
use super::*;
use crate::weave::FAULTS;

fn model(text: &str) -> Model {
    let files = |path: &Path| (path == Path::new("m.sdl")).then(|| text.to_owned());
    Model::load(Path::new("m.sdl"), None, &files, &FAULTS).expect("it is there")
}

/// A text without the mark `|`, and where that stood.
fn marked(text: &str) -> (Model, usize) {
    let at = text.find('|').expect("a mark");
    (model(&text.replacen('|', "", 1)), at)
}

fn labels(text: &str) -> Vec<String> {
    let (model, at) = marked(text);
    complete(&model, at)
        .1
        .into_iter()
        .map(|item| item.label)
        .collect()
}

/// The files of the examples and of the library.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["examples", "stdlib"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder");
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "sdl") {
                let text = std::fs::read_to_string(&path).expect("a text");
                found.push((path.display().to_string(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 40);
    found
}

#[test]
fn the_table_has_all_words_of_the_lexer() {
    for (kind, text) in crate::syntax::words() {
        let known = WORDS.iter().any(|word| word.text == text)
            || OPERATORS.iter().any(|(letters, ..)| *letters == text);
        assert!(
            known,
            "`{text}` ({kind:?}) is not in the table of completion"
        );
    }
    for kind in crate::vocabulary::SpecKind::ALL {
        assert!(WORDS.iter().any(|word| word.text == kind.as_str()));
    }
}

/// Every name in the examples is known, but for those that belong to the language.
#[test]
fn names_in_examples_have_a_meaning() {
    for (path, text) in texts() {
        let model = model(&text);
        let unknown: Vec<&str> = (model.index.unknown.iter())
            .map(|span| model.sources.slice(*span))
            .collect();
        assert!(unknown.is_empty(), "{path}: {unknown:?}");
    }
}

#[test]
fn a_definition_is_found_from_each_of_its_uses() {
    let text = "data Kind { A, B }\nconst N = 3\nproc P(c channel { Kind }, n 0..N) {\n    var x Kind = A\n    end: recv(c, x)\n    if x == B && n > 0 { goto end }\n}\ninit {\n    c: channel { Kind } @drop as lost,\n    p: P(c, N) @stuck(x),\n}\ninvariant i { p.x == A || p@end || p.n == N }\nlimit 1 { lost }\n";
    let model = model(text);
    let count = |name: &str, kind: Kind| {
        let mut all = model.index.definitions.iter();
        let id = all
            .position(|d| d.name == name && d.kind == kind)
            .expect(name);
        model.references(DefId(id), false).len()
    };
    assert_eq!(count("Kind", Kind::Data), 3);
    assert_eq!(count("A", Kind::Constructor), 2);
    assert_eq!(count("B", Kind::Constructor), 1);
    assert_eq!(count("N", Kind::Const), 3);
    assert_eq!(count("x", Kind::Variable), 4);
    assert_eq!(count("n", Kind::Parameter), 2);
    assert_eq!(count("end", Kind::Label), 2);
    assert_eq!(count("p", Kind::Instance), 3);
    assert_eq!(count("lost", Kind::FaultName), 1);
    assert_eq!(count("P", Kind::Proc), 1);
}

#[test]
fn what_is_offered_fits_the_place() {
    let head = "data K { A, B }\nproc P(ch channel [2] { K }, n 0..3) {\n    var seen K\n    L: recv(ch, seen)\n}\n";
    let has = |labels: &[String], wanted: &str| labels.iter().any(|label| label == wanted);
    let top = labels(&format!("{head}|\n"));
    assert!(
        has(&top, "proc") && has(&top, "ltl") && !has(&top, "seen"),
        "{top:?}"
    );
    let body = labels(&head.replace("    L:", "    |\n    L:"));
    assert!(
        has(&body, "recv") && has(&body, "seen") && has(&body, "select"),
        "{body:?}"
    );
    assert!(!has(&body, "invariant"));
    let init = format!("{head}init {{\n    ch: channel [2] {{ K }} @|\n    p: P(ch, 1),\n}}\n");
    let markers = labels(&init);
    assert!(
        has(&markers, "reorder") && !has(&markers, "shutdown"),
        "{markers:?}"
    );
    let init = format!("{head}init {{\n    ch: channel [2] {{ K }},\n    p: |\n}}\n");
    assert!(has(&labels(&init), "P"));
    let rest = format!("{head}init {{\n    ch: channel [2] {{ K }},\n    p: P(ch, 1) @|,\n}}\n");
    assert!(has(&labels(&rest), "shutdown") && !has(&labels(&rest), "drop"));
    let system = rest.replace('|', "shutdown");
    let dot = labels(&format!("{system}invariant i {{ p.| }}\n"));
    assert!(has(&dot, "seen") && has(&dot, "done"), "{dot:?}");
    let at = labels(&format!("{system}invariant i {{ p@| }}\n"));
    assert_eq!(at, ["L"]);
    let ltl = labels(&format!("{system}ltl i {{ | }}\n"));
    assert!(
        has(&ltl, "G") && has(&ltl, "p") && !has(&ltl, "AG"),
        "{ltl:?}"
    );
    assert_eq!(labels("// a |\n"), Vec::<String>::new());
    assert!(has(&labels("import \"std/|\"\n"), "std/link"));
    assert_eq!(labels(&format!("{head}const C = K.|\n")), ["A", "B"]);
}

/// Whatever is renamed in whatever example, nothing else is meant afterwards, or it is refused.
#[test]
fn renamed_models_have_no_new_errors() {
    let mut renamed = 0;
    let mut refused = Vec::new();
    for (path, text) in texts() {
        let model = model(&text);
        let files = |name: &Path| (name == Path::new("m.sdl")).then(|| text.clone());
        let errors = |text: &str| {
            let mut sources = Sources::new();
            let files = |_: &Path| Some(text.to_owned());
            let loaded = load::load(Path::new("m.sdl"), &files, &mut sources).expect("a text");
            let linked = loaded.link();
            let checked = crate::program::check(&linked.main, &linked.imported, &[], &FAULTS);
            let all = checked.diagnostics.into_iter().filter(|d| d.is_error());
            all.map(|d| (d.code, d.message)).collect::<Vec<_>>()
        };
        let before = errors(&text);
        // All at once would hide that one of them is wrong: a few of each file, spread over it.
        let own: Vec<DefId> = model.index.of_file(model.shown).map(|(id, _)| id).collect();
        for id in own.iter().step_by(own.len() / 4 + 1) {
            let name = model.definition(*id).name.clone();
            match rename::rename(&model, *id, "renamed_x", &files) {
                Ok(places) => {
                    let edits = places.iter().filter(|span| span.file == model.shown);
                    let edits = edits.map(|span| (span.range(), "renamed_x".to_owned()));
                    let after = errors(&rename::edited(&text, edits.collect()));
                    assert!(after.len() <= before.len(), "{path}: `{name}` {after:?}");
                    renamed += 1;
                }
                Err(why) => refused.push(format!("{path}: {name}: {why:?}")),
            }
        }
    }
    assert!(renamed > 100, "{renamed}");
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn a_name_that_would_change_the_meaning_is_refused() {
    let text = "const N = 2\nproc P() {\n    var x 0..N = 0\n    var y 0..N = 1\n    x = y\n    y = N\n}\ninit { p: P() }\n";
    let model = model(text);
    let files = |path: &Path| (path == Path::new("m.sdl")).then(|| text.to_owned());
    let rename = |name: &str, new: &str| {
        let mut all = model.index.definitions.iter();
        let id = DefId(all.position(|d| d.name == name).expect("defined"));
        rename::rename(&model, id, new, &files).map(|all| all.len())
    };
    assert_eq!(rename("x", "z"), Ok(2));
    assert_eq!(rename("N", "M"), Ok(4));
    assert!(rename("x", "y").is_err(), "there is one");
    assert!(rename("x", "N").is_err(), "it hides the constant");
    assert!(rename("N", "y").is_err(), "it would be hidden");
    assert!(rename("x", "for").is_err(), "a keyword");
    assert!(rename("x", "3x").is_err(), "no name");
    assert!(rename("x", "done").is_err(), "reserved");
}

#[test]
fn hovering_tells_types_ranges_and_what_a_marker_does() {
    let hover = |text: &str| {
        let (model, at) = marked(text);
        hover::hover(&model, at).map(|(_, said)| said)
    };
    let said = hover("const N = 7\nproc P() {\n    var |x 0..N\n}\n").expect("a name");
    assert!(
        said.contains("var x 0..N") && said.contains("range 0..7, 8 values"),
        "{said}"
    );
    let said =
        hover("// What a pump does.\nproc Pump() { skip }\ninit { p: P|ump() }\n").expect("a name");
    assert!(
        said.contains("proc Pump()") && said.contains("What a pump does."),
        "{said}"
    );
    let said = hover("init { c: channel { bool } @dr|op }\n").expect("a marker");
    assert!(said.contains("loses its message"), "{said}");
    let said = hover("proc P() { ti|meout_recv(c, x) }\n").expect("a word");
    assert!(said.contains("gives up"), "{said}");
    assert_eq!(hover("proc P() { | }\n"), None);
}

#[test]
fn calls_show_their_parameters() {
    let (model, at) = marked(
        "proc P(a channel { bool }, n 0..3) { skip }\ninit { c: channel { bool }, p: P(c, |) }\n",
    );
    let signature = signature::signature(&model, at).expect("a call");
    assert_eq!(signature.label, "P(a channel { bool }, n 0..3)");
    assert_eq!((signature.active, signature.parameters.len()), (1, 2));
    let (model, at) = marked("proc P(a channel { bool, 0..3 }) { send(a, |) }\n");
    let signature = signature::signature(&model, at).expect("an operation");
    assert_eq!(signature.label, "send(channel, bool, 0..3)");
    assert_eq!(signature.active, 1);
}

#[test]
fn hints_name_parameters_and_show_numbers() {
    let text = "const N = 3\nproc P(a channel { bool }, n 0..N) { skip }\ninit { c: channel { bool }, p: P(c, 2) }\n";
    let shown: Vec<String> = hints::hints(&model(text))
        .into_iter()
        .map(|hint| hint.text)
        .collect();
    assert_eq!(shown, ["0..3", "a:", "n:"]);
}

#[test]
fn brackets_comments_and_imports_fold() {
    let text =
        "import \"std/link\"\nimport \"std/lock\"\n\n// a\n// b\nproc P() {\n    skip\n}\n// c\n";
    let folds = fold::folds(text);
    let parts: Vec<&str> = folds
        .iter()
        .map(|fold| &text[fold.start..fold.end])
        .collect();
    assert_eq!(parts.len(), 3, "{parts:?}");
    assert!(parts[0].starts_with("import") && parts[0].ends_with("lock\""));
    assert_eq!(parts[1], "// a\n// b");
    assert_eq!(parts[2], "{\n    skip");
}

#[test]
fn every_place_of_a_broken_text_can_be_asked_about() {
    let text = "data D { A }\nproc P(c channel { D }) {\n    var x D\n    select { case recv(c, x) { x = D. } }\n}\ninit { c: channel { D } @dr, p: P(c) @ }\nltl l { G p. }\n";
    for cut in 0..text.len() {
        let model = model(&text[..cut]);
        complete(&model, cut);
        hover::hover(&model, cut);
        signature::signature(&model, cut);
        symbols::outline(&model, model.shown);
        tokens::tokens(&model);
        hints::hints(&model);
        lens::lenses(&model);
        fold::folds(model.text());
    }
}
