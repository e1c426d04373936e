//! `sandalc fta`: the fault tree of a property, for people and programs.
//!
//! The top event is that the property is violated. Below it one gate joins the ways in which that happens, each of which is
//! a set of faults that have to be possible together, or, where a fault can also prevent it, that must not be.

use std::fmt::Write as _;

use serde::Serialize;

use super::tolerance::{Implicant, implicants};
use super::{Subject, has_cut_sets};
use crate::analysis::{self, Surveyed};
use crate::report::text::{Style, plural};

/// A fault tree, and what is known about its events.
pub struct Tree<'a> {
    /// What it is about.
    pub subject: Subject<'a>,
    /// The property whose violation is the top event.
    pub surveyed: &'a Surveyed,
    /// How likely each fault is, if that is known of all of them.
    pub probabilities: Option<Vec<f64>>,
    /// The run of each cut set, in words, if they are wanted.
    pub runs: Vec<String>,
}

/// An event of a tree: a fault is possible, or is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal {
    /// The position of the fault.
    pub fault: usize,
    /// Whether it has to be possible.
    pub possible: bool,
}

impl Tree<'_> {
    /// The name of the property.
    pub fn property(&self) -> &str {
        self.subject.property(self.surveyed)
    }

    /// The ways in which the top event happens.
    pub fn ways(&self) -> Vec<Vec<Literal>> {
        let implicants = self.surveyed.violations.prime_implicants();
        let literals = |implicant: &analysis::Implicant| {
            let mut all: Vec<Literal> = (implicant.with.positions())
                .map(|fault| Literal {
                    fault,
                    possible: true,
                })
                .collect();
            all.extend(implicant.without.positions().map(|fault| Literal {
                fault,
                possible: false,
            }));
            all
        };
        implicants.iter().map(literals).collect()
    }

    /// How an event is called.
    pub fn event(&self, literal: Literal) -> String {
        let name = self.subject.fault(literal.fault);
        match literal.possible {
            true => name.to_owned(),
            false => format!("not {name}"),
        }
    }

    /// How likely the top event is, if that can be said.
    pub fn probability(&self) -> Option<f64> {
        let probabilities = self.probabilities.as_ref()?;
        let implicants = self.surveyed.violations.prime_implicants();
        Some(analysis::probability(&implicants, probabilities))
    }
}

/// The tree for people.
pub fn text(tree: &Tree<'_>, style: Style) -> String {
    let mut out = String::new();
    let ways = tree.ways();
    let name = style.bold(tree.property());
    let probability = tree.probability();
    match ways.as_slice() {
        [] if tree.surveyed.violations.missing.is_some() => {
            let _ = writeln!(out, "No set of faults is known that violates {name}.");
        }
        [] => {
            let _ = writeln!(out, "{name} is never violated, whatever faults happen.");
        }
        [way] if way.is_empty() => {
            let _ = writeln!(out, "{name} is violated even without faults.");
        }
        ways => {
            let _ = write!(out, "{name} is violated");
            if let Some(probability) = probability {
                let _ = write!(out, ", with a probability of {probability:.6e}");
            }
            out.push('\n');
            if ways.len() > 1 {
                out.push_str("└─ OR\n");
            }
            for (index, way) in ways.iter().enumerate() {
                let last = index + 1 == ways.len();
                branch(tree, way, last, ways.len() > 1, &mut out);
            }
            let orders: Vec<String> = orders(ways)
                .into_iter()
                .map(|(size, count)| {
                    format!("{} of {}", plural(count, "set"), plural(size, "fault"))
                })
                .collect();
            let _ = writeln!(out, "\n{}", orders.join(", "));
            for (way, run) in ways.iter().zip(&tree.runs) {
                let events: Vec<String> = way.iter().map(|l| tree.event(*l)).collect();
                let heading = style.bold(&format!("With {}:", events.join(" and ")));
                let _ = write!(out, "\n{heading}\n{run}");
            }
        }
    }
    if let Some(why) = &tree.surveyed.violations.missing {
        let _ = writeln!(
            out,
            "{}: {why}. What is listed is true; there may be more.",
            style.unsure("incomplete")
        );
    }
    out
}

/// How many ways have how many events.
fn orders(ways: &[Vec<Literal>]) -> std::collections::BTreeMap<usize, usize> {
    let mut orders = std::collections::BTreeMap::new();
    for way in ways {
        *orders.entry(way.len()).or_default() += 1;
    }
    orders
}

fn branch(tree: &Tree<'_>, way: &[Literal], last: bool, several: bool, out: &mut String) {
    let indent = if several { "   " } else { "" };
    let corner = if last { "└─" } else { "├─" };
    let chance = |literal: &Literal| match &tree.probabilities {
        Some(all) if literal.possible => format!("  p = {}", all[literal.fault]),
        Some(all) => format!("  p = {}", 1.0 - all[literal.fault]),
        None => String::new(),
    };
    if let [only] = way {
        let _ = writeln!(
            out,
            "{indent}{corner} {}{}",
            tree.event(*only),
            chance(only)
        );
        return;
    }
    let _ = writeln!(out, "{indent}{corner} AND");
    let bar = if last { "   " } else { "│  " };
    for (index, literal) in way.iter().enumerate() {
        let corner = if index + 1 == way.len() {
            "└─"
        } else {
            "├─"
        };
        let _ = writeln!(
            out,
            "{indent}{bar}{corner} {}{}",
            tree.event(*literal),
            chance(literal)
        );
    }
}

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    file: &'a str,
    property: &'a str,
    kind: &'a str,
    faults: Vec<&'a str>,
    cut_sets: Option<Vec<Vec<&'a str>>>,
    prime_implicants: Vec<Implicant<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilities: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: &'a Vec<String>,
}

/// The tree for programs, described by `docs/fta.schema.json`.
pub fn json(tree: &Tree<'_>) -> String {
    let (subject, surveyed) = (&tree.subject, tree.surveyed);
    let cuts = has_cut_sets(subject, surveyed);
    let all = analysis::FaultSet::all(subject.faults.len());
    let report = Report {
        format: 1,
        file: subject.file,
        property: tree.property(),
        kind: subject.kind(surveyed),
        faults: subject.names(all),
        cut_sets: cuts.then(|| subject.all_names(&surveyed.violations.cut_sets())),
        prime_implicants: implicants(subject, surveyed),
        probabilities: tree.probabilities.clone(),
        probability: tree.probability(),
        complete: surveyed.violations.missing.is_none(),
        missing: surveyed.violations.missing.as_deref(),
        runs: &tree.runs,
    };
    serde_json::to_string(&report).expect("a report is plain data")
}
