//! Many sets of faults at once against each set by itself.

mod random;

use super::*;
use crate::check::{Nowhere, Options};
use crate::testing::model::program;
use crate::vocabulary::FaultId;
use crate::weave;

/// What is known about the properties of a model, by their names, and the names of its faults.
pub fn surveyed(text: &str) -> (Vec<(String, Surveyed)>, Vec<String>) {
    let program = program(text);
    let with = |faults: &[FaultId]| {
        let options = weave::Options {
            faults: Some(faults.to_vec()),
            ..weave::Options::default()
        };
        crate::build(&program, &options)
    };
    let faults: Vec<FaultId> = (0..program.faults.len() as u32).map(FaultId).collect();
    let system = with(&faults);
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let task = Inquiry {
        system: &system,
        faults: &faults,
        wanted: &wanted,
        weave: &with,
        options: Options::default(),
        max_faults: 3,
    };
    let found = survey(&task, &Nowhere).expect("it can be answered");
    let name = |s: Surveyed| (system.properties[s.property].name.clone(), s);
    (
        found.properties.into_iter().map(name).collect(),
        system.faults.iter().map(|f| f.name.clone()).collect(),
    )
}

#[test]
fn a_property_that_needs_two_faults_together() {
    let text = "
        proc Lamp(wire channel [1] { bool }) { send(wire, true) }
        proc Eye(a channel [1] { bool }, b channel [1] { bool }) {
            var seen bool
            select {
                case recv(a, seen) {}
                case recv(b, seen) {}
            }
        }
        init {
            a: channel [1] { bool } @drop,
            b: channel [1] { bool } @drop,
            left: Lamp(a) @shutdown,
            right: Lamp(b),
            eye: Eye(a, b),
        }
        ltl light { F eye.seen }
        invariant some { !(left.done && right.done && len(a) == 0 && len(b) == 0) || eye.seen }
        reachable dark { left.crashed }
        ctl hope { AG EF eye.seen }
    ";
    let (found, names) = surveyed(text);
    assert_eq!(
        names,
        ["a@drop", "b@drop", "left@shutdown"].map(String::from)
    );
    let get = |name: &str| {
        &found
            .iter()
            .find(|(n, _)| n == name)
            .expect("it is there")
            .1
    };
    let light = get("light");
    let cuts: Vec<u64> = light.violations.cut_sets().iter().map(|s| s.0).collect();
    assert_eq!(cuts, [0b011, 0b110]);
    assert_eq!(light.tolerates, Tolerates::AtMost(1));
    let hardening: Vec<u64> = light
        .violations
        .hardening()
        .expect("known")
        .iter()
        .map(|s| s.0)
        .collect();
    assert_eq!(hardening, [0b010, 0b101]);
    assert_eq!(
        get("deadlock").violations.cut_sets(),
        light.violations.cut_sets()
    );
    let some = get("some");
    assert_eq!(some.violations.cut_sets(), [FaultSet(0b011)]);
    let dark = get("dark");
    assert_eq!(dark.tolerates, Tolerates::Nothing);
    assert_eq!(dark.violations.with(FaultSet(0b100)), Some(false));
    assert_eq!(dark.violations.with(FaultSet(0b011)), Some(true));
    let hope = get("hope");
    assert_eq!(hope.violations.cut_sets(), light.violations.cut_sets());
    assert_eq!(hope.tolerates, Tolerates::AtMost(1));
}
