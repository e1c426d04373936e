//! S03xx: names.

use super::{listed, suggest};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this family.
pub const CODES: &[Code] = &[
    UNKNOWN_NAME,
    WRONG_KIND,
    UNKNOWN_TYPE,
    UNKNOWN_PROC,
    UNKNOWN_CONSTRUCTOR,
    UNKNOWN_LABEL,
    UNKNOWN_ENTRY,
    UNKNOWN_VARIABLE,
    AMBIGUOUS_CONSTRUCTOR,
    AMBIGUOUS_VARIABLE,
    DUPLICATE,
    RESERVED,
    CONST_CYCLE,
    MODULE_CYCLE,
    TYPE_CYCLE,
    UNKNOWN_FUNCTION,
    BAD_DEFINE,
];

const UNKNOWN_NAME: Code = Code("S0301");
const WRONG_KIND: Code = Code("S0302");
const UNKNOWN_TYPE: Code = Code("S0303");
const UNKNOWN_PROC: Code = Code("S0304");
const UNKNOWN_CONSTRUCTOR: Code = Code("S0305");
const UNKNOWN_LABEL: Code = Code("S0306");
const UNKNOWN_ENTRY: Code = Code("S0307");
const UNKNOWN_VARIABLE: Code = Code("S0308");
const AMBIGUOUS_CONSTRUCTOR: Code = Code("S0309");
const AMBIGUOUS_VARIABLE: Code = Code("S0310");
const DUPLICATE: Code = Code("S0311");
const RESERVED: Code = Code("S0312");
const CONST_CYCLE: Code = Code("S0313");
const MODULE_CYCLE: Code = Code("S0314");
const UNKNOWN_FUNCTION: Code = Code("S0315");
const BAD_DEFINE: Code = Code("S0316");
const TYPE_CYCLE: Code = Code("S0330");

/// A problem with a name.
pub enum NameProblem {
    /// Nothing visible has this name.
    Unknown {
        name: String,
        span: Span,
        suggestion: Option<String>,
        /// What was looked for: `name`, `channel`, `array`...
        what: &'static str,
    },
    /// `_` stands where a value is needed.
    Blank { span: Span },
    /// The name means something else than what is needed.
    WrongKind {
        name: String,
        span: Span,
        /// With its article: `a channel`.
        found: &'static str,
        wanted: &'static str,
        declared: Option<Span>,
        hint: Option<String>,
    },
    /// No `data` type has this name.
    UnknownType {
        name: String,
        span: Span,
        suggestion: Option<String>,
        /// What to do if it is something else here, or a type of another language.
        hint: Option<String>,
    },
    /// No proc or module has this name.
    UnknownProc {
        name: String,
        span: Span,
        suggestion: Option<String>,
    },
    /// `D.X` where `D` has no `X`.
    UnknownConstructor {
        data: String,
        name: String,
        span: Span,
        declared: Span,
        suggestion: Option<String>,
    },
    /// No statement has this label.
    UnknownLabel {
        name: String,
        /// The proc or instance that lacks it.
        owner: String,
        span: Span,
        suggestion: Option<String>,
    },
    /// No entry of `init` has this name.
    UnknownEntry {
        name: String,
        /// `process`, `channel`, `process or channel`.
        what: &'static str,
        /// The module instance that lacks it.
        owner: Option<String>,
        span: Span,
        suggestion: Option<String>,
    },
    /// `p.x` where p has no x.
    UnknownVariable {
        process: String,
        name: String,
        span: Span,
        suggestion: Option<String>,
    },
    /// `p.x` where x is no variable of p but something else.
    NotReadable {
        process: String,
        name: String,
        span: Span,
        what: &'static str,
        declared: Span,
    },
    /// `p.x` where p has no x, because with its arguments the declaration has no meaning.
    NeverDeclared {
        process: String,
        name: String,
        span: Span,
    },
    /// The constructor belongs to several types.
    AmbiguousConstructor {
        name: String,
        types: Vec<String>,
        span: Span,
    },
    /// The proc declares several variables of this name.
    AmbiguousVariable {
        process: String,
        name: String,
        span: Span,
        declared: Vec<Span>,
    },
    /// `p.x#3` where the proc declares fewer.
    NoSuchDeclaration {
        process: String,
        name: String,
        number: u32,
        count: usize,
        span: Span,
    },
    /// Two definitions of one name.
    Duplicate {
        name: String,
        /// `variable`, `label`, `entry`...
        what: &'static str,
        span: Span,
        first: Span,
    },
    /// The name belongs to the language.
    Reserved {
        name: String,
        span: Span,
        why: &'static str,
    },
    /// A constant is defined by itself.
    ConstCycle { names: Vec<String>, span: Span },
    /// A type is defined by itself, perhaps through constants.
    TypeCycle { names: Vec<String>, span: Span },
    /// A module contains itself.
    ModuleCycle { names: Vec<String>, span: Span },
    /// `f(x)` where f is no operation.
    UnknownFunction {
        name: String,
        span: Span,
        suggestion: Option<String>,
        /// What to do if it is an operator elsewhere.
        hint: Option<String>,
    },
    /// `-D NAME=VALUE` names no top-level constant.
    UnknownDefine {
        name: String,
        span: Span,
        suggestion: Option<String>,
    },
    /// The value of `-D NAME=VALUE` is no value.
    UnreadableDefine {
        name: String,
        value: String,
        span: Span,
    },
}

impl From<NameProblem> for Diagnostic {
    fn from(problem: NameProblem) -> Diagnostic {
        match problem {
            NameProblem::Unknown {
                name,
                span,
                suggestion,
                what,
            } => {
                let problem = format!("unknown {what} `{name}`");
                let unknown = Diagnostic::error(UNKNOWN_NAME, problem, span);
                match suggestion {
                    None if matches!(name.as_str(), "nil" | "null" | "undefined") => {
                        unknown.hint("give the type a constructor for it, such as `None`")
                    }
                    // Not as in a pattern of other languages: a receive stores into a variable that is there.
                    None if what == "variable" => {
                        unknown.hint(format!("declare it before: `var {name} ..`, with its type"))
                    }
                    suggestion => suggest(unknown, suggestion),
                }
            }
            NameProblem::Blank { span } => {
                Diagnostic::error(UNKNOWN_NAME, "`_` has no value", span)
                    .hint("use `_` only in place of a target of `recv` or `peek`")
            }
            NameProblem::WrongKind {
                name,
                span,
                found,
                wanted,
                declared,
                hint,
            } => {
                let mut d = Diagnostic::error(
                    WRONG_KIND,
                    format!("`{name}` is {found}, not {wanted}"),
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
            NameProblem::UnknownType {
                name,
                span,
                suggestion,
                hint,
            } => {
                let problem = format!("unknown type `{name}`");
                let unknown = Diagnostic::error(UNKNOWN_TYPE, problem, span);
                match hint {
                    Some(hint) => unknown.hint(hint),
                    None => suggest(unknown, suggestion),
                }
            }
            NameProblem::UnknownProc {
                name,
                span,
                suggestion,
            } => suggest(
                Diagnostic::error(UNKNOWN_PROC, format!("unknown proc `{name}`"), span),
                suggestion,
            ),
            NameProblem::UnknownConstructor {
                data,
                name,
                span,
                declared,
                suggestion,
            } => suggest(
                Diagnostic::error(
                    UNKNOWN_CONSTRUCTOR,
                    format!("type `{data}` has no constructor `{name}`"),
                    span,
                )
                .also(declared, format!("`{data}` declared here")),
                suggestion,
            ),
            NameProblem::UnknownLabel {
                name,
                owner,
                span,
                suggestion,
            } => suggest(
                Diagnostic::error(
                    UNKNOWN_LABEL,
                    format!("`{owner}` has no label `{name}`"),
                    span,
                ),
                suggestion,
            ),
            NameProblem::UnknownEntry {
                name,
                what,
                owner,
                span,
                suggestion,
            } => {
                let text = match owner {
                    Some(owner) => format!("`{owner}` has no {what} `{name}`"),
                    None => format!("unknown {what} `{name}`"),
                };
                suggest(Diagnostic::error(UNKNOWN_ENTRY, text, span), suggestion)
            }
            NameProblem::UnknownVariable {
                process,
                name,
                span,
                suggestion,
            } => suggest(
                Diagnostic::error(
                    UNKNOWN_VARIABLE,
                    format!("`{process}` has no variable `{name}`"),
                    span,
                ),
                suggestion,
            ),
            NameProblem::NotReadable {
                process,
                name,
                span,
                what,
                declared,
            } => Diagnostic::error(
                UNKNOWN_VARIABLE,
                format!("`{process}.{name}` is {what}, which has no value to read"),
                span,
            )
            .also(declared, format!("`{name}` declared here")),
            NameProblem::NeverDeclared {
                process,
                name,
                span,
            } => Diagnostic::error(
                UNKNOWN_VARIABLE,
                format!("`{process}` never declares `{name}`"),
                span,
            )
            .note("with its arguments, the block of the declaration is never executed"),
            NameProblem::AmbiguousConstructor { name, types, span } => {
                let choices: Vec<_> = types.iter().map(|t| format!("{t}.{name}")).collect();
                Diagnostic::error(
                    AMBIGUOUS_CONSTRUCTOR,
                    format!("`{name}` is a constructor of {}", listed(&types, "and")),
                    span,
                )
                .hint(format!("write {}", listed(&choices, "or")))
            }
            NameProblem::AmbiguousVariable {
                process,
                name,
                span,
                declared,
            } => {
                let choices: Vec<_> = (1..=declared.len())
                    .map(|k| format!("{process}.{name}#{k}"))
                    .collect();
                let mut d = Diagnostic::error(
                    AMBIGUOUS_VARIABLE,
                    format!("`{process}` declares `{name}` several times"),
                    span,
                )
                .hint(format!("write {}", listed(&choices, "or")));
                for (k, place) in declared.into_iter().enumerate().take(4) {
                    d = d.also(place, format!("`{name}#{}`", k + 1));
                }
                d
            }
            NameProblem::NoSuchDeclaration {
                process,
                name,
                number,
                count,
                span,
            } => Diagnostic::error(
                AMBIGUOUS_VARIABLE,
                format!("`{process}` has no `{name}#{number}`"),
                span,
            )
            .hint(match count {
                1 => format!("write `{process}.{name}`: it is declared once"),
                _ => format!("use a number from 1 to {count}: it is declared that often"),
            }),
            NameProblem::Duplicate {
                name,
                what,
                span,
                first,
            } => Diagnostic::error(DUPLICATE, format!("second {what} named `{name}`"), span)
                .also(first, "the first is here")
                .hint("rename one of them"),
            NameProblem::Reserved { name, span, why } => {
                Diagnostic::error(RESERVED, format!("`{name}` cannot be used as a name"), span)
                    .label(why)
                    .hint(match name.trim_start_matches('_') {
                        plain if name.starts_with("__") && begins_name(plain) => {
                            format!("write `{plain}`, or choose another name")
                        }
                        _ => "choose another name".to_owned(),
                    })
            }
            NameProblem::ConstCycle { names, span } => Diagnostic::error(
                CONST_CYCLE,
                format!("constant `{}` is defined by itself", names[0]),
                span,
            )
            .label(cycle(&names)),
            NameProblem::TypeCycle { names, span } => Diagnostic::error(
                TYPE_CYCLE,
                format!("`{}` is defined by itself", names[0]),
                span,
            )
            .label(cycle(&names))
            .hint("break the cycle: a type has finitely many values"),
            NameProblem::ModuleCycle { names, span } => Diagnostic::error(
                MODULE_CYCLE,
                format!("module `{}` contains itself", names[0]),
                span,
            )
            .label(cycle(&names))
            .hint("break the cycle: a module is made of finitely many processes"),
            NameProblem::UnknownFunction {
                name,
                span,
                suggestion,
                hint,
            } => {
                let message = format!("unknown operation `{name}`");
                let unknown = Diagnostic::error(UNKNOWN_FUNCTION, message, span);
                match hint {
                    Some(hint) => unknown.hint(hint),
                    None => suggest(unknown, suggestion),
                }
            }
            NameProblem::UnknownDefine {
                name,
                span,
                suggestion,
            } => suggest(
                Diagnostic::error(
                    BAD_DEFINE,
                    format!("`-D {name}` names no constant of the top level"),
                    span,
                ),
                suggestion,
            ),
            NameProblem::UnreadableDefine { name, value, span } => Diagnostic::error(
                BAD_DEFINE,
                format!("`-D {name}={value}` gives no value"),
                span,
            )
            .hint("give a number, `true`, `false`, a constructor, or an array of these"),
        }
    }
}

/// `a -> b -> a`
fn cycle(names: &[String]) -> String {
    let mut text = names.join(" -> ");
    text.push_str(" -> ");
    text.push_str(&names[0]);
    text
}

/// Whether a text can begin a name.
fn begins_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
}
