//! Files for `--with`: which model they belong to is found out from the names they speak of.

use serde_json::{Value, json};

use crate::client::Client;

const MODEL: &str = "\
data Kind { Job, Result }
proc Client(out channel { Kind }) { send(out, Job) }
proc Server(jobs channel { Kind }) { recv(jobs, _) }
init {
    jobs: channel { Kind },
    client: Client(jobs),
    server: Server(jobs),
}
";

const SCENARIO: &str = "\
inject { jobs @drop as lost }
limit 1 { lost }
ltl served { F server.done }
";

/// A workspace with these files, open in a client that counts columns in bytes.
struct Workspace {
    client: Client,
    folder: tempfile::TempDir,
}

impl Workspace {
    fn new(files: &[(&str, &str)]) -> Workspace {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("written");
        }
        let path = folder.path().canonicalize().expect("a path");
        let client =
            Client::in_memory().begin("utf-8", Some(&format!("file://{}", path.display())));
        Workspace { client, folder }
    }

    fn uri(&self, name: &str) -> String {
        let path = self.folder.path().canonicalize().expect("a path");
        format!("file://{}/{name}", path.display())
    }

    fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        self.client.open(&uri, text);
    }

    fn ask(
        &mut self,
        method: &str,
        name: &str,
        (line, column): (usize, usize),
        more: Value,
    ) -> Value {
        let place = json!({ "line": line, "character": column });
        let mut params = json!({ "textDocument": { "uri": self.uri(name) }, "position": place });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        let answer = self.client.ask(&format!("textDocument/{method}"), params);
        answer.expect("an answer")
    }

    fn messages(&mut self, name: &str, version: i64) -> Vec<Value> {
        let uri = self.uri(name);
        self.client.messages(&uri, version)
    }

    /// In how many places of each file something is changed.
    fn changed(&self, edit: &Value, names: &[&str]) -> Vec<usize> {
        let count = |name: &&str| {
            edit["changes"][self.uri(name)]
                .as_array()
                .map_or(0, Vec::len)
        };
        names.iter().map(count).collect()
    }
}

fn opened() -> Workspace {
    let other = MODEL.replace("jobs", "work");
    let files = [
        ("models/other.sdl", other.as_str()),
        ("models/served.sdl", MODEL),
        ("scenarios/lossy.sdl", SCENARIO),
    ];
    let mut workspace = Workspace::new(&files);
    workspace.open("scenarios/lossy.sdl", SCENARIO);
    workspace
}

#[test]
fn a_scenario_is_checked_with_the_model_whose_names_it_has() {
    let mut workspace = opened();
    assert_eq!(
        workspace.messages("scenarios/lossy.sdl", 1),
        Vec::<Value>::new()
    );
    // Its mistakes are told as `check models/served.sdl --with scenarios/lossy.sdl` tells them.
    let uri = workspace.uri("scenarios/lossy.sdl");
    let wrong = SCENARIO.replace("server.done", "server.doen");
    workspace.client.change(&uri, 2, json!([{ "text": wrong }]));
    let told = workspace.messages("scenarios/lossy.sdl", 2);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        told[0]["range"]["start"],
        json!({ "line": 2, "character": 22 })
    );
    let found = workspace.ask("definition", "scenarios/lossy.sdl", (0, 10), json!({}));
    assert_eq!(found["uri"], workspace.uri("models/served.sdl"));
    assert_eq!(
        found["range"]["start"],
        json!({ "line": 4, "character": 4 })
    );
    let offered = workspace.ask("completion", "scenarios/lossy.sdl", (2, 22), json!({}));
    let labels: Vec<&Value> = offered["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| &item["label"])
        .collect();
    assert!(labels.contains(&&json!("done")), "{labels:?}");
    workspace.client.end();
}

#[test]
fn other_names_reach_scenarios() {
    let mut workspace = opened();
    let names = [
        "models/served.sdl",
        "models/other.sdl",
        "scenarios/lossy.sdl",
    ];
    // From the scenario, of what the model defines.
    let rename = json!({ "newName": "orders" });
    let edit = workspace.ask("rename", "scenarios/lossy.sdl", (0, 10), rename.clone());
    assert_eq!(workspace.changed(&edit, &names), [3, 0, 1], "{edit}");
    // From the model, where the scenario is not even open.
    let uri = workspace.uri("scenarios/lossy.sdl");
    workspace.client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    workspace.open("models/served.sdl", MODEL);
    let edit = workspace.ask("rename", "models/served.sdl", (4, 5), rename);
    assert_eq!(workspace.changed(&edit, &names), [3, 0, 1], "{edit}");
    let context = json!({ "context": { "includeDeclaration": false } });
    let uses = workspace.ask("references", "models/served.sdl", (6, 5), context);
    let uses: Vec<&Value> = uses
        .as_array()
        .expect("places")
        .iter()
        .map(|place| &place["uri"])
        .collect();
    assert_eq!(uses, [&json!(uri)], "in the property");
    // What the scenario uses cannot be the name of something else.
    let params = json!({
        "textDocument": { "uri": workspace.uri("models/served.sdl") },
        "position": { "line": 5, "character": 5 },
        "newName": "lost",
    });
    let refused = workspace.client.ask("textDocument/rename", params);
    assert!(refused.is_err(), "{refused:?}");
    workspace.client.end();
}

#[test]
fn the_engine_is_asked_about_the_properties_of_a_scenario() {
    let mut workspace = opened();
    let uri = workspace.uri("scenarios/lossy.sdl");
    let params = json!({ "command": "sandal.check", "arguments": [uri, "served"] });
    let found = workspace
        .client
        .ask("workspace/executeCommand", params)
        .expect("an answer");
    assert_eq!(found["answers"][0]["verdict"], "violated", "{found}");
    let lenses = json!({ "textDocument": { "uri": uri } });
    let lenses = workspace
        .client
        .ask("textDocument/codeLens", lenses)
        .expect("lenses");
    let titles: Vec<String> = lenses
        .as_array()
        .expect("lenses")
        .iter()
        .map(|lens| lens["command"]["title"].to_string())
        .collect();
    assert!(
        titles.iter().any(|title| title.contains("violated")),
        "{titles:?}"
    );
    workspace.client.end();
}
