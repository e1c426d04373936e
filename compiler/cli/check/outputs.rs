//! The files that a check writes besides what it prints.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::many;
use crate::cli::args::{Check, Reports};
use crate::cli::shell::Shell;
use crate::cli::{Exit, files};
use crate::report::{self, Checked, Findings, Suite};

/// What one model adds to the reports.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
pub struct Part {
    /// How its check ended: an exit code.
    pub exit: u8,
    /// The answers, as `--format json` prints them; empty if there are none.
    pub json: String,
    /// How many properties hold, are violated, and are unknown.
    pub counts: [usize; 3],
    /// The names of those that are violated or unknown.
    pub failing: Vec<String>,
    /// Where the answers are not the expected ones, each with its place.
    pub surprises: Vec<String>,
    /// For JUnit, if it is asked for.
    suite: Suite,
    /// For SARIF, if it is asked for.
    findings: Findings,
    /// The first run in ITF, if it is asked for.
    itf: Option<String>,
    /// All runs for Mermaid, each with its name, if they are asked for.
    diagrams: Vec<(String, String)>,
}

impl Part {
    /// What has been found out about a model, as far as it is asked for: a run may be long.
    pub fn new(model: &Checked<'_>, json: String, exit: Exit, reports: &Reports) -> Part {
        let counts = report::Counts::of(model.answers);
        let with_runs = model.answers.iter().filter(|answer| answer.is_violated());
        let runs: Vec<_> = with_runs.filter(|answer| answer.trace.is_some()).collect();
        let first = runs.first().zip(model.system);
        let drawn = model.system.filter(|_| reports.mermaid.is_some());
        let diagrams = drawn.map(|system| {
            let diagrams = runs.iter().filter_map(|answer| {
                let name = &system.properties[answer.property].name;
                let diagram = report::mermaid(system, model.sources, answer)?;
                Some((format!("{}: {name}", model.file), diagram))
            });
            diagrams.collect()
        });
        let names = model.system.map(|system| {
            let failing = model.answers.iter().filter(|a| a.verdict() != "holds");
            failing
                .map(|a| system.properties[a.property].name.clone())
                .collect()
        });
        Part {
            exit: exit as u8,
            json,
            counts: [counts.hold, counts.violated, counts.unknown],
            failing: names.unwrap_or_default(),
            surprises: (model.surprises.iter())
                .map(|surprise| match surprise.span {
                    Some(span) => format!("{}: {}", model.sources.place(span), surprise.words),
                    None => surprise.words.clone(),
                })
                .collect(),
            suite: match reports.junit {
                Some(_) => Suite::new(model),
                None => Suite::default(),
            },
            findings: match reports.sarif {
                Some(_) => Findings::new(model),
                None => Findings::default(),
            },
            itf: first
                .filter(|_| reports.itf.is_some())
                .and_then(|(answer, system)| {
                    report::itf(system, model.sources, answer, model.file)
                }),
            diagrams: diagrams.unwrap_or_default(),
        }
    }

    /// A model about which nothing is known.
    pub fn failed(file: &str, why: &str, exit: u8) -> Part {
        Part {
            exit,
            suite: Suite::failed(file, why),
            findings: Findings::failed(file, why),
            ..Part::default()
        }
    }
}

/// Whether the names of the files make sense, before anything is done.
pub fn look(args: &Check, several: bool, shell: &mut Shell) -> Result<(), Exit> {
    let mut seen: Vec<&Path> = Vec::new();
    for (option, file) in args.reports.files() {
        let wrong = if files::is_standard(file) || file.as_os_str().is_empty() {
            Some("name a file for it")
        } else if seen.contains(&file.as_path()) {
            Some("name another file: this one gets another report")
        } else if several && option == "--html" {
            Some("check one model at a time: such a page is about one")
        } else if several && (option == "--itf" || option == "--mermaid" && !is_page(file)) {
            Some("check one model at a time: such a file holds one run")
        } else if args.files.iter().any(|model| files::same(model, file)) {
            Some("name another file: this one is a model")
        } else {
            None
        };
        if let Some(hint) = wrong {
            let message = format!("`{option} {}` cannot be done", file.display());
            shell.complain(&message, None, Some(hint));
            return Err(Exit::BadInput);
        }
        seen.push(file);
    }
    Ok(())
}

/// Writes what one model adds to the reports: the reports, or a part for whoever checks several models.
pub fn deliver(reports: &Reports, part: Part, shell: &mut Shell) -> Exit {
    let Some(file) = many::own_part() else {
        return write(reports, &[part], shell);
    };
    let text = serde_json::to_string(&part).expect("a part is plain data");
    match files::write(&file, text.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            shell.fail("write", &failure);
            Exit::BadInput
        }
    }
}

/// Whether a file is a page, which may have several diagrams.
fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
}

/// Writes the reports that are asked for.
pub fn write(reports: &Reports, parts: &[Part], shell: &mut Shell) -> Exit {
    let mut exit = Exit::Ok;
    for (option, file) in reports.files() {
        let contents = match option {
            // It is written with the answers.
            "--html" => None,
            "--junit" => {
                let suites: Vec<Suite> = parts.iter().map(|part| part.suite.clone()).collect();
                Some(report::junit(&suites))
            }
            "--sarif" => {
                let models: Vec<Findings> =
                    parts.iter().map(|part| part.findings.clone()).collect();
                Some(report::sarif(&models))
            }
            "--mermaid" if is_page(file) => {
                let diagrams = parts.iter().flat_map(|part| part.diagrams.clone());
                Some(report::mermaid_page(&diagrams.collect::<Vec<_>>()))
            }
            _ => {
                let mut diagrams = parts.iter().flat_map(|part| &part.diagrams);
                let runs = diagrams.clone().count();
                let first = match option {
                    "--mermaid" => diagrams.next().map(|(_, diagram)| diagram.clone()),
                    _ => parts.iter().find_map(|part| part.itf.clone()),
                };
                let name = file.display();
                if first.is_none() {
                    shell.note(&format!("there is no run to write to {name}"));
                } else if runs > 1 {
                    shell.note(&format!(
                        "{name} has the first of {runs} runs; --property chooses another"
                    ));
                }
                first
            }
        };
        if let Some(contents) = contents
            && let Err(failure) = files::write(file, contents.as_bytes())
        {
            shell.fail("write", &failure);
            exit = Exit::BadInput;
        }
    }
    exit
}
