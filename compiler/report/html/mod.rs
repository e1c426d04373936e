//! A report to show somebody: one HTML file with everything in it, which loads nothing.
//!
//! The page itself (verdicts, pictures for paper, notes) is written here, every text escaped. The runs are data in JSON (`data.rs`)
//! that the page's own script draws, as text and never as markup. A policy in the page allows that one script and nothing
//! else: should a text ever get through, it would not run, and nothing could be fetched.

mod data;

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::chart;
use super::drawing::{STYLE, escaped};
use super::graph;
use super::json::About;
use super::levels;
use super::text::{confirmation, detail};
use super::twin;
use super::{Counts, thousands};
use crate::check::{Answer, Twin};
use crate::source::{Sources, escaped_json};
use crate::system::System;

const COLOURS_AND_PLACES: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// What the policy calls the script and the style: their SHA-256, worked out when `sandalc` is built.
const SCRIPT_HASH: &str = include_str!(concat!(env!("OUT_DIR"), "/script_hash.txt"));
const STYLE_HASH: &str = include_str!(concat!(env!("OUT_DIR"), "/style_hash.txt"));

/// What a report is about.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The System, as it is woven.
    pub system: &'a System,
    /// Its texts.
    pub sources: &'a Sources,
    /// The answers, those with a run drawn.
    pub answers: &'a [Answer],
    /// What else there is to tell.
    pub about: &'a About<'a>,
    /// Further tables, after the runs.
    pub tables: &'a [Table],
    /// Notes, a paragraph each.
    pub notes: &'a [String],
}

/// A table with its heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// What its columns are called.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// Writes the report.
pub fn page(page: &Page<'_>) -> String {
    // Those of properties first, then those of levels; last those that somebody cannot tell from one of these.
    let whole = page.answers.iter();
    let parts = (page.answers.iter()).flat_map(|a| a.levels.iter().filter(|l| l.level != a.level));
    let runs: Vec<&Answer> = (whole.chain(parts))
        .filter(|answer| answer.trace.is_some())
        .collect();
    let others: Vec<Answer> = runs.iter().filter_map(|run| run.other_run()).collect();
    let mut body = String::new();
    verdicts(&mut body, page);
    self::runs(&mut body, page, &runs);
    for table in page.tables {
        self::table(&mut body, table);
    }
    topology(&mut body, page.system);
    notes(&mut body, page);
    let all: Vec<&Answer> = runs.into_iter().chain(&others).collect();
    let about = (page.system, page.sources);
    document(page.about.file, &summary(page.answers), &body, about, &all)
}

/// A page about a model with these runs in it: what `body` says, with all that it takes to look at it.
pub fn document(
    file: &str,
    summary: &str,
    body: &str,
    (system, sources): (&System, &Sources),
    runs: &[&Answer],
) -> String {
    let (data, machines) = data::data(system, sources, runs);
    let title = escaped(file);
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let _ = write!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; \
         script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"sandalc {}\">\n\
         <title>{title}: sandalc</title>\n<style>{COLOURS_AND_PLACES}{STYLE}</style>\n</head>\n<body>\n",
        env!("CARGO_PKG_VERSION"),
    );
    let _ = write!(
        out,
        "<header>\n<h1>{title}</h1>\n<p>{summary}</p>\n\
         <button id=\"theme\" class=\"theme\" type=\"button\" hidden>light or dark</button>\n</header>\n<main>\n{body}</main>\n<footer>"
    );
    let _ = writeln!(
        out,
        "Written by sandalc {}. This page is one file and loads nothing.</footer>",
        env!("CARGO_PKG_VERSION")
    );
    for (index, machine) in machines.iter().enumerate() {
        let _ = writeln!(out, "<template id=\"machine-{index}\">{machine}</template>");
    }
    // Inside of a script only `<` could end it; the other is for those who look for tags.
    let json = escaped_json(&data).replace('<', "\\u003c");
    let json = json.replace('>', "\\u003e");
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"data\">{json}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    );
    out
}

/// Adds the picture of processes and channels.
pub fn topology(out: &mut String, system: &System) {
    let picture = graph::svg::part(&graph::topology(system), &|_| None);
    let _ = write!(
        out,
        "<section aria-labelledby=\"topology\">\n<h2 id=\"topology\">Processes and channels</h2>\n<div class=\"scroll\" tabindex=\"0\">\n{picture}</div>\n</section>\n"
    );
}

/// `5 hold, 2 violated`
fn summary(answers: &[Answer]) -> String {
    let counts = Counts::of(answers);
    let parts = [
        (
            counts.hold,
            "holds",
            if counts.hold == 1 { "holds" } else { "hold" },
        ),
        (counts.violated, "violated", "violated"),
        (counts.unknown, "unknown", "unknown"),
    ];
    let parts = parts.iter().filter(|(count, ..)| *count > 0);
    let parts =
        parts.map(|(count, class, word)| format!("<span class=\"{class}\">{count} {word}</span>"));
    parts.collect::<Vec<_>>().join(", ")
}

fn verdicts(out: &mut String, page: &Page<'_>) {
    out.push_str(
        "<section aria-labelledby=\"verdicts\">\n<h2 id=\"verdicts\">Verdicts</h2>\n<div class=\"scroll\" tabindex=\"0\">\n\
         <table class=\"verdicts\">\n<thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">property</th>\
         <th scope=\"col\">kind</th><th scope=\"col\">place</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n",
    );
    let mut run = 0;
    for answer in page.answers {
        let property = &page.system.properties[answer.property];
        let name = escaped(&property.name);
        let name = match &answer.trace {
            Some(_) => {
                run += 1;
                let index = run - 1;
                format!("<a href=\"#run-{index}\" data-run=\"{index}\">{name}</a>")
            }
            None => name,
        };
        let place = property.span.map(|span| page.sources.place(span));
        let verdict = answer.verdict();
        let _ = writeln!(
            out,
            "<tr><td class=\"{verdict}\">{verdict}</td><th scope=\"row\">{name}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(property.kind_name()),
            escaped(&place.unwrap_or_else(|| "built in".to_owned())),
            escaped(&detail(page.system, page.sources, property, answer)),
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}

fn runs(out: &mut String, page: &Page<'_>, runs: &[&Answer]) {
    if runs.is_empty() {
        return;
    }
    out.push_str(
        "<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n\
         <p class=\"note keys\">Keys: <kbd>←</kbd> <kbd>→</kbd> step by step, <kbd>Home</kbd> <kbd>End</kbd>, <kbd>f</kbd> to the next fault, \
         <kbd>/</kbd> to find. A click on the chart goes there.</p>\n<noscript><p>Without scripts the charts below are pictures.</p></noscript>\n\
         <div role=\"tablist\" aria-label=\"runs\">\n",
    );
    for (index, answer) in runs.iter().enumerate() {
        let name = &page.system.properties[answer.property].name;
        let name = match answer.level {
            Some(level) => format!("{name}: {}", level.as_str()),
            None => name.clone(),
        };
        let _ = writeln!(
            out,
            "<button type=\"button\" role=\"tab\" id=\"tab-{index}\" aria-controls=\"run-{index}\" aria-selected=\"false\">{}</button>",
            escaped(&name)
        );
    }
    out.push_str("</div>\n");
    let mut next = runs.len();
    for (index, answer) in runs.iter().enumerate() {
        let property = &page.system.properties[answer.property];
        let title = match (answer.level, answer.is_violated()) {
            (Some(level), _) => levels::heading(property, level),
            (None, true) => format!("{} is violated", property.name),
            (None, false) => format!("{} is reachable", property.name),
        };
        let _ = writeln!(
            out,
            "<div role=\"tabpanel\" id=\"run-{index}\" aria-labelledby=\"tab-{index}\">"
        );
        match (&answer.twin, answer.other_run()) {
            (Some(twin), Some(other)) => {
                out.push_str("<div class=\"twins\">\n<div>\n");
                viewer(out, page, answer, &title, index);
                out.push_str("</div>\n<div>\n");
                let claim = twin::claim(page.system, twin);
                viewer(out, page, &other, &claim, next);
                out.push_str("</div>\n</div>\n");
                shared(out, page, twin);
                next += 1;
            }
            _ => viewer(out, page, answer, &title, index),
        }
        out.push_str("</div>\n");
    }
    out.push_str("</section>\n");
}

/// The heading of a run, where the script draws it, and a picture of it for paper.
fn viewer(out: &mut String, page: &Page<'_>, answer: &Answer, title: &str, run: usize) {
    let chart = chart::of(page.system, page.sources, answer).map(|chart| chart.folded());
    let on_paper = chart.map_or_else(String::new, |chart| {
        chart::svg::part(&chart.abridged(), title)
    });
    let _ = write!(
        out,
        "<h3>{}</h3>\n<div class=\"viewer\" data-run=\"{run}\"></div>\n<div class=\"paper-only\">\n{on_paper}</div>\n",
        escaped(title)
    );
}

/// What is seen at the end of two runs that cannot be told apart.
fn shared(out: &mut String, page: &Page<'_>, twin: &Twin) {
    let Some(sees) = twin::sees(page.system, twin) else {
        return;
    };
    let names = twin.processes.iter();
    let names: Vec<&str> = (names.map(|p| page.system.process(*p).name.as_str())).collect();
    let who = escaped(&names.join(", "));
    let _ = write!(
        out,
        "<h3>{who} {sees}</h3>\n<table class=\"verdicts shared\">\n<tbody>\n"
    );
    for (name, value) in twin::view(page.system, page.sources, twin) {
        let (name, value) = (escaped(&name), escaped(&value));
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>"
        );
    }
    out.push_str("</tbody>\n</table>\n");
}

fn table(out: &mut String, table: &Table) {
    let _ = write!(
        out,
        "<section>\n<h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\">\n<table class=\"verdicts\">\n<thead><tr>",
        escaped(&table.title)
    );
    for column in &table.columns {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(column));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for cell in row {
            // What is known elsewhere by a colour is so here.
            let class = match cell.as_str() {
                "holds" | "violated" | "unknown" => format!(" class=\"{cell}\""),
                "yes" => " class=\"holds\"".to_owned(),
                "no" => " class=\"violated\"".to_owned(),
                _ => String::new(),
            };
            let _ = write!(out, "<td{class}>{}</td>", escaped(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}

fn notes(out: &mut String, page: &Page<'_>) {
    let about = page.about;
    let mut notes: Vec<String> = Vec::new();
    if let Some(states) = about.states {
        notes.push(format!("The model has {} states.", thousands(states)));
    }
    notes.push(match about.second {
        Some(second) => format!(
            "Answered by the {} engine; {}.",
            about.engine,
            confirmation(second).trim_end()
        ),
        None => format!("Answered by the {} engine.", about.engine),
    });
    notes.extend(page.notes.iter().cloned());
    out.push_str("<section aria-labelledby=\"notes\">\n<h2 id=\"notes\">Notes</h2>\n");
    for note in &notes {
        let _ = writeln!(out, "<p>{}</p>", escaped(note));
    }
    out.push_str("</section>\n");
}
