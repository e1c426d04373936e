//! Loops of steps within a process: the steps that are on one, and those that close one, so that every cycle of steps contains
//! such.

use std::collections::BTreeSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// A step from a location to another.
pub type Pair = (u32, u32);

/// Of some steps those that a depth-first search finds to lead back to where it came from. Any cycle of the given
/// steps contains one of them, and what is left has no cycle.
pub fn closing(steps: &BTreeSet<Pair>, locations: usize) -> BTreeSet<Pair> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let mut out: Vec<Vec<u32>> = vec![Vec::new(); locations];
    for (from, to) in steps {
        out[*from as usize].push(*to);
    }
    let mut colours = vec![Colour::New; locations];
    let mut closing = BTreeSet::new();
    for start in 0..locations as u32 {
        if colours[start as usize] != Colour::New {
            continue;
        }
        colours[start as usize] = Colour::Open;
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let Some(&to) = out[*at as usize].get(*next) else {
                colours[*at as usize] = Colour::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match colours[to as usize] {
                Colour::New => {
                    colours[to as usize] = Colour::Open;
                    path.push((to, 0));
                }
                Colour::Open => {
                    closing.insert((*at, to));
                }
                Colour::Done => {}
            }
        }
    }
    closing
}

/// Of some steps those that are on a cycle of them.
pub fn cyclic(steps: &BTreeSet<Pair>, locations: usize) -> BTreeSet<Pair> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<_> = (0..locations).map(|_| graph.add_node(())).collect();
    for (from, to) in steps {
        graph.add_edge(nodes[*from as usize], nodes[*to as usize], ());
    }
    let mut component = vec![0; locations];
    for (number, members) in kosaraju_scc(&graph).iter().enumerate() {
        for node in members {
            component[node.index()] = number;
        }
    }
    let is_cyclic = |(from, to): &&Pair| component[*from as usize] == component[*to as usize];
    steps.iter().filter(is_cyclic).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn every_cycle_is_closed() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let locations = 1 + random.below(8);
            let mut steps = BTreeSet::new();
            for _ in 0..random.below(20) {
                let pair = [0; 2].map(|_| random.below(locations) as u32);
                steps.insert((pair[0], pair[1]));
            }
            let closing = closing(&steps, locations);
            assert!(closing.is_subset(&steps));
            // What is left can be taken away location by location, each time one that nothing leaves.
            let mut left: BTreeSet<Pair> = steps.difference(&closing).copied().collect();
            while !left.is_empty() {
                let leaving: BTreeSet<u32> = left.iter().map(|(from, _)| *from).collect();
                let before = left.len();
                left.retain(|(_, to)| leaving.contains(to));
                assert!(left.len() < before, "{steps:?}");
            }
        }
    }

    #[test]
    fn what_is_on_a_cycle_can_come_back() {
        let steps = BTreeSet::from([(0, 1), (1, 0), (1, 2), (2, 3), (3, 3)]);
        assert_eq!(cyclic(&steps, 4), BTreeSet::from([(0, 1), (1, 0), (3, 3)]));
    }

    #[test]
    fn a_line_has_nothing_to_close() {
        let steps = BTreeSet::from([(0, 1), (1, 2), (0, 2)]);
        assert!(closing(&steps, 3).is_empty());
        let ring = BTreeSet::from([(0, 1), (1, 2), (2, 0)]);
        assert_eq!(closing(&ring, 3), BTreeSet::from([(2, 0)]));
    }
}
