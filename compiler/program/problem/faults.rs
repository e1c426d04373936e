//! S056x: faults that a model defines.

use super::counted;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[JOIN, EFFECT, BUILT_IN, ARGUMENTS];

const JOIN: Code = Code("S0560");
const EFFECT: Code = Code("S0561");
const BUILT_IN: Code = Code("S0562");
const ARGUMENTS: Code = Code("S0563");

/// A problem with the definition of a fault, or with what its marker gives it.
pub enum FaultProblem {
    /// Something is wrong with when it happens.
    Join {
        text: String,
        span: Span,
        hint: String,
    },
    /// Something is wrong with what it does.
    Effect {
        text: String,
        span: Span,
        hint: String,
    },
    /// It is called like a built-in one.
    BuiltIn { name: String, span: Span },
    /// Too many or too few arguments in a marker.
    Count {
        marker: String,
        wanted: usize,
        found: usize,
        span: Span,
        declared: Span,
    },
    /// Not as many names as a message has fields.
    Fields {
        what: &'static str,
        channel: String,
        wanted: usize,
        found: usize,
        span: Span,
        marker: Span,
    },
    /// Two files define it.
    Ambiguous { name: String, span: Span },
}

impl From<FaultProblem> for Diagnostic {
    fn from(problem: FaultProblem) -> Diagnostic {
        match problem {
            FaultProblem::Join { text, span, hint } => {
                Diagnostic::error(JOIN, text, span).hint(hint)
            }
            FaultProblem::Effect { text, span, hint } => {
                Diagnostic::error(EFFECT, text, span).hint(hint)
            }
            FaultProblem::BuiltIn { name, span } => Diagnostic::error(
                BUILT_IN,
                format!("`{name}` is a fault of the language"),
                span,
            )
            .hint(format!("choose another name, such as `my_{name}`")),
            FaultProblem::Count {
                marker,
                wanted,
                found,
                span,
                declared,
            } => Diagnostic::error(
                ARGUMENTS,
                format!(
                    "`@{marker}` takes {}, but {found} {} given",
                    counted(wanted, "argument"),
                    if found == 1 { "is" } else { "are" }
                ),
                span,
            )
            .also(declared, "defined here"),
            FaultProblem::Fields {
                what,
                channel,
                wanted,
                found,
                span,
                marker,
            } => Diagnostic::error(
                JOIN,
                format!(
                    "{} here, but the messages of `{channel}` have {}",
                    counted(found, what),
                    counted(wanted, "field")
                ),
                span,
            )
            .also(marker, "marked here")
            .hint(match what {
                "name" => "write a name or `_` for each field, or leave the parentheses out",
                _ => "write a value or `any` for each field",
            }),
            FaultProblem::Ambiguous { name, span } => Diagnostic::error(
                ARGUMENTS,
                format!("several files define the fault `{name}`"),
                span,
            )
            .hint("write the name of the file before it, as in `@file.name`"),
        }
    }
}
