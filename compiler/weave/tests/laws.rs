//! The laws of the four weaving operations, and of every fault that is written with them, on random models.

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::random::{Marker, model};
use crate::graph;
use crate::graph::{Edge, Expr, Leaf};
use crate::program::Program;
use crate::program::fault::{Marks, Takes};
use crate::system;
use crate::system::event::Event;
use crate::system::state::{self, walk};
use crate::system::{Domain, EdgeKind, LocationKind, Op, Owner, System};
use crate::testing::model::program;
use crate::testing::random::Random;
use crate::verdict::Move;
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, Sibling, fault_edge, var};
use crate::weave::{FAULTS, Options, channel, detector, fault};

const MODELS: u64 = 60;

/// A pattern that selects edges by their events.
type Pattern = fn(&Edge) -> bool;

/// Patterns of which each random model tries one.
const PATTERNS: [Pattern; 5] = [
    |_| true,
    |edge| edge.kind == EdgeKind::Timeout,
    |edge| edge.events.iter().any(|e| matches!(e, Event::Received(..))),
    |edge| {
        let sends = |e: &Event<Leaf>| matches!(e, Event::Sent(..) | Event::Offered(..));
        edge.events.iter().any(sends)
    },
    |edge| edge.events.iter().any(|e| matches!(e, Event::Wrote(_))),
];

fn draft(program: &Program) -> Draft {
    let mut draft = Draft::new(graph::lower(program), program);
    channel::declare(&mut draft, program);
    detector::declare(&mut draft, program);
    draft
}

/// All edges of a draft with their ends.
fn edges(draft: &Draft) -> Vec<(usize, usize, usize, Edge)> {
    let all = draft.processes.iter().enumerate();
    all.flat_map(|(p, process)| {
        let edges = process.graph.edge_references();
        edges.map(move |e| {
            let (from, to) = (e.source().index(), e.target().index());
            (p, from, to, e.weight().clone())
        })
    })
    .collect()
}

/// Tries a law on random models without markers. It returns how many edges it matched or added.
fn for_each_model(mut law: impl FnMut(&mut Draft, &mut Random, Pattern) -> usize) {
    let mut touched = 0;
    for seed in 0..MODELS {
        let mut random = Random::new(seed);
        let mut draft = draft(&program(&model(&mut random, &[])));
        let pattern = *random.choose(&PATTERNS);
        touched += law(&mut draft, &mut random, pattern);
    }
    assert!(touched > MODELS as usize, "only {touched} edges");
}

#[test]
fn forgetting_what_is_observed_gives_the_old_model_back() {
    for_each_model(|draft, random, pattern| {
        let (before, vars) = (edges(draft), draft.vars.clone());
        let by = random.between(1, 3);
        let seen = draft.declare("seen", Owner::Shared(0), Domain::Int { lo: 0, hi: 9 }, 0);
        let count = Expr::binary(Op::Add, var(seen), Expr::int(by));
        draft.observe(pattern, |_| vec![(seen, count.clone())]);
        let mut after = edges(draft);
        let mut matched = 0;
        for (.., edge) in &mut after {
            let updates = edge.updates.len();
            edge.updates.retain(|(v, _)| *v != seen);
            assert_eq!(updates - edge.updates.len(), usize::from(pattern(edge)));
            matched += updates - edge.updates.len();
        }
        draft.vars.pop();
        assert!(before == after && vars == draft.vars);
        matched
    });
}

#[test]
fn a_restriction_changes_nothing_but_guards_and_only_makes_them_stronger() {
    for_each_model(|draft, random, pattern| {
        let before = edges(draft);
        let limit = Expr::binary(
            Op::Lt,
            Expr::int(random.between(0, 3)),
            var(draft_var(draft)),
        );
        draft.restrict(pattern, |_| limit.clone());
        let mut matched = 0;
        for (old, mut new) in before.into_iter().zip(edges(draft)) {
            if pattern(&old.3) {
                matched += 1;
                assert_eq!(new.3.guard, Expr::and([old.3.guard.clone(), limit.clone()]));
                new.3.guard = old.3.guard.clone();
            }
            assert_eq!(old, new);
        }
        matched
    });
}

/// Some integer variable of a draft.
fn draft_var(draft: &Draft) -> crate::system::VarId {
    let found = draft
        .vars
        .iter()
        .position(|v| matches!(v.domain, Domain::Int { .. }));
    crate::system::VarId(found.expect("an integer") as u32)
}

#[test]
fn a_restricted_system_does_nothing_that_it_could_not_do_before() {
    let mut fewer_steps = 0;
    for seed in 0..MODELS {
        let program = program(&model(&mut Random::new(seed), &[]));
        let all = crate::build(&program, &Options::default());
        let options = Options {
            timely: true,
            ..Options::default()
        };
        let fewer = crate::build(&program, &options);
        let Some(states) = walk(&all, 3_000) else {
            continue;
        };
        for state in &states {
            let steps = |system: &System| {
                let mut steps = state::successors(system, state);
                steps.retain(|(step, _)| *step != Move::Stutter);
                steps
            };
            let (before, after) = (steps(&all), steps(&fewer));
            let reached = |next| before.iter().any(|(_, known)| known == next);
            assert!(after.iter().all(|(_, next)| reached(next)), "seed {seed}");
            fewer_steps += before.len() - after.len();
        }
    }
    assert!(fewer_steps > 0);
}

#[test]
fn deleting_alternatives_gives_the_old_model_back() {
    for_each_model(|draft, random, pattern| {
        let before = edges(draft);
        let many = 1 + random.below(2);
        draft.alternative(|edge, to| {
            let sibling = || Sibling {
                to,
                edge: Edge {
                    guard: edge.guard.clone(),
                    ..fault_edge(FaultId(7), Vec::new(), edge.span)
                },
            };
            let count = if pattern(edge) { many } else { 0 };
            (0..count).map(|_| sibling()).collect()
        });
        // Faults see the program's edges, never other faults'.
        draft.alternative(|edge, _| {
            assert!(edge.kind.is_forced());
            Vec::new()
        });
        erased(edges(draft), &before)
    });
}

#[test]
fn deleting_spontaneous_edges_gives_the_old_model_back() {
    for_each_model(|draft, random, _| {
        let before = edges(draft);
        let (some, to) = (random.below(3), NodeIndex::new(0));
        draft.spontaneous(
            ProcessId(0),
            |node, _| node.index() % 3 == some,
            to,
            |span| fault_edge(FaultId(7), Vec::new(), span),
        );
        erased(edges(draft), &before)
    });
}

/// Checks that without the edges of faults everything is as before; returns how many there are.
fn erased(
    mut after: Vec<(usize, usize, usize, Edge)>,
    before: &[(usize, usize, usize, Edge)],
) -> usize {
    let count = after.len();
    after.retain(|(.., edge)| edge.kind.is_forced());
    assert_eq!(after, before);
    count - before.len()
}

/// Every way to mark a model with one fault.
fn markings() -> Vec<Marker> {
    let mut all = Vec::new();
    for kind in FAULTS {
        let targets: &[&'static str] = match kind.marks {
            Marks::Process => &["p", "q"],
            Marks::Channel => &["c", "b"],
            Marks::BufferedChannel | Marks::OrderedChannel => &["b"],
            Marks::Detector => &["d"],
        };
        // What happens at every occasion restricts the program, too: its law is another.
        if kind.manner.lasting {
            continue;
        }
        let arguments = match kind.takes {
            Takes::Nothing | Takes::Losses | Takes::Arguments => "",
            Takes::Variable(about) if about.boolean => "y",
            Takes::Variable(about) if about.values.0 > 0 => "x, 1",
            Takes::Variable(_) => "x",
        };
        for on in targets {
            for max in [None, Some(2)] {
                all.push(Marker {
                    on,
                    name: kind.names().next().expect("a name"),
                    arguments,
                    max,
                });
            }
        }
    }
    let own = [
        ("c", "own_drop", ""),
        ("b", "own_drop", ""),
        ("p", "own_shutdown", ""),
        ("q", "own_invert", "y"),
        ("p", "own_random", "x"),
        ("q", "own_flip", "y"),
        ("p", "own_stuck_at", "x, 1"),
        ("q", "own_replace_by", "x, 2"),
    ];
    for (on, name, arguments) in own {
        for max in [None, Some(2)] {
            all.push(Marker {
                on,
                name,
                arguments,
                max,
            });
        }
    }
    all
}

#[test]
fn erasing_what_a_fault_added_gives_the_graphs_back() {
    for marker in markings() {
        let mut added = 0;
        for seed in 0..MODELS / 4 {
            let program = program(&model(&mut Random::new(seed), &[marker]));
            let mut draft = draft(&program);
            let (before, vars) = (edges(&draft), draft.vars.clone());
            fault::weave(&mut draft, FaultId(0), &program.faults[0]);
            added += erased(edges(&draft), &before);
            assert_eq!(draft.vars[..vars.len()], vars);
        }
        assert!(added > 0, "{marker:?} adds nothing");
    }
}

#[test]
fn erasing_what_faults_added_gives_the_system_back() {
    let all = markings();
    for seed in 0..MODELS {
        let mut random = Random::new(seed);
        // One of each, then some together; a kind stands once on an entry, and of two that exclude each other one.
        let mut chosen: Vec<Marker> = vec![all[seed as usize % all.len()]];
        for _ in 0..random.below(4) {
            let other = random.choose(&all);
            let process = |m: &Marker| matches!(m.on, "p" | "q");
            let clash = |m: &Marker| m.on == other.on && (m.name == other.name || process(m));
            if !chosen.iter().any(clash) {
                chosen.push(*other);
            }
        }
        let program = program(&model(&mut random, &chosen));
        let none = Options {
            faults: Some(Vec::new()),
            ..Options::default()
        };
        let plain = crate::build(&program, &none);
        let mut woven = crate::build(&program, &Options::default());
        erase(&mut woven);
        assert_eq!(plain, woven, "{chosen:?}");
    }
}

/// Takes out of a System what faults add: edges, the location after a crash, budgets.
fn erase(woven: &mut System) {
    // The process of the edges that nobody owns.
    woven.processes.retain(|p| p.name != "faults");
    // Without the fault nobody has crashed: detectors have nothing to suspect.
    let crashed: Vec<_> = woven.processes.iter().map(|p| p.crashed).collect();
    let mut alive = |leaf: &system::Leaf| match leaf {
        system::Leaf::At(p, at) if crashed[p.0 as usize].is_some_and(|loc| *at == [loc]) => {
            Some(system::Expr::no())
        }
        _ => None,
    };
    for process in &mut woven.processes {
        process.edges.retain(|edge| edge.kind.is_forced());
        for edge in &mut process.edges {
            edge.guard = edge.guard.replace(&mut alive);
        }
        process.edges.retain(|edge| !edge.guard.is_no());
        process.recovers = false;
        if process.crashed.take().is_some() {
            let last = process.locations.pop().expect("the crashed one");
            assert_eq!(last.kind, LocationKind::Crashed);
        }
    }
    woven
        .vars
        .retain(|v| !matches!(v.owner, Owner::Fault(_) | Owner::Shared(_)));
}
