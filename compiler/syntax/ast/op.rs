//! Quantifiers, and temporal operators out of place.

/// What ranges over values: `forall i in range 0 to 3 { .. }`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `count`: how many
    Count,
    /// `sum`
    Sum,
}

impl Quantifier {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Count => "count",
            Quantifier::Sum => "sum",
        }
    }
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
