//! What the engines answer about a model.

use sandalc::check;
use sandalc::engine;
use sandalc::nusmv;
use sandalc::simplify::{Rules, Simplified, simplify};
use sandalc::source::Sources;
use sandalc::system::{PropertyKind, System, state};
use sandalc::trace;
use sandalc::verdict::{Outcome, Verdict};

/// The plain walker is for small state spaces.
const WALKED: u64 = 20_000;

/// An engine's answers: the verdict of each property, in the order of the System; `None` if it does not
/// answer such properties. And how many states there are, if it counts them.
#[derive(Debug)]
pub struct Answers {
    /// Which engine.
    pub engine: &'static str,
    /// `holds`, `violated` or `unknown`.
    pub verdicts: Vec<Option<&'static str>>,
    /// How many states are reachable.
    pub states: Option<u64>,
}

/// The engines that there are; NuSMV only if it is installed.
pub fn engines() -> Vec<String> {
    let all = ["embedded", "nusmv"].map(str::to_owned);
    all.into_iter().filter(|name| is_there(name)).collect()
}

/// Whether an engine can be asked.
pub fn is_there(engine: &str) -> bool {
    engine != "nusmv" || installed().is_some()
}

fn installed() -> Option<std::path::PathBuf> {
    super::nusmv::installed("fixtures: what NuSMV says of them")
}

/// Asks an engine about all properties. Every run that it shows is replayed.
///
/// # Errors
/// If it fails or a run does not replay.
pub fn ask(engine: &str, system: &System, sources: &Sources) -> Result<Answers, String> {
    let system = &resolved(system)?;
    match engine {
        "embedded" => embedded(system),
        "nusmv" => nusmv(system, sources),
        _ => Err(format!("there is no engine `{engine}`")),
    }
}

fn embedded(system: &System) -> Result<Answers, String> {
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let options = engine::Options {
        full_space: true,
        ..engine::Options::default()
    };
    let report = engine::check(system, &wanted, &options, &mut |_| {});
    let states = report.reachable;
    if let Some(states) = states
        && states <= WALKED
    {
        let walked = state::walk(system, WALKED as usize + 1).map(|found| found.len() as u64);
        if walked != Some(states) {
            return Err(format!(
                "the embedded engine finds {states} states, walking finds {walked:?}"
            ));
        }
    }
    Ok(Answers {
        engine: "embedded",
        verdicts: verdicts(system, &report.verdicts)?,
        states,
    })
}

/// The System in which what processes know is worked out, as engines get it.
fn resolved(system: &System) -> Result<System, String> {
    check::resolved(system, &check::Options::default(), &check::Nowhere)
}

/// Asks the embedded engine about the simplified System; its runs are restored and replayed.
///
/// # Errors
/// If a run cannot be restored or does not replay.
pub fn simplified(system: &System) -> Result<Answers, String> {
    let system = &resolved(system)?;
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let options = engine::Options::default();
    let simplified = simplify(system, &Rules::default());
    let verdicts = by_way_of(&simplified, system, &wanted, &options)?;
    Ok(Answers {
        engine: "the simplified System",
        verdicts,
        states: None,
    })
}

/// Asks the embedded engine about the safety properties, with every combination of shortcuts, by way of several simplified
/// Systems; fails if they differ.
///
/// # Errors
/// If answers differ, or a run cannot be restored or does not replay.
pub fn shortened(system: &System) -> Result<Answers, String> {
    let system = &resolved(system)?;
    let is_safety = |p: &usize| {
        let kind = &system.properties[*p].kind;
        !matches!(kind, PropertyKind::Ltl(_) | PropertyKind::Ctl(_))
    };
    let wanted: Vec<usize> = (0..system.properties.len()).filter(is_safety).collect();
    let mut first: Option<Vec<Option<&'static str>>> = None;
    for rules in [Rules::EVERY_STEP, Rules::default(), Rules::NONE] {
        let simplified = simplify(system, &rules);
        for (reduction, symmetry) in [(true, false), (false, true), (true, true)] {
            let options = engine::Options {
                reduction,
                symmetry,
                threads: 2,
                ..engine::Options::default()
            };
            let found = by_way_of(&simplified, system, &wanted, &options)?;
            let first = first.get_or_insert_with(|| found.clone());
            if *first != found {
                return Err(format!(
                    "with reduction {reduction}, symmetry {symmetry} and {rules:?} the answers are {found:?}, with \
                     others {first:?}"
                ));
            }
        }
    }
    Ok(Answers {
        engine: "the search with shortcuts",
        verdicts: first.unwrap_or_default(),
        states: None,
    })
}

/// Asks the embedded engine as `sandalc check` does, but with so tiny thresholds that small models go every way that large
/// ones do; fails if they differ.
///
/// # Errors
/// If answers differ, or are not to be relied on.
pub fn by_every_way(system: &System) -> Result<Answers, String> {
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let mut first: Option<Vec<Option<&'static str>>> = None;
    for (few, chances, worth_searching) in [
        (200_000, [u64::MAX; 3], 20_000_000),
        (3, [5, u64::MAX, 0], 2),
        (0, [0, 7, u64::MAX], 20),
        (0, [0, 0, 0], 0),
    ] {
        let options = check::Options {
            thresholds: check::Thresholds {
                few,
                chances,
                worth_searching,
                worth_a_lasso: worth_searching,
            },
            ..check::Options::default()
        };
        let task = check::Task {
            system,
            wanted: &wanted,
            options,
        };
        let found = check::check(&task, check::Engines::Embedded, &check::Nowhere);
        let verdicts = match found {
            Ok(found) => (found.answers.iter())
                .map(|answer| Some(answer.verdict()))
                .collect(),
            Err(check::Trouble::NoRun) => vec![None; wanted.len()],
            Err(trouble) => return Err(format!("{trouble:?}")),
        };
        let first = first.get_or_insert_with(|| verdicts.clone());
        if *first != verdicts {
            return Err(format!(
                "with few = {few}, chances = {chances:?} the answers are {verdicts:?}, with others {first:?}"
            ));
        }
    }
    Ok(Answers {
        engine: "the strategy",
        verdicts: first.unwrap_or_default(),
        states: None,
    })
}

/// The verdicts of the embedded engine about a simplified System, their runs restored and replayed.
fn by_way_of(
    simplified: &Simplified,
    system: &System,
    wanted: &[usize],
    options: &engine::Options<'_>,
) -> Result<Vec<Option<&'static str>>, String> {
    let mut report = engine::check(&simplified.system, wanted, options, &mut |_| {});
    for verdict in &mut report.verdicts {
        if let Some(run) = &verdict.run {
            let restored = simplified.restore(system, run, Some(verdict.property));
            let name = &system.properties[verdict.property].name;
            let why = format!("the simplified System's run for `{name}` cannot be restored");
            verdict.run = Some(restored.ok_or(why)?);
        }
    }
    verdicts(system, &report.verdicts)
}

fn nusmv(system: &System, sources: &Sources) -> Result<Answers, String> {
    let path = installed().ok_or("NuSMV is not installed")?;
    let tool =
        nusmv::find(Some(&path), nusmv::Limits::default()).map_err(|error| error.to_string())?;
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let emitted = nusmv::emit(system, sources);
    let limits = nusmv::Limits::default();
    let report = nusmv::check(&tool, system, &emitted, &wanted, limits, &mut |_| {})
        .map_err(|error| error.to_string())?;
    let count = nusmv::count_states(&tool, &emitted, limits).map_err(|error| error.to_string())?;
    Ok(Answers {
        engine: "nusmv",
        verdicts: verdicts(system, &report.verdicts)?,
        states: match count {
            nusmv::Count::Exact(states) => Some(states),
            nusmv::Count::About(_) => None,
        },
    })
}

/// The verdicts in words, their runs replayed.
fn verdicts(system: &System, verdicts: &[Verdict]) -> Result<Vec<Option<&'static str>>, String> {
    let mut words = vec![None; system.properties.len()];
    for verdict in verdicts {
        words[verdict.property] = Some(match verdict.outcome {
            Outcome::Holds | Outcome::HoldsStatically => "holds",
            Outcome::Violated => "violated",
            Outcome::Unknown(_) => "unknown",
        });
        if let Some(run) = &verdict.run {
            trace::replay(system, verdict.property, run).map_err(|why| {
                let name = &system.properties[verdict.property].name;
                format!("the trace for `{name}` does not replay: {why}")
            })?;
        }
    }
    Ok(words)
}
