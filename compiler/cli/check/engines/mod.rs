//! The engines that `check` can ask: their names on the command line, where to find those that are programs of their own, and which is
//! asked when. A file for each of these says how it is started.

mod abc;
mod nusmv;

use std::path::PathBuf;

use clap::ValueEnum;

use super::Task;
use crate::check::{Aside, Engines};
use crate::cli::shell::Shell;
use crate::tool::Limits;
use abc::Abc;
use nusmv::Nusmv;
pub(super) use nusmv::save;

/// Who answers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// The embedded engine, confirmed by NuSMV.
    Auto,
    /// The embedded engine alone.
    Embedded,
    /// NuSMV alone.
    Nusmv,
    /// ABC alone: proofs of what one state or step decides.
    Abc,
}

impl Engine {
    /// Its name in JSON: whose answers are told.
    pub fn as_str(self) -> &'static str {
        match self {
            Engine::Auto | Engine::Embedded => "embedded",
            Engine::Nusmv => "nusmv",
            Engine::Abc => "abc",
        }
    }
}

/// Where the programs are.
#[derive(clap::Args, Debug)]
pub struct Places {
    /// Where NuSMV or nuXmv is [default: SANDAL_NUSMV, then NuSMV, nusmv or nuXmv on the PATH]
    #[arg(long, value_name = "PATH")]
    pub nusmv: Option<PathBuf>,

    /// Where ABC is [default: SANDAL_ABC, then berkeley-abc, yosys-abc or abc on the PATH]
    #[arg(long, value_name = "PATH")]
    pub abc: Option<PathBuf>,
}

/// The programs, for one check. Each is looked for when it is needed.
pub struct Programs<'a> {
    asked: Engine,
    nusmv: Nusmv<'a>,
    abc: Abc<'a>,
}

impl<'a> Programs<'a> {
    /// Those that the arguments name, or that are installed.
    pub(in crate::cli::check) fn new(task: &'a Task<'a>, shell: &Shell) -> Self {
        Programs {
            asked: task.args.engine,
            nusmv: Nusmv::new(task, shell),
            abc: Abc::new(task, shell),
        }
    }

    /// Who answers.
    pub fn engines(&self) -> Engines<'_> {
        match self.asked {
            Engine::Embedded => Engines::Embedded,
            Engine::Nusmv => Engines::Second(&self.nusmv),
            Engine::Abc => Engines::Second(&self.abc),
            Engine::Auto => Engines::Both(&self.nusmv),
        }
    }

    /// Who looks for proofs beside a search, where nobody has asked for a particular engine.
    pub fn aside(&self) -> Option<&dyn Aside> {
        (self.asked == Engine::Auto).then_some(&self.abc as &dyn Aside)
    }
}

/// A program that was looked for.
pub struct Looked {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its name where it is missing.
    pub name: &'static str,
    /// Its name with its version, and its place; or what is wrong, and what to do about it.
    pub state: Result<(String, String), (String, Option<&'static str>)>,
    /// What it is good for.
    pub purpose: &'static str,
    /// Whether somebody relies on its being there.
    pub needed: bool,
}

/// Looks for all programs.
pub fn look(places: &Places, limits: Limits<'_>) -> Vec<Looked> {
    vec![nusmv::look(places, limits), abc::look(places, limits)]
}
