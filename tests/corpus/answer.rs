//! Asks every engine about a model. Engines that know an answer must agree.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::interpret;
use sandalc::diagnostic::Severity;
use sandalc::program::Program;
use sandalc::simplify::{Rules, simplify};
use sandalc::source::Sources;
use sandalc::system::{self, PropertyKind, System};
use sandalc::verdict::{Outcome, Run, Verdict};
use sandalc::{build, engine, nusmv, program, syntax, trace, weave};

/// Models with more states are left out.
pub const MOST_STATES: usize = 20_000;

/// What an engine says about a System.
#[derive(Default)]
pub struct Answer {
    /// How many states are reachable, if it knows.
    pub states: Option<u64>,
    /// For each property whether it holds, if it knows.
    pub verdicts: Vec<Option<bool>>,
    /// Whether some run satisfies the assumptions, if it knows.
    pub possible: Option<bool>,
}

/// A model that has been checked.
pub struct Model {
    pub program: Program,
    pub options: weave::Options,
    pub system: System,
    pub sources: Sources,
}

/// One of those who are asked.
pub struct Engine {
    /// As it is called in messages.
    pub name: &'static str,
    /// What it answers, or why it cannot.
    pub ask: fn(&Model) -> Result<Answer, String>,
}

/// All of them. The first one decides whether a model is small enough.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "walker",
        ask: walker,
    },
    Engine {
        name: "interpreter",
        ask: interpreter,
    },
    Engine {
        name: "embedded",
        ask: embedded,
    },
    Engine {
        name: "embedded simplified",
        ask: embedded_simplified,
    },
    Engine {
        name: "embedded with reduction",
        ask: |model| embedded_with_shortcuts(model, true, false),
    },
    Engine {
        name: "embedded with symmetry",
        ask: |model| embedded_with_shortcuts(model, false, true),
    },
    Engine {
        name: "embedded with reduction and symmetry",
        ask: |model| embedded_with_shortcuts(model, true, true),
    },
    Engine {
        name: "nusmv",
        ask: ask_nusmv,
    },
    Engine {
        name: "nusmv simplified",
        ask: ask_nusmv_simplified,
    },
];

/// Those that `SANDAL_CORPUS_ENGINES` names (`walker,interpreter`), or all that are installed.
pub fn engines() -> Vec<&'static Engine> {
    let Ok(names) = std::env::var("SANDAL_CORPUS_ENGINES") else {
        let is_there =
            |engine: &&Engine| !engine.name.starts_with("nusmv") || installed().is_some();
        return ENGINES.iter().filter(is_there).collect();
    };
    let find = |name: &str| ENGINES.iter().find(|e| e.name == name);
    names
        .split(',')
        .map(|name| find(name.trim()).unwrap_or_else(|| panic!("no engine is called `{name}`")))
        .collect()
}

/// What became of a model.
pub enum Judgement {
    /// All engines agree; the model has so many states.
    Agreed(usize),
    /// It has too many states.
    TooLarge,
    /// Something is wrong: what kind of thing, and what exactly.
    Wrong(String, String),
}

/// Asks all engines about a text.
pub fn judge(text: &str, engines: &[&Engine]) -> Judgement {
    let judged = catch_unwind(AssertUnwindSafe(|| match model(text) {
        Ok(model) => ask(&model, engines).0,
        Err(why) => {
            let code = why.rsplit('[').next().unwrap_or_default();
            Judgement::Wrong(format!("rejected {code}"), why)
        }
    }));
    judged.unwrap_or_else(|payload| {
        let words = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        // Numbers differ from model to model; the words around them tell two panics apart.
        let kind: String = words
            .chars()
            .filter(|c| c.is_alphabetic())
            .take(60)
            .collect();
        Judgement::Wrong(format!("panic {kind}"), format!("panic: {words}"))
    })
}

/// Asks all engines about a model; also what each of them answered.
pub fn ask(model: &Model, engines: &[&Engine]) -> (Judgement, Vec<Answer>) {
    let mut answers: Vec<Answer> = Vec::new();
    for engine in engines {
        let answer = match (engine.ask)(model) {
            Ok(answer) => answer,
            Err(why) if why == TOO_LARGE => return (Judgement::TooLarge, answers),
            Err(why) => {
                let kind = format!("{} fails", engine.name);
                return (Judgement::Wrong(kind, why), answers);
            }
        };
        for (other, earlier) in engines.iter().zip(&answers) {
            let one = (other.name, earlier);
            if let Some((kind, what)) = difference(&model.system, one, (engine.name, &answer)) {
                return (Judgement::Wrong(kind, what), answers);
            }
        }
        answers.push(answer);
    }
    let states = answers.iter().find_map(|a| a.states).unwrap_or(0);
    (Judgement::Agreed(states as usize), answers)
}

/// Checks a text and makes a System of it. A first line `// flags: --timely --no-faults` is obeyed.
pub fn model(text: &str) -> Result<Model, String> {
    let mut sources = Sources::new();
    let id = sources.add("random.sdl", text);
    let parsed = syntax::parse(&sources, id);
    let checked = program::check(&parsed.file, &[], &[], &sandalc::weave::FAULTS);
    let errors: Vec<String> = (parsed.diagnostics.iter().chain(&checked.diagnostics))
        .filter(|d| d.severity == Severity::Error)
        .map(|d| {
            let place = sources.place(d.primary.span);
            format!("{place}: {} [{}]", d.message, d.code)
        })
        .collect();
    let Some(program) = checked.program.filter(|_| errors.is_empty()) else {
        return Err(errors.join("\n"));
    };
    let flags = text.lines().next().unwrap_or_default();
    let faults = match flags.split_once("--faults ") {
        Some((_, list)) => {
            let chosen = weave::select_faults(&program, weave::split_faults(list));
            Some(chosen.map_err(|e| format!("no fault is called {} [faults]", e.asked))?)
        }
        None => flags.contains("--no-faults").then(Vec::new),
    };
    let options = weave::Options {
        faults,
        timely: flags.contains("--timely"),
        deadlock: true,
    };
    let system = build(&program, &options);
    system::verify::verify(&system).map_err(|why| format!("the System is broken: {why}"))?;
    Ok(Model {
        program,
        options,
        system,
        sources,
    })
}

fn difference(
    system: &System,
    (one, a): (&str, &Answer),
    (other, b): (&str, &Answer),
) -> Option<(String, String)> {
    if let (Some(x), Some(y)) = (a.states, b.states)
        && x != y
    {
        return Some((
            format!("states {one} {other}"),
            format!("{one} finds {x} states, {other} {y}"),
        ));
    }
    if let (Some(x), Some(y)) = (a.possible, b.possible)
        && x != y
    {
        return Some((
            format!("assumptions {one} {other}"),
            format!("a run satisfies all assumptions: {x} says {one}, {y} says {other}"),
        ));
    }
    for (property, (x, y)) in system
        .properties
        .iter()
        .zip(a.verdicts.iter().zip(&b.verdicts))
    {
        if let (Some(x), Some(y)) = (x, y)
            && x != y
        {
            let word = |holds: &bool| if *holds { "holds" } else { "is violated" };
            return Some((
                format!("verdict {one} {other} {}", property.kind_name()),
                format!(
                    "{} {} says {one}, {} says {other}",
                    property.name,
                    word(x),
                    word(y)
                ),
            ));
        }
    }
    None
}

const TOO_LARGE: &str = "too large";

/// The plain walk: state counts and everything that can be seen in a state.
fn walker(model: &Model) -> Result<Answer, String> {
    let system = &model.system;
    let states = system::state::walk(system, MOST_STATES).ok_or(TOO_LARGE)?;
    let verdicts = system
        .properties
        .iter()
        .map(|property| match &property.kind {
            PropertyKind::Deadlock => {
                let bad = system.deadlock();
                Some(!states.iter().any(|s| s.holds(&bad)))
            }
            PropertyKind::Check(check) => {
                let bad = system.fails(*check);
                Some(!states.iter().any(|s| s.holds(&bad)))
            }
            PropertyKind::Invariant(e) => Some(states.iter().all(|s| s.holds(e))),
            PropertyKind::Reachable(e) => Some(states.iter().any(|s| s.holds(e))),
            PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => None,
        })
        .collect();
    Ok(Answer {
        states: Some(states.len() as u64),
        verdicts,
        possible: None,
    })
}

/// The interpreter, which knows nothing of Systems.
fn interpreter(model: &Model) -> Result<Answer, String> {
    let explored =
        interpret::explore(&model.program, &model.options, MOST_STATES).ok_or(TOO_LARGE)?;
    let verdicts = (model.system.properties.iter())
        .map(|property| {
            let found = explored.verdicts.iter().find(|(n, _)| *n == property.name);
            found.map(|(_, holds)| *holds)
        })
        .collect();
    Ok(Answer {
        states: Some(explored.states as u64),
        verdicts,
        possible: None,
    })
}

fn all(system: &System) -> Vec<usize> {
    (0..system.properties.len()).collect()
}

/// What an engine answered. Every run it shows is replayed on the System it is about, after `restore`.
fn collect(
    system: &System,
    states: Option<u64>,
    found: &[Verdict],
    restore: &dyn Fn(usize, &Run) -> Option<Run>,
) -> Result<Answer, String> {
    let mut verdicts = vec![None; system.properties.len()];
    for verdict in found {
        verdicts[verdict.property] = match verdict.outcome {
            Outcome::Holds | Outcome::HoldsStatically => Some(true),
            Outcome::Violated => Some(false),
            Outcome::Unknown(_) => None,
        };
        if let Some(run) = &verdict.run {
            let name = &system.properties[verdict.property].name;
            let run = restore(verdict.property, run)
                .ok_or(format!("the run for {name} cannot be restored"))?;
            trace::replay(system, verdict.property, &run)
                .map_err(|why| format!("the run for {name} cannot be replayed: {why}"))?;
        }
    }
    Ok(Answer {
        states,
        verdicts,
        possible: None,
    })
}

/// The embedded engine.
fn embedded(model: &Model) -> Result<Answer, String> {
    let report = search(&model.system);
    let states = report.reachable;
    let answer = collect(&model.system, states, &report.verdicts, &|_, run| {
        Some(run.clone())
    })?;
    Ok(Answer {
        possible: report.possible,
        ..answer
    })
}

fn search(system: &System) -> engine::Report {
    let options = engine::Options {
        full_space: true,
        ..engine::Options::default()
    };
    engine::check(system, &all(system), &options, &mut |_| {})
}

/// The embedded engine on the simplified System.
fn embedded_simplified(model: &Model) -> Result<Answer, String> {
    let simplified = simplify(&model.system, &Rules::default());
    let report = search(&simplified.system);
    let answer = collect(&model.system, None, &report.verdicts, &|property, run| {
        simplified.restore(&model.system, run, Some(property))
    })?;
    Ok(Answer {
        possible: report.possible,
        ..answer
    })
}

/// The embedded engine with what makes its safety search smaller.
fn embedded_with_shortcuts(
    model: &Model,
    reduction: bool,
    symmetry: bool,
) -> Result<Answer, String> {
    let simplified = simplify(&model.system, &Rules::EVERY_STEP);
    let options = engine::Options {
        reduction,
        symmetry,
        ..engine::Options::default()
    };
    let properties = all(&model.system);
    let report = engine::check(&simplified.system, &properties, &options, &mut |_| {});
    collect(&model.system, None, &report.verdicts, &|property, run| {
        simplified.restore(&model.system, run, Some(property))
    })
}

static TOOL: OnceLock<nusmv::Tool> = OnceLock::new();

fn installed() -> Option<PathBuf> {
    crate::nusmv::installed("corpus: what NuSMV says of random models")
}

/// The NuSMV for tests.
fn tool() -> nusmv::Tool {
    let path = installed().expect("NuSMV is asked only if it is installed");
    nusmv::probe(&path, nusmv::Limits::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// NuSMV on the emitted modules.
fn ask_nusmv(model: &Model) -> Result<Answer, String> {
    let tool = TOOL.get_or_init(tool);
    let emitted = nusmv::emit(&model.system, &model.sources);
    let count = nusmv::count_states(tool, &emitted, limits()).map_err(|e| e.to_string())?;
    let states = match count {
        nusmv::Count::Exact(states) => Some(states),
        nusmv::Count::About(_) => None,
    };
    let answer = run_nusmv(model, &model.system, &emitted, &|_, run| Some(run.clone()))?;
    Ok(Answer { states, ..answer })
}

/// NuSMV on what is emitted for the simplified System.
fn ask_nusmv_simplified(model: &Model) -> Result<Answer, String> {
    let simplified = simplify(&model.system, &Rules::default());
    let emitted = nusmv::emit(&simplified.system, &model.sources);
    run_nusmv(model, &simplified.system, &emitted, &|property, run| {
        simplified.restore(&model.system, run, Some(property))
    })
}

fn run_nusmv(
    model: &Model,
    system: &System,
    emitted: &nusmv::Emitted,
    restore: &dyn Fn(usize, &Run) -> Option<Run>,
) -> Result<Answer, String> {
    let tool = TOOL.get_or_init(tool);
    let properties = all(system);
    let report = nusmv::check(tool, system, emitted, &properties, limits(), &mut |_| {})
        .map_err(|error| error.to_string())?;
    Ok(Answer {
        possible: report.possible,
        ..collect(&model.system, None, &report.verdicts, restore)?
    })
}

fn limits() -> nusmv::Limits<'static> {
    nusmv::Limits {
        time: Some(std::time::Duration::from_secs(120)),
        ..nusmv::Limits::default()
    }
}
