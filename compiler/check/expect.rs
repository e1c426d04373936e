//! What a model says itself about the answers, in comments:
//!
//! ```text
//! // expect: agreement holds
//! // expect: agreement violated by worker1@shutdown, req@drop
//! // expect: progress violated by no fault
//! // flags: --no-faults -D N=3
//! ```
//!
//! So a suite may have wrong variants on purpose. What is not mentioned is expected to hold.

use super::Answer;
use crate::source::{FileId, Span};
use crate::system::System;

/// The words after `by` that mean an empty list.
const NO_FAULT: &str = "no fault";

/// What the comments of a model say.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expectations {
    expected: Vec<Expected>,
    /// The options under which that is so.
    pub flags: Vec<String>,
    /// Lines that cannot be read.
    unreadable: Vec<Surprise>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Expected {
    property: String,
    verdict: &'static str,
    /// The faults of the run that is shown.
    faults: Option<Vec<String>>,
    span: Span,
}

/// An answer that is not the expected one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Surprise {
    /// Which property: an index into `System::properties`.
    pub property: Option<usize>,
    /// The comment.
    pub span: Option<Span>,
    /// What differs.
    pub words: String,
}

impl Expectations {
    /// Reads the comments of a text; only lines that begin with one count.
    pub fn read(file: FileId, text: &str) -> Expectations {
        let mut found = Expectations::default();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let span = Span::new(file, start, start + line.trim_end().len());
            start += line.len();
            let comment = line.trim().strip_prefix("//").map(str::trim);
            let Some((key, value)) = comment.and_then(|comment| comment.split_once(':')) else {
                continue;
            };
            let value = value.trim();
            match key {
                "expect" => match expected(value, span) {
                    Some(expected) => found.expected.push(expected),
                    None => found.unreadable.push(Surprise {
                        property: None,
                        span: Some(span),
                        words: format!(
                            "`expect: {value}` cannot be read: write `expect: NAME holds`, `violated`, `violated by FAULT, ..` or `unknown`"
                        ),
                    }),
                },
                "flags" => found
                    .flags
                    .extend(value.split_whitespace().map(str::to_owned)),
                _ => {}
            }
        }
        found
    }

    /// Where the answers are not the expected ones, in the order of the properties.
    pub fn surprises(&self, system: &System, answers: &[Answer]) -> Vec<Surprise> {
        let mut surprises = self.unreadable.clone();
        for expected in &self.expected {
            let name = &expected.property;
            let mut properties = system.properties.iter();
            if !properties.any(|property| property.name == *name) {
                surprises.push(Surprise {
                    property: None,
                    span: Some(expected.span),
                    words: format!("there is no property `{name}`"),
                });
            }
        }
        for answer in answers {
            let name = &system.properties[answer.property].name;
            let mut of_it = self
                .expected
                .iter()
                .filter(|e| e.property == *name)
                .peekable();
            if of_it.peek().is_none() && answer.verdict() != "holds" {
                surprises.push(Surprise {
                    property: Some(answer.property),
                    span: None,
                    words: format!("`{name}`: expected to hold, but {}", came(system, answer)),
                });
            }
            for expected in of_it.filter(|expected| !expected.is(system, answer)) {
                surprises.push(Surprise {
                    property: Some(answer.property),
                    span: Some(expected.span),
                    words: format!(
                        "`{name}`: expected {}, but {}",
                        expected.words(),
                        came(system, answer)
                    ),
                });
            }
        }
        surprises
    }

    /// What there is to say if there are no answers.
    pub fn unanswered(&self) -> Vec<Surprise> {
        self.unreadable.clone()
    }
}

impl Expected {
    fn is(&self, system: &System, answer: &Answer) -> bool {
        let faults = match &self.faults {
            None => true,
            Some(faults) => {
                let mut faults: Vec<&str> = faults.iter().map(String::as_str).collect();
                let mut used = used(system, answer);
                faults.sort_unstable();
                used.sort_unstable();
                faults == used
            }
        };
        answer.verdict() == self.verdict && faults
    }

    fn words(&self) -> String {
        match &self.faults {
            None => self.verdict.to_owned(),
            Some(faults) => by(self.verdict, faults.iter().map(String::as_str)),
        }
    }
}

fn expected(text: &str, span: Span) -> Option<Expected> {
    let (property, rest) = text.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    let (verdict, faults) = match rest.split_once(char::is_whitespace) {
        None => (rest, None),
        Some((verdict @ "violated", rest)) => {
            let faults = rest.trim().strip_prefix("by ")?.trim();
            let names = match faults {
                NO_FAULT => Vec::new(),
                faults => faults
                    .split(", ")
                    .map(|name| name.trim().to_owned())
                    .collect(),
            };
            (verdict, Some(names))
        }
        Some(_) => return None,
    };
    let verdicts = ["holds", "violated", "unknown"];
    Some(Expected {
        property: property.to_owned(),
        verdict: verdicts.into_iter().find(|known| *known == verdict)?,
        faults,
        span,
    })
}

/// The faults that the shown run injects, each once, in the order of the model.
fn used<'a>(system: &'a System, answer: &Answer) -> Vec<&'a str> {
    let steps = answer.trace.iter().flat_map(|trace| &trace.steps);
    let mut used: Vec<_> = steps.filter_map(|step| step.fault).collect();
    used.sort_unstable();
    used.dedup();
    used.into_iter()
        .map(|fault| system.fault_name(fault))
        .collect()
}

fn came(system: &System, answer: &Answer) -> String {
    match answer.is_violated() {
        true => format!("it is {}", by("violated", used(system, answer).into_iter())),
        false => match answer.verdict() {
            "unknown" => "it is unknown".to_owned(),
            verdict => format!("it {verdict}"),
        },
    }
}

fn by<'a>(verdict: &str, faults: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = faults.collect();
    match names.is_empty() {
        true => format!("{verdict} by {NO_FAULT}"),
        false => format!("{verdict} by {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read() {
        let text = "// About.\n// expect: a holds\n  // expect:  b[1]  violated by w@shutdown, n[2]@stuck(put)\n\
                    x // expect: c holds\n// flags: --no-faults -D N=3\n// expect: d violated by no fault\n\
                    // expect: e is nice\n// expect: f holds by g\n";
        let found = Expectations::read(FileId(0), text);
        let read: Vec<String> = found
            .expected
            .iter()
            .map(|e| format!("{} {}", e.property, e.words()))
            .collect();
        assert_eq!(
            read,
            [
                "a holds",
                "b[1] violated by w@shutdown, n[2]@stuck(put)",
                "d violated by no fault"
            ]
        );
        assert_eq!(found.flags, ["--no-faults", "-D", "N=3"]);
        assert_eq!(found.unreadable.len(), 2);
        let span = found.expected[0].span;
        assert_eq!(&text[span.range()], "// expect: a holds");
    }
}
