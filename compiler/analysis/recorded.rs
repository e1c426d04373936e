//! A state space that is explored once and then looked at again and again, each time with other faults.
//!
//! ```text
//! explored   s0 --skip--> s1 --drop (req@drop)--> s2
//! with {}    s0 --skip--> s1
//! ```
//!
//! Leaving out the edges of a fault is leaving out the fault ([`is_additive`](super::question::is_additive) says when), so one exploration with all
//! faults has every set of them inside: what costs is to find the states, not to walk over them.

use std::collections::HashMap;

use super::fault_set::FaultSet;
use crate::engine::space::{Exhausted, Space, StateId, Transition};
use crate::system::{EdgeKind, Expr, StrongFairness, System};
use crate::verdict::Move;
use crate::vocabulary::FaultId;

/// No fault.
pub const NO_FAULT: u8 = u8::MAX;

/// All states and transitions of a System, of which those of some faults are shown.
pub struct Recorded<'a> {
    inner: &'a mut dyn Space,
    /// For each state where its steps begin, and where the last one's end.
    starts: Vec<u64>,
    steps: Vec<Step>,
    /// Whether somebody has to move, a bit per state.
    forced: Vec<u64>,
    edges: Edges,
    /// The faults that may happen.
    pub allowed: FaultSet,
    atoms: HashMap<usize, Vec<u64>>,
}

/// A step out of a state.
#[derive(Clone, Copy)]
pub struct Step {
    /// Where it leads.
    pub target: StateId,
    /// By which edge, counted over all processes.
    pub edge: u32,
    picks: u32,
}

impl Step {
    /// With which picks.
    pub fn picks(self) -> u32 {
        self.picks
    }
}

/// The edges of a System, counted over all processes.
pub struct Edges {
    /// The process, which of its edges, and whether fairness counts it.
    list: Vec<(u32, u32, bool)>,
    /// For each the position of the fault whose edge it is.
    faults: Vec<u8>,
    /// Whether it injects that fault, rather than recover from it.
    injects: Vec<bool>,
    /// Where the edges of each process begin.
    firsts: Vec<u32>,
}

impl Edges {
    /// The edges of a System, of which these faults are looked at.
    pub fn new(system: &System, faults: &[FaultId]) -> Edges {
        let mut edges = Edges {
            list: Vec::new(),
            faults: Vec::new(),
            injects: Vec::new(),
            firsts: Vec::new(),
        };
        for (process, p) in system.processes() {
            edges.firsts.push(edges.list.len() as u32);
            for (index, edge) in p.edges.iter().enumerate() {
                let fault = match edge.kind {
                    EdgeKind::Fault(f) | EdgeKind::Recovery(f) => {
                        let position = faults.iter().position(|known| *known == f);
                        position.map_or(NO_FAULT, |position| position as u8)
                    }
                    _ => NO_FAULT,
                };
                let forced = edge.kind.is_forced();
                edges.list.push((process.0, index as u32, forced));
                edges.faults.push(fault);
                edges.injects.push(matches!(edge.kind, EdgeKind::Fault(_)));
            }
        }
        edges
    }

    fn number(&self, transition: &Transition) -> u32 {
        self.firsts[transition.process as usize] + transition.edge
    }
}

/// After so many states the caller is asked whether to go on.
const POLL: usize = 4096;

impl<'a> Recorded<'a> {
    /// Explores a state space to its end, within so many bytes. `progress` is told how many states there are, and says
    /// whether to go on.
    pub fn new(
        inner: &'a mut dyn Space,
        edges: Edges,
        memory: usize,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, Exhausted> {
        let mut recorded = Recorded {
            inner,
            starts: vec![0],
            steps: Vec::new(),
            forced: Vec::new(),
            edges,
            allowed: FaultSet(u64::MAX),
            atoms: HashMap::new(),
        };
        let mut out = Vec::new();
        while recorded.starts.len() <= recorded.inner.states() {
            let state = recorded.starts.len() - 1;
            if state.is_multiple_of(POLL) {
                if recorded.bytes() > memory {
                    return Err(Exhausted::Memory);
                }
                if !progress(recorded.inner.states()) {
                    return Err(Exhausted::Stopped);
                }
            }
            recorded.inner.successors(state as StateId, &mut out)?;
            if state.is_multiple_of(64) {
                recorded.forced.push(0);
            }
            for transition in &out {
                if transition.is_stutter() {
                    continue;
                }
                if transition.forced {
                    recorded.forced[state / 64] |= 1 << (state % 64);
                }
                recorded.steps.push(Step {
                    target: transition.target,
                    edge: recorded.edges.number(transition),
                    picks: transition.picks,
                });
            }
            recorded.starts.push(recorded.steps.len() as u64);
        }
        Ok(recorded)
    }

    /// How many states there are with all faults.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Every step out of a state, also those of faults that may not happen.
    pub fn steps(&self, state: StateId) -> &[Step] {
        let state = state as usize;
        &self.steps[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// The position of the fault that a step needs, or [`NO_FAULT`].
    pub fn fault(&self, step: Step) -> u8 {
        self.edges.faults[step.edge as usize]
    }

    /// The same of a transition that is no stuttering.
    pub fn fault_of(&self, transition: &Transition) -> u8 {
        self.edges.faults[self.edges.number(transition) as usize]
    }

    /// Whether a step injects a fault.
    pub fn injects(&self, step: Step) -> bool {
        self.edges.injects[step.edge as usize]
    }

    /// The process of a step, and which of its edges it takes.
    pub fn edge(&self, step: Step) -> (usize, usize) {
        let (process, edge, _) = self.edges.list[step.edge as usize];
        (process as usize, edge as usize)
    }

    /// Whether somebody can move without a fault.
    pub fn is_forced(&self, state: StateId) -> bool {
        self.forced[state as usize / 64] >> (state % 64) & 1 == 1
    }

    /// The states in which a formula has a value.
    pub fn states_where(&mut self, formula: &Expr, value: bool) -> Vec<StateId> {
        let atom = self.atom(formula);
        (0..self.count() as StateId)
            .filter(|state| self.holds(*state, atom) == value)
            .collect()
    }
}

impl Space for Recorded<'_> {
    fn processes(&self) -> usize {
        self.inner.processes()
    }

    fn starts(&self) -> u32 {
        self.inner.starts()
    }

    fn start(&self, state: StateId) -> Vec<i64> {
        self.inner.start(state)
    }

    fn states(&self) -> usize {
        self.count()
    }

    fn atom(&mut self, formula: &Expr) -> usize {
        let atom = self.inner.atom(formula);
        if !self.atoms.contains_key(&atom) {
            let mut bits = vec![0; self.count().div_ceil(64)];
            for state in 0..self.count() {
                if self.inner.holds(state as StateId, atom) {
                    bits[state / 64] |= 1 << (state % 64);
                }
            }
            self.atoms.insert(atom, bits);
        }
        atom
    }

    fn holds(&mut self, state: StateId, atom: usize) -> bool {
        match self.atoms.get(&atom) {
            Some(bits) => bits[state as usize / 64] >> (state % 64) & 1 == 1,
            None => self.inner.holds(state, atom),
        }
    }

    fn successors(&mut self, state: StateId, out: &mut Vec<Transition>) -> Result<(), Exhausted> {
        out.clear();
        for step in self.steps(state) {
            let fault = self.fault(*step);
            if fault != NO_FAULT && !self.allowed.includes(FaultSet::one(fault.into())) {
                continue;
            }
            let (process, edge, forced) = self.edges.list[step.edge as usize];
            out.push(Transition {
                target: step.target,
                process,
                edge,
                picks: step.picks,
                forced,
                fault: self.injects(*step),
            });
        }
        if !self.is_forced(state) {
            out.push(Transition::stutter(state));
        }
        Ok(())
    }

    fn can_move(&mut self, state: StateId, process: usize) -> bool {
        self.inner.can_move(state, process)
    }

    fn faults_recur(&self) -> bool {
        self.inner.faults_recur()
    }

    fn strong_fairness(&self) -> Vec<StrongFairness> {
        self.inner.strong_fairness()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
            + 8 * self.starts.capacity()
            + size_of::<Step>() * self.steps.capacity()
            + 8 * self.forced.capacity()
    }

    fn to_move(&self, transition: &Transition) -> Move {
        self.inner.to_move(transition)
    }
}
