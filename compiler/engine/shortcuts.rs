//! What makes the safety search smaller without changing its answers: of the successors of a state only those that
//! matter ([`Reduction`]), and of states that differ by exchanging processes only one ([`Symmetry`]).

use super::Options;
use super::code::Scratch;
use super::model::{CompiledSystem, EdgeCode, Select};
use super::reduction::{self, Reduction};
use super::safety::Question;
use super::symmetry::{self, Symmetry};
use super::trace::Goal;
use crate::system::{Expr, System};

/// Ways to make a search smaller.
#[derive(Default)]
pub struct Shortcuts {
    reduction: Option<Reduction>,
    symmetry: Option<Symmetry>,
}

/// What taking shortcuts needs besides the state.
#[derive(Default)]
pub struct ShortcutScratch<const W: usize> {
    reduction: reduction::ChoiceScratch<W>,
    symmetry: symmetry::ArrangeScratch,
}

impl Shortcuts {
    /// Those that can be taken when some questions are asked, each with its condition.
    pub fn find(
        system: &System,
        model: &mut CompiledSystem,
        questions: &[(Question, &Expr)],
        options: &Options<'_>,
    ) -> Shortcuts {
        let mut shortcuts = Shortcuts::default();
        if questions.is_empty() {
            return shortcuts;
        }
        if options.symmetry {
            let conditions: Vec<Expr> = questions.iter().map(|(_, e)| (*e).clone()).collect();
            shortcuts.symmetry = Symmetry::find(system, &conditions, &model.layout);
        }
        if options.reduction {
            let sought: Vec<Expr> = questions
                .iter()
                .filter_map(|(question, condition)| match question.goal {
                    Goal::State { value: true, .. } => Some((*condition).clone()),
                    Goal::State { value: false, .. } => Some((*condition).clone().not()),
                    Goal::Quiescent(_) | Goal::Failing(_) => None,
                })
                .collect();
            let symmetry = shortcuts.symmetry.as_ref();
            shortcuts.reduction =
                Reduction::find(system, model, &sought, symmetry, options.by_faults);
        }
        shortcuts
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        self.reduction.is_some() || self.symmetry.is_some()
    }

    /// Whether steps are left out.
    pub fn reduces(&self) -> bool {
        self.reduction.is_some()
    }

    /// Whether processes are exchanged.
    pub fn exchanges(&self) -> bool {
        self.symmetry.is_some()
    }

    /// Room for taking them.
    pub fn room<const W: usize>(&self) -> ShortcutScratch<W> {
        let reduction = self.reduction.as_ref().map(Reduction::room);
        ShortcutScratch {
            reduction: reduction.unwrap_or_default(),
            symmetry: symmetry::ArrangeScratch::default(),
        }
    }

    /// Replaces a state by the one that stands for it.
    #[inline]
    pub fn arrange<const W: usize>(&self, words: &mut [u64; W], room: &mut ShortcutScratch<W>) {
        if let Some(symmetry) = &self.symmetry {
            symmetry.canonical(words, &mut room.symmetry);
        }
    }

    /// Calls `each` with the successors that matter and are asked for, until it says stop.
    #[inline]
    pub fn successors<const W: usize>(
        &self,
        model: &CompiledSystem,
        words: &[u64; W],
        select: Select,
        scratch: &mut Scratch,
        room: &mut ShortcutScratch<W>,
        mut each: impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        let arranged = |edge: &EdgeCode, picks: u32, mut next: [u64; W]| {
            if !select.wants(edge.fault) {
                return true;
            }
            if let Some(symmetry) = &self.symmetry {
                symmetry.canonical(&mut next, &mut room.symmetry);
            }
            each(edge, picks, next)
        };
        match &self.reduction {
            Some(reduction) => {
                reduction.successors(model, words, select, scratch, &mut room.reduction, arranged);
            }
            None => model.all_successors(words, scratch, arranged),
        }
    }
}
