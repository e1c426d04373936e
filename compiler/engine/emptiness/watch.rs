//! An [`Observer`] at work: all of its automata at once, beside a state space.

use rustc_hash::FxHashMap;

use super::Marks;
use crate::engine::ltl::Observer;
use crate::engine::space::{Space, StateId};

/// Where the automata are, as a number; 0 is where they start.
pub type ConfigId = u32;

/// What the atoms say about a state, as a number.
type LetterId = u32;

const UNKNOWN: LetterId = u32::MAX;

/// The automata of an observer as one. What it has worked out for a letter it remembers.
pub struct Watch {
    observer: Observer,
    /// The numbers of the observer's atoms in the state space.
    atoms: Vec<usize>,
    /// The first mark of each automaton.
    offsets: Vec<u32>,
    configs: Vec<Box<[u32]>>,
    config_ids: FxHashMap<Box<[u32]>, ConfigId>,
    letters: Vec<Box<[u64]>>,
    letter_ids: FxHashMap<Box<[u64]>, LetterId>,
    /// The letter of each state, once known.
    letter_of: Vec<LetterId>,
    /// For a configuration and a letter the range of `moves`.
    known: FxHashMap<(ConfigId, LetterId), (u32, u32)>,
    moves: Vec<(ConfigId, Marks)>,
}

impl Watch {
    /// Starts to watch a state space; its marks are numbered from `first_mark` on. `None` if there are too many.
    pub fn new(
        observer: Observer,
        first_mark: u32,
        space: &mut (impl Space + ?Sized),
    ) -> Option<Self> {
        let atoms = observer.atoms.iter().map(|e| space.atom(e)).collect();
        let mut mark = first_mark.checked_add(observer.recurring.len() as u32)?;
        let mut offsets = vec![first_mark];
        for automaton in &observer.automata {
            offsets.push(mark);
            mark += automaton.marks;
        }
        if mark > Marks::BITS {
            return None;
        }
        offsets.push(mark);
        let start: Box<[u32]> = vec![0; observer.automata.len()].into();
        Some(Watch {
            observer,
            atoms,
            offsets,
            config_ids: FxHashMap::from_iter([(start.clone(), 0)]),
            configs: vec![start],
            letters: Vec::new(),
            letter_ids: FxHashMap::default(),
            letter_of: Vec::new(),
            known: FxHashMap::default(),
            moves: Vec::new(),
        })
    }

    /// How many marks there are, those before the first one included.
    pub fn marks(&self) -> u32 {
        self.offsets[self.offsets.len() - 1]
    }

    /// The most configurations there can be.
    pub fn most_configs(&self) -> usize {
        let sizes = self.observer.automata.iter().map(|a| a.states.len());
        sizes.fold(1, |all, n| all.saturating_mul(n))
    }

    /// About how many bytes it occupies.
    pub fn bytes(&self) -> usize {
        4 * self.letter_of.len() + 40 * self.moves.len() + 32 * self.known.len()
    }

    /// Where the automata may be after reading a state, each with the marks of that step.
    pub fn moves(
        &mut self,
        config: ConfigId,
        state: StateId,
        space: &mut (impl Space + ?Sized),
    ) -> &[(ConfigId, Marks)] {
        let letter = self.letter(state, space);
        let (start, end) = match self.known.get(&(config, letter)) {
            Some(range) => *range,
            None => {
                let start = self.moves.len() as u32;
                self.work_out(config, letter);
                let range = (start, self.moves.len() as u32);
                self.known.insert((config, letter), range);
                range
            }
        };
        &self.moves[start as usize..end as usize]
    }

    fn letter(&mut self, state: StateId, space: &mut (impl Space + ?Sized)) -> LetterId {
        let at = state as usize;
        if at >= self.letter_of.len() {
            self.letter_of.resize(space.states().max(at + 1), UNKNOWN);
        }
        if self.letter_of[at] == UNKNOWN {
            let mut bits = vec![0u64; self.atoms.len().div_ceil(64)];
            for (i, atom) in self.atoms.iter().enumerate() {
                if space.holds(state, *atom) {
                    bits[i / 64] |= 1 << (i % 64);
                }
            }
            let bits: Box<[u64]> = bits.into();
            let fresh = self.letters.len() as LetterId;
            let id = *self.letter_ids.entry(bits.clone()).or_insert(fresh);
            if id == fresh {
                self.letters.push(bits);
            }
            self.letter_of[at] = id;
        }
        self.letter_of[at]
    }

    /// Appends the moves of a configuration that reads a letter: every combination of its automata's.
    fn work_out(&mut self, config: ConfigId, letter: LetterId) {
        let letter = &self.letters[letter as usize];
        let holds = |atom: u32| letter[atom as usize / 64] >> (atom % 64) & 1 == 1;
        let mut marks: Marks = 0;
        for (i, atom) in self.observer.recurring.iter().enumerate() {
            if holds(*atom) {
                marks |= 1 << (self.offsets[0] + i as u32);
            }
        }
        let mut combined: Vec<(Vec<u32>, Marks)> = vec![(Vec::new(), marks)];
        for (i, automaton) in self.observer.automata.iter().enumerate() {
            let read = (automaton.atoms.iter().enumerate())
                .fold(0, |all, (bit, atom)| all | u128::from(holds(*atom)) << bit);
            let state = self.configs[config as usize][i];
            let offset = self.offsets[i + 1];
            let mut longer = Vec::new();
            for (before, marks) in &combined {
                for edge in &automaton.states[state as usize] {
                    if edge.reads(read) {
                        let mut after = before.clone();
                        after.push(edge.to);
                        longer.push((after, marks | Marks::from(edge.marks) << offset));
                    }
                }
            }
            combined = longer;
        }
        for (config, marks) in combined {
            let config: Box<[u32]> = config.into();
            let fresh = self.configs.len() as ConfigId;
            let id = *self.config_ids.entry(config.clone()).or_insert(fresh);
            if id == fresh {
                self.configs.push(config);
            }
            self.moves.push((id, marks));
        }
    }
}
