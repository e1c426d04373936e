//! The meaning of an LTL formula on one run that repeats its end for ever: the oracle.
//!
//! No cleverness here, ever. It reads formulas as they are written, shares nothing with the translation to
//! automata, and has the last word: a counterexample is shown only if the formula is false on it.

use super::{BinaryTemporal, Expr, Formula};
use crate::vocabulary::TemporalOp;

/// Whether a formula holds at the start of the infinite word of `len` positions after the last of which
/// comes position `loop_start` again. `holds` says whether a state formula holds at a position.
///
/// Past operators see the way a position was reached, so their values may differ between the rounds of the
/// loop. Over a round a past operator is a monotone function of one bit (its value before the round), and
/// such a function applied twice is the same as applied once: if its operands repeat from some round on, it
/// repeats one round later. So the loop is unrolled once for each level of nested past operators, and the
/// values in the last of these rounds are those in all later ones.
///
/// # Panics
/// If the loop is empty, that is unless `loop_start < len`.
pub fn holds_on_lasso(
    formula: &Formula,
    len: usize,
    loop_start: usize,
    mut holds: impl FnMut(usize, &Expr) -> bool,
) -> bool {
    assert!(loop_start < len, "the loop of a run is not empty");
    let round = len - loop_start;
    let extra = past_depth(formula) * round;
    let mut word = Word {
        len: len + extra,
        loop_start: loop_start + extra,
        holds: &mut |position, expr| {
            let folded = match position {
                p if p < len => p,
                p => loop_start + (p - loop_start) % round,
            };
            holds(folded, expr)
        },
    };
    word.values(formula)[0]
}

/// How deeply past operators are nested.
fn past_depth(formula: &Formula) -> usize {
    match formula {
        Formula::Atom(_) => 0,
        Formula::Not(f) => past_depth(f),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(past_depth).max().unwrap_or(0),
        Formula::Implies(f, g) | Formula::Iff(f, g) | Formula::Path(_, f, g) => {
            past_depth(f).max(past_depth(g))
        }
        Formula::Unary(op, f) => {
            use TemporalOp::{H, O, Y, Z};
            usize::from(matches!(op, Y | Z | H | O)) + past_depth(f)
        }
        Formula::Binary(op, f, g) => {
            use BinaryTemporal::{Since, Triggered};
            usize::from(matches!(op, Since | Triggered)) + past_depth(f).max(past_depth(g))
        }
    }
}

/// A word that repeats its end, long enough for the past.
struct Word<'a> {
    len: usize,
    loop_start: usize,
    holds: &'a mut dyn FnMut(usize, &Expr) -> bool,
}

impl Word<'_> {
    /// At which positions a formula holds.
    fn values(&mut self, formula: &Formula) -> Vec<bool> {
        match formula {
            Formula::Atom(expr) => (0..self.len).map(|i| (self.holds)(i, expr)).collect(),
            Formula::Not(f) => self.values(f).iter().map(|v| !v).collect(),
            Formula::And(parts) => parts.iter().fold(vec![true; self.len], |all, f| {
                both(&all, &self.values(f), |a, b| a && b)
            }),
            Formula::Or(parts) => parts.iter().fold(vec![false; self.len], |all, f| {
                both(&all, &self.values(f), |a, b| a || b)
            }),
            Formula::Implies(f, g) => both(&self.values(f), &self.values(g), |a, b| !a || b),
            Formula::Iff(f, g) => both(&self.values(f), &self.values(g), |a, b| a == b),
            Formula::Unary(op, f) => {
                let f = self.values(f);
                let yes = vec![true; self.len];
                let no = vec![false; self.len];
                // A path quantifier makes no difference where there is one path.
                match op {
                    TemporalOp::X | TemporalOp::AX | TemporalOp::EX => self.next(&f),
                    TemporalOp::F | TemporalOp::AF | TemporalOp::EF => self.until(&yes, &f),
                    TemporalOp::G | TemporalOp::AG | TemporalOp::EG => self.releases(&no, &f),
                    TemporalOp::Y => previous(&f, false),
                    TemporalOp::Z => previous(&f, true),
                    TemporalOp::O => since(&yes, &f),
                    TemporalOp::H => triggered(&no, &f),
                }
            }
            Formula::Binary(op, f, g) => {
                let (f, g) = (self.values(f), self.values(g));
                match op {
                    BinaryTemporal::Until => self.until(&f, &g),
                    BinaryTemporal::Releases => self.releases(&f, &g),
                    BinaryTemporal::Since => since(&f, &g),
                    BinaryTemporal::Triggered => triggered(&f, &g),
                }
            }
            Formula::Path(_, f, g) => {
                let (f, g) = (self.values(f), self.values(g));
                self.until(&f, &g)
            }
        }
    }

    /// The position after a position.
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.len {
            position + 1
        } else {
            self.loop_start
        }
    }

    fn next(&self, f: &[bool]) -> Vec<bool> {
        (0..self.len).map(|i| f[self.after(i)]).collect()
    }

    /// `f U g` is the least solution of `u = g || (f && X u)`.
    fn until(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        self.solution(false, |i, next| g[i] || (f[i] && next))
    }

    /// `f V g` is the greatest solution of `v = g && (f || X v)`.
    fn releases(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        self.solution(true, |i, next| g[i] && (f[i] || next))
    }

    /// The solution of `v[i] = step(i, v[i + 1])` that is reached from `start` everywhere.
    fn solution(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.len];
        loop {
            let before = values.clone();
            for i in (0..self.len).rev() {
                values[i] = step(i, values[self.after(i)]);
            }
            if values == before {
                return values;
            }
        }
    }
}

fn both(a: &[bool], b: &[bool], op: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
}

/// The values one position before; `first` at the initial position.
fn previous(f: &[bool], first: bool) -> Vec<bool> {
    std::iter::once(first)
        .chain(f.iter().copied())
        .take(f.len())
        .collect()
}

/// `f S g`: g was true, and f ever since.
fn since(f: &[bool], g: &[bool]) -> Vec<bool> {
    let mut value = false;
    (0..f.len())
        .map(|i| {
            value = g[i] || (f[i] && value);
            value
        })
        .collect()
}

/// `f T g`: g has always been true, or at least since (and when) f was.
fn triggered(f: &[bool], g: &[bool]) -> Vec<bool> {
    let mut value = true;
    (0..f.len())
        .map(|i| {
            value = g[i] && (f[i] || value);
            value
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::formulas::{and, atom, not, parse};

    /// Evaluates on a word of letters, `|` before the loop: `"p.|q"`.
    fn check(formula: &str, word: &str) -> bool {
        let loop_start = word.find('|').expect("a loop");
        let letters: Vec<char> = word.chars().filter(|c| *c != '|').collect();
        holds_on_lasso(&parse(formula), letters.len(), loop_start, |i, e| {
            ["p", "q", "r"]
                .iter()
                .any(|name| *e == atom(name) && name.starts_with(letters[i]))
        })
    }

    #[test]
    fn future_operators() {
        assert!(check("F q", "p.|q"));
        assert!(!check("G q", "p.|q"));
        assert!(check("FG q", "p.|q"));
        assert!(check("GF q", "p.|q.."));
        assert!(!check("FG q", "p.|q.."));
        assert!(check("p U q", "pp|q."));
        assert!(!check("p U q", "p.|q."));
        assert!(!check("p U q", "|p"));
        assert!(check("q V p", "|p"));
        assert!(check("X X q", "p.|q"));
        assert!(check("X X X X p", ".|.p"));
    }

    #[test]
    fn past_operators_at_the_start() {
        assert!(!check("Y p", "|p"));
        assert!(check("Z q", "|p"));
        assert!(check("O p", "|p"));
        assert!(check("H p", "p|q"));
        assert!(check("G (X Y p)", "|p"));
        assert!(check("X (Z p)", "p|q"));
        assert!(!check("X (Z q)", "p|q"));
    }

    #[test]
    fn the_past_of_later_rounds_differs_from_that_of_the_first() {
        // Before the first round there was no q.
        assert!(!check("G (O q)", "p|pq"));
        assert!(check("FG (O q)", "p|pq"));
        assert!(check("GF (p && Y q)", "p|pq"));
        // The second p of all: known only after a whole round, its consequence one more round later.
        assert!(check("FG (O (p && Y (O p)))", ".|p"));
        assert!(check("FG (O (q && Y (O (p && Y (O q)))))", ".|pq"));
        assert!(!check("X X (O (q && Y (O (p && Y (O q)))))", ".|pq"));
    }

    #[test]
    fn since_and_triggered() {
        assert!(check("X X X (p S q)", "qpp|p."));
        assert!(!check("X X X (p S q)", "q.p|p."));
        assert!(check("X X (q T p)", "pp|p"));
        assert!(!check("X X (q T p)", "p.|p"));
        assert!(check("FG (r T (p || r))", ".r|p"));
    }

    #[test]
    fn boolean_connectives() {
        assert!(check("p -> F q", "|p.q"));
        assert!(check("p <-> !q", "|p"));
        assert!(
            holds_on_lasso(&not(and([])), 1, 0, |_, _| unreachable!("no atoms"))
                == check("p && !p", "|p")
        );
    }
}
