//! The second run of a violation that turns on what somebody does not know, in words.

use crate::check::{Seen, SeenValue, Twin};
use crate::source::Sources;
use crate::system::print::expr::scalar;
use crate::system::{LocationKind, System};
use crate::trace::words;
use crate::vocabulary::Knowing;

/// What is seen in both states, name and value.
pub fn view(system: &System, sources: &Sources, twin: &Twin) -> Vec<(String, String)> {
    values(system, sources, &twin.seen)
}

/// What is seen, name and value.
pub fn values(system: &System, sources: &Sources, seen: &Seen) -> Vec<(String, String)> {
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
    let seen = seen.iter();
    seen.map(|(name, seen)| (name.clone(), value(seen)))
        .collect()
}

/// Whether the second run is the start alone, and there is only one, so that there is nothing to show.
pub fn is_start(system: &System, twin: &Twin) -> bool {
    twin.trace.steps.is_empty() && words::chosen(system, &twin.trace.initial).is_empty()
}

/// What the second run shows, before its steps.
pub fn heading(system: &System, sources: &Sources, twin: &Twin) -> String {
    let claim = claim(system, twin);
    let Some(sees) = sees(system, twin) else {
        return claim;
    };
    let seen: Vec<String> = (view(system, sources, twin).into_iter())
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let seen = match seen.is_empty() {
        true => "nothing".to_owned(),
        false => seen.join(", "),
    };
    format!("{claim}, and {sees}: {seen}")
}

/// Who cannot tell the two runs apart.
pub fn claim(system: &System, twin: &Twin) -> String {
    let names = twin.processes.iter();
    let names: Vec<&str> = names.map(|p| system.process(*p).name.as_str()).collect();
    let who = match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    let other = match is_start(system, twin) {
        true => "the start of a run",
        false => "this run",
    };
    match twin.how {
        Knowing::Own => format!("{who} cannot tell it from {other}"),
        Knowing::Distributed => format!("{who} together cannot tell it from {other}"),
        Knowing::Common => format!("for all that {who} know of each other, it could be {other}"),
    }
}

/// That they see the same at both ends. Of `common` there is no such view.
pub fn sees(system: &System, twin: &Twin) -> Option<String> {
    let sees = match twin.how {
        Knowing::Own => "sees",
        Knowing::Distributed => "see",
        Knowing::Common => return None,
    };
    let place = match is_start(system, twin) {
        true => "in both",
        false => "at the end of both",
    };
    Some(format!("{sees} {place}"))
}
