//! The main loop: one message after the other.

use std::collections::VecDeque;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::checker::Checker;
use super::convert::{TOKEN_MODIFIERS, TOKEN_TYPES};
use super::documents::{Document, plain};
use super::position::Encoding;
use super::requests::{Desk, Reply};
use super::runner::Runner;
use super::settings::Settings;
use super::uri;

/// What can be asked with `workspace/executeCommand`.
pub const COMMANDS: &[&str] = &[
    "sandal.check",
    "sandal.showRun",
    "sandal.tolerance",
    "sandal.properties",
];

/// Serves a client until it says `exit` or has gone; whether it has said `shutdown` before.
pub fn serve(connection: &Connection) -> bool {
    let Some(mut server) = initialize(connection) else {
        return false;
    };
    server.run()
}

struct Server<'a> {
    connection: &'a Connection,
    queue: VecDeque<Message>,
    desk: Desk,
    checker: Checker,
    shut_down: bool,
}

fn refuse(connection: &Connection, id: RequestId, code: ErrorCode, why: &str) -> bool {
    let response = Response::new_err(id, code as i32, why.to_owned());
    connection.sender.send(Message::Response(response)).is_ok()
}

/// Waits for `initialize`; `None` if the client goes before.
fn initialize(connection: &Connection) -> Option<Server<'_>> {
    loop {
        match connection.receiver.recv().ok()? {
            Message::Request(request) if request.method == "initialize" => {
                return Some(begin(connection, request));
            }
            Message::Request(request) => {
                let code = ErrorCode::ServerNotInitialized;
                refuse(
                    connection,
                    request.id,
                    code,
                    "the first request is `initialize`",
                );
            }
            Message::Notification(notification) if notification.method == "exit" => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
}

fn begin(connection: &Connection, request: Request) -> Server<'_> {
    let params = request.params;
    let known = params.pointer("/capabilities/general/positionEncodings");
    let known: Vec<&str> = known
        .and_then(Value::as_array)
        .map_or_else(Vec::new, |all| {
            all.iter().filter_map(Value::as_str).collect()
        });
    let preferred = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
    let encoding = preferred
        .into_iter()
        .find(|encoding| known.contains(&encoding.name()));
    let encoding = encoding.unwrap_or_default();
    let refresh = params.pointer("/capabilities/workspace/codeLens/refreshSupport");
    let refresh = refresh.and_then(Value::as_bool).unwrap_or(false);
    let sender = &connection.sender;
    let runner = Runner::new(sender.clone(), encoding, refresh);
    let mut desk = Desk::new(encoding, runner);
    desk.settings = Settings::of(&params["initializationOptions"]);
    let folders = params["workspaceFolders"].as_array();
    let folders = folders
        .into_iter()
        .flatten()
        .filter_map(|folder| folder["uri"].as_str());
    let root = params["rootUri"].as_str();
    desk.documents.folders = folders
        .chain(root)
        .map(|uri| plain(&uri::path(uri)))
        .collect();
    desk.documents.folders.dedup();
    let result = json!({
        "capabilities": capabilities(encoding),
        "serverInfo": { "name": "sandalc", "version": env!("CARGO_PKG_VERSION") },
    });
    let _ = sender.send(Message::Response(Response::new_ok(request.id, result)));
    Server {
        connection,
        queue: VecDeque::new(),
        checker: Checker::new(sender.clone(), encoding),
        desk,
        shut_down: false,
    }
}

fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.name(),
        // Incremental changes.
        "textDocumentSync": { "openClose": true, "change": 2, "save": false },
        "documentFormattingProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": ["@", ".", "\""] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS },
            "full": true,
        },
        "inlayHintProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": { "resolveProvider": false },
        "executeCommandProvider": { "commands": COMMANDS },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
        },
    })
}

impl Server<'_> {
    fn run(&mut self) -> bool {
        let asked = loop {
            let Some(message) = self.next() else {
                break self.shut_down;
            };
            match message {
                Message::Notification(notification) if notification.method == "exit" => {
                    break self.shut_down;
                }
                Message::Notification(notification) => self.notified(&notification),
                Message::Request(request) => self.asked(request),
                // To what we have asked there is nothing to learn from.
                Message::Response(_) => {}
            }
        };
        self.desk.runner.cancel_all();
        self.checker.end();
        asked
    }

    /// The next message. All that wait are read first: one of them may cancel another.
    fn next(&mut self) -> Option<Message> {
        loop {
            if self.queue.is_empty() {
                self.queue.push_back(self.connection.receiver.recv().ok()?);
            }
            let waiting: Vec<Message> = self.connection.receiver.try_iter().collect();
            self.queue.extend(waiting);
            self.cancel();
            if let Some(message) = self.queue.pop_front() {
                return Some(message);
            }
        }
    }

    /// Answers requests that are cancelled before their turn has come, and tells the engine of the others.
    fn cancel(&mut self) {
        let is_cancel = |message: &Message| match message {
            Message::Notification(notification) => notification.method == "$/cancelRequest",
            _ => false,
        };
        while let Some(at) = self.queue.iter().position(is_cancel) {
            let Some(Message::Notification(cancel)) = self.queue.remove(at) else {
                continue;
            };
            let id = match &cancel.params["id"] {
                Value::Number(id) => id
                    .as_i64()
                    .and_then(|id| i32::try_from(id).ok())
                    .map(Into::into),
                Value::String(id) => Some(id.clone().into()),
                _ => None,
            };
            let Some(id): Option<RequestId> = id else {
                continue;
            };
            let meant = |message: &Message| match message {
                Message::Request(request) => request.id == id,
                _ => false,
            };
            let waits = self.queue.iter().take(at).position(meant);
            if let Some(waits) = waits {
                self.queue.remove(waits);
                refuse(self.connection, id, ErrorCode::RequestCanceled, "cancelled");
            } else {
                self.desk.runner.cancel(&id);
            }
        }
    }

    fn asked(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if method == "shutdown" && !self.shut_down {
            self.shut_down = true;
            self.desk.runner.cancel_all();
            let response = Response::new_ok(id, Value::Null);
            let _ = self.connection.sender.send(Message::Response(response));
            return;
        }
        if self.shut_down || method == "initialize" {
            let why = "the server has been shut down, or is running already";
            refuse(self.connection, id, ErrorCode::InvalidRequest, why);
            return;
        }
        let desk = &mut self.desk;
        let work = || desk.answer(&id, &method, &params);
        let reply = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let response = match reply {
            Ok(Reply::Value(value)) => Response::new_ok(id, value),
            Ok(Reply::Later) => return,
            Ok(Reply::Unknown) => {
                let why = format!("there is no method `{method}`");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, why)
            }
            Ok(Reply::Wrong(why)) => Response::new_err(id, ErrorCode::InvalidParams as i32, why),
            Ok(Reply::Refused(why)) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
            Err(_) => {
                let why = format!("a bug in sandalc, in `{method}`: report it, please");
                Response::new_err(id, ErrorCode::InternalError as i32, why)
            }
        };
        let _ = self.connection.sender.send(Message::Response(response));
    }

    fn notified(&mut self, notification: &Notification) {
        let params = &notification.params;
        let document = &params["textDocument"];
        let uri = document["uri"].as_str();
        let version = document["version"].as_i64().unwrap_or(0);
        let documents = &mut self.desk.documents;
        let typed = notification.method == "textDocument/didChange";
        match (notification.method.as_str(), uri) {
            ("textDocument/didOpen", Some(uri)) => {
                let text = document["text"].as_str().unwrap_or_default();
                let opened = Document::new(uri, version, text.to_owned());
                documents.open.insert(plain(&uri::path(uri)), opened);
            }
            ("textDocument/didChange", Some(uri)) => {
                let changes = params["contentChanges"].as_array();
                let changes = changes.map_or(&[][..], Vec::as_slice);
                let encoding = self.desk.encoding;
                match documents.open.get_mut(&plain(&uri::path(uri))) {
                    Some(document) => document.change(version, changes, encoding),
                    // It was never opened: there is nothing to change.
                    None => return,
                }
            }
            ("textDocument/didClose", Some(uri)) => {
                let path = plain(&uri::path(uri));
                documents.open.remove(&path);
                self.desk.runner.forget(&path);
            }
            ("workspace/didChangeWorkspaceFolders", _) => {
                let paths = |key: &str| -> Vec<std::path::PathBuf> {
                    let folders = params["event"][key].as_array();
                    let uris = folders
                        .into_iter()
                        .flatten()
                        .filter_map(|f| f["uri"].as_str());
                    uris.map(|uri| plain(&uri::path(uri))).collect()
                };
                let removed = paths("removed");
                documents.folders.retain(|folder| !removed.contains(folder));
                documents.folders.extend(paths("added"));
            }
            ("workspace/didChangeConfiguration", _) => {
                self.desk.settings = Settings::of(&params["settings"]);
                return;
            }
            ("initialized" | "workspace/didChangeWatchedFiles", _) => {}
            _ => return,
        }
        self.desk.documents.disk += u64::from(!typed);
        self.desk.revision += 1;
        self.checker.ask(&self.desk.documents);
    }
}
