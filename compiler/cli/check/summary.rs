//! What is said about several models.

use serde_json::{Value, json};

use super::many::Returned;
use crate::cli::args::{Check, Format};
use crate::cli::shell::Shell;
use crate::cli::{Exit, files};
use crate::report::{Style, plural};
use crate::source::printable;

/// How a model's check ended.
pub fn exit(args: &Check, checked: &Returned) -> Exit {
    let all = [
        Exit::Ok,
        Exit::Violated,
        Exit::BadInput,
        Exit::Undecided,
        Exit::Internal,
        Exit::HungUp,
        Exit::Interrupted,
        Exit::Terminated,
    ];
    let known = all
        .into_iter()
        .find(|exit| *exit as u8 == checked.part.exit)
        .unwrap_or(Exit::Internal);
    match known {
        // Whatever has gone wrong, it is not what was expected.
        Exit::BadInput | Exit::Undecided if args.expect => Exit::Violated,
        exit => exit,
    }
}

/// Whether all is well with a model.
fn is_well(args: &Check, checked: &Returned) -> bool {
    exit(args, checked) == Exit::Ok
}

/// Prints what the check of a model has printed, under its name. Where answers are expected, only if they are not the
/// expected ones.
pub fn block(args: &Check, checked: &Returned, first: bool, shell: &mut Shell) {
    let silent = args.expect && is_well(args, checked);
    if shell.format() == Format::Json {
        shell.pass_on(&checked.err);
        return;
    }
    if silent {
        return;
    }
    let name = shell.bold(&printable(&files::display(&checked.file)));
    let gap = if first { "" } else { "\n" };
    shell.print(&format!("{gap}{name}\n"));
    shell.pass_on(&checked.err);
    shell.print(&checked.out);
}

/// A line for each model, and one for all.
pub fn text(args: &Check, all: &[Returned], style: Style) -> String {
    let width = all
        .iter()
        .map(|checked| printable(&files::display(&checked.file)).chars().count())
        .max()
        .unwrap_or(0);
    let mut out = String::from("\n");
    for checked in all {
        let name = printable(&files::display(&checked.file));
        let (word, detail) = words(args, checked);
        let word = match word {
            "holds" | "expected" => style.good(&format!("{word:8}")),
            "unknown" => style.unsure(&format!("{word:8}")),
            _ => style.bad(&format!("{word:8}")),
        };
        let line = format!("{word}  {name:width$}  {detail}");
        out += line.trim_end();
        out.push('\n');
    }
    out + "\n" + &total(args, all) + "\n"
}

/// What became of a model, in a word and in a few.
fn words(args: &Check, checked: &Returned) -> (&'static str, String) {
    let part = &checked.part;
    let [hold, violated, unknown] = part.counts;
    let mut counts = Vec::new();
    for (count, word) in [(hold, "hold"), (violated, "violated"), (unknown, "unknown")] {
        if count > 0 {
            counts.push(format!("{count} {word}"));
        }
    }
    let mut detail = counts.join(", ");
    if !part.failing.is_empty() {
        detail += &format!(" ({})", part.failing.join(", "));
    }
    let word = match exit(args, checked) {
        Exit::Ok if args.expect => "expected",
        Exit::Ok => "holds",
        Exit::Violated if args.expect => "differs",
        Exit::Violated => "violated",
        Exit::Undecided => "unknown",
        Exit::BadInput => "error",
        Exit::Internal => "bug",
        Exit::HungUp | Exit::Interrupted | Exit::Terminated => "unknown",
    };
    if args.expect && !part.surprises.is_empty() {
        detail = part.surprises.join("; ");
    }
    (word, printable(&detail))
}

fn total(args: &Check, all: &[Returned]) -> String {
    let models = plural(all.len(), "model");
    let count = |wanted: Exit| all.iter().filter(|c| exit(args, c) == wanted).count();
    if args.expect {
        let differing = all.len() - count(Exit::Ok);
        return match differing {
            0 => format!("{models}, all as expected"),
            differing => format!("{models}, {differing} not as expected"),
        };
    }
    let kinds = [
        (Exit::Ok, "hold"),
        (Exit::Violated, "violated"),
        (Exit::Undecided, "unknown"),
        (Exit::BadInput, "with errors"),
        (Exit::Internal, "met a bug"),
    ];
    let parts: Vec<String> = kinds
        .into_iter()
        .filter(|(kind, _)| count(*kind) > 0)
        .map(|(kind, words)| format!("{} {words}", count(kind)))
        .collect();
    match parts.is_empty() {
        true => models,
        false => format!("{models}: {}", parts.join(", ")),
    }
}

/// All answers as one object, described by `docs/check_many.schema.json`.
pub fn json(args: &Check, all: &[Returned]) -> String {
    let models: Vec<Value> = all
        .iter()
        .map(|checked| {
            json!({
                "file": files::display(&checked.file),
                "result": words(args, checked).0,
                "report": serde_json::from_str::<Value>(&checked.part.json).unwrap_or(Value::Null),
            })
        })
        .collect();
    json!({ "format": 1, "models": models }).to_string()
}
