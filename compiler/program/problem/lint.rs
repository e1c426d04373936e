//! S07xx: legal, but probably not what was meant. All are warnings.

use super::listed;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    UNUSED_VARIABLE,
    UNUSED_CHANNEL,
    UNUSED_PROC,
    UNUSED_PARAMETER,
    UNUSED_CONSTRUCTOR,
    UNREACHABLE,
    BARE_INT,
    STEP_COUNTING,
    ONE_SIDED_CHANNEL,
    IDLE_MARKER,
    CONSTANT_CONDITION,
    SURPRISING_ALIAS,
    ALWAYS_FAILS,
    NEVER_COMES,
    ENDS_BEFORE,
    IDLE_DETECTOR,
    NEVER_TOGETHER,
    BREAK_IN_SWITCH,
];

const UNUSED_VARIABLE: Code = Code("S0701");
const UNUSED_CHANNEL: Code = Code("S0702");
const UNUSED_PROC: Code = Code("S0703");
const UNUSED_PARAMETER: Code = Code("S0704");
const UNUSED_CONSTRUCTOR: Code = Code("S0705");
const UNREACHABLE: Code = Code("S0706");
const BARE_INT: Code = Code("S0707");
const STEP_COUNTING: Code = Code("S0708");
const ONE_SIDED_CHANNEL: Code = Code("S0709");
const IDLE_MARKER: Code = Code("S0710");
const CONSTANT_CONDITION: Code = Code("S0711");
const SURPRISING_ALIAS: Code = Code("S0712");
const ALWAYS_FAILS: Code = Code("S0713");
const NEVER_COMES: Code = Code("S0714");
const ENDS_BEFORE: Code = Code("S0715");
const IDLE_DETECTOR: Code = Code("S0716");
const NEVER_TOGETHER: Code = Code("S0717");
const BREAK_IN_SWITCH: Code = Code("S0730");

/// Something suspicious.
pub enum Lint {
    /// An atomic block with two sends of which only one can suffer a fault.
    NeverTogether { span: Span },
    /// A detector of a process that cannot crash, and that does not err either.
    IdleDetector {
        name: String,
        watched: String,
        span: Span,
    },
    /// A variable that nothing reads.
    UnusedVariable {
        name: String,
        /// Whether something writes it.
        written: bool,
        span: Span,
    },
    /// A channel that no process uses.
    UnusedChannel { name: String, span: Span },
    /// A proc or module of which there is no instance.
    UnusedProc {
        name: String,
        what: &'static str,
        span: Span,
    },
    /// A parameter that its proc or module does not use.
    UnusedParameter { name: String, span: Span },
    /// A constructor that is never written.
    UnusedConstructor {
        name: String,
        data: String,
        span: Span,
    },
    /// A constructor that is compared with, but that nothing yields.
    NeverProduced {
        name: String,
        data: String,
        span: Span,
        compared: Span,
    },
    /// Constructors that are sent, but that no receiver tells apart.
    NeverCompared {
        names: Vec<String>,
        channel: String,
        span: Span,
        sent: Span,
    },
    /// A statement that no run gets to.
    Unreachable { span: Span, after: Span },
    /// `int`
    BareInt { span: Span },
    /// `X`, `Y`, `Z`
    StepCounting { op: &'static str, span: Span },
    /// A channel that is only sent on or only received from.
    OneSided {
        name: String,
        /// `receives from`, `sends on`
        missing: &'static str,
        span: Span,
    },
    /// A fault that cannot happen.
    IdleMarker {
        marker: String,
        why: String,
        span: Span,
    },
    /// Timing whose event cannot happen.
    NeverComes {
        word: &'static str,
        why: String,
        span: Span,
    },
    /// `until` that is over when `from` comes.
    EndsBefore { span: Span },
    /// A condition that is always the same.
    ConstantCondition { value: bool, span: Span },
    /// A marker under a name that promises something else.
    SurprisingAlias {
        alias: &'static str,
        name: String,
        warning: &'static str,
        span: Span,
    },
    /// A check that cannot succeed.
    AlwaysFails { why: String, span: Span },
    /// In Go, this leaves the `switch`.
    BreakInSwitch { span: Span },
}

impl From<Lint> for Diagnostic {
    fn from(lint: Lint) -> Diagnostic {
        match lint {
            Lint::UnusedVariable {
                name,
                written: false,
                span,
            } => Diagnostic::warning(
                UNUSED_VARIABLE,
                format!("variable `{name}` is never used"),
                span,
            )
            .hint(format!("remove it, or call it `_{name}`")),
            Lint::UnusedVariable {
                name,
                written: true,
                span,
            } => Diagnostic::warning(
                UNUSED_VARIABLE,
                format!("variable `{name}` is never read"),
                span,
            )
            .hint(format!(
                "remove it (`_` discards a received field), or call it `_{name}`"
            )),
            Lint::UnusedChannel { name, span } => Diagnostic::warning(
                UNUSED_CHANNEL,
                format!("channel `{name}` is never used"),
                span,
            )
            .hint(format!("remove it, or call it `_{name}`")),
            Lint::UnusedProc {
                name,
                what: "fault",
                span,
            } => Diagnostic::warning(
                UNUSED_PROC,
                format!("nothing is marked with `@{name}`"),
                span,
            )
            .hint(format!("mark an entry with it, or call it `_{name}`")),
            Lint::UnusedProc { name, what, span } => Diagnostic::warning(
                UNUSED_PROC,
                format!("{what} `{name}` has no instance"),
                span,
            )
            .hint(format!("add an entry to `init`, or call it `_{name}`")),
            Lint::UnusedParameter { name, span } => Diagnostic::warning(
                UNUSED_PARAMETER,
                format!("parameter `{name}` is never used"),
                span,
            )
            .hint(format!("remove it, or call it `_{name}`")),
            Lint::UnusedConstructor { name, data, span } => Diagnostic::warning(
                UNUSED_CONSTRUCTOR,
                format!("constructor `{name}` of `{data}` is never used"),
                span,
            )
            .hint(format!("remove it, or call it `_{name}`")),
            Lint::NeverProduced {
                name,
                data,
                span,
                compared,
            } => Diagnostic::warning(
                UNUSED_CONSTRUCTOR,
                format!("constructor `{name}` of `{data}` is never sent or stored"),
                span,
            )
            .also(compared, "so this comparison is always the same"),
            Lint::NeverCompared {
                names,
                channel,
                span,
                sent,
            } => Diagnostic::warning(
                UNUSED_CONSTRUCTOR,
                format!("{} are sent but never compared", listed(&names, "and")),
                span,
            )
            .also(sent, format!("no receiver of `{channel}` tells them apart")),
            Lint::Unreachable { span, after } => {
                Diagnostic::warning(UNREACHABLE, "this statement is never reached", span)
                    .also(after, "nothing continues after this")
            }
            Lint::BareInt { span } => {
                Diagnostic::warning(BARE_INT, "`int` means `0..8`", span)
                    .hint("write the range that is needed, such as `0..8`")
            }
            Lint::StepCounting { op, span } => Diagnostic::warning(
                STEP_COUNTING,
                format!("`{op}` counts steps of the whole system"),
                span,
            )
            .note("what is one step depends on how statements are written, and the model is not simplified")
            .hint("use `F`, `G` or `U`, which do not count"),
            Lint::OneSided {
                name,
                missing,
                span,
            } => Diagnostic::warning(
                ONE_SIDED_CHANNEL,
                format!("no process {missing} channel `{name}`"),
                span,
            ),
            Lint::IdleMarker { marker, why, span } => Diagnostic::warning(
                IDLE_MARKER,
                format!("`@{marker}` has no effect here: {why}"),
                span,
            )
            .hint("remove it"),
            Lint::NeverComes { word, why, span } => Diagnostic::warning(
                NEVER_COMES,
                format!("the event of `{word}` never comes: {why}"),
                span,
            )
            .note(match word {
                "from" => "the fault never happens",
                _ => "the fault does not end",
            })
            .hint("name an event that can happen, or remove the marker"),
            Lint::EndsBefore { span } => Diagnostic::warning(
                ENDS_BEFORE,
                "`until` comes before `from`",
                span,
            )
            .note("an event ends a fault only while it is active, so this one does not end")
            .hint("exchange the two events"),
            Lint::IdleDetector { name, watched, span } => Diagnostic::warning(
                IDLE_DETECTOR,
                format!("`{name}` never suspects anybody: `{watched}` cannot crash"),
                span,
            )
            .hint(format!("mark `{watched}` with a fault that crashes it, or `{name}` with one that makes it err")),
            Lint::ConstantCondition { value, span } => Diagnostic::warning(
                CONSTANT_CONDITION,
                format!("this condition is always {value}"),
                span,
            ),
            Lint::SurprisingAlias {
                alias,
                name,
                warning,
                span,
            } => Diagnostic::warning(
                SURPRISING_ALIAS,
                format!("`@{alias}` means `@{name}`"),
                span,
            )
            .note(warning)
            .hint(format!("write `@{name}`")),
            Lint::NeverTogether { span } => Diagnostic::warning(
                NEVER_TOGETHER,
                "of the sends in this atomic block at most one can suffer a fault",
                span,
            )
            .hint("write the sends that may be lost independently as steps of their own"),
            Lint::BreakInSwitch { span } => Diagnostic::warning(
                BREAK_IN_SWITCH,
                "this `break` leaves the loop around the `switch`",
                span,
            )
            .hint("remove it if the case should just end; or give the loop's end a label, and write `goto`"),
            Lint::AlwaysFails { why, span } => {
                Diagnostic::warning(ALWAYS_FAILS, format!("this always fails: {why}"), span)
            }
        }
    }
}
