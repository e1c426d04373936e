//! What is known about the levels of `tolerant`, line by line.

use std::fmt::Write as _;

use super::html::Table;
use super::text::Style;
use crate::check::Answer;
use crate::system::{Property, System, Tolerant};
use crate::vocabulary::Level;

/// With more faults than this only their number is told.
const MOST_NAMES: usize = 3;

/// `yes`, `no` or `unknown`: whether a level is reached.
pub fn reached(answer: &Answer) -> &'static str {
    match answer.verdict() {
        "holds" => "yes",
        "violated" => "no",
        unknown => unknown,
    }
}

/// `to order1@drop, at may_recover`: what a property tolerates, and how well it has to.
pub fn tolerated(system: &System, tolerant: &Tolerant) -> String {
    let names = tolerant.faults.iter();
    let names: Vec<&str> = names.map(|fault| system.fault_name(*fault)).collect();
    let faults = match names.len() {
        0 => "no faults".to_owned(),
        count if count > MOST_NAMES => format!("{count} faults"),
        _ => names.join(", "),
    };
    match tolerant.at {
        Some(level) => format!("to {faults} at {}", level.as_str()),
        None => format!("to {faults}"),
    }
}

/// A line for each level, below that of the property.
pub fn lines(property: &Property, answer: &Answer, style: Style) -> String {
    let mut out = String::new();
    let wanted = property.tolerant.as_ref().and_then(|tolerant| tolerant.at);
    for level in &answer.levels {
        let Some(name) = level.level else { continue };
        let word = format!("{:7}", reached(level));
        let word = match (level.verdict(), wanted == Some(name)) {
            ("holds", _) => style.good(&word),
            ("violated", true) => style.bad(&word),
            ("violated", false) => style.bold(&word),
            _ => style.unsure(&word),
        };
        let _ = writeln!(
            out,
            "          {word}  {:16}  {}",
            name.as_str(),
            name.meaning()
        );
    }
    out
}

/// What the run of a level that is not reached shows.
pub fn heading(property: &Property, level: Level) -> String {
    format!("{} does not reach {}", property.name, level.as_str())
}

/// What is to be seen at the end of such a run.
pub fn end(property: &Property, level: Level) -> String {
    let name = &property.name;
    match level {
        Level::MayRecover => format!("from here on {name} cannot become true"),
        _ => format!("here {name} is false"),
    }
}

/// The levels of all `tolerant` properties, a column for each property.
pub fn table(system: &System, answers: &[Answer]) -> Option<Table> {
    let tolerant: Vec<&Answer> = answers.iter().filter(|a| !a.levels.is_empty()).collect();
    if tolerant.is_empty() {
        return None;
    }
    let columns = tolerant.iter().map(|answer| {
        let property = &system.properties[answer.property];
        let tolerant = property.tolerant.as_ref();
        let to = tolerant.map(|tolerant| tolerated(system, tolerant));
        format!("{} {}", property.name, to.unwrap_or_default())
    });
    let rows = Level::ALL.iter().enumerate().map(|(index, level)| {
        let cells = tolerant.iter();
        let cells = cells.map(|answer| answer.levels.get(index).map_or("", reached).to_owned());
        let head = [level.as_str(), level.meaning()].map(str::to_owned);
        head.into_iter().chain(cells).collect()
    });
    Some(Table {
        title: "How well conditions bear faults".to_owned(),
        columns: ["level", "meaning"]
            .map(str::to_owned)
            .into_iter()
            .chain(columns)
            .collect(),
        rows: rows.collect(),
    })
}
