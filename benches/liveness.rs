//! What liveness costs: `cargo bench --bench liveness`.
//!
//! For each model the safety search over all states, then properties on all fair runs, each with a state space of
//! its own. Times are those of the computation alone.

use std::time::Instant;

use sandalc::engine::ctl::Labelling;
use sandalc::engine::emptiness::{Stats, counterexample};
use sandalc::engine::{self, Options};
use sandalc::program::{self, Define};
use sandalc::source::Sources;
use sandalc::weave::{Formula, PropertyKind, System};
use sandalc::{build, syntax, weave};

const MEMORY: usize = 16 << 30;

/// A model, its constants, and properties to be added.
type Model = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

const MODELS: [Model; 4] = [
    (
        include_str!("models/two_phase.sdl"),
        &[("N", "4")],
        "ltl safe { G !(arbiter.done && arbiter.crashed) }
         ltl response { G (arbiter.done -> F (worker[0].resp == Prepare || !arbiter.crashed)) }
         ltl decided { F (arbiter.done || arbiter.crashed) }
         ltl before { G (arbiter.done -> H !arbiter.crashed) }
         ltl repeats { G F (!arbiter.crashed || !arbiter.done) }
         ctl returns { AG (arbiter.crashed -> AG arbiter.crashed) }",
    ),
    (
        include_str!("models/abp.sdl"),
        &[],
        "ltl safe { G (sender.current == 0 || sender.current == 1) }
         ltl response { G (sender.acked -> F (!sender.acked || sender.current == 0 || sender.current == 1)) }
         ltl progress { G F (sender.current == 0) }
         ctl possible { AG EF (sender.current == 0) }",
    ),
    (
        include_str!("models/raft.sdl"),
        &[("T", "1")],
        "ltl safe { G (node[0].term <= 1) }
         ltl stays { G (node[0].crashed -> G node[0].crashed) }
         ltl before { G (node[0].leader -> O (node[0].votes > 0)) }
         ltl two { G ((node[0].term == 1 -> G node[0].term == 1) && (node[1].term == 1 -> G node[1].term == 1)) }
         ctl possible { AG EF (node[0].term == 1 || node[0].crashed) }",
    ),
    (
        include_str!("models/ring.sdl"),
        &[],
        "ltl safe { G !node[0].leader }
         ltl elected { F (node[N - 1].leader || (exists i in range 0 to N { node[i].crashed })) }
         ltl stays { G (node[N - 1].leader -> G node[N - 1].leader) }
         ctl possible { AG (EF node[N - 1].leader || (exists i in range 0 to N { node[i].crashed })) }",
    ),
];

fn main() {
    println!(
        "{:<12} {:>10} {:>12} {:>10} {:>8} {:>6} {:>8}  answer",
        "property", "nodes", "steps", "seconds", "x", "MB", "B/node"
    );
    for (text, constants, properties) in MODELS {
        let system = load(&format!("{text}\n{properties}\n"), constants);
        let options = Options {
            full_space: true,
            ..Options::default()
        };
        let start = cpu_seconds();
        let report = engine::check(&system, &safety(&system), &options, &mut |_| {});
        let base = cpu_seconds() - start;
        println!(
            "{:<12} {:>10} {:>12} {base:>10.3}",
            "safety", report.stats.states, report.stats.transitions
        );
        for property in &system.properties {
            match &property.kind {
                PropertyKind::Ltl(formula) => ltl(&system, &property.name, formula, base),
                PropertyKind::Ctl(formula) => ctl(&system, &property.name, formula, base),
                _ => {}
            }
        }
    }
}

fn ltl(system: &System, name: &str, formula: &Formula, base: f64) {
    let mut stats = Stats::default();
    let start = cpu_seconds();
    let answer = engine::explore(system, &Options::default(), |space| {
        counterexample(space, formula, &[], MEMORY, &mut stats)
    });
    let seconds = cpu_seconds() - start;
    let answer = match answer.expect("a model that fits") {
        Ok(None) => "holds".to_string(),
        Ok(Some(run)) => format!(
            "violated, {} + {}",
            run.loop_start,
            run.states.len() - run.loop_start
        ),
        Err(stop) => stop.to_string(),
    };
    println!(
        "{name:<12} {:>10} {:>12} {seconds:>10.3} {:>8.2} {:>6} {:>8.1}  {answer}",
        stats.nodes,
        stats.steps,
        seconds / base,
        stats.bytes >> 20,
        stats.bytes as f64 / stats.nodes as f64,
    );
}

fn ctl(system: &System, name: &str, formula: &Formula, base: f64) {
    let start = cpu_seconds();
    let answer = engine::explore(system, &Options::default(), |space| {
        Labelling::new(space, MEMORY).and_then(|labels| labels.holds(space, formula))
    });
    let seconds = cpu_seconds() - start;
    println!(
        "{name:<12} {:>10} {:>12} {seconds:>10.3} {:>8.2} {:>6} {:>8}  {:?}",
        "",
        "",
        seconds / base,
        "",
        "",
        answer.expect("a model that fits")
    );
}

fn safety(system: &System) -> Vec<usize> {
    let temporal =
        |kind: &PropertyKind| matches!(kind, PropertyKind::Ltl(_) | PropertyKind::Ctl(_));
    (0..system.properties.len())
        .filter(|p| !temporal(&system.properties[*p].kind))
        .collect()
}

fn load(text: &str, constants: &[(&str, &str)]) -> System {
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let parsed = syntax::parse(&sources, file);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let defines: Vec<Define> = (constants.iter())
        .map(|(name, value)| Define {
            name: name.to_string(),
            value: value.to_string(),
        })
        .collect();
    let checked = program::check(&parsed.file, &[], &defines);
    let program = checked
        .program
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    build(&program, &weave::Options::default())
}

/// The time this thread has spent computing; other work on the machine does not count where that is known.
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds: Option<f64> = spent.and_then(|s| s.split(' ').next()?.parse().ok());
    let wall = START.get_or_init(Instant::now).elapsed().as_secs_f64();
    nanoseconds.map_or(wall, |ns| ns / 1e9)
}
