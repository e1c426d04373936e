//! The automaton of a protocol: the subset construction, and then as few states as possible.

use indexmap::IndexMap;

use super::TooLarge;
use crate::program::limits;
use crate::vocabulary::Positions;

/// Reads messages, each as the set of events that it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The sets of events that a message can be; each in order.
    pub classes: Vec<Vec<u32>>,
    /// For each state and class the next state; none if the message does not fit. It starts in the first state.
    pub next: Vec<Vec<Option<u32>>>,
    /// The states in which it may end.
    pub ends: Vec<bool>,
}

impl Automaton {
    /// The automaton of a body. States are told apart by where it may end only if that matters.
    pub(super) fn new(
        positions: &Positions,
        classes: Vec<Vec<u32>>,
        complete: bool,
    ) -> Result<Automaton, TooLarge> {
        // The beginning is a state of its own, which has read nothing.
        let mut found: IndexMap<Option<Vec<u32>>, ()> = IndexMap::new();
        found.insert(None, ());
        let mut next: Vec<Vec<Option<u32>>> = Vec::new();
        let mut ends = Vec::new();
        while next.len() < found.len() {
            let state = found
                .get_index(next.len())
                .and_then(|(state, ())| state.clone());
            let at = state.as_deref();
            ends.push(positions.may_end(at));
            let fitting = positions.after(at);
            let mut row = Vec::with_capacity(classes.len());
            for class in &classes {
                let fits = |event: &u32| class.binary_search(event).is_ok();
                let reached: Vec<u32> = fitting.iter().copied().filter(fits).collect();
                row.push(match reached.is_empty() {
                    true => None,
                    false => Some(found.insert_full(Some(reached), ()).0 as u32),
                });
                if found.len() > limits::PROTOCOL_STATES {
                    return Err(TooLarge::States);
                }
            }
            next.push(row);
        }
        let all = Automaton {
            classes,
            next,
            ends,
        };
        Ok(all.minimal(complete))
    }

    /// How many states it has, that of a message that did not fit left out.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// The same with as few states as possible, numbered in the order in which they are met.
    fn minimal(self, complete: bool) -> Automaton {
        let mut block: Vec<u32> = (self.ends.iter())
            .map(|ends| u32::from(complete && *ends))
            .collect();
        let mut count = 0;
        loop {
            let mut known: IndexMap<(u32, Vec<Option<u32>>), ()> = IndexMap::new();
            let refined: Vec<u32> = (self.next.iter().zip(&block))
                .map(|(row, own)| {
                    let row = row.iter().map(|to| to.map(|to| block[to as usize]));
                    let signature = (*own, row.collect());
                    known.insert_full(signature, ()).0 as u32
                })
                .collect();
            block = refined;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        // The states were found in the order of a search, and blocks are numbered by their first states.
        let first = |b: usize| block.iter().position(|own| *own as usize == b).unwrap_or(0);
        let firsts: Vec<usize> = (0..count).map(first).collect();
        let row = |state: &usize| {
            let next = self.next[*state].iter();
            next.map(|to| to.map(|to| block[to as usize])).collect()
        };
        Automaton {
            next: firsts.iter().map(row).collect(),
            ends: firsts.iter().map(|state| self.ends[*state]).collect(),
            classes: self.classes,
        }
    }
}
