//! A client: over a connection in memory, or with the binary as a child.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

/// Nothing takes longer; a machine that is busy with other things is no failure.
const LONG: Duration = Duration::from_secs(240);

/// A server and all that it has said.
pub struct Client {
    wire: Wire,
    next: i32,
    /// The newest messages about each document, with the version they are about.
    pub diagnostics: BTreeMap<String, (Option<i64>, Vec<Value>)>,
    /// Answers that came before they were waited for.
    answers: BTreeMap<i32, Response>,
    /// Requests of the server, by method.
    pub asked: Vec<String>,
}

enum Wire {
    Memory {
        connection: Connection,
        server: Option<std::thread::JoinHandle<bool>>,
    },
    Process {
        child: Child,
        input: Option<ChildStdin>,
        output: Receiver<Value>,
    },
}

impl Client {
    fn new(wire: Wire) -> Client {
        Client {
            wire,
            next: 0,
            diagnostics: BTreeMap::new(),
            answers: BTreeMap::new(),
            asked: Vec::new(),
        }
    }

    /// A server in a thread, with all that a program has room for.
    pub fn in_memory() -> Client {
        let (ours, theirs) = Connection::memory();
        let server = std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn(move || sandalc::lsp::serve(&theirs))
            .expect("a thread");
        Client::new(Wire::Memory {
            connection: ours,
            server: Some(server),
        })
    }

    /// The binary.
    pub fn process() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("it is piped");
        let (to, from) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(value) = read(&mut output) {
                if to.send(value).is_err() {
                    break;
                }
            }
        });
        Client::new(Wire::Process {
            child,
            input,
            output: from,
        })
    }

    /// Begins, with a way to count columns, and the folder of the workspace.
    pub fn begin(mut self, encoding: &str, folder: Option<&str>) -> Client {
        let folders = folder.map(|uri| json!([{ "uri": uri, "name": "w" }]));
        let result = self.ask(
            "initialize",
            json!({
                "processId": null,
                "rootUri": folder,
                "workspaceFolders": folders,
                "capabilities": {
                    "general": { "positionEncodings": [encoding] },
                    "workspace": { "codeLens": { "refreshSupport": true } },
                },
            }),
        );
        let result = result.expect("it begins");
        assert_eq!(result["capabilities"]["positionEncoding"], encoding);
        self.tell("initialized", json!({}));
        self
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        let message = Notification {
            method: method.to_owned(),
            params,
        };
        self.send(Message::Notification(message));
    }

    /// Sends a request; its number.
    pub fn request(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let request = Request {
            id: self.next.into(),
            method: method.to_owned(),
            params,
        };
        self.send(Message::Request(request));
        self.next
    }

    /// Sends a request and waits for the answer; an error is its code and message.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: i32) -> Result<Value, (i32, String)> {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                let result = answer.response_result;
                return result.map_err(|error| (error.code, error.message));
            }
            self.hear();
        }
    }

    /// Opens a document.
    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "sandal", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Changes a document.
    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// The messages about a version of a document.
    pub fn messages(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            if let Some((Some(found), messages)) = self.diagnostics.get(uri)
                && *found >= version
            {
                return messages.clone();
            }
            self.hear();
        }
    }

    /// Waits for something and notes it.
    pub fn hear(&mut self) {
        let message = match &mut self.wire {
            Wire::Memory { connection, .. } => {
                let message = connection.receiver.recv_timeout(LONG);
                message.expect("the server says something")
            }
            Wire::Process { output, .. } => {
                let value = output
                    .recv_timeout(LONG)
                    .expect("the server says something");
                // It says so of what it could not read.
                if value["id"].is_null() && value.get("error").is_some() {
                    self.asked.push("error".to_owned());
                    return;
                }
                serde_json::from_value(value).expect("a message")
            }
        };
        match message {
            Message::Response(response) => {
                let id = serde_json::to_value(&response.id).expect("an id");
                let id = id.as_i64().expect("ours are numbers");
                self.answers.insert(id as i32, response);
            }
            Message::Notification(said) if said.method == "textDocument/publishDiagnostics" => {
                let params: lsp_types::PublishDiagnosticsParams =
                    serde_json::from_value(said.params.clone()).expect("as the protocol says");
                drop(params);
                let uri = said.params["uri"].as_str().expect("an address").to_owned();
                let version = said.params["version"].as_i64();
                let all = said.params["diagnostics"]
                    .as_array()
                    .expect("a list")
                    .clone();
                self.diagnostics.insert(uri, (version, all));
            }
            Message::Notification(_) => {}
            Message::Request(request) => self.asked.push(request.method),
        }
    }

    fn send(&mut self, message: Message) {
        match &mut self.wire {
            Wire::Memory { connection, .. } => {
                connection.sender.send(message).expect("somebody listens");
            }
            Wire::Process { input, .. } => {
                let input = input.as_mut().expect("it is open");
                message.write(input).expect("it is read");
            }
        }
    }

    /// Writes bytes, whatever they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        match &mut self.wire {
            Wire::Process {
                input: Some(input), ..
            } => {
                input.write_all(bytes).expect("it is read");
                input.flush().expect("it is read");
            }
            _ => panic!("only a process reads bytes"),
        }
    }

    /// Ends properly.
    pub fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        match self.wire {
            Wire::Memory { server, .. } => {
                let served = server.map(std::thread::JoinHandle::join);
                assert!(matches!(served, Some(Ok(true))), "it ends properly");
            }
            Wire::Process { mut child, .. } => {
                assert!(child.wait().expect("it ends").success());
            }
        }
    }

    /// Closes the pipe, or says `exit` without `shutdown`; the exit code.
    pub fn leave(mut self, say: bool) -> Option<i32> {
        if say {
            self.tell("exit", Value::Null);
        }
        match self.wire {
            Wire::Process {
                mut child, input, ..
            } => {
                drop(input);
                child.wait().expect("it ends").code()
            }
            Wire::Memory { .. } => panic!("only a process has an exit code"),
        }
    }
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some((_, value)) => length = value.parse().expect("a length"),
            None => break,
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}
