//! The tokens, as logos finds them: before semicolons are put in and before contextual words are told apart (see `lexer`).

use std::fmt;

use logos::{Lexer, Logos};

/// The kinds of token. Their texts are in the source; a kind alone decides how a file parses.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(skip r"[ \t\r\x0C]+")]
#[allow(missing_docs)]
pub enum Tok {
    // Trivia: never reach the parser.
    #[token("\n")]
    Newline,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,

    // Literals and names.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Ident,
    #[regex("[0-9]+")]
    Int,
    #[regex(r#""[^"\n\r]*"?"#)]
    Str,
    /// `3x`, `1.5`: not a number, but that `1.5` and the like can be the probability of a fault.
    #[regex("[0-9]+[A-Za-z_][A-Za-z0-9_]*")]
    #[regex(r"[0-9]+\.[0-9]+[A-Za-z0-9_]*")]
    #[regex(r"[0-9]+(\.[0-9]+)?[eE]-[0-9]+")]
    BadNumber,
    /// Stands for something that has been reported already.
    Bad,

    // Keywords.
    #[token("data")]
    Data,
    #[token("const")]
    Const,
    #[token("module")]
    Module,
    #[token("proc")]
    Proc,
    #[token("process")]
    Process,
    #[token("var")]
    Var,
    #[token("durable")]
    Durable,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("for")]
    For,
    #[token("in")]
    In,
    #[token("range")]
    Range,
    #[token("to")]
    To,
    #[token("break")]
    Break,
    #[token("continue")]
    Continue,
    #[token("goto")]
    Goto,
    #[token("return")]
    Return,
    #[token("skip")]
    Skip,
    #[token("choice")]
    Choice,
    #[token("select")]
    Select,
    #[token("case")]
    Case,
    #[token("default")]
    Default,
    #[token("send")]
    Send,
    #[token("recv")]
    Recv,
    #[token("peek")]
    Peek,
    #[token("timeout_send")]
    TimeoutSend,
    #[token("nonblock_send")]
    NonblockSend,
    #[token("timeout_recv")]
    TimeoutRecv,
    #[token("timeout_peek")]
    TimeoutPeek,
    #[token("nonblock_recv")]
    NonblockRecv,
    #[token("nonblock_peek")]
    NonblockPeek,
    #[token("assert")]
    Assert,
    #[token("init")]
    Init,
    #[token("channel")]
    Channel,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("any")]
    Any,
    /// The word of a specification about states, `invariant` and so on (`SpecKind::of_word`).
    StateSpec,
    /// The word of a specification about runs: `ltl`, `assume`.
    LinearSpec,
    /// The word of a specification about the runs from each state: `ctl`.
    BranchingSpec,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("import")]
    Import,

    // Words that are names elsewhere: the lexer's second half decides.
    Limit,
    Inject,
    Fault,
    Timeout,
    After,
    Type,
    Await,
    Atomic,
    Func,
    Predicate,
    Protocol,
    Complete,
    On,
    Bag,
    Overflow,
    Count,
    Sum,
    Fair,
    Struct,
    Switch,
    Is,
    View,
    Diagnosable,

    // Temporal operators: names outside of their blocks.
    X,
    G,
    F,
    U,
    V,
    S,
    T,
    Y,
    Z,
    H,
    O,
    AX,
    AG,
    AF,
    EX,
    EG,
    EF,
    A,
    E,

    // Brackets and punctuation.
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("@")]
    At,
    #[token("#")]
    Hash,

    // Operators.
    #[token("=")]
    Assign,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubAssign,
    #[token("*=")]
    MulAssign,
    #[token("/=")]
    DivAssign,
    #[token("%=")]
    RemAssign,
    #[token("&=")]
    AndAssign,
    #[token("|=")]
    OrAssign,
    #[token("^=")]
    XorAssign,
    #[token("<<=")]
    ShlAssign,
    #[token(">>=")]
    ShrAssign,
    #[token("<->")]
    Iff,
    #[token("->")]
    Implies,
    #[token("||")]
    OrOr,
    #[token("&&")]
    AndAnd,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    Ge,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("|")]
    Pipe,
    #[token("^")]
    Caret,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("&")]
    Amp,
    #[token("!")]
    Not,

    // Habits from other languages: never valid, recognised to be explained.
    #[token(":=")]
    ColonAssign,
    #[token("++")]
    PlusPlus,
    #[token("=>")]
    FatArrow,
    #[token("===")]
    EqEqEq,
}

/// Takes a block comment to its end, or to the end of the file.
fn block_comment(lexer: &mut Lexer<'_, Tok>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

impl Tok {
    /// Its text if it always has the same.
    pub fn text(self) -> Option<&'static str> {
        Some(match self {
            Tok::Newline | Tok::LineComment | Tok::BlockComment => return None,
            Tok::Ident | Tok::Int | Tok::Str | Tok::BadNumber | Tok::Bad => return None,
            Tok::StateSpec | Tok::LinearSpec | Tok::BranchingSpec => return None,
            Tok::Data => "data",
            Tok::Const => "const",
            Tok::Module => "module",
            Tok::Proc => "proc",
            Tok::Process => "process",
            Tok::Var => "var",
            Tok::Durable => "durable",
            Tok::If => "if",
            Tok::Else => "else",
            Tok::For => "for",
            Tok::In => "in",
            Tok::Range => "range",
            Tok::To => "to",
            Tok::Break => "break",
            Tok::Continue => "continue",
            Tok::Goto => "goto",
            Tok::Return => "return",
            Tok::Skip => "skip",
            Tok::Choice => "choice",
            Tok::Select => "select",
            Tok::Case => "case",
            Tok::Default => "default",
            Tok::Send => "send",
            Tok::Recv => "recv",
            Tok::Peek => "peek",
            Tok::TimeoutSend => "timeout_send",
            Tok::NonblockSend => "nonblock_send",
            Tok::TimeoutRecv => "timeout_recv",
            Tok::TimeoutPeek => "timeout_peek",
            Tok::NonblockRecv => "nonblock_recv",
            Tok::NonblockPeek => "nonblock_peek",
            Tok::Assert => "assert",
            Tok::Init => "init",
            Tok::Channel => "channel",
            Tok::True => "true",
            Tok::False => "false",
            Tok::Any => "any",
            Tok::Forall => "forall",
            Tok::Exists => "exists",
            Tok::Import => "import",
            Tok::Limit => "limit",
            Tok::Inject => "inject",
            Tok::Fault => "fault",
            Tok::Fair => "fair",
            Tok::Timeout => "timeout",
            Tok::After => "after",
            Tok::Type => "type",
            Tok::Await => "await",
            Tok::Atomic => "atomic",
            Tok::Func => "func",
            Tok::Predicate => "predicate",
            Tok::Protocol => "protocol",
            Tok::Complete => "complete",
            Tok::On => "on",
            Tok::Bag => "bag",
            Tok::Overflow => "overflow",
            Tok::Count => "count",
            Tok::Sum => "sum",
            Tok::Struct => "struct",
            Tok::Switch => "switch",
            Tok::Is => "is",
            Tok::View => "view",
            Tok::Diagnosable => "diagnosable",
            Tok::X => "X",
            Tok::G => "G",
            Tok::F => "F",
            Tok::U => "U",
            Tok::V => "V",
            Tok::S => "S",
            Tok::T => "T",
            Tok::Y => "Y",
            Tok::Z => "Z",
            Tok::H => "H",
            Tok::O => "O",
            Tok::AX => "AX",
            Tok::AG => "AG",
            Tok::AF => "AF",
            Tok::EX => "EX",
            Tok::EG => "EG",
            Tok::EF => "EF",
            Tok::A => "A",
            Tok::E => "E",
            Tok::LParen => "(",
            Tok::RParen => ")",
            Tok::LBracket => "[",
            Tok::RBracket => "]",
            Tok::LBrace => "{",
            Tok::RBrace => "}",
            Tok::Comma => ",",
            Tok::Semi => ";",
            Tok::Colon => ":",
            Tok::Dot => ".",
            Tok::DotDot => "..",
            Tok::At => "@",
            Tok::Hash => "#",
            Tok::Assign => "=",
            Tok::AddAssign => "+=",
            Tok::SubAssign => "-=",
            Tok::MulAssign => "*=",
            Tok::DivAssign => "/=",
            Tok::RemAssign => "%=",
            Tok::AndAssign => "&=",
            Tok::OrAssign => "|=",
            Tok::XorAssign => "^=",
            Tok::ShlAssign => "<<=",
            Tok::ShrAssign => ">>=",
            Tok::Iff => "<->",
            Tok::Implies => "->",
            Tok::OrOr => "||",
            Tok::AndAnd => "&&",
            Tok::EqEq => "==",
            Tok::NotEq => "!=",
            Tok::Lt => "<",
            Tok::Le => "<=",
            Tok::Gt => ">",
            Tok::Ge => ">=",
            Tok::Plus => "+",
            Tok::Minus => "-",
            Tok::Pipe => "|",
            Tok::Caret => "^",
            Tok::Star => "*",
            Tok::Slash => "/",
            Tok::Percent => "%",
            Tok::Shl => "<<",
            Tok::Shr => ">>",
            Tok::Amp => "&",
            Tok::Not => "!",
            Tok::ColonAssign => ":=",
            Tok::PlusPlus => "++",
            Tok::FatArrow => "=>",
            Tok::EqEqEq => "===",
        })
    }

    /// Whether it is a keyword of the language (contextual words and temporal letters are not).
    pub fn is_keyword(self) -> bool {
        (Tok::Data as u8..=Tok::Import as u8).contains(&(self as u8))
    }

    /// Whether a line may end after it, so that a line break becomes a semicolon.
    pub fn ends_line(self) -> bool {
        matches!(
            self,
            Tok::Ident
                | Tok::Int
                | Tok::Str
                | Tok::BadNumber
                | Tok::Bad
                | Tok::True
                | Tok::False
                | Tok::Break
                | Tok::Continue
                | Tok::Return
                | Tok::Skip
                | Tok::Any
                | Tok::Process
                | Tok::Overflow
                | Tok::RParen
                | Tok::RBracket
                | Tok::RBrace
                // Never valid, but then the next line is not part of the mistake.
                | Tok::PlusPlus
        )
    }

    /// Whether it goes on with the line before, so that the line break between is no semicolon.
    pub fn continues_line(self) -> bool {
        matches!(
            self,
            Tok::RParen
                | Tok::RBracket
                | Tok::RBrace
                | Tok::Comma
                | Tok::Semi
                | Tok::Else
                | Tok::Case
                | Tok::Default
        )
    }

    /// Whether an expression may end with it; after one, `-` is subtraction.
    pub fn ends_operand(self) -> bool {
        matches!(
            self,
            Tok::Ident
                | Tok::Int
                | Tok::BadNumber
                | Tok::Bad
                | Tok::True
                | Tok::False
                | Tok::Any
                | Tok::RParen
                | Tok::RBracket
                | Tok::RBrace
        )
    }

    /// The word that a name is at the beginning of a statement, if what follows shows that it is no name.
    pub fn statement_word(word: &str, next: Tok) -> Option<Tok> {
        let (kind, meant) = match word {
            "atomic" => (Tok::Atomic, next == Tok::LBrace),
            "await" => (Tok::Await, next.begins_operand()),
            "fair" => (Tok::Fair, matches!(next, Tok::Choice | Tok::Select)),
            "switch" => (Tok::Switch, !next.follows_name()),
            _ => return None,
        };
        meant.then_some(kind)
    }

    /// Whether it only begins statements, never an operand.
    pub fn begins_statement(self) -> bool {
        matches!(
            self,
            Tok::Var
                | Tok::Durable
                | Tok::Const
                | Tok::If
                | Tok::For
                | Tok::Break
                | Tok::Continue
                | Tok::Goto
                | Tok::Return
                | Tok::Skip
                | Tok::Fair
                | Tok::Choice
                | Tok::Select
                | Tok::Switch
                | Tok::Send
                | Tok::Recv
                | Tok::Peek
                | Tok::Assert
                | Tok::Await
                | Tok::Atomic
        )
    }

    /// Whether an expression begins with it, so that a word before it is no name.
    fn begins_operand(self) -> bool {
        let operation = (Tok::Send as u8..=Tok::NonblockPeek as u8).contains(&(self as u8));
        operation
            || matches!(
                self,
                Tok::Ident
                    | Tok::Int
                    | Tok::True
                    | Tok::False
                    | Tok::LParen
                    | Tok::Not
                    | Tok::Forall
                    | Tok::Exists
            )
    }

    /// Whether it may follow a name that begins a statement.
    fn follows_name(self) -> bool {
        self.is_assign()
            || self.is_closer()
            || matches!(
                self,
                Tok::Dot
                    | Tok::LBracket
                    | Tok::Comma
                    | Tok::Colon
                    | Tok::Semi
                    | Tok::ColonAssign
                    | Tok::PlusPlus
            )
    }
}

impl fmt::Display for Tok {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tok::Newline => "line end",
            Tok::LineComment | Tok::BlockComment => "comment",
            Tok::Ident => "name",
            Tok::Int => "number",
            Tok::Str => "text",
            Tok::BadNumber | Tok::Bad => "bad",
            Tok::StateSpec | Tok::LinearSpec | Tok::BranchingSpec => "specification",
            other => other.text().unwrap_or_default(),
        })
    }
}

/// A token and where it stands. A semicolon put in for a line end, and a bracket put in for a missing one, are empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: Tok,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Token {
    /// Whether the compiler put it in.
    pub fn is_virtual(self) -> bool {
        self.start == self.end
    }
}
