//! `loses = [vote]` in a marker: durable variables that do not survive after all.

use crate::program::elaborate::expr::unparenthesised;
use crate::program::elaborate::init::Instances;
use crate::program::elaborate::log::Log;
use crate::program::fault::{FaultKind, Takes};
use crate::program::problem::EntryProblem;
use crate::program::{FaultTarget, Variable};
use crate::source::Span;
use crate::syntax::ast;

const WORD: &str = "loses";

/// Whether an argument is `loses = ..`.
pub fn is_losses(arg: &ast::MarkerArg) -> bool {
    arg.name.as_ref().is_some_and(|name| name.text == WORD)
}

/// The names in `loses = [..]`, with their places; `None` if something is wrong with it.
pub fn losses(
    marker: &ast::Marker,
    kind: &FaultKind,
    log: &mut Log,
) -> Option<Vec<(String, Span)>> {
    let mut found: Vec<(String, Span)> = Vec::new();
    let mut given = marker.args.iter().filter(|arg| is_losses(arg));
    let Some(arg) = given.next() else {
        return Some(found);
    };
    let wrong = |argument: String, span: Span, hint: String, log: &mut Log| {
        log.report(EntryProblem::MarkerArgument {
            marker: marker.name.text.clone(),
            argument,
            span,
            hint,
        });
        None
    };
    if kind.takes != Takes::Losses {
        let hint = "remove it: only a process that starts again can lose durable variables";
        return wrong(WORD.to_owned(), arg.span, hint.to_owned(), log);
    }
    if let Some(second) = given.next() {
        log.report(EntryProblem::ArgumentsClash {
            one: WORD.to_owned(),
            other: WORD.to_owned(),
            span: second.span,
            first: arg.span,
        });
        return None;
    }
    let how = || format!("write `@{}(loses = [x])`", marker.name.text);
    let ast::ExprKind::Array(names) = &unparenthesised(&arg.value).kind else {
        return wrong(WORD.to_owned(), arg.span, how(), log);
    };
    for name in names {
        let ast::ExprKind::Name(text) = &unparenthesised(name).kind else {
            let text = crate::syntax::print::expr(name);
            return wrong(text, name.span, how(), log);
        };
        if let Some((_, first)) = found.iter().find(|(other, _)| other == text) {
            log.report(EntryProblem::ArgumentsClash {
                one: text.clone(),
                other: text.clone(),
                span: name.span,
                first: *first,
            });
            return None;
        }
        found.push((text.clone(), name.span));
    }
    Some(found)
}

/// Whether what a fault loses are durable variables of all its processes.
pub fn check(made: &Instances<'_>, variables: &[Variable], log: &mut Log) {
    for fault in &made.faults {
        for (name, span) in &fault.loses {
            for target in &fault.targets {
                let FaultTarget::Process(process) = target else {
                    continue;
                };
                let own = || variables.iter().filter(|v| v.process == *process);
                if own().any(|v| v.durable && v.name == *name) {
                    continue;
                }
                let known = own().find(|v| v.name == *name && !v.counter);
                log.report(EntryProblem::NotDurable {
                    name: name.clone(),
                    process: made.processes[process.0 as usize].name.clone(),
                    span: *span,
                    declared: known.map(|v| v.span),
                    durable: (own().filter(|v| v.durable).map(|v| v.name.clone())).collect(),
                });
                break;
            }
        }
    }
}
