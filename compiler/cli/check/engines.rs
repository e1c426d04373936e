//! The engines: the embedded one, NuSMV, and both together.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::answers::{Answers, Shows};
use super::search::{restored, search};
use super::{Findings, Task};
use crate::cli::progress::ProgressLine;
use crate::cli::shell::Shell;
use crate::nusmv;
use crate::nusmv::Tool;
use crate::report::{Agreement, Confirmation};
use crate::verdict::{Outcome, Verdict};

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
    leave_open(undecided, answers, shell)?;
    Ok(findings)
}

/// Asks NuSMV.
pub fn nusmv(task: &Task, answers: &Answers, shell: &mut Shell) -> Result<Findings, Trouble> {
    let tool = find(task)?;
    take_over(task, &tool, task.wanted, answers, shell)?;
    Ok(Findings::default())
}

/// Asks the embedded engine, and NuSMV about what that does not know; if NuSMV is there, it also
/// confirms the answers. Trouble with NuSMV takes away nothing from what is known.
pub fn both(task: &Task, answers: &Answers, shell: &mut Shell) -> Result<Findings, Trouble> {
    let (mut findings, undecided) = search(task, answers, shell)?;
    let tool = match find(task) {
        Ok(tool) => tool,
        Err(error) => {
            leave_open(undecided, answers, shell)?;
            findings.second = Some(Confirmation {
                engine: "NuSMV".to_owned(),
                version: None,
                outcome: match error {
                    // Nobody has asked for this one, so there is nothing more to say.
                    nusmv::Error::Missing(_) if task.args.nusmv.is_none() => Agreement::NotFound,
                    error => Agreement::Failed(error.to_string()),
                },
                time: None,
            });
            return Ok(findings);
        }
    };
    if !undecided.is_empty() {
        let open: Vec<usize> = undecided.iter().map(|verdict| verdict.property).collect();
        match take_over(task, &tool, &open, answers, shell) {
            Err(Trouble::Theirs(why, _)) => {
                leave_open(undecided, answers, shell)?;
                findings.second = Some(Confirmation {
                    engine: tool.version.name.clone(),
                    version: Some(tool.version.number()),
                    outcome: Agreement::Failed(why),
                    time: None,
                });
                return Ok(findings);
            }
            done => done?,
        }
    }
    findings.second = confirm(task, &tool, answers, shell)?;
    Ok(findings)
}

/// Finds NuSMV within the limits.
fn find(task: &Task) -> Result<Tool, nusmv::Error> {
    let asked = task.args.nusmv.as_deref();
    task.watch.trust(|| nusmv::find(asked, limits(task)))
}

/// What bounds NuSMV.
fn limits<'a>(task: &'a Task) -> nusmv::Limits<'a> {
    nusmv::Limits {
        time: task.watch.time_left(),
        memory: task.args.max_memory.map(|size| size.0 as u64),
        cancel: Some(task.watch.interrupted),
    }
}

/// Notes that nobody knows.
fn leave_open(
    undecided: Vec<Verdict>,
    answers: &Answers,
    shell: &mut Shell,
) -> Result<(), Trouble> {
    for verdict in undecided {
        answers
            .add(&verdict, Shows::Best, shell)
            .map_err(Trouble::Ours)?;
    }
    Ok(())
}

/// Asks NuSMV about some properties, and takes its answers for ours.
fn take_over(
    task: &Task,
    tool: &Tool,
    properties: &[usize],
    answers: &Answers,
    shell: &mut Shell,
) -> Result<(), Trouble> {
    let asked = ask(task, tool, properties, Extent::Runs, limits(task), shell)?;
    for (theirs, time) in asked.verdicts.into_iter().zip(asked.times) {
        let theirs = restored(task, task.simplified(), theirs)?;
        answers
            .add(&theirs, Shows::Foreign(time), shell)
            .map_err(Trouble::Ours)?;
    }
    Ok(())
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
    limits: nusmv::Limits<'_>,
    shell: &mut Shell,
) -> Result<nusmv::Report, nusmv::Error> {
    let emitted = nusmv::emit(&task.simplified().system, &task.model.sources);
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
    task.watch
        .trust(|| ask(tool, system, &emitted, properties, limits, &mut progress))
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
    let patience = Duration::from_secs_f64(task.args.confirm_timeout);
    let mut limits = limits(task);
    limits.time = Some(limits.time.map_or(patience, |left| left.min(patience)));
    let name = &tool.version;
    let told = |outcome| {
        Some(Confirmation {
            engine: name.name.clone(),
            version: Some(name.number()),
            outcome,
            time: Some(start.elapsed()),
        })
    };
    let disagreement = |ours: &str, theirs: &str| {
        let saved = save(task).map_err(Trouble::Ours)?;
        Err(Trouble::Ours(format!(
            "the embedded engine says that {ours}, {name} says {theirs} (saved in {saved})"
        )))
    };
    let asked = match ask(task, tool, &properties, Extent::Verdicts, limits, shell) {
        Ok(asked) => asked,
        // It looks for such a run only if there is an answer that takes one to exist.
        Err(nusmv::Error::Assumptions) => {
            return disagreement("some run satisfies all the assumptions", "that none does");
        }
        Err(error) => match Trouble::from(error) {
            Trouble::Theirs(why, _) => return Ok(told(Agreement::Failed(why))),
            trouble => return Err(trouble),
        },
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
            let ours = format!("`{property}` is {}", ours.verdict());
            return disagreement(&ours, theirs);
        }
    }
    let interrupted = task.watch.interrupted.load(Ordering::Relaxed);
    Ok(told(match undecided {
        true if interrupted => Agreement::Failed("interrupted".to_owned()),
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
