//! The search for components in which every mark occurs.
//!
//! Couvreur, "On-the-fly Verification of Linear Temporal Logic", 1999: one depth-first search that keeps the
//! components of the nodes on its path, each with the marks seen inside, and merges them when an edge closes
//! a cycle. Ordered by faults: first everything that is reachable without a fault, then what one fault adds,
//! and so on, each layer along edges that are no faults; since these lead from a layer to it or to earlier ones, a
//! component without faults inside lies in one layer. Only if no layer has an accepting component, and faults can
//! be on a cycle at all, is the graph searched again with the faults as ordinary edges. A component in which some
//! pair of strong fairness is not satisfied is taken apart ([`refine`](super::refine)).

use super::Stop;
use super::marks::{includes, join};
use super::product::{MAX_NODES, NodeId, Product, Step, StepMarks};
use super::refine::{Component, refine};
use crate::engine::space::{Exhausted, Space};

/// A node that has not been met. Others hold their order of discovery, from 1, while their component is open.
const UNMET: u32 = 0;
/// In the accepting component number k: this plus k.
const GOOD: u32 = MAX_NODES;
/// In no accepting component, found in layer k: this plus k (further layers count as the last).
const DEAD: u32 = u32::MAX - LAST_LAYER;
const LAST_LAYER: u32 = 0xffff;

/// After the first accepting component the layer is searched on for as many nodes as there were, and at least
/// this many, for there may be one that is closer to the start.
const MORE: usize = 100_000;

/// What a search found: some accepting components.
pub struct AcceptingComponents {
    status: Vec<u32>,
    components: Vec<Accepting>,
    /// Whether faults may be inside the components.
    pub with_faults: bool,
}

/// What a run inside an accepting component has to do.
pub struct Accepting {
    /// Sees these marks again and again,
    pub wanted: Vec<u64>,
    /// and takes no step with one of these.
    pub forbidden: Vec<u64>,
}

impl AcceptingComponents {
    /// Whether the search met a node.
    pub fn met(&self, node: NodeId) -> bool {
        self.status.get(node as usize).is_some_and(|s| *s != UNMET)
    }

    /// The accepting component of a node, if it is in one.
    pub fn component(&self, node: NodeId) -> Option<u32> {
        let status = *self.status.get(node as usize)?;
        (GOOD..DEAD).contains(&status).then(|| status - GOOD)
    }

    /// What a run inside a component has to do.
    pub fn accepting(&self, component: u32) -> &Accepting {
        &self.components[component as usize]
    }
}

/// Numbers about a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Nodes whose steps were asked for.
    pub nodes: usize,
    /// Steps looked at.
    pub steps: usize,
    /// Most bytes that were occupied, the state space included.
    pub bytes: usize,
    /// Whether the run found is known to be the cheapest.
    pub minimal: bool,
}

/// The accepting components with the fewest faults before them and none inside; if there are none, some with
/// faults inside. `memory` is how many bytes may be used, the state space included.
pub fn search<S: Space + ?Sized>(
    product: &mut Product<S>,
    memory: usize,
    stats: &mut Stats,
) -> Result<Option<AcceptingComponents>, Stop> {
    let faults_recur = product.space.faults_recur();
    for with_faults in [false, true] {
        let mut search = Search {
            words: product.marks.words,
            seen: vec![0; product.marks.words],
            product,
            with_faults,
            memory,
            stats,
            status: Vec::new(),
            layer: 0,
            clock: 0,
            path: Vec::new(),
            waiting: Vec::new(),
            open: Vec::new(),
            roots: Vec::new(),
            marks: Vec::new(),
            later: Vec::new(),
            recurs: false,
            good: Vec::new(),
            last_node: None,
            steps: Vec::new(),
        };
        if search.run()? {
            return Ok(Some(AcceptingComponents {
                status: search.status,
                components: search.good,
                with_faults,
            }));
        }
        let complete = includes(&search.seen, search.product.marks.required());
        if !faults_recur || !search.recurs || !complete {
            break;
        }
    }
    Ok(None)
}

struct Search<'a, 'b, S: Space + ?Sized> {
    product: &'a mut Product<'b, S>,
    /// The words of a set of marks.
    words: usize,
    with_faults: bool,
    memory: usize,
    stats: &'a mut Stats,
    status: Vec<u32>,
    layer: u32,
    clock: u32,
    /// The nodes on the way from the start.
    path: Vec<Frame>,
    /// The steps of these nodes that are still to be looked at.
    waiting: Vec<(NodeId, StepMarks)>,
    /// The nodes of open components, by order of discovery.
    open: Vec<NodeId>,
    roots: Vec<Root>,
    /// The marks inside each of these, one set after the other.
    marks: Vec<u64>,
    /// Where faults lead from this layer.
    later: Vec<NodeId>,
    /// Whether a cycle may contain a fault.
    recurs: bool,
    /// The marks of all steps.
    seen: Vec<u64>,
    good: Vec<Accepting>,
    /// How many nodes to look at once an accepting component is known.
    last_node: Option<usize>,
    steps: Vec<Step>,
}

struct Frame {
    node: NodeId,
    /// Its steps in `waiting` from here, of which `next` is to be looked at next.
    start: usize,
    next: usize,
}

/// An open component: the nodes from an order of discovery on.
struct Root {
    order: u32,
    /// Whether there is any step inside.
    cyclic: bool,
    /// The marks of the step that led to it.
    incoming: StepMarks,
}

impl<S: Space + ?Sized> Search<'_, '_, S> {
    /// Whether there is an accepting component.
    fn run(&mut self) -> Result<bool, Stop> {
        let mut seeds = self.product.initials()?;
        while !seeds.is_empty() {
            for seed in seeds {
                match self.status(seed) {
                    UNMET if self.explore(seed)? => {}
                    UNMET => {
                        self.close_all()?;
                        return Ok(true);
                    }
                    status => self.recurs |= self.is_earlier(status),
                }
            }
            if !self.good.is_empty() {
                return Ok(true);
            }
            self.layer += 1;
            seeds = std::mem::take(&mut self.later);
        }
        Ok(false)
    }

    fn status(&self, node: NodeId) -> u32 {
        self.status.get(node as usize).copied().unwrap_or(UNMET)
    }

    /// Whether a settled node was found in an earlier layer: who comes back to it may use a fault again.
    fn is_earlier(&self, status: u32) -> bool {
        status >= DEAD && (status - DEAD < self.layer || self.layer >= LAST_LAYER)
    }

    /// Searches from a node on; `false` if it stopped early because an accepting component is known.
    fn explore(&mut self, seed: NodeId) -> Result<bool, Stop> {
        if !self.enter(seed, StepMarks::NONE)? {
            return Ok(false);
        }
        while let Some(frame) = self.path.last_mut() {
            if frame.next == self.waiting.len() {
                let (node, start) = (frame.node, frame.start);
                self.path.pop();
                self.waiting.truncate(start);
                self.leave(node)?;
                continue;
            }
            let (to, marks) = self.waiting[frame.next];
            frame.next += 1;
            let status = self.status[to as usize];
            if status != UNMET {
                if status < GOOD {
                    self.merge(status, marks);
                }
            } else if !self.enter(to, marks)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Puts a node on the path; `false` if the search is to stop.
    fn enter(&mut self, node: NodeId, incoming: StepMarks) -> Result<bool, Stop> {
        if self.last_node.is_some_and(|last| self.stats.nodes >= last) {
            return Ok(false);
        }
        let mut steps = std::mem::take(&mut self.steps);
        let asked = self
            .product
            .steps(node, &mut steps)
            .and_then(|()| self.within_memory());
        if let Err(stop) = asked {
            // What is known already may be enough for an answer.
            return if self.last_node.is_some() {
                Ok(false)
            } else {
                Err(stop)
            };
        }
        self.stats.nodes += 1;
        self.stats.steps += steps.len();
        let bound = self.product.bound();
        if self.status.len() < bound {
            self.status.resize(bound, UNMET);
        }
        self.clock += 1;
        self.status[node as usize] = self.clock;
        self.open.push(node);
        self.roots.push(Root {
            order: self.clock,
            cyclic: false,
            incoming,
        });
        self.marks.extend(self.product.here());
        join(&mut self.seen, self.product.here());
        let start = self.waiting.len();
        for step in &steps {
            self.product.add_marks(step.marks, &mut self.seen);
            let status = self.status[step.to as usize];
            if step.fault && !self.with_faults {
                if status == UNMET {
                    self.later.push(step.to);
                } else {
                    self.recurs = true;
                }
            } else if status < DEAD {
                self.waiting.push((step.to, step.marks));
            } else {
                self.recurs |= self.is_earlier(status);
            }
        }
        self.path.push(Frame {
            node,
            start,
            next: start,
        });
        self.steps = steps;
        Ok(true)
    }

    fn within_memory(&mut self) -> Result<(), Stop> {
        let bytes = self.bytes();
        self.stats.bytes = self.stats.bytes.max(bytes);
        if bytes > self.memory {
            return Err(Stop::Exhausted(Exhausted::Memory));
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.product.bytes()
            + 4 * (self.status.capacity() + self.later.capacity() + self.open.capacity())
            + size_of::<(NodeId, StepMarks)>() * self.waiting.capacity()
            + size_of::<Frame>() * self.path.capacity()
            + size_of::<Root>() * self.roots.capacity()
            + 8 * self.marks.capacity()
    }

    /// A step closes a cycle through the component that was met at `order`: all later ones are part of it.
    fn merge(&mut self, order: u32, marks: StepMarks) {
        let last = self.roots.partition_point(|root| root.order <= order) - 1;
        let (before, later) = self.marks.split_at_mut((last + 1) * self.words);
        let set = &mut before[last * self.words..];
        self.product.add_marks(marks, set);
        for (root, more) in self.roots[last + 1..]
            .iter()
            .zip(later.chunks_exact(self.words))
        {
            join(set, more);
            self.product.add_marks(root.incoming, set);
        }
        if self.last_node.is_none() && self.product.marks.accept(set) {
            self.last_node = Some(self.stats.nodes + self.stats.nodes.max(MORE));
        }
        self.roots.truncate(last + 1);
        self.marks.truncate((last + 1) * self.words);
        self.roots[last].cyclic = true;
    }

    /// Takes a node off the path, and its component with it if it was the first of it.
    fn leave(&mut self, node: NodeId) -> Result<(), Stop> {
        let order = self.status[node as usize];
        match self.roots.last() {
            Some(root) if root.order == order => self.close(),
            _ => Ok(()),
        }
    }

    /// Settles the nodes of the last open component.
    fn close(&mut self) -> Result<(), Stop> {
        let Some(root) = self.roots.pop() else {
            return Ok(());
        };
        let at = self.marks.len() - self.words;
        let set = &self.marks[at..];
        let marks = &self.product.marks;
        let mut settled = DEAD + self.layer.min(LAST_LAYER);
        if root.cyclic && includes(set, marks.required()) {
            if marks.accept(set) {
                settled = GOOD + self.good.len() as u32;
                self.good.push(Accepting {
                    wanted: marks.wanted(set),
                    forbidden: vec![0; self.words],
                });
            } else {
                self.take_apart(root.order)?;
            }
        }
        self.marks.truncate(at);
        while let Some(node) = self.open.pop_if(|node| {
            let status = self.status[*node as usize];
            status >= root.order
        }) {
            if self.status[node as usize] < GOOD {
                self.status[node as usize] = settled;
            }
        }
        Ok(())
    }

    /// Settles the nodes of accepting components inside the open component that begins at an order.
    fn take_apart(&mut self, order: u32) -> Result<(), Stop> {
        let first = (self.open).partition_point(|node| self.status[*node as usize] < order);
        let mut component = Component::new(self.words);
        let mut steps = std::mem::take(&mut self.steps);
        // Its nodes are numbered by their position, which keeps them apart from all others.
        for (i, node) in self.open[first..].iter().enumerate() {
            self.status[*node as usize] = order + i as u32;
        }
        let before = self.bytes();
        for node in &self.open[first..] {
            self.product.steps(*node, &mut steps)?;
            component.add_node(self.product.here());
            for step in steps.iter().filter(|s| self.with_faults || !s.fault) {
                let status = self.status(step.to);
                if (order..GOOD).contains(&status) {
                    component.add_step(status - order, step.marks);
                }
            }
            let bytes = before + component.bytes();
            self.stats.bytes = self.stats.bytes.max(bytes);
            if bytes > self.memory {
                return Err(Stop::Exhausted(Exhausted::Memory));
            }
        }
        self.steps = steps;
        for (nodes, accepting) in refine(&component, self.product) {
            let settled = GOOD + self.good.len() as u32;
            self.good.push(accepting);
            for node in nodes {
                self.status[self.open[first + node as usize] as usize] = settled;
            }
        }
        Ok(())
    }

    /// Settles what is still open when the search stops early.
    fn close_all(&mut self) -> Result<(), Stop> {
        while !self.roots.is_empty() {
            self.close()?;
        }
        Ok(())
    }
}
