//! `sandalc import`: models from what others have written.

mod agenttool;
mod table;

use std::path::PathBuf;

use super::args::{Import, Source};
use super::shell::Shell;
use super::{Exit, files};
use crate::source::Sources;
use crate::syntax;
use table::Problem;

/// Writes a model.
pub fn run(args: &Import, shell: &mut Shell) -> Exit {
    let Source::Agenttool {
        tables,
        sequence,
        output,
    } = &args.source;
    let model = match agenttool(tables, sequence, shell) {
        Ok(model) => model,
        Err(exit) => return exit,
    };
    let Some(output) = output.as_ref().filter(|path| !files::is_standard(path)) else {
        shell.print(&model);
        return shell.done();
    };
    let mut inputs = tables.iter().chain(sequence);
    if let Some(same) = inputs.find(|input| files::same(input, output)) {
        let path = files::display(same);
        let message = format!("`{path}` is a table: it would be overwritten");
        shell.complain(&message, Some(&path), Some("name another file after `-o`"));
        return Exit::BadInput;
    }
    match files::write(output, model.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            shell.fail("write", &failure);
            Exit::BadInput
        }
    }
}

/// The model of some tables, as `sandalc fmt` lays it out.
fn agenttool(tables: &[PathBuf], sequences: &[PathBuf], shell: &mut Shell) -> Result<String, Exit> {
    let mut rows = Vec::new();
    for path in tables {
        let text = read(path, shell)?;
        let found = table::rows(&text);
        rows.extend(known(found, path, shell)?);
    }
    let first = tables.first().map(|path| files::display(path));
    let mut model = match agenttool::Model::of(rows) {
        Ok(model) => model,
        Err(problem) => return Err(complain(&problem, &first.unwrap_or_default(), shell)),
    };
    for path in sequences {
        let text = read(path, shell)?;
        let found = table::messages(&text).and_then(|rows| model.sequence(rows));
        known(found, path, shell)?;
    }
    let text = model.text();
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text.clone());
    Ok(syntax::format(&sources, file).unwrap_or(text))
}

fn known<T>(
    found: Result<T, Problem>,
    path: &std::path::Path,
    shell: &mut Shell,
) -> Result<T, Exit> {
    found.map_err(|problem| complain(&problem, &files::display(path), shell))
}

fn complain(problem: &Problem, path: &str, shell: &mut Shell) -> Exit {
    shell.complain(&problem.text, Some(path), Some(&problem.hint));
    Exit::BadInput
}

fn read(path: &std::path::Path, shell: &mut Shell) -> Result<String, Exit> {
    let bytes = files::read(path).map_err(|failure| {
        shell.fail("read", &failure);
        Exit::BadInput
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let row = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .split(|byte| *byte == b'\n')
            .count();
        let message = format!("row {row} is no text: expected UTF-8");
        shell.complain(&message, Some(&files::display(path)), None);
        Exit::BadInput
    })
}
