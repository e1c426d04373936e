//! Answers for programs: one object, described by `docs/check.schema.json`.

use serde::{Serialize, Serializer};

use super::twin;
use crate::check::{Agreement, Answer, Confirmation};
use crate::source::Sources;
use crate::system::System;
use crate::system::state;
use crate::trace::ending::ending;
use crate::trace::{Cause, Trace, words};
use crate::verdict::Outcome;

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    engine: &'a str,
    states: Option<u64>,
    confirmation: Option<JsonConfirmation<'a>>,
    properties: Vec<Property<'a>>,
    /// Where the answers are not the expected ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<&'a [&'a str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Figures>,
}

/// What there is to tell besides the answers.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The model, as named on the command line.
    pub file: &'a str,
    /// Who has answered.
    pub engine: &'a str,
    /// How many states there are, if that is known.
    pub states: Option<u64>,
    /// What a second engine says.
    pub second: Option<&'a Confirmation>,
    /// Figures of the search, if they are wanted.
    pub stats: Option<Figures>,
    /// Where the answers are not the expected ones, if any are expected.
    pub differences: Option<&'a [&'a str]>,
}

/// Figures of a search.
#[derive(Clone, Copy, Serialize, Debug)]
pub struct Figures {
    /// States visited.
    pub states: u64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// Whether steps were left out whose order does not matter.
    pub reduction: bool,
    /// Whether identical processes were exchanged.
    pub symmetry: bool,
    /// Transitions taken.
    pub transitions: u64,
    /// The most steps that any state needs.
    pub depth: u32,
    /// The most faults that any state needs.
    pub faults: u32,
    /// Bits of a packed state.
    pub state_bits: usize,
    /// How many processes searched together, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<usize>,
    /// Bytes that they have sent each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The most memory used for states, in bytes.
    pub memory: usize,
    /// The most that was moved to the disk, in bytes.
    pub spilled: u64,
    /// From the beginning to the answer.
    pub seconds: f64,
}

#[derive(Serialize)]
struct JsonConfirmation<'a> {
    engine: &'a str,
    version: Option<&'a str>,
    outcome: &'static str,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct Property<'a> {
    name: &'a str,
    kind: &'a str,
    verdict: &'a str,
    /// Why nobody knows, or `statically`.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    needs_fault: Option<bool>,
    /// Of the shown run: whether there is no smaller one, how many faults it has, and which.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    injections: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults_used: Option<Vec<String>>,
    cause: Option<&'static str>,
    /// What the violation needs, if that is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<Needs>,
    line: Option<usize>,
    /// When it was too late, and which faults are to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    blame: Option<JsonBlame>,
    /// Of `tolerant`: whether each level is reached, and the runs that show which are not.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "in_order")]
    levels: Vec<(&'static str, Option<bool>)>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "in_order")]
    level_traces: Vec<(&'static str, JsonTrace)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// Why it holds, if another engine has shown that.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<JsonProof>,
    /// Of what turns on knowledge: to the state, and to one that somebody cannot tell from it; and what he sees in both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<JsonTrace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<serde_json::Map<String, serde_json::Value>>,
    trace: Option<JsonTrace>,
}

#[derive(Serialize)]
struct JsonProof {
    engine: String,
    conditions: Option<Vec<String>>,
}

#[derive(Serialize)]
struct JsonBlame {
    no_return: Option<usize>,
    but_for: Vec<String>,
}

#[derive(Serialize)]
struct Needs {
    faults: Vec<String>,
    injections: usize,
    untimely: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    file: String,
    line: usize,
}

#[derive(Serialize)]
struct JsonTrace {
    faults: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    initial: Vec<Initial>,
    /// If there are several initial states: the codes that tell this one from the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    start: Vec<i64>,
    steps: Vec<Step>,
    loop_start: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting: Vec<Waiting>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Waiting>,
}

#[derive(Serialize)]
struct Step {
    process: Option<String>,
    text: String,
    file: Option<String>,
    line: Option<usize>,
    fault: Option<String>,
    untimely: bool,
    changes: Vec<Change>,
}

#[derive(Serialize)]
struct Initial {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Change {
    name: String,
    from: String,
    to: String,
}

#[derive(Serialize)]
struct Waiting {
    text: String,
    file: String,
    line: usize,
}

/// The object for a checked file, on one line.
pub fn json(system: &System, sources: &Sources, answers: &[Answer], about: &About<'_>) -> String {
    let properties = answers
        .iter()
        .map(|answer| {
            let property = &system.properties[answer.property];
            Property {
                name: &property.name,
                kind: property.kind_name(),
                verdict: answer.verdict(),
                detail: match &answer.outcome {
                    Outcome::Unknown(why) => Some(why),
                    Outcome::HoldsStatically => Some("statically"),
                    _ => None,
                },
                needs_fault: answer.needs_fault(),
                minimal: answer.trace.as_ref().map(|_| answer.is_minimal()),
                injections: answer.trace.as_ref().map(|t| t.faults()),
                faults_used: answer.trace.as_ref().map(|t| faults_used(system, t)),
                cause: answer.cause.map(cause),
                needs: needs(system, sources, answer),
                line: property.span.map(|span| sources.line(span)),
                blame: answer.blame.as_ref().map(|blame| JsonBlame {
                    no_return: blame.no_return,
                    but_for: (blame.but_for.iter())
                        .map(|fault| system.fault_name(*fault).to_owned())
                        .collect(),
                }),
                levels: named(answer)
                    .map(|(name, level)| {
                        let reached = match level.verdict() {
                            "holds" => Some(true),
                            "violated" => Some(false),
                            _ => None,
                        };
                        (name, reached)
                    })
                    .collect(),
                level_traces: named(answer)
                    .filter_map(|(name, level)| {
                        let shown = level.trace.as_ref()?;
                        Some((name, trace(system, sources, level, shown)))
                    })
                    .collect(),
                notes: answer.notes.clone(),
                proof: answer.proof.as_ref().map(|proof| JsonProof {
                    engine: proof.engine.clone(),
                    conditions: proof.conditions.clone(),
                }),
                runs: match (&answer.trace, &answer.twin) {
                    (Some(shown), Some(twin)) => [shown, &twin.trace]
                        .map(|t| trace(system, sources, answer, t))
                        .into(),
                    _ => Vec::new(),
                },
                view: (answer.twin.as_ref()).map(|twin| {
                    let seen = twin::view(system, sources, twin).into_iter();
                    seen.map(|(name, value)| (name, value.into())).collect()
                }),
                trace: answer
                    .trace
                    .as_ref()
                    .map(|t| trace(system, sources, answer, t)),
            }
        })
        .collect();
    let report = Report {
        file: about.file,
        engine: about.engine,
        states: about.states,
        confirmation: about.second.map(confirmation),
        properties,
        stats: about.stats,
        differences: about.differences,
    };
    serde_json::to_string(&report).expect("a report is plain data")
}

/// Names with their values, as an object.
fn in_order<V: Serialize, S: Serializer>(
    pairs: &[(&'static str, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// The levels of `tolerant`, by their names.
fn named(answer: &Answer) -> impl Iterator<Item = (&'static str, &Answer)> {
    let levels = answer.levels.iter();
    levels.filter_map(|level| Some((level.level?.as_str(), level)))
}

fn confirmation(second: &Confirmation) -> JsonConfirmation<'_> {
    let (outcome, detail) = match &second.outcome {
        Agreement::Agrees => ("agrees", None),
        Agreement::Undecided => ("undecided", None),
        Agreement::NotFound => ("not found", None),
        Agreement::Failed(why) => ("failed", Some(why.as_str())),
    };
    JsonConfirmation {
        engine: &second.engine,
        version: second.version.as_deref(),
        outcome,
        detail,
        // As exact as for people.
        seconds: (second.time).map(|time| (time.as_secs_f64() * 10.0).round() / 10.0),
    }
}

/// The faults that a trace injects, each once, in the order of the model.
fn faults_used(system: &System, trace: &Trace) -> Vec<String> {
    let used = trace.faults_used().into_iter();
    used.map(|fault| system.fault_name(fault).to_owned())
        .collect()
}

/// What a violation needs, if that is certain.
fn needs(system: &System, sources: &Sources, answer: &Answer) -> Option<Needs> {
    let trace = answer.trace.as_ref().filter(|_| answer.is_violated())?;
    let cause = answer.cause?;
    let untimely = trace.untimely().map(|span| Place {
        file: sources.file(span.file).path.clone(),
        line: sources.line(span),
    });
    Some(Needs {
        faults: faults_used(system, trace),
        injections: trace.faults(),
        untimely: match cause {
            Cause::UntimelyTimeout => untimely.collect(),
            Cause::None | Cause::Fault => Vec::new(),
        },
    })
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::None => "none",
        Cause::UntimelyTimeout => "untimely timeout",
        Cause::Fault => "fault",
    }
}

fn trace(system: &System, sources: &Sources, answer: &Answer, trace: &Trace) -> JsonTrace {
    let deadlock = matches!(
        system.properties[answer.property].kind,
        crate::system::PropertyKind::Deadlock
    );
    let path = |span: crate::source::Span| sources.file(span.file).path.clone();
    let place = |(text, span): (String, crate::source::Span)| Waiting {
        text,
        file: path(span),
        line: sources.line(span),
    };
    JsonTrace {
        faults: trace.faults(),
        initial: words::chosen(system, &trace.initial)
            .into_iter()
            .map(|(name, value)| Initial { name, value })
            .collect(),
        start: state::start_codes(system, &trace.initial),
        loop_start: trace.loop_start,
        steps: trace
            .steps
            .iter()
            .map(|step| Step {
                process: step.process.map(|p| system.process(p).name.clone()),
                text: words::step(system, sources, step),
                file: step.span.map(path),
                line: step.span.map(|span| sources.line(span)),
                fault: step.fault.map(|f| system.fault_name(f).to_owned()),
                untimely: step.untimely,
                changes: words::altered(system, step)
                    .into_iter()
                    .map(|part| Change {
                        name: part.full_name,
                        from: part.from,
                        to: part.to,
                    })
                    .collect(),
            })
            .collect(),
        waiting: match deadlock {
            true => words::waiting(system, trace)
                .into_iter()
                .map(place)
                .collect(),
            false => Vec::new(),
        },
        related: match answer.is_violated() {
            true => {
                let told = ending(system, answer.property, trace);
                told.into_iter().map(place).collect()
            }
            false => Vec::new(),
        },
    }
}
