//! Messages as on the command line, whatever a client does.

use std::process::Command;

use serde_json::{Value, json};

use crate::client::Client;
use crate::support;

const URI: &str = "file:///nowhere/m.sdl";

/// Code, severity, place and words of a message.
type Said = (String, u64, u64, u64, String);

/// What the command line says about a text: columns count characters.
fn command_line(text: &str) -> Vec<Said> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.sdl");
    std::fs::write(&path, text).expect("it is written");
    let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
        .args(["check", "--list", "--format", "json", "m.sdl"])
        .current_dir(folder.path())
        .output()
        .expect("the binary runs");
    let output = String::from_utf8(output.stderr).expect("text");
    let lines = output
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut said: Vec<Said> = lines
        .filter(|message| message["code"].is_string())
        .map(|message| {
            let number = |key: &str| message[key].as_u64().expect("a number");
            (
                message["code"].as_str().expect("a code").to_owned(),
                if message["severity"] == "error" { 1 } else { 2 },
                number("line") - 1,
                number("column") - 1,
                message["message"].as_str().expect("words").to_owned(),
            )
        })
        .collect();
    said.sort();
    said
}

fn told(messages: &[Value]) -> Vec<Said> {
    let mut said: Vec<Said> = messages
        .iter()
        .map(|message| {
            let start = &message["range"]["start"];
            let words = message["message"].as_str().expect("words");
            (
                message["code"].as_str().expect("a code").to_owned(),
                message["severity"].as_u64().expect("a number"),
                start["line"].as_u64().expect("a number"),
                start["character"].as_u64().expect("a number"),
                words.lines().next().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    said.sort();
    said
}

#[test]
fn messages_are_those_of_the_command_line() {
    let mut client = Client::in_memory().begin("utf-32", None);
    let mut files = support::files(&support::root().join("tests/fixtures"), "sdl");
    // What the editor has is always text, and it has one file.
    files
        .retain(|path| std::fs::read_to_string(path).is_ok_and(|text| !text.contains("import \"")));
    assert!(files.len() > 200);
    let mut some = 0;
    for (version, path) in files.iter().step_by(files.len() / 24).enumerate() {
        let text = std::fs::read_to_string(path).expect("text");
        let version = version as i64 + 1;
        match version {
            1 => client.open(URI, &text),
            _ => client.change(URI, version, json!([{ "text": text }])),
        }
        let messages = client.messages(URI, version);
        assert_eq!(told(&messages), command_line(&text), "{}", path.display());
        some += messages.len();
    }
    assert!(some > 10, "{some}");
    client.end();
}

/// The next number of a row that looks random.
fn random(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    (*state >> 33) as usize
}

/// What an editor would have after a change, column by column in UTF-16.
fn applied(text: &str, from: usize, to: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..from], &text[to..])
}

fn place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let breaks = |c: (usize, char)| match c.1 {
        '\n' => true,
        '\r' => {
            !before[c.0 + 1..].starts_with('\n') && offset != c.0 + 1 || {
                // A lone `\r` at the end of what stands before.
                offset == c.0 + 1 && !text[offset..].starts_with('\n')
            }
        }
        _ => false,
    };
    let ends: Vec<usize> = (before.char_indices())
        .filter(|c| breaks(*c))
        .map(|(at, _)| at + 1)
        .collect();
    let start = ends.last().copied().unwrap_or(0);
    let column: usize = before[start..].chars().map(char::len_utf16).sum();
    json!({ "line": ends.len(), "character": column })
}

#[test]
fn after_any_edits_the_messages_are_those_of_the_text() {
    let example = support::root().join("examples/two_phase.sdl");
    let text = std::fs::read_to_string(example).expect("text");
    let mut text = text.replacen('\n', "\r\n", 20);
    let mut client = Client::in_memory().begin("utf-16", None);
    client.open(URI, &text);
    let pieces = [
        "x",
        "\r\n",
        "\n",
        "\t",
        "é",
        "😀",
        "e\u{301}",
        "}",
        "{ ",
        "proc P() { skip }\n",
        "var x bool\n",
        "// 日本\r\n",
        "",
        "",
        "",
        "@drop",
        "\"",
        "/*",
        "*/",
    ];
    let mut state = 7;
    let mut version = 1;
    for round in 0..6 {
        for _ in 0..20 {
            let boundary = |mut at: usize| {
                // Neither within a character nor within a line end.
                while !text.is_char_boundary(at) || text[..at].ends_with('\r') {
                    at -= 1;
                }
                at
            };
            let from = boundary(random(&mut state) % (text.len() + 1));
            let to = boundary((from + random(&mut state) % 12).min(text.len())).max(from);
            let new = pieces[random(&mut state) % pieces.len()];
            let range = json!({ "start": place(&text, from), "end": place(&text, to) });
            text = applied(&text, from, to, new);
            version += 1;
            client.change(URI, version, json!([{ "range": range, "text": new }]));
            // Questions in between are answered about some state of the text.
            if version % 5 == 0 {
                let position = json!({ "line": random(&mut state) % 60, "character": 7 });
                let params = json!({ "textDocument": { "uri": URI }, "position": position });
                let methods = [
                    "hover",
                    "completion",
                    "definition",
                    "signatureHelp",
                    "references",
                ];
                let method = methods[random(&mut state) % methods.len()];
                let id = client.request(&format!("textDocument/{method}"), params);
                if version % 10 == 0 {
                    client.tell("$/cancelRequest", json!({ "id": id }));
                }
                match client.answer(id) {
                    Ok(_) => {}
                    Err((code, why)) => assert_eq!(code, -32800, "{why}"),
                }
            }
        }
        let messages = client.messages(URI, version);
        let codes = |all: Vec<Said>| -> Vec<(String, u64, u64, String)> {
            all.into_iter()
                .map(|(code, how, line, _, words)| (code, how, line, words))
                .collect()
        };
        assert_eq!(
            codes(told(&messages)),
            codes(command_line(&text)),
            "round {round}"
        );
    }
    client.end();
}

#[test]
fn what_is_no_message_and_what_comes_too_early_is_survived() {
    let mut client = Client::process();
    client.raw(b"Content-Length: 5\r\n\r\n{[}]!");
    client.raw(b"Content-Type: x\r\nContent-Length: nonsense\r\n\r\n\r\n");
    client.raw(b"Content-Length: 2\r\n\r\n[]");
    let refused = client.ask("textDocument/hover", json!({}));
    assert_eq!(refused.expect_err("it has not begun").0, -32002);
    client.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": URI } }),
    );
    let mut client = client.begin("utf-8", None);
    let document = json!({ "uri": URI });
    // Wrong in many ways.
    client.change(URI, 9, json!([{ "text": "x" }]));
    client.tell("textDocument/didOpen", json!(null));
    client.tell("textDocument/didChange", json!({ "textDocument": 3 }));
    client.tell("textDocument/didClose", json!({ "textDocument": document }));
    client.tell("$/cancelRequest", json!({ "id": 99999 }));
    client.tell("$/cancelRequest", json!({}));
    client.tell("nonsense", json!([1, 2]));
    assert_eq!(
        client.ask("nonsense", json!({})).expect_err("unknown").0,
        -32601
    );
    assert_eq!(
        client
            .ask("textDocument/hover", json!({}))
            .expect_err("wrong")
            .0,
        -32602
    );
    let hover = json!({ "textDocument": document, "position": { "line": 0, "character": 0 } });
    assert_eq!(
        client.ask("textDocument/hover", hover.clone()),
        Ok(Value::Null),
        "not open"
    );
    client.open(URI, "proc P() { skip }\ninit { p: P() }\n");
    for position in [
        json!(null),
        json!({ "line": -1, "character": 0 }),
        json!("x"),
    ] {
        let params = json!({ "textDocument": document, "position": position });
        assert_eq!(
            client
                .ask("textDocument/hover", params)
                .expect_err("wrong")
                .0,
            -32602
        );
    }
    let far = json!({ "line": 4_000_000_000_u64, "character": 4_000_000_000_u64 });
    let params = json!({ "textDocument": document, "position": far });
    assert_eq!(client.ask("textDocument/hover", params), Ok(Value::Null));
    let backwards =
        json!({ "start": { "line": 1, "character": 3 }, "end": { "line": 0, "character": 0 } });
    client.change(
        URI,
        2,
        json!([{ "range": backwards, "text": "" }, { "text": 3 }, 7]),
    );
    assert_eq!(client.messages(URI, 2), Vec::<Value>::new());
    assert!(client.ask("initialize", json!({})).is_err(), "it has begun");
    client.end();
}

#[test]
fn a_closed_pipe_and_a_sudden_exit_end_it() {
    let client = Client::process().begin("utf-16", None);
    assert_eq!(client.leave(false), Some(1));
    let client = Client::process().begin("utf-16", None);
    assert_eq!(client.leave(true), Some(1));
    assert_eq!(Client::process().leave(true), Some(1));
    let mut client = Client::process().begin("utf-16", None);
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    let refused = client.ask("workspace/symbol", json!({ "query": "" }));
    assert_eq!(refused.expect_err("it is shut down").0, -32600);
    assert_eq!(client.leave(true), Some(0));
}

#[test]
fn a_document_of_20_megabytes_does_not_stop_the_others() {
    let mut client = Client::process().begin("utf-16", None);
    let line = "// this line says nothing, but it says so at some length\n";
    let large =
        line.repeat((20 << 20) / line.len()) + "proc P() { skip }\ninit { p: P(), q: Q() }\n";
    client.open("file:///nowhere/large.sdl", &large);
    client.open(URI, "proc P() { skip }\ninit { p: P() }\n");
    let hover = |uri: &str| {
        let position = json!({ "line": 0, "character": 5 });
        json!({ "textDocument": { "uri": uri }, "position": position })
    };
    let said = client
        .ask("textDocument/hover", hover(URI))
        .expect("an answer");
    assert!(
        said["contents"]["value"]
            .as_str()
            .is_some_and(|said| said.contains("proc P"))
    );
    let said = client.ask("textDocument/hover", hover("file:///nowhere/large.sdl"));
    assert_eq!(said, Ok(Value::Null));
    let messages = client.messages("file:///nowhere/large.sdl", 1);
    let codes: Vec<&str> = messages.iter().filter_map(|m| m["code"].as_str()).collect();
    assert_eq!(codes, ["S0304"], "{messages:?}");
    client.end();
}
