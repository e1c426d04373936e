//! `--watch`: models are checked again when they, or what they import, have changed.
//!
//! Files are looked at a few times a second: their time, size and identity. That works wherever files come from (other
//! machines, containers, editors that replace a file instead of writing to it), needs nothing of the system, and costs next to
//! nothing for the few files of a model. A change counts when the files have been at rest for a moment, so that whoever saves
//! several files, or one in several steps, gets one answer. A check that is going on then is ended.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use super::many::{self, Returned};
use super::{outputs, summary};
use crate::cli::args::{Check, Format};
use crate::cli::files::{self, FileSystem};
use crate::cli::shell::Shell;
use crate::cli::{Exit, interrupt};
use crate::load::{Files, Unreadable};
use crate::source::{Sources, printable};

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(200);
/// Folders are searched for new files once in so many times.
const FOLDERS: u32 = 5;

/// What tells that a file has changed; `None` if it is not there.
type Stamp = Option<(Option<SystemTime>, u64, u64)>;

fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let identity = std::os::unix::fs::MetadataExt::ino(&about);
    #[cfg(not(unix))]
    let identity = 0;
    Some((about.modified().ok(), about.len(), identity))
}

/// A model with the files that it is made of, as they were when it was read last.
struct Watched {
    model: PathBuf,
    files: BTreeMap<PathBuf, Stamp>,
    /// What is known about it.
    checked: Option<Returned>,
}

impl Watched {
    /// Notes what the files are now. They are noted before they are read, so that no change is missed.
    fn new(model: &Path, options: &Check) -> Watched {
        let mut files: BTreeMap<PathBuf, Stamp> = BTreeMap::new();
        for file in further(options) {
            files.insert(file.clone(), stamp(&file));
        }
        let recorder = Recorder {
            files: FileSystem { main: model },
            seen: RefCell::new(files),
        };
        // Whatever is wrong with it, whoever checks it will say.
        let _ = crate::load::load(model, &recorder, &mut Sources::new());
        Watched {
            model: model.to_owned(),
            files: recorder.seen.into_inner(),
            checked: None,
        }
    }

    /// The files that have changed since.
    fn changed(&self) -> Vec<&PathBuf> {
        let all = self.files.iter();
        all.filter(|(path, known)| stamp(path) != **known)
            .map(|(path, _)| path)
            .collect()
    }
}

/// Files that the arguments name besides the models.
fn further(args: &Check) -> Vec<PathBuf> {
    args.options.with.clone()
}

/// Notes which files are read, also those that are missing.
struct Recorder<'a> {
    files: FileSystem<'a>,
    seen: RefCell<BTreeMap<PathBuf, Stamp>>,
}

impl Files for Recorder<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        let mut seen = self.seen.borrow_mut();
        seen.insert(path.to_owned(), stamp(path));
        self.files.read(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.files.identity(path)
    }

    fn display(&self, path: &Path) -> String {
        self.files.display(path)
    }

    fn project(&self, main: &Path) -> PathBuf {
        self.files.project(main)
    }
}

/// Checks models again and again, until somebody ends that.
pub fn run(args: &Check, shell: &mut Shell) -> Exit {
    let interrupted = interrupt::watch();
    if args.files.iter().any(|file| files::is_standard(file)) {
        let hint = "name a file";
        shell.complain("standard input cannot be watched", None, Some(hint));
        return Exit::BadInput;
    }
    let several = args.files.len() > 1 || args.files[0].is_dir();
    if let Err(exit) = outputs::look(args, several, shell) {
        return exit;
    }
    let mut models = match many::models(&args.files, shell) {
        Ok(models) => models,
        Err(exit) => return exit,
    };
    let mut all: Vec<Watched> = Vec::new();
    while !interrupted.load(Ordering::Relaxed) {
        all.retain(|watched| models.contains(&watched.model) && watched.changed().is_empty());
        let missing = models.iter().filter(|model| {
            let known = all.iter().find(|watched| watched.model == **model);
            known.is_none_or(|watched| watched.checked.is_none())
        });
        let missing: Vec<PathBuf> = missing.cloned().collect();
        if !missing.is_empty() {
            all.retain(|watched| watched.checked.is_some());
            let fresh: Vec<Watched> = missing.iter().map(|m| Watched::new(m, args)).collect();
            if !check(args, several, &missing, fresh, &mut all, &models, shell) {
                continue;
            }
        }
        let count = all.iter().map(|watched| watched.files.len()).sum::<usize>();
        shell.note(&format!("watching {count} files; Ctrl-C ends"));
        models = match wait(args, &all, models, shell) {
            Some(models) => models,
            None => break,
        };
    }
    interrupt::or(Exit::Ok)
}

/// Checks those models that have changed, and tells; false if they have changed once more meanwhile.
fn check(
    args: &Check,
    several: bool,
    missing: &[PathBuf],
    mut fresh: Vec<Watched>,
    all: &mut Vec<Watched>,
    order: &[PathBuf],
    shell: &mut Shell,
) -> bool {
    let stale = || fresh.iter().any(|watched| !watched.changed().is_empty());
    let mut first = true;
    let done = many::check(args, missing, shell, &stale, &mut |checked, shell| {
        if several {
            summary::block(args, checked, first, shell);
        } else if shell.format() == Format::Text {
            shell.pass_on(&checked.err);
            shell.print(&checked.out);
        }
        first = false;
    });
    let Some(done) = done else {
        return false;
    };
    for (watched, checked) in fresh.iter_mut().zip(done) {
        watched.checked = Some(checked);
    }
    all.append(&mut fresh);
    all.sort_by_key(|watched| order.iter().position(|model| *model == watched.model));
    let mut checked: Vec<Returned> = Vec::new();
    for watched in all.iter_mut() {
        checked.extend(watched.checked.take());
    }
    if several {
        many::conclude(args, &checked, shell);
    } else {
        let parts: Vec<_> = checked.iter().map(|c| c.part.clone()).collect();
        outputs::write(&args.reports, &parts, shell);
        if shell.format() == Format::Json {
            for checked in &checked {
                shell.pass_on(&checked.err);
                shell.print(&checked.out);
            }
        }
    }
    for (watched, checked) in all.iter_mut().zip(checked) {
        watched.checked = Some(checked);
    }
    true
}

/// Waits until files have changed and are at rest again; the models that there are then. `None` if somebody ends that.
fn wait(
    args: &Check,
    all: &[Watched],
    models: Vec<PathBuf>,
    shell: &mut Shell,
) -> Option<Vec<PathBuf>> {
    let interrupted = interrupt::watch();
    let mut round = 0;
    let mut before: Option<Vec<Stamp>> = None;
    loop {
        std::thread::park_timeout(INTERVAL);
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        round += 1;
        let mut now = None;
        if round % FOLDERS == 0 && args.files.iter().any(|path| path.is_dir()) {
            // A folder that is gone for a moment comes back.
            now = quietly(&args.files).filter(|now| *now != models);
        }
        let mut changed: Vec<&PathBuf> = all.iter().flat_map(Watched::changed).collect();
        changed.sort();
        changed.dedup();
        let stamps: Vec<Stamp> = changed.iter().map(|path| stamp(path)).collect();
        let rested = before.as_ref() == Some(&stamps);
        if let Some(now) = now {
            say(shell, "other models than before");
            return Some(now);
        }
        if !changed.is_empty() && rested {
            let names: Vec<String> = changed.iter().map(|path| files::display(path)).collect();
            say(shell, &format!("{} changed", names.join(", ")));
            return Some(quietly(&args.files).unwrap_or(models));
        }
        before = (!changed.is_empty()).then_some(stamps);
    }
}

/// The models that there are now, if the folders can be read.
fn quietly(paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let readable = paths
        .iter()
        .all(|path| !path.is_dir() || files::models(path).is_ok());
    readable.then(|| many::models(paths, &mut Shell::silent()).ok())?
}

fn say(shell: &mut Shell, what: &str) {
    if shell.format() == Format::Text {
        let rule = "-".repeat(8);
        shell.print(&format!("\n{rule} {} {rule}\n\n", printable(what)));
    }
}
