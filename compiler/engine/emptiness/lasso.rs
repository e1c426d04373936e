//! A run through an accepting component: a short way there, and a short way round that collects every mark.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::Stop;
use super::ball::Cost;
use super::marks::{includes, join, meets};
use super::product::{NodeId, Product, Step};
use super::search::AcceptingComponents;
use crate::engine::space::{Space, StateId, Transition};
use crate::verdict::Run;

/// An infinite run of a state space: after the last transition comes the one of index `loop_start` again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The source of each transition.
    pub states: Vec<StateId>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// Where the loop starts.
    pub loop_start: usize,
}

impl Lasso {
    /// What it costs.
    pub fn cost(&self) -> Cost {
        let faults = self.transitions.iter().filter(|t| t.fault).count();
        Cost::new(faults, self.transitions.len())
    }

    /// The run as every engine reports it.
    pub fn to_run(&self, space: &(impl Space + ?Sized)) -> Run {
        Run {
            start: (self.states.first()).map_or_else(Vec::new, |state| space.start(*state)),
            moves: (self.transitions.iter())
                .map(|t| space.to_move(t))
                .collect(),
            loop_start: Some(self.loop_start),
        }
    }
}

/// A run into one of the components that were found and round in it. The prefix has the fewest faults, then the
/// fewest steps, of all that lead to any of these components. The loop collects missing marks one by one,
/// each by the fewest steps (if faults may be inside the component: by steps without faults where possible), and
/// closes at the node of its way that is closest.
pub fn lasso<S: Space + ?Sized>(
    product: &mut Product<S>,
    found: &AcceptingComponents,
) -> Result<Option<Lasso>, Stop> {
    let bound = product.bound();
    let mut finder = Finder {
        set: vec![0; product.marks.words],
        product,
        found,
        from: vec![NONE; bound],
        via: vec![0; bound],
        touched: Vec::new(),
        steps: Vec::new(),
    };
    let Some(mut walk) = finder.prefix()? else {
        return Ok(None);
    };
    let entry = walk.len();
    let marks = finder.collect(&mut walk)?;
    let Some(loop_start) = finder.close(&mut walk, entry, &marks)? else {
        return Ok(None);
    };
    let mut lasso = Lasso {
        states: Vec::new(),
        transitions: Vec::new(),
        loop_start,
    };
    for hop in &walk.hops {
        let state = finder.product.state(hop.from);
        let transition = finder.product.transition(hop.from, hop.step.transition)?;
        lasso.states.push(state);
        lasso.transitions.push(transition);
    }
    Ok(Some(lasso))
}

const NONE: NodeId = u32::MAX;

/// A way through the product.
struct Walk {
    hops: Vec<Hop>,
    /// Where it ends.
    end: NodeId,
}

#[derive(Clone, Copy)]
struct Hop {
    from: NodeId,
    step: Step,
}

impl Walk {
    fn len(&self) -> usize {
        self.hops.len()
    }

    /// The node after so many hops.
    fn node(&self, index: usize) -> NodeId {
        self.hops.get(index).map_or(self.end, |hop| hop.from)
    }
}

struct Finder<'a, 'b, S: Space + ?Sized> {
    product: &'a mut Product<'b, S>,
    found: &'a AcceptingComponents,
    /// Room for a set of marks.
    set: Vec<u64>,
    /// For the nodes reached by the present search: from where, and by which step.
    from: Vec<NodeId>,
    via: Vec<u32>,
    touched: Vec<NodeId>,
    steps: Vec<Step>,
}

impl<S: Space + ?Sized> Finder<'_, '_, S> {
    fn steps(&mut self, node: NodeId) -> Result<Vec<Step>, Stop> {
        let mut steps = std::mem::take(&mut self.steps);
        self.product.steps(node, &mut steps)?;
        Ok(steps)
    }

    /// Notes that a node is reached, unless it was before.
    fn reach(&mut self, node: NodeId, from: NodeId, via: usize) -> bool {
        if self.from[node as usize] != NONE {
            return false;
        }
        self.from[node as usize] = from;
        self.via[node as usize] = via as u32;
        self.touched.push(node);
        true
    }

    fn forget(&mut self) {
        for node in self.touched.drain(..) {
            self.from[node as usize] = NONE;
        }
    }

    /// The way to the first accepting component: by faults, then steps, then order of discovery.
    fn prefix(&mut self) -> Result<Option<Walk>, Stop> {
        let initials = self.product.initials()?;
        // Nodes to be reached with one more fault: after how many steps, from where, and how.
        let mut layer: Vec<_> = initials
            .iter()
            .map(|start| (0, *start, *start, 0))
            .collect();
        while !layer.is_empty() {
            layer.sort_by_key(|(depth, ..)| *depth);
            let mut seeds = std::mem::take(&mut layer).into_iter().peekable();
            let mut queue: VecDeque<(usize, NodeId)> = VecDeque::new();
            loop {
                let depth = match (queue.front(), seeds.peek()) {
                    (None, None) => break,
                    (Some((depth, _)), None) | (None, Some((depth, ..))) => *depth,
                    (Some((a, _)), Some((b, ..))) => *a.min(b),
                };
                while let Some((_, node, from, via)) = seeds.next_if(|seed| seed.0 == depth) {
                    if self.reach(node, from, via) {
                        queue.push_back((depth, node));
                    }
                }
                // Seeds of this depth stand behind the nodes of this depth and before deeper ones only if these
                // are not in the queue yet, which holds as each depth is emptied before the next.
                while let Some((_, node)) = queue.pop_front_if(|entry| entry.0 == depth) {
                    if self.found.component(node).is_some() {
                        let walk = self.way(node)?;
                        self.forget();
                        return Ok(Some(walk));
                    }
                    let steps = self.steps(node)?;
                    for (i, step) in steps.iter().enumerate() {
                        if !self.found.met(step.to) {
                            continue;
                        }
                        if step.fault {
                            if self.from[step.to as usize] == NONE {
                                layer.push((depth + 1, step.to, node, i));
                            }
                        } else if self.reach(step.to, node, i) {
                            queue.push_back((depth + 1, step.to));
                        }
                    }
                    self.steps = steps;
                }
            }
        }
        Ok(None)
    }

    /// The way to a node that the present search reached, from where it began: there it came from the node itself.
    fn way(&mut self, end: NodeId) -> Result<Walk, Stop> {
        let mut hops = Vec::new();
        let mut node = end;
        while self.from[node as usize] != node {
            let from = self.from[node as usize];
            let steps = self.steps(from)?;
            hops.push(Hop {
                from,
                step: steps[self.via[node as usize] as usize],
            });
            self.steps = steps;
            node = from;
        }
        hops.reverse();
        Ok(Walk { hops, end })
    }

    /// Puts the marks of a step out of the node whose steps were asked for last into `set`. Whether the step stays inside
    /// the component and is allowed there.
    fn inside(&mut self, component: u32, step: &Step, faults: bool) -> bool {
        if (step.fault && !faults) || self.found.component(step.to) != Some(component) {
            return false;
        }
        self.set.copy_from_slice(self.product.here());
        self.product.add_marks(step.marks, &mut self.set);
        !meets(&self.set, &self.found.accepting(component).forbidden)
    }

    /// Extends a walk inside its component until it has all marks since it entered it. The marks of each of these steps.
    fn collect(&mut self, walk: &mut Walk) -> Result<Vec<Vec<u64>>, Stop> {
        let mut marks = Vec::new();
        let Some(component) = self.found.component(walk.end) else {
            return Ok(marks);
        };
        let wanted = &self.found.accepting(component).wanted;
        let mut missing = wanted.clone();
        while missing.iter().any(|word| *word != 0) || marks.is_empty() {
            let before = marks.len();
            if !self.nearest(walk, false, &missing, &mut marks)?
                && !self.nearest(walk, true, &missing, &mut marks)?
            {
                break;
            }
            for set in &marks[before..] {
                for (word, seen) in missing.iter_mut().zip(set) {
                    *word &= !seen;
                }
            }
        }
        Ok(marks)
    }

    /// Extends a walk by the shortest way to a step with one of the missing marks, that step included.
    fn nearest(
        &mut self,
        walk: &mut Walk,
        faults: bool,
        missing: &[u64],
        marks: &mut Vec<Vec<u64>>,
    ) -> Result<bool, Stop> {
        let start = walk.end;
        let Some(component) = self.found.component(start) else {
            return Ok(false);
        };
        if faults && !self.found.with_faults {
            return Ok(false);
        }
        let any = missing.iter().all(|word| *word == 0);
        self.reach(start, start, 0);
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            let steps = self.steps(node)?;
            for (i, step) in steps.iter().enumerate() {
                if !self.inside(component, step, faults) {
                    continue;
                }
                if any || meets(&self.set, missing) {
                    let step = *step;
                    let last = self.set.clone();
                    self.steps = steps;
                    let way = self.way(node)?;
                    for hop in way.hops {
                        marks.push(self.marks(&hop)?);
                        walk.hops.push(hop);
                    }
                    marks.push(last);
                    walk.hops.push(Hop { from: node, step });
                    walk.end = step.to;
                    self.forget();
                    return Ok(true);
                }
                if self.reach(step.to, node, i) {
                    queue.push_back(step.to);
                }
            }
            self.steps = steps;
        }
        self.forget();
        Ok(false)
    }

    /// The marks of a hop.
    fn marks(&mut self, hop: &Hop) -> Result<Vec<u64>, Stop> {
        self.steps = self.steps(hop.from)?;
        let mut set = self.product.here().to_vec();
        self.product.add_marks(hop.step.marks, &mut set);
        Ok(set)
    }

    /// Closes a walk that has all marks since `entry`, and returns where its loop starts: at the node of the
    /// walk since then that is closest to its end, among those that leave all marks in the loop.
    fn close(
        &mut self,
        walk: &mut Walk,
        entry: usize,
        marks: &[Vec<u64>],
    ) -> Result<Option<usize>, Stop> {
        let start = walk.end;
        let Some(component) = self.found.component(start) else {
            return Ok(None);
        };
        let wanted = self.found.accepting(component).wanted.clone();
        let words = wanted.len();
        // The last position of each node on the walk, and the marks from there on.
        let mut targets: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut marks_from = vec![vec![0; words]];
        for set in marks.iter().rev() {
            let mut more = marks_from[marks_from.len() - 1].clone();
            join(&mut more, set);
            marks_from.push(more);
        }
        marks_from.reverse();
        for i in entry..walk.len() {
            targets.insert(walk.node(i), i);
        }
        for faults in [false, true] {
            if faults && !self.found.with_faults {
                break;
            }
            let mut gathered: FxHashMap<NodeId, Vec<u64>> =
                FxHashMap::from_iter([(start, vec![0; words])]);
            self.reach(start, start, 0);
            let mut queue = VecDeque::from([start]);
            while let Some(node) = queue.pop_front() {
                // From the entry on all marks are certain.
                let first = (walk.node(entry) == node).then_some(entry);
                let last = targets.get(&node).copied();
                let complete = |i: &usize| {
                    let mut all = gathered[&node].clone();
                    join(&mut all, &marks_from[*i - entry]);
                    includes(&all, &wanted)
                };
                if let Some(position) = last.into_iter().chain(first).find(complete) {
                    let way = self.way(node)?;
                    walk.hops.extend(way.hops);
                    walk.end = node;
                    self.forget();
                    return Ok(Some(position));
                }
                let steps = self.steps(node)?;
                for (i, step) in steps.iter().enumerate() {
                    if self.inside(component, step, faults) && self.reach(step.to, node, i) {
                        let mut more = gathered[&node].clone();
                        join(&mut more, &self.set);
                        gathered.insert(step.to, more);
                        queue.push_back(step.to);
                    }
                }
                self.steps = steps;
            }
            self.forget();
        }
        Ok(None)
    }
}
