//! A diagnosis as a page to show somebody: a row for each fault, a column for each process.

use std::fmt::Write;

use super::Named;
use crate::report::drawing::escaped;
use crate::report::html::{document, topology};
use crate::report::thousands;

/// Of how many views is told what a process sees.
const MOST_VIEWS: usize = 3;

/// Writes the page.
pub fn page(named: &Named<'_>) -> String {
    let mut body = String::from(
        "<section aria-labelledby=\"diagnosis\">\n<h2 id=\"diagnosis\">Which process can tell which fault</h2>\n\
         <p class=\"note\">After the fault in front of a row each process surely finds out that one of a set of faults has begun: these are the \
         smallest sets.</p>\n<div class=\"scroll\" tabindex=\"0\">\n<table class=\"verdicts told\">\n<thead><tr><th scope=\"col\">fault</th>",
    );
    for process in named.processes {
        let _ = write!(body, "<th scope=\"col\">{}</th>", escaped(process));
    }
    body.push_str("</tr></thead>\n<tbody>\n");
    for (fault, of) in named.faults.iter().zip(&named.diagnosis.told) {
        let _ = write!(body, "<tr><th scope=\"row\">{}</th>", escaped(fault));
        for (process, sets) in named.processes.iter().zip(of) {
            body.push_str("<td>");
            if sets.is_empty() {
                body.push_str("<span class=\"violated\">never sure</span>");
            }
            for told in sets {
                let class = if told.faults.len() == 1 {
                    "holds"
                } else {
                    "unknown"
                };
                let _ = write!(
                    body,
                    "<div class=\"{class}\">{}</div>",
                    escaped(&named.set(told))
                );
                if let Some(latest) = named.latest(told) {
                    let _ = write!(body, "<div>{latest}</div>");
                }
                let seen = named.views(process, told, MOST_VIEWS);
                let _ = write!(body, "<div class=\"note\">{}</div>", escaped(&seen));
            }
            body.push_str("</td>");
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    topology(&mut body, named.system);
    let _ = write!(
        body,
        "<section aria-labelledby=\"notes\">\n<h2 id=\"notes\">Notes</h2>\n<p>The model has {} states.</p>\n\
         <p>Under each set: how long after the fault it is known at the latest, and what the process then sees.</p>\n</section>\n",
        thousands(named.diagnosis.states)
    );
    let summary = escaped(&named.counts());
    document(
        named.file,
        &summary,
        &body,
        (named.system, named.sources),
        &[],
    )
}
