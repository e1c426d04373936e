//! `sandalc doctor`: which engines there are.

use super::args::{Doctor, Format};
use super::shell::Shell;
use super::{Exit, interrupt};
use crate::nusmv;
use crate::source::printable;

/// Says which engines were found, their versions, and how to get the others.
pub fn run(args: &Doctor, shell: &mut Shell) -> Exit {
    let version = env!("CARGO_PKG_VERSION");
    let limits = nusmv::Limits {
        cancel: Some(interrupt::watch()),
        ..nusmv::Limits::default()
    };
    let found = nusmv::find(args.nusmv.as_deref(), limits);
    let text = match (shell.format(), &found) {
        (Format::Json, found) => {
            let tool = found.as_ref().ok();
            let nusmv = serde_json::json!({
                "name": "nusmv",
                "found": tool.is_some(),
                "version": tool.map(|tool| tool.version.to_string()),
                "path": tool.map(|tool| tool.path.display().to_string()),
                "problem": found.as_ref().err().map(ToString::to_string),
            });
            let embedded = serde_json::json!({
                "name": "embedded", "found": true, "version": version, "path": null, "problem": null,
            });
            format!("{embedded}\n{nusmv}\n")
        }
        (Format::Text, Ok(tool)) => format!(
            "ok       embedded engine  sandalc {version}\nok       {}      {}\n",
            tool.version,
            printable(&tool.path.display().to_string())
        ),
        (Format::Text, Err(error)) => format!(
            "ok       embedded engine  sandalc {version}\nmissing  NuSMV            {}\n{}",
            printable(&error.to_string()),
            match error.hint() {
                Some(hint) => format!("\nTo confirm answers with a second engine: {hint}.\n"),
                None => String::new(),
            }
        ),
    };
    shell.print(&text);
    let exit = match found {
        Ok(_) => shell.done(),
        Err(_) => Exit::Undecided.and(shell.done()),
    };
    interrupt::or(exit)
}
