//! What every command on a model does first: load it, check it, weave it.

use std::path::Path;

use super::Exit;
use super::args::{ModelArgs, ModelOptions};
use super::files::{self, FileError, FileSystem};
use super::shell::Shell;
use crate::check;
use crate::diagnostic::Diagnostic;
use crate::engine;
use crate::load::{Linked, Loaded, Unreadable};
use crate::program;
use crate::program::{Define, Program};
use crate::simplify::{Rules, Simplified, simplify_until};
use crate::source::Sources;
use crate::system::System;
use crate::weave;
use crate::weave::UnknownFault;

/// What the front end makes of a model.
pub struct Checked {
    /// The files it was read from.
    pub loaded: Loaded,
    /// What it says, if there are no errors.
    pub program: Option<Program>,
    /// All that is to be said about it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model and everything it imports.
///
/// # Errors
/// If its main file cannot be read.
pub fn load(main: &Path, sources: &mut Sources) -> Result<Loaded, FileError> {
    let loaded = crate::load::load(main, &FileSystem { main }, sources);
    loaded.map_err(|Unreadable { why, meant }| FileError {
        path: files::display(main),
        why,
        meant,
    })
}

/// Loads and checks a model.
///
/// # Errors
/// If its main file, or one of `--with`, cannot be read.
pub fn check(args: &ModelArgs, sources: &mut Sources) -> Result<Checked, FileError> {
    let mut loaded = load(&args.file, sources)?;
    add_scenarios(&mut loaded, &args.options, sources)?;
    Ok(check_loaded(loaded, &args.options))
}

/// Reads the files of `--with`.
///
/// # Errors
/// If one of them cannot be read.
pub fn add_scenarios(
    loaded: &mut Loaded,
    options: &ModelOptions,
    sources: &mut Sources,
) -> Result<(), FileError> {
    for path in &options.with {
        let added = loaded.add_scenario(path, &FileSystem { main: path }, sources);
        added.map_err(|Unreadable { why, meant }| FileError {
            path: files::display(path),
            why,
            meant,
        })?;
    }
    Ok(())
}

/// Checks a model that has been read.
pub fn check_loaded(loaded: Loaded, options: &ModelOptions) -> Checked {
    let mut diagnostics = loaded.all_diagnostics();
    let mut program = None;
    if loaded.diagnostics.is_empty() {
        let linked = loaded.link();
        let checked = program::check_with(
            &linked.main,
            &linked.imported,
            &linked.scenarios,
            &defines(&linked, options),
            &weave::FAULTS,
        );
        diagnostics.extend(linked.and_then(checked.diagnostics));
        program = checked.program;
    }
    Checked {
        program: program.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)),
        loaded,
        diagnostics,
    }
}

/// The constants that `-D` gives other values, with the names they have.
pub fn defines(linked: &Linked, options: &ModelOptions) -> Vec<Define> {
    let defines = options.define.iter();
    defines
        .map(|define| Define {
            name: linked.defined(&define.name),
            value: define.value.clone(),
        })
        .collect()
}

/// How the arguments want a model to be woven.
///
/// # Errors
/// If they name a fault that the model does not mark.
pub fn options(args: &ModelOptions, program: &Program) -> Result<weave::Options, UnknownFault> {
    let faults = match &args.faults {
        _ if args.no_faults => Some(Vec::new()),
        None => None,
        Some(list) => Some(weave::select_faults(program, weave::split_faults(list))?),
    };
    Ok(weave::Options {
        faults,
        timely: args.timely,
        deadlock: !args.allow_deadlock,
    })
}

/// A model without errors.
pub struct Model {
    /// Its texts.
    pub sources: Sources,
    /// What it says.
    pub program: Program,
    /// The files it was read from.
    pub loaded: Loaded,
}

/// Loads and checks a model, and shows all messages about it.
pub(super) fn program(args: &ModelArgs, shell: &mut Shell) -> Result<Model, Exit> {
    let mut sources = Sources::new();
    let checked = check(args, &mut sources).map_err(|failure| {
        shell.fail("read", &failure);
        Exit::BadInput
    })?;
    shell.report(&checked.diagnostics, &sources);
    let Some(program) = checked.program else {
        return Err(Exit::BadInput);
    };
    Ok(Model {
        sources,
        program,
        loaded: checked.loaded,
    })
}

/// Weaves a model as the arguments ask for.
pub(super) fn system(
    args: &ModelOptions,
    program: &Program,
    shell: &mut Shell,
) -> Result<System, Exit> {
    Ok(crate::build(program, &weaving(args, program, shell)?))
}

/// The same, for those who look at single runs or write it for others: what processes know is worked out before.
pub(super) fn resolved(
    args: &ModelOptions,
    program: &Program,
    shell: &mut Shell,
) -> Result<System, Exit> {
    let system = system(args, program, shell)?;
    let options = check::Options {
        simplify: !args.no_simplify,
        limits: engine::Limits {
            states: MOST_STATES,
            ..engine::Limits::NONE
        },
        ..check::Options::default()
    };
    check::resolved(&system, &options, &check::Nowhere).map_err(|why| {
        let hint = "let processes see less with `view`, or make the model smaller";
        shell.complain(&why, None, Some(hint));
        Exit::Undecided
    })
}

/// So many states are explored at most where nobody has asked for a check.
const MOST_STATES: u64 = 5_000_000;

/// How a model is to be woven; complains about faults that it does not mark.
pub(super) fn weaving(
    args: &ModelOptions,
    program: &Program,
    shell: &mut Shell,
) -> Result<weave::Options, Exit> {
    options(args, program).map_err(|unknown| {
        let hint = match (&unknown.meant, unknown.marked.is_empty()) {
            (Some(meant), _) => format!("write `{meant}`"),
            (None, true) => "mark a process or channel in `init` first".to_owned(),
            (None, false) => format!("choose from {}", unknown.marked.join(", ")),
        };
        let message = format!("the model marks no fault `{}`", unknown.asked);
        shell.complain(&message, None, Some(&hint));
        Exit::BadInput
    })
}

/// The smaller System that engines get, unless the arguments forbid it.
pub fn simplified(
    args: &ModelOptions,
    system: &System,
    rules: Rules,
    stop: &dyn Fn() -> bool,
) -> Simplified {
    match args.no_simplify {
        true => simplify_until(system, &Rules::NONE, stop),
        false => simplify_until(system, &rules, stop),
    }
}
