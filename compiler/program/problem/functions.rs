//! S054x: functions and calls of them.

use super::{counted, listed};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[CYCLE, RETURN, CALL, ARGUMENT, SPEC_VALUE];

const CYCLE: Code = Code("S0541");
const RETURN: Code = Code("S0542");
const CALL: Code = Code("S0543");
const ARGUMENT: Code = Code("S0544");
const SPEC_VALUE: Code = Code("S0545");

/// A problem with a function.
pub enum FunctionProblem {
    /// It calls itself, perhaps through others.
    Cycle { names: Vec<String>, span: Span },
    /// Its end can be reached without a `return`.
    MissingReturn { name: String, span: Span },
    /// `return e` where nothing is returned, or `return` where something is.
    Return {
        text: String,
        span: Span,
        hint: &'static str,
    },
    /// `durable var` in a function.
    Durable { name: String, span: Span },
    /// A function that takes steps in the middle of an expression.
    TakesSteps {
        name: String,
        span: Span,
        because: (Span, &'static str),
    },
    /// The result of a call is not used, or there is none.
    Result {
        name: String,
        span: Span,
        declared: Span,
        unused: bool,
    },
    /// Too many or too few arguments.
    Count {
        name: String,
        wanted: usize,
        found: usize,
        span: Span,
        declared: Span,
    },
    /// An argument that may change while the function runs.
    Volatile {
        what: String,
        span: Span,
        declared: Span,
    },
    /// A value in a specification that may not fit.
    SpecValue {
        found: String,
        wanted: String,
        span: Span,
    },
    /// A predicate outside of specifications.
    PredicateElsewhere { name: String, span: Span },
}

impl From<FunctionProblem> for Diagnostic {
    fn from(problem: FunctionProblem) -> Diagnostic {
        match problem {
            FunctionProblem::Cycle { names, span } => {
                let d = match names.as_slice() {
                    [only] => Diagnostic::error(CYCLE, format!("`{only}` calls itself"), span),
                    _ => {
                        let mut way = names.clone();
                        way.extend(names.first().cloned());
                        let way: Vec<String> = way.iter().map(|n| format!("`{n}`")).collect();
                        let all = listed(&names, "and");
                        Diagnostic::error(CYCLE, format!("{all} call each other"), span)
                            .label(way.join(" calls "))
                    }
                };
                d.hint("write a loop: functions are written out where they are called")
            }
            FunctionProblem::MissingReturn { name, span } => {
                Diagnostic::error(RETURN, format!("`{name}` may end without a `return`"), span)
                    .hint("end it with `return`, also after the last `if`")
            }
            FunctionProblem::Return { text, span, hint } => {
                Diagnostic::error(RETURN, text, span).hint(hint)
            }
            FunctionProblem::Durable { name, span } => Diagnostic::error(
                RETURN,
                format!("`{name}` is durable, but a function begins anew with every call"),
                span,
            )
            .hint("declare it in the proc, and pass its value"),
            FunctionProblem::TakesSteps {
                name,
                span,
                because,
            } => Diagnostic::error(
                CALL,
                format!("`{name}` takes steps, so it cannot be called inside an expression"),
                span,
            )
            .also(because.0, because.1)
            .hint(format!("store its result first: `x = {name}(..)`")),
            FunctionProblem::Result {
                name,
                span,
                declared,
                unused,
            } => {
                let text = match unused {
                    true => format!("the result of `{name}` is not used"),
                    false => format!("`{name}` returns nothing"),
                };
                let hint = match unused {
                    true => "store it in a variable",
                    false => "call it as a statement, or give it a result",
                };
                Diagnostic::error(CALL, text, span)
                    .also(declared, "declared here")
                    .hint(hint)
            }
            FunctionProblem::Count {
                name,
                wanted,
                found,
                span,
                declared,
            } => Diagnostic::error(
                ARGUMENT,
                format!(
                    "`{name}` takes {}, not {found}",
                    counted(wanted, "argument")
                ),
                span,
            )
            .also(declared, "declared here"),
            FunctionProblem::Volatile {
                what,
                span,
                declared,
            } => Diagnostic::error(
                ARGUMENT,
                format!("{what} may change while the function runs"),
                span,
            )
            .also(declared, "the parameter stands for this expression")
            .hint("store it in a variable, and pass that"),
            FunctionProblem::SpecValue {
                found,
                wanted,
                span,
            } => Diagnostic::error(
                SPEC_VALUE,
                format!("this may be {found}, which is outside of {wanted}"),
                span,
            )
            .hint("widen the type: in specifications the declared ranges must tell that it fits"),
            FunctionProblem::PredicateElsewhere { name, span } => Diagnostic::error(
                CALL,
                format!("`{name}` is a predicate, which is for specifications"),
                span,
            )
            .hint("make it a `func` with the values it needs as parameters"),
        }
    }
}
