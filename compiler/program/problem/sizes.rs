//! S09xx: models too large to be checked.

use crate::diagnostic::{Code, Diagnostic};
use crate::program::limits;
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    STATEMENTS,
    INSTANCES,
    SCALARS,
    STATE,
    CHOICES,
    TABLE,
    OTHER_MESSAGES,
    FORMULA,
    PROTOCOL,
];

const STATEMENTS: Code = Code("S0901");
const INSTANCES: Code = Code("S0902");
const SCALARS: Code = Code("S0903");
const STATE: Code = Code("S0904");
const CHOICES: Code = Code("S0905");
const TABLE: Code = Code("S0906");
const OTHER_MESSAGES: Code = Code("S0907");
const FORMULA: Code = Code("S0908");
const PROTOCOL: Code = Code("S0909");

/// A model, or a part of it, is too large.
pub enum SizeProblem {
    /// The automaton of a protocol.
    Protocol {
        /// Whether already its body is.
        body: bool,
        span: Span,
    },
    /// Unrolled bodies.
    Statements { span: Span },
    /// Entries of `init`.
    Instances { what: &'static str, span: Span },
    /// `for`s of `init`.
    Rounds { span: Span },
    /// One variable or buffer.
    Scalars { count: u64, span: Span },
    /// Everything together.
    State { span: Span },
    /// `any`
    Choices { count: u64, span: Span },
    /// A bit operator.
    Table {
        op: &'static str,
        entries: u64,
        span: Span,
    },
    /// A fault that puts any message in the place of another.
    OtherMessages {
        fault: String,
        channel: String,
        count: u64,
        span: Span,
        marker: Span,
    },
    /// A fault that puts any value in the place of another.
    OtherValues {
        fault: String,
        variable: String,
        count: u64,
        span: Span,
        marker: Span,
    },
    /// Expanded quantifiers.
    Formula { span: Span },
    /// Modules in modules.
    ModuleDepth { span: Span },
    /// Modules and `for`s.
    EntryDepth { span: Span },
    /// Types in types.
    TypeDepth { span: Span },
}

impl From<SizeProblem> for Diagnostic {
    fn from(problem: SizeProblem) -> Diagnostic {
        match problem {
            SizeProblem::Statements { span } => {
                Diagnostic::error(STATEMENTS, "the model is too large", span)
                    .label(format!(
                        "here it passes {} statements",
                        grouped(limits::STATEMENTS)
                    ))
                    .note("loops with constant bounds are unrolled, in every instance")
                    .hint("use smaller bounds or fewer instances")
            }
            SizeProblem::Instances { what, span } => Diagnostic::error(
                INSTANCES,
                format!("more than {} {what}", grouped(limits::INSTANCES as u64)),
                span,
            )
            .hint("create fewer"),
            SizeProblem::Rounds { span } => Diagnostic::error(
                INSTANCES,
                format!(
                    "the `for`s of `init` take more than {} rounds",
                    grouped(limits::ROUNDS)
                ),
                span,
            )
            .hint("use smaller bounds"),
            SizeProblem::ModuleDepth { span } => Diagnostic::error(
                INSTANCES,
                format!("modules nest more than {} deep", limits::MODULE_DEPTH),
                span,
            ),
            SizeProblem::EntryDepth { span } => Diagnostic::error(
                INSTANCES,
                format!("entries nest more than {} deep", limits::ENTRY_DEPTH),
                span,
            ),
            SizeProblem::TypeDepth { span } => Diagnostic::error(
                SCALARS,
                format!("types nest more than {} deep", limits::TYPE_DEPTH),
                span,
            ),
            SizeProblem::Scalars { count, span } => Diagnostic::error(
                SCALARS,
                format!(
                    "this holds {} values; at most {} are possible",
                    grouped(count),
                    grouped(limits::SCALARS)
                ),
                span,
            )
            .hint("make it smaller"),
            SizeProblem::State { span } => {
                Diagnostic::error(STATE, "the state of the model is too large", span)
                    .label(format!("here it passes {} values", grouped(limits::STATE)))
            }
            SizeProblem::Choices { count, span } => Diagnostic::error(
                CHOICES,
                format!("`any` has {} values to choose from", grouped(count)),
                span,
            )
            .note(format!("at most {} are possible", grouped(limits::CHOICES)))
            .hint("choose from a smaller set with `any(lo..hi)`"),
            SizeProblem::Table { op, entries, span } => Diagnostic::error(
                TABLE,
                format!("the operands of `{op}` have too many values"),
                span,
            )
            .label(format!(
                "needs a table of {} entries; at most {} are possible",
                grouped(entries),
                grouped(limits::TABLE)
            ))
            .hint("give the operands smaller ranges"),
            SizeProblem::OtherMessages {
                fault,
                channel,
                count,
                span,
                marker,
            } => Diagnostic::error(
                OTHER_MESSAGES,
                format!("`{channel}` has too many messages for `@{fault}`"),
                marker,
            )
            .label(format!(
                "could store any of {} messages; at most {} are possible",
                grouped(count),
                grouped(limits::OTHER_MESSAGES)
            ))
            .also(span, format!("`{channel}` declared here"))
            .hint("give the fields smaller types"),
            SizeProblem::OtherValues {
                fault,
                variable,
                count,
                span,
                marker,
            } => Diagnostic::error(
                OTHER_MESSAGES,
                format!("`{variable}` has too many values for `@{fault}`"),
                marker,
            )
            .label(format!(
                "could store any of {} values; at most {} are possible",
                grouped(count),
                grouped(limits::OTHER_MESSAGES)
            ))
            .also(span, format!("`{variable}` declared here"))
            .hint("give it a smaller type, or name one of its elements, as in `a[2]`"),
            SizeProblem::Protocol { body, span } => {
                Diagnostic::error(PROTOCOL, "this protocol is too large", span)
                    .label(match body {
                        true => format!(
                            "its body has more than {} events",
                            grouped(limits::PROTOCOL_EVENTS as u64)
                        ),
                        false => format!(
                            "reading it takes more than {} states",
                            grouped(limits::PROTOCOL_STATES as u64)
                        ),
                    })
                    .hint("say it in parts, each a protocol of its own on fewer channels")
            }
            SizeProblem::Formula { span } => {
                Diagnostic::error(FORMULA, "the specifications are too large", span)
                    .label(format!(
                        "here they pass {} operators",
                        grouped(limits::FORMULA)
                    ))
                    .hint("use smaller bounds in `forall` and `exists`")
            }
        }
    }
}

/// `65,536`
fn grouped(number: u64) -> String {
    if number == u64::MAX {
        return "too many".into();
    }
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(1), "1");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(65_536), "65,536");
        assert_eq!(grouped(2_000_000), "2,000,000");
    }
}
