//! Many sets of faults at once against each set by itself.

mod random;

use std::cell::Cell;
use std::time::Duration;

use super::*;
use crate::check::{Nowhere, Options, World};
use crate::testing::model::program;
use crate::vocabulary::FaultId;
use crate::weave;

/// What is known about the properties of a model, by their names, and the names of its faults.
pub fn surveyed(text: &str) -> (Vec<(String, Surveyed)>, Vec<String>) {
    surveyed_in(text, &Nowhere)
}

fn surveyed_in(text: &str, world: &dyn World) -> (Vec<(String, Surveyed)>, Vec<String>) {
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
    let found = survey(&task, world).expect("it can be answered");
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

/// A fault that is `always` there is one injection: with two of them needed, a property survives one.
#[test]
fn what_lasts_is_counted_once() {
    let text = "
        proc P() {
            var x bit = 1
            var y bit = 1
            var z bit = 1
            z = 1
            z = 1
        }
        init {
            p: P() @replace(x, 0, always) as a @replace(y, 0, permanent) as b @replace(z, 0) as c,
        }
        invariant one { p.done -> p.x == 1 || p.y == 1 }
        invariant both { p.done -> p.x == 1 && p.y == 1 }
        invariant mixed { p.done -> p.x == 1 || p.z == 1 }
    ";
    let (found, _) = surveyed(text);
    let tolerates = |name: &str| {
        let (_, surveyed) = found.iter().find(|(n, _)| n == name).expect("it is there");
        surveyed.tolerates
    };
    assert_eq!(tolerates("one"), Tolerates::AtMost(1));
    assert_eq!(tolerates("both"), Tolerates::AtMost(0));
    assert_eq!(tolerates("mixed"), Tolerates::AtMost(1));
}

/// A world whose clock runs fast: half of the time is over while the states are explored.
struct Hurried(Cell<u64>);

impl World for Hurried {
    fn elapsed(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_secs(self.0.get())
    }

    fn time_left(&self) -> Option<Duration> {
        Some(Duration::from_secs(2))
    }
}

/// Where one exploration takes too long, sets are asked about by themselves, with the same answers.
#[test]
fn half_of_the_time_is_left_for_sets_by_themselves() {
    let text = "
        proc P(c channel [1] { bit }) { for i in range 0 to 3 { send(c, 1) } }
        proc Q(c channel [1] { bit }) {
            var got 0..3
            for { end: recv(c, _); got = min(got + 1, 3) }
        }
        init {
            c: channel [1] { bit } @drop @corrupt,
            p: P(c) @shutdown,
            q: Q(c),
        }
        ltl all { F q.got == 3 }
        invariant few { q.got <= 2 }
    ";
    let answers = |world: &dyn World| {
        let (found, _) = surveyed_in(text, world);
        let sets = found
            .iter()
            .map(|(name, s)| (name.clone(), s.violations.cut_sets()));
        sets.collect::<Vec<_>>()
    };
    assert_eq!(answers(&Hurried(Cell::new(0))), answers(&Nowhere));
}
