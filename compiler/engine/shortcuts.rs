//! What makes the safety search smaller without changing its answers: of the successors of a state only those that
//! matter ([`Reduction`]).

use super::Options;
use super::code::Scratch;
use super::model::{EdgeCode, Model};
use super::reduction::{self, Reduction};
use super::safety::Question;
use super::trace::Goal;
use crate::weave::{Expr, System};

/// Ways to make a search smaller.
#[derive(Default)]
pub struct Shortcuts {
    reduction: Option<Reduction>,
}

/// What taking shortcuts needs besides the state.
#[derive(Default)]
pub struct Room<const W: usize> {
    reduction: reduction::Room<W>,
}

impl Shortcuts {
    /// Those that can be taken when some questions are asked, each with its condition.
    pub fn find(
        system: &System,
        model: &mut Model,
        questions: &[(Question, &Expr)],
        options: &Options<'_>,
    ) -> Shortcuts {
        let sought: Vec<Expr> = questions
            .iter()
            .filter_map(|(question, condition)| match question.goal {
                Goal::State { value: true, .. } => Some((*condition).clone()),
                Goal::State { value: false, .. } => Some((*condition).clone().not()),
                Goal::Quiescent(_) | Goal::Failing(_) => None,
            })
            .collect();
        Shortcuts {
            reduction: options
                .reduction
                .then(|| Reduction::find(system, model, &sought))
                .flatten(),
        }
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        self.reduction.is_some()
    }

    /// Room for taking them.
    pub fn room<const W: usize>(&self) -> Room<W> {
        Room {
            reduction: self
                .reduction
                .as_ref()
                .map(Reduction::room)
                .unwrap_or_default(),
        }
    }

    /// What the search takes for a state.
    #[inline]
    pub fn canonical<const W: usize>(&self, words: [u64; W], _room: &mut Room<W>) -> [u64; W] {
        words
    }

    /// Calls `each` with the successors that matter, until it says stop.
    #[inline]
    pub fn successors<const W: usize>(
        &self,
        model: &Model,
        words: &[u64; W],
        scratch: &mut Scratch,
        room: &mut Room<W>,
        mut each: impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        match &self.reduction {
            Some(reduction) => {
                reduction.successors(model, words, scratch, &mut room.reduction, each);
            }
            None => model.all_successors(words, scratch, &mut each),
        }
    }
}
