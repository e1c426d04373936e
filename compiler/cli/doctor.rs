//! `sandalc doctor`: which engines there are.

use super::args::{Doctor, Format};
use super::shell::Shell;
use super::{Exit, interrupt};
use crate::aiger;
use crate::nusmv;
use crate::source::printable;
use crate::tool::Limits;

/// An engine that was looked for.
struct Engine {
    /// Its name in JSON.
    key: &'static str,
    /// Its name where it is missing.
    name: &'static str,
    /// Its name with its version, and its place; or what is wrong, and what to do about it.
    state: Result<(String, String), (String, Option<&'static str>)>,
    /// What it is good for.
    purpose: &'static str,
}

/// Says which engines were found, their versions, and how to get the others.
pub fn run(args: &Doctor, shell: &mut Shell) -> Exit {
    let limits = Limits {
        cancel: Some(interrupt::watch()),
        ..Limits::default()
    };
    let nusmv = nusmv::find(args.nusmv.as_deref(), limits);
    let abc = aiger::find(args.abc.as_deref(), limits);
    let needed = nusmv.is_ok() && (abc.is_ok() || args.abc.is_none());
    let found = [
        Engine {
            key: "nusmv",
            name: "NuSMV",
            state: nusmv
                .map(|tool| (tool.version.to_string(), tool.path.display().to_string()))
                .map_err(|error| (error.to_string(), error.hint())),
            purpose: "confirm answers with a second engine",
        },
        Engine {
            key: "abc",
            name: "ABC",
            state: abc
                .map(|tool| {
                    let path = tool.path.display().to_string();
                    (format!("ABC {}", tool.version), path)
                })
                .map_err(|error| (error.to_string(), error.hint())),
            purpose: "have proofs where there are too many states to be searched",
        },
    ];
    let text = match shell.format() {
        Format::Json => json(&found),
        Format::Text => text(&found),
    };
    shell.print(&text);
    let exit = match needed {
        true => shell.done(),
        false => Exit::Undecided.and(shell.done()),
    };
    interrupt::or(exit)
}

fn json(found: &[Engine]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let embedded = serde_json::json!({
        "name": "embedded", "found": true, "version": version, "path": null, "problem": null,
    });
    let mut text = format!("{embedded}\n");
    for Engine { key, state, .. } in found {
        let there = state.as_ref().ok();
        let line = serde_json::json!({
            "name": key,
            "found": there.is_some(),
            "version": there.map(|(version, _)| version),
            "path": there.map(|(_, path)| path),
            "problem": state.as_ref().err().map(|(problem, _)| problem),
        });
        text += &format!("{line}\n");
    }
    text
}

fn text(found: &[Engine]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("ok       embedded engine  sandalc {version}\n");
    let mut hints = String::new();
    for Engine {
        name,
        state,
        purpose,
        ..
    } in found
    {
        let (word, name, what) = match state {
            Ok((version, path)) => ("ok", version.as_str(), path),
            Err((problem, _)) => ("missing", *name, problem),
        };
        text += &format!("{word:7}  {name:15}  {}\n", printable(what));
        if let Err((_, Some(hint))) = state {
            hints += &format!("\nTo {purpose}: {hint}.\n");
        }
    }
    text + &hints
}
