//! Strong fairness on random Systems: the component search, with and without simplification, says what NuSMV says about
//! `COMPASSION`.

use std::ops::Range;

use super::super::{Limits, decide, emit};
use super::tool;
use crate::engine;
use crate::simplify::{Rules, simplify};
use crate::source::Sources;
use crate::system::fairness::roles;
use crate::system::state::walk;
use crate::system::{EdgeKind, Event, Expr, LocId};
use crate::system::{Fair, Formula, Property, PropertyKind, System};
use crate::testing::random::Random;
use crate::testing::system::{random_condition, random_system, span};
use crate::trace::replay;
use crate::verdict::{Outcome, Verdict};
use crate::vocabulary::{FairId, ProcessId, TemporalOp};

/// Adds fair choices of both kinds: edges that are owed when they can go, and faults that do not take the place of an edge
/// for ever.
fn make_fair(system: &mut System, random: &mut Random) {
    for _ in 0..1 + random.below(6) {
        let id = FairId(system.fair.len() as u32);
        let process = random.below(system.processes.len());
        let edges = &system.processes[process].edges;
        let forced: Vec<usize> = (0..edges.len())
            .filter(|e| edges[*e].kind.is_forced())
            .collect();
        if forced.is_empty() {
            continue;
        }
        let edge = forced[random.below(forced.len())];
        let from = edges[edge].from;
        let instead: Vec<usize> = (0..edges.len())
            .filter(|e| edges[*e].from == from && matches!(edges[*e].kind, EdgeKind::Fault(_)))
            .collect();
        let mut owed = system.enabled(ProcessId(process as u32), &edges[edge]);
        let edges = &mut system.processes[process].edges;
        edges[edge].events.push(Event::Granted(id));
        if !instead.is_empty() && random.chance(2, 3) {
            owed = Expr::no();
            for index in instead {
                edges[index].events.push(Event::Denied(id));
            }
        }
        system.fair.push(Fair {
            name: format!("choice {}", id.0),
            owed,
            span: span(),
        });
    }
}

/// Makes fault edges inject their faults.
fn inject(system: &mut System) {
    for edge in system.processes.iter_mut().flat_map(|p| &mut p.edges) {
        if let EdgeKind::Fault(fault) = edge.kind
            && !edge.events.contains(&Event::Injected(fault))
        {
            edge.events.push(Event::Injected(fault));
        }
    }
}

fn unary(op: TemporalOp, inner: Formula) -> Formula {
    Formula::Unary(op, Box::new(inner))
}

/// What is asked about: all that a strongly fair run may change.
fn formulas(system: &System, seed: u64) -> Vec<Formula> {
    let [p, q, r] = [0, 1, 2].map(|i| Formula::Atom(random_condition(system, 3 * seed + i)));
    let again = |f: &Formula| unary(TemporalOp::G, unary(TemporalOp::F, f.clone()));
    // Where some fair choice leads, and where it is from.
    let (mut about, mut reached) = (q.clone(), r.clone());
    for (process, p) in system.processes() {
        let at = |l: LocId| Formula::Atom(system.at(process, |other| other == l));
        for edge in p.edges.iter().filter(|e| !roles(e).is_empty()) {
            if edge.kind.is_forced() && edge.from != edge.to {
                (about, reached) = (at(edge.from), at(edge.to));
            }
        }
    }
    let not = |f: Formula| Formula::Not(Box::new(f));
    vec![
        unary(TemporalOp::F, p.clone()),
        again(&p),
        again(&q),
        not(again(&r)),
        Formula::Implies(Box::new(again(&p)), Box::new(again(&q))),
        not(Formula::And(vec![again(&p), again(&not(p.clone()))])),
        again(&reached),
        Formula::Implies(Box::new(again(&about)), Box::new(again(&reached))),
    ]
}

/// How many Systems were compared, and how many verdicts fair choices changed.
fn compare(seeds: Range<u64>) -> Option<(usize, usize)> {
    let tool = tool()?;
    let (mut compared, mut changed) = (0, 0);
    for seed in seeds {
        let mut system = random_system(seed);
        inject(&mut system);
        if walk(&system, 400).is_none() {
            continue;
        }
        system.assumptions.clear();
        let mut fair = system.clone();
        make_fair(&mut fair, &mut Random::new(seed));
        system.properties = formulas(&fair, seed)
            .into_iter()
            .enumerate()
            .map(|(i, formula)| Property {
                form: None,
                name: format!("property_{i}"),
                kind: PropertyKind::Ltl(formula),
                tolerant: None,
                span: Some(span()),
            })
            .collect();
        let all: Vec<usize> = (0..system.properties.len()).collect();
        let ask = |system: &System| -> Vec<Verdict> {
            let options = engine::Options::default();
            engine::check(system, &all, &options, &mut |_| {}).verdicts
        };
        let outcomes = |verdicts: &[Verdict]| -> Vec<Outcome> {
            verdicts.iter().map(|v| v.outcome.clone()).collect()
        };
        let unfair = outcomes(&ask(&system));
        fair.properties = std::mem::take(&mut system.properties);
        system = fair;
        let ours = ask(&system);
        for verdict in ours.iter().filter(|v| v.outcome == Outcome::Violated) {
            let run = verdict.run.as_ref().expect("a run");
            replay(&system, verdict.property, run).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
        let simplified = simplify(&system, &Rules::default());
        let smaller = ask(&simplified.system);
        assert_eq!(
            outcomes(&smaller),
            outcomes(&ours),
            "seed {seed}: simplified"
        );
        for verdict in smaller.iter().filter(|v| v.outcome == Outcome::Violated) {
            let run = verdict.run.as_ref().expect("a run");
            let run = simplified.restore(&system, run, Some(verdict.property));
            let run = run.unwrap_or_else(|| panic!("seed {seed}: not restored"));
            replay(&system, verdict.property, &run)
                .unwrap_or_else(|e| panic!("seed {seed}: restored: {e}"));
        }
        let emitted = emit(&system, &Sources::new());
        let theirs = decide(
            &tool,
            &system,
            &emitted,
            &all,
            Limits::default(),
            &mut |_| {},
        );
        let theirs = theirs.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", emitted.text));
        assert_eq!(
            outcomes(&theirs.verdicts),
            outcomes(&ours),
            "seed {seed}\n{}",
            emitted.text
        );
        compared += 1;
        let differs = |(a, b): &(&Outcome, &Outcome)| a != b;
        changed += outcomes(&ours).iter().zip(&unfair).filter(differs).count();
    }
    Some((compared, changed))
}

#[test]
fn compassion_is_strong_fairness() {
    let Some((compared, changed)) = compare(0..60) else {
        return;
    };
    assert!(compared >= 30 && changed >= 3, "{compared} {changed}");
    // A derived variable that is never 0 is a divisor, and one of the values that it is computed from is 0.
    assert_eq!(compare(1_586..1_587).map(|(compared, _)| compared), Some(1));
}

/// Minutes of the above; `cargo test --lib compassion -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn compassion_on_many_systems() {
    let Some((compared, changed)) = compare(1_000..1_800) else {
        return;
    };
    println!("{compared} Systems, {changed} verdicts changed by fair choices");
    assert!(compared >= 500 && changed >= 50, "{compared} {changed}");
}
