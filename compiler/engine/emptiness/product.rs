//! A state space beside what watches it, as one graph with dense node numbers.
//!
//! A step has the marks of the node it leaves (a process that cannot move without a fault is treated fairly; a formula
//! that is to recur holds) and its own (a process moves; an automaton keeps a promise). Fairness costs no nodes.

use super::Stop;
use super::marks::{Marks, insert, join, remove};
use super::movers::Movers;
use super::watch::{ConfigId, LetterId, Watch, WatchMarks};
use crate::engine::ltl::Observer;
use crate::engine::space::{Exhausted, Space, StateId, Transition};

/// A node of a [`Product`].
pub type NodeId = u32;

/// Nodes are fewer than this.
pub const MAX_NODES: u32 = 1 << 31;

/// With at most this many configurations a node's number is computed, not looked up.
const MAX_COMPUTED: usize = 4;

/// A step from a node to a node.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it leads.
    pub to: NodeId,
    /// Which of the state's transitions it is.
    pub transition: u32,
    /// Whether it injects a fault.
    pub fault: bool,
    /// The marks it has besides those of the node.
    pub marks: StepMarks,
}

/// The marks of a step besides those of the node that it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StepMarks {
    /// Who moves, or [`Transition::NOBODY`]; beyond the processes a number of [`Movers`].
    mover: u32,
    /// What the automata do.
    watch: WatchMarks,
}

impl StepMarks {
    /// Those of no step.
    pub const NONE: StepMarks = StepMarks {
        mover: Transition::NOBODY,
        watch: WatchMarks::MAX,
    };
}

/// The runs of a state space, watched.
pub struct Product<'a, S: Space + ?Sized> {
    /// The state space.
    pub space: &'a mut S,
    /// Which marks there are, and what a run has to see.
    pub marks: Marks,
    watch: Watch,
    nodes: Nodes,
    transitions: Vec<Transition>,
    movers: Movers,
    /// The marks of every node where nobody can move.
    quiet: Vec<u64>,
    /// The marks of the node whose steps were asked for last.
    here: Vec<u64>,
}

impl<'a, S: Space + ?Sized> Product<'a, S> {
    /// The product of a state space and an observer.
    pub fn new(space: &'a mut S, observer: Observer) -> Self {
        let processes = space.processes();
        let pairs = space.strong_fairness();
        let marks = Marks::new(processes, &observer, pairs.len());
        let movers = Movers::new(&pairs, observer.pairs.len(), &marks, space);
        let watch = Watch::new(observer, marks.clone(), space);
        let nodes = match watch.most_configs() {
            configs if configs <= MAX_COMPUTED => Nodes::Computed {
                configs: configs as u32,
            },
            _ => Nodes::Listed(Listed::default()),
        };
        let mut quiet = vec![0; marks.words];
        (0..processes as u32).for_each(|p| insert(&mut quiet, marks.process(p)));
        Product {
            space,
            here: vec![0; marks.words],
            marks,
            watch,
            nodes,
            transitions: Vec::new(),
            movers,
            quiet,
        }
    }

    /// The nodes where runs start.
    pub fn initials(&mut self) -> Result<Vec<NodeId>, Stop> {
        let starts = 0..self.space.starts();
        starts.map(|state| self.nodes.id(state, 0)).collect()
    }

    /// The state of a node.
    pub fn state(&self, node: NodeId) -> StateId {
        self.nodes.pair(node).0
    }

    /// The configuration of a node.
    pub fn config(&self, node: NodeId) -> ConfigId {
        self.nodes.pair(node).1
    }

    /// All node numbers given out are smaller.
    pub fn bound(&self) -> usize {
        match &self.nodes {
            Nodes::Computed { configs } => self.space.states() * *configs as usize,
            Nodes::Listed(listed) => listed.pairs.len(),
        }
    }

    /// About how many bytes it occupies, the state space included.
    pub fn bytes(&self) -> usize {
        let nodes = match &self.nodes {
            Nodes::Computed { .. } => 0,
            Nodes::Listed(listed) => 8 * listed.pairs.capacity() + 4 * listed.table.len(),
        };
        self.space.bytes() + nodes + self.watch.bytes() + 24 * self.transitions.capacity()
    }

    /// Replaces `out` by the steps out of a node, in declaration order; [`Product::here`] has the marks of the node.
    pub fn steps(&mut self, node: NodeId, out: &mut Vec<Step>) -> Result<(), Stop> {
        out.clear();
        let (state, config) = self.nodes.pair(node);
        let (moves, letter) = self.watch.moves(config, state, self.space);
        if moves.is_empty() {
            return Ok(());
        }
        self.space
            .successors(state, &mut self.transitions)
            .map_err(Stop::Exhausted)?;
        self.here.copy_from_slice(&self.quiet);
        for transition in self.transitions.iter().filter(|t| t.forced) {
            remove(&mut self.here, self.marks.process(transition.process));
        }
        join(&mut self.here, letter);
        self.movers.add_state(state, &mut self.here, self.space);
        for (i, transition) in self.transitions.iter().enumerate() {
            let mover = self.movers.id(state, transition, self.space);
            for (config, watch) in moves {
                out.push(Step {
                    to: self.nodes.id(transition.target, *config)?,
                    transition: i as u32,
                    fault: transition.fault,
                    marks: StepMarks {
                        mover,
                        watch: *watch,
                    },
                });
            }
        }
        Ok(())
    }

    /// The marks of the node whose steps were asked for last, if it has any steps.
    #[inline]
    pub fn here(&self) -> &[u64] {
        &self.here
    }

    /// Adds the marks of a step to a set.
    #[inline]
    pub fn add_marks(&self, step: StepMarks, set: &mut [u64]) {
        self.add_move(step, set);
        if step.watch != WatchMarks::MAX {
            join(set, self.watch.marks(step.watch));
        }
    }

    /// Adds the marks of a step to a set, those of the automata left out.
    #[inline]
    pub fn add_move(&self, step: StepMarks, set: &mut [u64]) {
        match step.mover {
            Transition::NOBODY => {}
            process if process < self.movers.processes => {
                insert(set, self.marks.process(process));
            }
            mover => join(set, self.movers.marks(mover)),
        }
    }

    /// What the atoms say about a state, as a number.
    pub fn letter(&mut self, state: StateId) -> LetterId {
        self.watch.letter(state, self.space)
    }

    /// How many configurations of the automata are known.
    pub fn configs(&self) -> usize {
        self.watch.configs()
    }

    /// Where the automata may be after reading a state, each with their marks alone, the first one as the lowest bit.
    pub fn config_moves(&mut self, config: ConfigId, state: StateId) -> Vec<(ConfigId, u64)> {
        let (moves, _) = self.watch.moves(config, state, self.space);
        let moves = moves.to_vec();
        let alone = |set: &[u64]| {
            let marks = self.marks.of_automata().enumerate();
            marks.fold(0, |all, (bit, mark)| {
                all | (set[mark as usize / 64] >> (mark % 64) & 1) << bit
            })
        };
        let moves = moves.into_iter();
        moves
            .map(|(to, set)| (to, alone(self.watch.marks(set))))
            .collect()
    }

    /// The transition of a step out of a node.
    pub fn transition(&mut self, node: NodeId, step: u32) -> Result<Transition, Stop> {
        let state = self.state(node);
        self.space
            .successors(state, &mut self.transitions)
            .map_err(Stop::Exhausted)?;
        Ok(self.transitions[step as usize])
    }
}

/// Numbers for pairs of a state and a configuration.
enum Nodes {
    /// `state * configs + config`.
    Computed {
        configs: u32,
    },
    Listed(Listed),
}

impl Nodes {
    fn id(&mut self, state: StateId, config: ConfigId) -> Result<NodeId, Stop> {
        let id = match self {
            Nodes::Computed { configs } => state
                .checked_mul(*configs)
                .and_then(|first| first.checked_add(config)),
            Nodes::Listed(listed) => Some(listed.id(state, config)),
        };
        id.filter(|id| *id < MAX_NODES)
            .ok_or(Stop::Exhausted(Exhausted::States))
    }

    fn pair(&self, node: NodeId) -> (StateId, ConfigId) {
        match self {
            Nodes::Computed { configs } => (node / configs, node % configs),
            Nodes::Listed(listed) => listed.pairs[node as usize],
        }
    }
}

/// Pairs in order of discovery, and a hash table of their positions.
#[derive(Default)]
struct Listed {
    pairs: Vec<(StateId, ConfigId)>,
    /// A power of two; positions plus 1, or 0.
    table: Vec<u32>,
}

impl Listed {
    fn id(&mut self, state: StateId, config: ConfigId) -> NodeId {
        if 4 * (self.pairs.len() + 1) > 3 * self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(state, config) as usize & mask;
        loop {
            match self.table[slot] {
                0 => {
                    self.pairs.push((state, config));
                    self.table[slot] = self.pairs.len() as u32;
                    return self.pairs.len() as u32 - 1;
                }
                found if self.pairs[found as usize - 1] == (state, config) => return found - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (2 * self.table.len()).max(1024);
        self.table.clear();
        self.table.resize(size, 0);
        for (i, (state, config)) in self.pairs.iter().enumerate() {
            let mut slot = hash(*state, *config) as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = i as u32 + 1;
        }
    }
}

/// Mixes a pair: multiplication folded onto itself.
fn hash(state: StateId, config: ConfigId) -> u64 {
    let key = u64::from(state) << 32 | u64::from(config);
    let wide = u128::from(key ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
    (wide >> 64) as u64 ^ wide as u64
}
