//! Expressions as bits.

use rustc_hash::FxHashMap;

use super::graph::{Graph, Lit, NO, YES};
use super::word::Word;
use crate::system::expr::Shared;
use crate::system::{Expr, Leaf, System, VarId};

/// A part of an expression: where it is, which tells it from all others as long as they are there.
type Place = usize;

/// What the variables and places of processes are.
#[derive(Debug)]
pub struct Blaster<'a> {
    pub system: &'a System,
    pub graph: Graph,
    /// For each stored variable its value.
    pub vars: Vec<Option<Word>>,
    /// For each process where it is.
    pub locations: Vec<Word>,
    /// Of parts that read no picks.
    known: FxHashMap<Place, Word>,
    /// For each derived variable its value, if it was asked for.
    derived: Vec<Option<Word>>,
}

/// The values of an edge's picks, and what the parts are that read them.
#[derive(Debug, Default)]
pub struct Picks {
    /// The value of each.
    pub words: Vec<Word>,
    known: FxHashMap<Place, Word>,
}

/// A value, and whether it depends on picks.
type Found = (Word, bool);

impl<'a> Blaster<'a> {
    /// Variables and processes have no bits yet.
    pub fn new(system: &'a System, most: usize) -> Self {
        Blaster {
            system,
            graph: Graph::new(most),
            vars: vec![None; system.vars.len()],
            locations: Vec::new(),
            known: FxHashMap::default(),
            derived: vec![None; system.vars.len()],
        }
    }

    /// The value of an expression. It has to be there as long as this is.
    pub fn value(&mut self, expr: &'a Expr, picks: &mut Picks) -> Word {
        self.find(expr, picks).0
    }

    /// Whether a boolean expression holds. It has to be there as long as this is.
    pub fn truth(&mut self, expr: &'a Expr, picks: &mut Picks) -> Lit {
        self.find(expr, picks).0.truth()
    }

    /// Whether a boolean expression holds if some stored variables have other values than they do.
    pub fn truth_with(&mut self, expr: &'a Expr, others: &[(VarId, Word)]) -> Lit {
        let known = std::mem::take(&mut self.known);
        let vars = self.vars.clone();
        for (var, word) in others {
            self.vars[var.0 as usize] = Some(word.clone());
        }
        let truth = self.truth(expr, &mut Picks::default());
        self.vars = vars;
        self.known = known;
        truth
    }

    fn find(&mut self, expr: &Expr, picks: &mut Picks) -> Found {
        if self.graph.is_full() {
            return (Word::boolean(NO), false);
        }
        match expr {
            Expr::Const(scalar) => (Word::constant(scalar.code()), false),
            Expr::Leaf(leaf) => self.leaf(leaf, picks),
            Expr::Not(e) => {
                let (word, reads) = self.part(e, picks);
                (Word::boolean(!word.truth()), reads)
            }
            Expr::And(parts) => self.row(parts, picks, true),
            Expr::Or(parts) => self.row(parts, picks, false),
            Expr::Neg(e) => {
                let (word, reads) = self.part(e, picks);
                (self.graph.negative(&word), reads)
            }
            Expr::Binary(op, a, b) => {
                let (a, left) = self.part(a, picks);
                let (b, right) = self.part(b, picks);
                (self.graph.apply(*op, &a, &b), left || right)
            }
            Expr::If(c, a, b) => {
                let (c, first) = self.part(c, picks);
                let (a, left) = self.part(a, picks);
                let (b, right) = self.part(b, picks);
                let word = self.graph.choose_word(c.truth(), &a, &b);
                (word, first || left || right)
            }
            Expr::Select(index, items) => {
                let (index, mut reads) = self.part(index, picks);
                let mut words = Vec::with_capacity(items.len());
                for item in items {
                    let (word, also) = self.find(item, picks);
                    words.push(word);
                    reads |= also;
                }
                (self.item(&index, &words), reads)
            }
        }
    }

    /// The value of a part that others may share.
    fn part(&mut self, part: &Shared<Leaf>, picks: &mut Picks) -> Found {
        let place = part.place();
        if let Some(word) = self.known.get(&place) {
            return (word.clone(), false);
        }
        if let Some(word) = picks.known.get(&place) {
            return (word.clone(), true);
        }
        let (word, reads) = self.find(part, picks);
        let known = match reads {
            true => &mut picks.known,
            false => &mut self.known,
        };
        known.insert(place, word.clone());
        (word, reads)
    }

    /// All of them, or one of them.
    fn row(&mut self, parts: &[Expr], picks: &mut Picks, all: bool) -> Found {
        let mut reads = false;
        let mut lits = Vec::with_capacity(parts.len());
        for part in parts {
            let (word, also) = self.find(part, picks);
            lits.push(word.truth());
            reads |= also;
        }
        let lit = match all {
            true => self.graph.all(lits),
            false => self.graph.any(lits),
        };
        (Word::boolean(lit), reads)
    }

    fn leaf(&mut self, leaf: &Leaf, picks: &mut Picks) -> Found {
        match leaf {
            Leaf::Pick(pick) => (picks.words[*pick as usize].clone(), true),
            Leaf::At(process, locations) => {
                let word = self.locations[process.0 as usize].clone();
                let here: Vec<Lit> = (locations.iter())
                    .map(|location| self.graph.is(&word, i64::from(location.0)))
                    .collect();
                (Word::boolean(self.graph.any(here)), false)
            }
            Leaf::Var(var) => {
                let index = var.0 as usize;
                let known = self.vars[index].as_ref().or(self.derived[index].as_ref());
                if let Some(word) = known {
                    return (word.clone(), false);
                }
                let system = self.system;
                let Some(expr) = &system.vars[index].derived else {
                    unreachable!("stored variables have bits");
                };
                let (word, _) = self.find(expr, &mut Picks::default());
                self.derived[index] = Some(word.clone());
                (word, false)
            }
        }
    }

    /// The word at an index; the last one if there is none.
    pub fn item(&mut self, index: &Word, words: &[Word]) -> Word {
        let last = &words[words.len() - 1];
        let sign = index.bits.len() - 1;
        let found = self.subtree(&index.bits[..sign], 0, words);
        match index.bounds.0 < 0 {
            true => self.graph.choose_word(index.bits[sign], last, &found),
            false => found,
        }
    }

    /// The word at `base` plus the number that these bits are.
    fn subtree(&mut self, bits: &[Lit], base: usize, words: &[Word]) -> Word {
        if base >= words.len() - 1 {
            return words[words.len() - 1].clone();
        }
        let Some((top, rest)) = bits.split_last() else {
            return words[base].clone();
        };
        let step = 1usize.checked_shl(rest.len() as u32).unwrap_or(usize::MAX);
        match *top {
            NO => self.subtree(rest, base, words),
            YES => self.subtree(rest, base.saturating_add(step), words),
            top => {
                let above = self.subtree(rest, base.saturating_add(step), words);
                let below = self.subtree(rest, base, words);
                self.graph.choose_word(top, &above, &below)
            }
        }
    }
}
