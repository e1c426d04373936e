//! A trace to a target that was found with shortcuts.
//!
//! Going back level by level, one state that leads on is enough. Where processes are exchanged, the states so found are not
//! those of one run, but each stands for one of it: so from the initial state on, the step is taken that leads to a state for
//! which the next of them stands. There is one, for whatever a state can do, one that it stands for can do as well.

use super::{Goal, Target};
use crate::engine::code::Scratch;
use crate::engine::explorer::{Explorer, Level};
use crate::engine::model::{EdgeCode, Select, to_move};
use crate::engine::shortcuts::ShortcutScratch;
use crate::verdict::Run;

/// A state, and the edges by which the next one is reached.
type Reached<const W: usize> = ([u64; W], Select);

/// The least of the states that all who search together have to offer, of which this process offers one or none.
pub type Least<'l, const W: usize> = &'l mut dyn FnMut(Option<[u64; W]>) -> Option<[u64; W]>;

/// A trace to a target, found by faults first (`by_faults`) or by steps alone. None if the states that were found are not
/// enough to tell.
pub fn some<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    target: Target,
    by_faults: bool,
    least: Least<'_, W>,
) -> Option<Run> {
    let mut back = Back {
        scratch: explorer.model.scratch(),
        room: explorer.shortcuts.room(),
        explorer,
        by_faults,
        least,
    };
    let mut level = target.level;
    let mut path: Vec<Reached<W>> = Vec::new();
    let fails = match target.goal {
        Goal::Failing(check) => {
            let failing = |edge: &EdgeCode, _: &[u64; W]| edge.fails & check != 0;
            let (from, state) = back.before(level, failing)?;
            path.push(state);
            level = from;
            check
        }
        Goal::Quiescent(_) | Goal::State { .. } => {
            path.push((back.goal(target)?, Select::Shortcuts));
            0
        }
    };
    while level.steps > 0 {
        let next = path.last()?.0;
        let (from, state) = back.before(level, |_, reached| *reached == next)?;
        path.push(state);
        level = from;
    }
    back.forward(path, fails)
}

/// A way back.
struct Back<'b, 'a, const W: usize> {
    explorer: &'b mut Explorer<'a, W>,
    by_faults: bool,
    least: Least<'b, W>,
    scratch: Scratch,
    room: ShortcutScratch<W>,
}

impl<const W: usize> Back<'_, '_, W> {
    /// A state in which the target is met. Which is the first depends on the threads that found them, so it is the least.
    fn goal(&mut self, target: Target) -> Option<[u64; W]> {
        let position = self.explorer.level(target.level)?;
        let (mut states, mut least) = (Vec::new(), None);
        for part in self.explorer.known.parts(position) {
            self.explorer.known.read(&part, &mut states).ok()?;
            for (_, words) in &states {
                if least.is_none_or(|least| *words < least)
                    && super::is_goal(self.explorer, words, target.goal)
                {
                    least = Some(*words);
                }
            }
        }
        (self.least)(least)
    }

    /// A state, one step before a level, with an edge that leads on; and its level.
    fn before(
        &mut self,
        level: Level,
        leads: impl Fn(&EdgeCode, &[u64; W]) -> bool,
    ) -> Option<(Level, Reached<W>)> {
        let steps = level.steps.checked_sub(1)?;
        let own = Level { steps, ..level };
        let ways = match (self.by_faults, level.faults.checked_sub(1)) {
            (false, _) => vec![(own, Select::Shortcuts)],
            (true, None) => vec![(own, Select::ShortcutSteps)],
            (true, Some(faults)) => vec![
                (own, Select::ShortcutSteps),
                (Level { faults, steps }, Select::ShortcutFaults),
            ],
        };
        ways.into_iter().find_map(|(from, select)| {
            let position = self.explorer.level(from)?;
            let (mut states, mut least) = (Vec::new(), None);
            for part in self.explorer.known.parts(position) {
                self.explorer.known.read(&part, &mut states).ok()?;
                for (_, words) in &states {
                    if least.is_some_and(|least| *words >= least) {
                        continue;
                    }
                    let mut found = false;
                    self.explorer.shortcuts.successors(
                        &self.explorer.model,
                        words,
                        select,
                        &mut self.scratch,
                        &mut self.room,
                        |edge, _, next| {
                            found |= leads(edge, &next);
                            !found
                        },
                    );
                    if found {
                        least = Some(*words);
                    }
                }
            }
            Some((from, ((self.least)(least)?, select)))
        })
    }

    /// The run that a path stands for, its last state first, and after it a step that `fails` if that is not 0.
    fn forward(&mut self, mut path: Vec<Reached<W>>, fails: u8) -> Option<Run> {
        let (first, mut select) = path.pop()?;
        let (start, mut words) = self.explorer.start(&first)?;
        let mut run = Run {
            start,
            ..Run::default()
        };
        loop {
            let wanted = path.pop();
            if wanted.is_none() && fails == 0 {
                return Some(run);
            }
            let mut found = None;
            let Explorer {
                model, shortcuts, ..
            } = &*self.explorer;
            model.all_successors(&words, &mut self.scratch, |edge, picks, next| {
                let is_wanted = select.wants(edge.fault)
                    && match &wanted {
                        Some((wanted, _)) => {
                            let mut arranged = next;
                            shortcuts.arrange(&mut arranged, &mut self.room);
                            arranged == *wanted
                        }
                        None => edge.fails & fails != 0,
                    };
                if is_wanted && found.is_none() {
                    found = Some((edge.process, edge.edge, picks, next));
                }
                found.is_none()
            });
            let (process, edge, picks, next) = found?;
            let step = to_move(self.explorer.system, process, edge, picks);
            run.moves.push(step);
            let Some((_, by)) = wanted else {
                return Some(run);
            };
            (words, select) = (next, by);
        }
    }
}
