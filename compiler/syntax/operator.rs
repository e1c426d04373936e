//! Brackets and operators: which tokens are some, and which letters and characters stand for them.

use super::token::Tok;
use crate::vocabulary::{Logic, SpecKind};

impl Tok {
    /// The token of a word that begins a specification.
    pub fn of_spec(kind: SpecKind) -> Tok {
        match kind.logic() {
            Logic::State => Tok::StateSpec,
            Logic::Linear => Tok::LinearSpec,
            Logic::Branching => Tok::BranchingSpec,
        }
    }

    /// Whether it is the word of a specification.
    pub fn is_spec(self) -> bool {
        matches!(self, Tok::StateSpec | Tok::LinearSpec | Tok::BranchingSpec)
    }

    /// The bracket that closes this one.
    pub fn closer(self) -> Option<Tok> {
        match self {
            Tok::LParen => Some(Tok::RParen),
            Tok::LBracket => Some(Tok::RBracket),
            Tok::LBrace => Some(Tok::RBrace),
            _ => None,
        }
    }

    /// Whether it closes a bracket.
    pub fn is_closer(self) -> bool {
        matches!(self, Tok::RParen | Tok::RBracket | Tok::RBrace)
    }

    /// Whether it is one of the temporal operators.
    pub fn is_temporal(self) -> bool {
        (Tok::X as u8..=Tok::E as u8).contains(&(self as u8))
    }

    /// Whether it stands between two operands.
    pub fn is_infix(self) -> bool {
        (Tok::Iff as u8..=Tok::Amp as u8).contains(&(self as u8)) || self.is_temporal_infix()
    }

    /// Whether it is `U V S T`.
    pub fn is_temporal_infix(self) -> bool {
        matches!(self, Tok::U | Tok::V | Tok::S | Tok::T)
    }

    /// Whether it is `=` or `+=` and so on.
    pub fn is_assign(self) -> bool {
        (Tok::Assign as u8..=Tok::ShrAssign as u8).contains(&(self as u8))
    }

    /// The token that a character outside of ASCII obviously stands for.
    pub fn meant_by(character: char) -> Option<Tok> {
        Some(match character {
            '–' | '—' | '−' => Tok::Minus,
            '≤' => Tok::Le,
            '≥' => Tok::Ge,
            '≠' => Tok::NotEq,
            '→' | '⇒' => Tok::Implies,
            '↔' | '⇔' => Tok::Iff,
            '∧' => Tok::AndAnd,
            '∨' => Tok::OrOr,
            '¬' => Tok::Not,
            '×' | '·' => Tok::Star,
            '÷' => Tok::Slash,
            '…' => Tok::DotDot,
            _ => return None,
        })
    }

    /// The operator a word is inside an `ltl` or `assume` block.
    pub fn ltl_letter(word: &str) -> Option<Tok> {
        Some(match word {
            "X" => Tok::X,
            "G" => Tok::G,
            "F" => Tok::F,
            "U" => Tok::U,
            "V" => Tok::V,
            "S" => Tok::S,
            "T" => Tok::T,
            "Y" => Tok::Y,
            "Z" => Tok::Z,
            "H" => Tok::H,
            "O" => Tok::O,
            _ => return None,
        })
    }

    /// The operator a word is inside a `ctl` block.
    pub fn ctl_letter(word: &str) -> Option<Tok> {
        Some(match word {
            "AX" => Tok::AX,
            "AG" => Tok::AG,
            "AF" => Tok::AF,
            "EX" => Tok::EX,
            "EG" => Tok::EG,
            "EF" => Tok::EF,
            "A" => Tok::A,
            "E" => Tok::E,
            "U" => Tok::U,
            _ => return None,
        })
    }
}
