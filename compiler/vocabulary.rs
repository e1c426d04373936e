//! What every stage from the parser to the report speaks of in the same words: numbers of things, names of
//! values, operators, channel operations, kinds of specification.

use crate::source::Span;

/// A `data` type of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DataId(pub u32);

/// A channel of a model; every element of a channel array is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelId(pub u32);

/// A process instance of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcessId(pub u32);

/// A failure detector of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DetectorId(pub u32);

/// A label of one process; numbered per process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// A marked fault of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FaultId(pub u32);

/// A fair choice of a model: something that may not be passed over for ever.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FairId(pub u32);

/// Whether a label marks progress: `progress`, `progress_..`. Labels of a function come with its name before them.
pub fn is_progress(label: &str) -> bool {
    let name = label.rsplit('.').next().unwrap_or(label);
    name == "progress" || name.starts_with("progress_")
}

/// `data D { A, B }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    /// `D`
    pub name: String,
    /// `A`, `B`; at least one.
    pub constructors: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Which events of a `protocol` may come first, last, and after each other. Events are numbered by their places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Positions {
    /// Those that may come first; in order.
    pub first: Vec<u32>,
    /// For each, those that may follow; in order.
    pub follow: Vec<Vec<u32>>,
    /// Whether each may be the last.
    pub last: Vec<bool>,
    /// Whether it may end at once.
    pub empty: bool,
}

impl Positions {
    /// The events that fit after some, of which the last was one of these; at the beginning before all of them.
    pub fn after(&self, at: Option<&[u32]>) -> Vec<u32> {
        let Some(at) = at else {
            return self.first.clone();
        };
        let mut next: Vec<u32> = (at.iter())
            .flat_map(|event| self.follow[*event as usize].iter().copied())
            .collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Whether it may end there.
    pub fn may_end(&self, at: Option<&[u32]>) -> bool {
        match at {
            None => self.empty,
            Some(at) => at.iter().any(|event| self.last[*event as usize]),
        }
    }
}

/// Prefix temporal operators of LTL and CTL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum TemporalOp {
    X,
    G,
    F,
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
}

impl TemporalOp {
    /// Its letters.
    pub fn as_str(self) -> &'static str {
        match self {
            TemporalOp::X => "X",
            TemporalOp::G => "G",
            TemporalOp::F => "F",
            TemporalOp::Y => "Y",
            TemporalOp::Z => "Z",
            TemporalOp::H => "H",
            TemporalOp::O => "O",
            TemporalOp::AX => "AX",
            TemporalOp::AG => "AG",
            TemporalOp::AF => "AF",
            TemporalOp::EX => "EX",
            TemporalOp::EG => "EG",
            TemporalOp::EF => "EF",
        }
    }
}

/// CTL path quantifiers before `( p U q )`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathOp {
    /// `A`
    All,
    /// `E`
    Exists,
}

/// The channel operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageOp {
    /// `send`
    Send,
    /// `recv`
    Recv,
    /// `peek`
    Peek,
    /// `timeout_send`
    TimeoutSend,
    /// `nonblock_send`
    NonblockSend,
    /// `timeout_recv`
    TimeoutRecv,
    /// `timeout_peek`
    TimeoutPeek,
    /// `nonblock_recv`
    NonblockRecv,
    /// `nonblock_peek`
    NonblockPeek,
}

impl MessageOp {
    /// All of them, in the order of the reference.
    pub const ALL: [MessageOp; 9] = [
        MessageOp::Send,
        MessageOp::Recv,
        MessageOp::Peek,
        MessageOp::TimeoutSend,
        MessageOp::NonblockSend,
        MessageOp::TimeoutRecv,
        MessageOp::TimeoutPeek,
        MessageOp::NonblockRecv,
        MessageOp::NonblockPeek,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageOp::Send => "send",
            MessageOp::Recv => "recv",
            MessageOp::Peek => "peek",
            MessageOp::TimeoutSend => "timeout_send",
            MessageOp::NonblockSend => "nonblock_send",
            MessageOp::TimeoutRecv => "timeout_recv",
            MessageOp::TimeoutPeek => "timeout_peek",
            MessageOp::NonblockRecv => "nonblock_recv",
            MessageOp::NonblockPeek => "nonblock_peek",
        }
    }

    /// Whether it puts a message into the channel.
    pub fn is_send(self) -> bool {
        matches!(
            self,
            MessageOp::Send | MessageOp::TimeoutSend | MessageOp::NonblockSend
        )
    }

    /// Whether it looks without taking.
    pub fn is_peek(self) -> bool {
        matches!(
            self,
            MessageOp::Peek | MessageOp::TimeoutPeek | MessageOp::NonblockPeek
        )
    }

    /// Whether it yields a `bool`.
    pub fn is_expression(self) -> bool {
        !matches!(self, MessageOp::Send | MessageOp::Recv | MessageOp::Peek)
    }
}

/// Prefix operators of values (`docs/language.md`, section 5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
}

/// Infix operators, temporal ones included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Releases,
    Since,
    Triggered,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    BitOr,
    BitXor,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
}

impl BinaryOp {
    /// Its token.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<->",
            BinaryOp::Implies => "->",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Until => "U",
            BinaryOp::Releases => "V",
            BinaryOp::Since => "S",
            BinaryOp::Triggered => "T",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::BitAnd => "&",
        }
    }
}

/// The kinds of specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpecKind {
    /// `invariant`
    Invariant,
    /// `reachable`
    Reachable,
    /// `unreachable`
    Unreachable,
    /// `ltl`
    Ltl,
    /// `ctl`
    Ctl,
    /// `assume`
    Assume,
    /// `tolerant`
    Tolerant,
    /// `protocol`
    Protocol,
    /// `diagnosable`
    Diagnosable,
}

/// Which operators a kind of specification may have besides those of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// None: it speaks of single states.
    State,
    /// Those about one run.
    Linear,
    /// Those about all runs from a state.
    Branching,
}

/// Whether a word is a keyword everywhere, or only where a declaration begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Reserved,
    /// For kinds that came after models had used their words as names.
    AtDeclaration,
}

impl SpecKind {
    /// All that consist of formulas, in the order of the reference.
    pub const ALL: [SpecKind; 7] = [
        SpecKind::Invariant,
        SpecKind::Reachable,
        SpecKind::Unreachable,
        SpecKind::Ltl,
        SpecKind::Ctl,
        SpecKind::Assume,
        SpecKind::Tolerant,
    ];

    /// All that the front end has to know of it.
    fn row(self) -> (&'static str, Logic, Word) {
        match self {
            SpecKind::Invariant => ("invariant", Logic::State, Word::Reserved),
            SpecKind::Reachable => ("reachable", Logic::State, Word::Reserved),
            SpecKind::Unreachable => ("unreachable", Logic::State, Word::AtDeclaration),
            SpecKind::Ltl => ("ltl", Logic::Linear, Word::Reserved),
            SpecKind::Ctl => ("ctl", Logic::Branching, Word::Reserved),
            SpecKind::Assume => ("assume", Logic::Linear, Word::Reserved),
            SpecKind::Tolerant => ("tolerant", Logic::State, Word::AtDeclaration),
            // It has a grammar of its own.
            SpecKind::Protocol => ("protocol", Logic::State, Word::AtDeclaration),
            // So has this.
            SpecKind::Diagnosable => ("diagnosable", Logic::Branching, Word::AtDeclaration),
        }
    }

    /// The kind that a word begins.
    pub fn of_word(word: &str) -> Option<SpecKind> {
        SpecKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// The operators it may have.
    pub fn logic(self) -> Logic {
        self.row().1
    }

    /// Whether its word can be no name anywhere.
    pub fn is_reserved(self) -> bool {
        self.row().2 == Word::Reserved
    }
}

/// Of several processes, whose knowledge is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Knowing {
    /// That of one process: `K`.
    Own,
    /// What they all know, and know that they all know, and so on: `common`.
    Common,
    /// What they know together: `distributed`.
    Distributed,
}

impl Knowing {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Knowing::Own => "K",
            Knowing::Common => "common",
            Knowing::Distributed => "distributed",
        }
    }
}

/// How well a `tolerant` condition bears faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// It always holds.
    Unaffected,
    /// It always holds if the faults cannot happen.
    Correct,
    /// It holds in every state but those just after a fault.
    UnaffectedLater,
    /// It holds from the first fault on.
    HoldsOn,
    /// After a fault it can come to hold.
    MayRecover,
    /// After a fault it comes to hold.
    Recovers,
}

impl Level {
    /// All of them, in the order of the reference.
    pub const ALL: [Level; 6] = [
        Level::Unaffected,
        Level::Correct,
        Level::UnaffectedLater,
        Level::HoldsOn,
        Level::MayRecover,
        Level::Recovers,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Unaffected => "unaffected",
            Level::Correct => "correct",
            Level::UnaffectedLater => "unaffected_later",
            Level::HoldsOn => "holds_on",
            Level::MayRecover => "may_recover",
            Level::Recovers => "recovers",
        }
    }

    /// What it means, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Level::Unaffected => "always true",
            Level::Correct => "always true while the faults cannot happen",
            Level::UnaffectedLater => "always true, but perhaps just after a fault",
            Level::HoldsOn => "true from the first fault on",
            Level::MayRecover => "can become true after each fault",
            Level::Recovers => "becomes true after each fault",
        }
    }
}

/// `1,067`
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
