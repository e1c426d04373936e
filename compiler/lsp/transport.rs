//! Messages over standard input and output. What is no message is answered with an error and passed over: an editor that sends
//! one odd message should not lose its server.

use std::io::{self, BufRead, Read, Write};
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification};
use serde_json::json;

/// No message is longer.
const LONGEST: u64 = 256 << 20;

/// No line of a header is longer.
const LONGEST_HEADER: u64 = 4096;

/// Connects standard input and output.
pub fn stdio() -> Connection {
    let (to_client, outgoing) = unbounded::<Message>();
    let (incoming, from_client) = unbounded();
    let replies = to_client.clone();
    // Both threads live as long as the process.
    thread::spawn(move || {
        let stdin = io::stdin();
        read_all(&mut stdin.lock(), &incoming, &mut |text| {
            let mut stdout = io::stdout().lock();
            write_text(&mut stdout, text).is_ok()
        });
        drop(replies);
    });
    thread::spawn(move || {
        for message in outgoing {
            let mut stdout = io::stdout().lock();
            if message.write(&mut stdout).is_err() {
                // The reader of our output has gone. What we read next will say so, too.
                break;
            }
        }
    });
    Connection {
        sender: to_client,
        receiver: from_client,
    }
}

/// Reads messages until the input ends; what is none is answered by `complain`.
pub fn read_all(
    input: &mut dyn BufRead,
    to: &Sender<Message>,
    complain: &mut dyn FnMut(&str) -> bool,
) {
    loop {
        let message = match read(input) {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(why))) => {
                let code = ErrorCode::ParseError as i32;
                let error = json!({ "code": code, "message": why });
                let reply = json!({ "jsonrpc": "2.0", "id": null, "error": error });
                match complain(&reply.to_string()) {
                    true => continue,
                    false => break,
                }
            }
            Ok(None) | Err(_) => break,
        };
        if to.send(message).is_err() {
            return;
        }
    }
    // As if the client had said so: without it nobody is there to serve.
    let exit = Notification::new("exit".to_owned(), json!(null));
    let _ = to.send(Message::Notification(exit));
}

/// The next message; an inner error is a text that is none, after which the next can be read.
fn read(input: &mut dyn BufRead) -> io::Result<Option<Result<Message, String>>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        let got = input.take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
        if got == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            match length {
                Some(_) => break,
                // Lines between messages.
                None => continue,
            }
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse().ok();
        }
    }
    let length = length.unwrap_or(0);
    if length > LONGEST {
        let passed = io::copy(&mut input.take(length), &mut io::sink())?;
        let why = format!("a message of {passed} bytes is too long");
        return Ok(Some(Err(why)));
    }
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if body.len() as u64 != length {
        return Ok(None);
    }
    Ok(Some(parse(&body)))
}

fn parse(body: &[u8]) -> Result<Message, String> {
    serde_json::from_slice(body).map_err(|error| format!("this is no message: {error}"))
}

fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn what_is_no_message_is_passed_over() {
        let good = framed("{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}");
        let input = [
            "garbage\r\n\r\n".to_owned(),
            framed("{"),
            good.clone(),
            framed("\u{e9}[]"),
            "content-length:  2\n\n{}".to_owned(),
            "\r\n\r\n".to_owned() + &good,
            "Content-Length: 100\r\n\r\nshort".to_owned(),
        ];
        let (sender, receiver) = unbounded();
        let mut complaints = 0;
        let mut input = io::Cursor::new(input.concat());
        read_all(&mut input, &sender, &mut |text| {
            assert!(text.contains("-32700"), "{text}");
            complaints += 1;
            true
        });
        let methods: Vec<String> = receiver
            .try_iter()
            .map(|message| match message {
                Message::Notification(notification) => notification.method,
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(methods, ["initialized", "initialized", "exit"]);
        assert_eq!(complaints, 3);
    }
}
