//! Where further reports of a check go: an option for each format there is.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

use crate::report::{FORMATS, Format};

/// Files that are written besides what is printed.
#[derive(Clone, Default, Debug)]
pub struct Reports {
    /// For each format its file; in the order of [`FORMATS`].
    files: Vec<Option<PathBuf>>,
}

impl Reports {
    /// The formats that are asked for, each with its file.
    pub fn files(&self) -> impl Iterator<Item = (&'static Format, &PathBuf)> {
        let all = FORMATS.iter().zip(&self.files);
        all.filter_map(|(format, file)| Some((format, file.as_ref()?)))
    }
}

impl FromArgMatches for Reports {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut reports = Reports::default();
        reports.update_from_arg_matches(matches)?;
        Ok(reports)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let file = |format: &Format| matches.get_one::<PathBuf>(format.option).cloned();
        self.files = FORMATS.iter().map(file).collect();
        Ok(())
    }
}

impl Args for Reports {
    fn augment_args(command: Command) -> Command {
        command.args(FORMATS.iter().map(|format| {
            Arg::new(format.option)
                .long(format.option)
                .help(format.help)
                .help_heading("Reports")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
