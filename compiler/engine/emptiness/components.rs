//! Strongly connected components of a stored graph.
//!
//! Tarjan, "Depth-first search and linear graph algorithms", 1972, with the search's stack as data.

/// The component of a node that is left out.
pub const NOWHERE: u32 = u32::MAX;

/// The components of the graph on `0..count` that `member` selects, as a number for each node. Numbers count
/// from 0 in the order of completion: a component is numbered after all that it reaches. `next` yields the
/// successors of a node one by one, advancing a cursor that starts at 0.
pub fn components(
    count: usize,
    member: impl Fn(u32) -> bool,
    mut next: impl FnMut(u32, &mut u32) -> Option<u32>,
) -> (Vec<u32>, u32) {
    const UNSEEN: u32 = 0;
    let mut component = vec![NOWHERE; count];
    let mut found = 0;
    // Order of discovery from 1; the smallest order known to be reachable among unfinished nodes.
    let mut order = vec![UNSEEN; count];
    let mut low = vec![UNSEEN; count];
    let mut clock = 0;
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in (0..count as u32).filter(|n| member(*n)) {
        if order[root as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                clock += 1;
                order[node as usize] = clock;
                low[node as usize] = clock;
                open.push(node);
                path.push((node, 0));
            }
            let Some((node, cursor)) = path.last_mut() else {
                break;
            };
            let node = *node;
            match next(node, cursor) {
                Some(to) if !member(to) => {}
                Some(to) if order[to as usize] == UNSEEN => enter = Some(to),
                Some(to) => {
                    if component[to as usize] == NOWHERE {
                        low[node as usize] = low[node as usize].min(order[to as usize]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        low[*parent as usize] = low[*parent as usize].min(low[node as usize]);
                    }
                    if low[node as usize] == order[node as usize] {
                        while let Some(member) = open.pop() {
                            component[member as usize] = found;
                            if member == node {
                                break;
                            }
                        }
                        found += 1;
                    }
                }
            }
        }
    }
    (component, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random::Random;

    #[test]
    fn mutual_reachability_and_order() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let n = 1 + random.below(9);
            let edges: Vec<Vec<u32>> = (0..n)
                .map(|_| {
                    (0..random.below(3))
                        .map(|_| random.below(n) as u32)
                        .collect()
                })
                .collect();
            let out: Vec<bool> = (0..n).map(|_| random.chance(1, 6)).collect();
            let (component, count) = components(
                n,
                |v| !out[v as usize],
                |v, cursor| {
                    *cursor += 1;
                    edges[v as usize].get(*cursor as usize - 1).copied()
                },
            );
            let mut reach = vec![vec![false; n]; n];
            for (v, row) in reach.iter_mut().enumerate() {
                row[v] = !out[v];
            }
            for _ in 0..n {
                for v in (0..n).filter(|v| !out[*v]) {
                    for to in edges[v].iter().filter(|to| !out[**to as usize]) {
                        let beyond = reach[*to as usize].clone();
                        for (x, far) in beyond.iter().enumerate() {
                            reach[v][x] |= far;
                        }
                    }
                }
            }
            for a in 0..n {
                assert_eq!(component[a] == NOWHERE, out[a]);
                assert!(out[a] || component[a] < count);
                for b in (0..n).filter(|b| !out[a] && !out[*b]) {
                    let same = reach[a][b] && reach[b][a];
                    assert_eq!(component[a] == component[b], same, "seed {seed}");
                    assert!(!reach[a][b] || component[b] <= component[a], "seed {seed}");
                }
            }
        }
    }
}
