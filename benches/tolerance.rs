//! What all sets of faults cost: `cargo bench --bench tolerance`.
//!
//! Two-phase commit with twelve markers, 4,096 sets: which of them violate which property, against one check with all of them. It
//! should take at most ten times as long. The second figure says why each state keeps a list of smallest sets and no decision
//! diagram: how long these lists are.

use std::time::{Duration, Instant};

use sandalc::analysis::{self, Inquiry};
use sandalc::check::{self, Engines, Nowhere, Options, Task};
use sandalc::source::Sources;
use sandalc::vocabulary::FaultId;
use sandalc::{build, program, syntax, weave};

/// How often each is measured; the fastest counts.
const TIMES: usize = 5;

fn main() {
    let mut sources = Sources::new();
    let file = sources.add("two_phase_12.sdl", include_str!("models/two_phase_12.sdl"));
    let parsed = syntax::parse(&sources, file);
    let checked = program::check(&parsed.file, &[], &[], &weave::FAULTS);
    let program = checked.program.expect("the model is right");
    let with = |faults: &[FaultId]| {
        let options = weave::Options {
            faults: Some(faults.to_vec()),
            ..weave::Options::default()
        };
        build(&program, &options)
    };
    let faults: Vec<FaultId> = (0..program.faults.len() as u32).map(FaultId).collect();
    let system = with(&faults);
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let options = Options::default();

    let once = best(|| {
        let task = Task {
            system: &system,
            wanted: &wanted,
            options: options.clone(),
        };
        check::check(&task, Engines::Embedded, &Nowhere).expect("it can be answered");
    });
    let mut figures = None;
    let all = best(|| {
        let task = Inquiry {
            system: &system,
            faults: &faults,
            wanted: &wanted,
            weave: &with,
            options: options.clone(),
            max_faults: 3,
        };
        let survey = analysis::survey(&task, &Nowhere).expect("it can be answered");
        figures = survey.figures;
    });
    let figures = figures.expect("one exploration is enough");
    println!(
        "{} faults: one check {:.0} ms, all {} sets {:.0} ms",
        faults.len(),
        once.as_secs_f64() * 1e3,
        1u64 << faults.len(),
        all.as_secs_f64() * 1e3,
    );
    println!(
        "{} states, {} pairs of a state and a smallest set ({:.2} sets a state), {} questions",
        figures.states,
        figures.pairs,
        figures.pairs as f64 / figures.states as f64,
        figures.questions,
    );
    assert!(all <= once * 10, "all sets cost too much");
}

/// The time that something takes.
fn best(mut work: impl FnMut()) -> Duration {
    let measured = (0..TIMES).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    measured.min().expect("it is measured")
}
