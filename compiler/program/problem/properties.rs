//! S06xx: specifications.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::vocabulary::Level;

/// The codes of this family.
pub const CODES: &[Code] = &[
    TEMPORAL,
    CTL_FORM,
    SPEC_NAME,
    DIVISOR,
    INDEX,
    BUFFER_STATE,
    BARE_ENTRY,
    SHIFT,
    TOLERANT,
    SEVERAL_LINES,
    EVENT,
    PROTOCOL,
    KNOWLEDGE,
];

const TEMPORAL: Code = Code("S0601");
const CTL_FORM: Code = Code("S0602");
const SPEC_NAME: Code = Code("S0603");
const DIVISOR: Code = Code("S0604");
const INDEX: Code = Code("S0605");
const BUFFER_STATE: Code = Code("S0606");
const BARE_ENTRY: Code = Code("S0607");
const SHIFT: Code = Code("S0608");
const TOLERANT: Code = Code("S0610");
const SEVERAL_LINES: Code = Code("S0609");
const EVENT: Code = Code("S0612");
const PROTOCOL: Code = Code("S0611");
const KNOWLEDGE: Code = Code("S0613");

/// A problem with a specification.
pub enum PropertyProblem {
    /// A temporal operator where none, or not this one, can stand.
    Temporal {
        op: &'static str,
        /// The keyword of the block.
        kind: &'static str,
        span: Span,
    },
    /// A temporal operator inside a comparison or a sum.
    TemporalOperand { op: &'static str, span: Span },
    /// `U` without `A` or `E` in `ctl`.
    BareUntil { span: Span },
    /// `A (e)` where e is no `p U q`.
    PathForm { op: &'static str, span: Span },
    /// A name that the built-in properties have.
    ReservedName { name: String, span: Span },
    /// Two specifications of one name.
    DuplicateName {
        name: String,
        span: Span,
        first: Span,
        /// Whether the first has no name written, and this is its made name.
        made: bool,
    },
    /// A divisor that is not a constant, or is 0.
    Divisor { zero: bool, span: Span },
    /// An index that may be outside.
    Index {
        lo: i64,
        hi: i64,
        length: u32,
        span: Span,
    },
    /// A shift count that may be outside.
    Shift { lo: i64, hi: i64, span: Span },
    /// `len(ch)` of a rendezvous channel.
    NoBuffer {
        function: &'static str,
        channel: String,
        span: Span,
        declared: Span,
    },
    /// `tolerant` without faults.
    NoFaults { span: Span },
    /// Faults after the name of something else.
    NotTolerant { kind: &'static str, span: Span },
    /// A word other than `at` before the level of `tolerant`.
    LevelWord { word: String, span: Span },
    /// A level of `tolerant` that does not exist.
    UnknownLevel {
        name: String,
        suggestion: Option<String>,
        span: Span,
    },
    /// Several lines in a specification that says one thing.
    SeveralLines { kind: &'static str, span: Span },
    /// An event without its channel or process.
    EventForm { form: String, span: Span },
    /// Something that is not known while the step of an event is taken.
    BesideEvent { what: &'static str, span: Span },
    /// What cannot stand in the body of a protocol.
    NotConduct {
        /// `` `if` ``
        what: String,
        span: Span,
    },
    /// An event that a protocol is not about.
    NoLetter { text: String, on: Span, span: Span },
    /// An operator about knowledge that is written otherwise.
    KnowledgeForm { form: String, span: Span },
    /// An operator about knowledge where none can stand.
    NoKnowledge {
        word: String,
        place: &'static str,
        span: Span,
    },
    /// Something that no process sees.
    NotSeen { span: Span },
    /// Two views of one process.
    TwoViews {
        name: String,
        span: Span,
        first: Span,
    },
    /// A fault that is not in the set that it may be taken for.
    AmongOthers { fault: String, span: Span },
    /// `p` alone.
    BareEntry {
        name: String,
        /// `a process`
        what: &'static str,
        hint: String,
        span: Span,
    },
}

impl From<PropertyProblem> for Diagnostic {
    fn from(problem: PropertyProblem) -> Diagnostic {
        match problem {
            PropertyProblem::Temporal { op, kind, span } => Diagnostic::error(
                TEMPORAL,
                format!("`{op}` cannot stand in `{kind}`"),
                span,
            )
            .hint(match kind {
                "ctl" => "use `AX AG AF EX EG EF`, `A (p U q)` or `E (p U q)`, or make it an `ltl`",
                "ltl" | "assume" => "use `X G F U V S T Y Z H O`, or make it a `ctl`",
                "tolerant" => "write a condition that is true or false in a state: its levels speak about runs",
                _ => "make it an `ltl` or a `ctl`",
            }),
            PropertyProblem::TemporalOperand { op, span } => Diagnostic::error(
                TEMPORAL,
                format!("`{op}` makes a formula, which has no value here"),
                span,
            )
            .hint("join formulas with `!`, `&&`, `||`, `->` and `<->`"),
            PropertyProblem::BareUntil { span } => {
                Diagnostic::error(CTL_FORM, "`U` in `ctl` needs `A` or `E` before it", span)
                    .hint("write `A (p U q)` or `E (p U q)`")
            }
            PropertyProblem::PathForm { op, span } => Diagnostic::error(
                CTL_FORM,
                format!("`{op}` needs `p U q` in its parentheses"),
                span,
            )
            .hint(format!(
                "write `{op} (p U q)`, or use `{op}X`, `{op}G` or `{op}F`"
            )),
            PropertyProblem::ReservedName { name, span } => Diagnostic::error(
                SPEC_NAME,
                format!("`{name}` is the name of a built-in property"),
                span,
            )
            .hint("choose another name"),
            PropertyProblem::DuplicateName {
                name,
                span,
                first,
                made,
            } => Diagnostic::error(
                SPEC_NAME,
                format!("second specification named `{name}`"),
                span,
            )
            .also(
                first,
                if made {
                    format!("without a name, so it is called `{name}`")
                } else {
                    "the first is here".into()
                },
            )
            .hint("choose another name"),
            PropertyProblem::Divisor { zero, span } => {
                if zero {
                    Diagnostic::error(DIVISOR, "division by zero", span)
                } else {
                    Diagnostic::error(
                        DIVISOR,
                        "a divisor in a specification must be constant",
                        span,
                    )
                    .hint("divide by a number or a constant")
                }
            }
            PropertyProblem::Index {
                lo,
                hi,
                length,
                span,
            } => Diagnostic::error(
                INDEX,
                if lo == hi {
                    format!("index {lo} is out of bounds")
                } else {
                    "this index may be out of bounds".into()
                },
                span,
            )
            .label(if lo == hi {
                format!("the array has elements 0..{}", length - 1)
            } else {
                format!(
                    "ranges over {lo}..{hi}; the array has elements 0..{}",
                    length - 1
                )
            }),
            PropertyProblem::Shift { lo, hi, span } => {
                Diagnostic::error(SHIFT, "this shift count may be outside 0..31", span)
                    .label(format!("ranges over {lo}..{hi}"))
            }
            PropertyProblem::NoBuffer {
                function,
                channel,
                span,
                declared,
            } => Diagnostic::error(
                BUFFER_STATE,
                format!("`{function}` is for buffered channels, and `{channel}` has no buffer"),
                span,
            )
            .also(declared, format!("`{channel}` declared here")),
            PropertyProblem::NoFaults { span } => {
                Diagnostic::error(TOLERANT, "`tolerant` needs the faults to bear", span).hint(
                    "write them after the name, as in `tolerant safe to f { .. }`, or `to any`",
                )
            }
            PropertyProblem::NotTolerant { kind, span } => Diagnostic::error(
                TOLERANT,
                format!("`{kind}` is about all faults, and names none"),
                span,
            )
            .hint("make it `tolerant`, or remove `to` and the faults"),
            PropertyProblem::LevelWord { word, span } => Diagnostic::error(
                TOLERANT,
                format!("`{word}` cannot stand after the faults of `tolerant`"),
                span,
            )
            .hint("write `at` and the level, or a comma and another fault"),
            PropertyProblem::UnknownLevel {
                name,
                suggestion,
                span,
            } => Diagnostic::error(TOLERANT, format!("there is no level `{name}`"), span).hint(
                match suggestion {
                    Some(meant) => format!("write `{meant}`"),
                    None => format!("choose from {}", Level::ALL.map(Level::as_str).join(", ")),
                },
            ),
            PropertyProblem::SeveralLines { kind, span } => Diagnostic::error(
                SEVERAL_LINES,
                format!("`{kind}` says one thing"),
                span,
            )
            .label("a second one")
            .hint("join them with `&&`; one after the other is for `reachable` and `unreachable`"),
            PropertyProblem::EventForm { form, span } => {
                Diagnostic::error(EVENT, "this is no event", span)
                    .hint(format!("write `{form}`"))
            }
            PropertyProblem::BesideEvent { what, span } => Diagnostic::error(
                EVENT,
                match what {
                    "waiting" => "who waits is not known while the step of an event is taken",
                    "knowledge" => "what is known is not known while the step of an event is taken",
                    _ => "an event cannot be compared with a message",
                },
                span,
            )
            .hint(match what {
                "waiting" => "ask for it on a line of its own, or in another specification",
                "knowledge" => "ask for it in a specification of one line",
                _ => "join two events with `&&`",
            }),
            PropertyProblem::NotConduct { what, span } => Diagnostic::error(
                PROTOCOL,
                format!("{what} cannot stand in a protocol"),
                span,
            )
            .hint("write `sent(ch, ..)`, `received(ch, ..)`, `choice`, `for { }`, `for i in range`, `skip` or a block"),
            PropertyProblem::NoLetter { text, on, span } => Diagnostic::error(
                PROTOCOL,
                format!("this protocol never sees `{text}`"),
                span,
            )
            .also(on, "it is about these")
            .hint("name the channel, or the process that sends, after `on`"),
            PropertyProblem::KnowledgeForm { form, span } => Diagnostic::error(
                KNOWLEDGE,
                "who knows what is asked otherwise",
                span,
            )
            .hint(format!("write `{form}`")),
            PropertyProblem::NoKnowledge { word, place, span } => Diagnostic::error(
                KNOWLEDGE,
                format!("`{word}` cannot stand in {place}"),
                span,
            )
            .hint("what is known is worked out from all runs, so it cannot choose among them"),
            PropertyProblem::NotSeen { span } => {
                Diagnostic::error(KNOWLEDGE, "a process cannot see this", span).hint(
                    "list its variables and parameters, `location`, `suspects(d)`, or `begun(f)` and the like",
                )
            }
            PropertyProblem::TwoViews { name, span, first } => Diagnostic::error(
                KNOWLEDGE,
                format!("second view of `{name}`"),
                span,
            )
            .also(first, "the first is here")
            .hint("join the two lists"),
            PropertyProblem::AmongOthers { fault, span } => Diagnostic::error(
                KNOWLEDGE,
                format!("`{fault}` is not among the faults it may be taken for"),
                span,
            )
            .hint(format!("add `{fault}` to the set after `as`")),
            PropertyProblem::BareEntry {
                name,
                what,
                hint,
                span,
            } => Diagnostic::error(
                BARE_ENTRY,
                format!("`{name}` is {what}, which is neither true nor false"),
                span,
            )
            .hint(hint),
        }
    }
}
