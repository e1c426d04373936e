//! The words of the language, in one list: the lexer, completion, and the editors' highlighting know the same.

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

/// All words that the lexer knows, those that are names elsewhere and temporal letters included. The words of
/// specifications are in `SpecKind`.
pub fn words() -> impl Iterator<Item = (Tok, &'static str)> {
    WORDS.iter().filter_map(|kind| Some((*kind, kind.text()?)))
}

impl Tok {
    /// Whether it is a word of the language: a keyword, or what is a name elsewhere.
    pub fn is_word(self) -> bool {
        self.is_spec() || WORDS.contains(&self)
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
    }
}
