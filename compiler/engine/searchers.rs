//! Who does the work of a safety search: this process alone ([`Alone`]), or several processes together (`distributed`).
//!
//! In what order levels are built, and what follows from them, is the same for both and decided in `safety`.

use super::expand::{self, Built, Standing};
use super::explorer::{Explorer, Level};
use super::model::Select;
use super::safety::Question;
use super::space::Exhausted;
use super::trace::{self, Target};
use super::{Options, Outlook};
use crate::verdict::Run;

/// Those who build levels and find runs.
pub trait Searchers<const W: usize> {
    /// Whether anybody has met each of some goals.
    fn join(&mut self, met: &mut [bool]) -> Result<(), Exhausted>;

    /// Finds the states of a level, as [`expand::build`] does.
    fn build(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        level: Level,
        sources: &[(usize, Select)],
        questions: &[Question],
        work: &mut u64,
        go_on: &mut dyn FnMut(Standing) -> bool,
    ) -> Built;

    /// Ends the level that was built last.
    fn end_level(&mut self, explorer: &mut Explorer<'_, W>, level: Level) -> Result<(), Exhausted>;

    /// How many states all have found.
    fn states(&self, explorer: &Explorer<'_, W>) -> u64;

    /// How the search looks, if that can be told, and alike to all.
    fn outlook(&self, explorer: &Explorer<'_, W>) -> Option<Outlook>;

    /// The run to a target that has been found.
    fn run_to(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        target: Target,
        options: &Options<'_>,
    ) -> Option<Run>;
}

/// This process, with as many threads as the explorer has.
pub struct Alone;

impl<const W: usize> Searchers<W> for Alone {
    fn join(&mut self, _: &mut [bool]) -> Result<(), Exhausted> {
        Ok(())
    }

    fn build(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        _: Level,
        sources: &[(usize, Select)],
        questions: &[Question],
        work: &mut u64,
        go_on: &mut dyn FnMut(Standing) -> bool,
    ) -> Built {
        match explorer.make_compact() {
            Ok(()) => expand::build(explorer, sources, questions, work, go_on),
            Err(limit) => Built {
                met: vec![false; questions.len()],
                ended: Err(limit),
            },
        }
    }

    fn end_level(&mut self, explorer: &mut Explorer<'_, W>, level: Level) -> Result<(), Exhausted> {
        explorer.add_level(level).map(|_| ())
    }

    fn states(&self, explorer: &Explorer<'_, W>) -> u64 {
        explorer.states()
    }

    fn outlook(&self, explorer: &Explorer<'_, W>) -> Option<Outlook> {
        explorer.outlook()
    }

    fn run_to(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        target: Target,
        options: &Options<'_>,
    ) -> Option<Run> {
        match explorer.shortcuts.any() {
            true => trace::some(explorer, target, options.by_faults, &mut |least| least),
            false => trace::shortest(explorer, target, options.limits.memory),
        }
    }
}
