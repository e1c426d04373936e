//! `sandalc tolerance`, `fta` and `fmea`: what does a model tolerate?

mod probability;

use std::cell::RefCell;
use std::time::Duration;

use super::args::{Fmea, Format, Fta, Limits, ModelArgs, Tolerance, Wanted};
use super::check::wanted;
use super::check::watch::{Watch, too_late};
use super::model::{self, Model};
use super::progress::ProgressLine;
use super::shell::Shell;
use super::{Exit, files, internal, interrupt};
use crate::analysis::{self, FaultSet, Inquiry, Survey};
use crate::check::{self, Answer, Trouble, World};
use crate::engine;
use crate::report;
use crate::report::analysis::{Subject, fmea, mef, picture, tolerance, tree};
use crate::system::System;
use crate::vocabulary::FaultId;
use crate::weave;

/// A model that is to be analysed.
struct Work<'a> {
    args: &'a ModelArgs,
    limits: &'a Limits,
    model: Model,
    weave: weave::Options,
    system: System,
    faults: Vec<FaultId>,
    wanted: Vec<usize>,
    watch: Watch,
}

/// The world of an analysis: the clock, and the line that shows progress.
struct Desk<'a> {
    watch: &'a Watch,
    line: RefCell<ProgressLine>,
}

impl World for Desk<'_> {
    fn is_over(&self) -> bool {
        self.watch.is_over()
    }

    fn elapsed(&self) -> Duration {
        self.watch.start.elapsed()
    }

    fn time_left(&self) -> Option<Duration> {
        self.watch.time_left()
    }

    fn progress(&self, now: &engine::Progress) {
        self.line.borrow_mut().show(now);
    }

    fn answer(&self, _: &Answer) {
        self.line.borrow_mut().clear();
    }
}

impl<'a> Work<'a> {
    /// Loads and weaves a model.
    fn new(
        args: &'a ModelArgs,
        limits: &'a Limits,
        properties: &[String],
        shell: &mut Shell,
    ) -> Result<Work<'a>, Exit> {
        let watch = Watch::within(limits.timeout, limits.max_memory);
        let too_late = too_late(shell, " before the model was read");
        let woven = watch.over(too_late, || {
            let model = model::program(args, shell)?;
            let system = model::system(&args.options, &model.program, shell)?;
            let wanted = wanted(properties, &system, shell)?;
            Ok((model, system, wanted))
        });
        let (model, system, wanted) = woven?;
        let options = model::options(&args.options, &model.program);
        let weave = options.map_err(|_| Exit::BadInput)?;
        let faults = weave::woven_faults(&model.program, &weave);
        if faults.len() > FaultSet::MOST {
            let message = format!(
                "the model marks {} faults, and at most {} can be told apart",
                faults.len(),
                FaultSet::MOST
            );
            shell.complain(&message, None, Some("choose some of them with `--faults`"));
            return Err(Exit::BadInput);
        }
        Ok(Work {
            args,
            limits,
            model,
            weave,
            system,
            faults,
            wanted,
            watch,
        })
    }

    /// How to search.
    fn options(&self) -> check::Options {
        check::Options {
            simplify: !self.args.options.no_simplify,
            limits: engine::Limits {
                states: self.limits.max_states.unwrap_or(u64::MAX),
                memory: self.watch.memory,
            },
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            ..check::Options::default()
        }
    }

    /// Does some work within the limits.
    fn within<R>(
        &self,
        shell: &mut Shell,
        work: impl FnOnce(&Inquiry<'_>, &dyn World) -> Result<R, Trouble>,
    ) -> Result<R, Exit> {
        let with = |faults: &[FaultId]| {
            let options = weave::Options {
                faults: Some(faults.to_vec()),
                ..self.weave.clone()
            };
            crate::build(&self.model.program, &options)
        };
        let task = Inquiry {
            system: &self.system,
            faults: &self.faults,
            wanted: &self.wanted,
            weave: &with,
            options: self.options(),
            max_faults: self.limits.max_faults,
        };
        let desk = Desk {
            watch: &self.watch,
            line: RefCell::new(ProgressLine::new(shell)),
        };
        let too_late = too_late(shell, " before anything was known");
        let found = self.watch.over(too_late, || work(&task, &desk));
        desk.line.borrow_mut().clear();
        found.map_err(|trouble| complain(trouble, shell))
    }

    fn survey(&self, shell: &mut Shell) -> Result<Survey, Exit> {
        self.within(shell, |task, world| analysis::survey(task, world))
    }

    fn subject<'s>(&'s self, file: &'s str) -> Subject<'s> {
        Subject {
            file,
            system: &self.system,
            faults: &self.faults,
        }
    }

    /// The exit code of a report that is complete or not.
    fn exit(&self, complete: bool, shell: &Shell) -> Exit {
        let exit = match complete {
            true => Exit::Ok,
            false => Exit::Undecided,
        };
        interrupt::or(exit.and(shell.done()))
    }
}

/// Says why there is no report.
pub(super) fn complain(trouble: Trouble, shell: &mut Shell) -> Exit {
    match trouble {
        Trouble::NoRun => {
            let (message, hint) = Trouble::NO_RUN;
            shell.complain(message, None, Some(hint));
            Exit::BadInput
        }
        Trouble::Internal(what) => internal::say(&what, shell),
        // Nobody else is asked.
        other => internal::say(&format!("{other:?}"), shell),
    }
}

fn is_complete(survey: &Survey) -> bool {
    let known = |s: &analysis::Surveyed| {
        s.violations.missing.is_none() && s.tolerates != analysis::Tolerates::Unknown
    };
    survey.properties.iter().all(known)
}

/// Which faults does each property survive?
pub fn tolerance(args: &Tolerance, shell: &mut Shell) -> Exit {
    let run = |shell: &mut Shell| {
        let work = Work::new(&args.model, &args.limits, &args.property, shell)?;
        let survey = work.survey(shell)?;
        let file = files::display(&args.model.file);
        let subject = work.subject(&file);
        let text = match shell.format() {
            Format::Json => tolerance::json(&subject, &survey) + "\n",
            Format::Text => tolerance::text(&subject, &survey, shell.style()),
        };
        shell.print(&text);
        Ok(work.exit(is_complete(&survey), shell))
    };
    run(shell).unwrap_or_else(|exit| exit)
}

/// Which smallest sets of faults violate a property?
pub fn fta(args: &Fta, shell: &mut Shell) -> Exit {
    let run = |shell: &mut Shell| {
        let properties = std::slice::from_ref(&args.property);
        let work = Work::new(&args.model, &args.limits, properties, shell)?;
        let file = files::display(&args.model.file);
        let subject = work.subject(&file);
        let probabilities = match &args.probability {
            None => probability::marked(&subject, &work.model.program, shell),
            Some(path) => Some(probability::read(
                path,
                &subject,
                &work.model.program,
                shell,
            )?),
        };
        let survey = work.survey(shell)?;
        let surveyed = &survey.properties[0];
        let runs = match args.trace {
            true => runs(&work, surveyed, shell)?,
            false => Vec::new(),
        };
        let tree = tree::Tree {
            subject,
            surveyed,
            probabilities,
            runs,
        };
        let text = match shell.wanted() {
            Some(Wanted::Json) => tree::json(&tree) + "\n",
            Some(Wanted::Dot) => picture::dot(&tree),
            Some(Wanted::Svg) => picture::svg(&tree),
            Some(Wanted::Mef) => mef::mef(&tree),
            _ => tree::text(&tree, shell.style()),
        };
        shell.print(&text);
        Ok(work.exit(surveyed.violations.missing.is_none(), shell))
    };
    run(shell).unwrap_or_else(|exit| exit)
}

/// A run for each smallest set of faults, in words.
fn runs(
    work: &Work<'_>,
    surveyed: &analysis::Surveyed,
    shell: &mut Shell,
) -> Result<Vec<String>, Exit> {
    let mut runs = Vec::new();
    if !surveyed.violations.is_rising() {
        return Ok(runs);
    }
    for set in surveyed.violations.cut_sets() {
        let faults = set.faults(&work.faults);
        let (system, answers) = work.within(shell, |task, world| {
            let system = (task.weave)(&faults);
            let wanted = [surveyed.property];
            let found = analysis::each::answers(&system, &wanted, &task.options, world)?;
            Ok((system, found))
        })?;
        let shown = answers.iter().map(|answer| {
            let detail = report::Detail::Folded;
            report::trace(&system, &work.model.sources, answer, detail, shell.style())
        });
        runs.push(shown.collect());
    }
    Ok(runs)
}

/// What does each fault do?
pub fn fmea(args: &Fmea, shell: &mut Shell) -> Exit {
    let run = |shell: &mut Shell| {
        let work = Work::new(&args.model, &args.limits, &args.property, shell)?;
        let (survey, effects) = work.within(shell, |task, world| {
            let survey = analysis::survey(task, world)?;
            let effects = analysis::effects(task, &survey, world)?;
            Ok((survey, effects))
        })?;
        let file = files::display(&args.model.file);
        let fmea = fmea::Fmea {
            subject: work.subject(&file),
            sources: &work.model.sources,
            survey: &survey,
            effects: &effects,
        };
        let text = match shell.wanted() {
            Some(Wanted::Json) => fmea::json(&fmea) + "\n",
            Some(Wanted::Csv) => fmea::csv(&fmea),
            _ => fmea::text(&fmea, shell.style()),
        };
        shell.print(&text);
        Ok(work.exit(fmea.is_complete(), shell))
    };
    run(shell).unwrap_or_else(|exit| exit)
}
