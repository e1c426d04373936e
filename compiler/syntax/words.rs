//! The words and signs of the language, in one list: the lexer, completion, and the editors' highlighting know the same
//! (`tests/tree_sitter/words.rs` writes it down for editors).

use super::token::Tok;

/// The tokens that may be words.
const WORDS: &[Tok] = &[
    Tok::Data,
    Tok::Const,
    Tok::Module,
    Tok::Proc,
    Tok::Process,
    Tok::Var,
    Tok::Durable,
    Tok::If,
    Tok::Else,
    Tok::For,
    Tok::In,
    Tok::Range,
    Tok::To,
    Tok::Break,
    Tok::Continue,
    Tok::Goto,
    Tok::Return,
    Tok::Skip,
    Tok::Choice,
    Tok::Select,
    Tok::Case,
    Tok::Default,
    Tok::Send,
    Tok::Recv,
    Tok::Peek,
    Tok::TimeoutSend,
    Tok::NonblockSend,
    Tok::TimeoutRecv,
    Tok::TimeoutPeek,
    Tok::NonblockRecv,
    Tok::NonblockPeek,
    Tok::Assert,
    Tok::Init,
    Tok::Channel,
    Tok::True,
    Tok::False,
    Tok::Any,
    Tok::StateSpec,
    Tok::LinearSpec,
    Tok::BranchingSpec,
    Tok::Forall,
    Tok::Exists,
    Tok::Import,
    Tok::Limit,
    Tok::Inject,
    Tok::Fault,
    Tok::Timeout,
    Tok::After,
    Tok::Type,
    Tok::Await,
    Tok::Atomic,
    Tok::Func,
    Tok::Predicate,
    Tok::Protocol,
    Tok::Complete,
    Tok::On,
    Tok::Bag,
    Tok::Overflow,
    Tok::Count,
    Tok::Sum,
    Tok::Fair,
    Tok::Struct,
    Tok::Switch,
    Tok::Is,
    Tok::View,
    Tok::Diagnosable,
    Tok::X,
    Tok::G,
    Tok::F,
    Tok::U,
    Tok::V,
    Tok::S,
    Tok::T,
    Tok::Y,
    Tok::Z,
    Tok::H,
    Tok::O,
    Tok::AX,
    Tok::AG,
    Tok::AF,
    Tok::EX,
    Tok::EG,
    Tok::EF,
    Tok::A,
    Tok::E,
];

/// Brackets, punctuation and operators.
const SIGNS: &[Tok] = &[
    Tok::LParen,
    Tok::RParen,
    Tok::LBracket,
    Tok::RBracket,
    Tok::LBrace,
    Tok::RBrace,
    Tok::Comma,
    Tok::Semi,
    Tok::Colon,
    Tok::Dot,
    Tok::DotDot,
    Tok::At,
    Tok::Hash,
    Tok::Assign,
    Tok::AddAssign,
    Tok::SubAssign,
    Tok::MulAssign,
    Tok::DivAssign,
    Tok::RemAssign,
    Tok::AndAssign,
    Tok::OrAssign,
    Tok::XorAssign,
    Tok::ShlAssign,
    Tok::ShrAssign,
    Tok::Iff,
    Tok::Implies,
    Tok::OrOr,
    Tok::AndAnd,
    Tok::EqEq,
    Tok::NotEq,
    Tok::Lt,
    Tok::Le,
    Tok::Gt,
    Tok::Ge,
    Tok::Plus,
    Tok::Minus,
    Tok::Pipe,
    Tok::Caret,
    Tok::Star,
    Tok::Slash,
    Tok::Percent,
    Tok::Shl,
    Tok::Shr,
    Tok::Amp,
    Tok::Not,
];

/// All signs that have a meaning: brackets, punctuation, operators.
pub fn signs() -> impl Iterator<Item = &'static str> {
    SIGNS.iter().filter_map(|kind| kind.text())
}

/// All words that the lexer knows, those that are names elsewhere and temporal letters included. The words of
/// specifications are in `SpecKind`.
pub fn words() -> impl Iterator<Item = (Tok, &'static str)> {
    WORDS.iter().filter_map(|kind| Some((*kind, kind.text()?)))
}

impl Tok {
    /// Whether it is a word of the language: a keyword, or what is a name elsewhere.
    pub fn is_word(self) -> bool {
        self.is_keyword() || (Tok::Limit as u8..=Tok::E as u8).contains(&(self as u8))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_word_is_left_out() {
        let source = include_str!("token.rs");
        let lines = source
            .lines()
            .filter_map(|line| line.trim().split_once("=> \""));
        let texts = lines.filter_map(|(_, rest)| rest.strip_suffix("\","));
        let words: Vec<&str> = texts
            .filter(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
            .filter(|text| text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_'))
            .collect();
        let known: Vec<&str> = super::words().map(|(_, text)| text).collect();
        let missing: Vec<&&str> = words.iter().filter(|word| !known.contains(word)).collect();
        // What tokens are called in messages is no word.
        let names = ["comment", "name", "number", "text", "bad", "specification"];
        assert!(
            missing.iter().all(|word| names.contains(word)),
            "{missing:?}"
        );
        assert!(known.len() > 70);
        for kind in super::WORDS {
            assert!(kind.is_word(), "{kind:?}");
        }
        assert!(super::SIGNS.iter().all(|kind| !kind.is_word()));
    }

    #[test]
    fn no_sign_is_left_out() {
        let source = include_str!("token.rs");
        // What comes after them is never valid.
        let valid = source.split("// Habits from other languages").next();
        let tokens = valid.unwrap_or_default().split("#[token(\"").skip(1);
        let texts = tokens.filter_map(|rest| rest.split("\")]").next());
        let is_sign = |text: &&str| text.bytes().all(|byte| byte.is_ascii_punctuation());
        let mut signs: Vec<&str> = texts.filter(is_sign).collect();
        let mut known: Vec<&str> = super::signs().collect();
        signs.sort_unstable();
        known.sort_unstable();
        assert_eq!(known, signs);
    }
}
