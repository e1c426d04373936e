//! Words and operators that people bring along from other languages, and what to write instead.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Sources, Span};

/// A habit from Go, C, Python or Promela.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Habit {
    /// A word of another language.
    Word {
        /// What to do about it.
        hint: &'static str,
    },
    /// `:=`
    Declare,
    /// `:=` in `init`
    DeclareEntry,
    /// `++`
    Increment,
    /// `--`
    Decrement,
    /// `=>`
    FatArrow,
    /// `===`
    TripleEquals,
    /// `if x = 1`
    AssignInCondition,
    /// `c ? a : b`
    Ternary,
    /// `~`
    Tilde,
    /// `for i = 0; ..`
    CountingLoop,
    /// `name: type`
    TypeColon,
    /// `case A:`
    CaseColon,
    /// `for i in 0..3`
    LoopOverRange,
    /// `for i in range n`
    LoopUpTo,
    /// A channel operation as an operator.
    Arrow(Arrow),
}

/// Operators that send or receive in other languages. The place is the whole statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrow {
    /// `c <- 1`
    Send,
    /// `c ! 1`
    Bang,
    /// `<-c`
    Receive,
}

impl Habit {
    /// A word of another language at the beginning of a statement or declaration.
    pub fn beginning(word: &str) -> Option<Habit> {
        let hint = match word {
            "while" | "loop" | "until" => "write `for condition { .. }`",
            "do" => "write `for { .. }` for a loop, or `choice { .. }, { .. }` to choose freely",
            "fn" | "def" | "function" => "write `func name(..) T { .. }`",
            "proctype" | "active" | "agent" | "thread" => "write `proc Name(..) { .. }`",
            "match" => "write `switch x { case A { .. } default { .. } }`",
            "message" | "variant" | "union" => "write `data Name { A, B(field T) }`",
            "record" => "write `type Name struct { field T }`",
            "package" => "remove it: each file is a module of its own",
            "defer" => "write what is to happen where it happens",
            "enum" | "mtype" => "write `data Name { A, B }`",
            "type" | "typedef" => "write `type Name = T`",
            "struct" => "write `type Name struct { field T }`",
            "let" | "int" | "bool" | "byte" | "bit" | "auto" => "write `var name type`",
            "go" | "run" | "spawn" | "fork" => "list the processes in `init { name: Proc(..) }`",
            "LTLSPEC" => "write `ltl name { .. }`",
            "SPEC" | "CTLSPEC" => "write `ctl name { .. }`",
            "INVARSPEC" | "safety" | "always" => "write `invariant name { .. }`",
            "print" | "printf" | "println" => "remove it: a trace shows every variable",
            _ => return Habit::joining(word),
        };
        Some(Habit::Word { hint })
    }

    /// A word of another language between operands or blocks.
    pub fn joining(word: &str) -> Option<Habit> {
        let hint = match word {
            "elif" | "elsif" | "elseif" => "write `else if`",
            "and" => "write `&&`",
            "or" => "write `||`",
            "not" => "write `!`",
            "mod" => "write `%`",
            "xor" => "write `!=`",
            "implies" => "write `->`",
            "then" => "write `{`",
            _ => return None,
        };
        Some(Habit::Word { hint })
    }

    /// A word of another language where a type belongs.
    pub fn typing(word: &str) -> Option<Habit> {
        let hint = match word {
            "chan" => "write `channel { T }`",
            "map" => "write an array, `[n]T`, whose indices are the keys",
            "message" | "enum" | "union" => "write `data Name { A, B(field T) }`",
            _ => return None,
        };
        Some(Habit::Word { hint })
    }

    /// What to write instead of a type that other languages have. To the grammar it is a name like any other.
    pub fn type_hint(word: &str) -> Option<&'static str> {
        Some(match word {
            "string" | "str" | "char" | "rune" => {
                "declare the values that matter: `data Name { A, B }`"
            }
            "int8" | "i8" => "write the range that is needed, such as `-128..127`",
            "uint8" | "u8" | "byte" | "uint" | "int16" | "int32" | "int64" | "uint16"
            | "uint32" | "uint64" | "nat" | "unsigned" | "short" | "long" => {
                "write the range that is needed, such as `0..255`"
            }
            "float" | "float32" | "float64" | "double" | "real" => {
                "write a range: numbers are whole here"
            }
            "error" => "declare how it may end: `data Result { Done, Failed }`",
            _ => return None,
        })
    }

    /// The same in words.
    pub(super) fn diagnostic(self, sources: &Sources, at: Span) -> Diagnostic {
        let text = sources.slice(at);
        // A hint quotes what is short enough to be read in one.
        let quoted = Some(text).filter(|text| text.len() <= 60 && !text.contains('\n'));
        let error = |message: String| Diagnostic::error(Code("S0207"), message, at);
        match self {
            Habit::Word { hint } => {
                error(format!("there is no `{text}` in this language")).hint(hint)
            }
            Habit::Declare => error("there is no `:=` in this language".to_owned())
                .hint("write `var x T = ..` to declare a variable, or `x = ..` to assign to it"),
            Habit::DeclareEntry => {
                error("there is no `:=` in this language".to_owned()).hint("write `:`")
            }
            Habit::Increment => {
                error("there is no `++` in this language".to_owned()).hint("write `+= 1`")
            }
            Habit::Decrement => {
                error("there is no `--` in this language".to_owned()).hint("write `-= 1`")
            }
            Habit::FatArrow => error("there is no `=>` in this language".to_owned())
                .hint("write `->` for \"implies\", or `>=` to compare"),
            Habit::TripleEquals => {
                error("there is no `===` in this language".to_owned()).hint("write `==`")
            }
            Habit::AssignInCondition => error("`=` does not compare".to_owned()).hint("write `==`"),
            Habit::Ternary => error("there is no `? :` in this language".to_owned())
                .hint("write `if` and `else`; to receive, write `recv(c, x)`"),
            Habit::Tilde => error("there is no `~` in this language".to_owned())
                .hint("write `!` for \"not\", or `-x - 1` for the complement"),
            Habit::CountingLoop => error("a loop has no counter of its own making".to_owned())
                .label("an assignment cannot stand here")
                .hint("write `for i in range 0 to n { .. }`"),
            Habit::LoopOverRange => {
                let text = quoted.unwrap_or("0..n");
                error(format!("a loop cannot go over `{text}`")).hint(range_hint(text))
            }
            Habit::LoopUpTo => {
                let text = quoted.unwrap_or("n");
                error("a range has a first value, too".to_owned()).hint(format!(
                    "write `range 0 to {text}`, which stops before {text}"
                ))
            }
            Habit::Arrow(arrow) => {
                let operator = if arrow == Arrow::Bang { "!" } else { "<-" };
                error(format!("there is no operator `{operator}` for channels"))
                    .hint(arrow.hint(quoted, operator))
            }
            Habit::CaseColon => error("no `:` belongs after a case".to_owned())
                .hint("put its statements in braces: `case A { .. }`"),
            Habit::TypeColon => error("no `:` belongs between a name and its type".to_owned())
                .hint("remove the `:`"),
        }
    }
}

/// The loop over the values of `0..3` or `0..=3`.
fn range_hint(text: &str) -> String {
    let (from, to) = text.split_once("..").unwrap_or((text, "n"));
    let (from, to) = (from.trim(), to.trim());
    match to.strip_prefix('=').map(str::trim) {
        Some(last) => format!("write `range {from} to {last} + 1`: it stops before its end"),
        None => format!("write `range {from} to {to}`, which stops before {to}"),
    }
}

impl Arrow {
    /// The statement that was meant.
    fn hint(self, statement: Option<&str>, operator: &str) -> String {
        let Some((left, right)) = statement.and_then(|text| text.split_once(operator)) else {
            return match self {
                Arrow::Receive => "write `recv(c, x)`".to_owned(),
                Arrow::Send | Arrow::Bang => "write `send(c, x)`".to_owned(),
            };
        };
        let (left, right) = (left.trim(), right.trim());
        if self != Arrow::Receive {
            return format!("write `send({left}, {right})`");
        }
        if left.is_empty() {
            return format!("write `recv({right}, _)`");
        }
        let Some(target) = left.strip_suffix('=') else {
            return format!("write `recv({right}, x)` as a statement of its own");
        };
        let target = target.trim_end_matches(':').trim_end();
        let declared = target.strip_prefix("var ").map(str::trim_start);
        match declared.and_then(|declared| declared.split(' ').next()) {
            Some(name) => format!("declare `{name}`, then write `recv({right}, {name})`"),
            None => format!("write `recv({right}, {target})`"),
        }
    }
}
