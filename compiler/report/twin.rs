//! The second run of a violation that turns on what somebody does not know, in words.

use crate::check::{SeenValue, Twin};
use crate::source::Sources;
use crate::system::print::expr::scalar;
use crate::system::{LocationKind, System};
use crate::vocabulary::Knowing;

/// What is seen in both states, name and value.
pub fn view(system: &System, sources: &Sources, twin: &Twin) -> Vec<(String, String)> {
    let value = |value: &SeenValue| match value {
        SeenValue::Value(value) => scalar(&system.data, *value),
        SeenValue::At(process, at) => {
            let location = &system.process(*process).locations[at.0 as usize];
            match location.kind {
                LocationKind::Done => "done".to_owned(),
                LocationKind::Crashed => "crashed".to_owned(),
                LocationKind::Failed => "failed".to_owned(),
                _ => sources.place(location.span),
            }
        }
    };
    let seen = twin.seen.iter();
    seen.map(|(name, seen)| (name.clone(), value(seen)))
        .collect()
}

/// Whether the second run is the start alone, so that there are no steps to show.
pub fn is_start(twin: &Twin) -> bool {
    twin.trace.steps.is_empty()
}

/// What the second run shows, before its steps.
pub fn heading(system: &System, sources: &Sources, twin: &Twin) -> String {
    let names = twin.processes.iter();
    let names: Vec<&str> = names.map(|p| system.process(*p).name.as_str()).collect();
    let who = match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    let seen: Vec<String> = (view(system, sources, twin).into_iter())
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let seen = match seen.is_empty() {
        true => "nothing".to_owned(),
        false => seen.join(", "),
    };
    match twin.how {
        Knowing::Own if is_start(twin) => {
            format!("{who} cannot tell it from the start of a run, and sees in both: {seen}")
        }
        Knowing::Own => {
            format!("{who} cannot tell it from this run, and sees at the end of both: {seen}")
        }
        Knowing::Distributed => {
            format!(
                "{who} together cannot tell it from this run, and see at the end of both: {seen}"
            )
        }
        Knowing::Common => {
            format!("for all that {who} know of each other, it could be this run")
        }
    }
}
