//! What ABC says of the examples and fixtures, and whether its conditions hold where the embedded engine goes.
//!
//! A sample every day; all that are small with `cargo xtask soak`.

mod support;

use std::path::Path;
use std::time::Duration;

use sandalc::aiger;
use sandalc::cli::model;
use sandalc::engine;
use sandalc::simplify::{Rules, simplify};
use sandalc::source::Sources;
use sandalc::system::{System, state};
use sandalc::trace;
use sandalc::verdict::{Outcome, Verdict};
use support::{header, with_stack};

/// What has been compared.
#[derive(Default, Debug)]
struct Tally {
    answers: usize,
    runs: usize,
    conditions: usize,
    open: usize,
}

fn tool(what: &str) -> Option<aiger::Tool> {
    let path = support::abc::installed(what)?;
    let tool = aiger::probe(&path, aiger::Limits::default());
    Some(tool.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The models, imports left out.
fn models() -> Vec<std::path::PathBuf> {
    let folders = ["examples", "tests/fixtures"].into_iter();
    let all = folders.flat_map(|folder| support::files(&support::root().join(folder), "sdl"));
    let is_import = |path: &Path| path.components().any(|part| part.as_os_str() == "imports");
    all.filter(|path| !is_import(path)).collect()
}

fn holds(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Holds | Outcome::HoldsStatically => Some(true),
        Outcome::Violated => Some(false),
        Outcome::Unknown(_) => None,
    }
}

/// Compares ABC's answers about a model with at most so many states. Nothing is said about a larger one, or one with errors.
fn compare(tool: &aiger::Tool, path: &Path, most: u64, tally: &mut Tally) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let header = header::read(&String::from_utf8_lossy(&bytes))?;
    let args = support::model_args(path, &header.flags)?;
    let mut sources = Sources::new();
    let checked = model::check(&args, &mut sources).map_err(|failure| failure.why)?;
    let Some(program) = checked.program else {
        return Ok(());
    };
    let options = model::options(&args.options, &program).map_err(|unknown| unknown.asked)?;
    let woven = sandalc::build(&program, &options);
    let simplified = simplify(&woven, &Rules::default());
    let system = &simplified.system;
    let is_asked = |p: &usize| !system.properties[*p].kind.is_temporal();
    let wanted: Vec<usize> = (0..system.properties.len()).filter(is_asked).collect();
    let options = engine::Options {
        limits: engine::Limits {
            states: most,
            ..engine::Limits::NONE
        },
        full_space: true,
        ..engine::Options::default()
    };
    let ours = engine::check(system, &wanted, &options, &mut |_| {});
    if !ours.stats.complete {
        return Ok(());
    }
    let limits = aiger::Limits {
        time: Some(Duration::from_secs(120)),
        ..aiger::Limits::default()
    };
    let replies = aiger::check(tool, system, &wanted, limits, &mut |_| {});
    let replies = replies.map_err(|error| error.to_string())?;
    let states = state::walk(system, most as usize + 1);
    for reply in replies {
        let Verdict {
            property,
            outcome,
            run,
            ..
        } = &reply.verdict;
        let name = &system.properties[*property].name;
        let Some(theirs) = holds(outcome) else {
            tally.open += 1;
            continue;
        };
        let ours = ours.verdicts.iter().find(|v| v.property == *property);
        let ours = ours.and_then(|verdict| holds(&verdict.outcome));
        if ours != Some(theirs) {
            return Err(format!("`{name}`: {ours:?}, and {theirs} says ABC"));
        }
        tally.answers += 1;
        if let Some(run) = run {
            replays(&woven, &simplified, *property, run)
                .map_err(|why| format!("`{name}`: {why}"))?;
            tally.runs += 1;
        }
        let proof = reply.proof.as_ref();
        let conditions = proof.and_then(|proof| proof.conditions.as_ref());
        for condition in conditions.into_iter().flatten() {
            let mut all = states.iter().flatten();
            if let Some(state) = all.find(|state| !condition.holds(state)) {
                return Err(format!("`{name}`: {condition:?} is broken in {state:?}"));
            }
            tally.conditions += 1;
        }
        if let Some(proof) = proof {
            proof.show(system, &sources);
        }
    }
    Ok(())
}

fn replays(
    woven: &System,
    simplified: &sandalc::simplify::Simplified,
    property: usize,
    run: &sandalc::verdict::Run,
) -> Result<(), String> {
    let restored = simplified.restore(woven, run, Some(property));
    let restored = restored.ok_or("the run cannot be restored")?;
    trace::replay(woven, property, &restored).map(|_| ())
}

/// Compares all of some models.
fn compare_all(
    tool: &aiger::Tool,
    of: impl Iterator<Item = std::path::PathBuf>,
    most: u64,
) -> Tally {
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for path in of {
        if let Err(why) = with_stack(|| compare(tool, &path, most, &mut tally)) {
            wrong.push(format!("{}: {why}", support::relative(&path)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    tally
}

#[test]
fn abc_agrees_about_a_sample() {
    let Some(tool) = tool("proofs: abc_agrees_about_a_sample") else {
        return;
    };
    let models = models();
    let step = models.len().div_ceil(40);
    let tally = compare_all(&tool, models.into_iter().step_by(step), 1_000);
    assert!(tally.answers > 60 && tally.conditions > 20, "{tally:?}");
}

#[test]
#[ignore = "takes minutes: `cargo xtask soak` runs it"]
fn abc_agrees_about_everything_small() {
    let Some(tool) = tool("proofs: abc_agrees_about_everything_small") else {
        return;
    };
    let tally = compare_all(&tool, models().into_iter(), 20_000);
    println!("{tally:?}");
    assert!(tally.runs > 100 && tally.conditions > 1_000, "{tally:?}");
}

/// The lines of an output that begin with a verdict, without times.
fn verdicts(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| {
        let words = ["holds ", "violated ", "unknown "];
        words.iter().any(|word| line.starts_with(word))
    });
    lines
        .map(|line| {
            let words = line.split_whitespace();
            let is_time = |word: &&str| *word == "s" || word.parse::<f64>().is_ok();
            let words: Vec<&str> = words.filter(|word| !is_time(word)).collect();
            words.join(" ")
        })
        .collect()
}

#[test]
fn the_pages_examples_are_what_it_says() {
    let Some(abc) = support::abc::installed("proofs: the_pages_examples_are_what_it_says") else {
        return;
    };
    let page = std::fs::read_to_string(support::root().join("docs/proofs.md")).unwrap();
    let mut compared = 0;
    for block in page.split("```text\n$ sandalc ").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        let (words, told) = block.split_once('\n').unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args(words.split_whitespace())
            .current_dir(support::root())
            .env("SANDAL_ABC", &abc)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(verdicts(told), verdicts(&said), "{words}: {said}");
        // Which conditions are found depends on the version of ABC; that they are shown does not.
        let proofs = |text: &str| text.matches("proof by ABC").count();
        assert_eq!(proofs(told), proofs(&said), "{words}: {said}");
        assert!(!verdicts(told).is_empty());
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}
