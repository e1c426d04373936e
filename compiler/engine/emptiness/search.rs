//! The search for components in which every mark occurs.
//!
//! Couvreur, "On-the-fly Verification of Linear Temporal Logic", 1999: one depth-first search that keeps the
//! components of the nodes on its path, each with the marks seen inside, and merges them when an edge closes
//! a cycle. Ordered by faults: first everything that is reachable without a fault, then what one fault adds,
//! and so on, each layer along edges that are no faults; since these lead from a layer to it or to earlier ones, a
//! component without faults inside lies in one layer. Only if no layer has an accepting component, and faults can
//! be on a cycle at all, is the graph searched again with the faults as ordinary edges.

use rustc_hash::FxHashMap;

use super::product::{MAX_NODES, NodeId, Product, Step};
use super::{Marks, Stop};
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
pub struct Found {
    status: Vec<u32>,
    /// Whether faults may be inside the components.
    pub with_faults: bool,
}

impl Found {
    /// Whether the search met a node.
    pub fn met(&self, node: NodeId) -> bool {
        self.status.get(node as usize).is_some_and(|s| *s != UNMET)
    }

    /// The accepting component of a node, if it is in one.
    pub fn component(&self, node: NodeId) -> Option<u32> {
        let status = *self.status.get(node as usize)?;
        (GOOD..DEAD).contains(&status).then_some(status)
    }
}

/// Numbers about a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Nodes whose steps were asked for.
    pub nodes: usize,
    /// Steps looked at.
    pub steps: usize,
    /// Most bytes that were occupied, the state space not counted.
    pub bytes: usize,
}

/// The accepting components with the fewest faults before them and none inside; if there are none, some with
/// faults inside. `memory` is how many bytes may be used, the state space not counted.
pub fn search<S: Space + ?Sized>(
    product: &mut Product<S>,
    memory: usize,
    stats: &mut Stats,
) -> Result<Option<Found>, Stop> {
    let faults_recur = product.space.faults_recur();
    for with_faults in [false, true] {
        let mut search = Search {
            all: product.all_marks(),
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
            marks: Interned::default(),
            later: Vec::new(),
            recurs: false,
            seen: 0,
            good: 0,
            last_node: None,
            steps: Vec::new(),
        };
        if search.run()? {
            return Ok(Some(Found {
                status: search.status,
                with_faults,
            }));
        }
        if !faults_recur || !search.recurs || search.seen != search.all {
            break;
        }
    }
    Ok(None)
}

struct Search<'a, 'b, S: Space + ?Sized> {
    product: &'a mut Product<'b, S>,
    all: Marks,
    with_faults: bool,
    memory: usize,
    stats: &'a mut Stats,
    status: Vec<u32>,
    layer: u32,
    clock: u32,
    /// The nodes on the way from the start.
    path: Vec<Frame>,
    /// The steps of these nodes that are still to be looked at.
    waiting: Vec<(NodeId, u32)>,
    /// The nodes of open components, by order of discovery.
    open: Vec<NodeId>,
    roots: Vec<Root>,
    marks: Interned,
    /// Where faults lead from this layer.
    later: Vec<NodeId>,
    /// Whether a cycle may contain a fault.
    recurs: bool,
    /// The marks of all steps.
    seen: Marks,
    good: u32,
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
    /// The marks inside.
    marks: Marks,
    /// Whether there is any step inside.
    cyclic: bool,
    /// The marks of the step that led to it.
    incoming: Marks,
}

impl<S: Space + ?Sized> Search<'_, '_, S> {
    /// Whether there is an accepting component.
    fn run(&mut self) -> Result<bool, Stop> {
        let mut seeds = vec![self.product.initial()?];
        while !seeds.is_empty() {
            for seed in seeds {
                match self.status(seed) {
                    UNMET if self.explore(seed)? => {}
                    UNMET => {
                        self.close_all();
                        return Ok(true);
                    }
                    status => self.recurs |= self.is_earlier(status),
                }
            }
            if self.good > 0 {
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
        if !self.enter(seed, 0)? {
            return Ok(false);
        }
        while let Some(frame) = self.path.last_mut() {
            if frame.next == self.waiting.len() {
                let (node, start) = (frame.node, frame.start);
                self.path.pop();
                self.waiting.truncate(start);
                self.leave(node);
                continue;
            }
            let (to, marks) = self.waiting[frame.next];
            frame.next += 1;
            match self.status[to as usize] {
                UNMET => {
                    let marks = self.marks.get(marks);
                    if !self.enter(to, marks)? {
                        return Ok(false);
                    }
                }
                order if order < GOOD => self.merge(order, marks),
                _ => {}
            }
        }
        Ok(true)
    }

    /// Puts a node on the path; `false` if the search is to stop.
    fn enter(&mut self, node: NodeId, incoming: Marks) -> Result<bool, Stop> {
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
            marks: 0,
            cyclic: false,
            incoming,
        });
        let start = self.waiting.len();
        for step in &steps {
            self.seen |= step.marks;
            let status = self.status[step.to as usize];
            if step.fault && !self.with_faults {
                if status == UNMET {
                    self.later.push(step.to);
                } else {
                    self.recurs = true;
                }
            } else if status < DEAD {
                let marks = self.marks.id(step.marks);
                self.waiting.push((step.to, marks));
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
        let bytes = self.product.bytes()
            + 4 * (self.status.capacity() + self.later.capacity() + self.open.capacity())
            + 8 * self.waiting.capacity()
            + std::mem::size_of::<Frame>() * self.path.capacity()
            + std::mem::size_of::<Root>() * self.roots.capacity();
        self.stats.bytes = self.stats.bytes.max(bytes);
        if bytes > self.memory {
            return Err(Stop::Exhausted(Exhausted::Memory));
        }
        Ok(())
    }

    /// A step closes a cycle through the component that was met at `order`: all later ones are part of it.
    fn merge(&mut self, order: u32, marks: u32) {
        let mut marks = self.marks.get(marks);
        while let Some(root) = self.roots.pop_if(|root| root.order > order) {
            marks |= root.marks | root.incoming;
        }
        if let Some(root) = self.roots.last_mut() {
            root.marks |= marks;
            root.cyclic = true;
            if root.marks == self.all && self.last_node.is_none() {
                self.last_node = Some(self.stats.nodes + self.stats.nodes.max(MORE));
            }
        }
    }

    /// Takes a node off the path, and its component with it if it was the first of it.
    fn leave(&mut self, node: NodeId) {
        let order = self.status[node as usize];
        if let Some(root) = self.roots.pop_if(|root| root.order == order) {
            self.close(&root);
        }
    }

    /// Settles the nodes of a component.
    fn close(&mut self, root: &Root) {
        let settled = if root.cyclic && root.marks == self.all {
            self.good += 1;
            GOOD + self.good - 1
        } else {
            DEAD + self.layer.min(LAST_LAYER)
        };
        while let Some(node) = self
            .open
            .pop_if(|node| self.status[*node as usize] >= root.order)
        {
            self.status[node as usize] = settled;
        }
    }

    /// Settles what is still open when the search stops early.
    fn close_all(&mut self) {
        while let Some(root) = self.roots.pop() {
            self.close(&root);
        }
    }
}

/// Sets of marks as small numbers; there are few.
#[derive(Default)]
struct Interned {
    sets: Vec<Marks>,
    ids: FxHashMap<Marks, u32>,
    /// The last one asked for: the steps of a process share it.
    last: Option<(Marks, u32)>,
}

impl Interned {
    fn id(&mut self, marks: Marks) -> u32 {
        if let Some((last, id)) = self.last
            && last == marks
        {
            return id;
        }
        let fresh = self.sets.len() as u32;
        let id = *self.ids.entry(marks).or_insert(fresh);
        if id == fresh {
            self.sets.push(marks);
        }
        self.last = Some((marks, id));
        id
    }

    fn get(&self, id: u32) -> Marks {
        self.sets[id as usize]
    }
}
