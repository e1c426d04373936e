//! Liveness by strongly connected components, for a few formulas: the oracle for NuSMV's answers about fair
//! runs, and thereby for the emitted fairness.

use indexmap::IndexSet;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Dfs;

use crate::system::state::{State, initial, successors};
use crate::system::{Expr, System};
use crate::verdict::Move;
use crate::vocabulary::ProcessId;

/// The state graph of a System; an edge carries who moves.
pub struct Fair<'a> {
    system: &'a System,
    graph: DiGraph<State, Option<ProcessId>>,
}

impl Fair<'_> {
    /// The state graph, or nothing if it has more than `limit` states.
    pub fn new(system: &System, limit: usize) -> Option<Fair<'static>> {
        let system: &'static System = Box::leak(Box::new(system.clone()));
        let mut states = IndexSet::from([initial(system)]);
        let mut graph = DiGraph::new();
        graph.add_node(states[0].clone());
        let mut next = 0;
        while next < states.len() {
            let from = NodeIndex::new(next);
            for (step, state) in successors(system, &states[next].clone()) {
                let (index, new) = states.insert_full(state.clone());
                if new {
                    graph.add_node(state);
                }
                if states.len() > limit {
                    return None;
                }
                let who = match step {
                    Move::Stutter => None,
                    Move::Step { process, .. } => Some(process),
                };
                graph.add_edge(from, NodeIndex::new(index), who);
            }
            next += 1;
        }
        Some(Fair { system, graph })
    }

    /// Whether from the start, going through states where `path` holds, a fair run can stay for ever in states
    /// where `stay` holds, visiting one where `visit` holds again and again, and one where `also` does.
    fn can(&self, path: &Expr, stay: &Expr, visit: &Expr, also: Option<&Expr>) -> bool {
        let holds = |n: NodeIndex, e: &Expr| self.graph[n].holds(e);
        let through = self
            .graph
            .filter_map(|n, _| holds(n, path).then_some(n), |_, who| Some(*who));
        let Some(start) = through.node_indices().find(|n| through[*n].index() == 0) else {
            return false;
        };
        let mut reached = vec![false; self.graph.node_count()];
        let mut search = Dfs::new(&through, start);
        while let Some(n) = search.next(&through) {
            reached[through[n].index()] = true;
        }
        let inside = self.graph.filter_map(
            |n, _| (reached[n.index()] && holds(n, stay)).then_some(n),
            |_, who| Some(*who),
        );
        tarjan_scc(&inside).iter().any(|component| {
            let edges: Vec<Option<ProcessId>> = (inside.edge_indices())
                .filter(|e| {
                    let (a, b) = inside.edge_endpoints(*e).expect("an edge");
                    component.contains(&a) && component.contains(&b)
                })
                .map(|e| inside[e])
                .collect();
            let somewhere = |e: &Expr| component.iter().any(|n| holds(inside[*n], e));
            let is_fair = self.system.processes().all(|(id, _)| {
                let rests = self.system.can_move_without_fault(id).not();
                edges.contains(&Some(id)) || somewhere(&rests)
            });
            !edges.is_empty() && is_fair && somewhere(visit) && also.is_none_or(somewhere)
        })
    }

    /// `F p` on fair runs that satisfy `G F also`.
    pub fn finally(&self, p: &Expr, also: Option<&Expr>) -> bool {
        let not = p.clone().not();
        !self.can(&not, &not, &Expr::yes(), also)
    }

    /// `G F p`
    pub fn again(&self, p: &Expr, also: Option<&Expr>) -> bool {
        !self.can(&Expr::yes(), &p.clone().not(), &Expr::yes(), also)
    }

    /// `F G p`
    pub fn settles(&self, p: &Expr, also: Option<&Expr>) -> bool {
        !self.can(&Expr::yes(), &Expr::yes(), &p.clone().not(), also)
    }

    /// `G p`
    pub fn always(&self, p: &Expr) -> bool {
        self.graph.node_weights().all(|s| s.holds(p))
    }

    /// `AG EF p`
    pub fn can_always_reach(&self, p: &Expr) -> bool {
        let mut reversed = self.graph.clone();
        reversed.reverse();
        let mut reached = vec![false; reversed.node_count()];
        for n in self
            .graph
            .node_indices()
            .filter(|n| self.graph[*n].holds(p))
        {
            let mut search = Dfs::new(&reversed, n);
            while let Some(m) = search.next(&reversed) {
                reached[m.index()] = true;
            }
        }
        reached.iter().all(|r| *r)
    }
}
