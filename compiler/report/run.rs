//! Runs written down: one object, described by `docs/run.schema.json`, and read again, as are the counterexamples of
//! `check --format json`.

use serde_json::{Map, Value, json};

use crate::source::{Sources, escaped_json};
use crate::system::print;
use crate::system::state;
use crate::system::{System, VarId};
use crate::trace::follow::{Beginning, Told};
use crate::trace::{Trace, words};
use crate::verdict::{Move, Run};

/// The object for a run, on one line.
pub fn run(system: &System, sources: &Sources, file: &str, run: &Run, trace: &Trace) -> String {
    let all = (0..system.vars.len()).map(|index| VarId(index as u32));
    let mut initial: Map<String, Value> = all
        .filter(|var| !system.var(*var).hidden)
        .map(|var| {
            let code = trace.initial.values[var.0 as usize];
            (system.var_name(var), json!(words::value(system, var, code)))
        })
        .collect();
    let chosen = words::chosen(system, &trace.initial).into_iter();
    initial.extend(chosen.map(|(name, value)| (name, json!(value))));
    let steps: Vec<Value> = (run.moves.iter().zip(&trace.steps))
        .map(|(taken, step)| {
            let changes: Vec<Value> = (step.changes.iter())
                .map(|change| {
                    json!({
                        "name": system.var_name(change.var),
                        "from": words::value(system, change.var, change.from),
                        "to": words::value(system, change.var, change.to),
                    })
                })
                .collect();
            let edge = match taken {
                Move::Stutter => None,
                Move::Step { edge, .. } => Some(edge),
            };
            json!({
                "process": step.process.map(|process| &system.process(process).name),
                "edge": edge,
                "picks": words::picks(system, taken),
                "text": words::step(system, sources, step),
                "file": step.span.map(|span| &sources.file(span.file).path),
                "line": step.span.map(|span| sources.line(span)),
                "fault": step.fault.map(|fault| system.fault_name(fault)),
                "changes": changes,
            })
        })
        .collect();
    let mut object = json!({
        "format": 1,
        "file": file,
        "model_hash": model_hash(system),
        "initial": initial,
        "steps": steps,
        "loop_start": run.loop_start,
    });
    let start = state::start_codes(system, &trace.initial);
    if !start.is_empty() {
        object["start"] = json!(start);
    }
    escaped_json(&object.to_string()) + "\n"
}

/// A number that two Systems share only if they are the same.
fn model_hash(system: &System) -> String {
    format!("{:016x}", print::fingerprint(&print::system(system)))
}

/// A run as it was written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The property that it is said to violate (or to reach).
    pub property: Option<String>,
    /// Its steps.
    pub steps: Vec<Told>,
    /// If infinite: after the last step it goes on with the step of this index.
    pub loop_start: Option<usize>,
    /// Where it begins.
    pub beginning: Beginning,
    /// Whether it was written for another model.
    pub other_model: bool,
}

/// Reads a saved run, or all runs of a report of `check`.
///
/// # Errors
/// Says in words what is wrong with the text.
pub fn read_runs(text: &str, system: &System) -> Result<Vec<Written>, String> {
    let object: Value =
        serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    if let Some(format) = object.get("format")
        && *format != json!(1)
    {
        return Err(format!("its format is {format}, and only 1 is known"));
    }
    if let Some(models) = object.get("models").and_then(Value::as_array) {
        let several = "it is about several models: check one, and save that";
        match models.as_slice() {
            [one] => return of_report(&one["report"]),
            _ => return Err(several.to_owned()),
        }
    }
    if object.get("properties").is_some() {
        return of_report(&object);
    }
    let mut written = written(&object, None)?;
    written.other_model =
        (object.get("model_hash")).is_some_and(|hash| *hash != json!(model_hash(system)));
    Ok(vec![written])
}

fn of_report(report: &Value) -> Result<Vec<Written>, String> {
    let properties = report.get("properties").and_then(Value::as_array);
    let mut runs = Vec::new();
    for property in properties.ok_or("it is no report of `check`")? {
        let name = property.get("name").and_then(Value::as_str);
        if let Some(trace) = property.get("trace").filter(|trace| !trace.is_null()) {
            runs.push(written(trace, name)?);
        }
    }
    match runs.is_empty() {
        true => Err("there is no run in it".to_owned()),
        false => Ok(runs),
    }
}

fn written(object: &Value, property: Option<&str>) -> Result<Written, String> {
    let steps = object.get("steps").and_then(Value::as_array);
    let steps =
        steps.ok_or("it has no `steps`: it is neither a saved run nor a report of `check`")?;
    let loop_start = match object.get("loop_start") {
        None | Some(Value::Null) => None,
        Some(start) => {
            let start = start.as_u64().and_then(|start| usize::try_from(start).ok());
            let inside = start.filter(|start| *start < steps.len());
            Some(inside.ok_or("its `loop_start` is not the number of a step")?)
        }
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let values = match object.get("initial") {
        Some(Value::Object(values)) => (values.iter())
            .filter_map(|(name, value)| Some((name.clone(), text(value)?)))
            .collect(),
        Some(Value::Array(values)) => (values.iter())
            .filter_map(|value| Some((text(value.get("name")?)?, text(value.get("value")?)?)))
            .collect(),
        _ => Vec::new(),
    };
    let codes = match object.get("start") {
        None | Some(Value::Null) => None,
        Some(codes) => {
            let codes = codes
                .as_array()
                .map(|codes| codes.iter().map(Value::as_i64));
            let codes = codes.and_then(|codes| codes.collect::<Option<_>>());
            Some(codes.ok_or("its `start` is not a list of numbers")?)
        }
    };
    Ok(Written {
        property: property.map(str::to_owned),
        steps: (steps.iter().enumerate())
            .map(|(index, step)| {
                told(step).ok_or_else(|| format!("step {} cannot be read", index + 1))
            })
            .collect::<Result<_, _>>()?,
        loop_start,
        beginning: Beginning { values, codes },
        other_model: false,
    })
}

fn told(step: &Value) -> Option<Told> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let optional = |key: &str| match step.get(key) {
        None | Some(Value::Null) => Some(None),
        Some(value) => text(value).map(Some),
    };
    let changes = step.get("changes")?.as_array()?;
    Some(Told {
        process: optional("process")?,
        text: text(step.get("text")?)?,
        fault: optional("fault")?,
        changes: changes
            .iter()
            .map(|change| Some((text(change.get("name")?)?, text(change.get("to")?)?)))
            .collect::<Option<_>>()?,
        picks: match step.get("picks") {
            None => None,
            Some(picks) => Some(picks.as_array()?.iter().map(text).collect::<Option<_>>()?),
        },
        edge: (step.get("edge").and_then(Value::as_u64))
            .and_then(|edge| usize::try_from(edge).ok()),
    })
}
