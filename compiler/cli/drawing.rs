//! A run on the terminal: as a chart, step by step, or both.

use super::args::{Drawing, TraceForm};
use super::shell::Shell;
use crate::report;
use crate::report::chart::terminal::{Paper, draw};
use crate::report::chart::{Chart, Telling, layout};
use crate::source::Sources;
use crate::system::{PropertyKind, System};
use crate::trace::Trace;

/// Shows a run that ends with these properties violated.
pub fn show(
    how: &Drawing,
    system: &System,
    sources: &Sources,
    trace: &Trace,
    violated: &[usize],
    shell: &mut Shell,
) {
    let is_deadlock =
        |property: &usize| matches!(system.properties[*property].kind, PropertyKind::Deadlock);
    let telling = Telling {
        system,
        sources,
        trace,
        waiting: violated.iter().any(is_deadlock),
    };
    let form = form(how, shell);
    if matches!(form, TraceForm::Chart | TraceForm::Both) {
        chart(how, &layout(&telling), sources, shell);
        if form == TraceForm::Both {
            shell.print("\n");
        }
    }
    if matches!(form, TraceForm::Steps | TraceForm::Both) {
        let detail = match how.full_trace {
            true => report::Detail::Full,
            false => report::Detail::Folded,
        };
        let style = shell.style();
        shell.print(&report::steps(system, sources, trace, detail, style));
        shell.print(&report::waiting(system, sources, trace, violated));
    }
}

/// How runs are shown: as the user wants, on a terminal in both ways, elsewhere step by step.
pub fn form(how: &Drawing, shell: &Shell) -> TraceForm {
    match how.trace {
        Some(form) => form,
        None if shell.is_terminal() => TraceForm::Both,
        None => TraceForm::Steps,
    }
}

/// Draws a chart.
pub fn chart(how: &Drawing, chart: &Chart, sources: &Sources, shell: &mut Shell) {
    match how.full_trace {
        true => rows(how, chart, sources, shell),
        false => rows(how, &chart.folded(), sources, shell),
    }
}

/// Draws the rows of a chart as they are.
pub fn rows(how: &Drawing, chart: &Chart, sources: &Sources, shell: &mut Shell) {
    let paper = Paper {
        columns: shell.columns(),
        ascii: how.ascii,
        whole: how.full_trace,
        style: shell.style(),
    };
    shell.print(&draw(chart, sources, &paper));
}
