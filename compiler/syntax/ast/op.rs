//! Quantifiers, and temporal operators out of place.

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
