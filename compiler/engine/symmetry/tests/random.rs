//! Random Systems.

use super::Reduced;
use super::replicas::replicas;
use crate::testing::system::{random_condition, random_system};

#[test]
fn the_quotient_of_replicas_is_exact() {
    check(0..400);
}

#[test]
#[ignore = "takes minutes"]
fn the_quotient_of_many_replicas_is_exact() {
    check(400..6000);
}

fn check(seeds: std::ops::Range<u64>) {
    let (mut checked, mut smaller, mut blocked, mut most) = (0, 0, 0, 0.0f64);
    for seed in seeds {
        let copies = 2 + seed as u32 % 3;
        let made = replicas(seed, copies);
        let mut conditions = made.conditions;
        if seed % 2 == 0 {
            conditions.push(made.system.deadlock_if_quiescent());
        }
        let mut reduced = Reduced::new(&made.system, conditions);
        let Some((full, quotient)) = reduced.check(800, &format!("seed {seed}")) else {
            continue;
        };
        checked += 1;
        smaller += usize::from(quotient < full);
        blocked += usize::from(reduced.room.found() > 0);
        most = most.max(full as f64 / quotient as f64);
    }
    println!("{checked} checked, {smaller} smaller, {blocked} blocked, at most {most}");
    assert!(checked > 100, "{checked}");
    assert!(smaller > checked / 4, "{smaller} of {checked}");
    assert!(blocked > checked / 20, "{blocked} of {checked}");
    assert!(most > 3.0, "{most}");
}

#[test]
fn random_systems_are_left_as_they_are_or_reduced_exactly() {
    for seed in 0..150 {
        let system = random_system(seed);
        let conditions = (0..2).map(|k| random_condition(&system, seed * 3 + k));
        let mut reduced = Reduced::new(&system, conditions.collect());
        reduced.check(500, &format!("seed {seed}"));
    }
}
