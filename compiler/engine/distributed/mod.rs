//! The safety search by several processes, each of which keeps the states whose hash is its own.
//!
//! All processes call [`check`] with the same System, properties and options, and get the same report; `safety` runs in each of
//! them, and decides the same in each, because all it asks (`searchers`) is answered for all of
//! them together:
//!
//! - `part`, `desk`: a level is built in a round: everybody expands its own states and sends each successor to its owner, who knows
//!   whether it is new. In a second round all hear what was found, so all know the same when the level ends;
//! - `shortest`: the run to show is found as `trace` finds it. Which states lie on shortest runs is told to all, step by step from
//!   the end; then all choose the first step among those that the owners offer, step by step from the beginning;
//! - [`Journal`]: what each writes down at the end of a level, so that a search can go on after it was cut off.
//!
//! How bytes get from one process to another is not known here: that is the [`Mesh`]'s business.

mod desk;
mod journal;
mod mesh;
mod part;
mod shortest;
#[cfg(test)]
mod tests;

pub use journal::{Journal, Unreadable};
pub use mesh::{Broken, Mesh, exchange};

use super::explorer::Explorer;
use super::model::CompiledSystem;
use super::safety::{self, Question};
use super::shortcuts::Shortcuts;
use super::space::Exhausted;
use super::{Notice, Options, Report, Stats, give_up, prepare, with_words};
use crate::system::System;
use part::Part;

/// Answers safety properties of a System together with others, who are asked the same at the same time.
/// If somebody is lost, what is open then is unknown.
pub fn check<'m>(
    mesh: &'m mut (dyn Mesh + 'm),
    journal: Option<&'m mut (dyn Journal + 'm)>,
    (system, wanted): (&System, &[usize]),
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> Report {
    let (model, shortcuts, questions) = match prepare(system, wanted, options) {
        Ok(ready) => ready,
        // What is too large is too large for all.
        Err(why) => return give_up(wanted, why, notice),
    };
    let result = with_words!(model.layout.words, W => {
        let mut part = Part::<W>::new(mesh, journal);
        search(&mut part, (system, wanted), (model, shortcuts, &questions), options, notice)
    });
    result.unwrap_or_else(|why| give_up(wanted, why, notice))
}

fn search<const W: usize>(
    part: &mut Part<'_, W>,
    (system, wanted): (&System, &[usize]),
    (model, shortcuts, questions): (CompiledSystem, Shortcuts, &[Question]),
    options: &Options<'_>,
    notice: &mut dyn FnMut(Notice<'_>),
) -> Report {
    let owns = part.owns();
    let explorer = Explorer::<W>::of_part(system, model, shortcuts, options.limits, 1, owns);
    let ended = explorer.as_ref().map(|_| ()).map_err(|why| *why);
    let begun = part.begin(explorer.as_ref().ok(), wanted, options);
    let (Ok(mut explorer), Ok(())) = (explorer, ended.and(begun)) else {
        return give_up(wanted, safety::explored(0, 0), notice);
    };
    let (verdicts, ended) = safety::search(&mut explorer, part, questions, options, notice);
    let complete = explorer.complete;
    let all = part.all();
    Report {
        verdicts,
        possible: None,
        reachable: (complete && !explorer.shortcuts.any()).then_some(all.states),
        stats: Stats {
            states: all.states,
            complete,
            transitions: all.transitions,
            depth: explorer.depth(),
            faults: explorer.levels.last().map_or(0, |l| l.faults),
            memory: all.memory as usize,
            spilled: 0,
            reduction: explorer.shortcuts.reduces(),
            symmetry: explorer.shortcuts.exchanges(),
            state_bits: explorer.model.layout.bits,
            processes: part.processes(),
            bytes: all.bytes,
            outlook: None,
            exhausted: ended.err(),
        },
    }
    .in_order(wanted)
}

/// Which of so many processes keeps the states with a hash.
///
/// The bits that choose a place in a table are mixed with others, or each process would use a part of its table only.
#[inline]
fn owner(hash: u64, processes: usize) -> usize {
    let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    ((mixed * processes as u64) >> 32) as usize
}

/// Why a search ends early, the weightiest of several reasons: a limit says more than that somebody asked to stop.
fn weightiest(reasons: impl Iterator<Item = Exhausted>) -> Option<Exhausted> {
    reasons.min_by_key(|why| match why {
        Exhausted::Memory | Exhausted::Disk => 0,
        Exhausted::States => 1,
        Exhausted::Faults => 2,
        Exhausted::Stopped => 3,
    })
}
