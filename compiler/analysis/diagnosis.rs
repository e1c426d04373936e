//! Which process can tell which fault (`sandalc diagnose`): what is asked of a model that need not say it.

use crate::check::{Options, World};
use crate::engine;
use crate::engine::knowledge::Unknown;
use crate::engine::knowledge::diagnose::{Diagnosis, Question, diagnose};
use crate::program;
use crate::program::{ExprKind, FaultAspect, Knows, KnowsId, Program, Property, Says, Type};
use crate::simplify::{Rules, simplify_until};
use crate::source::Span;
use crate::system::{Expr, PropertyKind, System};
use crate::vocabulary::{FaultId, Knowing, ProcessId, SpecKind};

/// So many faults can be told apart at most.
pub const MOST_FAULTS: usize = 64;

/// The processes that are asked about: those with a view, or all of them.
pub fn processes(program: &Program) -> Vec<ProcessId> {
    match program.views.is_empty() {
        true => (0..program.processes.len() as u32).map(ProcessId).collect(),
        false => program.views.iter().map(|view| view.process).collect(),
    }
}

/// The model with questions instead of specifications: what each process sees, and for each fault whether it has begun.
pub fn questions(program: &Program, processes: &[ProcessId], faults: &[FaultId]) -> Program {
    let mut asked = program.clone();
    let Some(span) = program.faults.first().map(|fault| fault.span) else {
        asked.properties.clear();
        return asked;
    };
    let of = |aspect, fault: &FaultId| expr(ExprKind::OfFault(aspect, vec![*fault]), span);
    let knows = processes.iter().zip(0..).map(|(process, id)| {
        let knows = Knows {
            id: KnowsId(id),
            how: Knowing::Own,
            processes: vec![*process],
            what: expr(ExprKind::OfFault(FaultAspect::Begun, faults.to_vec()), span),
        };
        expr(ExprKind::Knows(Box::new(knows)), span)
    });
    let begun = faults.iter().map(|f| of(FaultAspect::Begun, f));
    let all = knows.chain(begun);
    asked.properties = all
        .enumerate()
        .map(|(index, formula)| Property {
            name: format!("asked_{index}"),
            kind: SpecKind::Invariant,
            says: Says::Formula(formula),
            tolerated: None,
            span,
        })
        .collect();
    asked
}

fn expr(kind: ExprKind, span: Span) -> program::Expr {
    let ty = Type::Bool;
    program::Expr { kind, ty, span }
}

/// The model with a single specification: that a process can tell a fault.
pub fn why(program: &Program, fault: FaultId, process: ProcessId) -> Program {
    let mut asked = program.clone();
    let span = program.faults[fault.0 as usize].span;
    let names = (
        &program.faults[fault.0 as usize].name,
        &program.processes[process.0 as usize].name,
    );
    asked.properties = vec![Property {
        name: format!("diagnosable {} by {}", names.0, names.1),
        kind: SpecKind::Diagnosable,
        says: Says::Formula(program::diagnosable(
            KnowsId(0),
            &[fault],
            process,
            &[fault],
            span,
        )),
        tolerated: None,
        span,
    }];
    asked
}

/// Answers the questions that a System has been woven with.
///
/// # Errors
/// Why nobody knows.
pub fn answers(
    system: &System,
    faults: &[FaultId],
    options: &Options,
    world: &dyn World,
) -> Result<Diagnosis, Unknown> {
    let conditions = system.properties.iter().filter(|p| p.span.is_some());
    let conditions = conditions.filter_map(|property| match &property.kind {
        PropertyKind::Invariant(e) => Some(e.clone()),
        _ => None,
    });
    let conditions: Vec<Expr> = conditions.skip(system.knowledge.len()).collect();
    let mut probe = system.clone();
    probe.properties.clear();
    probe.assumptions.clear();
    probe.knowledge.clear();
    let sights = system.knowledge.iter().map(|operator| {
        let view = operator.views.first();
        let view = view.map(Vec::as_slice).unwrap_or_default();
        view.iter().map(|sight| sight.value(system)).collect()
    });
    let sights: Vec<Vec<Expr>> = sights.collect();
    probe.kept = sights.iter().flatten().cloned().collect();
    probe.kept.extend(conditions);
    let stop = || world.is_over();
    let rules = match options.simplify {
        true => Rules::default(),
        false => Rules::NONE,
    };
    let simplified = simplify_until(&probe, &rules, &stop);
    let mut kept = simplified.system.kept.iter().cloned();
    let views = sights.iter();
    let views = views.map(|view| kept.by_ref().take(view.len()).collect());
    let views = views.collect();
    let question = Question {
        views,
        begun: kept.collect(),
        faults: faults.to_vec(),
    };
    let options = engine::Options {
        limits: options.limits,
        stop: &stop,
        ..engine::Options::default()
    };
    diagnose(&simplified.system, &question, &options)
}
