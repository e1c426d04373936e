//! An [`Observer`] at work: all of its automata at once, beside a state space.

use rustc_hash::FxHashMap;

use super::marks::{Marks, Side, insert, insert_bits};
use crate::engine::ltl::Observer;
use crate::engine::space::{Space, StateId};

/// Where the automata are, as a number; 0 is where they start.
pub type ConfigId = u32;

/// What the atoms say about a state, as a number.
pub type LetterId = u32;

/// A set of marks of the automata, as a number.
pub type WatchMarks = u32;

const UNKNOWN: LetterId = u32::MAX;

/// The automata of an observer as one. What it has worked out for a letter it remembers.
pub struct Watch {
    observer: Observer,
    /// The numbers of the observer's atoms in the state space.
    atoms: Vec<usize>,
    /// All marks.
    marks: Marks,
    configs: Vec<Box<[u32]>>,
    config_ids: FxHashMap<Box<[u32]>, ConfigId>,
    letters: Vec<Box<[u64]>>,
    letter_ids: FxHashMap<Box<[u64]>, LetterId>,
    /// The marks of each letter, one set after the other.
    letter_marks: Vec<u64>,
    /// The letter of each state, once known.
    letter_of: Vec<LetterId>,
    /// For a configuration and a letter the range of `moves`.
    known: FxHashMap<(ConfigId, LetterId), (u32, u32)>,
    moves: Vec<(ConfigId, WatchMarks)>,
    /// The sets of marks of moves, one after the other.
    move_marks: Vec<u64>,
    mark_ids: FxHashMap<Box<[u64]>, WatchMarks>,
}

impl Watch {
    /// Starts to watch a state space.
    pub fn new(observer: Observer, marks: Marks, space: &mut (impl Space + ?Sized)) -> Self {
        let atoms = observer.atoms.iter().map(|e| space.atom(e)).collect();
        let start: Box<[u32]> = vec![0; observer.automata.len()].into();
        Watch {
            observer,
            atoms,
            marks,
            config_ids: FxHashMap::from_iter([(start.clone(), 0)]),
            configs: vec![start],
            letters: Vec::new(),
            letter_ids: FxHashMap::default(),
            letter_marks: Vec::new(),
            letter_of: Vec::new(),
            known: FxHashMap::default(),
            moves: Vec::new(),
            move_marks: Vec::new(),
            mark_ids: FxHashMap::default(),
        }
    }

    /// How many configurations are known.
    pub fn configs(&self) -> usize {
        self.configs.len()
    }

    /// The most configurations there can be.
    pub fn most_configs(&self) -> usize {
        let sizes = self.observer.automata.iter().map(|a| a.states.len());
        sizes.fold(1, |all, n| all.saturating_mul(n))
    }

    /// About how many bytes it occupies.
    pub fn bytes(&self) -> usize {
        let sets = self.letter_marks.capacity() + self.move_marks.capacity();
        4 * self.letter_of.capacity()
            + 8 * (sets + self.moves.capacity())
            + 32 * self.known.capacity()
            + (64 + 16 * self.observer.automata.len()) * self.configs.len()
            + (80 + 2 * self.atoms.len().div_ceil(8)) * self.letters.len()
    }

    /// Where the automata may be after reading a state, each with the marks of that step, and the marks of the state.
    pub fn moves(
        &mut self,
        config: ConfigId,
        state: StateId,
        space: &mut (impl Space + ?Sized),
    ) -> (&[(ConfigId, WatchMarks)], &[u64]) {
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
        let (words, letter) = (self.marks.words, letter as usize);
        (
            &self.moves[start as usize..end as usize],
            &self.letter_marks[letter * words..(letter + 1) * words],
        )
    }

    /// The marks of a move.
    #[inline]
    pub fn marks(&self, set: WatchMarks) -> &[u64] {
        let (words, set) = (self.marks.words, set as usize);
        &self.move_marks[set * words..(set + 1) * words]
    }

    /// What the atoms say about a state, as a number.
    pub fn letter(&mut self, state: StateId, space: &mut (impl Space + ?Sized)) -> LetterId {
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
                self.add_letter(bits);
            }
            self.letter_of[at] = id;
        }
        self.letter_of[at]
    }

    /// Adds a letter, with the marks of the states that have it.
    fn add_letter(&mut self, letter: Box<[u64]>) {
        let holds = |atom: u32| letter[atom as usize / 64] >> (atom % 64) & 1 == 1;
        let mut set = vec![0; self.marks.words];
        for (i, atom) in self.observer.recurring.iter().enumerate() {
            if holds(*atom) {
                insert(&mut set, self.marks.recurring(i));
            }
        }
        for (i, (given, then)) in self.observer.pairs.iter().enumerate() {
            for (atom, side) in [(given, Side::Given), (then, Side::Then)] {
                if holds(*atom) {
                    insert(&mut set, self.marks.pair(i, side));
                }
            }
        }
        self.letter_marks.extend(set);
        self.letters.push(letter);
    }

    /// Appends the moves of a configuration that reads a letter: every combination of its automata's.
    fn work_out(&mut self, config: ConfigId, letter: LetterId) {
        let letter = &self.letters[letter as usize];
        let holds = |atom: u32| letter[atom as usize / 64] >> (atom % 64) & 1 == 1;
        let mut combined: Vec<(Vec<u32>, Vec<u64>)> = vec![(Vec::new(), vec![0; self.marks.words])];
        for (i, automaton) in self.observer.automata.iter().enumerate() {
            let read = (automaton.atoms.iter().enumerate())
                .fold(0, |all, (bit, atom)| all | u128::from(holds(*atom)) << bit);
            let state = self.configs[config as usize][i];
            let first = self.marks.automaton(i);
            let mut longer = Vec::new();
            for (before, marks) in &combined {
                for edge in &automaton.states[state as usize] {
                    if edge.reads(read) {
                        let (mut after, mut marks) = (before.clone(), marks.clone());
                        after.push(edge.to);
                        insert_bits(&mut marks, first, edge.marks);
                        longer.push((after, marks));
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
            let fresh = self.mark_ids.len() as WatchMarks;
            let marks: Box<[u64]> = marks.into();
            let set = *self.mark_ids.entry(marks.clone()).or_insert(fresh);
            if set == fresh {
                self.move_marks.extend(marks);
            }
            self.moves.push((id, set));
        }
    }
}
