//! S05xx: statements and channel operations.

use super::{counted, suggest};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    FIELD_COUNT,
    NOT_ASSIGNABLE,
    TARGET_TWICE,
    MESSAGE_IN_SHORT_CIRCUIT,
    MISPLACED_EXPRESSION,
    NEEDS_BUFFER,
    BAD_CASE,
    OUTSIDE_LOOP,
    GOTO_INTO_BLOCK,
    EMPTY_LABEL,
    NOT_A_STATEMENT,
    BAD_DURABLE,
    NO_RESULT,
    PROCESS_STATE,
    ASSIGN_ALL,
];

const FIELD_COUNT: Code = Code("S0503");
const NOT_ASSIGNABLE: Code = Code("S0504");
const TARGET_TWICE: Code = Code("S0505");
const MESSAGE_IN_SHORT_CIRCUIT: Code = Code("S0506");
const MISPLACED_EXPRESSION: Code = Code("S0507");
const NEEDS_BUFFER: Code = Code("S0508");
const BAD_CASE: Code = Code("S0509");
const OUTSIDE_LOOP: Code = Code("S0510");
const GOTO_INTO_BLOCK: Code = Code("S0511");
const EMPTY_LABEL: Code = Code("S0512");
const NOT_A_STATEMENT: Code = Code("S0513");
const BAD_DURABLE: Code = Code("S0514");
const NO_RESULT: Code = Code("S0524");
const PROCESS_STATE: Code = Code("S0525");
const ASSIGN_ALL: Code = Code("S0540");

/// A problem with a statement of a process.
pub enum ProcessProblem {
    /// Too many or too few values or targets for a channel.
    FieldCount {
        op: &'static str,
        wanted: usize,
        found: usize,
        /// The names of the fields, if they have names.
        names: Vec<String>,
        span: Span,
        declared: Span,
    },
    /// An operation without even a channel.
    NoChannel { op: &'static str, span: Span },
    /// The target is no variable.
    NotAssignable {
        name: String,
        /// With its article: `a parameter`.
        what: &'static str,
        span: Span,
        declared: Option<Span>,
        hint: Option<String>,
    },
    /// The target is an expression.
    NotATarget { span: Span },
    /// One step would write a variable twice.
    TargetTwice {
        name: String,
        span: Span,
        first: Span,
    },
    /// A messaging expression that might not be performed.
    ShortCircuit {
        op: &'static str,
        operation: &'static str,
        /// The whole operation as written.
        message: String,
        span: Span,
    },
    /// An expression that cannot stand here.
    MisplacedExpression {
        text: String,
        span: Span,
        hint: Option<&'static str>,
    },
    /// The operation is for buffered channels.
    NeedsBuffer {
        /// `nonblock_send`, `case send`.
        what: &'static str,
        span: Span,
        declared: Span,
        channel: String,
    },
    /// `case timeout_recv(..)` and other operations that no case can wait for.
    CaseOperation { op: &'static str, span: Span },
    /// A second `timeout` or `default`, or both.
    CaseTwice {
        text: &'static str,
        span: Span,
        first: Span,
    },
    /// `select {}`, or one whose loops write out no case.
    EmptySelect { span: Span, written: bool },
    /// `timeout` or `default` among replicated cases.
    ReplicatedAlternative { what: &'static str, span: Span },
    /// `a, b = 1`
    AssignCount {
        targets: usize,
        values: usize,
        span: Span,
    },
    /// `a, b += 1, 2`
    AssignAllOperator { op: &'static str, span: Span },
    /// `break` or `continue` outside a loop.
    OutsideLoop { what: &'static str, span: Span },
    /// A jump into a block.
    GotoIntoBlock {
        name: String,
        span: Span,
        label: Span,
    },
    /// A label with nothing to label.
    EmptyLabel { name: String, span: Span },
    /// An expression alone.
    NotAStatement { span: Span },
    /// A call alone of something that is no operation.
    UnknownOperation {
        name: String,
        span: Span,
        suggestion: Option<String>,
        /// Whether it is a proc, which only `init` can start.
        is_proc: bool,
    },
    /// `durable var` below other statements or in a block.
    DurablePlace { name: String, span: Span },
    /// `x = recv(..)`
    NoResult {
        op: &'static str,
        span: Span,
        /// The statement that was meant, if that is plain: `recv(c, x)`.
        meant: Option<String>,
    },
    /// `q.x` of a process parameter.
    ProcessState {
        name: String,
        field: String,
        span: Span,
    },
}

impl From<ProcessProblem> for Diagnostic {
    fn from(problem: ProcessProblem) -> Diagnostic {
        match problem {
            ProcessProblem::FieldCount {
                op,
                wanted,
                found,
                names,
                span,
                declared,
            } => Diagnostic::error(
                FIELD_COUNT,
                format!(
                    "`{op}` has {}, but the channel's messages have {}",
                    counted(
                        found,
                        if op.ends_with("send") {
                            "value"
                        } else {
                            "target"
                        }
                    ),
                    counted(wanted, "field")
                ),
                span,
            )
            .also(
                declared,
                match names.as_slice() {
                    [] => "channel declared here".to_owned(),
                    names => format!("its messages are `({})`", names.join(", ")),
                },
            ),
            ProcessProblem::NoChannel { op, span } => {
                Diagnostic::error(FIELD_COUNT, format!("`{op}` needs a channel"), span)
                    .hint(format!("write `{op}(channel, ..)`"))
            }
            ProcessProblem::NotAssignable {
                name,
                what,
                span,
                declared,
                hint,
            } => {
                let mut d = Diagnostic::error(
                    NOT_ASSIGNABLE,
                    format!("cannot assign to `{name}`, which is {what}"),
                    span,
                );
                if let Some(declared) = declared {
                    d = d.also(declared, format!("`{name}` declared here"));
                }
                match hint {
                    Some(hint) => d.hint(hint),
                    None => d,
                }
            }
            ProcessProblem::NotATarget { span } => {
                Diagnostic::error(NOT_ASSIGNABLE, "cannot assign to this expression", span)
                    .hint("name a variable or an element of an array")
            }
            ProcessProblem::TargetTwice { name, span, first } => Diagnostic::error(
                TARGET_TWICE,
                format!("`{name}` is written twice in one step"),
                span,
            )
            .also(first, "the first time here")
            .hint("use `_` for the field you do not need"),
            ProcessProblem::ShortCircuit {
                op,
                operation,
                message,
                span,
            } => Diagnostic::error(
                MESSAGE_IN_SHORT_CIRCUIT,
                format!("`{operation}` cannot stand to the right of `{op}`"),
                span,
            )
            .label("might not be performed")
            .hint(format!(
                "write `var ok bool = {message}` before, and `ok` here; or nest two `if`s"
            )),
            ProcessProblem::MisplacedExpression { text, span, hint } => {
                let d = Diagnostic::error(MISPLACED_EXPRESSION, text, span);
                match hint {
                    Some(hint) => d.hint(hint),
                    None => d,
                }
            }
            ProcessProblem::NeedsBuffer {
                what,
                span,
                declared,
                channel,
            } => Diagnostic::error(
                NEEDS_BUFFER,
                format!("`{what}` needs a buffered channel, and `{channel}` has no buffer"),
                span,
            )
            .also(declared, "channel declared here")
            .hint("declare it as `channel [1] { .. }`"),
            ProcessProblem::CaseOperation { op, span } => Diagnostic::error(
                BAD_CASE,
                format!("`{op}` cannot be a case of `select`"),
                span,
            )
            .hint("use `recv`, `peek` or `send`, and `case timeout` or `default` beside it"),
            ProcessProblem::CaseTwice { text, span, first } => {
                Diagnostic::error(BAD_CASE, text, span).also(first, "the first is here")
            }
            ProcessProblem::EmptySelect { span, written } => {
                let d = Diagnostic::error(BAD_CASE, "`select` needs at least one case", span);
                match written {
                    true => d.hint("make a range in it contain a value"),
                    false => d,
                }
            }
            ProcessProblem::ReplicatedAlternative { what, span } => Diagnostic::error(
                BAD_CASE,
                format!("`{what}` cannot stand in a `for` of `select`"),
                span,
            )
            .hint("write it once, beside the `for`"),
            ProcessProblem::AssignCount {
                targets,
                values,
                span,
            } => Diagnostic::error(
                ASSIGN_ALL,
                format!(
                    "{} for {}",
                    counted(values, "value"),
                    counted(targets, "variable")
                ),
                span,
            )
            .hint("write as many values as variables: `a, b = b, a`"),
            ProcessProblem::AssignAllOperator { op, span } => {
                Diagnostic::error(ASSIGN_ALL, format!("`{op}=` assigns one value"), span)
                    .hint(format!("spell it out: `a, b = a {op} 1, b {op} 1`"))
            }
            ProcessProblem::OutsideLoop { what, span } => {
                Diagnostic::error(OUTSIDE_LOOP, format!("`{what}` outside a loop"), span)
            }
            ProcessProblem::GotoIntoBlock { name, span, label } => Diagnostic::error(
                GOTO_INTO_BLOCK,
                format!("`goto {name}` enters a block"),
                span,
            )
            .also(
                label,
                format!("`{name}` is inside a block that does not contain the `goto`"),
            )
            .hint("move the label out of the block"),
            ProcessProblem::EmptyLabel { name, span } => Diagnostic::error(
                EMPTY_LABEL,
                format!("label `{name}` has no statement"),
                span,
            )
            .hint(format!("write `{name}: skip`")),
            ProcessProblem::NotAStatement { span } => {
                Diagnostic::error(NOT_A_STATEMENT, "this expression is not a statement", span)
                    .hint("assign it to a variable, or remove it")
            }
            ProcessProblem::UnknownOperation {
                name,
                span,
                is_proc: true,
                ..
            } => Diagnostic::error(
                NOT_A_STATEMENT,
                format!("`{name}` is a proc and cannot be called"),
                span,
            )
            .note("processes are there from the beginning of a run, and run side by side")
            .hint(format!("start it in `init`, as in `p: {name}(..)`")),
            ProcessProblem::UnknownOperation {
                name,
                span,
                suggestion,
                ..
            } => suggest(
                Diagnostic::error(
                    NOT_A_STATEMENT,
                    format!("`{name}` is not an operation"),
                    span,
                ),
                suggestion,
            ),
            ProcessProblem::DurablePlace { name, span } => Diagnostic::error(
                BAD_DURABLE,
                format!("`durable var {name}` must stand at the top of the proc"),
                span,
            )
            .hint("move it before the first statement of the body"),
            ProcessProblem::NoResult { op, span, meant } => {
                let hint = match meant {
                    Some(meant) => format!("write `{meant}`: the variable is an argument"),
                    None => format!(
                        "use `timeout_{op}` or `nonblock_{op}`, or make it a statement of its own"
                    ),
                };
                Diagnostic::error(NO_RESULT, format!("`{op}` yields no value"), span).hint(hint)
            }
            ProcessProblem::ProcessState { name, field, span } => Diagnostic::error(
                PROCESS_STATE,
                format!("a process cannot read `{name}.{field}`"),
                span,
            )
            .hint(format!("use `{name}.crashed` or `{name}.done`")),
        }
    }
}
