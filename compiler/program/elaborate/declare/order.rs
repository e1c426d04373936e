//! Sorting by dependency.

/// Nodes in an order in which each comes after those it depends on.
pub struct Order {
    /// The nodes that depend on no cycle.
    pub order: Vec<usize>,
    /// One for each cycle found.
    pub cycles: Vec<Vec<usize>>,
    /// Whether a node is on a cycle or depends on one.
    pub faulty: Vec<bool>,
}

/// Sorts nodes by dependency, without recursion: chains may be as long as the file.
pub fn dependency_order(count: usize, depends_on: &[Vec<usize>]) -> Order {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Closed,
    }
    let mut marks = vec![Mark::New; count];
    let mut result = Order {
        order: Vec::with_capacity(count),
        cycles: Vec::new(),
        faulty: vec![false; count],
    };
    for root in 0..count {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            match depends_on[node].get(*next) {
                Some(&other) => {
                    *next += 1;
                    match marks[other] {
                        Mark::New => {
                            marks[other] = Mark::Open;
                            path.push((other, 0));
                        }
                        Mark::Open => {
                            let start = path.iter().position(|(n, _)| *n == other).unwrap_or(0);
                            let cycle: Vec<usize> = path[start..].iter().map(|(n, _)| *n).collect();
                            // A second cycle through a reported node would say the same again.
                            if !cycle.iter().any(|n| result.faulty[*n]) {
                                for n in &cycle {
                                    result.faulty[*n] = true;
                                }
                                result.cycles.push(cycle);
                            }
                            result.faulty[node] = true;
                        }
                        Mark::Closed => result.faulty[node] |= result.faulty[other],
                    }
                }
                None => {
                    path.pop();
                    marks[node] = Mark::Closed;
                    if !result.faulty[node] {
                        result.order.push(node);
                    } else if let Some((parent, _)) = path.last() {
                        result.faulty[*parent] = true;
                    }
                }
            }
        }
    }
    result
}
