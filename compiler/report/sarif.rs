//! Answers for those who collect findings about code: SARIF 2.1.0, an error per violated property, at its place, with the
//! run as a code flow.
//!
//! All models are in one run of the tool: some who read SARIF refuse several runs of one tool. Messages of the compiler are
//! results too, under their codes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::text::detail;
use super::uri::uri;
use super::{Account, Makes, Subject, Surprise};
use crate::check::Answer;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span, printable};
use crate::system::{PropertyKind, System};
use crate::trace::ending::ending;
use crate::trace::{Trace, words};
use crate::verdict::Outcome;

/// More places of one run are left out: readers have limits, too.
const MOST_STEPS: usize = 5_000;

/// The findings about all models.
pub const MAKES: Makes = Makes::Whole {
    piece: |subject| {
        let findings = match subject {
            Subject::Model(model) => Findings::new(model),
            Subject::Failed(file, why) => Findings::failed(file, why),
        };
        json!(findings)
    },
    join: |pieces| {
        let models = pieces.iter().map(Findings::deserialize);
        let models: Result<Vec<Findings>, _> = models.collect();
        sarif(&models.expect("a piece is findings"))
    },
};

/// The findings about one model.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
struct Findings {
    /// The rules they refer to, each once.
    rules: Vec<Value>,
    results: Vec<Value>,
    /// What is to be said besides.
    notifications: Vec<Value>,
}

impl Findings {
    /// What there is to say about a checked model. A violation that is expected is none.
    fn new(model: &Account<'_>) -> Findings {
        let mut findings = Findings::default();
        for diagnostic in model.diagnostics {
            findings.message(model, diagnostic);
        }
        if let Some(system) = model.system {
            for answer in model.answers {
                match &answer.outcome {
                    Outcome::Violated if !model.expecting => {
                        findings.violation(model, system, answer)
                    }
                    Outcome::Unknown(why) => {
                        let name = &system.properties[answer.property].name;
                        let words = format!("{}: {name} is unknown: {why}", model.file);
                        findings.notify(&words, "warning");
                    }
                    _ => {}
                }
            }
        }
        for surprise in model.surprises {
            findings.surprise(model, surprise);
        }
        findings
    }

    /// A model about which nothing is known.
    fn failed(file: &str, why: &str) -> Findings {
        let mut findings = Findings::default();
        findings.notify(&format!("{file}: {why}"), "error");
        findings
    }

    fn notify(&mut self, words: &str, level: &str) {
        self.notifications
            .push(json!({ "level": level, "message": { "text": printable(words) } }));
    }

    fn rule(&mut self, id: &str, description: &str) {
        if !self.rules.iter().any(|rule| rule["id"] == id) {
            self.rules.push(json!({
                "id": id,
                "shortDescription": { "text": description },
                "defaultConfiguration": { "level": "error" },
            }));
        }
    }

    fn message(&mut self, model: &Account<'_>, diagnostic: &Diagnostic) {
        let code = diagnostic.code.0;
        self.rule(code, &format!("`sandalc explain {code}` tells more"));
        let parts = [&diagnostic.note, &diagnostic.hint];
        let rest = parts.into_iter().flatten().map(String::as_str);
        let text: Vec<&str> = std::iter::once(diagnostic.message.as_str())
            .chain(rest)
            .collect();
        let related = (diagnostic.secondary.iter())
            .map(|label| place(model.sources, label.span, &label.message))
            .collect();
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let primary = place(
            model.sources,
            diagnostic.primary.span,
            &diagnostic.primary.message,
        );
        self.add(model, code, level, &text.join("; "), primary, related, None);
    }

    fn violation(&mut self, model: &Account<'_>, system: &System, answer: &Answer) {
        let property = &system.properties[answer.property];
        let (id, description) = rule_of(&property.kind, &property.name);
        self.rule(&id, description);
        let mut text = format!("{} is violated", property.name);
        let how = detail(system, model.sources, property, answer);
        if !how.is_empty() {
            text += &format!(" {how}");
        }
        let (mut primary, mut related) = (None, Vec::new());
        let note = |span: Span, words: &str| place(model.sources, span, words);
        if let Some(span) = property.span {
            primary = Some(note(span, ""));
        }
        if let Some(trace) = &answer.trace {
            let told = ending(system, answer.property, trace);
            related.extend(told.iter().map(|(words, span)| note(*span, words)));
            let last = trace
                .steps
                .iter()
                .rev()
                .find_map(|step| Some((step.span?, step)));
            if let Some((span, step)) = last {
                let words = words::step(system, model.sources, step);
                related.push(note(span, &format!("the last step: {words}")));
            }
            for (name, span) in marked(system, trace) {
                related.push(note(span, &format!("the fault {name} is marked here")));
            }
        }
        // What is built in is shown where it shows: where somebody waits, or at the step that fails.
        if primary.is_none() && !related.is_empty() {
            primary = Some(related.remove(0));
        }
        let primary = primary.unwrap_or_else(|| whole_file(model));
        let flow = (answer.trace.as_ref()).map(|trace| code_flow(system, model.sources, trace));
        self.add(model, &id, "error", &text, primary, related, flow);
        let print = format!("{}#{}", model.file, property.name);
        if let Some(result) = self.results.last_mut() {
            result["partialFingerprints"] = json!({ "sandalProperty/v1": printable(&print) });
            result["properties"] = json!({
                "property": property.name,
                "kind": property.kind_name(),
            });
        }
    }

    fn surprise(&mut self, model: &Account<'_>, surprise: &Surprise) {
        self.rule("expectation", "An `// expect:` line and the answer differ");
        let primary = match (surprise.span, surprise.property.zip(model.system)) {
            (Some(span), _) => place(model.sources, span, ""),
            (None, Some((property, system))) => match system.properties[property].span {
                Some(span) => place(model.sources, span, ""),
                None => whole_file(model),
            },
            (None, None) => whole_file(model),
        };
        let answers = model.answers.iter();
        let trace = answers
            .filter(|answer| Some(answer.property) == surprise.property && answer.is_violated())
            .find_map(|answer| answer.trace.as_ref());
        let flow = trace
            .zip(model.system)
            .map(|(trace, system)| code_flow(system, model.sources, trace));
        let words = &surprise.words;
        self.add(
            model,
            "expectation",
            "error",
            words,
            primary,
            Vec::new(),
            flow,
        );
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a result")]
    fn add(
        &mut self,
        model: &Account<'_>,
        rule: &str,
        level: &str,
        text: &str,
        primary: Value,
        mut related: Vec<Value>,
        flow: Option<Value>,
    ) {
        for (index, location) in related.iter_mut().enumerate() {
            location["id"] = json!(index + 1);
        }
        let mut result = json!({
            "ruleId": rule,
            "level": level,
            "message": { "text": printable(text) },
            "locations": [primary],
        });
        if !related.is_empty() {
            result["relatedLocations"] = json!(related);
        }
        if let Some(flow) = flow {
            result["codeFlows"] = json!([flow]);
        }
        let _ = model;
        self.results.push(result);
    }
}

/// The rule that a violated property breaks. Built-in ones are rules of their own.
fn rule_of(kind: &PropertyKind, name: &str) -> (String, &'static str) {
    match kind.as_str() {
        "builtin" => {
            let description = match name {
                "deadlock" => "Processes wait for each other for ever",
                "assert" => "An assertion is false",
                "range" => "A value is outside the range of its variable",
                "division" => "A division by zero",
                "index" => "An index is out of bounds",
                _ => "A property that every model shall have is violated",
            };
            (name.to_owned(), description)
        }
        "invariant" => (
            "invariant".to_owned(),
            "An invariant is false in a reachable state",
        ),
        "reachable" => (
            "reachable".to_owned(),
            "No run reaches a state that shall be reachable",
        ),
        kind => (kind.to_owned(), "A specification is violated"),
    }
}

/// The markers of the faults that a run injects, each once.
fn marked<'a>(system: &'a System, trace: &Trace) -> Vec<(&'a str, Span)> {
    let mut used: Vec<_> = trace.steps.iter().filter_map(|step| step.fault).collect();
    used.sort_unstable();
    used.dedup();
    let mark = |id| (system.fault_name(id), system.fault(id).span);
    used.into_iter().map(mark).collect()
}

/// The steps of a run, one after the other.
fn code_flow(system: &System, sources: &Sources, trace: &Trace) -> Value {
    let steps = trace.steps.iter().enumerate().take(MOST_STEPS);
    let mut locations: Vec<Value> = steps
        .map(|(index, step)| {
            let mut words = words::step(system, sources, step);
            if trace.loop_start == Some(index) {
                words = format!("from here on for ever: {words}");
            }
            let location = match step.span {
                Some(span) => place(sources, span, &words),
                None => json!({ "message": { "text": printable(&words) } }),
            };
            let state: Map<String, Value> = (step.changes.iter())
                .map(|change| {
                    let value = words::value(system, change.var, change.to);
                    (system.var_name(change.var), json!({ "text": value }))
                })
                .collect();
            let importance = match (step.fault, trace.is_noise(index)) {
                (Some(_), _) => "essential",
                (None, true) => "unimportant",
                (None, false) => "important",
            };
            let mut place = json!({
                "executionOrder": index + 1,
                "importance": importance,
                "location": location,
            });
            if !state.is_empty() {
                place["state"] = Value::Object(state);
            }
            if step.fault.is_some() {
                place["kinds"] = json!(["fault"]);
            }
            place
        })
        .collect();
    if trace.steps.len() > MOST_STEPS {
        let words = format!("{} more steps are left out", trace.steps.len() - MOST_STEPS);
        let location = json!({ "message": { "text": words } });
        locations.push(json!({ "executionOrder": MOST_STEPS + 1, "location": location }));
    }
    if locations.is_empty() {
        // The initial state is enough; a flow has at least one place.
        let words = "the initial state";
        let location = match system.processes.first() {
            Some(process) => place(sources, process.span, words),
            None => json!({ "message": { "text": words } }),
        };
        locations.push(json!({ "executionOrder": 1, "location": location }));
    }
    json!({ "threadFlows": [{ "locations": locations }] })
}

/// A place, and what is to be said about it.
fn place(sources: &Sources, span: Span, words: &str) -> Value {
    let file = sources.file(span.file);
    let (start, end) = (sources.position(span), file.position(span.end as usize));
    let mut location = json!({});
    // A module of the library is no file.
    if let Some(uri) = uri(&file.path) {
        location["physicalLocation"] = json!({
            "artifactLocation": { "uri": uri },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        });
    }
    if !words.is_empty() {
        location["message"] = json!({ "text": printable(words) });
    }
    location
}

fn whole_file(model: &Account<'_>) -> Value {
    let artifact = json!({ "uri": uri(model.file).unwrap_or_default() });
    json!({ "physicalLocation": { "artifactLocation": artifact, "region": { "startLine": 1 } } })
}

/// The whole document.
fn sarif(models: &[Findings]) -> String {
    let mut rules: Vec<&Value> = Vec::new();
    for rule in models.iter().flat_map(|findings| &findings.rules) {
        if !rules.iter().any(|known| known["id"] == rule["id"]) {
            rules.push(rule);
        }
    }
    let results = models.iter().flat_map(|findings| &findings.results);
    let mut notes = models.iter().flat_map(|findings| &findings.notifications);
    let successful = !notes.clone().any(|note| note["level"] == "error");
    let mut invocation = json!({ "executionSuccessful": successful });
    if let Some(first) = notes.next() {
        let all: Vec<&Value> = std::iter::once(first).chain(notes).collect();
        invocation["toolExecutionNotifications"] = json!(all);
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "sandalc",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                },
            },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": results.collect::<Vec<_>>(),
        }],
    });
    crate::source::escaped_json(&document.to_string()) + "\n"
}
