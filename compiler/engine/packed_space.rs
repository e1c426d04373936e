//! The [`Space`] of a compiled System: its states are found as they are asked for.

use indexmap::IndexMap;

use super::code::Range;
use super::emptiness::components::components;
use super::explorer::Explorer;
use super::model::to_move;
use super::space::{Exhausted, Space, StateId, States, Transition};
use super::store::{UNKNOWN, hash};
use crate::system::state::State;
use crate::system::{Expr, StrongFairness, System};
use crate::verdict::Move;

/// The successors of one state may take so many bytes.
const MOST: usize = 1 << 30;

/// So many bytes at most for the states that were met lately.
const LATELY: usize = 1 << 18;

/// So many bytes at most for transitions that are kept.
const KEPT: usize = 1 << 28;

/// The transitions of states that have been asked for: a search asks once for each configuration of its automaton. Many
/// automata are in one configuration nearly everywhere; then keeping takes more time than it saves.
#[derive(Default)]
struct Kept {
    /// A bit per state that has been asked for.
    asked: Vec<u64>,
    /// How many have been, and how often one has been again.
    once: u64,
    again: u64,
    /// For each state where its transitions begin, 0 if they are not kept.
    starts: Vec<u32>,
    /// How many there are and whether somebody is forced to move; then for each where it leads and the number of
    /// its edge.
    transitions: Vec<(u32, u32)>,
}

impl Kept {
    /// Those out of a state.
    fn get(&self, state: StateId) -> Option<(&[(u32, u32)], bool)> {
        let start = *self.starts.get(state as usize)? as usize;
        let (count, forced) = *self.transitions.get(start.checked_sub(1)?)?;
        Some((
            &self.transitions[start..start + count as usize],
            forced != 0,
        ))
    }

    /// How many bytes it occupies.
    fn bytes(&self) -> usize {
        8 * (self.asked.capacity() + self.transitions.capacity()) + 4 * self.starts.capacity()
    }

    /// Notes that a state is asked for.
    fn note(&mut self, state: StateId) {
        let (word, bit) = (state as usize / 64, 1 << (state % 64));
        if self.asked.len() <= word {
            self.asked.resize(word + 1, 0);
        }
        match self.asked[word] & bit {
            0 => self.once += 1,
            _ => self.again += 1,
        }
        self.asked[word] |= bit;
    }

    /// Whether it is likely enough that a state will be asked for again.
    fn pays(&self) -> bool {
        2 * self.again >= self.once
    }

    /// Keeps transitions, if there is room.
    fn add(
        &mut self,
        state: StateId,
        forced: bool,
        found: impl ExactSizeIterator<Item = (u32, u32)>,
    ) {
        let used = self.transitions.len() * 8 + self.starts.len() * 4;
        if used + found.len() * 8 + state as usize * 4 > KEPT {
            return;
        }
        if self.starts.len() <= state as usize {
            self.starts.resize(state as usize + 1, 0);
        }
        self.transitions
            .push((found.len() as u32, u32::from(forced)));
        self.starts[state as usize] = self.transitions.len() as u32;
        self.transitions.extend(found);
    }
}

/// A state space on packed states.
pub struct PackedSpace<'s, 'a, const W: usize> {
    explorer: &'s mut Explorer<'a, W>,
    atoms: IndexMap<Expr, Range>,
    stop: &'s dyn Fn() -> bool,
    asked: u32,
    /// For each few bits of a hash the last state with these, and its number: many steps lead to a state to which
    /// another one led shortly before, and to find it here does not take a wait for memory.
    lately: Vec<([u64; W], StateId)>,
    kept: Kept,
    /// The numbers of the edges at hand, unless one of them is chosen with its picks.
    edges: Vec<u32>,
    /// Which of the steps at hand lead to states that were not found there.
    pending: Vec<u32>,
}

/// Where a state with a hash is kept among so many slots, a power of two.
#[inline]
fn slot(hash: u64, slots: usize) -> usize {
    (hash >> 24) as usize & (slots - 1)
}

impl<'s, 'a, const W: usize> PackedSpace<'s, 'a, W> {
    /// The space that an explorer explores, until `stop` says so.
    pub fn new(explorer: &'s mut Explorer<'a, W>, stop: &'s dyn Fn() -> bool) -> Self {
        assert_eq!(
            explorer.known.store.threads(),
            1,
            "the numbers of states are dense"
        );
        let slots = (LATELY / (8 * W + 8)).max(16);
        PackedSpace {
            lately: vec![([0; W], UNKNOWN); 1 << slots.ilog2()],
            kept: Kept::default(),
            edges: Vec::new(),
            pending: Vec::new(),
            explorer,
            atoms: IndexMap::new(),
            stop,
            asked: 0,
        }
    }
}

impl<const W: usize> States for PackedSpace<'_, '_, W> {
    fn state(&self, id: StateId) -> State {
        let words = self.explorer.known.store.load(id);
        let layout = &self.explorer.model.layout;
        layout.unpack(self.explorer.system, &words)
    }
}

impl<const W: usize> Space for PackedSpace<'_, '_, W> {
    fn processes(&self) -> usize {
        self.explorer.model.processes()
    }

    fn starts(&self) -> u32 {
        self.explorer.starts
    }

    fn start(&self, state: StateId) -> Vec<i64> {
        let words = self.explorer.known.store.load(state);
        self.explorer
            .start(&words)
            .map(|(codes, _)| codes)
            .unwrap_or_default()
    }

    fn states(&self) -> usize {
        self.explorer.states() as usize
    }

    fn atom(&mut self, formula: &Expr) -> usize {
        if let Some(known) = self.atoms.get_index_of(formula) {
            return known;
        }
        let explorer = &mut *self.explorer;
        let condition = explorer.model.condition(explorer.system, formula);
        explorer.scratch = explorer.model.scratch();
        self.atoms.insert_full(formula.clone(), condition).0
    }

    fn holds(&mut self, state: StateId, atom: usize) -> bool {
        let words = self.explorer.known.store.load(state);
        let explorer = &mut *self.explorer;
        let code = &explorer.model.code;
        code.holds(self.atoms[atom], &words, &mut explorer.scratch)
    }

    fn successors(&mut self, state: StateId, out: &mut Vec<Transition>) -> Result<(), Exhausted> {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(1024) && (self.stop)() {
            return Err(Exhausted::Stopped);
        }
        self.kept.note(state);
        if let Some((kept, forced)) = self.kept.get(state) {
            out.clear();
            for (target, number) in kept {
                let edge = self.explorer.model.edge(*number);
                out.push(Transition {
                    target: *target,
                    process: edge.process,
                    edge: edge.edge,
                    picks: edge.picks,
                    forced: edge.forced,
                    fault: edge.fault,
                });
            }
            if !forced {
                out.push(Transition::stutter(state));
            }
            return Ok(());
        }
        let words = self.explorer.known.store.load(state);
        let explorer = &mut *self.explorer;
        let batch = &mut explorer.batch;
        let (lately, pending) = (&self.lately, &mut self.pending);
        let edges = &mut self.edges;
        edges.clear();
        let mut fixed = true;
        batch.clear();
        pending.clear();
        out.clear();
        let mut forced = false;
        let most = MOST / (W * 8 + 40);
        explorer
            .model
            .all_successors(&words, &mut explorer.scratch, |edge, picks, next| {
                forced |= edge.forced;
                fixed &= edge.picks == picks && edge.has_fixed_picks();
                edges.push(edge.number);
                let hash = hash(&next);
                let (met, number) = &lately[slot(hash, lately.len())];
                let mut target = *number;
                if *met != next || target == UNKNOWN {
                    target = UNKNOWN;
                    pending.push(out.len() as u32);
                    batch.push_hashed(next, hash);
                }
                out.push(Transition {
                    target,
                    process: edge.process,
                    edge: edge.edge,
                    picks,
                    forced: edge.forced,
                    fault: edge.fault,
                });
                // Each takes about so much memory, twice while the lists grow.
                out.len() < most
            });
        if out.len() >= most {
            return Err(Exhausted::Memory);
        }
        explorer.known.store.add_all(batch, |_, _| {})?;
        for (i, (words, hash, id)) in self.pending.iter().zip(batch.numbered()) {
            out[*i as usize].target = id;
            let slot = slot(hash, self.lately.len());
            self.lately[slot] = (*words, id);
        }
        explorer.transitions += out.len() as u64;
        if fixed && self.kept.pays() {
            let targets = out.iter().map(|transition| transition.target);
            self.kept
                .add(state, forced, targets.zip(self.edges.iter().copied()));
        }
        if !forced {
            out.push(Transition::stutter(state));
        }
        Ok(())
    }

    fn can_move(&mut self, state: StateId, process: usize) -> bool {
        let words = self.explorer.known.store.load(state);
        let explorer = &mut *self.explorer;
        explorer
            .model
            .can_move(&words, process, &mut explorer.scratch)
    }

    fn faults_recur(&self) -> bool {
        faults_recur(self.explorer.system)
    }

    fn strong_fairness(&self) -> Vec<StrongFairness> {
        self.explorer.system.strong_fairness()
    }

    fn bytes(&self) -> usize {
        self.explorer.memory()
            + self.lately.capacity() * size_of::<([u64; W], StateId)>()
            + self.kept.bytes()
    }

    fn to_move(&self, transition: &Transition) -> Move {
        if transition.is_stutter() {
            return Move::Stutter;
        }
        let Transition {
            process,
            edge,
            picks,
            ..
        } = *transition;
        to_move(self.explorer.system, process, edge, picks)
    }
}

/// Whether a process can come back to where it was when a fault hit it.
fn faults_recur(system: &System) -> bool {
    system.processes.iter().any(|process| {
        let mut out = vec![Vec::new(); process.locations.len()];
        for edge in &process.edges {
            out[edge.from.0 as usize].push(edge.to.0);
        }
        let next = |at: u32, cursor: &mut u32| {
            *cursor += 1;
            out[at as usize].get(*cursor as usize - 1).copied()
        };
        let (component, _) = components(process.locations.len(), |_| true, next);
        process.edges.iter().any(|edge| {
            let (from, to) = (edge.from.0 as usize, edge.to.0 as usize);
            edge.injection().is_some() && component[from] == component[to]
        })
    })
}
