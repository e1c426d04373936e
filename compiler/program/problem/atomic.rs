//! S055x: atomic blocks.

use crate::diagnostic::{Code, Diagnostic};
use crate::program::limits;
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[WAITS, LOOP, WAYS];

const WAITS: Code = Code("S0550");
const LOOP: Code = Code("S0551");
const WAYS: Code = Code("S0552");

/// A problem with an atomic block.
pub enum AtomicProblem {
    /// Something that waits, and is not first.
    Waits { what: &'static str, span: Span },
    /// `timeout_recv` and its kin.
    Timeout { op: &'static str, span: Span },
    /// A choice that is fair.
    Fair { span: Span },
    /// A send that waits for a receiver.
    Rendezvous { span: Span },
    /// A loop that is not unrolled, or a jump back.
    Loop { span: Span },
    /// Too many ways through it.
    Ways { count: u64, span: Span },
}

impl From<AtomicProblem> for Diagnostic {
    fn from(problem: AtomicProblem) -> Diagnostic {
        match problem {
            AtomicProblem::Waits { what, span } => Diagnostic::error(
                WAITS,
                format!("{what} may have to wait in the middle of an `atomic` block"),
                span,
            )
            .hint("make it the first statement of the block, or use a `nonblock_` operation"),
            AtomicProblem::Timeout { op, span } => Diagnostic::error(
                WAITS,
                format!("`{op}` cannot stand in an `atomic` block"),
                span,
            )
            .hint("begin the block with `select { .. case timeout {..} }`, or use a `nonblock_` operation"),
            AtomicProblem::Fair { span } => Diagnostic::error(
                WAITS,
                "`fair` cannot stand in an `atomic` block",
                span,
            )
            .hint("make the choice before the block, or leave `fair` out"),
            AtomicProblem::Rendezvous { span } => Diagnostic::error(
                WAITS,
                "a send on a rendezvous channel waits for the receiver",
                span,
            )
            .hint("give the channel a buffer, or send after the block"),
            AtomicProblem::Loop { span } => Diagnostic::error(
                LOOP,
                "an `atomic` block has no loop that is not unrolled",
                span,
            )
            .hint("give it constant bounds: `for i in range 0 to N`"),
            AtomicProblem::Ways { count, span } => Diagnostic::error(
                WAYS,
                format!("{count} ways lead through this `atomic` block"),
                span,
            )
            .note(format!("each of them is one step; at most {} are possible", limits::WAYS))
            .hint("compute with expressions instead of `if`, or make two blocks of it"),
        }
    }
}
