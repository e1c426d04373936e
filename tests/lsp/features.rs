//! What an editor asks, answered in the words of the protocol.

use serde_json::{Value, json};

use crate::client::Client;
use crate::support;

const URI: &str = "file:///nowhere/m.sdl";

const MODEL: &str = "\
data Kind { Ask, Tell }

const N = 3

// Answers what it is asked.
proc Server(ch channel [2] { Kind }, limit_ 0..N) {
    var seen Kind /* 😀 */
    var count 0..N = 0
    for count < limit_ {
        recv(ch, seen)
        if seen == Ask { count += 1 }
    }
}

init {
    ch: channel [2] { Kind } @drop,
    server: Server(ch, 2),
}

invariant few { server.count <= N && server.seen == Ask }
ltl { F server.done }
";

fn started() -> Client {
    let mut client = Client::in_memory().begin("utf-16", None);
    client.open(URI, MODEL);
    client
}

/// The place of a text in the model; `|` marks it.
fn at(marked: &str) -> Value {
    let before = marked.find('|').expect("a mark");
    let text = marked.replacen('|', "", 1);
    let offset = MODEL.find(&text).expect("it is there") + before;
    let start = MODEL[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = MODEL[..offset].matches('\n').count();
    let character: usize = MODEL[start..offset].chars().map(char::len_utf16).sum();
    json!({ "line": line, "character": character })
}

fn asked(client: &mut Client, method: &str, place: &str, more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": URI }, "position": at(place) });
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    client
        .ask(&format!("textDocument/{method}"), params)
        .expect("an answer")
}

fn whole(client: &mut Client, method: &str) -> Value {
    let params = json!({ "textDocument": { "uri": URI } });
    client
        .ask(&format!("textDocument/{method}"), params)
        .expect("an answer")
}

/// That an answer is what the protocol says it is.
fn is<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

#[test]
fn names_are_explained_found_and_renamed() {
    let mut client = started();
    let hover = asked(&mut client, "hover", "co|unt <= N", json!({}));
    is::<lsp_types::Hover>(&hover);
    let said = hover["contents"]["value"].as_str().expect("words");
    assert!(
        said.contains("var count 0..N = 0") && said.contains("range 0..3"),
        "{said}"
    );
    let found = asked(&mut client, "definition", "server.se|en", json!({}));
    is::<lsp_types::Location>(&found);
    assert_eq!(found["range"]["start"], at("var |seen"));
    let context = json!({ "context": { "includeDeclaration": true } });
    let uses = asked(&mut client, "references", "As|k, Tell", context);
    is::<Vec<lsp_types::Location>>(&uses);
    assert_eq!(uses.as_array().map(Vec::len), Some(3));
    let marks = asked(&mut client, "documentHighlight", "var |seen", json!({}));
    is::<Vec<lsp_types::DocumentHighlight>>(&marks);
    let kinds: Vec<&Value> = marks
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| &m["kind"])
        .collect();
    assert_eq!(kinds, [3, 3, 2, 2], "declared, received into, read twice");
    let edit = asked(
        &mut client,
        "rename",
        "const |N",
        json!({ "newName": "MOST" }),
    );
    is::<lsp_types::WorkspaceEdit>(&edit);
    assert_eq!(edit["changes"][URI].as_array().map(Vec::len), Some(4));
    let params =
        json!({ "textDocument": { "uri": URI }, "position": at("const |N"), "newName": "proc" });
    let refused = client
        .ask("textDocument/rename", params)
        .expect_err("a keyword");
    assert!(refused.1.contains("keyword"), "{refused:?}");
    client.end();
}

#[test]
fn a_text_is_outlined_coloured_folded_and_formatted() {
    let mut client = started();
    let symbols = whole(&mut client, "documentSymbol");
    is::<Vec<lsp_types::DocumentSymbol>>(&symbols);
    let names: Vec<&str> = symbols
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|s| s["name"].as_str())
        .collect();
    assert_eq!(names, ["Kind", "N", "Server", "ch", "server", "few"]);
    let all = client
        .ask("workspace/symbol", json!({ "query": "serv" }))
        .expect("an answer");
    assert_eq!(all.as_array().map(Vec::len), Some(2), "{all}");
    let tokens = whole(&mut client, "semanticTokens/full");
    let data = tokens["data"].as_array().expect("numbers");
    assert!(data.len() > 100 && data.len().is_multiple_of(5));
    is::<lsp_types::SemanticTokens>(&tokens);
    // `data`, the keyword at the beginning.
    assert_eq!(data[..5], [0, 0, 4, 12, 0]);
    let folds = whole(&mut client, "foldingRange");
    is::<Vec<lsp_types::FoldingRange>>(&folds);
    assert_eq!(folds.as_array().map(Vec::len), Some(3), "{folds}");
    let hints = client.ask("textDocument/inlayHint", json!({
        "textDocument": { "uri": URI },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } },
    }));
    let hints = hints.expect("an answer");
    is::<Vec<lsp_types::InlayHint>>(&hints);
    let labels: Vec<&str> = hints
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|h| h["label"].as_str())
        .collect();
    assert_eq!(labels, [" 0..3", " 0..3", "limit_:"]);
    let edits = whole(&mut client, "formatting");
    is::<Vec<lsp_types::TextEdit>>(&edits);
    client.change(
        URI,
        2,
        json!([{ "text": "proc  P( ) {\n  skip\n}\n\ninit { p: P() }\n" }]),
    );
    let edits = whole(&mut client, "formatting");
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
    client.change(URI, 3, json!([{ "text": "proc" }]));
    assert_eq!(whole(&mut client, "formatting"), Value::Null);
    client.end();
}

#[test]
fn what_may_be_written_is_offered() {
    let mut client = started();
    let offered = asked(&mut client, "completion", "server.|seen", json!({}));
    is::<lsp_types::CompletionList>(&offered);
    let items = offered["items"].as_array().expect("a list");
    let labels: Vec<&str> = items
        .iter()
        .filter_map(|item| item["label"].as_str())
        .collect();
    assert!(
        labels.contains(&"count") && labels.contains(&"done"),
        "{labels:?}"
    );
    let signature = asked(&mut client, "signatureHelp", "Server(ch, |2)", json!({}));
    is::<lsp_types::SignatureHelp>(&signature);
    assert_eq!(signature["activeParameter"], 1);
    client.end();
}

#[test]
fn a_hint_that_is_an_edit_is_a_quick_fix() {
    let mut client = Client::in_memory().begin("utf-16", None);
    let fixes = [
        (
            "proc P() {\n    var count 0..3 = 0\n    coutn = 1\n}\ninit { p: P() }\ninvariant i { p.count < 4 }\n",
            "coutn",
        ),
        ("proc P() { skip }\ninit { p: P() @shutdwon }\n", "shutdwon"),
        (
            "proc P(c channel { bool }) { sned(c, true) }\ninit { c: channel { bool }, p: P(c) }\n",
            "sned",
        ),
        (
            "const N = 3\nproc P() {\n    var x 0..N = 0\n    x++\n}\ninit { p: P() }\n",
            "++",
        ),
        (
            "proc P() {\n    var x 0..3 = 0\n    x = 1 x = 2\n}\ninit { p: P() }\ninvariant i { p.x < 4 }\n",
            "x = 2",
        ),
        (
            "proc P() {\n    var x 0..3 = 0\n    if x == 0 x = 2\n}\ninit { p: P() }\ninvariant i { p.x < 4 }\n",
            "x = 2",
        ),
        ("proc P() { skip }\ninit { p: P() q: P() }\n", "q: P()"),
        (
            "proc P() {\n    choice { skip } { skip }\n}\ninit { p: P() }\n",
            "{ skip }\n}",
        ),
    ];
    for (version, (text, wrong)) in fixes.iter().enumerate() {
        let version = version as i64 + 1;
        match version {
            1 => client.open(URI, text),
            _ => client.change(URI, version, json!([{ "text": text }])),
        }
        let offset = text.find(wrong).expect("it is there");
        let line = text[..offset].matches('\n').count();
        let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let place = json!({ "line": line, "character": column });
        let range = json!({ "start": place, "end": place });
        let params = json!({
            "textDocument": { "uri": URI },
            "range": range,
            "context": { "diagnostics": [] },
        });
        let actions = client
            .ask("textDocument/codeAction", params)
            .expect("an answer");
        is::<Vec<lsp_types::CodeAction>>(&actions);
        let edit = &actions[0]["edit"]["changes"][URI][0];
        let new = edit["newText"]
            .as_str()
            .unwrap_or_else(|| panic!("no fix for {wrong}: {actions}"));
        assert_ne!(new, *wrong);
        let edits = json!([{ "range": edit["range"], "text": new }]);
        client.change(URI, version * 100, edits);
        let left = client.messages(URI, version * 100);
        let errors = left
            .iter()
            .filter(|message| message["severity"] == 1)
            .count();
        assert_eq!(errors, 0, "{wrong} {actions} {left:?}");
        client.tell(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": URI } }),
        );
        client.diagnostics.clear();
        client.open(URI, text);
    }
    client.end();
}

#[test]
fn names_are_followed_through_the_files_of_a_workspace() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path");
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).expect("written");
    write(
        "link.sdl",
        "proc Sender(out channel { bool }) { send(out, true) }\n",
    );
    let main = "import \"link.sdl\"\nproc R(c channel { bool }) { recv(c, _) }\ninit {\n    c: channel { bool },\n    s: link.Sender(c),\n    r: R(c),\n}\n";
    write("main.sdl", main);
    write("other.sdl", &main.replace("link.Sender", "Sender"));
    let uri = |name: &str| format!("file://{}/{name}", path.display());
    let mut client =
        Client::in_memory().begin("utf-8", Some(&format!("file://{}", path.display())));
    let library = std::fs::read_to_string(path.join("link.sdl")).expect("text");
    client.open(&uri("link.sdl"), &library);
    // Alone it has no `init`, but others import it.
    assert_eq!(client.messages(&uri("link.sdl"), 1), Vec::<Value>::new());
    let params = json!({
        "textDocument": { "uri": uri("link.sdl") },
        "position": { "line": 0, "character": 6 },
        "newName": "Source",
    });
    let edit = client
        .ask("textDocument/rename", params)
        .expect("an answer");
    for (name, count) in [("link.sdl", 1), ("main.sdl", 1), ("other.sdl", 1)] {
        assert_eq!(
            edit["changes"][uri(name)].as_array().map(Vec::len),
            Some(count),
            "{edit}"
        );
    }
    let start = &edit["changes"][uri("main.sdl")][0]["range"]["start"];
    assert_eq!(
        *start,
        json!({ "line": 4, "character": 12 }),
        "behind the dot"
    );
    client.open(&uri("main.sdl"), main);
    let params = json!({
        "textDocument": { "uri": uri("main.sdl") },
        "position": { "line": 4, "character": 14 },
    });
    let found = client
        .ask("textDocument/definition", params)
        .expect("an answer");
    assert_eq!(found["uri"], uri("link.sdl"));
    // What is typed in one file is seen in the other.
    client.change(
        &uri("link.sdl"),
        2,
        json!([{ "text": "proc Sender() { skip }\n" }]),
    );
    client.messages(&uri("link.sdl"), 2);
    // `Sender` takes no channel any longer.
    let told = |client: &Client| client.diagnostics.get(&uri("main.sdl")).cloned();
    while told(&client).is_none_or(|(_, messages)| messages.is_empty()) {
        client.hear();
    }
    client.end();
}

/// What share of the hints in the fixtures is an edit that mends the message, as far as that is known without a person.
#[test]
fn many_hints_are_quick_fixes() {
    let mut client = Client::in_memory().begin("utf-16", None);
    let mut files = support::files(&support::root().join("tests/fixtures"), "sdl");
    files.retain(|path| std::fs::metadata(path).is_ok_and(|data| data.len() < 3_000));
    let (mut hints, mut fixes) = (0, 0);
    for (version, path) in files.iter().step_by(8).enumerate() {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let version = version as i64 + 1;
        client.open(URI, &text);
        client.change(URI, version, json!([{ "text": text }]));
        for message in client.messages(URI, version).iter().take(3) {
            if !message["message"]
                .as_str()
                .is_some_and(|words| words.contains("\nhint: "))
            {
                continue;
            }
            let params = json!({
                "textDocument": { "uri": URI },
                "range": message["range"],
                "context": { "diagnostics": [message] },
            });
            let actions = client
                .ask("textDocument/codeAction", params)
                .expect("an answer");
            hints += 1;
            fixes += usize::from(actions.as_array().is_some_and(|all| !all.is_empty()));
        }
    }
    println!("{fixes} of {hints} hints are quick fixes");
    assert!(hints > 20 && fixes * 4 > hints, "{fixes} of {hints}");
    client.end();
}
