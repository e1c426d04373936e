//! `sandalc tolerance`: a table with a row for each fault and a column for each property, and what breaks what.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::{Subject, has_cut_sets, verdict};
use crate::analysis::{FaultSet, Shape, Survey, Surveyed, Tolerates};
use crate::report::html::Table;
use crate::report::text::{Style, plural};

/// No table is wider, if it can be helped.
const WIDTH: usize = 100;

/// So many sets are listed for people.
const MOST: usize = 12;

/// The report for people.
pub fn text(subject: &Subject<'_>, survey: &Survey, style: Style) -> String {
    let mut out = String::new();
    let (plain, told): (Vec<&Surveyed>, Vec<&Surveyed>) = survey
        .properties
        .iter()
        .partition(|s| s.tolerates == Tolerates::Any && s.violations.missing.is_none());
    if subject.faults.is_empty() {
        out += "The model marks no faults: there is nothing to tolerate.\n\n";
    }
    for columns in blocks(subject, &told) {
        table(subject, &columns, style, &mut out);
        out.push('\n');
    }
    if !plain.is_empty() {
        let names: Vec<&str> = plain.iter().map(|s| subject.property(s)).collect();
        let whatever = match subject.faults.is_empty() {
            true => "",
            false => ", whatever faults happen",
        };
        let _ = writeln!(
            out,
            "{}{whatever}: {}",
            style.good("holds"),
            names.join(", ")
        );
    }
    // Whatever follows has an empty line before it.
    if plain.is_empty() && out.ends_with("\n\n") {
        out.pop();
    }
    for surveyed in told {
        details(subject, surveyed, style, &mut out);
    }
    out
}

/// The columns of each table, so that none is too wide.
fn blocks<'a>(subject: &Subject<'_>, told: &[&'a Surveyed]) -> Vec<Vec<&'a Surveyed>> {
    let mut blocks: Vec<Vec<&Surveyed>> = Vec::new();
    let first = row_width(subject);
    let mut left = 0;
    for surveyed in told {
        let width = column_width(subject, surveyed) + 2;
        match blocks.last_mut() {
            Some(block) if width <= left => block.push(surveyed),
            _ => {
                blocks.push(vec![surveyed]);
                left = WIDTH.saturating_sub(first);
            }
        }
        left = left.saturating_sub(width);
    }
    blocks
}

const WITHOUT: &str = "without faults";
const PAIRS: &str = "in pairs";
const TOGETHER: &str = "all together";
const TOLERATES: &str = "tolerates";

fn row_width(subject: &Subject<'_>) -> usize {
    let names = (0..subject.faults.len()).map(|f| subject.fault(f).chars().count() + 6);
    names.max().unwrap_or(0).max(WITHOUT.len())
}

fn column_width(subject: &Subject<'_>, surveyed: &Surveyed) -> usize {
    let name = subject.property(surveyed).chars().count();
    let pairs = pairs(subject, surveyed).map_or(0, |cell| cell.0.len());
    name.max("violated".len())
        .max(tolerates(surveyed).len())
        .max(pairs)
}

/// What becomes of a property if any two faults are possible, in a cell, if there are three or more: with two, that is all together.
fn pairs(subject: &Subject<'_>, surveyed: &Surveyed) -> Option<(String, Option<bool>)> {
    let count = subject.faults.len();
    if !(3..=MOST_PAIRED).contains(&count) {
        return None;
    }
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let with = |(a, b)| {
        surveyed
            .violations
            .with(FaultSet::one(a).and(FaultSet::one(b)))
    };
    let verdicts: Vec<Option<bool>> = pairs.map(with).collect();
    let violated = verdicts.iter().filter(|v| **v == Some(true)).count();
    let all = verdicts.len();
    Some(match (violated, verdicts.contains(&None)) {
        (_, true) => (verdict(None).to_owned(), None),
        (0, _) => (verdict(Some(false)).to_owned(), Some(false)),
        (count, _) if count == all => (verdict(Some(true)).to_owned(), Some(true)),
        (count, _) => (format!("{count} of {all} violated"), Some(true)),
    })
}

fn table(subject: &Subject<'_>, columns: &[&Surveyed], style: Style, out: &mut String) {
    let width = row_width(subject);
    let widths: Vec<usize> = columns.iter().map(|s| column_width(subject, s)).collect();
    let _ = write!(out, "{:width$}", "");
    for (surveyed, width) in columns.iter().zip(&widths) {
        let name = format!("{:width$}", subject.property(surveyed));
        let _ = write!(out, "  {}", style.bold(&name));
    }
    end_line(out);
    for (name, cell) in rows(subject) {
        let _ = write!(out, "{name:width$}");
        for (surveyed, width) in columns.iter().zip(&widths) {
            let (cell, violated) = cell(subject, surveyed);
            let cell = format!("{cell:width$}");
            let cell = match violated {
                Some(true) => style.bad(&cell),
                Some(false) => style.good(&cell),
                None => style.unsure(&cell),
            };
            let _ = write!(out, "  {cell}");
        }
        end_line(out);
    }
    if !subject.faults.is_empty() {
        let _ = write!(out, "{TOLERATES:width$}");
        for (surveyed, width) in columns.iter().zip(&widths) {
            let _ = write!(out, "  {:width$}", tolerates(surveyed));
        }
        end_line(out);
    }
}

/// What a row says about a property, and whether that is bad.
type Cell = Box<dyn Fn(&Subject<'_>, &Surveyed) -> (String, Option<bool>)>;

/// The rows of the table, without the last one.
fn rows(subject: &Subject<'_>) -> Vec<(String, Cell)> {
    let count = subject.faults.len();
    let with = |set: FaultSet| -> Cell {
        Box::new(move |_, surveyed| {
            let violated = surveyed.violations.with(set);
            (verdict(violated).to_owned(), violated)
        })
    };
    let mut rows = vec![(WITHOUT.to_owned(), with(FaultSet::NONE))];
    for fault in 0..count {
        let name = format!("{} alone", subject.fault(fault));
        rows.push((name, with(FaultSet::one(fault))));
    }
    if (3..=MOST_PAIRED).contains(&count) {
        let cell = |subject: &Subject<'_>, surveyed: &Surveyed| {
            pairs(subject, surveyed).unwrap_or_default()
        };
        rows.push((PAIRS.to_owned(), Box::new(cell)));
    }
    if count > 1 {
        rows.push((TOGETHER.to_owned(), with(FaultSet::all(count))));
    }
    rows
}

/// The report for the page of a check: the table, and what breaks each property and what to do about it.
pub fn tables(subject: &Subject<'_>, survey: &Survey) -> Vec<Table> {
    let told: Vec<&Surveyed> = survey.properties.iter().collect();
    let names = told.iter().map(|s| subject.property(s).to_owned());
    let mut lines: Vec<Vec<String>> = (rows(subject).into_iter())
        .map(|(name, cell)| {
            let cells = told.iter().map(|s| cell(subject, s).0);
            [name].into_iter().chain(cells).collect()
        })
        .collect();
    let last = told.iter().map(|s| tolerates(s));
    lines.push([TOLERATES.to_owned()].into_iter().chain(last).collect());
    let mut tables = vec![Table {
        title: "Which faults does it tolerate?".to_owned(),
        columns: [String::new()].into_iter().chain(names).collect(),
        rows: lines,
    }];
    let joined = |sets: &[FaultSet]| {
        let all = sets.iter().take(MOST);
        let all = all.map(|set| subject.names(*set).join(" and "));
        let mut all: Vec<String> = all.collect();
        if sets.len() > MOST {
            all.push(format!("and {} more", sets.len() - MOST));
        }
        all.join("; ")
    };
    let broken = told
        .iter()
        .filter(|s| s.violations.is_rising() && s.violations.with(FaultSet::NONE) == Some(false));
    let sets: Vec<Vec<String>> = broken
        .filter(|s| !s.violations.cut_sets().is_empty())
        .map(|s| {
            let hardening = s.violations.hardening().unwrap_or_default();
            let missing = match s.violations.missing {
                Some(_) => " (incomplete)",
                None => "",
            };
            vec![
                subject.property(s).to_owned(),
                joined(&s.violations.cut_sets()) + missing,
                joined(&hardening),
            ]
        })
        .collect();
    if !sets.is_empty() {
        tables.push(Table {
            title: "What breaks it, and what to rule out".to_owned(),
            columns: [
                "property",
                "violated if one of these is possible",
                "holds if one of these is ruled out",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows: sets,
        });
    }
    tables
}

fn end_line(out: &mut String) {
    while out.ends_with(' ') {
        out.pop();
    }
    out.push('\n');
}

/// How many injections a property survives, in a cell.
pub fn tolerates(surveyed: &Surveyed) -> String {
    match surveyed.tolerates {
        Tolerates::AtMost(0) => "no injection".to_owned(),
        Tolerates::AtMost(most) => plural(most as usize, "injection"),
        Tolerates::Nothing => "nothing".to_owned(),
        Tolerates::Any => "any number".to_owned(),
        Tolerates::AnyFinite => "finitely many".to_owned(),
        Tolerates::AtLeast(least) => format!("at least {least}"),
        Tolerates::Unknown => "unknown".to_owned(),
    }
}

/// What breaks a property, and what repairs it.
fn details(subject: &Subject<'_>, surveyed: &Surveyed, style: Style, out: &mut String) {
    let name = style.bold(subject.property(surveyed));
    let violations = &surveyed.violations;
    let list = |sets: &[FaultSet], joint: &str, out: &mut String| {
        for set in sets.iter().take(MOST) {
            let _ = writeln!(out, "    {}", subject.names(*set).join(joint));
        }
        if sets.len() > MOST {
            let _ = writeln!(out, "    and {} more", sets.len() - MOST);
        }
    };
    let without = violations.with(FaultSet::NONE);
    out.push('\n');
    match &violations.shape {
        Shape::Rising(_) if without == Some(true) => {
            let _ = writeln!(out, "{name} is violated even without faults.");
        }
        Shape::Rising(_) => {
            let cuts = violations.cut_sets();
            if !cuts.is_empty() {
                let _ = writeln!(out, "{name} is violated if one of these is possible:");
                list(&cuts, " and ", out);
                match violations.hardening() {
                    Some(sets) if !sets.is_empty() => {
                        let _ = writeln!(out, "  It holds if one of these is ruled out:");
                        list(&sets, " and ", out);
                    }
                    _ => {}
                }
            } else {
                let _ = writeln!(out, "{name}: no set of faults is known that violates it.");
            }
        }
        Shape::Falling(possible) => {
            let sets = possible.smallest.sorted();
            if sets.is_empty() {
                let _ = writeln!(out, "{name} is violated: no faults bring it about.");
            } else if without != Some(false) {
                let _ = writeln!(out, "{name} needs faults to be possible:");
                list(&sets, " and ", out);
            }
        }
        Shape::Table(_) if violations.cut_sets().is_empty() => {
            let _ = writeln!(out, "{name} holds with every set of faults that was tried.");
        }
        Shape::Table(_) => {
            let _ = writeln!(
                out,
                "{name} can be broken and repaired by faults. It is violated"
            );
            for implicant in violations.prime_implicants().iter().take(MOST) {
                let with = subject.names(implicant.with).join(" and ");
                let without = subject.names(implicant.without).join(" and ");
                let _ = match (with.is_empty(), without.is_empty()) {
                    (true, true) => writeln!(out, "    always"),
                    (false, true) => writeln!(out, "    with {with}"),
                    (true, false) => writeln!(out, "    without {without}"),
                    (false, false) => writeln!(out, "    with {with}, without {without}"),
                };
            }
        }
    }
    if surveyed.tolerates == Tolerates::AnyFinite {
        out.push_str("  It takes faults that are injected again and again, for ever.\n");
    }
    if let Tolerates::AtLeast(most) = surveyed.tolerates {
        let _ = writeln!(
            out,
            "  It holds with up to {}; more were not tried (`--max-faults`).",
            plural(most as usize, "injection")
        );
    }
    if let Some(why) = &violations.missing {
        let _ = writeln!(
            out,
            "  {}: {why}. What is listed is true; there may be more.",
            style.unsure("incomplete")
        );
    }
}

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    file: &'a str,
    faults: Vec<&'a str>,
    properties: Vec<Property<'a>>,
}

#[derive(Serialize)]
struct Property<'a> {
    name: &'a str,
    kind: &'a str,
    without: &'a str,
    alone: BTreeMap<&'a str, &'a str>,
    pairs: Vec<Pair<'a>>,
    together: &'a str,
    tolerates: Option<i64>,
    tolerates_text: String,
    cut_sets: Option<Vec<Vec<&'a str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prime_implicants: Option<Vec<Implicant<'a>>>,
    hardening: Option<Vec<Vec<&'a str>>>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a str>,
}

#[derive(Serialize)]
struct Pair<'a> {
    faults: Vec<&'a str>,
    verdict: &'a str,
}

/// A condition on faults.
#[derive(Serialize)]
pub struct Implicant<'a> {
    with: Vec<&'a str>,
    without: Vec<&'a str>,
}

/// The prime implicants of a property.
pub fn implicants<'a>(subject: &'a Subject<'_>, surveyed: &Surveyed) -> Vec<Implicant<'a>> {
    let all = surveyed.violations.prime_implicants();
    all.iter()
        .map(|implicant| Implicant {
            with: subject.names(implicant.with),
            without: subject.names(implicant.without),
        })
        .collect()
}

/// With more faults than this pairs are left to the cut sets.
const MOST_PAIRED: usize = 32;

/// The report for programs, described by `docs/tolerance.schema.json`.
pub fn json(subject: &Subject<'_>, survey: &Survey) -> String {
    let report = Report {
        format: 1,
        file: subject.file,
        faults: subject.names(FaultSet::all(subject.faults.len())),
        properties: survey
            .properties
            .iter()
            .map(|surveyed| property(subject, surveyed))
            .collect(),
    };
    serde_json::to_string(&report).expect("a report is plain data")
}

fn property<'a>(subject: &'a Subject<'_>, surveyed: &'a Surveyed) -> Property<'a> {
    let count = subject.faults.len();
    let violations = &surveyed.violations;
    let said = |set: FaultSet| verdict(violations.with(set));
    let cuts = has_cut_sets(subject, surveyed);
    let alone = (0..count).map(|f| (subject.fault(f), said(FaultSet::one(f))));
    let paired = if count > MOST_PAIRED { 0 } else { count };
    let pairs = (0..paired).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let pairs = pairs.map(|(a, b)| Pair {
        faults: vec![subject.fault(a), subject.fault(b)],
        verdict: said(FaultSet::one(a).and(FaultSet::one(b))),
    });
    let hardening = violations.hardening();
    Property {
        name: subject.property(surveyed),
        kind: subject.kind(surveyed),
        without: said(FaultSet::NONE),
        alone: alone.collect(),
        pairs: pairs.collect(),
        together: said(FaultSet::all(count)),
        tolerates: match surveyed.tolerates {
            Tolerates::AtMost(most) | Tolerates::AtLeast(most) => Some(most.into()),
            Tolerates::Nothing => Some(-1),
            Tolerates::Any | Tolerates::AnyFinite | Tolerates::Unknown => None,
        },
        tolerates_text: tolerates(surveyed),
        cut_sets: cuts.then(|| subject.all_names(&violations.cut_sets())),
        prime_implicants: (!cuts).then(|| implicants(subject, surveyed)),
        hardening: hardening.map(|sets| subject.all_names(&sets)),
        complete: violations.missing.is_none() && surveyed.tolerates != Tolerates::Unknown,
        missing: violations.missing.as_deref(),
    }
}
