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
}

impl Habit {
    /// A word of another language at the beginning of a statement or declaration.
    pub fn beginning(word: &str) -> Option<Habit> {
        let hint = match word {
            "while" | "loop" | "until" => "write `for condition { .. }`",
            "do" => "write `for { .. }` for a loop, or `choice { .. }, { .. }` to choose freely",
            "func" | "fn" | "def" | "function" | "proctype" | "active" | "agent" | "thread" => {
                "write `proc Name(..) { .. }`"
            }
            "switch" | "match" => "write `if` and `else if`, or `select` to wait for messages",
            "enum" | "mtype" | "type" | "struct" | "typedef" => "write `data Name { A, B }`",
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
            _ => return None,
        };
        Some(Habit::Word { hint })
    }

    /// The same in words.
    pub(super) fn diagnostic(self, sources: &Sources, at: Span) -> Diagnostic {
        let text = sources.slice(at);
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
            Habit::Ternary => {
                error("there is no `? :` in this language".to_owned()).hint("write `if` and `else`")
            }
            Habit::Tilde => error("there is no `~` in this language".to_owned())
                .hint("write `!` for \"not\", or `-x - 1` for the complement"),
            Habit::CountingLoop => error("a loop has no counter of its own making".to_owned())
                .label("an assignment cannot stand here")
                .hint("write `for i in range 0 to n { .. }`"),
            Habit::TypeColon => error("no `:` belongs between a name and its type".to_owned())
                .hint("remove the `:`"),
        }
    }
}
