//! The [`Space`] of a model: what the safety search has found, and whatever else is asked for.

use indexmap::IndexMap;

use super::code::Range;
use super::explorer::Explorer;
use super::model::to_move;
use super::space::{Exhausted, Space, StateId, Transition};
use crate::verdict::Move;
use crate::weave::Expr;

/// A state space on packed states.
pub struct PackedSpace<'s, 'a, const W: usize> {
    explorer: &'s mut Explorer<'a, W>,
    atoms: IndexMap<Expr, Range>,
    stop: &'s dyn Fn() -> bool,
    asked: u32,
}

impl<'s, 'a, const W: usize> PackedSpace<'s, 'a, W> {
    /// The space that an explorer explores, until `stop` says so.
    pub fn new(explorer: &'s mut Explorer<'a, W>, stop: &'s dyn Fn() -> bool) -> Self {
        PackedSpace {
            explorer,
            atoms: IndexMap::new(),
            stop,
            asked: 0,
        }
    }
}

impl<const W: usize> Space for PackedSpace<'_, '_, W> {
    fn processes(&self) -> usize {
        self.explorer.model.processes()
    }

    fn states(&self) -> usize {
        self.explorer.store.len()
    }

    fn atom(&mut self, formula: &Expr) -> usize {
        if let Some(known) = self.atoms.get_index_of(formula) {
            return known;
        }
        let explorer = &mut *self.explorer;
        let condition = explorer.model.condition(explorer.system, formula);
        explorer.scratch = explorer.model.scratch();
        self.atoms.insert_full(formula.clone(), condition).0
    }

    fn holds(&mut self, state: StateId, atom: usize) -> bool {
        let explorer = &mut *self.explorer;
        let words = explorer.store.load(state);
        let code = &explorer.model.code;
        code.holds(self.atoms[atom], &words, &mut explorer.scratch)
    }

    fn successors(&mut self, state: StateId, out: &mut Vec<Transition>) -> Result<(), Exhausted> {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(1024) && (self.stop)() {
            return Err(Exhausted::Stopped);
        }
        let explorer = &mut *self.explorer;
        let words = explorer.store.load(state);
        let batch = &mut explorer.batch;
        batch.clear();
        out.clear();
        let mut forced = false;
        explorer
            .model
            .all_successors(&words, &mut explorer.scratch, |edge, picks, next| {
                forced |= edge.forced;
                batch.push(next);
                out.push(Transition {
                    target: 0,
                    process: edge.process,
                    edge: edge.edge,
                    picks,
                    forced: edge.forced,
                    fault: edge.fault,
                });
            });
        explorer.store.insert_all(batch, |_, _| {})?;
        for (transition, id) in out.iter_mut().zip(&batch.ids) {
            transition.target = *id;
        }
        explorer.transitions += out.len() as u64;
        if !forced {
            out.push(Transition::stutter(state));
        }
        Ok(())
    }

    fn can_move(&mut self, state: StateId, process: usize) -> bool {
        let explorer = &mut *self.explorer;
        let words = explorer.store.load(state);
        explorer
            .model
            .can_move(&words, process, &mut explorer.scratch)
    }

    fn to_move(&self, transition: &Transition) -> Move {
        if transition.is_stutter() {
            return Move::Stutter;
        }
        let Transition {
            process,
            edge,
            picks,
            ..
        } = *transition;
        to_move(self.explorer.system, process, edge, picks)
    }
}
