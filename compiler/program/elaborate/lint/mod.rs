//! The last phase: what is legal but probably not meant, and can only be told when the whole model has been
//! seen. A name that begins with `_` is never called unused.

mod channels;
mod condition;
mod constructors;
mod unused;
pub mod uses;

use super::declare::Declarations;
use super::fault;
use super::init::Frame;
use super::log::Log;
use crate::diagnostic::Diagnostic;
use crate::program::Program;

/// A model without errors, to be looked at once more.
struct Lints<'c, 'a> {
    decls: &'c Declarations<'a>,
    frames: &'c [Frame<'a>],
    program: &'c Program,
    log: &'c mut Log,
}

/// Reports what is legal but probably not meant.
pub fn lints<'a>(decls: &Declarations<'a>, frames: &[Frame<'a>], program: &Program, log: &mut Log) {
    for diagnostic in std::mem::take(&mut log.uses.agreed).into_values().flatten() {
        log.report(diagnostic);
    }
    let mut lints = Lints {
        decls,
        frames,
        program,
        log,
    };
    lints.unused_variables();
    lints.unused_definitions();
    lints.channels();
    lints.constructors();
    fault::idle_markers(program, log);
    fault::idle_detectors(program, log);
    fault::never_timed(program, log);
    fault::never_together(program, log);
}

/// Reports the errors that all elaborations of a place agree on.
pub fn agreed_errors(log: &mut Log) {
    let answers = log.uses.agreed.values().flatten();
    let errors: Vec<Diagnostic> = answers.filter(|a| a.is_error()).cloned().collect();
    for error in errors {
        log.report(error);
    }
}
