//! From the arguments to a System that can be checked, or the reasons why there is none.
//!
//! The steps are those of other commands ([`model`]), one by one: with `--expect` the comments of the model that has just been
//! read say with which options it is checked and woven.

use std::path::Path;

use clap::Parser as _;

use crate::check::Expectations;
use crate::cli::Exit;
use crate::cli::args::{Check, ModelOptions};
use crate::cli::model::{self, Model};
use crate::cli::shell::Shell;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::Sources;
use crate::system::System;

/// A model that can be checked.
pub struct Ready {
    /// What it says.
    pub model: Model,
    /// How it is woven: as the arguments want it, and its own comments if they are asked.
    pub options: ModelOptions,
    /// The System as it is woven.
    pub system: System,
    /// The properties to check, by their index.
    pub wanted: Vec<usize>,
    /// The answers that its comments expect, if they are asked.
    pub expectations: Option<Expectations>,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// A model that cannot be checked. All has been said about it.
pub struct Refused {
    /// How to end.
    pub exit: Exit,
    /// Its texts.
    pub sources: Sources,
    /// The messages about it.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong, if it is not the model.
    pub why: Option<String>,
}

impl Refused {
    fn new(sources: Sources, why: String) -> Refused {
        Refused {
            exit: Exit::BadInput,
            sources,
            diagnostics: Vec::new(),
            why: Some(why),
        }
    }
}

/// Reads, checks and weaves a model, and shows all messages about it.
pub fn prepare(args: &Check, file: &Path, shell: &mut Shell) -> Result<Ready, Box<Refused>> {
    let mut sources = Sources::new();
    let mut loaded = match model::load(file, &mut sources) {
        Ok(loaded) => loaded,
        Err(failure) => {
            shell.fail("read", &failure);
            let why = format!("cannot be read: {}", failure.why);
            return Err(Box::new(Refused::new(sources, why)));
        }
    };
    let mut options = args.options.clone();
    let mut expectations = None;
    if args.expect {
        let text = &sources.file(loaded.main.id).text;
        let read = Expectations::read(loaded.main.id, text);
        match with_flags(&read.flags, options) {
            Ok(all) => options = all,
            Err(why) => {
                let why = format!("`flags: {}` cannot be read: {why}", read.flags.join(" "));
                let hint = "write options of the model, such as `--no-faults` or `-D N=3`";
                shell.complain(&why, file.to_str(), Some(hint));
                return Err(Box::new(Refused::new(sources, why)));
            }
        }
        expectations = Some(read);
    }
    if let Err(failure) = model::add_scenarios(&mut loaded, &options, &mut sources) {
        shell.fail("read", &failure);
        let why = format!("`{}` cannot be read: {}", failure.path, failure.why);
        return Err(Box::new(Refused::new(sources, why)));
    }
    let checked = model::check_loaded(loaded, &options);
    shell.report(&checked.diagnostics, &sources);
    let Some(program) = checked.program else {
        return Err(Box::new(Refused {
            exit: Exit::BadInput,
            sources,
            diagnostics: checked.diagnostics,
            why: None,
        }));
    };
    let woven = model::system(&options, &program, shell)
        .and_then(|system| Ok((wanted(&args.property, &system, shell)?, system)));
    let (wanted, system) = match woven {
        Ok(woven) => woven,
        Err(_) => {
            let why = "the options do not fit the model".to_owned();
            return Err(Box::new(Refused::new(sources, why)));
        }
    };
    Ok(Ready {
        model: Model {
            sources,
            program,
            loaded: checked.loaded,
        },
        options,
        system,
        wanted,
        expectations,
        diagnostics: checked.diagnostics,
    })
}

/// The options of a model, and nothing else: what stands in a file must not start programs.
#[derive(clap::Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Flags {
    #[command(flatten)]
    options: ModelOptions,
}

/// The options of the command line and those that a model wants itself.
fn with_flags(flags: &[String], given: ModelOptions) -> Result<ModelOptions, String> {
    if flags.is_empty() {
        return Ok(given);
    }
    let parsed = Flags::try_parse_from(flags);
    let own = parsed.map(|flags| flags.options).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.trim_start_matches("error: ").to_owned()
    })?;
    Ok(ModelOptions {
        define: [own.define, given.define].concat(),
        no_faults: own.no_faults || given.no_faults,
        faults: given.faults.or(own.faults),
        with: [own.with, given.with].concat(),
        timely: own.timely || given.timely,
        allow_deadlock: own.allow_deadlock || given.allow_deadlock,
        no_simplify: own.no_simplify || given.no_simplify,
    })
}

/// The properties to check: all, or those that are named.
pub fn wanted(names: &[String], system: &System, shell: &mut Shell) -> Result<Vec<usize>, Exit> {
    let all = || {
        system
            .properties
            .iter()
            .map(|property| property.name.as_str())
    };
    for name in names {
        if !all().any(|other| other == name) {
            let hint = match did_you_mean(name, all()) {
                Some(near) => format!("write `{near}`"),
                None => "run `sandalc check` with `--list` to see the properties".to_owned(),
            };
            let message = format!("the model has no property `{name}`");
            shell.complain(&message, None, Some(&hint));
            return Err(Exit::BadInput);
        }
    }
    Ok((0..system.properties.len())
        .filter(|index| names.is_empty() || names.contains(&system.properties[*index].name))
        .collect())
}
