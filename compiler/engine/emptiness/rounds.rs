//! What the automata can do while a run goes round a loop: from which configuration to which, and with which marks.
//!
//! An automaton need not be where it was after one round. So a loop of the state space is accepted if going round it
//! again and again leads into a cycle of configurations that has all marks.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::product::Product;
use crate::engine::space::{Space, StateId};

/// Most configurations, and most relations between them, that are worth following.
const MOST_CONFIGS: usize = 64;
const MOST_RELATIONS: usize = 4_096;

/// From a configuration to another with marks of the automata; sorted.
type Relation = Vec<(u8, u8, u64)>;

/// There are more relations than are worth following.
pub struct TooMany;

/// Relations by number; 0 is that of no step at all.
pub struct Rounds {
    relations: IndexSet<Relation>,
    after: FxHashMap<(u32, u32), Option<u32>>,
    /// For each letter and configuration what the automata can do.
    moves: FxHashMap<u32, Vec<Vec<(u8, u64)>>>,
    all: u64,
}

impl Rounds {
    /// What the automata do in some states; `None` if there are too many configurations or marks.
    pub fn new<S: Space + ?Sized>(product: &mut Product<S>, states: &[StateId]) -> Option<Rounds> {
        let marks = product.marks.of_automata().len();
        if marks > 64 {
            return None;
        }
        let all = u64::MAX.checked_shr(64 - marks as u32).unwrap_or(0);
        let mut examples: FxHashMap<u32, StateId> = FxHashMap::default();
        for state in states {
            examples.entry(product.letter(*state)).or_insert(*state);
        }
        let mut letters: Vec<(u32, StateId)> = examples.into_iter().collect();
        letters.sort_unstable();
        let mut moves: FxHashMap<u32, Vec<Vec<(u8, u64)>>> = FxHashMap::default();
        let mut configs = 0;
        while configs < product.configs() {
            configs = product.configs();
            if configs > MOST_CONFIGS {
                return None;
            }
            for (letter, state) in &letters {
                let known = moves.entry(*letter).or_default();
                for config in known.len()..configs {
                    let moves = product.config_moves(config as u32, *state).into_iter();
                    known.push(moves.map(|(to, marks)| (to as u8, marks)).collect());
                }
            }
        }
        let same = (0..configs as u8)
            .map(|config| (config, config, 0))
            .collect();
        Some(Rounds {
            relations: IndexSet::from([same]),
            after: FxHashMap::default(),
            moves,
            all,
        })
    }

    /// A relation followed by a letter; `None` if nothing is possible any more. An error if there are too many.
    pub fn then(&mut self, relation: u32, letter: u32) -> Result<Option<u32>, TooMany> {
        if let Some(known) = self.after.get(&(relation, letter)) {
            return Ok(*known);
        }
        let mut next: Relation = Vec::new();
        for (start, now, marks) in &self.relations[relation as usize] {
            for (to, more) in &self.moves[&letter][*now as usize] {
                let entry = (*start, *to, marks | more);
                let better =
                    |e: &(u8, u8, u64)| (e.0, e.1) == (entry.0, entry.1) && entry.2 & !e.2 == 0;
                if !next.iter().any(better) {
                    next.retain(|e| (e.0, e.1) != (entry.0, entry.1) || e.2 & !entry.2 != 0);
                    next.push(entry);
                }
            }
        }
        next.sort_unstable();
        let id = match next.is_empty() {
            true => None,
            false => Some(self.relations.insert_full(next).0 as u32),
        };
        if self.relations.len() > MOST_RELATIONS {
            return Err(TooMany);
        }
        self.after.insert((relation, letter), id);
        Ok(id)
    }

    /// The configurations from which going round again and again is accepted, a bit each.
    pub fn accepted(&self, relation: u32) -> u64 {
        let relation = &self.relations[relation as usize];
        let mut reach = [0u64; MOST_CONFIGS];
        for (from, to, _) in relation {
            reach[*from as usize] |= 1 << to;
        }
        for via in 0..MOST_CONFIGS {
            for from in 0..MOST_CONFIGS {
                if reach[from] >> via & 1 == 1 {
                    reach[from] |= reach[via];
                }
            }
        }
        let mut accepted = 0;
        for config in 0..MOST_CONFIGS {
            let inside =
                |q: u8| reach[config] >> q & 1 == 1 && reach[q as usize] >> config & 1 == 1;
            let seen = (relation.iter())
                .filter(|(from, to, _)| inside(*from) && inside(*to))
                .map(|(.., marks)| *marks);
            // A configuration that can come back to itself.
            if reach[config] >> config & 1 == 1 && seen.fold(0, |all, m| all | m) == self.all {
                accepted |= 1 << config;
            }
        }
        for (config, reached) in reach.iter().enumerate() {
            if reached & accepted != 0 {
                accepted |= 1 << config;
            }
        }
        accepted
    }
}
