//! The files that a check writes besides what it prints.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::many;
use crate::cli::args::{Check, Reports};
use crate::cli::shell::Shell;
use crate::cli::{Exit, files};
use crate::report::{self, Account, Makes, Runs, Subject};

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
    /// For the formats that are asked for, in order.
    pieces: Vec<Piece>,
}

/// What one model adds to the file of a format.
#[derive(Clone, Serialize, Deserialize, Debug)]
enum Piece {
    Whole(Value),
    Runs(Runs),
    /// Nothing: it is written by somebody else.
    Page,
}

/// As far as it is asked for: a run may be long.
fn pieces(subject: Subject<'_>, reports: &Reports) -> Vec<Piece> {
    let pieces = reports.files().map(|(format, file)| match format.makes {
        Makes::Whole { piece, .. } => Piece::Whole(piece(subject)),
        Makes::Run { run, page } => {
            let all = page.is_some() && is_page(file);
            Piece::Runs(Runs::new(subject, run, all))
        }
        Makes::Page => Piece::Page,
    });
    pieces.collect()
}

impl Part {
    /// What has been found out about a model.
    pub fn new(model: &Account<'_>, json: String, exit: Exit, reports: &Reports) -> Part {
        let counts = report::Counts::of(model.answers);
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
            pieces: pieces(Subject::Model(model), reports),
        }
    }

    /// A model about which nothing is known.
    pub fn failed(file: &str, why: &str, exit: u8, reports: &Reports) -> Part {
        Part {
            exit,
            pieces: pieces(Subject::Failed(file, why), reports),
            ..Part::default()
        }
    }
}

/// Whether the names of the files make sense, before anything is done.
pub fn look(args: &Check, several: bool, shell: &mut Shell) -> Result<(), Exit> {
    let mut seen: Vec<&Path> = Vec::new();
    for (format, file) in args.reports.files() {
        let option = format.option;
        let about_one = several
            && match format.makes {
                Makes::Whole { .. } => false,
                Makes::Run { page, .. } => page.is_none() || !is_page(file),
                Makes::Page => true,
            };
        let wrong = if files::is_standard(file) || file.as_os_str().is_empty() {
            Some("name a file for it")
        } else if seen.contains(&file.as_path()) {
            Some("name another file: this one gets another report")
        } else if about_one && matches!(format.makes, Makes::Page) {
            Some("check one model at a time: such a page is about one")
        } else if about_one {
            Some("check one model at a time: such a file holds one run")
        } else if args.files.iter().any(|model| files::same(model, file)) {
            Some("name another file: this one is a model")
        } else {
            None
        };
        if let Some(hint) = wrong {
            let message = format!("`--{option} {}` cannot be done", file.display());
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
    for (index, (format, file)) in reports.files().enumerate() {
        let pieces = parts.iter().filter_map(|part| part.pieces.get(index));
        let contents = match format.makes {
            // It is written with the answers.
            Makes::Page => None,
            Makes::Whole { join, .. } => {
                let pieces = pieces.map(|piece| match piece {
                    Piece::Whole(piece) => piece.clone(),
                    other => unreachable!("{other:?} is for another format"),
                });
                Some(join(&pieces.collect::<Vec<_>>()))
            }
            Makes::Run { page, .. } => {
                let runs: Vec<&Runs> = pieces
                    .map(|piece| match piece {
                        Piece::Runs(runs) => runs,
                        other => unreachable!("{other:?} is for another format"),
                    })
                    .collect();
                let texts = runs.iter().flat_map(|runs| &runs.texts);
                match page {
                    Some(page) if is_page(file) => Some(page(&texts.cloned().collect::<Vec<_>>())),
                    _ => {
                        let mut texts = texts;
                        let first = texts.next().map(|(_, text)| text.clone());
                        let count: usize = runs.iter().map(|runs| runs.count).sum();
                        only_one(file, first.is_some(), count, shell);
                        first
                    }
                }
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

/// Tells of the runs that a file does not have.
fn only_one(file: &Path, some: bool, count: usize, shell: &mut Shell) {
    let name = file.display();
    if !some {
        shell.note(&format!("there is no run to write to {name}"));
    } else if count > 1 {
        shell.note(&format!(
            "{name} has the first of {count} runs; --property chooses another"
        ));
    }
}
