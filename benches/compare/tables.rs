//! Tables 1 to 4 of the paper, once more: lines, time, BDD nodes and states of two-phase commit without a fault and with each of three. Ours, the
//! modules of the compiler of 2014, and Spin.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::competitor::Field;
use crate::measurement::{Answer, Measurement};
use crate::process::{self, Limits};
use crate::table::{short, thousands};
use crate::{ours, paper};

/// A variant of the paper: its name, the example, the old modules, what Spin is told, and the words of the fault in the Promela.
pub const VARIANTS: [Variant; 4] = [
    Variant {
        name: "no fault",
        example: "two_phase",
        old: "two_phase_commit",
        defines: &[],
        words: &[],
    },
    Variant {
        name: "timeout",
        example: "two_phase_timeout",
        old: "two_phase_commit_timeout",
        defines: &["-DTIMEOUT"],
        words: &["TIMEOUT", "TIMED_OUT"],
    },
    Variant {
        name: "message loss",
        example: "two_phase_drop",
        old: "two_phase_commit_drop",
        defines: &["-DDROP"],
        words: &["DROP", "LOST"],
    },
    Variant {
        name: "termination",
        example: "two_phase_shutdown",
        old: "two_phase_commit_shutdown",
        defines: &["-DSHUTDOWN"],
        words: &["SHUTDOWN", "CRASH", "ARBITER_CRASH"],
    },
];

/// A variant of the paper.
pub struct Variant {
    /// What the paper calls it.
    pub name: &'static str,
    /// Our model, in `examples`.
    pub example: &'static str,
    /// The old modules, in `benches/baseline`.
    pub old: &'static str,
    /// What Spin is told.
    pub defines: &'static [&'static str],
    words: &'static [&'static str],
}

/// Lines of a model, and how many of them a fault takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// Lines that are neither empty nor comments.
    pub all: usize,
    /// Of these, how many the fault adds or changes.
    pub fault: usize,
}

const LIMITS: Limits = Limits {
    seconds: 300.0,
    memory: 4 << 30,
};

/// What was found of a variant.
struct Row {
    variant: &'static Variant,
    lines: [Lines; 2],
    answer: Answer,
    /// Ours by the embedded engine and through NuSMV, the old modules, Spin.
    seconds: [Option<f64>; 4],
    /// Our modules and the old ones.
    nodes: [Option<u64>; 2],
    /// Ours, the old modules, Spin.
    states: [Option<u64>; 3],
}

/// Measures all variants, in turn: the tables and the drawing.
///
/// # Errors
/// If a program fails, or two give different answers.
pub fn measure(field: &Field) -> Result<(Vec<(String, String)>, String), String> {
    let rows: Vec<Row> = (VARIANTS.iter())
        .map(|variant| row(field, variant))
        .collect::<Result<_, _>>()?;
    Ok((sections(&rows), svg(&rows)))
}

fn row(field: &Field, variant: &'static Variant) -> Result<Row, String> {
    let [mut embedded, mut through, mut spin] = [const { None::<Measurement> }; 3];
    let mut old: Option<ByNusmv> = None;
    let mut new: Option<ByNusmv> = None;
    for _ in 0..field.rounds {
        paper::keep(
            &mut embedded,
            paper::our_run(field, variant.example, "embedded")?,
        );
        if field.has_spin {
            paper::keep(&mut spin, paper::spin_run(field, variant.defines)?);
        }
        if let Some(tool) = &field.nusmv {
            paper::keep(
                &mut through,
                paper::our_run(field, variant.example, "nusmv")?,
            );
            let file = field
                .root
                .join(format!("benches/baseline/{}.smv", variant.old));
            let measured = by_nusmv(tool, &file, "check_ltlspec")?;
            old = Some(measured.best(old));
            let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
            let file = folder.path().join("model.smv");
            emit(field, variant, &file)?;
            let measured = by_nusmv(tool, &file, "check_property -P decided")?;
            new = Some(measured.best(new));
        }
    }
    let embedded = embedded.ok_or("nothing was measured")?;
    let answer = embedded.answer;
    let others = [through.as_ref(), spin.as_ref()];
    let others = others.into_iter().flatten().map(|measured| measured.answer);
    let modules = [&old, &new].into_iter().flatten().map(|found| found.answer);
    if others.chain(modules).any(|other| other != answer) {
        return Err(format!("{}: the answers differ", variant.example));
    }
    let seconds = |measured: &Option<Measurement>| measured.as_ref().map(|m| m.seconds);
    Ok(Row {
        variant,
        lines: [
            our_lines(&field.root, variant)?,
            their_lines(&field.root, variant)?,
        ],
        answer,
        seconds: [
            Some(embedded.seconds),
            seconds(&through),
            old.as_ref().map(|found| found.seconds),
            seconds(&spin),
        ],
        nodes: [&new, &old].map(|found| found.as_ref().map(|found| found.nodes)),
        states: [
            Some(our_states(field, variant)?),
            old.as_ref().map(|found| found.states),
            spin.as_ref().and_then(|measured| measured.states),
        ],
    })
}

/// What NuSMV says of some modules.
struct ByNusmv {
    answer: Answer,
    seconds: f64,
    nodes: u64,
    states: u64,
}

impl ByNusmv {
    fn best(self, other: Option<ByNusmv>) -> ByNusmv {
        match other {
            Some(other) if other.seconds < self.seconds => other,
            _ => self,
        }
    }
}

/// Asks NuSMV twice: for the answer, which is what takes the time, and for the states.
fn by_nusmv(tool: &Path, modules: &Path, question: &str) -> Result<ByNusmv, String> {
    let run = |commands: &[&str]| {
        let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
        let script = folder.path().join("run.cmd");
        let first = format!("read_model -i {}", modules.display());
        let all = [
            &[
                first.as_str(),
                "flatten_hierarchy",
                "encode_variables",
                "build_model",
            ],
            commands,
        ]
        .concat();
        std::fs::write(&script, all.join("\n") + "\nquit\n").map_err(|why| why.to_string())?;
        let mut command = Command::new(tool);
        command.arg("-dcx").arg("-source").arg(&script);
        process::run(&mut command, 1, LIMITS).map_err(|why| why.to_string())
    };
    let checked = run(&[question, "print_usage"])?;
    let text = &checked.text;
    let answer = match (text.contains("is false"), text.contains("is true")) {
        (true, _) => Answer::Violated,
        (false, true) => Answer::Holds,
        _ => return Err(format!("NuSMV gives no answer:\n{text}")),
    };
    let counted = run(&["compute_reachable", "print_reachable_states"])?;
    let number = |text: &str, before: &str| {
        let rest = text.split_once(before)?.1.trim_start();
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    Ok(ByNusmv {
        answer,
        seconds: checked.cost.cpu,
        nodes: number(text, "BDD nodes allocated:").ok_or("NuSMV tells no number of nodes")?,
        states: number(&counted.text, "reachable states:").ok_or("NuSMV counts no states")?,
    })
}

fn emit(field: &Field, variant: &Variant, file: &Path) -> Result<(), String> {
    let mut compile = Command::new(ours::SANDALC);
    compile.arg(field.root.join(format!("examples/{}.sdl", variant.example)));
    compile.arg("-o").arg(file);
    let compiled = process::run(&mut compile, 1, LIMITS).map_err(|why| why.to_string())?;
    match compiled.code {
        Some(0) => Ok(()),
        _ => Err(format!("sandalc fails:\n{}", compiled.text)),
    }
}

/// All states of the model as it is written, without any reduction.
fn our_states(field: &Field, variant: &Variant) -> Result<u64, String> {
    let text = read(&field.root, &format!("examples/{}.sdl", variant.example))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("// states: "));
    let states = line.and_then(|count| count.trim().parse().ok());
    states.ok_or_else(|| format!("{} does not say how many states it has", variant.example))
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path)).map_err(|why| format!("cannot read {path}: {why}"))
}

/// The lines of a text that are neither empty nor comments.
fn lines(text: &str) -> Vec<&str> {
    let mut comment = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let begins = line.starts_with("/*");
        if !comment && !begins && !line.is_empty() && !line.starts_with("//") {
            found.push(line);
        }
        comment = (comment || begins) && !line.ends_with("*/");
    }
    found
}

/// Of our models: lines that the model without a fault does not have.
///
/// # Errors
/// If a file cannot be read.
pub fn our_lines(root: &Path, variant: &Variant) -> Result<Lines, String> {
    let plain = read(root, "examples/two_phase.sdl")?;
    let mut plain = lines(&plain);
    let text = read(root, &format!("examples/{}.sdl", variant.example))?;
    let own = lines(&text);
    let mut fault = 0;
    for line in &own {
        match plain.iter().position(|other| other == line) {
            Some(at) => _ = plain.remove(at),
            None => fault += 1,
        }
    }
    Ok(Lines {
        all: own.len(),
        fault,
    })
}

/// Of the Promela, which has all variants in one file: lines that speak of the fault.
///
/// # Errors
/// If the file cannot be read.
pub fn their_lines(root: &Path, variant: &Variant) -> Result<Lines, String> {
    let text = read(root, "benches/spin/two_phase.pml")?;
    let own = lines(&text);
    let is_word = |c: char| !(c.is_alphanumeric() || c == '_');
    let speaks = |line: &&&str| {
        line.split(is_word)
            .any(|word| variant.words.contains(&word))
    };
    Ok(Lines {
        all: own.len(),
        fault: own.iter().filter(speaks).count(),
    })
}

fn cell<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or("-".to_owned(), show)
}

fn sections(rows: &[Row]) -> Vec<(String, String)> {
    let mut tables = [const { String::new() }; 4];
    let [size, time, nodes, states] = &mut tables;
    let _ = writeln!(
        size,
        "{:<14} {:>10} {:>16} {:>10} {:>16}",
        "", "sandalc", "for the fault", "Promela", "for the fault"
    );
    let _ = writeln!(
        time,
        "{:<14} {:>10} {:>10} {:>14} {:>10} {:>10}",
        "", "answer", "sandalc", "through NuSMV", "2014 SMV", "Spin"
    );
    let _ = writeln!(nodes, "{:<14} {:>12} {:>12}", "", "our modules", "2014 SMV");
    let _ = writeln!(
        states,
        "{:<14} {:>10} {:>10} {:>10}",
        "", "sandalc", "2014 SMV", "Spin"
    );
    for row in rows {
        let name = row.variant.name;
        let [ours, theirs] = row.lines;
        let _ = writeln!(
            size,
            "{name:<14} {:>10} {:>16} {:>10} {:>16}",
            ours.all, ours.fault, theirs.all, theirs.fault
        );
        let [embedded, through, old, spin] = row.seconds.map(|seconds| cell(seconds, short));
        let _ = writeln!(
            time,
            "{name:<14} {:>10} {embedded:>10} {through:>14} {old:>10} {spin:>10}",
            row.answer.as_str()
        );
        let [new, old] = row.nodes.map(|nodes| cell(nodes, thousands));
        let _ = writeln!(nodes, "{name:<14} {new:>12} {old:>12}");
        let [ours, old, spin] = row.states.map(|states| cell(states, thousands));
        let _ = writeln!(states, "{name:<14} {ours:>10} {old:>10} {spin:>10}");
    }
    let titles = [
        "Lines of the model",
        "Seconds from the model to the answer",
        "BDD nodes that NuSMV allocates for the answer",
        "States",
    ];
    titles.map(str::to_owned).into_iter().zip(tables).collect()
}

const WHO: [(&str, &str); 4] = [
    ("sandalc", "#0969da"),
    ("through NuSMV", "#9a6700"),
    ("2014 SMV", "#8250df"),
    ("Spin", "#cf222e"),
];

/// Seconds as bars, on a logarithmic scale from a millisecond to a hundred seconds.
fn svg(rows: &[Row]) -> String {
    const HEIGHT: f64 = 200.0;
    const BAR: f64 = 26.0;
    const GROUP: f64 = 140.0;
    let width = 60.0 + GROUP * rows.len() as f64;
    let of = |seconds: f64| (seconds.log10().clamp(-3.0, 2.0) + 3.0) / 5.0 * HEIGHT;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} 280\" role=\"img\" aria-label=\"Seconds to the answer\">\n\
         <style>text {{ font: 12px system-ui, sans-serif; fill: #24292f; }} .grid {{ stroke: #d0d7de; }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #e6edf3; }} .grid {{ stroke: #30363d; }} }}</style>\n"
    );
    for (at, (name, colour)) in WHO.iter().enumerate() {
        let x = 50.0 + 140.0 * at as f64;
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"8\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"{}\" y=\"18\">{name}</text>",
            x + 18.0
        );
    }
    for decade in -3..=2 {
        let y = 240.0 - of(10f64.powi(decade));
        let label = format!("{} s", 10f64.powi(decade));
        let _ = writeln!(
            text,
            "<path class=\"grid\" d=\"M50 {y:.1}H{width}\"/><text x=\"46\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            y + 4.0
        );
    }
    for (at, row) in rows.iter().enumerate() {
        let left = 65.0 + GROUP * at as f64;
        for (k, (seconds, (_, colour))) in row.seconds.iter().zip(WHO).enumerate() {
            let Some(seconds) = seconds else { continue };
            let (x, height) = (left + BAR * k as f64, of(*seconds));
            let _ = writeln!(
                text,
                "<rect class=\"bar\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
                240.0 - height,
                BAR - 4.0
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"260\" text-anchor=\"middle\">{}</text>",
            left + 2.0 * BAR,
            row.variant.name
        );
    }
    text + "</svg>\n"
}
