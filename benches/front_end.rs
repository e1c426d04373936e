//! How fast the front end is: `cargo bench --bench front_end`.
//!
//! Generated models of 1,000 to 100,000 lines are parsed and checked; the time per line should not grow
//! with the length.

use std::fmt::Write;
use std::time::{Duration, Instant};

use sandalc::source::Sources;
use sandalc::{program, syntax};

const LENGTHS: [usize; 4] = [1_000, 10_000, 20_000, 100_000];
const ROUNDS: usize = 5;

fn main() {
    println!(
        "{:>8}  {:>10}  {:>10}  {:>12}",
        "lines", "parse", "check", "lines/s"
    );
    for length in LENGTHS {
        let text = model(length);
        let lines = text.lines().count();
        let mut sources = Sources::new();
        let file = sources.add("model.sdl", text.as_str());
        let parse = best(|| syntax::parse(&sources, file).diagnostics.len());
        let parsed = syntax::parse(&sources, file);
        let check = best(|| {
            let checked = program::check(&parsed.file, &[], &[], &sandalc::weave::FAULTS);
            usize::from(checked.program.is_none())
        });
        println!(
            "{lines:>8}  {:>7.1} ms  {:>7.1} ms  {:>12.0}",
            parse.as_secs_f64() * 1e3,
            check.as_secs_f64() * 1e3,
            lines as f64 / (parse + check).as_secs_f64()
        );
    }
}

/// The shortest of a few rounds (the others were disturbed), none of which finds anything wrong.
fn best(mut round: impl FnMut() -> usize) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        assert_eq!(round(), 0, "the model is correct");
        start.elapsed()
    });
    times.min().expect("some rounds")
}

/// A model of about so many lines: workers in a row, each different from the next.
fn model(lines: usize) -> String {
    let mut text = String::from("data Kind { Work, Stop }\n\nconst LIMIT = 7\n\n");
    // Each worker takes 24 lines in its definition, its entries and its property.
    let workers = (lines / 24).max(2);
    for i in 0..workers {
        let step = i % 3 + 1;
        let _ = write!(
            text,
            "\
// Worker {i} counts what it passes on.
proc Worker{i}(inbox channel {{ Kind }}, outbox channel {{ Kind }}, most 0..LIMIT) {{
    var kind Kind
    var count 0..LIMIT = 0
    for count + {step} <= most {{
        recv(inbox, kind)
        if kind == Stop {{
            break
        }} else if count < most {{
            count += {step}
        }}
        choice {{
            send(outbox, Work)
        }}, {{
            send(outbox, kind)
        }}
    }}
    assert(count <= most)
    send(outbox, Stop)
}}

"
        );
    }
    text += "init {\n";
    for i in 0..workers {
        let next = (i + 1) % workers;
        let _ = writeln!(text, "    ch{i}: channel {{ Kind }},");
        let _ = writeln!(text, "    w{i}: Worker{i}(ch{i}, ch{next}, {}),", i % 7 + 1);
    }
    text += "}\n\n";
    for i in 0..workers {
        let _ = writeln!(text, "invariant most{i} {{ w{i}.count <= LIMIT }}");
    }
    text
}
