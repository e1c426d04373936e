//! What fair choices cost: `cargo bench --bench fair`.
//!
//! Twenty lossy channels, all fair or none, and the same search for runs. With fair loss every message arrives, which takes to
//! look into each component; that time is shown, too. Twenty fair channels should take at most twice the time of none.

use std::time::{Duration, Instant};

use sandalc::source::Sources;
use sandalc::verdict::Outcome;
use sandalc::weave::Options;
use sandalc::{build, engine, program, syntax};

/// How often each is measured; the fastest counts.
const TIMES: usize = 5;

fn main() {
    let none = measure("none fair, recurs", &model("@drop", "G F b.on"));
    let all = measure("all fair, recurs", &model("@drop(fair)", "G F b.on"));
    let arrives = measure("all fair, arrives", &model("@drop(fair)", "F s.done"));
    let ratio = |time: Duration| time.as_secs_f64() / none.as_secs_f64();
    println!("20 fair channels take {:.2} times as long", ratio(all));
    println!(
        "and {:.2} times for what only fair loss makes true",
        ratio(arrives)
    );
    assert!(ratio(all) <= 2.0, "fair channels cost too much");
}

/// Twenty channels, one after the other: a message is sent until it is acknowledged.
fn model(marker: &str, formula: &str) -> String {
    format!(
        "
const N = 20
proc Sender(chs []channel {{ bit }}, acks channel [1] {{ bit }}) {{
    var b bit
    for ch in chs {{
        for !nonblock_recv(acks, b) {{ send(ch, b) }}
    }}
}}
proc Receiver(chs []channel {{ bit }}, acks channel [1] {{ bit }}) {{
    var x bit
    for {{
        select {{ for ch in chs {{ case recv(ch, x) {{ nonblock_send(acks, 1 - x) }} }} }}
    }}
}}
proc Bystander(n 1..400) {{
    var on bool
    for {{
        for i in range 0 to n {{ skip }}
        on = !on
    }}
}}
init {{
    chs: [N]channel {{ bit }} {marker},
    acks: channel [1] {{ bit }},
    s: Sender(chs, acks),
    r: Receiver(chs, acks),
    b: Bystander(100),
}}
ltl property {{ {formula} }}
"
    )
}

/// The time that the search takes.
fn measure(name: &str, text: &str) -> Duration {
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let parsed = syntax::parse(&sources, file);
    let checked = program::check(&parsed.file, &[], &[], &sandalc::weave::FAULTS);
    let program = checked.program.expect("the model is right");
    let system = build(&program, &Options::default());
    let property = system.properties.len() - 1;
    let mut best = Duration::MAX;
    let mut states = 0;
    for _ in 0..TIMES {
        let start = Instant::now();
        let report = engine::check(
            &system,
            &[property],
            &engine::Options::default(),
            &mut |_| {},
        );
        best = best.min(start.elapsed());
        states = report.stats.states;
        assert_eq!(report.verdicts[0].outcome, Outcome::Holds, "{name}");
    }
    println!(
        "{name:<20} {states:>9} states {:>8.0} ms",
        best.as_secs_f64() * 1e3
    );
    best
}
