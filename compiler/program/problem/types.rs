//! S04xx: types, ranges and constants.

use crate::diagnostic::{Code, Diagnostic};
use crate::program::range::{GREATEST, LEAST};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    MISMATCH,
    OPERAND,
    COMPARISON,
    EMPTY_RANGE,
    OUTSIDE,
    NOT_CONSTANT,
    OVERFLOW,
    UNDEFINED,
    MISPLACED_TYPE,
    NOT_ARRAY,
    ARRAY_LENGTH,
    VARYING_TYPE,
    NOT_ITERABLE,
    EMPTY_DATA,
];

const MISMATCH: Code = Code("S0401");
const OPERAND: Code = Code("S0402");
const COMPARISON: Code = Code("S0403");
const EMPTY_RANGE: Code = Code("S0404");
const OUTSIDE: Code = Code("S0405");
const NOT_CONSTANT: Code = Code("S0406");
const OVERFLOW: Code = Code("S0407");
const UNDEFINED: Code = Code("S0408");
const MISPLACED_TYPE: Code = Code("S0409");
const NOT_ARRAY: Code = Code("S0410");
const ARRAY_LENGTH: Code = Code("S0411");
const VARYING_TYPE: Code = Code("S0412");
const NOT_ITERABLE: Code = Code("S0413");
const EMPTY_DATA: Code = Code("S0414");

/// A problem with a type, a range or a constant. Types are written as the model would.
pub enum TypeProblem {
    /// A value of one type where another is needed.
    Mismatch {
        wanted: String,
        found: String,
        span: Span,
        /// Where the need comes from, and what to say there.
        because: Option<(Span, String)>,
        hint: Option<String>,
    },
    /// An operator cannot take this operand.
    Operand {
        op: &'static str,
        wanted: &'static str,
        found: String,
        span: Span,
        hint: Option<String>,
    },
    /// Two values that cannot be equal because their types differ.
    Comparison {
        op: &'static str,
        left: String,
        right: String,
        span: Span,
        left_span: Span,
        right_span: Span,
    },
    /// `5..3`
    EmptyRange { lo: i64, hi: i64, span: Span },
    /// A constant that its type does not have.
    Outside {
        value: String,
        ty: String,
        span: Span,
        because: Option<(Span, String)>,
    },
    /// A constant is needed.
    NotConstant {
        /// What must be constant: `the bound of a range`.
        what: &'static str,
        span: Span,
        /// What makes it vary.
        culprit: Option<(Span, String)>,
    },
    /// The range of a subexpression is too large.
    Overflow { lo: i64, hi: i64, span: Span },
    /// A constant expression without a value.
    Undefined { why: &'static str, span: Span },
    /// A type that cannot stand here.
    MisplacedType {
        text: &'static str,
        span: Span,
        hint: Option<&'static str>,
    },
    /// `x[i]` where x is no array.
    NotArray { found: String, span: Span },
    /// An array of length 0, or of a length that is none.
    BadLength {
        /// `an array`, `a buffer`
        of: &'static str,
        length: i64,
        span: Span,
    },
    /// `[]`
    EmptyArray { span: Span },
    /// The type of a variable would differ between unrolled iterations.
    VaryingType { name: String, span: Span },
    /// `data D {}`
    EmptyData { name: String, span: Span },
    /// `for x in e` where e is no array.
    NotIterable { found: String, span: Span },
}

impl From<TypeProblem> for Diagnostic {
    fn from(problem: TypeProblem) -> Diagnostic {
        match problem {
            TypeProblem::Mismatch {
                wanted,
                found,
                span,
                because,
                hint,
            } => {
                let mut d = Diagnostic::error(
                    MISMATCH,
                    format!("this is {found}, but {wanted} is needed"),
                    span,
                );
                if let Some((place, why)) = because {
                    d = d.also(place, why);
                }
                match hint {
                    Some(hint) => d.hint(hint),
                    None => d,
                }
            }
            TypeProblem::Operand {
                op,
                wanted,
                found,
                span,
                hint,
            } => {
                let d =
                    Diagnostic::error(OPERAND, format!("`{op}` takes {wanted}, not {found}"), span);
                match hint {
                    Some(hint) => d.hint(hint),
                    None => d,
                }
            }
            TypeProblem::Comparison {
                op,
                left,
                right,
                span,
                left_span,
                right_span,
            } => Diagnostic::error(
                COMPARISON,
                format!("`{op}` cannot compare {left} with {right}"),
                span,
            )
            .also(left_span, left)
            .also(right_span, right),
            TypeProblem::EmptyRange { lo, hi, span } => {
                Diagnostic::error(EMPTY_RANGE, format!("`{lo}..{hi}` has no values"), span)
                    .hint("write the smaller bound first")
            }
            TypeProblem::Outside {
                value,
                ty,
                span,
                because,
            } => {
                let d =
                    Diagnostic::error(OUTSIDE, format!("`{value}` is not a value of `{ty}`"), span);
                match because {
                    Some((place, why)) => d.also(place, why),
                    None => d,
                }
            }
            TypeProblem::NotConstant {
                what,
                span,
                culprit,
            } => {
                let d = Diagnostic::error(NOT_CONSTANT, format!("{what} must be constant"), span);
                match culprit {
                    Some((place, why)) if place == span => d.label(why),
                    Some((place, why)) => d.also(place, why),
                    None => d,
                }
            }
            TypeProblem::Overflow { lo, hi, span } => {
                Diagnostic::error(OVERFLOW, "this may leave the 32-bit integers", span)
                    .label(if lo == hi {
                        format!("is {lo}")
                    } else {
                        format!("ranges over {lo}..{hi}")
                    })
                    .note(format!("integers lie in {LEAST}..{GREATEST}"))
                    .hint("give the variables smaller ranges")
            }
            TypeProblem::Undefined { why, span } => Diagnostic::error(
                UNDEFINED,
                format!("this constant has no value: {why}"),
                span,
            ),
            TypeProblem::MisplacedType { text, span, hint } => {
                let d = Diagnostic::error(MISPLACED_TYPE, text, span);
                match hint {
                    Some(hint) => d.hint(hint),
                    None => d,
                }
            }
            TypeProblem::NotArray { found, span } => Diagnostic::error(
                NOT_ARRAY,
                format!("this is {found}, which has no elements"),
                span,
            ),
            TypeProblem::BadLength { of, length, span } => Diagnostic::error(
                ARRAY_LENGTH,
                format!("{of} cannot have {length} elements"),
                span,
            )
            .hint("use a number of at least 1"),
            TypeProblem::EmptyArray { span } => {
                Diagnostic::error(ARRAY_LENGTH, "an array has at least one element", span)
            }
            TypeProblem::VaryingType { name, span } => Diagnostic::error(
                VARYING_TYPE,
                format!("a type cannot depend on the loop variable `{name}`"),
                span,
            )
            .note("a declaration is one variable, however often its loop is unrolled")
            .hint("use a range that is large enough for every iteration"),
            TypeProblem::EmptyData { name, span } => {
                Diagnostic::error(EMPTY_DATA, format!("type `{name}` has no values"), span)
                    .hint(format!("give it a constructor: `data {name} {{ First }}`"))
            }
            TypeProblem::NotIterable { found, span } => Diagnostic::error(
                NOT_ITERABLE,
                format!("`for .. in` needs an array, and this is {found}"),
                span,
            )
            .hint("write `for i in range a to b` to count"),
        }
    }
}
