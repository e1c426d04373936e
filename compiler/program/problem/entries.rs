//! S05xx: the entries of `init`, their arguments and markers.

use super::{counted, listed, suggest};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    ARGUMENT_COUNT,
    CHANNEL_TYPE,
    UNKNOWN_MARKER,
    WRONG_MARKER,
    MARKER_CLASH,
    BAD_BUDGET,
    NOT_MARKED,
    BAD_INIT,
    MISPLACED_DECLARATION,
    BAD_REPLICATION,
    INDEX_OUT_OF_BOUNDS,
    MARKER_ARGUMENT,
    FAULT_NAME,
    NO_EVENT,
];

const ARGUMENT_COUNT: Code = Code("S0501");
const CHANNEL_TYPE: Code = Code("S0502");
const UNKNOWN_MARKER: Code = Code("S0515");
const WRONG_MARKER: Code = Code("S0516");
const MARKER_CLASH: Code = Code("S0517");
const BAD_BUDGET: Code = Code("S0518");
const NOT_MARKED: Code = Code("S0519");
const BAD_INIT: Code = Code("S0520");
const MISPLACED_DECLARATION: Code = Code("S0521");
const BAD_REPLICATION: Code = Code("S0522");
const INDEX_OUT_OF_BOUNDS: Code = Code("S0523");
const MARKER_ARGUMENT: Code = Code("S0526");
const FAULT_NAME: Code = Code("S0527");
const NO_EVENT: Code = Code("S0528");

/// A problem with an entry of `init`, or a marker.
pub enum EntryProblem {
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
    ElementCount {
        /// `channel`
        what: &'static str,
        found: usize,
        wanted: u32,
        span: Span,
        declared: Span,
    },
    /// No fault has this name.
    UnknownMarker {
        name: String,
        known: Vec<String>,
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
    /// Two markers of which one includes the other.
    MarkersExclude {
        more: String,
        less: String,
        span: Span,
        first: Span,
    },
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
    /// An argument that the marker does not take.
    MarkerArgument {
        marker: String,
        /// As written.
        argument: String,
        span: Span,
        hint: String,
    },
    /// `p = 2`
    Probability { span: Span },
    /// `loses = [x]`, where x is no durable variable of the process.
    NotDurable {
        name: String,
        process: String,
        span: Span,
        /// If it is a variable: where.
        declared: Option<Span>,
        /// Those that are durable.
        durable: Vec<String>,
    },
    /// Two arguments of a marker that do not go together.
    ArgumentsClash {
        one: String,
        other: String,
        span: Span,
        first: Span,
    },
    /// `always` on a fault that cannot happen at every trigger.
    NeverAlways { marker: String, span: Span },
    /// A marker that must name a variable.
    NeedsVariable { marker: String, span: Span },
    /// Too many or too few values in a marker.
    ValueCount {
        marker: String,
        least: usize,
        most: usize,
        found: usize,
        span: Span,
    },
    /// A variable that the fault cannot happen to.
    WrongVariable {
        marker: String,
        wanted: &'static str,
        found: String,
        span: Span,
        /// A part of it that would do better, if it has parts.
        part: Option<String>,
    },
    /// What is no event.
    NoEvent { span: Span },
    /// An event with too many or too few patterns.
    EventFields {
        wanted: usize,
        found: usize,
        span: Span,
    },
    /// Two faults of one name.
    FaultTwice {
        name: String,
        span: Span,
        first: Span,
    },
    /// A list of entries whose fault has no name.
    UnnamedList { span: Span },
    /// `as` where a fault is only mentioned.
    MisplacedAlias { span: Span },
    /// No fault of this description.
    UnknownFault {
        name: String,
        span: Span,
        suggestion: Option<String>,
    },
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
}

impl From<EntryProblem> for Diagnostic {
    fn from(problem: EntryProblem) -> Diagnostic {
        match problem {
            EntryProblem::ArgumentCount {
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
            EntryProblem::ChannelType {
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
            EntryProblem::ElementCount {
                what,
                found,
                wanted,
                span,
                declared,
            } => Diagnostic::error(
                CHANNEL_TYPE,
                format!(
                    "this array has {}, but {wanted} {} needed",
                    counted(found, what),
                    if wanted == 1 { "is" } else { "are" }
                ),
                span,
            )
            .also(declared, "the parameter declared here"),
            EntryProblem::UnknownMarker {
                name,
                known,
                span,
                suggestion,
            } => {
                let d = Diagnostic::error(UNKNOWN_MARKER, format!("unknown fault `@{name}`"), span);
                match suggestion {
                    Some(near) => d.hint(format!("did you mean `@{near}`?")),
                    None => {
                        let known: Vec<String> = known.iter().map(|n| format!("`@{n}`")).collect();
                        d.hint(format!("use one of {}", known.join(", ")))
                    }
                }
            }
            EntryProblem::WrongMarker {
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
            EntryProblem::ModuleMarker {
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
                    d.hint(format!("mark {} inside `{module}`", listed(&entries, "or")))
                }
            }
            EntryProblem::MarkerTwice { name, span, first } => {
                Diagnostic::error(MARKER_CLASH, format!("`@{name}` stands here twice"), span)
                    .also(first, "the first is here")
                    .hint("remove one of them")
            }
            EntryProblem::MarkersExclude {
                more,
                less,
                span,
                first,
            } => Diagnostic::error(
                MARKER_CLASH,
                format!("`@{more}` includes what `@{less}` can do"),
                span,
            )
            .also(first, "the other is here")
            .hint("keep one of the two"),
            EntryProblem::BadBudget { found, span } => Diagnostic::error(
                BAD_BUDGET,
                format!("a number of faults is 0 or more, not {found}"),
                span,
            ),
            EntryProblem::NotMarked {
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
            EntryProblem::MaxInLimit { span } => Diagnostic::error(
                BAD_BUDGET,
                "`max` belongs to the entry, not to `limit`",
                span,
            )
            .hint("remove it: the number after `limit` bounds all these faults together"),
            EntryProblem::MarkerArgument {
                marker,
                argument,
                span,
                hint,
            } => Diagnostic::error(
                MARKER_ARGUMENT,
                format!("`@{marker}` does not take `{argument}`"),
                span,
            )
            .hint(hint),
            EntryProblem::Probability { span } => Diagnostic::error(
                MARKER_ARGUMENT,
                "a probability is a number from 0 to 1",
                span,
            )
            .hint("write it with a point, as in `p = 0.001`"),
            EntryProblem::NotDurable {
                name,
                process,
                span,
                declared,
                durable,
            } => {
                let text = format!("`{name}` is no durable variable of `{process}`");
                let problem = Diagnostic::error(MARKER_ARGUMENT, text, span);
                match (declared, durable.as_slice()) {
                    (Some(declared), _) => problem
                        .also(declared, "lost in every crash")
                        .hint("remove it: only what is `durable` would survive"),
                    (None, []) => problem.hint("remove it: it has no `durable var`"),
                    (None, all) => {
                        problem.hint(format!("its durable variables are `{}`", all.join("`, `")))
                    }
                }
            }
            EntryProblem::ArgumentsClash {
                one,
                other,
                span,
                first,
            } => Diagnostic::error(
                MARKER_ARGUMENT,
                match one == other {
                    true => format!("`{one}` stands here twice"),
                    false => format!("`{one}` and `{other}` do not go together"),
                },
                span,
            )
            .also(first, format!("`{other}` is here"))
            .hint("remove one of them"),
            EntryProblem::NeverAlways { marker, span } => Diagnostic::error(
                MARKER_ARGUMENT,
                format!("`@{marker}` cannot happen at every occasion"),
                span,
            )
            .hint("remove `always` or `permanent`: it happens now and then"),
            EntryProblem::NeedsVariable { marker, span } => Diagnostic::error(
                MARKER_ARGUMENT,
                format!("`@{marker}` needs to know which variable it happens to"),
                span,
            )
            .hint(format!("name it, as in `@{marker}(x)`")),
            EntryProblem::ValueCount {
                marker,
                least,
                most,
                found,
                span,
            } => {
                let wanted = match (least, most) {
                    (0, 0) => "no value".to_owned(),
                    _ if least == most => counted(least, "value"),
                    _ => format!("{least} or {}", counted(most, "value")),
                };
                let text = format!("`@{marker}` takes a variable and {wanted}, not {found}");
                Diagnostic::error(MARKER_ARGUMENT, text, span)
            }
            EntryProblem::WrongVariable {
                marker,
                wanted,
                found,
                span,
                part,
            } => {
                let text = format!("`@{marker}` happens to {wanted}, not to {found}");
                let d = Diagnostic::error(MARKER_ARGUMENT, text, span);
                match part {
                    Some(part) => d.hint(format!("name a part of it, as in `{part}`")),
                    None => d,
                }
            }
            EntryProblem::NoEvent { span } => Diagnostic::error(NO_EVENT, "this is no event", span)
                .hint("write `p@label`, `sent(ch)`, `received(ch)`, `injected(f)`, or `any`"),
            EntryProblem::EventFields {
                wanted,
                found,
                span,
            } => Diagnostic::error(
                NO_EVENT,
                format!(
                    "a message of this channel has {}, not {found}",
                    counted(wanted, "field")
                ),
                span,
            )
            .hint("write a pattern for each, `_` where anything will do, or none at all"),
            EntryProblem::FaultTwice { name, span, first } => Diagnostic::error(
                FAULT_NAME,
                format!("another fault is called `{name}` already"),
                span,
            )
            .also(first, "the first is here")
            .hint("remove one of them, or give it a name of its own with `as`"),
            EntryProblem::UnnamedList { span } => Diagnostic::error(
                FAULT_NAME,
                "the fault of several entries needs a name",
                span,
            )
            .hint("add one after the marker: `as` and a name"),
            EntryProblem::MisplacedAlias { span } => Diagnostic::error(
                FAULT_NAME,
                "a fault gets its name where it is marked, not in `limit`",
                span,
            )
            .hint("move `as ..` to the marker of the entry"),
            EntryProblem::UnknownFault {
                name,
                span,
                suggestion,
            } => suggest(
                Diagnostic::error(FAULT_NAME, format!("no fault is called `{name}`"), span),
                suggestion,
            ),
            EntryProblem::LimitTwice { name, span, first } => {
                Diagnostic::error(MARKER_CLASH, format!("`{name}` is counted twice"), span)
                    .also(first, "the first is here")
                    .hint("remove one of them")
            }
            EntryProblem::NoInit { span } => {
                Diagnostic::error(BAD_INIT, "the model has no `init`", span)
                    .hint("add `init { name: Proc(..) }`")
            }
            EntryProblem::TwoInits { span, first } => {
                Diagnostic::error(BAD_INIT, "second `init`", span)
                    .also(first, "the first is here")
                    .hint("move its entries into the first")
            }
            EntryProblem::NoProcess { span } => {
                Diagnostic::error(BAD_INIT, "`init` creates no process", span)
                    .hint("add an entry `name: Proc(..)`")
            }
            EntryProblem::MisplacedDeclaration { what, place, span } => Diagnostic::error(
                MISPLACED_DECLARATION,
                format!("{what} cannot stand in {place}"),
                span,
            )
            .hint("move it to the top level of the main file"),
            EntryProblem::NeedsIndex { name, var, span } => Diagnostic::error(
                BAD_REPLICATION,
                format!("`{name}` is created several times"),
                span,
            )
            .hint(format!("write `{name}[{var}]`")),
            EntryProblem::MixedArray { name, span, first } => Diagnostic::error(
                BAD_REPLICATION,
                format!("the elements of `{name}` are of different kinds"),
                span,
            )
            .also(first, "the first is here"),
            EntryProblem::ElementTwice {
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
            EntryProblem::MissingElement { name, index, span } => Diagnostic::error(
                BAD_REPLICATION,
                if index < 0 {
                    format!("`{name}[{index}]` has a negative index")
                } else {
                    format!("`{name}[{index}]` is missing")
                },
                span,
            )
            .hint("number the elements 0, 1, 2 and so on"),
            EntryProblem::NestedChannels { span } => Diagnostic::error(
                BAD_REPLICATION,
                "an array of arrays of channels cannot be made",
                span,
            )
            .hint("use one array and compute the index"),
            EntryProblem::IndexOutOfBounds {
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
        }
    }
}
