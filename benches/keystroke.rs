//! How soon an editor is answered: `cargo bench --bench keystroke`.
//!
//! In models of 1,000 to 20,000 lines a letter is typed at a time, and after each the completion, the colours and the outline
//! are asked for, as an editor does. Where there is `/proc`, the figures for these are the processor time of the thread that
//! answers, so that they mean something on a busy machine. The last figure says when the messages about the new text have come.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

const LENGTHS: [usize; 4] = [1_000, 5_000, 10_000, 20_000];
const KEYS: usize = 200;
const URI: &str = "file:///bench/m.sdl";

fn main() {
    println!(
        "{:>7}  {:>18}  {:>18}  {:>18}",
        "lines", "completion p50/p99", "all three p50/p99", "messages p50/p99"
    );
    for length in LENGTHS {
        let text = model(length);
        let lines = text.lines().count();
        let (ours, theirs) = Connection::memory();
        let (tell, told) = std::sync::mpsc::channel();
        let server = std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn(move || {
                let own = std::fs::read_link("/proc/thread-self").ok();
                let _ = tell.send(own.map(|own| Path::new("/proc").join(own).join("schedstat")));
                sandalc::lsp::serve(&theirs)
            })
            .expect("a thread");
        let clock = Clock {
            start: Instant::now(),
            thread: told.recv().ok().flatten(),
        };
        let mut client = Client {
            ours,
            next: 0,
            told: -1,
        };
        client.ask("initialize", json!({ "capabilities": {} }));
        client.tell("initialized", json!({}));
        let document = json!({ "uri": URI, "languageId": "sandal", "version": 0, "text": text });
        client.tell("textDocument/didOpen", json!({ "textDocument": document }));
        client.published(0);
        // In the middle of a body.
        let line = text.lines().take(lines / 3).enumerate();
        let line = line.filter(|(_, line)| line.contains("var count")).last();
        let (line, _) = line.expect("there are bodies");
        let (mut first, mut all, mut told) = (Vec::new(), Vec::new(), Vec::new());
        for key in 0..KEYS {
            let version = key as i64 + 1;
            // A name is typed and removed again.
            let column = key % 10;
            let (from, to, new) = match column {
                9 => (4, 13, ""),
                _ => (4 + column, 4 + column, "x"),
            };
            let (start, typed) = (clock.now(), Instant::now());
            let range = json!({
                "start": { "line": line, "character": from },
                "end": { "line": line, "character": to },
            });
            client.tell(
                "textDocument/didChange",
                json!({
                    "textDocument": { "uri": URI, "version": version },
                    "contentChanges": [{ "range": range, "text": new }],
                }),
            );
            let text_document = json!({ "uri": URI });
            let position = json!({ "line": line, "character": 5 });
            let params = json!({ "textDocument": text_document, "position": position });
            client.ask("textDocument/completion", params);
            first.push(clock.now().saturating_sub(start));
            client.ask(
                "textDocument/semanticTokens/full",
                json!({ "textDocument": text_document }),
            );
            client.ask(
                "textDocument/documentSymbol",
                json!({ "textDocument": text_document }),
            );
            all.push(clock.now().saturating_sub(start));
            if key % 10 == 0 {
                client.published(version);
                told.push(typed.elapsed());
            }
        }
        client.ask("shutdown", Value::Null);
        client.tell("exit", Value::Null);
        server.join().expect("it ends");
        println!(
            "{lines:>7}  {:>18}  {:>18}  {:>18}",
            figures(&mut first),
            figures(&mut all),
            figures(&mut told)
        );
    }
}

/// The processor time of a thread, or the time of day if that is not known.
struct Clock {
    start: Instant,
    thread: Option<PathBuf>,
}

impl Clock {
    fn now(&self) -> Duration {
        let told = |path: &PathBuf| std::fs::read_to_string(path).ok();
        let first = |text: String| text.split(' ').next().and_then(|time| time.parse().ok());
        let used = self.thread.as_ref().and_then(told).and_then(first);
        used.map_or_else(|| self.start.elapsed(), Duration::from_nanos)
    }
}

fn figures(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    format!("{:.1} / {:.1} ms", at(50), at(99))
}

struct Client {
    ours: Connection,
    next: i32,
    /// The newest version that there have been messages about.
    told: i64,
}

impl Client {
    fn tell(&mut self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        let message = Message::Notification(message);
        self.ours.sender.send(message).expect("somebody listens");
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.next += 1;
        let id = self.next.into();
        let request = Request::new(id, method.to_owned(), params);
        let id = request.id.clone();
        let message = Message::Request(request);
        self.ours.sender.send(message).expect("somebody listens");
        loop {
            if let Some(response) = self.hear()
                && response.id == id
            {
                response.response_result.expect("no error");
                return;
            }
        }
    }

    /// Waits for something; a response is for the caller.
    fn hear(&mut self) -> Option<Response> {
        match self.ours.receiver.recv().expect("the server is there") {
            Message::Response(response) => Some(response),
            Message::Notification(said) => {
                let version = said.params["version"].as_i64();
                self.told = self.told.max(version.unwrap_or(-1));
                None
            }
            Message::Request(_) => None,
        }
    }

    /// Waits for the messages about a version.
    fn published(&mut self, version: i64) {
        while self.told < version {
            self.hear();
        }
    }
}

/// A model of about so many lines: workers in a row.
fn model(lines: usize) -> String {
    let mut text = String::from("data Kind { Work, Stop }\n\nconst LIMIT = 7\n\n");
    let workers = (lines / 20).max(2);
    for i in 0..workers {
        let _ = write!(
            text,
            "\
// Worker {i} counts what it passes on.
proc Worker{i}(inbox channel {{ Kind }}, outbox channel {{ Kind }}, most 0..LIMIT) {{
    var kind Kind
    var count 0..LIMIT = 0
    for count < most {{
        recv(inbox, kind)
        if kind == Stop {{
            break
        }}
        count += 1
        choice {{
            send(outbox, Work)
        }}, {{
            send(outbox, kind)
        }}
    }}
    send(outbox, Stop)
}}

"
        );
    }
    text += "init {\n";
    for i in 0..workers {
        let next = (i + 1) % workers;
        let _ = writeln!(text, "    ch{i}: channel {{ Kind }},");
        let _ = writeln!(text, "    w{i}: Worker{i}(ch{i}, ch{next}, {}),", i % 7 + 1);
    }
    text += "}\n\n";
    for i in 0..workers {
        let _ = writeln!(text, "invariant most{i} {{ w{i}.count <= LIMIT }}");
    }
    text
}
