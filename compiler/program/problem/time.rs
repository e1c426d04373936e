//! S057x: timers, deadlines, delays and the clock.

use crate::diagnostic::{Code, Diagnostic};
use crate::program::time::LONGEST;
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[TIMER, AFTER, SLEEP, DELAY, CLOCK];

const TIMER: Code = Code("S0570");
const AFTER: Code = Code("S0571");
const SLEEP: Code = Code("S0572");
const DELAY: Code = Code("S0573");
const CLOCK: Code = Code("S0574");

/// A problem with time.
pub enum TimeProblem {
    /// A timer that grows by itself.
    Grows { span: Span, declared: Span },
    /// `any` without a set, for a timer.
    AnyTimer { span: Span, declared: Span },
    /// A number of ticks that is too large or negative.
    Ticks { found: i64, span: Span },
    /// `case after e` with something that is neither a timer nor constant.
    NoTimer { span: Span },
    /// A condition of `case after`.
    Condition { span: Span },
    /// `case after` beside `case timeout` or `default`.
    Beside {
        what: &'static str,
        span: Span,
        after: Span,
    },
    /// `sleep` with other than one argument, or without a set to choose from.
    Sleep { text: String, span: Span },
    /// A delay that cannot be.
    Delay {
        text: String,
        span: Span,
        hint: &'static str,
    },
    /// `clock` as a name of the model.
    ClockName { span: Span },
    /// What the clock does not have, or no clock at all.
    Clock {
        text: &'static str,
        span: Span,
        hint: &'static str,
    },
}

impl From<TimeProblem> for Diagnostic {
    fn from(problem: TimeProblem) -> Diagnostic {
        match problem {
            TimeProblem::Grows { span, declared } => Diagnostic::error(
                TIMER,
                "this timer grows by itself",
                span,
            )
            .also(declared, "declared here")
            .note(format!(
                "the type of a timer is found from what is stored in it, at most {LONGEST}"
            ))
            .hint("store a constant or a variable with a range, or bound it: `min(t + 1, 10)`"),
            TimeProblem::AnyTimer { span, declared } => {
                Diagnostic::error(TIMER, "a timer has no largest value to choose from", span)
                    .also(declared, "declared here")
                    .hint("write the values: `any(0..3)`")
            }
            TimeProblem::Ticks { found, span } => {
                Diagnostic::error(AFTER, format!("{found} is no number of ticks"), span)
                    .hint(format!("write a number from 0 to {LONGEST}"))
            }
            TimeProblem::NoTimer { span } => {
                Diagnostic::error(AFTER, "`after` takes a timer or a constant", span)
                    .hint("set a timer first: `var t timer = ..`, then `case after t {..}`")
            }
            TimeProblem::Condition { span } => {
                Diagnostic::error(AFTER, "`case after` takes no condition", span)
                    .hint("decide in its block: `case after t { if .. {..} }`")
            }
            TimeProblem::Beside { what, span, after } => Diagnostic::error(
                AFTER,
                format!("{what} and `case after` exclude each other"),
                span,
            )
            .also(after, "the deadline is here")
            .hint("remove one of them"),
            TimeProblem::Sleep { text, span } => Diagnostic::error(SLEEP, text, span)
                .hint("write how many ticks: `sleep(2)`, or `sleep(any(0..3))`"),
            TimeProblem::Delay { text, span, hint } => {
                Diagnostic::error(DELAY, text, span).hint(hint)
            }
            TimeProblem::ClockName { span } => Diagnostic::error(
                CLOCK,
                "`clock` is the name of the clock, which every model with timers has",
                span,
            )
            .hint("choose another name"),
            TimeProblem::Clock { text, span, hint } => {
                Diagnostic::error(CLOCK, text, span).hint(hint)
            }
        }
    }
}
