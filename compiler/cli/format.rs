//! `sandalc fmt`.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::args::{Fmt, Format};
use super::diff::diff;
use super::files::{self, FileError};
use super::shell::Shell;
use super::{Exit, interrupt};
use crate::load;
use crate::source::{Sources, printable};
use crate::syntax;

/// What became of one file.
enum Outcome {
    /// It was formatted already.
    Same,
    /// It was not.
    Changed,
    /// It cannot be read, parsed or written; that has been said.
    Bad,
}

/// Formats files in place (standard input to standard output), or tells which are not formatted.
pub fn run(args: &Fmt, shell: &mut Shell) -> Exit {
    let mut exit = Exit::Ok;
    let mut paths = Vec::new();
    for path in &args.files {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        match files::models(path) {
            Ok(found) => paths.extend(found),
            Err(failure) => {
                shell.fail("read", &failure);
                exit = Exit::BadInput;
            }
        }
    }
    // The file at hand is finished, so that nothing is left half done.
    let writes = !args.check && !paths.iter().any(|path| files::is_standard(path));
    let interrupted = writes.then(interrupt::watch);
    for path in &paths {
        if interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            break;
        }
        match format(path, args.check, shell) {
            Outcome::Same => {}
            Outcome::Changed if args.check && exit == Exit::Ok => exit = Exit::Violated,
            Outcome::Changed => {}
            Outcome::Bad => exit = Exit::BadInput,
        }
    }
    interrupt::or(exit.and(shell.done()))
}

fn format(path: &Path, check: bool, shell: &mut Shell) -> Outcome {
    let read = match files::is_standard(path) {
        true => files::read(path),
        false => files::read_file(path),
    };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(failure) => return bad("read", &failure, shell),
    };
    let mut sources = Sources::new();
    let (file, not_text) = load::add(&mut sources, files::display(path), bytes.clone());
    let formatted = match not_text {
        Some(problem) => Err(vec![problem]),
        None => syntax::format(&sources, file),
    };
    let formatted = match formatted {
        Ok(formatted) => formatted,
        Err(diagnostics) => {
            shell.report(&diagnostics, &sources);
            return Outcome::Bad;
        }
    };
    let same = formatted.as_bytes() == bytes;
    if check {
        if same {
            return Outcome::Same;
        }
        show_difference(path, &sources.file(file).text, &formatted, shell);
        return Outcome::Changed;
    }
    if files::is_standard(path) {
        shell.print_exactly(&formatted);
    } else if !same {
        if let Err(failure) = files::write(path, formatted.as_bytes()) {
            return bad("write", &failure, shell);
        }
        shell.print(&format!("{}\n", printable(&files::display(path))));
        return Outcome::Changed;
    }
    Outcome::Same
}

fn show_difference(path: &Path, text: &str, formatted: &str, shell: &mut Shell) {
    let path = files::display(path);
    let shown = match shell.format() {
        Format::Json => format!(
            "{}\n",
            serde_json::json!({ "path": path, "formatted": false })
        ),
        Format::Text => {
            let changes = match diff(text, formatted) {
                changes if changes.is_empty() => "only line ends differ\n".to_owned(),
                changes => changes,
            };
            format!(
                "{}\n{changes}",
                shell.bold(&format!("{} is not formatted", printable(&path)))
            )
        }
    };
    shell.print(&shown);
}

fn bad(what: &str, failure: &FileError, shell: &mut Shell) -> Outcome {
    shell.fail(what, failure);
    Outcome::Bad
}
