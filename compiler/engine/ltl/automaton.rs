//! Generalised Büchi automata with marks on transitions.

use std::fmt;

/// A set of atoms of an [`Automaton`], one bit each.
pub type Atoms = u128;

/// Most atoms of an automaton.
pub const MAX_ATOMS: usize = 128;

/// Most marks of an automaton.
pub const MAX_MARKS: usize = 64;

/// A generalised Büchi automaton. Reading a letter (which atoms hold in a state) it takes an edge whose label
/// fits; it accepts a word if some run from state 0 sees every mark again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Which state formulas its atoms are: indices into the caller's list.
    pub atoms: Vec<u32>,
    /// How many marks there are.
    pub marks: u32,
    /// The edges out of each state; there is always a state 0.
    pub states: Vec<Vec<Edge>>,
}

/// An edge of an [`Automaton`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The atoms that must hold.
    pub yes: Atoms,
    /// The atoms that must not hold.
    pub no: Atoms,
    /// The marks it carries, one bit each.
    pub marks: u64,
    /// Where it leads.
    pub to: u32,
}

impl Edge {
    /// Whether its label fits a letter.
    pub fn reads(&self, letter: Atoms) -> bool {
        self.yes & !letter == 0 && self.no & letter == 0
    }
}

impl Automaton {
    /// All marks.
    pub fn all_marks(&self) -> u64 {
        match self.marks {
            64 => u64::MAX,
            marks => (1 << marks) - 1,
        }
    }

    /// Whether no word is accepted for want of states: it has been reduced to nothing.
    pub fn is_empty(&self) -> bool {
        self.states.len() == 1 && self.states[0].is_empty()
    }
}

/// `0 -p & !q {1}-> 2`, a line for each edge.
impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (from, edges) in self.states.iter().enumerate() {
            for edge in edges {
                let literals: Vec<String> = (0..self.atoms.len())
                    .filter_map(|i| {
                        let name = self.atoms[i];
                        match (edge.yes >> i & 1, edge.no >> i & 1) {
                            (1, _) => Some(format!("a{name}")),
                            (_, 1) => Some(format!("!a{name}")),
                            _ => None,
                        }
                    })
                    .collect();
                let label = match literals.is_empty() {
                    true => "true".to_string(),
                    false => literals.join(" & "),
                };
                write!(f, "{from} -{label}")?;
                let marks: Vec<String> = (0..self.marks)
                    .filter(|m| edge.marks >> m & 1 == 1)
                    .map(|m| m.to_string())
                    .collect();
                if !marks.is_empty() {
                    write!(f, " {{{}}}", marks.join(","))?;
                }
                writeln!(f, "-> {}", edge.to)?;
            }
        }
        Ok(())
    }
}

/// Why there is no automaton: it would be too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the formula has too many temporal operators, or too deeply inside each other; split it into several properties")
    }
}
