//! Answers for people: a line per property, and the trace of what went wrong.

use std::fmt::Write as _;

use super::Counts;
use super::chart::Tone;
use super::chart::grid::wrap;
use super::levels;
use crate::check::{Agreement, Answer, Confirmation, Shows, Surprise};
use crate::source::{Sources, printable};
use crate::system::{Event, Form, Property, PropertyKind, System};
use crate::trace::ending::ending;
use crate::trace::{Cause, Trace, words};
use crate::verdict::Outcome;
pub use crate::vocabulary::thousands;

/// Colours, or none.
#[derive(Clone, Copy, Default, Debug)]
pub struct Style {
    good: anstyle::Style,
    bad: anstyle::Style,
    unsure: anstyle::Style,
    dim: anstyle::Style,
    bold: anstyle::Style,
}

impl Style {
    /// No colours: for pipes and files.
    pub fn plain() -> Style {
        Style::default()
    }

    /// Colours for a terminal.
    pub fn coloured() -> Style {
        use anstyle::AnsiColor::{Green, Red, Yellow};
        let bold = anstyle::Style::new().bold();
        Style {
            good: bold.fg_color(Some(Green.into())),
            bad: bold.fg_color(Some(Red.into())),
            unsure: bold.fg_color(Some(Yellow.into())),
            dim: anstyle::Style::new().dimmed(),
            bold,
        }
    }
}

impl Style {
    /// A text in the colour of its tone.
    pub fn tone(self, tone: Tone, text: &str) -> String {
        let style = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Faint => self.dim,
            Tone::Strong => self.bold,
            Tone::Odd => self.unsure,
            Tone::Bad => self.bad,
        };
        paint(style, text)
    }

    /// What is good news.
    pub fn good(self, text: &str) -> String {
        paint(self.good, text)
    }

    /// What is bad news.
    pub fn bad(self, text: &str) -> String {
        paint(self.bad, text)
    }

    /// What nobody knows.
    pub fn unsure(self, text: &str) -> String {
        paint(self.unsure, text)
    }

    /// What is to be seen first.
    pub fn bold(self, text: &str) -> String {
        paint(self.bold, text)
    }
}

fn paint(style: anstyle::Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The line of a property: verdict, name, place, and what is to be said in few words.
pub fn property(system: &System, sources: &Sources, answer: &Answer, style: Style) -> String {
    let property = &system.properties[answer.property];
    let width = system
        .properties
        .iter()
        .map(|p| p.name.chars().count())
        .max()
        .unwrap_or(0);
    let (colour, verdict) = match &answer.outcome {
        Outcome::Holds | Outcome::HoldsStatically => (style.good, "holds"),
        Outcome::Violated => (style.bad, "violated"),
        Outcome::Unknown(_) => (style.unsure, "unknown"),
    };
    let place = match property.span {
        Some(span) => sources.place(span),
        None => "built in".to_string(),
    };
    let mut line = format!(
        "{}  {}  {}",
        paint(colour, &format!("{verdict:8}")),
        paint(style.bold, &format!("{:width$}", property.name)),
        paint(style.dim, &place),
    );
    let detail = detail(system, sources, property, answer);
    if !detail.is_empty() {
        let _ = write!(line, "  {detail}");
    }
    if let Some(time) = answer.time {
        let _ = write!(
            line,
            "  {}",
            paint(style.dim, &format!("{:.2} s", time.as_secs_f64()))
        );
    }
    line.push('\n');
    line += &levels::lines(property, answer, style);
    for said in proof(answer) {
        let _ = writeln!(line, "          {}", paint(style.dim, &said));
    }
    for note in &answer.notes {
        let _ = writeln!(
            line,
            "          {}",
            paint(style.dim, &format!("note: {note}"))
        );
    }
    line
}

/// What is to be said about an answer in few words.
pub(super) fn detail(
    system: &System,
    sources: &Sources,
    property: &Property,
    answer: &Answer,
) -> String {
    if let Some(tolerant) = property
        .tolerant
        .as_ref()
        .filter(|_| !answer.levels.is_empty())
    {
        let said = levels::tolerated(system, tolerant);
        return match (&answer.outcome, &answer.trace) {
            (Outcome::Unknown(why), _) => format!("{said}: {why}"),
            (Outcome::Violated, Some(trace)) => {
                format!("{said}: {}", length(system, sources, answer, trace))
            }
            _ => said,
        };
    }
    match &answer.outcome {
        Outcome::HoldsStatically => "statically".to_string(),
        Outcome::Unknown(why) => why.clone(),
        Outcome::Holds => match property.kind {
            PropertyKind::Ltl(_) if !system.assumptions.is_empty() => {
                let names: Vec<&str> = system.assumptions.iter().map(|a| a.name.as_str()).collect();
                format!("assuming {}", names.join(", "))
            }
            _ => String::new(),
        },
        Outcome::Violated => match &answer.trace {
            Some(trace) => length(system, sources, answer, trace),
            None => String::new(),
        },
    }
}

/// How long the run is, and what the violation needs: nothing, timeouts that come too early, or faults.
fn length(system: &System, sources: &Sources, answer: &Answer, trace: &Trace) -> String {
    let steps = plural(trace.steps.len(), "step");
    let how = match (trace.faults(), answer.cause) {
        (0, Some(Cause::UntimelyTimeout)) => {
            let places = trace.untimely().map(|span| sources.place(span));
            let places: Vec<String> = places.collect();
            let timeouts = match places.len() {
                1 => "an untimely timeout",
                _ => "untimely timeouts",
            };
            let places = places.join(", ");
            format!("in {steps}, needs {timeouts} ({places}), without any fault")
        }
        (0, _) => format!("in {steps}, without any fault"),
        (count, Some(Cause::Fault)) => {
            let names: Vec<&str> = trace
                .faults_used()
                .into_iter()
                .map(|fault| system.fault_name(fault))
                .collect();
            let injections = plural(count, "injection");
            format!("in {steps}, needs {}, {injections}", names.join(" and "))
        }
        (count, _) => format!("in {steps} with {}", plural(count, "fault")),
    };
    match answer.shows {
        Shows::Any => format!("{how}; smaller runs may exist"),
        Shows::Fewest if trace.loop_start.is_none() => format!("{how}; shorter runs may exist"),
        Shows::Fewest | Shows::Best => how,
    }
}

/// When it was too late, and which faults are to blame, below a trace, in lines of at most so many columns.
pub fn blame(system: &System, answer: &Answer, columns: usize) -> String {
    let mut out = String::new();
    let (Some(blame), Some(trace)) = (&answer.blame, &answer.trace) else {
        return out;
    };
    let names = |faults: &[crate::vocabulary::FaultId]| {
        let names: Vec<&str> = faults.iter().map(|f| system.fault_name(*f)).collect();
        names.join(", ")
    };
    let mut say = |text: String| {
        for line in wrap(&text, columns.saturating_sub(4), usize::MAX, "") {
            let _ = writeln!(out, "    {line}");
        }
    };
    match blame.no_return {
        Some(step) if step < trace.steps.len() => {
            say(format!(
                "no return: after step {step} it happens even if nothing else goes wrong"
            ));
        }
        _ => {}
    }
    if trace.faults_used().len() > 1 && !blame.but_for.is_empty() {
        say(format!(
            "but for each of these the others would not be enough: {}",
            names(&blame.but_for)
        ));
    }
    out
}

/// What is said where a loop begins.
const FOR_EVER: &str = "-- from here on for ever --";

/// How much of a trace is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Steps that change nothing and show no choice are left out, channels are shown by what they hold.
    Folded,
    /// Every step with every variable that it changes.
    Full,
}

/// The steps of a trace, each with its place and what it changes.
pub fn trace(
    system: &System,
    sources: &Sources,
    answer: &Answer,
    detail: Detail,
    style: Style,
) -> String {
    let Some(trace) = &answer.trace else {
        return String::new();
    };
    let mut steps = steps(system, sources, trace, detail, style);
    let property = &system.properties[answer.property];
    let never = match (&property.kind, &property.form) {
        (PropertyKind::Time, _) => Some("time never passes"),
        (_, Some(Form::Progress)) => Some("no progress is made"),
        _ => None,
    };
    if let Some(never) = never {
        steps = steps.replace(
            FOR_EVER,
            &format!("-- from here on for ever, and {never} --"),
        );
    }
    steps + &waiting(system, sources, trace, &[answer.property])
}

/// Why a trace ends where it does, for the properties it violates: who waits for what in a deadlock, what did not fit a protocol.
pub fn waiting(system: &System, sources: &Sources, trace: &Trace, violated: &[usize]) -> String {
    let mut out = String::new();
    for property in violated {
        for (told, span) in ending(system, *property, trace) {
            let _ = writeln!(out, "    {told} ({})", sources.place(span));
        }
    }
    out
}

/// Whether a step is a tick.
fn is_tick(trace: &Trace, index: usize) -> bool {
    (trace.steps.get(index)).is_some_and(|step| step.events.contains(&Event::Ticked))
}

/// Whether a step is a tick after which time goes on passing, so that it is told with the last one.
fn ticks_on(trace: &Trace, index: usize) -> bool {
    is_tick(trace, index) && is_tick(trace, index + 1) && trace.loop_start != Some(index + 1)
}

/// How many ticks in a row there are up to a step.
fn ticks_until(trace: &Trace, index: usize) -> usize {
    if !is_tick(trace, index) {
        return 0;
    }
    let before = (0..index)
        .rev()
        .take_while(|earlier| ticks_on(trace, *earlier));
    1 + before.count()
}

/// The steps of a trace.
pub fn steps(
    system: &System,
    sources: &Sources,
    trace: &Trace,
    detail: Detail,
    style: Style,
) -> String {
    let mut out = String::new();
    let shown: Vec<(usize, String)> = trace
        .steps
        .iter()
        .enumerate()
        .filter(|(index, _)| detail == Detail::Full || !trace.is_noise(*index))
        .filter(|(index, _)| detail == Detail::Full || !ticks_on(trace, *index))
        .map(|(index, step)| (index, words::step(system, sources, step)))
        .map(|(index, text)| match ticks_until(trace, index) {
            ticks if ticks > 0 && detail == Detail::Folded => (index, words::passing(ticks)),
            _ => (index, text),
        })
        .collect();
    let width = shown
        .iter()
        .map(|(_, text)| text.chars().count())
        .max()
        .unwrap_or(0)
        .min(60);
    let digits = trace.steps.len().to_string().len();
    let chosen = words::chosen(system, &trace.initial);
    if !chosen.is_empty() {
        let values = chosen
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let values: Vec<String> = values.collect();
        let _ = writeln!(out, "    {:>digits$}  starts with {}", 0, values.join(", "));
    }
    for (index, text) in &shown {
        let (index, step) = (*index, &trace.steps[*index]);
        if trace.loop_start == Some(index) {
            let _ = writeln!(out, "    {}", paint(style.unsure, FOR_EVER));
        }
        let place = step
            .span
            .map(|span| format!("({})", sources.place(span)))
            .unwrap_or_default();
        let text = format!("{text:width$}");
        let text = if step.fault.is_some() {
            paint(style.bad, &text)
        } else {
            text
        };
        let _ = write!(
            out,
            "    {:>digits$}  {text}  {}",
            index + 1,
            paint(style.dim, &place)
        );
        let changes = match detail {
            Detail::Folded => words::effects(system, step),
            Detail::Full => words::changes(system, step),
        };
        if !changes.is_empty() {
            let _ = write!(out, "  {}", paint(style.dim, &changes.join(", ")));
        }
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
    }
    let ticks = (0..trace.steps.len()).filter(|index| ticks_on(trace, *index));
    let told = match detail {
        Detail::Folded => ticks.count(),
        Detail::Full => 0,
    };
    let folded = trace.steps.len() - shown.len() - told;
    if folded > 0 {
        let (verb, they) = if folded == 1 {
            ("changes", "it")
        } else {
            ("change", "them")
        };
        let note = format!(
            "({} that {verb} nothing left out; --full-trace shows {they})",
            plural(folded, "step")
        );
        let _ = writeln!(out, "    {}", paint(style.dim, &note));
    }
    out
}

/// The closing line: how many hold, and how large the state space is.
pub fn summary(answers: &[Answer], states: Option<u64>, visited: u64, style: Style) -> String {
    let counts = Counts::of(answers);
    let mut parts = Vec::new();
    if counts.hold > 0 {
        let verb = if counts.hold == 1 { "holds" } else { "hold" };
        parts.push(paint(style.good, &format!("{} {verb}", counts.hold)));
    }
    if counts.violated > 0 {
        parts.push(paint(style.bad, &format!("{} violated", counts.violated)));
    }
    if counts.unknown > 0 {
        parts.push(paint(style.unsure, &format!("{} unknown", counts.unknown)));
    }
    let mut line = parts.join(", ");
    if let Some(states) = states {
        let _ = write!(line, "; {}", plural(states, "state"));
    } else if visited > 0 {
        let _ = write!(line, "; {} visited", plural(visited, "state"));
    }
    line.push('\n');
    line
}

/// Whether the answers are the expected ones, and where not.
pub fn expectations(surprises: &[Surprise], sources: &Sources, style: Style) -> String {
    if surprises.is_empty() {
        return format!("{}\n", paint(style.good, "as expected"));
    }
    let mut out = format!("\n{}\n", paint(style.bad, "not as expected:"));
    for surprise in surprises {
        let words = printable(&surprise.words);
        let place = match surprise.span {
            Some(span) => format!("  {}", paint(style.dim, &sources.place(span))),
            None => String::new(),
        };
        let _ = writeln!(out, "    {words}{place}");
    }
    out
}

/// The line about a second engine.
pub fn confirmation(second: &Confirmation) -> String {
    let name = match &second.version {
        Some(version) => format!("{} {version}", second.engine),
        None => second.engine.clone(),
    };
    let seconds = second.time.unwrap_or_default().as_secs_f64();
    match &second.outcome {
        Agreement::Agrees => format!("{name} agrees ({seconds:.1} s)\n"),
        Agreement::Undecided => format!("{name} undecided after {seconds:.0} s\n"),
        Agreement::NotFound => format!("{name} not found: not cross-checked (sandalc doctor)\n"),
        Agreement::Failed(why) => format!("not cross-checked: {}\n", printable(why)),
    }
}

/// So many conditions of a proof are shown.
const CONDITIONS: usize = 12;

/// Why a property holds, line by line.
fn proof(answer: &Answer) -> Vec<String> {
    let Some(proof) = &answer.proof else {
        return Vec::new();
    };
    let engine = printable(&proof.engine);
    let Some(conditions) = &proof.conditions else {
        return vec![format!("proof by {engine}")];
    };
    if conditions.is_empty() {
        return vec![format!("proof by {engine}: no step can violate it")];
    }
    let count = plural(conditions.len(), "condition");
    let rules = if conditions.len() == 1 {
        "rules"
    } else {
        "rule"
    };
    let mut lines = vec![format!(
        "proof by {engine}: {count}, true at the start and kept by every step, that {rules} out a violation"
    )];
    let shown = conditions.iter().take(CONDITIONS);
    lines.extend(shown.map(|condition| format!("  {}", printable(condition))));
    if let Some(more) = conditions.len().checked_sub(CONDITIONS).filter(|n| *n > 0) {
        lines.push(format!(
            "  .. {} more (--format json has all)",
            thousands(more as u64)
        ));
    }
    lines
}

/// `1 step`, `1,067 states`
pub fn plural(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", thousands(count))
}
