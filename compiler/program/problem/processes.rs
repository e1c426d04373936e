//! S05xx: processes, channels, statements and markers.

use super::{counted, listed, suggest};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    ARGUMENT_COUNT,
    CHANNEL_TYPE,
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
    UNKNOWN_MARKER,
    WRONG_MARKER,
    MARKER_CLASH,
    BAD_BUDGET,
    NOT_MARKED,
    BAD_INIT,
    MISPLACED_DECLARATION,
    BAD_REPLICATION,
    INDEX_OUT_OF_BOUNDS,
    NO_RESULT,
    PROCESS_STATE,
];

const ARGUMENT_COUNT: Code = Code("S0501");
const CHANNEL_TYPE: Code = Code("S0502");
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
const UNKNOWN_MARKER: Code = Code("S0515");
const WRONG_MARKER: Code = Code("S0516");
const MARKER_CLASH: Code = Code("S0517");
const BAD_BUDGET: Code = Code("S0518");
const NOT_MARKED: Code = Code("S0519");
const BAD_INIT: Code = Code("S0520");
const MISPLACED_DECLARATION: Code = Code("S0521");
const BAD_REPLICATION: Code = Code("S0522");
const INDEX_OUT_OF_BOUNDS: Code = Code("S0523");
const NO_RESULT: Code = Code("S0524");
const PROCESS_STATE: Code = Code("S0525");

/// A problem with a process, a channel, a statement or a marker.
pub enum ProcessProblem {
    /// Too many or too few arguments for a proc or module.
    ArgumentCount {
        callee: String,
        wanted: usize,
        found: usize,
        span: Span,
        declared: Span,
    },
    /// A channel argument of another type.
    ChannelType {
        name: String,
        found: String,
        wanted: String,
        span: Span,
        declared: Span,
    },
    /// An array of channels of another length.
    ChannelCount {
        found: usize,
        wanted: u32,
        span: Span,
        declared: Span,
    },
    /// Too many or too few values or targets for a channel.
    FieldCount {
        op: &'static str,
        wanted: usize,
        found: usize,
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
        message: &'static str,
        span: Span,
        operator_right: Span,
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
    /// `case timeout if c`
    CaseCondition { what: &'static str, span: Span },
    /// `select {}`
    EmptySelect { span: Span },
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
    },
    /// `durable var` below other statements or in a block.
    DurablePlace { name: String, span: Span },
    /// No fault has this name.
    UnknownMarker {
        name: String,
        span: Span,
        suggestion: Option<String>,
    },
    /// A fault that this entry cannot suffer.
    WrongMarker {
        name: String,
        /// `a process`, `a rendezvous channel`.
        on: &'static str,
        /// What it can be put on.
        wanted: &'static str,
        span: Span,
    },
    /// A marker on a module instance.
    ModuleMarker {
        module: String,
        entries: Vec<String>,
        span: Span,
        name: String,
    },
    /// The same marker twice.
    MarkerTwice {
        name: String,
        span: Span,
        first: Span,
    },
    /// `@shutdown @restart`
    MarkersExclude { span: Span, first: Span },
    /// `max = -1` or a `limit` of that kind.
    BadBudget { found: String, span: Span },
    /// `limit` on something that has no such marker.
    NotMarked {
        target: String,
        marker: String,
        span: Span,
        declared: Option<Span>,
    },
    /// `max` inside `limit`.
    MaxInLimit { span: Span },
    /// The same fault twice in one `limit`.
    LimitTwice {
        name: String,
        span: Span,
        first: Span,
    },
    /// There is no `init`.
    NoInit { span: Span },
    /// There are two.
    TwoInits { span: Span, first: Span },
    /// It creates no process.
    NoProcess { span: Span },
    /// A declaration that cannot stand here.
    MisplacedDeclaration {
        /// `init`, `a specification`.
        what: &'static str,
        /// `an imported file`, `a module`.
        place: &'static str,
        span: Span,
    },
    /// An entry that is created several times without an index.
    NeedsIndex {
        name: String,
        var: String,
        span: Span,
    },
    /// Elements of one array that are of different kinds.
    MixedArray {
        name: String,
        span: Span,
        first: Span,
    },
    /// An element that is created twice.
    ElementTwice {
        name: String,
        index: i64,
        span: Span,
        first: Span,
    },
    /// Elements that do not cover 0..n-1.
    MissingElement {
        name: String,
        index: i64,
        span: Span,
    },
    /// An array of arrays of channels.
    NestedChannels { span: Span },
    /// A constant index outside an array of channels or entries.
    IndexOutOfBounds {
        index: i64,
        length: usize,
        span: Span,
    },
    /// `x = recv(..)`
    NoResult { op: &'static str, span: Span },
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
            ProcessProblem::ArgumentCount {
                callee,
                wanted,
                found,
                span,
                declared,
            } => Diagnostic::error(
                ARGUMENT_COUNT,
                format!(
                    "`{callee}` takes {}, not {found}",
                    counted(wanted, "argument")
                ),
                span,
            )
            .also(declared, format!("`{callee}` declared here")),
            ProcessProblem::ChannelType {
                name,
                found,
                wanted,
                span,
                declared,
            } => Diagnostic::error(
                CHANNEL_TYPE,
                format!("parameter `{name}` takes `{wanted}`, not `{found}`"),
                span,
            )
            .also(declared, format!("`{name}` declared here")),
            ProcessProblem::ChannelCount {
                found,
                wanted,
                span,
                declared,
            } => Diagnostic::error(
                CHANNEL_TYPE,
                format!(
                    "this array has {}, but {wanted} are needed",
                    counted(found, "channel")
                ),
                span,
            )
            .also(declared, "the parameter declared here"),
            ProcessProblem::FieldCount {
                op,
                wanted,
                found,
                span,
                declared,
            } => Diagnostic::error(
                FIELD_COUNT,
                format!(
                    "`{op}` has {}, but the channel's messages have {}",
                    counted(
                        found,
                        if op.ends_with("send") { "value" } else { "target" }
                    ),
                    counted(wanted, "field")
                ),
                span,
            )
            .also(declared, "channel declared here"),
            ProcessProblem::NoChannel { op, span } => Diagnostic::error(
                FIELD_COUNT,
                format!("`{op}` needs a channel"),
                span,
            )
            .hint(format!("write `{op}(channel, ..)`")),
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
                message,
                span,
                operator_right: _,
            } => Diagnostic::error(
                MESSAGE_IN_SHORT_CIRCUIT,
                format!("`{message}` cannot stand to the right of `{op}`"),
                span,
            )
            .label("might not be performed")
            .hint(format!(
                "move it to the left of `{op}`, or store its result first: `var ok bool = {message}(..)`"
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
            ProcessProblem::CaseCondition { what, span } => {
                Diagnostic::error(BAD_CASE, format!("`{what}` takes no condition"), span)
                    .hint("test it in the block")
            }
            ProcessProblem::EmptySelect { span } => {
                Diagnostic::error(BAD_CASE, "`select` needs at least one case", span)
            }
            ProcessProblem::OutsideLoop { what, span } => {
                Diagnostic::error(OUTSIDE_LOOP, format!("`{what}` outside a loop"), span)
            }
            ProcessProblem::GotoIntoBlock { name, span, label } => Diagnostic::error(
                GOTO_INTO_BLOCK,
                format!("`goto {name}` enters a block"),
                span,
            )
            .also(label, format!("`{name}` is inside a block that does not contain the `goto`"))
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
                suggestion,
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
            ProcessProblem::UnknownMarker {
                name,
                span,
                suggestion,
            } => {
                let d =
                    Diagnostic::error(UNKNOWN_MARKER, format!("unknown fault `@{name}`"), span);
                match suggestion {
                    Some(near) => d.hint(format!("did you mean `@{near}`?")),
                    None => d.hint(
                        "use one of `@shutdown`, `@restart`, `@drop`, `@duplicate`, `@reorder`, `@corrupt`",
                    ),
                }
            }
            ProcessProblem::WrongMarker {
                name,
                on,
                wanted,
                span,
            } => Diagnostic::error(
                WRONG_MARKER,
                format!("`@{name}` cannot happen to {on}"),
                span,
            )
            .hint(format!("put it on {wanted}, or remove it")),
            ProcessProblem::ModuleMarker {
                module,
                entries,
                span,
                name,
            } => {
                let d = Diagnostic::error(
                    WRONG_MARKER,
                    format!("`@{name}` cannot happen to a module"),
                    span,
                );
                if entries.is_empty() {
                    d.hint("mark the entries of its `init`")
                } else {
                    d.hint(format!(
                        "mark {} inside `{module}`",
                        listed(&entries, "or")
                    ))
                }
            }
            ProcessProblem::MarkerTwice { name, span, first } => {
                Diagnostic::error(MARKER_CLASH, format!("`@{name}` stands here twice"), span)
                    .also(first, "the first is here")
                    .hint("remove one of them")
            }
            ProcessProblem::MarkersExclude { span, first } => Diagnostic::error(
                MARKER_CLASH,
                "`@restart` includes what `@shutdown` can do",
                span,
            )
            .also(first, "the other is here")
            .hint("keep one of the two"),
            ProcessProblem::BadBudget { found, span } => Diagnostic::error(
                BAD_BUDGET,
                format!("a number of faults is 0 or more, not {found}"),
                span,
            ),
            ProcessProblem::NotMarked {
                target,
                marker,
                span,
                declared,
            } => {
                let d = Diagnostic::error(
                    NOT_MARKED,
                    format!("`{target}` is not marked `@{marker}`"),
                    span,
                );
                match declared {
                    Some(declared) => d
                        .also(declared, format!("`{target}` declared here"))
                        .hint(format!("add `@{marker}` to its entry")),
                    None => d,
                }
            }
            ProcessProblem::MaxInLimit { span } => Diagnostic::error(
                BAD_BUDGET,
                "`max` belongs to the entry, not to `limit`",
                span,
            )
            .hint("remove it: the number after `limit` bounds all these faults together"),
            ProcessProblem::LimitTwice { name, span, first } => Diagnostic::error(
                MARKER_CLASH,
                format!("`{name}` is counted twice"),
                span,
            )
            .also(first, "the first is here")
            .hint("remove one of them"),
            ProcessProblem::NoInit { span } => {
                Diagnostic::error(BAD_INIT, "the model has no `init`", span)
                    .hint("add `init { name: Proc(..) }`")
            }
            ProcessProblem::TwoInits { span, first } => {
                Diagnostic::error(BAD_INIT, "second `init`", span)
                    .also(first, "the first is here")
                    .hint("move its entries into the first")
            }
            ProcessProblem::NoProcess { span } => {
                Diagnostic::error(BAD_INIT, "`init` creates no process", span)
                    .hint("add an entry `name: Proc(..)`")
            }
            ProcessProblem::MisplacedDeclaration { what, place, span } => Diagnostic::error(
                MISPLACED_DECLARATION,
                format!("{what} cannot stand in {place}"),
                span,
            )
            .hint("move it to the top level of the main file"),
            ProcessProblem::NeedsIndex { name, var, span } => Diagnostic::error(
                BAD_REPLICATION,
                format!("`{name}` is created several times"),
                span,
            )
            .hint(format!("write `{name}[{var}]`")),
            ProcessProblem::MixedArray { name, span, first } => Diagnostic::error(
                BAD_REPLICATION,
                format!("the elements of `{name}` are of different kinds"),
                span,
            )
            .also(first, "the first is here"),
            ProcessProblem::ElementTwice {
                name,
                index,
                span,
                first,
            } => Diagnostic::error(
                BAD_REPLICATION,
                format!("`{name}[{index}]` is created twice"),
                span,
            )
            .also(first, "the first is here"),
            ProcessProblem::MissingElement { name, index, span } => Diagnostic::error(
                BAD_REPLICATION,
                if index < 0 {
                    format!("`{name}[{index}]` has a negative index")
                } else {
                    format!("`{name}[{index}]` is missing")
                },
                span,
            )
            .hint("number the elements 0, 1, 2 and so on"),
            ProcessProblem::NestedChannels { span } => Diagnostic::error(
                BAD_REPLICATION,
                "an array of arrays of channels cannot be made",
                span,
            )
            .hint("use one array and compute the index"),
            ProcessProblem::IndexOutOfBounds {
                index,
                length,
                span,
            } => Diagnostic::error(
                INDEX_OUT_OF_BOUNDS,
                format!(
                    "index {index} is out of bounds: the array has {}",
                    counted(length, "element")
                ),
                span,
            ),
            ProcessProblem::NoResult { op, span } => {
                Diagnostic::error(NO_RESULT, format!("`{op}` yields no value"), span).hint(
                    match op {
                        "send" => {
                            "use `timeout_send` or `nonblock_send`, or make it a statement of its own"
                        }
                        "peek" => {
                            "use `timeout_peek` or `nonblock_peek`, or make it a statement of its own"
                        }
                        _ => {
                            "use `timeout_recv` or `nonblock_recv`, or make it a statement of its own"
                        }
                    },
                )
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
