//! The states that a run cheaper than a known one can visit, with the cheapest way to each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Stop;
use super::product::{NodeId, Product};
use crate::engine::space::{Space, StateId};

/// What a run costs: fault injections first, then steps. Costs add up like numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost(pub u64);

impl Cost {
    /// So many faults and steps.
    pub fn new(faults: usize, steps: usize) -> Cost {
        Cost((faults as u64) << 32 | steps as u64)
    }

    /// That of one step.
    pub fn step(fault: bool) -> Cost {
        Cost::new(usize::from(fault), 1)
    }

    /// Both together.
    pub fn and(self, other: Cost) -> Cost {
        Cost(self.0 + other.0)
    }

    /// The faults.
    pub fn faults(self) -> u64 {
        self.0 >> 32
    }

    /// The steps.
    pub fn steps(self) -> u64 {
        self.0 & 0xffff_ffff
    }
}

/// What a run must cost less than to be of interest.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// What the best run known costs.
    pub best: Cost,
    /// Whether no run needs fewer faults than that one.
    pub fewest_faults: bool,
}

impl Bound {
    /// Whether something that costs so much may be part of a cheaper run.
    pub fn allows(self, cost: Cost) -> bool {
        match self.fewest_faults {
            true => cost.faults() <= self.best.faults() && cost.steps() < self.best.steps(),
            false => cost < self.best,
        }
    }
}

/// A state of the ball, by its position in the order of discovery.
pub type Spot = u32;

/// A step between states of the ball.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Where it leads.
    pub to: Spot,
    /// Which of the state's transitions it is.
    pub transition: u32,
    /// What it costs.
    pub cost: Cost,
    /// The marks of the state and the step, those of the automata left out: a number of [`Ball::sets`].
    pub marks: u32,
}

/// States, the steps between them, and the cheapest ways to the nodes of the product that have them.
pub struct Ball {
    /// The states.
    pub states: Vec<StateId>,
    /// The steps out of each.
    pub ways: Vec<Vec<Way>>,
    /// The nodes of each: configuration, cost, and the node before with the transition taken there.
    pub nodes: Vec<Vec<(u32, Cost, NodeId, u32)>>,
    /// Sets of marks.
    pub sets: indexmap::IndexSet<Box<[u64]>>,
}

impl Ball {
    /// Explores what a cheaper run can visit; `None` if that is more than `most` nodes or takes too much memory.
    pub fn explore<S: Space + ?Sized>(
        product: &mut Product<S>,
        bound: Bound,
        most: usize,
        memory: usize,
    ) -> Result<Option<Ball>, Stop> {
        let mut ball = Ball {
            states: Vec::new(),
            ways: Vec::new(),
            nodes: Vec::new(),
            sets: indexmap::IndexSet::new(),
        };
        let mut spots: FxHashMap<StateId, Spot> = FxHashMap::default();
        let mut settled: rustc_hash::FxHashSet<NodeId> = rustc_hash::FxHashSet::default();
        let initials = product.initials()?;
        let mut heap: BinaryHeap<_> = (initials.iter().zip(0u64..))
            .map(|(start, order)| Reverse((Cost::default(), order, *start, *start, 0u32)))
            .collect();
        let mut order = initials.len() as u64;
        let mut steps = Vec::new();
        // The steps of each state with the states they lead to, which need not be in the ball.
        let mut targets: Vec<Vec<StateId>> = Vec::new();
        let mut edges = 0;
        while let Some(Reverse((cost, _, node, from, via))) = heap.pop() {
            if !settled.insert(node) {
                continue;
            }
            product.steps(node, &mut steps)?;
            if steps.is_empty() {
                continue;
            }
            let state = product.state(node);
            let fresh = spots.len() as Spot;
            let spot = *spots.entry(state).or_insert(fresh);
            if spot == fresh {
                ball.states.push(state);
                ball.nodes.push(Vec::new());
                let mut ways: Vec<Way> = Vec::new();
                let mut to = Vec::new();
                for step in &steps {
                    if ways.last().is_some_and(|w| w.transition == step.transition) {
                        continue;
                    }
                    let mut set = product.here().to_vec();
                    product.add_move(step.marks, &mut set);
                    to.push(product.state(step.to));
                    ways.push(Way {
                        to: 0,
                        transition: step.transition,
                        cost: Cost::step(step.fault),
                        marks: ball.sets.insert_full(set.into()).0 as u32,
                    });
                }
                edges += ways.len();
                ball.ways.push(ways);
                targets.push(to);
            }
            ball.nodes[spot as usize].push((product.config(node), cost, from, via));
            let own = 120 * settled.len() + 64 * heap.len() + 40 * edges;
            if settled.len() > most || edges > 8 * most || product.bytes() + own > memory {
                return Ok(None);
            }
            for step in &steps {
                let after = cost.and(Cost::step(step.fault));
                // A loop takes a step more at least.
                if bound.allows(after) && !settled.contains(&step.to) {
                    order += 1;
                    heap.push(Reverse((after, order, step.to, node, step.transition)));
                }
            }
        }
        for (ways, targets) in ball.ways.iter_mut().zip(targets) {
            let mut targets = targets.into_iter();
            ways.retain_mut(|way| {
                let spot = targets.next().and_then(|state| spots.get(&state));
                way.to = spot.copied().unwrap_or(0);
                spot.is_some()
            });
        }
        Ok(Some(ball))
    }

    /// The way to a node of a state, as states and their transitions.
    pub fn way<S: Space + ?Sized>(
        &self,
        product: &Product<S>,
        spot: Spot,
        config: u32,
    ) -> Vec<(StateId, u32)> {
        let spots: FxHashMap<StateId, Spot> = (self.states.iter().zip(0..))
            .map(|(s, i)| (*s, i))
            .collect();
        let mut way = Vec::new();
        let (mut spot, mut config) = (spot, config);
        loop {
            let node = self.nodes[spot as usize].iter().find(|n| n.0 == config);
            let Some((_, _, from, via)) = node else {
                break;
            };
            // A node where runs start comes from itself.
            if (product.state(*from), product.config(*from)) == (self.states[spot as usize], config)
            {
                break;
            }
            way.push((product.state(*from), *via));
            config = product.config(*from);
            spot = spots[&product.state(*from)];
        }
        way.reverse();
        way
    }
}
