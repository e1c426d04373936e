//! Which marks there are, and which sets of them an infinite run may see again and again.
//!
//! A mark is something that a step can do: a process moves or has to wait, an automaton keeps a promise, one side of
//! a pair happens. A *required* mark must be seen again and again. Of a *pair* the second mark must be if the first
//! one is: strong fairness, known as Streett acceptance. A set of marks is a slice of words, a bit each.

use super::super::ltl::Observer;

/// Where the marks are in a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    /// The words of a set.
    pub words: usize,
    /// The marks that must be seen again and again: one for each process, then those of the observer.
    required: Vec<u64>,
    /// The first mark of the observer's recurring formulas.
    recurring: u32,
    /// The first mark of each automaton.
    automata: Vec<u32>,
    /// One past the last of these.
    end: u32,
    /// The words of the first marks of the pairs, and after as many words their second ones.
    pairs: std::ops::Range<usize>,
}

/// Which mark of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// If this is seen again and again,
    Given,
    /// so must this be.
    Then,
}

impl Marks {
    /// The marks of so many processes and an observer, and of so many further pairs after its own.
    pub fn new(processes: usize, observer: &Observer, further: usize) -> Marks {
        let recurring = processes as u32;
        let mut next = recurring + observer.recurring.len() as u32;
        let mut automata = Vec::new();
        for automaton in &observer.automata {
            automata.push(next);
            next += automaton.marks;
        }
        let first = (next as usize).div_ceil(64);
        let pairs = (observer.pairs.len() + further).div_ceil(64);
        let mut required = vec![0; first + 2 * pairs];
        (0..next).for_each(|mark| insert(&mut required, mark));
        Marks {
            words: required.len(),
            required,
            recurring,
            automata,
            end: next,
            pairs: first..first + pairs,
        }
    }

    /// The set of those that must be seen again and again.
    pub fn required(&self) -> &[u64] {
        &self.required
    }

    /// The mark of a process: it moves, or cannot move without a fault.
    pub fn process(&self, process: u32) -> u32 {
        process
    }

    /// The mark of a recurring formula.
    pub fn recurring(&self, index: usize) -> u32 {
        self.recurring + index as u32
    }

    /// The first mark of an automaton.
    pub fn automaton(&self, index: usize) -> u32 {
        self.automata[index]
    }

    /// The marks of all automata.
    pub fn of_automata(&self) -> std::ops::Range<u32> {
        let first = self.automata.first().copied().unwrap_or(self.end);
        first..self.end
    }

    /// The set of the marks of all automata.
    pub fn automata_only(&self) -> Vec<u64> {
        let mut set = vec![0; self.words];
        self.of_automata().for_each(|mark| insert(&mut set, mark));
        set
    }

    /// A mark of a pair.
    pub fn pair(&self, index: usize, side: Side) -> u32 {
        let word = match side {
            Side::Given => self.pairs.start,
            Side::Then => self.pairs.end,
        };
        (64 * word + index) as u32
    }

    /// Whether a run may see exactly these marks again and again.
    pub fn accept(&self, set: &[u64]) -> bool {
        includes(set, &self.required) && self.pairs.clone().all(|word| self.unmet(set, word) == 0)
    }

    /// The first marks of the pairs whose second one is missing in a set.
    pub fn unfair(&self, set: &[u64]) -> Vec<u64> {
        let mut given = vec![0; self.words];
        for word in self.pairs.clone() {
            given[word] = self.unmet(set, word);
        }
        given
    }

    /// The required marks, and for each pair whose first mark is in the set its second one.
    pub fn wanted(&self, set: &[u64]) -> Vec<u64> {
        let mut wanted = self.required.clone();
        for word in self.pairs.clone() {
            wanted[word + self.pairs.len()] |= set[word];
        }
        wanted
    }

    fn unmet(&self, set: &[u64], word: usize) -> u64 {
        set[word] & !set[word + self.pairs.len()]
    }
}

/// Adds a mark to a set.
#[inline]
pub fn insert(set: &mut [u64], mark: u32) {
    set[mark as usize / 64] |= 1 << (mark % 64);
}

/// Removes a mark from a set.
#[inline]
pub fn remove(set: &mut [u64], mark: u32) {
    set[mark as usize / 64] &= !(1 << (mark % 64));
}

/// Adds up to 64 marks from one on, those whose bit is set.
pub fn insert_bits(set: &mut [u64], first: u32, bits: u64) {
    for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
        insert(set, first + bit);
    }
}

/// Adds the marks of another set.
#[inline]
pub fn join(set: &mut [u64], other: &[u64]) {
    for (word, more) in set.iter_mut().zip(other) {
        *word |= more;
    }
}

/// Whether a set has all marks of another.
#[inline]
pub fn includes(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).all(|(word, part)| part & !word == 0)
}

/// Whether two sets have a mark in common.
#[inline]
pub fn meets(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).any(|(word, part)| part & word != 0)
}
