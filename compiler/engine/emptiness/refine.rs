//! A component in which a pair of strong fairness is not satisfied may have a part in which all are.
//!
//! Where the first mark of a pair is seen but its second one is nowhere, a fair run does without the first: the steps
//! that have it are taken away, and the components of what is left are looked at in turn. Each round takes away a
//! pair from each component, so there are at most as many rounds as pairs. (Emerson and Lei, "Modalities for Model
//! Checking: Branching Time Logic Strikes Back", 1987; Latvala and Heljanko, "Coping with Strong Fairness", 2000.)
//!
//! ```text
//! a -{given}-> b -> a,  b -> b        if given again and again then..: never
//! b -> b                              what is left: round b
//! ```

use super::components::{NOWHERE, components};
use super::marks::{includes, join, meets};
use super::product::{Product, StepMarks};
use super::search::Accepting;
use crate::engine::space::Space;

/// The nodes of a component, numbered from 0, and the steps between them.
pub struct Component {
    words: usize,
    /// The marks of the nodes, one set after the other.
    marks: Vec<u64>,
    /// Where the steps of each node begin.
    first: Vec<u64>,
    steps: Vec<(u32, StepMarks)>,
}

impl Component {
    /// Without nodes; a set of marks has so many words.
    pub fn new(words: usize) -> Component {
        Component {
            words,
            marks: Vec::new(),
            first: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Adds a node with its marks.
    pub fn add_node(&mut self, marks: &[u64]) {
        self.first.push(self.steps.len() as u64);
        self.marks.extend(marks);
    }

    /// Adds a step out of the last node.
    pub fn add_step(&mut self, to: u32, marks: StepMarks) {
        self.steps.push((to, marks));
    }

    /// About how many bytes it occupies, with what taking it apart needs.
    pub fn bytes(&self) -> usize {
        8 * self.marks.capacity()
            + 8 * self.first.capacity()
            + size_of::<(u32, StepMarks)>() * self.steps.capacity()
            + 32 * self.first.len()
    }

    fn count(&self) -> usize {
        self.first.len()
    }

    fn node_marks(&self, node: u32) -> &[u64] {
        let at = node as usize * self.words;
        &self.marks[at..at + self.words]
    }

    fn steps(&self, node: u32) -> &[(u32, StepMarks)] {
        let node = node as usize;
        let end = self.first.get(node + 1).copied();
        &self.steps[self.first[node] as usize..end.map_or(self.steps.len(), |e| e as usize)]
    }
}

/// What is known of a part in some round.
struct Part {
    forbidden: Vec<u64>,
    seen: Vec<u64>,
    cyclic: bool,
}

/// The accepting parts of a component: their nodes, and what a run inside has to do.
pub fn refine<S: Space + ?Sized>(
    component: &Component,
    product: &Product<S>,
) -> Vec<(Vec<u32>, Accepting)> {
    let marks = &product.marks;
    let count = component.count();
    let mut found = Vec::new();
    // The part that each node is in, and what is taken away from each part.
    let mut part_of = vec![0u32; count];
    let mut parts = vec![vec![0; component.words]];
    let mut whole = vec![0; component.words];
    for node in 0..count as u32 {
        join(&mut whole, component.node_marks(node));
        for (_, step) in component.steps(node) {
            product.add_marks(*step, &mut whole);
        }
    }
    parts[0] = marks.unfair(&whole);
    let mut set = vec![0; component.words];
    while !parts.is_empty() {
        let mut allowed = |from: u32, to: u32, step: StepMarks| {
            let part = part_of[from as usize];
            part_of[to as usize] == part && {
                set.copy_from_slice(component.node_marks(from));
                product.add_marks(step, &mut set);
                !meets(&set, &parts[part as usize])
            }
        };
        let (inner, inner_count) = components(
            count,
            |node| part_of[node as usize] != NOWHERE,
            |node, cursor| {
                let steps = component.steps(node);
                while let Some((to, step)) = steps.get(*cursor as usize) {
                    *cursor += 1;
                    if allowed(node, *to, *step) {
                        return Some(*to);
                    }
                }
                None
            },
        );
        let mut known: Vec<Option<Part>> = (0..inner_count).map(|_| None).collect();
        for node in (0..count as u32).filter(|n| part_of[*n as usize] != NOWHERE) {
            let part = known[inner[node as usize] as usize].get_or_insert_with(|| Part {
                forbidden: parts[part_of[node as usize] as usize].clone(),
                seen: vec![0; component.words],
                cyclic: false,
            });
            for (to, step) in component.steps(node) {
                if inner[*to as usize] == inner[node as usize] && allowed(node, *to, *step) {
                    part.cyclic = true;
                    join(&mut part.seen, component.node_marks(node));
                    product.add_marks(*step, &mut part.seen);
                }
            }
        }
        // Which parts accept, which are taken apart further, and which are done with.
        let mut numbers = vec![NOWHERE; inner_count as usize];
        let mut accepting = vec![None; inner_count as usize];
        let mut further = Vec::new();
        for (i, part) in known.into_iter().enumerate() {
            let Some(mut part) = part.filter(|p| p.cyclic && includes(&p.seen, marks.required()))
            else {
                continue;
            };
            if marks.accept(&part.seen) {
                accepting[i] = Some(found.len());
                let accepting = Accepting {
                    wanted: marks.wanted(&part.seen),
                    forbidden: part.forbidden,
                };
                found.push((Vec::new(), accepting));
            } else {
                join(&mut part.forbidden, &marks.unfair(&part.seen));
                numbers[i] = further.len() as u32;
                further.push(part.forbidden);
            }
        }
        for node in (0..count).filter(|n| inner[*n] != NOWHERE) {
            let part = inner[node] as usize;
            if let Some(at) = accepting[part] {
                found[at].0.push(node as u32);
            }
        }
        for (part, inner) in part_of.iter_mut().zip(&inner) {
            if *part != NOWHERE {
                *part = numbers[*inner as usize];
            }
        }
        parts = further;
    }
    found
}
