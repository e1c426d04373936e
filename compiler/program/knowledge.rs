//! What processes see, and what specifications say about what they know.

use super::{Expr, ExprKind, FaultAspect, Type};
use crate::source::Span;
use crate::vocabulary::{BinaryOp, FaultId, Knowing, PathOp, ProcessId, TemporalOp, UnaryOp};

/// An operator about knowledge in a specification; numbered through the whole [`Program`](super::Program).
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
