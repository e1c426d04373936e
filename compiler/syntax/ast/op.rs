//! Operations and operators.

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

/// Prefix operators of section 5.
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

/// Bounded quantifiers of specifications.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
}

/// What to write if a temporal operator stands in a specification of another kind, where it is a mere name.
pub fn temporal_hint(word: &str) -> Option<String> {
    let kind = match word {
        "X" | "G" | "F" | "U" | "V" | "S" | "T" | "Y" | "Z" | "H" | "O" => "ltl",
        "AX" | "AG" | "AF" | "EX" | "EG" | "EF" | "A" | "E" => "ctl",
        _ => return None,
    };
    Some(format!(
        "`{word}` is an operator of `{kind}`: write `{kind} name {{ .. }}`"
    ))
}
