//! Elaboration: the syntax tree becomes a [`Program`], instance by instance.
//!
//! Phases, each with a folder, and what each leaves behind for the later ones to borrow:
//!
//! 1. [`declare`]: what the top level and the modules declare ([`declare::Declarations`]);
//! 2. [`init`]: channels, processes and module instances, with arguments and faults ([`init::Instances`]);
//! 3. [`stmt`]: the body of every process, with its actual arguments, and its variables
//!    ([`stmt::Variables`]);
//! 4. [`spec`]: the specifications;
//! 5. [`lint`]: what is legal but probably not meant.
//!
//! Markers are read in 2, but only between 3 and 4 [`fault`] makes faults and budgets of them: it has to know what is sent, received
//! and written, and that is in the bodies.
//!
//! All of them check expressions with [`expr::Expressions`], which has its helpers in [`types`] and
//! [`message`]. A proc without instances is checked once with sample arguments.

mod budget;
mod declare;
mod expr;
mod fault;
mod init;
mod lint;
mod log;
mod message;
mod pattern;
mod scope;
mod spec;
mod stmt;
mod time;
mod types;

use super::fault::FaultKind;
use super::time::Timers;
use super::{Define, Program};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast;
use crate::vocabulary::ProcessId;

/// Checks a model. `imported` files add their `data`, `const`, `proc` and `module` declarations to the
/// one flat top level, `scenarios` markers, budgets, constants and specifications; `defines` override top-level constants;
/// `timers` are as large as they are said to be.
pub(super) fn elaborate(
    main: &ast::File,
    imported: &[ast::File],
    scenarios: &[ast::File],
    defines: &[Define],
    faults: &[&'static FaultKind],
    timers: &Timers,
) -> (Option<Program>, Vec<Diagnostic>) {
    let mut log = log::Log {
        timers: timers.clone(),
        ..log::Log::default()
    };
    let decls = declare::declare(main, imported, scenarios, faults, &mut log);
    let mut made = init::create(&decls, defines, &mut log);
    let (mut variables, bodies) = stmt::bodies(&decls, &made, &mut log);
    fault::mark(&decls, &mut made, &variables, &bodies, &mut log);
    time::clock_name(&made, &mut log);
    fault::anything(&decls, &made, &variables.list, &bodies, &mut log);
    fault::losses(&made, &variables.list, &mut log);
    let limits = fault::limits(&decls, &made, &mut log);
    let views = spec::views(&decls, &made, &variables, &mut log);
    let properties = spec::properties(&decls, &made, &variables, &mut log);
    let labels: Vec<_> = (0..made.processes.len() as u32)
        .map(|index| variables.labels(ProcessId(index)).to_vec())
        .collect();
    init::samples(&decls, &mut made, &mut variables, &mut log);
    lint::agreed_errors(&mut log);
    if log.incomplete || log.problems.errors() > 0 {
        return (None, log.problems.into_sorted());
    }
    let mut program = Program {
        data: decls.data.clone(),
        channels: made.channels,
        processes: made.processes,
        detectors: made.detectors,
        variables: variables.list,
        faults: made.faults,
        limits,
        views,
        properties,
    };
    for ((process, labels), body) in program.processes.iter_mut().zip(labels).zip(bodies) {
        process.labels = labels;
        process.body = body;
    }
    spec::whole_views(&program, &mut log);
    lint::lints(&decls, &made.frames, &program, &mut log);
    let complete = log.problems.errors() == 0;
    (complete.then_some(program), log.problems.into_sorted())
}
