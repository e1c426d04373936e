//! A run for tools that read Apalache's Informal Trace Format (ADR 015 of Apalache): all states, not only what changes.
//!
//! A variable of the trace is one of the model (`worker1.resp`), or where a process is (`worker1@location`). What
//! happened on the way to a state is in its `#meta`.

use serde_json::{Map, Value, json};

use super::Makes;
use crate::check::Answer;
use crate::source::{Sources, escaped_json};
use crate::system::state::State;
use crate::system::{Domain, System, VarId};
use crate::trace::{Trace, TraceStep, words};

/// A file with one run.
pub const MAKES: Makes = Makes::Run {
    run: |model, system, answer| itf(system, model.sources, answer, model.file),
    page: None,
};

/// The document for the run of an answer, if it has one.
fn itf(system: &System, sources: &Sources, answer: &Answer, file: &str) -> Option<String> {
    let trace = answer.trace.as_ref()?;
    let property = &system.properties[answer.property].name;
    let shown = shown(system);
    let mut vars: Vec<String> = shown.iter().map(|var| system.var_name(*var)).collect();
    vars.extend(system.processes.iter().map(|p| location_name(&p.name)));
    let state = |index: usize| {
        let mut object = values(system, sources, &shown, trace.before(index));
        let mut meta = Map::new();
        meta.insert("index".to_owned(), json!(index));
        if let Some(step) = index.checked_sub(1).map(|before| &trace.steps[before]) {
            meta.append(&mut about(system, sources, step));
        }
        object.insert("#meta".to_owned(), Value::Object(meta));
        text(&Value::Object(object))
    };
    // The state in which a loop closes is the one in which it began.
    let count = trace.steps.len() + usize::from(trace.loop_start.is_none());
    let about = meta(system, sources, trace, file, property, answer.verdict());
    // Put together from its parts: all states as one value take many times the memory of their text.
    let mut out = format!("{{\"#meta\":{}", text(&about));
    if let Some(start) = trace.loop_start {
        out += &format!(",\"loop\":{start}");
    }
    out += ",\"params\":[],\"states\":[";
    for index in 0..count {
        if index > 0 {
            out.push(',');
        }
        out += &state(index);
    }
    out += &format!("],\"vars\":{}}}\n", text(&json!(vars)));
    Some(out)
}

/// A value on one line.
fn text(value: &Value) -> String {
    escaped_json(&value.to_string())
}

fn meta(
    system: &System,
    sources: &Sources,
    trace: &Trace,
    file: &str,
    property: &str,
    verdict: &str,
) -> Value {
    let mut meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": file,
        "status": match verdict { "violated" => "violation", other => other },
        "description": format!("{property} {verdict}"),
    });
    if let (Some(_), Some(step)) = (trace.loop_start, trace.steps.last()) {
        meta["closing"] = Value::Object(about(system, sources, step));
    }
    meta
}

/// What a step is, in words.
fn about(system: &System, sources: &Sources, step: &TraceStep) -> Map<String, Value> {
    let mut about = Map::new();
    let mut note = |key: &str, value: Value| about.insert(key.to_owned(), value);
    note("step", json!(words::step(system, sources, step)));
    if let Some(process) = step.process {
        note("process", json!(system.process(process).name));
    }
    if let Some(span) = step.span {
        note("place", json!(sources.place(span)));
    }
    if let Some(fault) = step.fault {
        note("fault", json!(system.fault_name(fault)));
    }
    about
}

/// The variables that are shown.
fn shown(system: &System) -> Vec<VarId> {
    let all = (0..system.vars.len()).map(|index| VarId(index as u32));
    all.filter(|var| !system.var(*var).hidden).collect()
}

/// No variable has such a name.
fn location_name(process: &str) -> String {
    format!("{process}@location")
}

fn values(
    system: &System,
    sources: &Sources,
    shown: &[VarId],
    state: &State,
) -> Map<String, Value> {
    let mut object = Map::new();
    for var in shown {
        let code = state.values[var.0 as usize];
        let value = match system.var(*var).domain {
            Domain::Bool => json!(code != 0),
            Domain::Int { .. } => json!({ "#bigint": code.to_string() }),
            _ => json!(words::value(system, *var, code)),
        };
        object.insert(system.var_name(*var), value);
    }
    for (id, process) in system.processes() {
        let place = words::location(system, sources, state, id);
        object.insert(location_name(&process.name), json!(place));
    }
    object
}
