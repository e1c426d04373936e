//! Answers for those who collect test results: JUnit XML, a suite per model and a test case per property.
//!
//! A violated property is a failure with its run; one that nobody knows about is an error, and so is a model that is wrong.
//! Nothing depends on clock or machine: no times, no host names.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::text::{Detail, Style, detail, trace};
use super::{Account, Makes, Subject, Surprise};
use crate::check::Answer;
use crate::source::visible;
use crate::system::System;
use crate::verdict::Outcome;

/// A suite per model.
pub const MAKES: Makes = Makes::Whole {
    piece: |subject| {
        let suite = match subject {
            Subject::Model(model) => Suite::new(model),
            Subject::Failed(file, why) => Suite::failed(file, why),
        };
        json!(suite)
    },
    join: |pieces| {
        let suites = pieces.iter().map(Suite::deserialize);
        let suites: Result<Vec<Suite>, _> = suites.collect();
        junit(&suites.expect("a piece is a suite"))
    },
};

/// The test cases of one model.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
struct Suite {
    name: String,
    tests: usize,
    failures: usize,
    errors: usize,
    /// The test cases as XML.
    cases: String,
}

impl Suite {
    /// The properties of a checked model. What is expected of them is no failure.
    fn new(model: &Account<'_>) -> Suite {
        let mut suite = Suite {
            name: model.file.to_owned(),
            ..Suite::default()
        };
        for diagnostic in model.diagnostics.iter().filter(|d| d.is_error()) {
            let place = model.sources.place(diagnostic.primary.span);
            let text = format!("{place}: {}", diagnostic.message);
            let problem = Problem {
                element: "error",
                kind: diagnostic.code.0,
                message: &diagnostic.message,
                text: &text,
            };
            suite.add(diagnostic.code.0, "", Some(&problem));
        }
        if let Some(system) = model.system {
            for answer in model.answers {
                suite.property(model, system, answer);
            }
        }
        for surprise in model.surprises.iter().filter(|s| s.property.is_none()) {
            suite.surprise("expectations", surprise, "");
        }
        suite
    }

    /// A model about which nothing is known.
    fn failed(file: &str, why: &str) -> Suite {
        let mut suite = Suite {
            name: file.to_owned(),
            ..Suite::default()
        };
        let problem = Problem {
            element: "error",
            kind: "model",
            message: why,
            text: why,
        };
        suite.add("model", "", Some(&problem));
        suite
    }

    fn property(&mut self, model: &Account<'_>, system: &System, answer: &Answer) {
        let property = &system.properties[answer.property];
        let shown = match answer.is_violated() {
            true => trace(
                system,
                model.sources,
                answer,
                Detail::Folded,
                Style::plain(),
            ),
            false => String::new(),
        };
        if model.expecting {
            let mut surprises = model.surprises.iter();
            match surprises.find(|s| s.property == Some(answer.property)) {
                Some(surprise) => self.surprise(&property.name, surprise, &shown),
                None => self.add(&property.name, property.kind_name(), None),
            }
            return;
        }
        let said = detail(system, model.sources, property, answer);
        let problem = match &answer.outcome {
            Outcome::Holds | Outcome::HoldsStatically => None,
            Outcome::Violated => Some(("failure", "violated", format!("violated {said}"))),
            Outcome::Unknown(_) => Some(("error", "unknown", format!("unknown: {said}"))),
        };
        let problem = problem.as_ref().map(|(element, kind, message)| Problem {
            element,
            kind,
            message: message.trim_end(),
            text: &shown,
        });
        self.add(&property.name, property.kind_name(), problem.as_ref());
    }

    fn surprise(&mut self, name: &str, surprise: &Surprise, shown: &str) {
        let problem = Problem {
            element: "failure",
            kind: "unexpected",
            message: &surprise.words,
            text: shown,
        };
        self.add(name, "", Some(&problem));
    }

    fn add(&mut self, name: &str, kind: &str, problem: Option<&Problem<'_>>) {
        self.tests += 1;
        let class = match kind {
            "" => self.name.clone(),
            kind => format!("{} ({kind})", self.name),
        };
        let _ = write!(
            self.cases,
            "    <testcase name=\"{}\" classname=\"{}\"",
            attribute(name),
            attribute(&class)
        );
        let Some(problem) = problem else {
            self.cases += "/>\n";
            return;
        };
        match problem.element {
            "failure" => self.failures += 1,
            _ => self.errors += 1,
        }
        let element = problem.element;
        let _ = writeln!(
            self.cases,
            ">\n      <{element} message=\"{}\" type=\"{}\">{}</{element}>\n    </testcase>",
            attribute(problem.message),
            attribute(problem.kind),
            text(problem.text)
        );
    }
}

/// What is wrong with a test case.
struct Problem<'a> {
    element: &'a str,
    kind: &'a str,
    message: &'a str,
    text: &'a str,
}

/// The whole document.
fn junit(suites: &[Suite]) -> String {
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sandalc\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
        sum(|suite| suite.tests),
        sum(|suite| suite.failures),
        sum(|suite| suite.errors)
    );
    for suite in suites {
        let _ = write!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n{}  </testsuite>\n",
            attribute(&suite.name),
            suite.tests,
            suite.failures,
            suite.errors,
            suite.cases
        );
    }
    out + "</testsuites>\n"
}

/// A text between tags: what XML knows is escaped, and what it does not allow (or would deceive a reader) has a
/// stand-in.
fn text(text: &str) -> String {
    escaped(text, |c| c == '\n' || c == '\t')
}

/// The value of an attribute, on one line.
fn attribute(text: &str) -> String {
    escaped(text, |_| false)
}

fn escaped(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&apos;",
            c if keep(c) => out.push(c),
            // The last two characters of each plane are none.
            c if c as u32 & 0xFFFE == 0xFFFE => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(visible(c)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_through_that_xml_does_not_allow() {
        let hostile = "a<b>&\"'\u{0}\u{1b}[31m\u{fffe}\u{202e}\u{ffff}\n\té]]>";
        let suite = Suite::failed(hostile, hostile);
        let document = junit(&[suite]);
        let parsed = roxmltree::Document::parse(&document).expect("XML");
        let case = parsed
            .descendants()
            .find(|node| node.has_tag_name("error"))
            .expect("the error");
        let shown = "a<b>&\"'␀␛[31m\u{fffd}\u{fffd}\u{fffd}";
        assert_eq!(case.text(), Some(format!("{shown}\n\té]]>").as_str()));
        assert_eq!(
            case.attribute("message"),
            Some(format!("{shown}␊␉é]]>").as_str())
        );
    }
}
