//! The engine, asked from within a text.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///nowhere/m.sdl";

const MODEL: &str = "\
proc Lamp(light channel { bool }) { send(light, true) }
proc Eye(light channel { bool }) {
    var seen bool
    recv(light, seen)
}
init {
    light: channel { bool } @drop,
    lamp: Lamp(light),
    eye: Eye(light),
}
invariant honest { eye.done -> eye.seen }
ltl sees { F eye.done }
";

fn command(name: &str, arguments: Value) -> Value {
    json!({ "command": name, "arguments": arguments })
}

fn titles(client: &mut Client) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": URI } });
    let lenses = client
        .ask("textDocument/codeLens", params)
        .expect("an answer");
    let _: Vec<lsp_types::CodeLens> = serde_json::from_value(lenses.clone()).expect("lenses");
    let lenses = lenses.as_array().expect("a list");
    let titles = lenses
        .iter()
        .filter_map(|lens| lens["command"]["title"].as_str());
    titles.map(str::to_owned).collect()
}

#[test]
fn verdicts_are_shown_in_place_and_runs_step_by_step() {
    let mut client = Client::in_memory().begin("utf-16", None);
    client.open(URI, MODEL);
    let before = titles(&mut client);
    assert_eq!(
        before,
        [
            "check all properties",
            "tolerance",
            "tolerance to faults of light",
            "check",
            "show run",
            "tolerance",
            "check",
            "show run",
            "tolerance"
        ]
    );
    let checked = client.ask(
        "workspace/executeCommand",
        command("sandal.check", json!([URI])),
    );
    let checked = checked.expect("an answer");
    let verdict = |name: &str| {
        let all = checked["answers"].as_array().expect("a list").iter();
        let mut named = all.filter(|answer| answer["name"] == name);
        named.next().expect("it is checked")["verdict"].clone()
    };
    assert_eq!(verdict("honest"), "holds");
    assert_eq!(verdict("sees"), "violated");
    assert_eq!(verdict("deadlock"), "violated");
    assert!(
        client
            .asked
            .iter()
            .any(|method| method == "workspace/codeLens/refresh")
    );
    let after = titles(&mut client);
    assert!(after[3].starts_with("\u{2713} holds"), "{after:?}");
    assert!(after[6].starts_with("\u{2717} violated"), "{after:?}");
    let shown = client.ask(
        "workspace/executeCommand",
        command("sandal.showRun", json!([URI, "sees"])),
    );
    let shown = shown.expect("an answer");
    let run = &shown["run"];
    assert!(
        run["chart"]
            .as_str()
            .is_some_and(|chart| chart.contains("light")),
        "{run}"
    );
    assert!(
        run["svg"]
            .as_str()
            .is_some_and(|svg| svg.starts_with("<svg") || svg.starts_with("<?xml"))
    );
    assert!(
        shown["html"]
            .as_str()
            .is_some_and(|page| page.starts_with("<!DOCTYPE html>"))
    );
    let steps = run["steps"].as_array().expect("steps");
    let lost = steps
        .iter()
        .find(|step| step["fault"].is_string())
        .expect("the message is lost");
    assert_eq!(lost["location"]["range"]["start"]["line"], 0, "{lost}");
    let borne = client.ask(
        "workspace/executeCommand",
        command("sandal.tolerance", json!([URI])),
    );
    let borne = borne.expect("an answer");
    assert!(
        borne["tolerance"]
            .as_str()
            .is_some_and(|text| text.contains("light@drop")),
        "{borne}"
    );
    let borne = command("sandal.tolerance", json!([URI, null, "light"]));
    let borne = client
        .ask("workspace/executeCommand", borne)
        .expect("an answer");
    assert_eq!(
        borne["answers"].as_array().map(Vec::len),
        Some(7),
        "{borne}"
    );
    let listed = client.ask(
        "workspace/executeCommand",
        command("sandal.properties", json!([URI])),
    );
    let listed = listed.expect("an answer");
    assert_eq!(listed.as_array().map(Vec::len), Some(2), "{listed}");
    client.change(
        URI,
        2,
        json!([{ "text": MODEL.replace("true) }", "false) }") }]),
    );
    let stale = titles(&mut client);
    assert_eq!(stale[3], "check (before the last change: holds)");
    client.end();
}

#[test]
fn a_question_can_be_cancelled_and_refused() {
    let mut client = Client::in_memory().begin("utf-16", None);
    // More states than can be found while somebody waits.
    let worker =
        "proc W() {\n    var a 0..99 = 0\n    var b 0..99 = 0\n    for { a = any b = any }\n}\n";
    let worker = worker.replace("any b", "any\n        b");
    let entries: Vec<String> = (0..6).map(|i| format!("    w{i}: W(),\n")).collect();
    let model = format!(
        "{worker}init {{\n{}}}\ninvariant i {{ w0.a + w1.a + w2.b + w3.a + w4.a + w5.b < 594 }}\n",
        entries.concat()
    );
    client.open(URI, &model);
    let first = client.request(
        "workspace/executeCommand",
        command("sandal.check", json!([URI])),
    );
    let second = client.request(
        "workspace/executeCommand",
        command("sandal.check", json!([URI, "i"])),
    );
    // It goes on meanwhile.
    let params =
        json!({ "textDocument": { "uri": URI }, "position": { "line": 1, "character": 8 } });
    assert!(
        client
            .ask("textDocument/hover", params)
            .expect("an answer")
            .is_object()
    );
    client.tell("$/cancelRequest", json!({ "id": second }));
    client.tell("$/cancelRequest", json!({ "id": first }));
    assert_eq!(client.answer(first).expect_err("cancelled").0, -32800);
    assert_eq!(client.answer(second).expect_err("cancelled").0, -32800);
    assert!(
        titles(&mut client).contains(&"check".to_owned()),
        "no verdict is left behind"
    );
    let settings = json!({ "settings": { "sandal": { "maxStates": 50 } } });
    client.tell("workspace/didChangeConfiguration", settings);
    let some = client.ask(
        "workspace/executeCommand",
        command("sandal.check", json!([URI, "i"])),
    );
    assert_eq!(some.expect("an answer")["answers"][0]["verdict"], "unknown");
    for (arguments, code) in [
        (command("sandal.check", json!([URI, "nobody"])), -32803),
        (
            command("sandal.check", json!(["file:///not/open.sdl"])),
            -32803,
        ),
        (command("sandal.check", json!([])), -32602),
        (command("sandal.nonsense", json!([URI])), -32602),
        (json!({}), -32602),
    ] {
        let refused = client.ask("workspace/executeCommand", arguments.clone());
        assert_eq!(refused.expect_err("refused").0, code, "{arguments}");
    }
    client.change(URI, 2, json!([{ "text": "proc" }]));
    let refused = client.ask(
        "workspace/executeCommand",
        command("sandal.check", json!([URI])),
    );
    assert!(
        refused
            .expect_err("it has errors")
            .1
            .contains("the model has errors")
    );
    client.end();
}
