//! What a finite run can already say about an `ltl` formula: that no continuation satisfies it.
//!
//! The formula is pushed through the run, state by state (Bacchus and Kabanza, *Planning with temporally extended goals*,
//! 1996): what is left of it for the rest of the run is kept as alternatives, each a set of obligations, the smallest sets only. If
//! no alternative is left, the formula is violated, whatever comes. What lies in the past is remembered, a value for each
//! operator. Like the oracle on infinite runs (`system/lasso.rs`) it shares nothing with the engine's automata.

use std::collections::BTreeSet;

use crate::system::{BinaryTemporal, Expr, Formula};
use crate::vocabulary::TemporalOp;

/// With more alternatives it gives up.
const MOST: usize = 500;

/// A formula, and the part of a run that it has read.
#[derive(Clone, Debug)]
pub struct Prefix {
    nodes: Vec<Node>,
    /// The parts without operators of the future.
    present: Vec<Present>,
    /// The values of these parts in the state before; none before the first one.
    before: Option<Vec<bool>>,
    /// What has to hold from the next state on: all of one of these sets. `None`: there were too many.
    alternatives: Option<Vec<Set>>,
}

type Set = BTreeSet<usize>;

/// A formula in which negations stand before the parts without future only.
#[derive(Clone, PartialEq, Debug)]
enum Node {
    Yes,
    No,
    Present(usize, bool),
    And(Vec<usize>),
    Or(Vec<usize>),
    Next(usize),
    Until(usize, usize),
    Releases(usize, usize),
}

/// A part without operators of the future; numbers are those of earlier parts.
#[derive(Clone, PartialEq, Debug)]
enum Present {
    Atom(Expr),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Same(usize, usize),
    /// `Y`, and `Z` if it is true at the beginning.
    Previous(usize, bool),
    Since(usize, usize),
    Triggered(usize, usize),
}

impl Prefix {
    /// A formula at the beginning of a run; `None` if it is not one of `ltl`, or looks into the future of the past.
    pub fn new(formula: &Formula) -> Option<Prefix> {
        let mut prefix = Prefix {
            nodes: Vec::new(),
            present: Vec::new(),
            before: None,
            alternatives: None,
        };
        let whole = prefix.node(formula, true)?;
        prefix.alternatives = Some(vec![Set::from([whole])]);
        Some(prefix)
    }

    /// Reads the next state, of which it is told what holds there; true if nothing satisfies the formula any more.
    pub fn read(&mut self, holds: &dyn Fn(&Expr) -> bool) -> bool {
        let now = self.values(holds);
        let before = self.alternatives.take();
        self.alternatives = before.and_then(|alternatives| {
            let mut after = Vec::new();
            for obligations in &alternatives {
                let mut all = vec![Set::new()];
                for node in obligations {
                    all = both(&all, &self.expand(*node, &now)?)?;
                }
                after = either(after, all)?;
            }
            Some(after)
        });
        self.before = Some(now);
        self.alternatives.as_ref().is_some_and(Vec::is_empty)
    }

    fn add(&mut self, node: Node) -> usize {
        let known = self.nodes.iter().position(|other| *other == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn node(&mut self, formula: &Formula, positive: bool) -> Option<usize> {
        if let Some(part) = self.present(formula) {
            return Some(self.add(Node::Present(part, positive)));
        }
        let node = match formula {
            Formula::Not(f) => return self.node(f, !positive),
            Formula::And(fs) | Formula::Or(fs) => {
                let parts = fs.iter().map(|f| self.node(f, positive));
                let parts = parts.collect::<Option<Vec<usize>>>()?;
                match matches!(formula, Formula::And(_)) == positive {
                    true => Node::And(parts),
                    false => Node::Or(parts),
                }
            }
            Formula::Implies(f, g) => {
                let parts = vec![self.node(f, !positive)?, self.node(g, positive)?];
                match positive {
                    true => Node::Or(parts),
                    false => Node::And(parts),
                }
            }
            Formula::Iff(f, g) => {
                let first = vec![self.node(f, true)?, self.node(g, positive)?];
                let second = vec![self.node(f, false)?, self.node(g, !positive)?];
                Node::Or(vec![
                    self.add(Node::And(first)),
                    self.add(Node::And(second)),
                ])
            }
            Formula::Unary(op, f) => {
                let inner = self.node(f, positive)?;
                match (op, positive) {
                    (TemporalOp::X, _) => Node::Next(inner),
                    (TemporalOp::F, true) | (TemporalOp::G, false) => {
                        Node::Until(self.add(Node::Yes), inner)
                    }
                    (TemporalOp::G, true) | (TemporalOp::F, false) => {
                        Node::Releases(self.add(Node::No), inner)
                    }
                    _ => return None,
                }
            }
            Formula::Binary(op, f, g) => {
                let (f, g) = (self.node(f, positive)?, self.node(g, positive)?);
                match (op, positive) {
                    (BinaryTemporal::Until, true) | (BinaryTemporal::Releases, false) => {
                        Node::Until(f, g)
                    }
                    (BinaryTemporal::Releases, true) | (BinaryTemporal::Until, false) => {
                        Node::Releases(f, g)
                    }
                    _ => return None,
                }
            }
            Formula::Atom(_) | Formula::Path(..) => return None,
        };
        Some(self.add(node))
    }

    /// The number of a part that says nothing about the future.
    fn present(&mut self, formula: &Formula) -> Option<usize> {
        let mut future = false;
        formula.visit(&mut |f| {
            use TemporalOp::{H, O, Y, Z};
            future |= match f {
                Formula::Unary(op, _) => !matches!(op, Y | Z | H | O),
                Formula::Binary(op, ..) => {
                    matches!(op, BinaryTemporal::Until | BinaryTemporal::Releases)
                }
                Formula::Path(..) => true,
                _ => false,
            };
        });
        (!future).then(|| self.part(formula))
    }

    fn part(&mut self, formula: &Formula) -> usize {
        let part = match formula {
            Formula::Atom(e) => Present::Atom(e.clone()),
            Formula::Not(f) => Present::Not(self.part(f)),
            Formula::And(fs) => Present::And(fs.iter().map(|f| self.part(f)).collect()),
            Formula::Or(fs) => Present::Or(fs.iter().map(|f| self.part(f)).collect()),
            Formula::Implies(f, g) => {
                let f = self.part(f);
                let not = self.keep(Present::Not(f));
                Present::Or(vec![not, self.part(g)])
            }
            Formula::Iff(f, g) => Present::Same(self.part(f), self.part(g)),
            Formula::Unary(op, f) => {
                let f = self.part(f);
                match op {
                    TemporalOp::Y => Present::Previous(f, false),
                    TemporalOp::Z => Present::Previous(f, true),
                    TemporalOp::O => Present::Since(self.keep(Present::And(Vec::new())), f),
                    // The others have been ruled out.
                    _ => Present::Triggered(self.keep(Present::Or(Vec::new())), f),
                }
            }
            Formula::Binary(BinaryTemporal::Since, f, g) => {
                Present::Since(self.part(f), self.part(g))
            }
            Formula::Binary(_, f, g) | Formula::Path(_, f, g) => {
                Present::Triggered(self.part(f), self.part(g))
            }
        };
        self.keep(part)
    }

    fn keep(&mut self, part: Present) -> usize {
        let known = self.present.iter().position(|other| *other == part);
        known.unwrap_or_else(|| {
            self.present.push(part);
            self.present.len() - 1
        })
    }

    /// The values of the parts in a state, after those in the state before.
    fn values(&self, holds: &dyn Fn(&Expr) -> bool) -> Vec<bool> {
        let mut now: Vec<bool> = Vec::with_capacity(self.present.len());
        for (index, part) in self.present.iter().enumerate() {
            let before = |part: usize, first: bool| match &self.before {
                Some(values) => values[part],
                None => first,
            };
            let value = match part {
                Present::Atom(e) => holds(e),
                Present::Not(f) => !now[*f],
                Present::And(fs) => fs.iter().all(|f| now[*f]),
                Present::Or(fs) => fs.iter().any(|f| now[*f]),
                Present::Same(f, g) => now[*f] == now[*g],
                Present::Previous(f, first) => before(*f, *first),
                Present::Since(f, g) => now[*g] || now[*f] && before(index, false),
                Present::Triggered(f, g) => now[*g] && (now[*f] || before(index, true)),
            };
            now.push(value);
        }
        now
    }

    /// What a formula asks of the rest of the run if it is to hold now. `None`: that is too much.
    fn expand(&self, node: usize, now: &[bool]) -> Option<Vec<Set>> {
        let (yes, no) = (vec![Set::new()], Vec::new());
        let later = |node: usize| vec![Set::from([node])];
        Some(match &self.nodes[node] {
            Node::Yes => yes,
            Node::No => no,
            Node::Present(part, positive) if now[*part] == *positive => yes,
            Node::Present(..) => no,
            Node::And(parts) => {
                let mut all = yes;
                for part in parts {
                    all = both(&all, &self.expand(*part, now)?)?;
                }
                all
            }
            Node::Or(parts) => {
                let mut any = no;
                for part in parts {
                    any = either(any, self.expand(*part, now)?)?;
                }
                any
            }
            Node::Next(f) => later(*f),
            Node::Until(f, g) => {
                let on = both(&self.expand(*f, now)?, &later(node))?;
                either(self.expand(*g, now)?, on)?
            }
            Node::Releases(f, g) => {
                let end = either(self.expand(*f, now)?, later(node))?;
                both(&self.expand(*g, now)?, &end)?
            }
        })
    }
}

/// The smallest of these sets.
fn either(mut sets: Vec<Set>, others: Vec<Set>) -> Option<Vec<Set>> {
    for other in others {
        if !sets.iter().any(|set| set.is_subset(&other)) {
            sets.retain(|set| !other.is_subset(set));
            sets.push(other);
        }
    }
    (sets.len() <= MOST).then_some(sets)
}

/// A set of each.
fn both(sets: &[Set], others: &[Set]) -> Option<Vec<Set>> {
    let mut all = Vec::new();
    for set in sets {
        let joined = others.iter().map(|other| set | other).collect();
        all = either(all, joined)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::lasso::holds_on_lasso;
    use crate::testing::formulas::{holds, parse, random_formula};
    use crate::testing::random::Random;

    /// After how many letters nothing satisfies a formula any more.
    fn decided(formula: &Formula, letters: &[u32]) -> Option<usize> {
        let mut prefix = Prefix::new(formula)?;
        let mut letters = letters.iter();
        let end = letters.position(|letter| prefix.read(&|e| holds(e, *letter)));
        end.map(|at| at + 1)
    }

    #[test]
    fn what_is_violated_is_found_at_once() {
        let (none, p, q, both) = (0, 1, 2, 3);
        for (formula, letters, end) in [
            ("G p", vec![p, both, q, p], Some(3)),
            ("F p", vec![none, none, none], None),
            ("G F p", vec![none, none, none], None),
            ("G (p -> X q)", vec![p, q, p, p], Some(4)),
            ("G (p -> F q)", vec![p, none, p, none], None),
            ("p V q", vec![q, q, both, none], None),
            ("p V q", vec![q, q, none], Some(3)),
            ("p U q", vec![p, p, none], Some(3)),
            ("G (q -> O p)", vec![none, p, q], None),
            ("G (q -> O p)", vec![none, q], Some(2)),
            ("G (q -> Y p)", vec![p, q, q], Some(3)),
            ("G (q -> (p S p))", vec![p, q], Some(2)),
            ("(F p) && G q", vec![q, p], Some(2)),
            ("(G p) || G q", vec![both, p, q], Some(3)),
            ("!(p <-> X q)", vec![p, q], Some(2)),
            ("!F q", vec![p, q], Some(2)),
            ("H p", vec![q], Some(1)),
            ("Z p", vec![q], None),
        ] {
            assert_eq!(decided(&parse(formula), &letters), end, "{formula}");
        }
    }

    #[test]
    fn what_is_found_is_violated_on_every_continuation() {
        let mut random = Random::new(13);
        let mut found = 0;
        for _ in 0..3_000 {
            let formula = random_formula(&mut random, 4, 3, true);
            let letters: Vec<u32> = (0..6).map(|_| random.below(8) as u32).collect();
            if decided(&formula, &letters).is_some() {
                found += 1;
                for start in 0..letters.len() {
                    let at = |position: usize, e: &Expr| holds(e, letters[position]);
                    let satisfied = holds_on_lasso(&formula, letters.len(), start, at);
                    assert!(!satisfied, "{formula:?} {letters:?} {start}");
                }
            }
        }
        assert!(found > 300, "{found}");
    }
}
