//! Which of the edges out of a location can be taken: a table, as far as their guards read few bits.

use super::super::code::Lookup;
use super::{Compiler, Slot};
use crate::system::Expr;

/// A table of edges is chosen by at most so many bits.
const READY_BITS: u32 = 10;

/// All tables of edges have about so many rows at most.
const ROWS: usize = 1 << 17;

/// A part of the guards of some edges, each of which has a bit.
struct Part {
    expr: Expr,
    slots: Vec<Slot>,
    of: u64,
}

impl Compiler<'_> {
    /// Where to find the set of those of at most 64 edges that can be taken, a bit per edge. What the table has seen to
    /// is taken out of the guards, which are in parts; only what is left has to be tested.
    pub fn ready(&mut self, guards: &mut [Vec<Expr>]) -> Lookup {
        let parts = self.different_parts(guards);
        let key = self.key(&parts);
        let (seen, rest): (Vec<Part>, Vec<Part>) = parts
            .into_iter()
            .partition(|part| part.slots.iter().all(|slot| key.contains(slot)));
        for (i, guard) in guards.iter_mut().enumerate() {
            guard.retain(|expr| match self.slots(expr) {
                // What reads nothing is no part.
                Some(slots) if !slots.is_empty() => rest
                    .iter()
                    .any(|part| part.of >> i & 1 != 0 && part.expr == *expr),
                _ => true,
            });
        }
        let all = u64::MAX.checked_shr(64 - guards.len() as u32).unwrap_or(0);
        let base = self.code.ready.len();
        let bits = self.bits(&key);
        self.code.ready.extend((0..1usize << bits).map(|_| all));
        for part in &seen {
            self.exclude(part, &key, base);
        }
        self.lookup(&key, base as u32)
    }

    /// The parts of all guards that read something.
    fn different_parts(&self, guards: &[Vec<Expr>]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for (i, guard) in guards.iter().enumerate() {
            for expr in guard {
                if let Some(known) = parts.iter_mut().find(|part| part.expr == *expr) {
                    known.of |= 1 << i;
                } else if let Some(slots) = self.slots(expr).filter(|s| !s.is_empty()) {
                    parts.push(Part {
                        expr: expr.clone(),
                        slots,
                        of: 1 << i,
                    });
                }
            }
        }
        parts
    }

    /// Fields of few bits on which as many parts as possible depend, and on nothing else.
    fn key(&self, parts: &[Part]) -> Vec<Slot> {
        let mut key: Vec<Slot> = Vec::new();
        let left = ROWS.saturating_sub(self.code.ready.len()).max(1);
        let most = READY_BITS.min(left.ilog2());
        loop {
            let mut best: Option<(u64, u32, Vec<Slot>)> = None;
            for part in parts {
                let mut with = key.clone();
                with.extend(part.slots.iter().filter(|slot| !key.contains(slot)));
                if with.len() == key.len() || self.bits(&with) > most {
                    continue;
                }
                // How many tests more are saved by each bit more.
                let seen = |part: &&Part| part.slots.iter().all(|slot| with.contains(slot));
                let saved = parts.iter().filter(seen).map(|part| part.of.count_ones());
                let saved = u64::from(saved.sum::<u32>());
                let cost = self.bits(&with);
                let better = match &best {
                    Some((s, c, _)) => saved * u64::from(*c) > s * u64::from(cost),
                    None => true,
                };
                if better {
                    best = Some((saved, cost, with));
                }
            }
            match best {
                Some((_, _, with)) => key = with,
                None => break,
            }
        }
        self.sort(&mut key);
        key
    }

    /// Takes the edges of a part out of the rows in which it does not hold.
    fn exclude(&mut self, part: &Part, key: &[Slot], base: usize) {
        let mut holds = vec![false; 1 << self.bits(&part.slots)];
        self.each(&part.expr, &part.slots, |position, value| {
            holds[position] = value.is_some_and(|v| v != 0);
        });
        // Where in the number of a row the fields of the part are.
        let places: Vec<(u32, u32)> = part
            .slots
            .iter()
            .map(|slot| {
                let after = key.iter().rev().take_while(|other| *other != slot);
                let shift = after.map(|s| u32::from(self.field(*s).bits)).sum();
                (shift, u32::from(self.field(*slot).bits))
            })
            .collect();
        for (row, edges) in self.code.ready[base..].iter_mut().enumerate() {
            let position = places.iter().fold(0, |position, (shift, bits)| {
                (position << bits) | (row >> shift & ((1 << bits) - 1))
            });
            if !holds[position] {
                *edges &= !part.of;
            }
        }
    }
}
