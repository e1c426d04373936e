//! S043x: records, messages that carry fields, patterns and `switch`.

use super::{counted, listed, suggest};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    FIELDS,
    CONSTRUCTOR,
    FIELD_TYPE,
    PATTERN,
    NOT_COVERED,
    COVERED_TWICE,
    BOUND,
    OUT_OF_RANGE,
    PARTS,
];

const FIELDS: Code = Code("S0430");
const CONSTRUCTOR: Code = Code("S0431");
const FIELD_TYPE: Code = Code("S0432");
const PATTERN: Code = Code("S0433");
const NOT_COVERED: Code = Code("S0434");
const COVERED_TWICE: Code = Code("S0435");
const BOUND: Code = Code("S0436");
const OUT_OF_RANGE: Code = Code("S0437");
const PARTS: Code = Code("S0438");

/// A problem with a record, a message that carries fields, a pattern or a `switch`.
pub enum DataProblem {
    /// A record without fields.
    EmptyRecord { name: String, span: Span },
    /// A record has no such field.
    UnknownField {
        owner: String,
        name: String,
        span: Span,
        declared: Span,
        suggestion: Option<String>,
    },
    /// A literal gives a field twice.
    FieldTwice {
        name: String,
        span: Span,
        first: Span,
    },
    /// A literal without names that is not complete, or one that mixes the two.
    FieldCount {
        record: String,
        fields: Vec<String>,
        found: usize,
        mixed: bool,
        span: Span,
        declared: Span,
    },
    /// What stands before `{` is no record.
    NotARecord { name: String, span: Span },
    /// A constructor without its fields, or with too many or too few of them.
    Constructor {
        name: String,
        fields: Vec<String>,
        found: Option<usize>,
        span: Span,
        declared: Span,
        pattern: bool,
    },
    /// A field name with two types in one data type.
    FieldTypes {
        name: String,
        data: String,
        types: [String; 2],
        span: Span,
        first: Span,
    },
    /// A pattern that is neither a constant nor a target.
    Pattern {
        text: String,
        target: bool,
        span: Span,
    },
    /// A `switch` that does not say what to do with some values.
    NotCovered { missing: Vec<String>, span: Span },
    /// A `switch` that has a value twice.
    CoveredTwice {
        value: String,
        span: Span,
        first: Span,
    },
    /// Something is wrong with names that stand for the fields of what a `switch` looks at.
    Bound {
        text: String,
        span: Span,
        hint: String,
        also: Option<(Span, &'static str)>,
    },
    /// A specification builds a value with a field that may be out of range.
    OutOfRange {
        found: String,
        wanted: String,
        span: Span,
    },
    /// The fields of a message, or `is`, in a process.
    Parts {
        text: String,
        span: Span,
        hint: String,
    },
}

impl DataProblem {
    /// A change of what a `switch` looks at.
    pub fn changed(name: &str, span: Span, also: Option<(Span, &'static str)>) -> DataProblem {
        DataProblem::Bound {
            text: format!("`{name}` cannot change in a case that has names for its fields"),
            span,
            hint: "copy what is needed to variables before, or receive into another variable"
                .to_owned(),
            also,
        }
    }
}

impl From<DataProblem> for Diagnostic {
    fn from(problem: DataProblem) -> Diagnostic {
        let error = Diagnostic::error;
        match problem {
            DataProblem::EmptyRecord { name, span } => {
                error(FIELDS, format!("record `{name}` has no fields"), span)
                    .hint("write them between the braces: `struct { term 0..3; value bool }`")
            }
            DataProblem::UnknownField {
                owner,
                name,
                span,
                declared,
                suggestion,
            } => suggest(
                error(FIELDS, format!("{owner} has no field `{name}`"), span)
                    .also(declared, "declared here"),
                suggestion,
            ),
            DataProblem::FieldTwice { name, span, first } => {
                error(FIELDS, format!("second value for field `{name}`"), span)
                    .also(first, "the first is here")
            }
            DataProblem::FieldCount {
                record,
                fields,
                found,
                mixed,
                span,
                declared,
            } => {
                let message = match mixed {
                    true => format!(
                        "some fields of `{record}` are written with their names, some without"
                    ),
                    false => format!(
                        "`{record}` has {}, but there {} here",
                        counted(fields.len(), "field"),
                        match found {
                            1 => "is 1 value".to_owned(),
                            n => format!("are {n} values"),
                        }
                    ),
                };
                let written: Vec<String> = fields.iter().map(|f| format!("{f}: ..")).collect();
                error(FIELDS, message, span)
                    .also(declared, "declared here")
                    .hint(format!("write `{record}{{{}}}`", written.join(", ")))
            }
            DataProblem::NotARecord { name, span } => {
                error(FIELDS, format!("`{name}` is no record"), span)
                    .hint("write the name of a `type .. struct` before `{`")
            }
            DataProblem::Constructor {
                name,
                fields,
                found,
                span,
                declared,
                pattern,
            } => {
                let message = match (found, fields.len()) {
                    (None, _) => format!("`{name}` carries {}", counted(fields.len(), "field")),
                    (Some(_), 0) => format!("`{name}` carries no fields"),
                    (Some(found), wanted) => {
                        format!("`{name}` carries {}, not {found}", counted(wanted, "field"))
                    }
                };
                let written = match fields.as_slice() {
                    [] => name,
                    fields => format!("{name}({})", fields.join(", ")),
                };
                let hint = match pattern {
                    true => format!("write `{written}`, with `_` for what is not needed"),
                    false => format!("write `{written}`"),
                };
                error(CONSTRUCTOR, message, span)
                    .also(declared, "declared here")
                    .hint(hint)
            }
            DataProblem::FieldTypes {
                name,
                data,
                types: [one, other],
                span,
                first,
            } => error(
                FIELD_TYPE,
                format!("field `{name}` of `{data}` is `{one}` here and `{other}` before"),
                span,
            )
            .also(first, "the first is here")
            .hint("give one of them another name: a field name has one type in all constructors"),
            DataProblem::Pattern { text, target, span } => error(
                PATTERN,
                match target {
                    true => "this is neither a constant nor a variable to receive into".to_owned(),
                    false => "this is no constant".to_owned(),
                },
                span,
            )
            .hint(format!(
                "to receive only a message that has this value here, write `== {text}`"
            )),
            DataProblem::NotCovered { missing, span } => error(
                NOT_COVERED,
                format!("this `switch` does not cover {}", listed(&missing, "and")),
                span,
            )
            .hint("add a case for each, or `default { .. }`"),
            DataProblem::CoveredTwice { value, span, first } => {
                error(COVERED_TWICE, format!("second case for `{value}`"), span)
                    .also(first, "the first is here")
            }
            DataProblem::Bound {
                text,
                span,
                hint,
                also,
            } => {
                let problem = error(BOUND, text, span).hint(hint);
                match also {
                    Some((place, what)) => problem.also(place, what),
                    None => problem,
                }
            }
            DataProblem::OutOfRange {
                found,
                wanted,
                span,
            } => error(
                OUT_OF_RANGE,
                format!("this may be outside `{wanted}`"),
                span,
            )
            .label(format!("it is {found}"))
            .hint("specifications make no checks: compare the fields instead"),
            DataProblem::Parts { text, span, hint } => error(PARTS, text, span).hint(hint),
        }
    }
}
