//! What must hold: ratios, each with the number that was measured.

use std::fmt::Write;

use crate::competitor::Kind;
use crate::largest::{Reach, reaches};
use crate::measurement::Measurement;
use crate::table::{Row, name};

/// A number that has to be large enough, or is not known.
pub struct Goal {
    what: String,
    wanted: f64,
    aim: Option<f64>,
    found: Result<f64, String>,
    detail: String,
}

impl Goal {
    /// A number that was measured.
    pub fn at_least(what: String, wanted: f64, aim: Option<f64>, found: f64) -> Goal {
        Goal {
            what,
            wanted,
            aim,
            found: Ok(found),
            detail: String::new(),
        }
    }

    /// A number that is not known, and why.
    pub fn unknown(what: String, wanted: f64, why: &str) -> Goal {
        Goal {
            what,
            wanted,
            aim: None,
            found: Err(why.to_string()),
            detail: String::new(),
        }
    }

    /// With a remark.
    pub fn with(mut self, detail: String) -> Goal {
        self.detail = detail;
        self
    }
}

/// The goals as a table.
pub fn text(goals: &[Goal]) -> String {
    let mut text = format!(
        "{:<66} {:>8} {:>8} {:>9}\n",
        "ratio", "at least", "aim", "measured"
    );
    for goal in goals {
        let aim = goal.aim.map_or(String::new(), |aim| format!("{aim:.1}"));
        let (found, met) = match &goal.found {
            Ok(found) if *found >= goal.aim.unwrap_or(goal.wanted) => {
                (format!("{found:.2}"), "met")
            }
            Ok(found) if *found >= goal.wanted => (format!("{found:.2}"), "met, below the aim"),
            Ok(found) => (format!("{found:.2}"), "NOT MET"),
            Err(why) => ("-".to_string(), why.as_str()),
        };
        let line = format!(
            "{:<66} {:>8.1} {aim:>8} {found:>9}  {met}  {}",
            goal.what, goal.wanted, goal.detail
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Throughput, memory and reach, from the rows of the table.
pub fn from_rows(rows: &[Row]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for group in rows.chunk_by(|a, b| name(a.instance) == name(b.instance)) {
        let model = name(group[0].instance);
        let throughput = |m: &Measurement| m.throughput();
        let what = format!("{model}: transitions/s, ours / pan's, no reduction");
        goals.push(compare(group, what, 1.0, 3.0, throughput));
        let what = format!("{model}: bytes per state, pan's / ours, no reduction");
        goals.push(memory(group, what));
    }
    let reaches = reaches(rows);
    for spins in reaches.iter().filter(|reach| reach.competitor == "spin") {
        // What everybody gets, on one core or on all.
        let ours = reaches.iter().filter(|r| {
            r.model == spins.model
                && (r.competitor == "sandalc" || r.competitor.starts_with("sandalc-x"))
        });
        goals.extend(ours.max_by_key(|r| r.size).map(|best| reach(spins, best)));
    }
    goals
}

/// Ours by theirs on the largest size where both are known, plain searches of one thread.
fn compare(
    group: &[Row],
    what: String,
    wanted: f64,
    aim: f64,
    figure: impl Fn(&Measurement) -> Option<f64>,
) -> Goal {
    let theirs = group
        .iter()
        .filter(|row| row.who.kind == Kind::Spin { reduction: false });
    let both = theirs.filter_map(|row| {
        let ours = group
            .iter()
            .find(|r| r.instance.size == row.instance.size && r.who.name == "sandalc-plain")?;
        let ratio = figure(&ours.measured)? / figure(&row.measured)?;
        Some((row.instance.constant(), ratio))
    });
    match both.last() {
        Some((size, ratio)) => Goal::at_least(what, wanted, Some(aim), ratio).with(size),
        None => Goal::unknown(what, wanted, "no size is large enough for both"),
    }
}

/// Bytes per state, theirs by ours, of each on the largest size it can do: they hardly depend on it.
fn memory(group: &[Row], what: String) -> Goal {
    let last = |who: &str| {
        let known = group.iter().filter(|row| row.who.name == who);
        known
            .filter_map(|row| Some((row.instance.constant(), row.measured.bytes_per_state()?)))
            .next_back()
    };
    match (last("spin-noreduce"), last("sandalc-plain")) {
        (Some((there, theirs)), Some((here, ours))) => {
            let detail = format!("{theirs:.1} ({there}) / {ours:.1} ({here})");
            Goal::at_least(what, 2.0, Some(4.0), theirs / ours).with(detail)
        }
        _ => Goal::unknown(what, 2.0, "no size is large enough"),
    }
}

/// Sizes by which we go beyond Spin, if its sizes ended with its limits.
fn reach(spins: &Reach, ours: &Reach) -> Goal {
    let what = format!("{}: largest size, ours - Spin's", spins.model);
    let (theirs, our) = (spins.size.unwrap_or(0), ours.size.unwrap_or(0));
    let difference = f64::from(our) - f64::from(theirs);
    let open = |reach: &Reach| if reach.failed_next { "" } else { ">=" };
    let detail = format!(
        "{}{our} - {}{theirs} ({})",
        open(ours),
        open(spins),
        ours.competitor
    );
    match ours.failed_next || spins.failed_next {
        true => Goal::at_least(what, 0.0, Some(2.0), difference).with(detail),
        false => Goal::unknown(what, 0.0, "all sizes are within the limits of both").with(detail),
    }
}
