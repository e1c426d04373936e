//! `sandalc replay`: a saved run, or the counterexamples of a report, taken again.

use super::args::{Format, Replay};
use super::check::watch::{Watch, too_late};
use super::model::{self, Model};
use super::shell::Shell;
use super::{Exit, drawing, files};
use crate::report::{self, Written, plural};
use crate::source::printable;
use crate::system::System;
use crate::trace;
use crate::trace::follow::{Followed, follow};
use crate::trace::monitor::Monitor;
use crate::trace::words;
use crate::verdict::Run;

/// With more that is possible instead, only the first of it is said.
const MOST: usize = 20;

/// Takes the runs of a file again.
pub fn run(args: &Replay, shell: &mut Shell) -> Exit {
    if files::is_standard(&args.run) && files::is_standard(&args.model.file) {
        let hint = "name a file for one of them";
        shell.complain("standard input is one of both only", None, Some(hint));
        return Exit::BadInput;
    }
    if args.quiet {
        shell.hush();
    }
    let watch = Watch::within(args.limits.timeout, args.limits.max_memory);
    let too_late = too_late(shell, " before the run was taken");
    watch.over(too_late, || take_all(args, shell))
}

fn take_all(args: &Replay, shell: &mut Shell) -> Exit {
    let woven = model::program(&args.model, shell).and_then(|model| {
        let system = model::resolved(&args.model.options, &model.program, shell)?;
        Ok((model, system))
    });
    let (model, system) = match woven {
        Ok(woven) => woven,
        Err(exit) => return exit,
    };
    let mut runs = match read(args, &system, shell) {
        Ok(runs) => runs,
        Err(exit) => return exit,
    };
    if let Some(name) = &args.property {
        runs.retain(|run| run.property.as_ref() == Some(name));
        if runs.is_empty() {
            let message = format!("there is no run of a property `{name}` in it");
            shell.complain(&message, args.run.to_str(), None);
            return Exit::BadInput;
        }
    }
    let mut exit = Exit::Ok;
    for (index, written) in runs.iter().enumerate() {
        if index > 0 && !args.quiet && shell.format() == Format::Text {
            shell.print("\n");
        }
        exit = exit.and(take(args, &model, &system, written, shell));
    }
    exit.and(shell.done())
}

fn read(args: &Replay, system: &System, shell: &mut Shell) -> Result<Vec<Written>, Exit> {
    let bytes = files::read(&args.run).map_err(|failure| {
        shell.fail("read", &failure);
        Exit::BadInput
    })?;
    let text = String::from_utf8_lossy(&bytes);
    report::read_runs(&text, system).map_err(|why| {
        let path = files::display(&args.run);
        let hint = "name what `simulate --save` or `check --format json` has written";
        let message = format!("cannot read the run in `{path}`: {why}");
        shell.complain(&message, Some(&path), Some(hint));
        Exit::BadInput
    })
}

/// Takes one run again, and says whether it fits.
fn take(
    args: &Replay,
    model: &Model,
    system: &System,
    written: &Written,
    shell: &mut Shell,
) -> Exit {
    let mut followed = follow(system, &model.sources, &written.beginning, &written.steps);
    if followed.instead.is_none() {
        followed.run.loop_start = written.loop_start;
        followed.trace.loop_start = written.loop_start;
    }
    let problem = misfit(system, written, &followed);
    if shell.format() == Format::Json {
        shell.print(&in_json(
            model,
            system,
            written,
            &followed,
            problem.as_deref(),
        ));
        return exit(problem.as_ref());
    }
    if !args.quiet {
        if let Some(name) = &written.property {
            shell.print(&format!("{}\n", shell.bold(&printable(name))));
        }
        let sources = &model.sources;
        drawing::show(&args.drawing, system, sources, &followed.trace, &[], shell);
        if written.other_model {
            shell.print("the model has changed since this run was saved\n");
        }
        for index in &followed.altered {
            let text = format!("step {} now changes something else\n", index + 1);
            shell.print(&text);
        }
    }
    let style = shell.style();
    let who = match &written.property {
        Some(name) if args.quiet => format!("{}: ", printable(name)),
        _ => String::new(),
    };
    match &problem {
        None => {
            let mut words = format!("{}, all as written", plural(written.steps.len(), "step"));
            let violated = violated(system, &followed);
            if let Some(name) = &written.property {
                words += &format!("; it still shows what it did of {}", printable(name));
            } else if !violated.is_empty() {
                words += &format!("; it violates {}", violated.join(", "));
            }
            shell.print(&format!("{}  {who}{words}\n", style.good("fits")));
        }
        Some(why) => {
            shell.print(&format!("{}  {who}{why}\n", style.bad("does not fit")));
            shell.print(&instead(model, system, &followed));
        }
    }
    exit(problem.as_ref())
}

fn exit(problem: Option<&String>) -> Exit {
    match problem {
        None => Exit::Ok,
        Some(_) => Exit::Violated,
    }
}

/// What does not fit, if anything.
fn misfit(system: &System, written: &Written, followed: &Followed) -> Option<String> {
    if followed.instead.is_some() {
        let index = followed.trace.steps.len();
        let text = printable(&written.steps[index].text);
        return Some(format!("step {}, `{text}`, is not possible", index + 1));
    }
    let state = &followed.trace.initial;
    for (name, value) in &written.beginning.values {
        let mut vars = (0..system.vars.len()).map(|index| crate::system::VarId(index as u32));
        let var = vars.find(|var| system.var_name(*var) == *name);
        if let Some(var) = var {
            let now = words::value(system, var, state.values[var.0 as usize]);
            if now != *value {
                let (name, value) = (printable(name), printable(value));
                return Some(format!("{name} begins with {now}, not with {value}"));
            }
        }
    }
    if let Some(start) = followed.run.loop_start
        && followed.trace.before(start) != followed.trace.last()
    {
        return Some("its loop does not close any more".to_owned());
    }
    let name = written.property.as_ref()?;
    let Some(property) = system.properties.iter().position(|p| p.name == *name) else {
        return Some(format!(
            "there is no property `{}` any more",
            printable(name)
        ));
    };
    let shown = trace::replay(system, property, &followed.run);
    let why = shown.err()?;
    Some(format!(
        "it no longer shows what it did of {}: {why}",
        printable(name)
    ))
}

/// The properties that the run violates.
fn violated(system: &System, followed: &Followed) -> Vec<String> {
    let Followed { trace, run, .. } = followed;
    let monitor = Monitor::new(system);
    let mut found = monitor.of(trace);
    if run.loop_start.is_some() {
        found.extend(monitor.at_rest(system, run, trace).0);
        found.sort_unstable();
        found.dedup();
    }
    let names = found
        .iter()
        .map(|index| system.properties[*index].name.clone());
    names.collect()
}

/// What is possible where the run does not fit any more.
fn instead(model: &Model, system: &System, followed: &Followed) -> String {
    let Some(choices) = &followed.instead else {
        return String::new();
    };
    let mut out = String::from("possible there instead:\n");
    for choice in choices.iter().take(MOST) {
        let text = words::step(system, &model.sources, &choice.step);
        let place = choice.step.span.map(|span| model.sources.place(span));
        let place = place.map_or_else(String::new, |place| format!(" ({place})"));
        out += &format!("    {}{place}\n", printable(&text));
    }
    if choices.len() > MOST {
        out += &format!("    ({} more)\n", choices.len() - MOST);
    }
    out
}

fn in_json(
    model: &Model,
    system: &System,
    written: &Written,
    followed: &Followed,
    problem: Option<&str>,
) -> String {
    let instead: Option<Vec<String>> = followed.instead.as_ref().map(|choices| {
        let texts = choices.iter().take(MOST);
        texts
            .map(|choice| words::step(system, &model.sources, &choice.step))
            .collect()
    });
    let Run { moves, .. } = &followed.run;
    let object = serde_json::json!({
        "format": 1,
        "property": written.property,
        "fits": problem.is_none(),
        "steps": moves.len(),
        "reason": problem,
        "instead": instead,
    });
    object.to_string() + "\n"
}
