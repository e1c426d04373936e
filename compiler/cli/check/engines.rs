//! The engines: the embedded one, NuSMV, and both together.

use std::time::{Duration, Instant};

use super::answers::{Answers, Shows};
use super::search::{restored, search};
use super::{Findings, Task};
use crate::cli::progress::ProgressLine;
use crate::cli::shell::Shell;
use crate::nusmv;
use crate::nusmv::Tool;
use crate::report::{Agreement, Confirmation};
use crate::verdict::Outcome;

/// Why there are no answers.
pub enum Trouble {
    /// A bug of ours.
    Ours(String),
    /// An engine is missing or has failed: what happened, and what to do about it.
    Theirs(String, Option<String>),
    /// The model is wrong in a way that only shows now.
    Model(String, Option<String>),
}

impl From<nusmv::Error> for Trouble {
    fn from(error: nusmv::Error) -> Trouble {
        let hint = error.hint().map(str::to_owned);
        match error {
            _ if error.is_internal() => Trouble::Ours(error.to_string()),
            nusmv::Error::Assumptions => Trouble::Model(error.to_string(), hint),
            _ => Trouble::Theirs(error.to_string(), hint),
        }
    }
}

/// Asks the embedded engine.
pub fn embedded(task: &Task, answers: &Answers, shell: &mut Shell) -> Result<Findings, Trouble> {
    let (findings, undecided) = search(task, answers, shell)?;
    for verdict in undecided {
        answers
            .add(&verdict, Shows::Best, shell)
            .map_err(Trouble::Ours)?;
    }
    Ok(findings)
}

/// Asks NuSMV.
pub fn nusmv(task: &Task, answers: &Answers, shell: &mut Shell) -> Result<Findings, Trouble> {
    let tool = nusmv::find(task.args.nusmv.as_deref())?;
    let asked = ask(
        task,
        &tool,
        task.wanted,
        Extent::Runs,
        task.watch.time_left(),
        shell,
    )?;
    for (verdict, time) in asked.verdicts.into_iter().zip(asked.times) {
        let verdict = restored(task, task.simplified(), verdict)?;
        answers
            .add(&verdict, Shows::Foreign(time), shell)
            .map_err(Trouble::Ours)?;
    }
    Ok(Findings::default())
}

/// Asks the embedded engine, and NuSMV about what that does not know; if NuSMV is there, it also
/// confirms the answers.
pub fn both(task: &Task, answers: &Answers, shell: &mut Shell) -> Result<Findings, Trouble> {
    let (mut findings, undecided) = search(task, answers, shell)?;
    let tool = match nusmv::find(task.args.nusmv.as_deref()) {
        Ok(tool) => tool,
        // Nobody has asked for it, so its absence is no error.
        Err(error) if task.args.nusmv.is_none() => {
            for verdict in undecided {
                answers
                    .add(&verdict, Shows::Best, shell)
                    .map_err(Trouble::Ours)?;
            }
            findings.second = Some(Confirmation {
                engine: "NuSMV".to_owned(),
                version: None,
                outcome: match error {
                    nusmv::Error::Missing(_) => Agreement::NotFound,
                    error => Agreement::Failed(error.to_string()),
                },
                time: None,
            });
            return Ok(findings);
        }
        Err(error) => return Err(error.into()),
    };
    if !undecided.is_empty() {
        let open: Vec<usize> = undecided.iter().map(|verdict| verdict.property).collect();
        let asked = ask(
            task,
            &tool,
            &open,
            Extent::Runs,
            task.watch.time_left(),
            shell,
        )?;
        for (theirs, time) in asked.verdicts.into_iter().zip(asked.times) {
            let theirs = restored(task, task.simplified(), theirs)?;
            answers
                .add(&theirs, Shows::Foreign(time), shell)
                .map_err(Trouble::Ours)?;
        }
    }
    findings.second = confirm(task, &tool, answers, shell)?;
    Ok(findings)
}

/// What is wanted of NuSMV.
enum Extent {
    /// Verdicts only: finding runs can take much longer.
    Verdicts,
    /// Runs, too.
    Runs,
}

/// Asks NuSMV about some properties.
fn ask(
    task: &Task,
    tool: &Tool,
    properties: &[usize],
    extent: Extent,
    time: Option<Duration>,
    shell: &mut Shell,
) -> Result<nusmv::Report, Trouble> {
    let emitted = nusmv::emit(&task.simplified().system, &task.model.sources);
    let limits = nusmv::Limits {
        time,
        memory: task.args.max_memory.map(|size| size.0 as u64),
        cancel: Some(task.watch.interrupted),
    };
    let mut line = ProgressLine::new(shell);
    let mut progress = |at| {
        let name = |p: usize| &task.system.properties[p].name;
        line.say(&match at {
            nusmv::Progress::Preparing => format!("{} reads the model", tool.version),
            nusmv::Progress::Checking(p) => format!("{} checks {}", tool.version, name(p)),
            nusmv::Progress::Answered(p) => format!("{} has answered {}", tool.version, name(p)),
        });
    };
    let system = &task.simplified().system;
    let ask = match extent {
        Extent::Verdicts => nusmv::decide,
        Extent::Runs => nusmv::check,
    };
    let answered = task
        .watch
        .trust(|| ask(tool, system, &emitted, properties, limits, &mut progress));
    Ok(answered?)
}

/// Compares the answers with NuSMV's. There is nothing to say if all of them are NuSMV's own.
fn confirm(
    task: &Task,
    tool: &Tool,
    answers: &Answers,
    shell: &mut Shell,
) -> Result<Option<Confirmation>, Trouble> {
    let start = Instant::now();
    // NuSMV's own answers need no confirmation.
    let answers = answers.all();
    let ours: Vec<_> = answers
        .iter()
        .filter(|answer| answer.time.is_none() && !matches!(answer.outcome, Outcome::Unknown(_)))
        .collect();
    if ours.is_empty() {
        return Ok(None);
    }
    let properties: Vec<usize> = ours.iter().map(|answer| answer.property).collect();
    let limit = Duration::from_secs_f64(task.args.confirm_timeout);
    let limit = task.watch.time_left().map_or(limit, |left| left.min(limit));
    let name = &tool.version;
    let told = |outcome| {
        Some(Confirmation {
            engine: name.name.clone(),
            version: Some(name.number()),
            outcome,
            time: Some(start.elapsed()),
        })
    };
    let asked = match ask(
        task,
        tool,
        &properties,
        Extent::Verdicts,
        Some(limit),
        shell,
    ) {
        Ok(asked) => asked,
        Err(Trouble::Theirs(why, _)) => return Ok(told(Agreement::Failed(why))),
        Err(trouble) => return Err(trouble),
    };
    let mut undecided = false;
    for (theirs, ours) in asked.verdicts.iter().zip(&ours) {
        let theirs = match theirs.outcome {
            Outcome::Holds | Outcome::HoldsStatically => "holds",
            Outcome::Violated => "violated",
            Outcome::Unknown(_) => {
                undecided = true;
                continue;
            }
        };
        if theirs != ours.verdict() {
            let property = &task.system.properties[ours.property].name;
            let saved = save(task).map_err(Trouble::Ours)?;
            return Err(Trouble::Ours(format!(
                "the embedded engine says that `{property}` is {}, {name} says {theirs} (saved in {saved})",
                ours.verdict(),
            )));
        }
    }
    Ok(told(match undecided {
        true => Agreement::Undecided,
        false => Agreement::Agrees,
    }))
}

/// Keeps what is needed to see a disagreement again; where.
fn save(task: &Task) -> Result<String, String> {
    let folder = tempfile::Builder::new()
        .prefix("sandalc-disagreement-")
        .tempdir()
        .map_err(|error| error.to_string())?
        .keep();
    let emitted = nusmv::emit(&task.simplified().system, &task.model.sources);
    let mut files = vec![
        ("model.smv".to_owned(), emitted.text),
        (
            "woven.txt".to_owned(),
            crate::system::print::system(task.system),
        ),
    ];
    for (index, (_, file)) in task.model.sources.iter().enumerate() {
        files.push((format!("{index}.sdl"), file.text.clone()));
    }
    for (name, text) in files {
        std::fs::write(folder.join(name), text).map_err(|error| error.to_string())?;
    }
    Ok(folder.display().to_string())
}
