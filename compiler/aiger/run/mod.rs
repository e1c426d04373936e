//! Asking an installed ABC about properties of a System.
//!
//! Each property is a file of its own, and a run of ABC of its own. As nobody knows which of them are hard, all of them get a little
//! time first, and those that are not answered more and more.

mod answer;
mod find;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

pub use self::answer::{Answer, frames, proof};
pub use self::find::{Tool, VARIABLE, WANTED, find, probe};
use super::error::{Error, TooLarge};
use super::graph::{NO, YES};
use super::model::{Bad, Model, model};
use super::proof::Proof;
use super::write::{Kind, Section};
use crate::system::System;
use crate::tool;
use crate::tool::{End, Ended, Limits, Workplace};
use crate::verdict::{Outcome, Verdict};

/// How long a property gets at first; later four times as long each time.
const FIRST: Duration = Duration::from_secs(4);

const MODEL: &str = "model.aig";
const PROOF: &str = "proof.pla";
const RUN: &str = "run.txt";

/// Said of properties that cannot be asked about.
const ABOUT_RUNS: &str =
    "ABC answers what one state or step decides, not what a whole run or several decide";

/// What ABC has answered about one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The verdict.
    pub verdict: Verdict,
    /// How long it took, if ABC was asked and has answered.
    pub time: Option<Duration>,
    /// If nothing bad can happen: why.
    pub proof: Option<Proof>,
}

/// Asks ABC about some properties of a System (by their index); `told` hears every answer as soon as it is known. The answers are in the
/// order of the properties.
///
/// A property that ABC had no time for is unknown. Every run in a verdict is a run of the System.
///
/// # Errors
/// If ABC does not do what it should.
pub fn check(
    tool: &Tool,
    system: &System,
    properties: &[usize],
    limits: Limits<'_>,
    told: &mut dyn FnMut(&Reply),
) -> Result<Vec<Reply>, Error> {
    let started = Instant::now();
    let over = || {
        limits.is_cancelled()
            || limits
                .after(started.elapsed())
                .time
                .is_some_and(|t| t.is_zero())
    };
    let model = model(system, properties, &over);
    let mut replies: Vec<Option<Reply>> = Vec::new();
    let mut open = VecDeque::new();
    for (place, property) in properties.iter().enumerate() {
        let kind = &system.properties[*property].kind;
        let bad = model.as_ref().map(|model| {
            let mut bad = model.bad.iter();
            bad.find(|bad| bad.property == *property).copied()
        });
        let reply = match bad {
            _ if kind.is_temporal() => Some(unknown(*property, ABOUT_RUNS)),
            Err(_) if over() => Some(unknown(*property, in_time(&limits))),
            Err(TooLarge) => Some(unknown(*property, &TooLarge.to_string())),
            Ok(None) => Some(unknown(*property, ABOUT_RUNS)),
            Ok(Some(bad)) if bad.lit == NO => Some(Reply {
                verdict: Verdict {
                    outcome: match kind.holds_if_found() {
                        true => Outcome::Violated,
                        false => Outcome::HoldsStatically,
                    },
                    ..plain(*property)
                },
                time: None,
                proof: None,
            }),
            Ok(Some(bad)) => {
                open.push_back((place, bad, FIRST));
                None
            }
        };
        if let Some(reply) = &reply {
            told(reply);
        }
        replies.push(reply);
    }
    let Ok(model) = model else {
        return Ok(replies.into_iter().flatten().collect());
    };
    while let Some((place, bad, patience)) = open.pop_front() {
        let left = limits.after(started.elapsed());
        let patience = left.time.map_or(patience, |left| left.min(patience));
        let asked = Instant::now();
        let limits = Limits {
            time: Some(patience),
            ..left
        };
        let property = bad.property;
        let reply = match ask(tool, system, &model, &bad, limits)? {
            Answer::Unknown(why) if why == OUT_OF_TIME && !over() => {
                open.push_back((place, bad, patience.saturating_mul(4)));
                continue;
            }
            Answer::Unknown(why) => unknown(property, &why),
            Answer::Holds(proof) => Reply {
                verdict: Verdict {
                    outcome: match system.properties[property].kind.holds_if_found() {
                        true => Outcome::Violated,
                        false => Outcome::Holds,
                    },
                    ..plain(property)
                },
                time: Some(asked.elapsed()),
                proof: Some(proof),
            },
            Answer::Bad(run) => Reply {
                verdict: Verdict {
                    outcome: match system.properties[property].kind.holds_if_found() {
                        true => Outcome::Holds,
                        false => Outcome::Violated,
                    },
                    run: Some(run),
                    ..plain(property)
                },
                time: Some(asked.elapsed()),
                proof: None,
            },
        };
        told(&reply);
        replies[place] = Some(reply);
    }
    Ok(replies.into_iter().flatten().collect())
}

const OUT_OF_TIME: &str = "ABC ran out of time";

/// Why nothing more is asked.
fn in_time(limits: &Limits<'_>) -> &'static str {
    match limits.is_cancelled() {
        true => "interrupted",
        false => OUT_OF_TIME,
    }
}

/// A verdict with nothing in it.
fn plain(property: usize) -> Verdict {
    Verdict {
        property,
        outcome: Outcome::Holds,
        run: None,
        minimal: false,
    }
}

fn unknown(property: usize, why: &str) -> Reply {
    Reply {
        verdict: Verdict {
            outcome: Outcome::Unknown(why.to_owned()),
            ..plain(property)
        },
        time: None,
        proof: None,
    }
}

/// Asks about one property.
fn ask(
    tool: &Tool,
    system: &System,
    model: &Model,
    bad: &Bad,
    limits: Limits<'_>,
) -> Result<Answer, Error> {
    if limits.is_cancelled() {
        return Ok(Answer::Unknown("interrupted".to_owned()));
    }
    // It says nothing of use about a state that is bad without any latch or input.
    let written = model.write(&[*bad], Kind::Binary, Section::Outputs, None);
    let folder = Workplace::new()?;
    folder.write(MODEL, &written.bytes)?;
    let script = format!("read_aiger {MODEL}; pdr -d -I {PROOF}; print_status; write_cex -a {RUN}");
    let arguments = ["-s", "-q", &script];
    let ended = tool::run(&tool.path, &arguments, &folder, limits, &mut |_| {})?;
    let status = match judge(&ended)? {
        Ok(status) => status,
        Err(why) => return Ok(Answer::Unknown(why.to_owned())),
    };
    match status {
        Status::Proved => {
            let text = tool::written(folder.path(), PROOF)?.unwrap_or_default();
            let cubes = proof(&text, &written).ok_or_else(|| {
                Error::nonsense("it says that it has a proof but does not show it")
            })?;
            Ok(Answer::Holds(Proof::new(system, model, cubes)))
        }
        Status::Refuted => {
            let text = tool::written(folder.path(), RUN)?.unwrap_or_default();
            let frames = frames(&text, &written, model.inputs)
                .ok_or_else(|| Error::nonsense("it says that it has a run but does not show it"))?;
            let run = model.run(system, bad, &frames);
            let name = &system.properties[bad.property].name;
            Ok(Answer::Bad(
                run.ok_or_else(|| Error::NotARun(name.clone()))?,
            ))
        }
        Status::Open if bad.lit == YES => {
            Err(Error::nonsense("it does not see that every state is bad"))
        }
        Status::Open => Ok(Answer::Unknown("ABC has found no answer".to_owned())),
    }
}

/// What ABC says of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Proved,
    Refuted,
    Open,
}

/// How a run of ABC has come out; or why it was ended before its time.
fn judge(ended: &Ended) -> Result<Result<Status, &'static str>, Error> {
    match tool::outcome(ended)? {
        Ok(_) => {}
        Err(End::Cancelled) => return Ok(Err("interrupted")),
        Err(_) => return Ok(Err(OUT_OF_TIME)),
    }
    let output = &ended.output;
    let mut said = output.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("Status = ")?;
        rest.split_whitespace().next()
    });
    match said.next_back() {
        Some("1") => Ok(Ok(Status::Proved)),
        Some("0") => Ok(Ok(Status::Refuted)),
        Some("-1") => Ok(Ok(Status::Open)),
        _ => {
            let lines: Vec<&str> = output.lines().filter(|l| !l.trim().is_empty()).collect();
            let said = lines.iter().take(3).copied().collect::<Vec<_>>().join("; ");
            let said = if said.is_empty() { "nothing" } else { &said };
            Err(Error::nonsense(said))
        }
    }
}
