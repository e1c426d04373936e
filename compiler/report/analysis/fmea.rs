//! `sandalc fmea`: a row for each fault: what it breaks by itself, with which others together, and where it shows first.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Subject, verdict};
use crate::analysis::{Effect, FaultSet, Survey, Surveyed};
use crate::report::text::{Style, plural};
use crate::source::Sources;
use crate::system::PropertyKind;
use crate::trace::words;

/// The rows of a report.
pub struct Fmea<'a> {
    /// What it is about.
    pub subject: Subject<'a>,
    /// Its texts.
    pub sources: &'a Sources,
    /// With which faults which property is violated.
    pub survey: &'a Survey,
    /// What each fault does by itself.
    pub effects: &'a [Effect],
}

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    file: &'a str,
    rows: Vec<Row<'a>>,
    complete: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    fault: &'a str,
    effects: Vec<OnProperty<'a>>,
    first_effect: Option<String>,
    /// For each property that it breaks only with others: with which.
    contributes: Vec<Contribution<'a>>,
}

#[derive(Serialize)]
struct OnProperty<'a> {
    property: &'a str,
    verdict: &'a str,
    without: &'a str,
}

#[derive(Serialize)]
struct Contribution<'a> {
    property: &'a str,
    with: Vec<Vec<&'a str>>,
}

impl Fmea<'_> {
    fn rows(&self) -> Vec<Row<'_>> {
        self.effects.iter().map(|effect| self.row(effect)).collect()
    }

    fn row<'a>(&'a self, effect: &'a Effect) -> Row<'a> {
        let alone = FaultSet::one(effect.fault);
        let on = |surveyed: &'a Surveyed| OnProperty {
            property: self.subject.property(surveyed),
            verdict: verdict(surveyed.violations.with(alone)),
            without: verdict(surveyed.violations.with(FaultSet::NONE)),
        };
        let properties = &self.survey.properties;
        let contributes = properties.iter().filter_map(|surveyed| {
            let cuts = surveyed.violations.cut_sets();
            let others: Vec<FaultSet> = cuts
                .into_iter()
                .filter(|cut| cut.includes(alone) && cut.len() > 1)
                .map(|cut| cut.without(alone))
                .collect();
            (!others.is_empty()).then(|| Contribution {
                property: self.subject.property(surveyed),
                with: self.subject.all_names(&others),
            })
        });
        Row {
            fault: self.subject.fault(effect.fault),
            effects: properties.iter().map(on).collect(),
            first_effect: self.first_effect(effect),
            contributes: contributes.collect(),
        }
    }

    /// Where a fault shows first, in words.
    fn first_effect(&self, effect: &Effect) -> Option<String> {
        let answer = effect.first.as_ref()?;
        let trace = answer.trace.as_ref()?;
        let system = &effect.system;
        let at = trace.steps.iter().position(|step| step.fault.is_some())?;
        let happens = words::step(system, self.sources, &trace.steps[at]);
        let property = &system.properties[answer.property];
        let mut text = format!("{}; ", happens.trim_start_matches("FAULT "));
        let later = trace.steps.len() - at - 1;
        match trace.loop_start {
            Some(_) => {
                let _ = write!(
                    text,
                    "from then on {} can be missed for ever",
                    property.name
                );
            }
            None if later == 0 => {
                let _ = write!(text, "at once {} is violated", property.name);
            }
            None => {
                let steps = plural(later, "step");
                let _ = write!(text, "{steps} later {} is violated", property.name);
            }
        }
        if property.kind == PropertyKind::Deadlock {
            let waiting = words::waiting(system, trace);
            let waiting: Vec<String> = waiting.into_iter().map(|(text, _)| text).collect();
            let _ = write!(text, ": {}", waiting.join(", "));
        }
        Some(text)
    }

    /// Whether everything is known.
    pub fn is_complete(&self) -> bool {
        let known = |s: &Surveyed| s.violations.missing.is_none();
        self.survey.properties.iter().all(known)
    }
}

/// The report for programs, described by `docs/fmea.schema.json`.
pub fn json(fmea: &Fmea<'_>) -> String {
    let report = Report {
        format: 1,
        file: fmea.subject.file,
        rows: fmea.rows(),
        complete: fmea.is_complete(),
    };
    serde_json::to_string(&report).expect("a report is plain data")
}

/// The report as a table for spreadsheets: comma-separated values as in RFC 4180.
pub fn csv(fmea: &Fmea<'_>) -> String {
    let mut out = String::new();
    let mut line = |cells: Vec<String>| {
        let quoted = cells
            .iter()
            .map(|cell| match cell.contains([',', '"', '\n']) {
                true => format!("\"{}\"", cell.replace('"', "\"\"")),
                false => cell.clone(),
            });
        let cells: Vec<String> = quoted.collect();
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    };
    let mut head = vec!["fault".to_owned()];
    let names = fmea.survey.properties.iter();
    head.extend(names.map(|s| fmea.subject.property(s).to_owned()));
    head.extend(["first effect".to_owned(), "together with".to_owned()]);
    line(head);
    for row in fmea.rows() {
        let mut cells = vec![row.fault.to_owned()];
        cells.extend(row.effects.iter().map(|e| e.verdict.to_owned()));
        cells.push(row.first_effect.clone().unwrap_or_default());
        cells.push(contributions(&row).join("; "));
        line(cells);
    }
    out
}

fn contributions(row: &Row<'_>) -> Vec<String> {
    let contributes = row.contributes.iter();
    contributes
        .map(|c| {
            let sets: Vec<String> = c.with.iter().map(|set| set.join(" and ")).collect();
            format!("{} with {}", c.property, sets.join(", or with "))
        })
        .collect()
}

/// The report for people.
pub fn text(fmea: &Fmea<'_>, style: Style) -> String {
    let mut out = String::new();
    if fmea.effects.is_empty() {
        out.push_str("The model marks no faults: there are no failure modes.\n");
    }
    let broken: Vec<&str> = fmea
        .survey
        .properties
        .iter()
        .filter(|s| s.violations.with(FaultSet::NONE) == Some(true))
        .map(|s| fmea.subject.property(s))
        .collect();
    if !broken.is_empty() {
        let _ = writeln!(
            out,
            "{} even without faults: {}\n",
            style.bad("violated"),
            broken.join(", ")
        );
    }
    for (index, row) in fmea.rows().into_iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "{}", style.bold(row.fault));
        let changed = |e: &&OnProperty| e.verdict != e.without;
        let breaks: Vec<&str> = (row.effects.iter().filter(changed))
            .filter(|e| e.verdict == "violated")
            .map(|e| e.property)
            .collect();
        let repairs: Vec<&str> = (row.effects.iter().filter(changed))
            .filter(|e| e.verdict == "holds" && e.without == "violated")
            .map(|e| e.property)
            .collect();
        let unknown: Vec<&str> = (row.effects.iter())
            .filter(|e| e.verdict == "unknown")
            .map(|e| e.property)
            .collect();
        if breaks.is_empty() {
            out.push_str("    breaks nothing by itself\n");
        } else {
            let _ = writeln!(out, "    {}  {}", style.bad("breaks"), breaks.join(", "));
        }
        if !repairs.is_empty() {
            let _ = writeln!(out, "    brings about  {}", repairs.join(", "));
        }
        if !unknown.is_empty() {
            let _ = writeln!(
                out,
                "    {}  {}",
                style.unsure("unknown"),
                unknown.join(", ")
            );
        }
        if let Some(first) = &row.first_effect {
            let _ = writeln!(out, "    first  {first}");
        }
        for contribution in contributions(&row) {
            let _ = writeln!(out, "    together  {contribution}");
        }
    }
    out
}
