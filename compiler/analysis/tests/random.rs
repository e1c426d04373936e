//! Random Systems: what is found for all sets of faults at once is what is found for each by itself.

use crate::analysis::{FaultSet, Inquiry, Shape, survey};
use crate::check::{Nowhere, Options};
use crate::engine;
use crate::system::{Edge, EdgeKind, Event, Expr, Formula, Leaf, Property, PropertyKind, System};
use crate::testing::formulas::{index, random_ctl, random_formula};
use crate::testing::random::Random;
use crate::testing::system::{random_condition, random_system};
use crate::verdict::Outcome;
use crate::vocabulary::FaultId;

/// A System without the edges of all but some faults.
fn only(system: &System, faults: &[FaultId]) -> System {
    let mut system = system.clone();
    let recovers = |e: &Edge| matches!(e.kind, EdgeKind::Recovery(_));
    for process in &mut system.processes {
        let recovered = process.edges.iter().any(recovers);
        process.edges.retain(|edge| match edge.kind {
            EdgeKind::Fault(f) | EdgeKind::Recovery(f) => faults.contains(&f),
            _ => true,
        });
        if recovered && !process.edges.iter().any(recovers) {
            process.recovers = false;
        }
    }
    system
}

/// The formula with conditions in the place of its variables.
fn over(mut formula: Formula, atoms: &[Expr]) -> Formula {
    formula.rewrite(&mut |leaf: &Leaf| Some(atoms[index(&Expr::Leaf(leaf.clone()))].clone()));
    formula
}

/// A random System with properties of all kinds.
fn system(seed: u64) -> System {
    let mut system = random_system(seed);
    for edge in system.processes.iter_mut().flat_map(|p| &mut p.edges) {
        if let EdgeKind::Fault(fault) = edge.kind
            && !edge.events.contains(&Event::Injected(fault))
        {
            edge.events.push(Event::Injected(fault));
        }
    }
    let mut random = Random::new(seed ^ 0x5eed);
    let atoms: Vec<Expr> = (0..3)
        .map(|i| random_condition(&system, seed * 7 + i))
        .collect();
    for i in 0..3 {
        let size = 1 + random.below(4);
        let ltl = over(random_formula(&mut random, size, 3, i == 2), &atoms);
        let ctl = over(random_ctl(&mut random, size, 3), &atoms);
        for kind in [PropertyKind::Ltl(ltl), PropertyKind::Ctl(ctl)] {
            system.properties.push(Property {
                form: None,
                name: format!("{}_{i}", kind.as_str()),
                kind,
                tolerant: None,
                span: None,
            });
        }
    }
    system
}

/// Compares all sets of one System; how many properties depend on faults, or `None` if it is too large.
fn compare(seed: u64) -> Option<usize> {
    let system = system(seed);
    let faults: Vec<FaultId> = (0..system.faults.len() as u32).map(FaultId).collect();
    if faults.len() > 6 || faults.is_empty() {
        return None;
    }
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let mut options = Options::default();
    options.limits.states = 3_000;
    let with = |faults: &[FaultId]| only(&system, faults);
    let task = Inquiry {
        system: &system,
        faults: &faults,
        wanted: &wanted,
        weave: &with,
        options,
        max_faults: 2,
    };
    let stop = || false;
    let small = engine::Options {
        limits: engine::Limits {
            states: 3_000,
            memory: usize::MAX,
        },
        stop: &stop,
        ..engine::Options::default()
    };
    crate::system::state::walk(&system, 600)?;
    let found = survey(&task, &Nowhere).expect("there are no assumptions");
    let mut depend = 0;
    for surveyed in &found.properties {
        let name = &system.properties[surveyed.property].name;
        assert_eq!(surveyed.violations.missing, None, "seed {seed}, {name}");
    }
    let sets = (0..1 << faults.len()).map(FaultSet);
    let mut verdicts = vec![Vec::new(); wanted.len()];
    for set in sets.clone() {
        let system = only(&system, &set.faults(&faults));
        let report = engine::check(&system, &wanted, &small, &mut |_| {});
        for (surveyed, verdict) in found.properties.iter().zip(report.verdicts) {
            assert_eq!(surveyed.property, verdict.property);
            let violated = verdict.outcome == Outcome::Violated;
            let known = surveyed.violations.with(set);
            let name = &system.properties[surveyed.property].name;
            assert_eq!(known, Some(violated), "seed {seed}, {name}, {set:?}");
            verdicts[surveyed.property].push(violated);
        }
    }
    for surveyed in &found.properties {
        let verdicts = &verdicts[surveyed.property];
        depend += usize::from(verdicts.iter().any(|v| *v != verdicts[0]));
        // What is said in other words says the same.
        let primes = surveyed.violations.prime_implicants();
        let hardening = surveyed
            .violations
            .hardening()
            .expect("everything is known");
        for set in sets.clone() {
            let violated = verdicts[set.0 as usize];
            let said = (primes.iter()).any(|p| set.includes(p.with) && !set.meets(p.without));
            assert_eq!(said, violated, "seed {seed}: {primes:?} at {set:?}");
            let ruled_out = FaultSet::all(faults.len()).without(set);
            if hardening.contains(&ruled_out) {
                assert!(!violated, "seed {seed}: ruling out {ruled_out:?}");
            }
        }
        if let Shape::Rising(_) = surveyed.violations.shape {
            let sets: Vec<FaultSet> = sets.clone().collect();
            let violated = sets.iter().filter(|s| verdicts[s.0 as usize]);
            let smallest: crate::analysis::fault_set::Minimal = violated.copied().collect();
            assert_eq!(surveyed.violations.cut_sets(), smallest.sorted());
        }
    }
    Some(depend)
}

#[test]
fn all_sets_at_once_are_each_set_by_itself() {
    let found: Vec<usize> = (0..40).filter_map(compare).collect();
    let depend: usize = found.iter().sum();
    assert!(
        found.len() > 25 && depend > 6,
        "{} Systems, {depend} properties",
        found.len()
    );
}

#[test]
#[ignore = "takes minutes; part of `cargo xtask soak`"]
fn all_sets_at_once_are_each_set_by_itself_on_a_thousand_systems() {
    let mut compared = 0;
    let mut depend = 0;
    for seed in 1_000.. {
        if let Some(more) = compare(seed) {
            compared += 1;
            depend += more;
        }
        if compared == 1_000 {
            break;
        }
    }
    assert!(depend > 250, "{depend} properties depend on faults");
}
