//! Questions to the engine, answered in the background: one at a time, each can be cancelled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::checker;
use super::documents::Documents;
use super::places::Places;
use super::position::Encoding;
use super::settings::Settings;
use super::workspace::Root;
use crate::analysis;
use crate::check;
use crate::check::{Answer, Engines, Trouble, World};
use crate::cli::{STACK, memory};
use crate::diagnostic::Diagnostic;
use crate::engine;
use crate::program::Program;
use crate::report;
use crate::report::analysis::Subject;
use crate::report::chart;
use crate::report::chart::terminal::{Paper, draw};
use crate::source::Sources;
use crate::system::System;
use crate::vocabulary::FaultId;
use crate::weave;

/// How wide a chart of characters is.
const COLUMNS: usize = 100;

/// With how many injections a property that faults both break and repair is tried.
const MOST_INJECTIONS: u32 = 3;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether properties hold.
    Check,
    /// The run that shows an answer.
    Show,
    /// Which faults each property survives.
    Tolerance,
}

/// A question.
pub struct Job {
    /// The request that is answered at the end.
    pub id: RequestId,
    /// What is asked.
    pub question: Question,
    /// The document.
    pub main: PathBuf,
    /// The model that it is part of.
    pub root: Root,
    /// Its address.
    pub uri: String,
    /// The property, or all; with `[` at the end all elements of a protocol.
    pub property: Option<String>,
    /// Only the faults of this entry happen.
    pub entry: Option<String>,
    /// The documents as they are now.
    pub documents: Documents,
    /// How many changes there have been.
    pub revision: u64,
    /// The limits.
    pub settings: Settings,
    /// Set to give up.
    pub stop: Arc<AtomicBool>,
}

/// What is known about a property.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// `holds`, `violated`, `unknown`, `checking`.
    pub word: String,
    /// In a few words.
    pub detail: String,
    /// How many changes there had been when it was asked.
    pub revision: u64,
}

/// The verdicts, by model and property.
pub type Verdicts = Arc<Mutex<BTreeMap<(PathBuf, String), Verdict>>>;

/// The runner, as the main thread sees it.
pub struct Runner {
    jobs: mpsc::Sender<Job>,
    /// What is being answered or waits.
    stops: Arc<Mutex<BTreeMap<RequestId, Arc<AtomicBool>>>>,
    /// What has been found out.
    pub verdicts: Verdicts,
}

impl Runner {
    /// Starts the thread. `refresh` says whether the client wants to know when lenses have changed.
    pub fn new(to: Sender<Message>, encoding: Encoding, refresh: bool) -> Runner {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let stops: Arc<Mutex<BTreeMap<RequestId, Arc<AtomicBool>>>> = Arc::default();
        let verdicts = Verdicts::default();
        let mut worker = Worker {
            to,
            encoding,
            refresh,
            refreshed: 0,
            verdicts: verdicts.clone(),
        };
        let mine = stops.clone();
        let work = move || {
            for job in waiting {
                let id = job.id.clone();
                worker.answer(&job);
                let mut stops = mine.lock().unwrap_or_else(PoisonError::into_inner);
                stops.remove(&id);
            }
        };
        let _ = std::thread::Builder::new().stack_size(STACK).spawn(work);
        Runner {
            jobs,
            stops,
            verdicts,
        }
    }

    /// Asks. `false` if nobody is there to answer.
    pub fn ask(&self, job: Job) -> bool {
        let mut stops = self.stops.lock().unwrap_or_else(PoisonError::into_inner);
        stops.insert(job.id.clone(), job.stop.clone());
        self.jobs.send(job).is_ok()
    }

    /// Gives up a question; whether there is such a one.
    pub fn cancel(&self, id: &RequestId) -> bool {
        let stops = self.stops.lock().unwrap_or_else(PoisonError::into_inner);
        let found = stops.get(id);
        if let Some(stop) = found {
            stop.store(true, Ordering::Relaxed);
        }
        found.is_some()
    }

    /// Forgets what is known about a model.
    pub fn forget(&self, main: &Path) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.retain(|(known, _), _| known != main);
    }

    /// Gives up all questions.
    pub fn cancel_all(&self) {
        let stops = self.stops.lock().unwrap_or_else(PoisonError::into_inner);
        stops
            .values()
            .for_each(|stop| stop.store(true, Ordering::Relaxed));
    }
}

struct Worker {
    to: Sender<Message>,
    encoding: Encoding,
    refresh: bool,
    refreshed: u32,
    verdicts: Verdicts,
}

/// Why there is no answer.
enum Failed {
    Cancelled,
    Because(String),
}

/// The clock, and whether to give up.
struct Clock<'a> {
    start: Instant,
    limit: Duration,
    stop: &'a AtomicBool,
}

impl World for Clock<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.start.elapsed() >= self.limit
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn time_left(&self) -> Option<Duration> {
        Some(self.limit.saturating_sub(self.start.elapsed()))
    }
}

impl Worker {
    fn answer(&mut self, job: &Job) {
        let work = std::panic::AssertUnwindSafe(|| self.work(job));
        let result = std::panic::catch_unwind(work).unwrap_or_else(|_| {
            Err(Failed::Because(
                "a bug in sandalc: see `sandalc check`".to_owned(),
            ))
        });
        let response = match result {
            Ok(value) => Response::new_ok(job.id.clone(), value),
            Err(Failed::Cancelled) => {
                let code = ErrorCode::RequestCanceled as i32;
                Response::new_err(job.id.clone(), code, "cancelled".to_owned())
            }
            Err(Failed::Because(why)) => {
                let code = ErrorCode::RequestFailed as i32;
                Response::new_err(job.id.clone(), code, why)
            }
        };
        self.note_open(job);
        let _ = self.to.send(Message::Response(response));
        self.refresh_lenses();
    }

    fn refresh_lenses(&mut self) {
        if self.refresh {
            self.refreshed += 1;
            let id = format!("lenses-{}", self.refreshed).into();
            let method = "workspace/codeLens/refresh".to_owned();
            let _ = self
                .to
                .send(Message::Request(Request::new(id, method, Value::Null)));
        }
    }

    fn note(&self, job: &Job, name: &str, word: &str, detail: &str) {
        let verdict = Verdict {
            word: word.to_owned(),
            detail: detail.to_owned(),
            revision: job.revision,
        };
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.insert((job.main.clone(), name.to_owned()), verdict);
    }

    /// What was being checked and has no verdict is not being checked any longer.
    fn note_open(&self, job: &Job) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.retain(|(main, _), verdict| *main != job.main || verdict.word != "checking");
    }

    fn work(&mut self, job: &Job) -> Result<Value, Failed> {
        if job.stop.load(Ordering::Relaxed) {
            return Err(Failed::Cancelled);
        }
        let clock = Clock {
            start: Instant::now(),
            limit: Duration::from_secs_f64(job.settings.timeout),
            stop: &job.stop,
        };
        let checked = checker::check(&job.root, &job.documents);
        let checked =
            checked.ok_or_else(|| Failed::Because("the model cannot be read".to_owned()))?;
        let Some(program) = &checked.program else {
            let errors = checked.diagnostics.iter().filter(|d| d.is_error());
            let first = errors.map(|d: &Diagnostic| d.message.clone()).next();
            let why = first.unwrap_or_default();
            return Err(Failed::Because(format!("the model has errors: {why}")));
        };
        let woven = woven(program, job.entry.as_deref());
        let system = crate::build(program, &woven);
        let wanted = wanted(&system, job.property.as_deref());
        if wanted.is_empty() {
            return Err(Failed::Because("there is no such property".to_owned()));
        }
        let shown = wanted
            .iter()
            .filter(|_| job.question != Question::Tolerance);
        for index in shown {
            self.note(job, &system.properties[*index].name, "checking", "");
        }
        self.refresh_lenses();
        let options = check::Options {
            limits: engine::Limits {
                states: job.settings.max_states.unwrap_or(u64::MAX),
                memory: match job.settings.max_memory {
                    Some(size) => (size as usize).saturating_mul(1 << 20),
                    None => memory::usable() / 2,
                },
            },
            threads: job.settings.threads.unwrap_or_else(|| {
                let all = std::thread::available_parallelism().map_or(1, usize::from);
                // One is left for the editor.
                all.saturating_sub(1).max(1)
            }),
            ..check::Options::default()
        };
        if job.question == Question::Tolerance {
            let model = (program, &system, &woven);
            return self.tolerance(job, model, &wanted, options, &clock);
        }
        let task = check::Task {
            system: &system,
            wanted: &wanted,
            options,
        };
        let findings = check::check(&task, Engines::Embedded, &clock).map_err(trouble)?;
        if job.stop.load(Ordering::Relaxed) {
            return Err(Failed::Cancelled);
        }
        let mut told = Vec::new();
        for answer in &findings.answers {
            let name = &system.properties[answer.property].name;
            let detail = detail(&system, &checked.sources, answer);
            self.note(job, name, answer.verdict(), &detail);
            told.push(json!({ "name": name, "verdict": answer.verdict(), "detail": detail }));
        }
        let summary = said(&told);
        let mut result = json!({ "uri": job.uri, "answers": told, "summary": summary });
        if job.question == Question::Show {
            let places = Places::new(
                &checked.sources,
                &checked.loaded,
                &job.documents,
                self.encoding,
            );
            let shown = findings
                .answers
                .iter()
                .find(|answer| answer.trace.is_some());
            if let Some(answer) = shown {
                result["run"] = run(&system, &checked.sources, &places, answer);
            }
            let about = report::About {
                file: &checked.loaded.main.name,
                engine: "embedded",
                states: findings.states,
                second: None,
                stats: None,
                differences: None,
            };
            result["html"] = json!(report::html::page(&report::html::Page {
                system: &system,
                sources: &checked.sources,
                answers: &findings.answers,
                about: &about,
                tables: &[],
                notes: &[],
            }));
        } else {
            self.say(job, &summary);
        }
        Ok(result)
    }

    fn tolerance(
        &self,
        job: &Job,
        (program, system, woven): (&Program, &System, &weave::Options),
        wanted: &[usize],
        options: check::Options,
        clock: &Clock<'_>,
    ) -> Result<Value, Failed> {
        let faults = weave::woven_faults(program, woven);
        if faults.is_empty() {
            return Err(Failed::Because("the model marks no faults".to_owned()));
        }
        if faults.len() > analysis::FaultSet::MOST {
            let most = analysis::FaultSet::MOST;
            return Err(Failed::Because(format!(
                "the model marks more than {most} faults"
            )));
        }
        let with = |faults: &[FaultId]| {
            let options = weave::Options {
                faults: Some(faults.to_vec()),
                ..woven.clone()
            };
            crate::build(program, &options)
        };
        let task = analysis::Inquiry {
            system,
            faults: &faults,
            wanted,
            weave: &with,
            options,
            max_faults: MOST_INJECTIONS,
        };
        let survey = analysis::survey(&task, clock).map_err(trouble)?;
        if job.stop.load(Ordering::Relaxed) {
            return Err(Failed::Cancelled);
        }
        let file = job.documents.open.get(&job.main);
        let subject = Subject {
            file: file.map_or("model", |document| document.uri.as_str()),
            system,
            faults: &faults,
        };
        let text = report::analysis::tolerance::text(&subject, &survey, report::Style::plain());
        let said: Vec<Value> = (survey.properties.iter())
            .map(|surveyed| {
                let name = subject.property(surveyed);
                let detail = report::analysis::tolerance::tolerates(surveyed);
                json!({ "name": name, "detail": detail })
            })
            .collect();
        Ok(json!({ "uri": job.uri, "tolerance": text, "answers": said }))
    }

    fn say(&self, job: &Job, text: &str) {
        let name = job
            .main
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let text = format!("{}: {text}", name.unwrap_or_default());
        let params = json!({ "type": 3, "message": text });
        let method = "window/logMessage".to_owned();
        let _ = self
            .to
            .send(Message::Notification(Notification { method, params }));
    }
}

fn trouble(trouble: Trouble) -> Failed {
    Failed::Because(match trouble {
        Trouble::NoRun => Trouble::NO_RUN.0.to_owned(),
        Trouble::Internal(what) => format!("internal error: {what}"),
        other => format!("internal error: {other:?}"),
    })
}

/// How a model is woven: with all faults, or with those of an entry.
fn woven(program: &Program, entry: Option<&str>) -> weave::Options {
    let all = weave::Options::default();
    let Some(entry) = entry else { return all };
    let is_meant = |name: &str| {
        let element = name.strip_prefix(entry);
        element.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    let faults = weave::woven_faults(program, &all).into_iter().filter(|id| {
        let mut targets = program.faults[id.0 as usize].targets.iter();
        targets.any(|target| is_meant(program.entry_name(*target)))
    });
    weave::Options {
        faults: Some(faults.collect()),
        ..all
    }
}

/// The properties that are meant.
fn wanted(system: &System, name: Option<&str>) -> Vec<usize> {
    let all = system.properties.iter().enumerate();
    let meant = all.filter(|(_, property)| match name {
        None => true,
        Some(name) if name.ends_with('[') => property.name.starts_with(name),
        Some(name) => property.name == name,
    });
    meant.map(|(index, _)| index).collect()
}

/// What is to be said about an answer in few words.
fn detail(system: &System, sources: &Sources, answer: &Answer) -> String {
    let line = report::property(system, sources, answer, report::Style::plain());
    // Verdict, name and place stand before it, two spaces apart.
    let first = line.lines().next().unwrap_or_default();
    let parts = first
        .split("  ")
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.skip(3).collect::<Vec<_>>().join(", ")
}

/// All answers in one line.
fn said(answers: &[Value]) -> String {
    let count = |word: &str| {
        answers
            .iter()
            .filter(|answer| answer["verdict"] == word)
            .count()
    };
    let counts = [count("holds"), count("violated"), count("unknown")];
    let words = ["hold", "violated", "unknown"];
    let parts = counts.iter().zip(words).filter(|(count, _)| **count > 0);
    let parts: Vec<String> = parts
        .map(|(count, word)| match (count, word) {
            (1, "hold") => "1 holds".to_owned(),
            _ => format!("{count} {word}"),
        })
        .collect();
    parts.join(", ")
}

/// A run, as a chart and step by step.
fn run(system: &System, sources: &Sources, places: &Places, answer: &Answer) -> Value {
    let Some(trace) = &answer.trace else {
        return Value::Null;
    };
    let chart = chart::of(system, sources, answer);
    let folded = chart.as_ref().map(chart::Chart::folded);
    let paper = Paper {
        columns: COLUMNS,
        ascii: false,
        whole: false,
        style: report::Style::plain(),
    };
    let name = &system.properties[answer.property].name;
    let about = report::About {
        file: "",
        engine: "embedded",
        states: None,
        second: None,
        stats: None,
        differences: None,
    };
    // The words of the steps, as every other program gets them.
    let told = report::json(system, sources, std::slice::from_ref(answer), &about);
    let told: Value = serde_json::from_str(&told).unwrap_or_default();
    let words = &told["properties"][0]["trace"]["steps"];
    let steps: Vec<Value> = (trace.steps.iter().enumerate())
        .map(|(i, step)| {
            let location = step.span.and_then(|span| places.location(span));
            json!({
                "process": words[i]["process"],
                "text": words[i]["text"],
                "fault": words[i]["fault"],
                "changes": words[i]["changes"],
                "location": location,
            })
        })
        .collect();
    json!({
        "property": name,
        "verdict": answer.verdict(),
        "chart": folded.as_ref().map(|chart| draw(chart, sources, &paper)),
        "svg": folded.as_ref().map(|chart| chart::svg::write(chart, name)),
        "steps": steps,
        "loopStart": trace.loop_start,
    })
}
