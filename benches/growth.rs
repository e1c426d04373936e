//! How what comes before a search grows with the model: `cargo bench --bench growth [NAME]`.
//!
//! Each family of models is doubled a few times. Time and memory of each phase should double with it, no more; a family ends
//! early when a phase takes too long.

use std::fmt::Write;
use std::time::{Duration, Instant};

use sandalc::cli::memory;
use sandalc::simplify::{Rules, simplify_until};
use sandalc::source::Sources;
use sandalc::weave::Options;
use sandalc::{build, engine, program, syntax};

/// How often a family is doubled.
const DOUBLINGS: u32 = 4;

/// With a phase that takes longer a family ends.
const PATIENCE: Duration = Duration::from_secs(20);

/// A family of models: its name, its smallest size, and the model of a size.
type Family = (&'static str, usize, fn(usize) -> String);

const FAMILIES: [Family; 11] = [
    ("toggles", 250, toggles),
    ("variables", 1_000, variables),
    ("statements", 5_000, statements),
    ("rounds", 5_000, rounds),
    ("processes", 2_000, processes),
    ("invariants", 1_000, invariants),
    ("buffer", 125, buffer),
    ("nested reads", 16, nested_reads),
    ("computed elements", 250, computed_elements),
    ("reordering", 100, reordering),
    ("bit operators", 50, bit_operators),
];

fn main() {
    let wanted = std::env::args().nth(1).filter(|a| !a.starts_with('-'));
    println!(
        "{:<18} {:>7}  {:>9} {:>9} {:>9} {:>9}  {:>9}",
        "family", "size", "check", "weave", "simplify", "compile", "memory"
    );
    for (name, smallest, model) in FAMILIES {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.contains(wanted.as_str()))
        {
            continue;
        }
        for doubling in 0..=DOUBLINGS {
            let size = smallest << doubling;
            let text = model(size);
            let worker = std::thread::Builder::new()
                .stack_size(256 << 20)
                .spawn(move || phases(&text));
            let worker = worker.expect("a thread");
            let (times, used) = worker.join().expect("no phase panics");
            print!("{name:<18} {size:>7} ");
            for time in times {
                print!(" {:>6.0} ms", time.as_secs_f64() * 1e3);
            }
            println!("  {:>5.0} MiB", used as f64 / f64::from(1 << 20));
            if times.iter().any(|time| *time > PATIENCE / 4) {
                break;
            }
        }
    }
}

/// The time that each phase takes, and the memory in use at the end.
fn phases(text: &str) -> ([Duration; 4], usize) {
    let before = memory::resident().unwrap_or(0);
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let mut times = [Duration::ZERO; 4];
    let mut last = Instant::now();
    let mut lap = |phase: usize| {
        times[phase] = last.elapsed();
        last = Instant::now();
    };
    let parsed = syntax::parse(&sources, file);
    let checked = program::check(&parsed.file, &[], &[], &sandalc::weave::FAULTS);
    let program = checked.program.expect("the model is right");
    lap(0);
    let system = build(&program, &Options::default());
    lap(1);
    let start = Instant::now();
    let late = || start.elapsed() > PATIENCE;
    let simplified = simplify_until(&system, &Rules::default(), &late);
    lap(2);
    // One state: the time goes into the compilation.
    let mut options = engine::Options::default();
    options.limits.states = 1;
    let all: Vec<usize> = (0..system.properties.len()).collect();
    engine::check(&simplified.system, &all, &options, &mut |_| {});
    lap(3);
    let after = memory::resident().unwrap_or(0);
    (times, after.saturating_sub(before))
}

/// A process with some variables and statements.
fn one(variables: &str, body: &str) -> String {
    format!("proc P() {{\n{variables}\n{body}\n}}\n\ninit {{\n    p: P(),\n}}\n")
}

fn toggles(size: usize) -> String {
    let body = format!("for i in range 0 to {size} {{ if x == 1 {{ x = 0 }} else {{ x = 1 }} }}");
    one("var x 0..1", &body)
}

fn variables(size: usize) -> String {
    let mut declared = String::new();
    for i in 0..size {
        let _ = writeln!(declared, "var b{i} bool");
    }
    one(&declared, "skip")
}

fn statements(size: usize) -> String {
    one("var y 0..255", &"y = (y + 1) % 256\n".repeat(size))
}

fn rounds(size: usize) -> String {
    let body = format!("for i in range 0 to {size} {{ x = (x + 1) % 4 }}");
    one("var x 0..3", &body)
}

fn processes(size: usize) -> String {
    format!(
        "proc P() {{\n    var x bool\n    x = true\n}}\n\ninit {{\n    for i in range 0 to {size} {{\n        p[i]: P(),\n    }}\n}}\n"
    )
}

fn invariants(size: usize) -> String {
    let mut text = one("var x 0..7", "for { x = (x + 1) % 8 }");
    for i in 0..size {
        let _ = writeln!(text, "invariant i{i} {{ p.x < {} }}", 8 + i);
    }
    text
}

fn buffer(size: usize) -> String {
    format!(
        "\
proc S(c channel [{size}] {{ 0..1 }}) {{
    for i in range 0 to 20 {{ send(c, 1) }}
}}

proc R(c channel [{size}] {{ 0..1 }}) {{
    var x 0..1
    for {{ recv(c, x) }}
}}

init {{
    c: channel [{size}] {{ 0..1 }},
    s: S(c),
    r: R(c),
}}
"
    )
}

fn nested_reads(size: usize) -> String {
    let variables = format!("var a [{size}]0..{0}\nvar i 0..{0}", size - 1);
    let body = format!("for {{\n a[a[i]] = i\n i = (i + 1) % {size}\n}}");
    one(&variables, &body)
}

fn computed_elements(size: usize) -> String {
    let variables = format!("var a [{size}]0..3\nvar x 0..{}", size - 1);
    let body = format!("a[x % {size}] = a[(x + 1) % {size}]\nx = any");
    one(&variables, &body)
}

fn reordering(size: usize) -> String {
    buffer(size).replace(" },\n    s:", " } @reorder,\n    s:")
}

fn bit_operators(size: usize) -> String {
    one(
        "var y 0..255\nvar z 0..255\nz = any",
        &"y = y ^ z\n".repeat(size),
    )
}
