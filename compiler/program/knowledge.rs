//! What processes see, and what specifications say about what they know.

use super::{Expr, ExprKind, FaultAspect, Program, Property, Says, Type};
use crate::source::Span;
use crate::vocabulary::{BinaryOp, FaultId, Knowing, PathOp, ProcessId, SpecKind};
use crate::vocabulary::{TemporalOp, UnaryOp};

/// An operator about knowledge in a specification; numbered through the whole [`super::Program`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KnowsId(pub u32);

/// `K(p, e)` and its kin.
#[derive(Clone, PartialEq, Debug)]
pub struct Knows {
    /// Which it is.
    pub id: KnowsId,
    /// Whose knowledge.
    pub how: Knowing,
    /// The processes; one of `K`.
    pub processes: Vec<ProcessId>,
    /// What is known.
    pub what: Expr,
}

/// `view p { .. }`: what one process sees.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The process.
    pub process: ProcessId,
    /// What it sees.
    pub seen: Vec<Seen>,
}

/// Something that a process sees.
#[derive(Clone, PartialEq, Debug)]
pub enum Seen {
    /// Where it is.
    Location,
    /// The value of an expression, and how that is written.
    Value(Expr, String),
}

/// What `diagnosable` says: on all fair runs, from the first injection of some faults on, a process sooner or later knows that
/// one of a set has begun. `!E [!injected(f) U (injected(f) & !AF K(p, begun(g)))]`
pub fn diagnosable(
    id: KnowsId,
    faults: &[FaultId],
    process: ProcessId,
    among: &[FaultId],
    span: Span,
) -> Expr {
    let bool = |kind| Expr {
        kind,
        ty: Type::Bool,
        span,
    };
    let asked = |aspect, faults: &[FaultId]| bool(ExprKind::OfFault(aspect, faults.to_vec()));
    let not = |e| bool(ExprKind::Unary(UnaryOp::Not, Box::new(e)));
    let injected = asked(FaultAspect::Injected, faults);
    let knows = bool(ExprKind::Knows(Box::new(Knows {
        id,
        how: Knowing::Own,
        processes: vec![process],
        what: asked(FaultAspect::Begun, among),
    })));
    let never = not(bool(ExprKind::Temporal(TemporalOp::AF, Box::new(knows))));
    let first = Box::new(not(injected.clone()));
    let and = ExprKind::Binary(BinaryOp::And, Box::new(injected), Box::new(never));
    let found = ExprKind::Path(PathOp::Exists, first, Box::new(bool(and)));
    not(bool(found))
}

/// The processes that are asked about: those with a view, or all of them.
pub fn seers(program: &Program) -> Vec<ProcessId> {
    match program.views.is_empty() {
        true => (0..program.processes.len() as u32).map(ProcessId).collect(),
        false => program.views.iter().map(|view| view.process).collect(),
    }
}

/// The model with questions instead of specifications: what each process sees, and for each fault whether it has begun.
pub fn ask_who_sees(program: &Program, processes: &[ProcessId], faults: &[FaultId]) -> Program {
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

fn expr(kind: ExprKind, span: Span) -> Expr {
    let ty = Type::Bool;
    Expr { kind, ty, span }
}

/// The model with a single specification: that a process can tell a fault.
pub fn ask_whether_told(program: &Program, fault: FaultId, process: ProcessId) -> Program {
    let mut asked = program.clone();
    let span = program.faults[fault.0 as usize].span;
    let names = (
        &program.faults[fault.0 as usize].name,
        &program.processes[process.0 as usize].name,
    );
    asked.properties = vec![Property {
        name: format!("diagnosable {} by {}", names.0, names.1),
        kind: SpecKind::Diagnosable,
        says: Says::Formula(diagnosable(KnowsId(0), &[fault], process, &[fault], span)),
        tolerated: None,
        span,
    }];
    asked
}
