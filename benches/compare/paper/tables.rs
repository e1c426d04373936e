//! The four tables of the paper that introduced Sandal, redone: lines of model per fault, time to the answer, BDD nodes, states.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMITS, VARIANTS, chart, keep, our_run, spin_run, spin_verifier};
use crate::competitor::Field;
use crate::measurement::Measurement;
use crate::table::{short, thousands};
use crate::{docs, nusmv, ours, process};

/// How the times are told apart in the plot, with the class that gives each its colour.
pub const WAYS: [(&str, &str); 4] = [
    ("2014 modules", "old"),
    ("Spin", "spin"),
    ("through NuSMV", "nusmv"),
    ("embedded", "ours"),
];

/// What is known of one variant of the model. What is not installed is `None`.
pub struct Variant {
    /// `two_phase_drop`
    pub name: &'static str,
    /// In the order of [`WAYS`].
    pub seconds: [Option<f64>; 4],
    answer: &'static str,
    sandal: Lines,
    promela: Option<Lines>,
    /// Lines of NuSMV: ours, and of 2014.
    smv: (usize, Option<usize>),
    /// In NuSMV, on our modules, and on those of 2014.
    symbolic: [Option<Symbolic>; 2],
    states: Option<u64>,
    spin_states: Option<u64>,
}

/// Lines of a model, and how many of them the model without faults does not have.
struct Lines {
    all: usize,
    for_fault: usize,
}

/// What NuSMV tells of its decision diagrams.
struct Symbolic {
    states: u64,
    peak: u64,
}

/// Redoes the tables: into a page, and their plot beside it.
///
/// # Errors
/// If a program fails, or answers differ.
pub fn write(field: &Field, baseline: Option<&Path>, page: &Path) -> Result<(), String> {
    let variants = VARIANTS.map(|variant| measure(field, baseline, variant));
    let variants: Vec<Variant> = variants.into_iter().collect::<Result<_, _>>()?;
    let sections = [
        ("Table 1: lines", lines_table(&variants)),
        ("Table 2: seconds to the answer", times_table(&variants)),
        ("Table 3: peak of BDD nodes", nodes_table(&variants)),
        ("Table 4: states", states_table(&variants)),
    ];
    let sections = sections.map(|(title, text)| (title.to_owned(), text));
    for (title, text) in &sections {
        println!("\n{title}\n\n{text}");
    }
    docs::replace(page, &sections)?;
    let plot = page.with_extension("svg");
    std::fs::write(&plot, chart::svg(&variants))
        .map_err(|why| format!("cannot write {}: {why}", plot.display()))
}

fn measure(
    field: &Field,
    baseline: Option<&Path>,
    (name, old, defines): (&'static str, &str, &[&str]),
) -> Result<Variant, String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let model = field.root.join(format!("examples/{name}.sdl"));
    let modules = folder.path().join("model.smv");
    let compile = || {
        let mut command = Command::new(ours::SANDALC);
        command.arg(&model).arg("-o").arg(&modules);
        let ended = process::run(&mut command, 1, LIMITS).map_err(|why| why.to_string())?;
        match ended.code {
            Some(0) => Ok(ended.cost.cpu),
            _ => Err(format!("sandalc fails:\n{}", ended.text)),
        }
    };
    compile()?;
    let text = read(&modules)?;
    let smv = text.lines().count();
    let old = baseline.map(|folder| folder.join(format!("{old}.smv")));
    let mut best = [const { None::<Measurement> }; 4];
    for _ in 0..field.rounds {
        if let (Some(tool), Some(old)) = (&field.nusmv, &old) {
            keep(&mut best[0], nusmv::run(tool, old, &[], LIMITS)?);
        }
        if field.has_spin {
            keep(&mut best[1], spin_run(field, defines)?);
        }
        if let Some(tool) = &field.nusmv {
            let seconds = compile()?;
            std::fs::write(&modules, only_formula(&text)).map_err(|why| why.to_string())?;
            let mut measured = nusmv::run(tool, &modules, &["-coi"], LIMITS)?;
            measured.seconds += seconds;
            keep(&mut best[2], measured);
        }
        keep(&mut best[3], our_run(field, name)?);
    }
    let known: Vec<&Measurement> = best.iter().flatten().collect();
    let ours = known.last().ok_or("nothing was measured")?;
    if known.iter().any(|other| other.answer != ours.answer) {
        return Err(format!("{name}: the answers differ"));
    }
    let symbolic = |modules: Option<&PathBuf>| match (&field.nusmv, modules) {
        (Some(tool), Some(modules)) => ask(tool, modules, folder.path()).map(Some),
        _ => Ok(None),
    };
    let symbolic = [symbolic(Some(&modules))?, symbolic(old.as_ref())?];
    // Both engines are asked for the same states; a run would not be worth its figures if they differed.
    let states = ours.states;
    if let (Some(mine), Some(theirs)) = (states, &symbolic[0])
        && mine != theirs.states
    {
        return Err(format!(
            "{name}: {mine} states are {} to NuSMV",
            theirs.states
        ));
    }
    let plain = field.root.join("examples/two_phase.sdl");
    let sandal = Lines::of(&sandal_lines(&read(&model)?), &sandal_lines(&read(&plain)?));
    let promela = match field.has_spin {
        true => Some(Lines::of(&promela(field, defines)?, &promela(field, &[])?)),
        false => None,
    };
    Ok(Variant {
        name,
        answer: ours.answer.as_str(),
        seconds: best.each_ref().map(|m| m.as_ref().map(|m| m.seconds)),
        sandal,
        promela,
        smv: (
            smv,
            old.map(|old| read(&old).map(|text| text.lines().count()))
                .transpose()?,
        ),
        symbolic,
        states,
        spin_states: match field.has_spin {
            true => spin_states(field, defines)?,
            false => None,
        },
    })
}

/// Our modules with the formula of the paper as their only property.
fn only_formula(modules: &str) -> String {
    let other = |line: &&str| line.contains("SPEC NAME ") && !line.contains("SPEC NAME decided ");
    let kept = modules.lines().filter(|line| !other(line));
    kept.map(|line| format!("{line}\n")).collect()
}

/// Has NuSMV check a file, and asks what that took.
fn ask(tool: &Path, modules: &Path, folder: &Path) -> Result<Symbolic, String> {
    let script = folder.join("commands");
    let commands = "go\ncheck_ltlspec\nprint_reachable_states\nprint_bdd_stats\nquit\n";
    std::fs::write(&script, commands).map_err(|why| why.to_string())?;
    let mut command = Command::new(tool);
    command.arg("-dcx").arg("-source").arg(&script).arg(modules);
    let ended = process::run(&mut command, 1, LIMITS).map_err(|why| why.to_string())?;
    let number = |label: &str| -> Result<u64, String> {
        let mut after = ended.text.split(label).skip(1);
        let word = after.next().and_then(|rest| rest.split_whitespace().next());
        let number: Option<f64> = word.and_then(|word| word.parse().ok());
        let number = number.ok_or_else(|| format!("NuSMV does not say `{label}`:\n{}", ended.text));
        Ok(number? as u64)
    };
    Ok(Symbolic {
        states: number("reachable states: ")?,
        peak: number("Peak number of live nodes: ")?,
    })
}

/// All states of the Promela model, with the automaton of the formula: the search goes on after an error.
fn spin_states(field: &Field, defines: &[&str]) -> Result<Option<u64>, String> {
    let (verifier, sizing) = spin_verifier(field, defines)?;
    Ok(verifier.search(sizing, &["-a", "-c0"], LIMITS, 0)?.0.states)
}

impl Lines {
    fn of(lines: &[String], plain: &[String]) -> Lines {
        let mut rest = plain.to_vec();
        let new = lines.iter().filter(|line| {
            let same = rest.iter().position(|other| other == *line);
            same.map(|at| rest.swap_remove(at)).is_none()
        });
        Lines {
            for_fault: new.count(),
            all: lines.len(),
        }
    }
}

/// The lines of a model that are neither empty nor a comment.
fn sandal_lines(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim());
    code.filter(|code| !code.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The lines of the Promela model once the preprocessor has made them: nobody is charged for macros.
fn promela(field: &Field, defines: &[&str]) -> Result<Vec<String>, String> {
    let mut command = Command::new("gcc");
    command
        .args(["-E", "-P", "-x", "c", "-DN=2", "-DLIVENESS"])
        .args(defines);
    command.arg(field.root.join("benches/spin/two_phase.pml"));
    let ended = process::run(&mut command, 1, LIMITS).map_err(|why| why.to_string())?;
    match ended.code {
        Some(0) => Ok(sandal_lines(&ended.text)),
        _ => Err(format!("gcc fails:\n{}", ended.text)),
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// A table: the names of its columns, and a line for each variant.
fn table(
    variants: &[Variant],
    columns: &[&str],
    cells: impl Fn(&Variant) -> Vec<String>,
) -> String {
    let line = |name: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>16}")).collect();
        format!("{name:<20}{cells}\n")
    };
    let head: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let rows = variants
        .iter()
        .map(|variant| line(variant.name, &cells(variant)));
    line("", &head) + &rows.collect::<String>()
}

fn or_dash<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), show)
}

fn lines_table(variants: &[Variant]) -> String {
    let columns = [
        "Sandal",
        "for the fault",
        "Promela",
        "for the fault",
        "our NuSMV",
        "2014 NuSMV",
    ];
    table(variants, &columns, |variant| {
        let promela = variant.promela.as_ref();
        vec![
            variant.sandal.all.to_string(),
            variant.sandal.for_fault.to_string(),
            or_dash(promela, |lines| lines.all.to_string()),
            or_dash(promela, |lines| lines.for_fault.to_string()),
            variant.smv.0.to_string(),
            or_dash(variant.smv.1, |lines| lines.to_string()),
        ]
    })
}

fn times_table(variants: &[Variant]) -> String {
    let columns: Vec<&str> = WAYS
        .iter()
        .map(|(name, _)| *name)
        .chain(["answer"])
        .collect();
    table(variants, &columns, |variant| {
        let seconds = variant.seconds.iter();
        let seconds = seconds.map(|seconds| or_dash(*seconds, short));
        seconds.chain([variant.answer.to_owned()]).collect()
    })
}

fn nodes_table(variants: &[Variant]) -> String {
    table(variants, &["2014 modules", "our modules"], |variant| {
        let [ours, old] = &variant.symbolic;
        let peak = |of: &Option<Symbolic>| or_dash(of.as_ref(), |s| thousands(s.peak));
        vec![peak(old), peak(ours)]
    })
}

fn states_table(variants: &[Variant]) -> String {
    let columns = ["2014 modules", "Spin", "our modules", "embedded"];
    table(variants, &columns, |variant| {
        let [ours, old] = &variant.symbolic;
        let states = |of: &Option<Symbolic>| or_dash(of.as_ref(), |s| thousands(s.states));
        vec![
            states(old),
            or_dash(variant.spin_states, thousands),
            states(ours),
            or_dash(variant.states, thousands),
        ]
    })
}
