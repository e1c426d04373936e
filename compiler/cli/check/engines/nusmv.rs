//! NuSMV as the second engine.

use std::cell::OnceCell;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Engine, Looked, Places, Task};
use crate::check::{Extent, Failure, Name, Second, Told};
use crate::cli::model;
use crate::cli::progress::ProgressLine;
use crate::cli::shell::Shell;
use crate::nusmv;
use crate::nusmv::Tool;
use crate::simplify::Rules;
use crate::system::System;
use crate::tool;
use crate::verdict::Outcome;

/// The NuSMV that the arguments name, or that is installed.
pub struct Nusmv<'a> {
    task: &'a Task<'a>,
    shell: Shell,
    tool: OnceCell<Tool>,
}

impl<'a> Nusmv<'a> {
    /// It is looked for when it is needed.
    pub fn new(task: &'a Task<'a>, shell: &Shell) -> Self {
        Nusmv {
            task,
            shell: shell.clone(),
            tool: OnceCell::new(),
        }
    }

    /// Finds NuSMV within the limits.
    fn tool(&self) -> Result<&Tool, nusmv::Error> {
        if let Some(tool) = self.tool.get() {
            return Ok(tool);
        }
        let Task { args, watch, .. } = self.task;
        let limits = self.limits(watch.time_left());
        let tool = watch.trust(|| nusmv::find(args.engines.nusmv.as_deref(), limits))?;
        Ok(self.tool.get_or_init(|| tool))
    }

    /// What bounds it.
    fn limits(&self, time: Option<Duration>) -> nusmv::Limits<'a> {
        nusmv::Limits {
            time,
            memory: self.task.args.max_memory.map(|size| size.0 as u64),
            cancel: Some(self.task.watch.interrupted),
        }
    }
}

/// Looks for it without a model.
pub fn look(places: &Places, limits: nusmv::Limits<'_>) -> Looked {
    Looked {
        key: "nusmv",
        name: "NuSMV",
        state: nusmv::find(places.nusmv.as_deref(), limits)
            .map(|tool| (tool.version.to_string(), tool.path.display().to_string()))
            .map_err(|error| (error.to_string(), error.hint())),
        purpose: "confirm answers with a second engine",
        needed: true,
    }
}

impl From<nusmv::Error> for Failure {
    fn from(error: nusmv::Error) -> Failure {
        match error.is_internal() {
            true => Failure::Internal(error.to_string()),
            false => Failure::Failed(error.to_string(), error.hint().map(str::to_owned)),
        }
    }
}

impl Second for Nusmv<'_> {
    fn find(&self) -> Result<Name, Failure> {
        let args = self.task.args;
        match self.tool() {
            Ok(tool) => Ok(Name {
                name: tool.version.name.clone(),
                version: tool.version.number(),
            }),
            // Nobody has asked for this one, so there is nothing more to say.
            Err(nusmv::Error::Tool(tool::Error::Missing(_)))
                if args.engines.nusmv.is_none() && args.engine != Engine::Nusmv =>
            {
                Err(Failure::NotFound)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn ask(
        &self,
        system: &System,
        properties: &[usize],
        extent: Extent,
        patience: Option<Duration>,
    ) -> Result<Told, Failure> {
        let tool = self.tool()?;
        let Task { model, watch, .. } = self.task;
        let emitted = nusmv::emit(system, &model.sources);
        let mut line = ProgressLine::new(&self.shell);
        let mut progress = |at| {
            let name = |p: usize| &system.properties[p].name;
            line.say(&match at {
                nusmv::Progress::Preparing => format!("{} reads the model", tool.version),
                nusmv::Progress::Checking(p) => format!("{} checks {}", tool.version, name(p)),
                nusmv::Progress::Answered(p) => {
                    format!("{} has answered {}", tool.version, name(p))
                }
            });
        };
        let ask = match extent {
            Extent::Verdicts => nusmv::decide,
            Extent::Runs => nusmv::check,
        };
        let limits = self.limits(patience);
        let report =
            watch.trust(|| ask(tool, system, &emitted, properties, limits, &mut progress))?;
        let is_unknown = |outcome: &Outcome| matches!(outcome, Outcome::Unknown(_));
        if extent == Extent::Verdicts
            && watch.interrupted.load(Ordering::Relaxed)
            && report.verdicts.iter().any(|v| is_unknown(&v.outcome))
        {
            return Err(Failure::Failed("interrupted".to_owned(), None));
        }
        Ok(Told {
            proofs: Vec::new(),
            verdicts: report.verdicts.into_iter().zip(report.times).collect(),
            possible: report.possible,
        })
    }
}

/// Keeps what is needed to see a disagreement again; where.
pub fn save(task: &Task) -> Result<String, String> {
    let folder = tempfile::Builder::new()
        .prefix("sandalc-disagreement-")
        .tempdir()
        .map_err(|error| error.to_string())?
        .keep();
    let options = task.options;
    let simplified = model::simplified(options, task.system, Rules::default(), &|| false);
    let emitted = nusmv::emit(&simplified.system, &task.model.sources);
    let mut files = vec![
        ("model.smv".to_owned(), emitted.text),
        (
            "woven.txt".to_owned(),
            crate::system::print::system(task.system),
        ),
    ];
    for (index, (_, file)) in task.model.sources.iter().enumerate() {
        files.push((format!("{index}.sdl"), file.text.clone()));
    }
    for (name, text) in files {
        std::fs::write(folder.join(name), text).map_err(|error| error.to_string())?;
    }
    Ok(folder.display().to_string())
}
