//! What the explorer shows: where the run is, and what can happen next.

use std::fmt::Write as _;
use std::path::Path;

use super::explorer::Explorer;
use super::watched::Watching;
use crate::cli::args::{Drawing, TraceForm};
use crate::cli::drawing;
use crate::cli::shell::Shell;
use crate::report;
use crate::report::chart::{Telling, layout};
use crate::report::plural;
use crate::source::{Sources, Span, printable};
use crate::system::state::{self, State};
use crate::system::{System, VarId};
use crate::trace::TraceStep;
use crate::trace::choices::Choice;
use crate::trace::words;
use crate::verdict::Move;

/// What can be said to the explorer.
pub const HELP: &str = "\
NUMBER       take this step, or inject this fault
(nothing)    a random step without a fault; also `n`
run 10       so many random steps, up to a violation; also `r`
message      random steps up to the next message; also `m`
back 3       take back steps; also `b`
start 2      begin again in this initial state; without a number, list them
watch EXPR   show an expression of a specification in every state, such as `p.x + 1`; also `w`
unwatch 1    show it no more; also `u`
variables    all variables now; also `v`
trace        the run so far; also `t`
all          list all values of a choice, or only the first ones; also `a`
save FILE    write the run to a file, for `sandalc replay`; also `s`
quit         end; also `q`, or the end of the input
";

/// As many values of one choice are listed, unless all are wanted.
const FEW: usize = 8;

/// What a step changes begins a line of its own if the line would be longer.
const COLUMNS: usize = 80;

/// So many rows of the chart are shown before each choice.
const ROWS: usize = 12;

/// The last rows of the chart so far, where runs are drawn.
pub fn chart(explorer: &Explorer, how: &Drawing, shell: &mut Shell) {
    let drawn = matches!(
        drawing::form(how, shell),
        TraceForm::Chart | TraceForm::Both
    );
    if !drawn || explorer.trace.steps.is_empty() {
        return;
    }
    let Watching { model, system, .. } = &explorer.watching;
    let whole = layout(&Telling {
        system,
        sources: &model.sources,
        trace: &explorer.trace,
        waiting: false,
    });
    let chart = match how.full_trace {
        true => whole,
        false => whole.folded(),
    };
    let (chart, left_out) = chart.tail(ROWS);
    shell.print("\n");
    if left_out > 0 {
        let rows = plural(left_out, "row");
        shell.print(&format!("  ({rows} above; `trace` shows all)\n"));
    }
    drawing::rows(how, &chart, &model.sources, shell);
}

/// Where the run is: violated properties, what is watched, what can happen next.
pub fn state(explorer: &Explorer, every_choice: bool, shell: &Shell) -> String {
    let Watching { model, system, .. } = &explorer.watching;
    let style = shell.style();
    let mut out = String::new();
    let taken = plural(explorer.trace.steps.len(), "step");
    let faults = plural(explorer.trace.faults(), "fault");
    let _ = writeln!(out, "\n{}", shell.bold(&format!("after {taken}, {faults}")));
    if !words::chosen(system, &explorer.trace.initial).is_empty() {
        let _ = writeln!(out, "  {}", chosen(system, &explorer.trace.initial));
    }
    for property in &explorer.violated {
        let name = &system.properties[*property].name;
        let _ = writeln!(out, "  {}  {name}", style.bad("violated"));
    }
    out += &report::waiting(system, &model.sources, &explorer.trace, &explorer.violated);
    for property in explorer.at_rest() {
        let name = &system.properties[property].name;
        let words = style.bad("violated");
        let _ = writeln!(out, "  {words}  {name}, if it stays so for ever");
    }
    for (number, (text, value)) in explorer.watched().iter().enumerate() {
        let _ = writeln!(out, "  watch {}: {} = {value}", number + 1, printable(text));
    }
    if explorer.choices.is_empty() {
        out += "  nobody can move any more\n";
    }
    let mut faults = false;
    let mut edge = None;
    let mut listed = 0;
    let mut left_out = 0;
    for (index, choice) in explorer.choices.iter().enumerate() {
        if explorer.is_fault(choice) && !faults {
            faults = true;
            out += "  or a fault:\n";
        }
        let same = edge == Some(edge_of(choice));
        listed = if same { listed + 1 } else { 1 };
        edge = Some(edge_of(choice));
        if listed > FEW && !every_choice {
            left_out += 1;
            continue;
        }
        let text = line(explorer, &choice.step, Some(index + 1));
        let text = if faults { style.bad(&text) } else { text };
        let _ = writeln!(out, "{text}");
    }
    if left_out > 0 {
        let _ = writeln!(out, "  ({left_out} more values; `all` lists them)");
    }
    out
}

fn edge_of(choice: &Choice) -> Option<(u32, usize)> {
    match choice.taken {
        Move::Stutter => None,
        Move::Step { process, edge, .. } => Some((process.0, edge)),
    }
}

/// The initial states, with what tells them apart.
pub fn starts(system: &System) -> String {
    const MOST: usize = 100;
    let mut all = state::initials(system);
    let mut out = String::new();
    for (index, initial) in all.by_ref().take(MOST).enumerate() {
        let _ = writeln!(out, "{:>4}  {}", index + 1, chosen(system, &initial));
    }
    let more = all.take(MOST * MOST).count();
    if more > 0 {
        let _ = writeln!(out, "  (at least {more} more)");
    }
    out
}

/// The values that tell an initial state from others.
fn chosen(system: &System, initial: &State) -> String {
    let values = words::chosen(system, initial).into_iter();
    let values: Vec<String> = values
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match values.is_empty() {
        true => "the only initial state".to_owned(),
        false => format!("starts with {}", values.join(", ")),
    }
}

/// The step that was just taken.
pub fn last_step(explorer: &Explorer, shell: &Shell) -> String {
    let Some(step) = explorer.trace.steps.last() else {
        return String::new();
    };
    let text = line(explorer, step, None);
    match step.fault {
        Some(_) => shell.style().bad(&text) + "\n",
        None => text + "\n",
    }
}

/// A step: its number, what happens, where, and what changes.
fn line(explorer: &Explorer, step: &TraceStep, number: Option<usize>) -> String {
    let Watching { model, system, .. } = &explorer.watching;
    let number = match number {
        Some(number) => format!("{number:>4}  "),
        None => "  --  ".to_owned(),
    };
    let text = words::step(system, &model.sources, step);
    let place = match step.span {
        Some(span) => format!(" ({})", short_place(&model.sources, span)),
        None => String::new(),
    };
    let effects = words::effects(system, step);
    let mut told = format!("{number}{}{place}", printable(&text));
    if !effects.is_empty() {
        let effects = effects.join(", ");
        let width = told.chars().count() + 2 + effects.chars().count();
        told += if width > COLUMNS { "\n        " } else { "  " };
        told += &effects;
    }
    told
}

/// Where a step is, in few words, for lists are read at a glance and on narrow terminals: the line, and of a file other than the
/// model its name.
fn short_place(sources: &Sources, span: Span) -> String {
    let line = sources.line(span);
    if sources.iter().next().is_some_and(|(id, _)| id == span.file) {
        return format!("line {line}");
    }
    let file = &sources.file(span.file).path;
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    format!("{}:{line}", printable(name.unwrap_or(file)))
}

/// All variables, with where each process is.
pub fn variables(explorer: &Explorer) -> String {
    let Watching { model, system, .. } = &explorer.watching;
    let state = explorer.trace.last();
    let mut out = String::new();
    for (id, process) in system.processes() {
        let place = words::location(system, &model.sources, state, id);
        let _ = writeln!(out, "  {}: {place}", process.name);
    }
    let all = (0..system.vars.len()).map(|index| VarId(index as u32));
    for var in all.filter(|var| !system.var(*var).hidden) {
        let value = words::value(system, var, state.values[var.0 as usize]);
        let _ = writeln!(out, "  {} = {value}", system.var_name(var));
    }
    out
}
