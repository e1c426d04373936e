//! Smaller automata for the same words.
//!
//! States that lead nowhere go; states and edges that others simulate go (direct simulation: Etessami, Wilke
//! and Schuller, "Fair Simulation Relations, Parity Games, and State Space Reduction for Büchi Automata",
//! 2005, on transitions); marks that others imply go; labels that differ in one literal become one.

use rustc_hash::FxHashMap;

use super::automaton::{Automaton, Edge};
use crate::engine::emptiness::components::components;

/// Automata with more states or edges are merged by bisimulation only.
const MAX_SIMULATED: (usize, usize) = (120, 1200);

/// States with more edges keep their labels as they are.
const MAX_JOINED: usize = 120;

/// An automaton for the same words with at most as many states and edges.
pub fn reduce(mut automaton: Automaton) -> Automaton {
    loop {
        let before = size(&automaton);
        automaton = useful(automaton);
        fewer_marks(&mut automaton);
        merge_labels(&mut automaton);
        automaton = bisimilar(automaton);
        let (states, edges, _) = size(&automaton);
        if states <= MAX_SIMULATED.0 && edges <= MAX_SIMULATED.1 {
            automaton = simulated(automaton);
        }
        if size(&automaton) == before {
            return automaton;
        }
    }
}

fn size(automaton: &Automaton) -> (usize, usize, u32) {
    let edges = automaton.states.iter().map(Vec::len).sum();
    (automaton.states.len(), edges, automaton.marks)
}

/// Removes what is unreachable or reaches no accepting component, and the marks that nobody needs because
/// their edge is in no accepting component.
fn useful(mut automaton: Automaton) -> Automaton {
    let (component, count) = components(
        automaton.states.len(),
        |_| true,
        |state, cursor| {
            let edge = automaton.states[state as usize].get(*cursor as usize)?;
            *cursor += 1;
            Some(edge.to)
        },
    );
    let mut marks = vec![0; count as usize];
    let mut cyclic = vec![false; count as usize];
    for (from, edges) in automaton.states.iter().enumerate() {
        for edge in edges {
            let c = component[from] as usize;
            if component[edge.to as usize] as usize == c {
                marks[c] |= edge.marks;
                cyclic[c] = true;
            }
        }
    }
    let all = automaton.all_marks();
    let accepting: Vec<bool> = (marks.iter().zip(&cyclic))
        .map(|(marks, cyclic)| *cyclic && *marks == all)
        .collect();
    // Components are numbered after what they reach.
    let mut members = vec![Vec::new(); count as usize];
    for (state, c) in component.iter().enumerate() {
        members[*c as usize].push(state);
    }
    let mut good = accepting.clone();
    for c in 0..count as usize {
        let reaches = |s: &usize| {
            let mut edges = automaton.states[*s].iter();
            edges.any(|e| good[component[e.to as usize] as usize])
        };
        good[c] = good[c] || members[c].iter().any(reaches);
    }
    for (from, edges) in automaton.states.iter_mut().enumerate() {
        edges.retain(|e| good[component[e.to as usize] as usize]);
        for edge in edges.iter_mut() {
            let inside = component[from] == component[edge.to as usize];
            if !inside || !accepting[component[from] as usize] {
                edge.marks = 0;
            }
        }
    }
    reachable(automaton)
}

/// Keeps what state 0 reaches, renumbered in breadth-first order.
fn reachable(mut automaton: Automaton) -> Automaton {
    let mut number = vec![u32::MAX; automaton.states.len()];
    let mut order = vec![0];
    number[0] = 0;
    let mut next = 0;
    while next < order.len() {
        for edge in &mut automaton.states[order[next]] {
            let to = edge.to as usize;
            if number[to] == u32::MAX {
                number[to] = order.len() as u32;
                order.push(to);
            }
            edge.to = number[to];
        }
        next += 1;
    }
    let mut old = automaton.states;
    automaton.states = order.iter().map(|s| std::mem::take(&mut old[*s])).collect();
    automaton
}

/// Removes marks that are on every edge that has another one, for there the other one suffices.
fn fewer_marks(automaton: &mut Automaton) {
    let count = automaton.marks;
    // What stands on every edge that has a mark.
    let mut implied = vec![u64::MAX; count as usize];
    for edge in automaton.states.iter().flatten() {
        for (m, implied) in implied.iter_mut().enumerate() {
            if edge.marks >> m & 1 == 1 {
                *implied &= edge.marks;
            }
        }
    }
    let mut kept: Vec<u32> = (0..count).collect();
    for m in 0..count {
        let others = || kept.iter().filter(|k| **k != m);
        if others().any(|k| implied[*k as usize] >> m & 1 == 1) {
            kept.retain(|k| *k != m);
        }
    }
    for edge in automaton.states.iter_mut().flatten() {
        let bits = kept.iter().enumerate();
        edge.marks = bits.fold(0, |all, (to, m)| all | (edge.marks >> m & 1) << to);
    }
    automaton.marks = kept.len() as u32;
}

/// Joins edges whose labels differ in the sign of one literal, and removes those that another one covers.
fn merge_labels(automaton: &mut Automaton) {
    for edges in &mut automaton.states {
        if edges.len() <= MAX_JOINED {
            while let Some((i, j, joined)) = joinable(edges) {
                edges[i] = joined;
                edges.swap_remove(j);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        prune(edges, |a, b| a.to == b.to && covers(a, b));
    }
}

fn joinable(edges: &[Edge]) -> Option<(usize, usize, Edge)> {
    for (i, a) in edges.iter().enumerate() {
        for (j, b) in edges.iter().enumerate().skip(i + 1) {
            let flipped = (a.yes ^ b.yes) & (a.no ^ b.no);
            let joined = Edge {
                yes: a.yes & !flipped,
                no: a.no & !flipped,
                ..*a
            };
            let same = joined
                == Edge {
                    yes: b.yes & !flipped,
                    no: b.no & !flipped,
                    ..*b
                };
            if same && flipped.count_ones() == 1 {
                return Some((i, j, joined));
            }
        }
    }
    None
}

/// Whether the first edge reads all that the second one does and carries its marks.
fn covers(a: &Edge, b: &Edge) -> bool {
    a.yes & !b.yes == 0 && a.no & !b.no == 0 && b.marks & !a.marks == 0
}

/// Removes edges that another one makes superfluous; of two that do so mutually the second.
fn prune(edges: &mut Vec<Edge>, better: impl Fn(&Edge, &Edge) -> bool) {
    let all = edges.clone();
    let mut index = 0;
    edges.retain(|edge| {
        let at = index;
        index += 1;
        !all.iter()
            .enumerate()
            .any(|(i, other)| i != at && better(other, edge) && (i < at || !better(edge, other)))
    });
}

/// Merges states with the same edges to the same classes of states.
fn bisimilar(mut automaton: Automaton) -> Automaton {
    let mut class = vec![0; automaton.states.len()];
    let mut count = 1;
    loop {
        let mut classes: FxHashMap<(u32, Vec<Edge>), u32> = FxHashMap::default();
        let mut finer = Vec::with_capacity(class.len());
        for (state, edges) in automaton.states.iter().enumerate() {
            let mut image: Vec<Edge> = edges
                .iter()
                .map(|e| Edge {
                    to: class[e.to as usize],
                    ..*e
                })
                .collect();
            image.sort_unstable();
            image.dedup();
            let fresh = classes.len() as u32;
            finer.push(*classes.entry((class[state], image)).or_insert(fresh));
        }
        class = finer;
        if classes.len() == count {
            break;
        }
        count = classes.len();
    }
    let mut first = vec![u32::MAX; count];
    for (state, c) in class.iter().enumerate().rev() {
        first[*c as usize] = state as u32;
    }
    for edge in automaton.states.iter_mut().flatten() {
        edge.to = first[class[edge.to as usize] as usize];
    }
    automaton = reachable(automaton);
    for edges in &mut automaton.states {
        edges.sort_unstable();
        edges.dedup();
    }
    automaton
}

/// Merges states that simulate each other, and removes edges to states that another target simulates.
fn simulated(mut automaton: Automaton) -> Automaton {
    let n = automaton.states.len();
    // simulates[a * n + b]: a can do whatever b does.
    let mut simulates = vec![true; n * n];
    let mut changed = true;
    while changed {
        changed = false;
        for a in 0..n {
            for b in 0..n {
                if !simulates[a * n + b] {
                    continue;
                }
                let matched = automaton.states[b].iter().all(|eb| {
                    automaton.states[a]
                        .iter()
                        .any(|ea| covers(ea, eb) && simulates[ea.to as usize * n + eb.to as usize])
                });
                if !matched {
                    simulates[a * n + b] = false;
                    changed = true;
                }
            }
        }
    }
    let class: Vec<u32> = (0..n)
        .map(|b| {
            let same = |a: &usize| simulates[a * n + b] && simulates[b * n + a];
            (0..n).find(same).unwrap_or(b) as u32
        })
        .collect();
    for edges in &mut automaton.states {
        for edge in edges.iter_mut() {
            edge.to = class[edge.to as usize];
        }
        edges.sort_unstable();
        edges.dedup();
        prune(edges, |a, b| {
            covers(a, b) && simulates[a.to as usize * n + b.to as usize]
        });
    }
    reachable(automaton)
}
