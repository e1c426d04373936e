//! Asking an installed NuSMV about an emitted model.
//!
//! NuSMV runs on a script in a temporary folder. Each property is checked by its name and its answer and
//! trace are written to files of their own, so that a run that is cut short has answered what it has answered.
//! Verdicts come from those files; the lines the script makes NuSMV print only show how far it is.

mod find;

use std::path::Path;
use std::time::{Duration, Instant};

pub use self::find::{Tool, VARIABLE, Version, WANTED, find, probe};
use super::emit::{Emitted, Form};
use super::error::Error;

use super::{trace, xml};
use crate::system::{PropertyKind, System};
use crate::tool;
use crate::tool::{End, Ended, Limits, Workplace};
use crate::verdict::{Outcome, Run, Verdict};

const MODEL: &str = "model.smv";
const SCRIPT: &str = "run.cmd";

/// How far NuSMV is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// It reads the model, and looks for a run that satisfies the assumptions if there are any.
    Preparing,
    /// It looks at this property.
    Checking(usize),
    /// It has answered this one.
    Answered(usize),
}

/// What NuSMV answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// A verdict for each property that was asked about, in that order.
    pub verdicts: Vec<Verdict>,
    /// How long each took; none for those that were not asked or not answered.
    pub times: Vec<Option<Duration>>,
    /// Whether some run satisfies all the assumptions; not known if there are none, or no `ltl` property was asked for.
    pub possible: Option<bool>,
    /// Whether it was ended before all were answered, and why.
    pub cut_short: Option<&'static str>,
}

impl Reply {
    /// Adds answers about other properties, and puts all in order.
    fn join(&mut self, other: Reply, order: &[usize]) {
        let place = |verdict: &Verdict| order.iter().position(|p| *p == verdict.property);
        let mut all: Vec<(Verdict, Option<Duration>)> =
            (self.verdicts.drain(..).chain(other.verdicts))
                .zip(self.times.drain(..).chain(other.times))
                .collect();
        all.sort_by_key(|(verdict, _)| place(verdict));
        (self.verdicts, self.times) = all.into_iter().unzip();
        self.cut_short = self.cut_short.or(other.cut_short);
    }
}

/// How many states are reachable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Count {
    /// So many.
    Exact(u64),
    /// About so many: NuSMV prints six digits.
    About(f64),
}

/// What NuSMV is asked.
#[derive(Clone, Copy)]
struct Question<'a> {
    tool: &'a Tool,
    system: &'a System,
    emitted: &'a Emitted,
    properties: &'a [usize],
    limits: Limits<'a>,
    /// Whether runs are wanted, too.
    runs: bool,
}

/// Asks NuSMV about some properties of a System (by their index), in the order given.
///
/// A property that NuSMV had no time for is unknown. Every run in a verdict is a run of the System. With fair choices there
/// are none for `ltl`: NuSMV 2.6 looks for them for ever.
pub fn check(
    tool: &Tool,
    system: &System,
    emitted: &Emitted,
    properties: &[usize],
    limits: Limits<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Reply, Error> {
    let started = Instant::now();
    if let Some((time, others)) = asked_calmly(system, emitted, properties) {
        let mut reply = calmly(tool, emitted, &time, limits, progress)?;
        let limits = limits.after(started.elapsed());
        let other = check(tool, system, emitted, &others, limits, progress)?;
        reply.possible = other.possible;
        reply.join(other, properties);
        return Ok(reply);
    }
    let infinite = |p: &usize| emitted.plain.is_some() && emitted.specs[*p].form == Form::Ltl;
    if properties.iter().any(infinite) {
        let (endless, finite): (Vec<usize>, Vec<usize>) =
            properties.iter().partition(|p| infinite(p));
        let mut reply = decide(tool, system, emitted, &endless, limits, progress)?;
        if !finite.is_empty() && reply.possible != Some(false) {
            let limits = limits.after(started.elapsed());
            reply.join(
                check(tool, system, emitted, &finite, limits, progress)?,
                properties,
            );
        }
        return Ok(reply);
    }
    let question = Question {
        tool,
        system,
        emitted,
        properties,
        limits,
        runs: true,
    };
    match question.ask(&["-coi"], progress) {
        // Of a property about next to nothing NuSMV shows next to nothing: a trace in which most of the model
        // is missing. Then it has to look at all of it, in the time that is left.
        Err(Error::NotARun(_)) => {
            let limits = limits.after(started.elapsed());
            Question { limits, ..question }.ask(&[], progress)
        }
        result => result,
    }
}

/// The same without runs. Finding them can take NuSMV much longer than the verdicts.
pub fn decide(
    tool: &Tool,
    system: &System,
    emitted: &Emitted,
    properties: &[usize],
    limits: Limits<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Reply, Error> {
    if let Some((time, others)) = asked_calmly(system, emitted, properties) {
        let started = Instant::now();
        let mut reply = calmly(tool, emitted, &time, limits, progress)?;
        let limits = limits.after(started.elapsed());
        let other = decide(tool, system, emitted, &others, limits, progress)?;
        reply.possible = other.possible;
        reply.join(other, properties);
        return Ok(reply);
    }
    let question = Question {
        tool,
        system,
        emitted,
        properties,
        limits,
        runs: false,
    };
    question.ask(&["-coi", "-dcx"], progress)
}

/// The properties that are asked of another model, if there are any, and the others.
fn asked_calmly(
    system: &System,
    emitted: &Emitted,
    properties: &[usize],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let time = |p: &&usize| system.properties[**p].kind == PropertyKind::Time;
    let asked = emitted.calm.is_some() && properties.iter().any(|p| time(&p));
    asked.then(|| properties.iter().partition(time))
}

/// Asks about the model in which faults come to an end.
fn calmly(
    tool: &Tool,
    emitted: &Emitted,
    properties: &[usize],
    limits: Limits<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Reply, Error> {
    let Some((system, emitted)) = emitted.calm.as_deref() else {
        return Err(Error::nonsense("there is no model to ask"));
    };
    decide(tool, system, emitted, properties, limits, progress)
}

impl Question<'_> {
    fn ask(self, options: &[&str], progress: &mut dyn FnMut(Progress)) -> Result<Reply, Error> {
        let Question {
            tool,
            emitted,
            properties,
            runs,
            ..
        } = self;
        let asked: Vec<usize> = (properties.iter().copied())
            .filter(|p| !emitted.specs[*p].holds_statically && emitted.specs[*p].beyond.is_none())
            .collect();
        let mut times: Vec<Option<Duration>> = vec![None; emitted.specs.len()];
        let mut cut_short = None;
        let mut possible = None;
        let folder = Workplace::new()?;
        if !asked.is_empty() {
            progress(Progress::Preparing);
            // Assumptions only count for `ltl`.
            let needs_assumptions = asked.iter().any(|p| emitted.specs[*p].form == Form::Ltl);
            let assumptions = emitted.assumptions.as_deref().filter(|_| needs_assumptions);
            let script = script(tool, emitted, assumptions, &asked, runs);
            let mut since = Instant::now();
            let mut line = |text: &str| {
                let number = |mark: &str| text.strip_prefix(mark)?.trim().parse::<usize>().ok();
                if let Some(property) = number("@@PROP").filter(|p| asked.contains(p)) {
                    since = Instant::now();
                    progress(Progress::Checking(property));
                } else if let Some(property) = number("@@DONE").filter(|p| asked.contains(p)) {
                    times[property] = Some(since.elapsed());
                    progress(Progress::Answered(property));
                }
            };
            let ended = start(
                tool,
                options,
                &emitted.text,
                &script,
                &folder,
                self.limits,
                &mut line,
            )?;
            cut_short = judge(&ended)?;
            if let Some(name) = assumptions {
                // If it was not answered in time nothing else was.
                let never = answer(folder.path(), "assumptions", name)?;
                possible = never.and_then(|never| Some(!never.holds?));
            }
        }
        let mut verdicts = Vec::new();
        for property in properties {
            if possible == Some(false) {
                // Properties hold on no runs at all, but nobody wants to hear that.
                verdicts.push(Verdict {
                    property: *property,
                    outcome: Outcome::Unknown("no run satisfies the assumptions".into()),
                    run: None,
                    minimal: false,
                });
                continue;
            }
            let verdict = self.verdict(*property, folder.path(), cut_short)?;
            if matches!(verdict.outcome, Outcome::Unknown(_)) {
                times[*property] = None;
            }
            verdicts.push(verdict);
        }
        Ok(Reply {
            verdicts,
            times: properties.iter().map(|p| times[*p]).collect(),
            possible,
            cut_short,
        })
    }
}

/// Counts the reachable states of an emitted model, and makes sure that NuSMV finds nothing strange about it: a
/// warning is an error here.
pub fn count_states(tool: &Tool, emitted: &Emitted, limits: Limits<'_>) -> Result<Count, Error> {
    let folder = Workplace::new()?;
    let script = "set on_failure_script_quits\ngo\ncheck_fsm\nprint_reachable_states\nquit\n";
    // Without the cone of influence, which would leave variables out.
    let ended = start(
        tool,
        &[],
        emitted.plain.as_ref().unwrap_or(&emitted.text),
        script,
        &folder,
        limits,
        &mut |_| {},
    )?;
    if let Some(why) = judge(&ended)? {
        return Err(Error::nonsense(why));
    }
    if let Some(line) = ended.output.lines().find(|l| l.contains("WARNING")) {
        return Err(Error::Vacuous(line.to_string()));
    }
    (ended.output.lines())
        .find_map(|line| line.strip_prefix("reachable states: "))
        .and_then(|rest| count(rest.split_whitespace().next()?))
        .ok_or_else(|| Error::nonsense("it does not say how many states there are"))
}

fn count(text: &str) -> Option<Count> {
    match text.parse::<u64>() {
        Ok(number) => Some(Count::Exact(number)),
        Err(_) => text.parse::<f64>().ok().map(Count::About),
    }
}

fn start(
    tool: &Tool,
    options: &[&str],
    model: &str,
    script: &str,
    folder: &Workplace,
    limits: Limits<'_>,
    line: &mut dyn FnMut(&str),
) -> Result<Ended, Error> {
    folder.write(MODEL, model)?;
    folder.write(SCRIPT, script)?;
    let arguments = [options, &["-source", SCRIPT, MODEL]].concat();
    Ok(tool::run(&tool.path, &arguments, folder, limits, line)?)
}

/// What NuSMV is to do. Indices rather than names are echoed: they need no quoting.
fn script(
    tool: &Tool,
    emitted: &Emitted,
    assumptions: Option<&str>,
    asked: &[usize],
    runs: bool,
) -> String {
    let mut script = format!(
        "set on_failure_script_quits\nset default_trace_plugin {}\nset traces_show_defines 0\ngo\necho @@READY\n",
        tool.empty_plugin
    );
    let mut ask = |key: &str, name: &str| {
        script += &format!(
            "echo @@PROP {key}\ncheck_property -P {name}\n\
             show_property -P {name} -F xml -o answer_{key}.xml\n"
        );
        if runs {
            script += &format!("show_traces -p {} -o trace_{key}.xml\n", tool.xml_plugin);
        }
        script += &format!("echo @@DONE {key}\n");
    };
    if let Some(name) = assumptions {
        ask("assumptions", name);
    }
    for property in asked {
        ask(&property.to_string(), &emitted.specs[*property].name);
    }
    script + "echo @@END\nquit\n"
}

/// Why NuSMV was ended before its time, if it was; an error if it did not do what it was told.
fn judge(ended: &Ended) -> Result<Option<&'static str>, Error> {
    let output = &ended.output;
    let outcome = tool::outcome(ended)?;
    if let Some(warning) = vacuity(output) {
        return Err(Error::Vacuous(warning));
    }
    let status = match outcome {
        Ok(status) => status,
        Err(End::Cancelled) => return Ok(Some("interrupted")),
        Err(_) => return Ok(Some("NuSMV ran out of time")),
    };
    if status.success() {
        return Ok(None);
    }
    let problem: Vec<&str> = output
        .lines()
        .filter(|l| {
            !l.starts_with("***")
                && !l.starts_with("WARNING ***")
                && !l.starts_with("@@")
                && !l.trim().is_empty()
        })
        .take(5)
        .collect();
    let problem = problem.join("; ");
    if output.contains(MODEL) || output.contains("aborting 'source") {
        Err(Error::Rejected(problem))
    } else {
        Err(Error::nonsense(format!(
            "it ended with {status}: {problem}"
        )))
    }
}

/// A warning about the model as a whole. Later ones are about a single formula and harmless: one that no run
/// violates has no fair states together with its negation.
fn vacuity(output: &str) -> Option<String> {
    let about_the_model = output.split("@@PROP").next().unwrap_or("");
    let signs = [
        "is not total",
        "not deadlock-free",
        "states set of the finite state machine is empty",
        "might make results of model checking not trustable",
    ];
    about_the_model
        .lines()
        .find(|line| signs.iter().any(|sign| line.contains(sign)))
        .map(|line| line.trim().to_string())
}

/// NuSMV's answer to one question; nothing if there is none.
fn answer(folder: &Path, key: &str, name: &str) -> Result<Option<xml::Answer>, Error> {
    let Some(text) = tool::written(folder, &format!("answer_{key}.xml"))? else {
        return Ok(None);
    };
    let answer = xml::answer(&text)?;
    if answer.name != name {
        return Err(Error::nonsense(format!(
            "asked about `{name}` it speaks of `{}`",
            answer.name
        )));
    }
    Ok(Some(answer))
}

impl Question<'_> {
    fn verdict(
        self,
        property: usize,
        folder: &Path,
        cut_short: Option<&'static str>,
    ) -> Result<Verdict, Error> {
        let Question {
            system,
            emitted,
            runs,
            ..
        } = self;
        let spec = &emitted.specs[property];
        let plain = |outcome| Verdict {
            property,
            outcome,
            run: None,
            minimal: false,
        };
        if spec.holds_statically {
            return Ok(plain(Outcome::HoldsStatically));
        }
        if let Some(why) = spec.beyond {
            return Ok(plain(Outcome::Unknown(why.into())));
        }
        let unknown = cut_short.map(|why| plain(Outcome::Unknown(why.into())));
        let key = property.to_string();
        let found = match (answer(folder, &key, &spec.name), &unknown) {
            // It was ended while it was writing.
            (Err(_), Some(unknown)) => return Ok(unknown.clone()),
            (found, _) => found?,
        };
        let Some((found, holds)) = found.and_then(|a| Some((a.holds?, a)).map(|(h, a)| (a, h)))
        else {
            let silence = || Error::nonsense(format!("no answer about `{}`", spec.name));
            return unknown.ok_or_else(silence);
        };
        let outcome = if holds != spec.flipped {
            Outcome::Holds
        } else {
            Outcome::Violated
        };
        if holds || spec.form == Form::Ctl || !runs {
            return Ok(plain(outcome));
        }
        let text = tool::written(folder, &format!("trace_{key}.xml"))?.unwrap_or_default();
        match xml::trace(&text) {
            Err(error) => unknown.ok_or(error),
            Ok(raw) if raw.id == found.trace => {
                let run = witness(system, emitted, property, &raw)
                    .ok_or_else(|| Error::NotARun(system.properties[property].name.clone()))?;
                Ok(Verdict {
                    property,
                    outcome,
                    run: Some(run),
                    minimal: false,
                })
            }
            Ok(_) => Err(Error::nonsense(format!("no trace for `{}`", spec.name))),
        }
    }
}

/// The run that shows why a property is violated, or that a state is reachable.
fn witness(
    system: &System,
    emitted: &Emitted,
    property: usize,
    raw: &xml::RawTrace,
) -> Option<Run> {
    let mut run = trace::run(system, &emitted.names, raw)?;
    if let PropertyKind::Check(check) = system.properties[property].kind {
        trace::append_failure(system, &mut run, check)?;
    }
    let infinite = emitted.specs[property].form == Form::Ltl;
    (run.loop_start.is_some() == infinite).then_some(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_or_say_so() {
        assert_eq!(count("14976"), Some(Count::Exact(14976)));
        assert_eq!(count("3.58e+06"), Some(Count::About(3.58e6)));
        assert_eq!(count("many"), None);
    }

    #[test]
    fn only_warnings_about_the_model_count() {
        let warning = "Fair states set of the finite state machine is empty.";
        assert!(vacuity(&format!("{warning}\n@@PROP 0\n")).is_some());
        assert!(vacuity(&format!("@@PROP 0\n{warning}\n")).is_none());
    }
}
