//! `sandalc doctor`: which engines there are.

use super::args::{Doctor, Format};
use super::check::engines::{Looked, look};
use super::shell::Shell;
use super::{Exit, interrupt};
use crate::source::printable;
use crate::tool::Limits;

/// Says which engines were found, their versions, and how to get the others.
pub fn run(args: &Doctor, shell: &mut Shell) -> Exit {
    let limits = Limits {
        cancel: Some(interrupt::watch()),
        ..Limits::default()
    };
    let found = look(&args.engines, limits);
    let text = match shell.format() {
        Format::Json => json(&found),
        Format::Text => text(&found),
    };
    shell.print(&text);
    let missing = (found.iter()).any(|engine| engine.needed && engine.state.is_err());
    let exit = match missing {
        false => shell.done(),
        true => Exit::Undecided.and(shell.done()),
    };
    interrupt::or(exit)
}

fn json(found: &[Looked]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let embedded = serde_json::json!({
        "name": "embedded", "found": true, "version": version, "path": null, "problem": null,
    });
    let mut text = format!("{embedded}\n");
    for Looked { key, state, .. } in found {
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

fn text(found: &[Looked]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("ok       embedded engine  sandalc {version}\n");
    let mut hints = String::new();
    for Looked {
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
