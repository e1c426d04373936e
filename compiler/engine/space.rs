//! What a search for infinite runs sees of a System: states with dense numbers, and the moves between them. Labelling (`ctl`) and
//! `analysis` see no more of it.
//!
//! States are numbered from 0 in the order in which they are found; the initial states come first. A state is found
//! when it is first the target of a transition, so asking for the successors of `0, 1, 2, ..` up to
//! [`Space::states`] explores everything that is reachable.

use crate::system::state::State;
use crate::system::{Expr, StrongFairness};
use crate::verdict::Move;

/// The number of a state, in order of discovery.
pub type StateId = u32;

/// A state space that is explored on demand.
pub trait Space {
    /// How many processes there are.
    fn processes(&self) -> usize;

    /// How many initial states there are: those with the first numbers.
    fn starts(&self) -> u32 {
        1
    }

    /// How a run says that it starts in a state.
    fn start(&self, _state: StateId) -> Vec<i64> {
        Vec::new()
    }

    /// How many states have been found so far.
    fn states(&self) -> usize;

    /// Makes a state formula known and returns its number for [`Space::holds`]. The same formula gets the same
    /// number.
    fn atom(&mut self, formula: &Expr) -> usize;

    /// Whether an atom holds in a state.
    fn holds(&mut self, state: StateId, atom: usize) -> bool;

    /// Replaces `out` by the transitions out of a state, in declaration order. Where nobody has to move the last
    /// one is the stuttering transition, so `out` is never empty.
    ///
    /// Process `p` can move without a fault in the state (what weak fairness asks about) if and only if one of
    /// the transitions is `forced` and `p`'s; see [`Space::can_move`].
    fn successors(&mut self, state: StateId, out: &mut Vec<Transition>) -> Result<(), Exhausted>;

    /// Whether a process can take an edge that is no fault in a state.
    fn can_move(&mut self, state: StateId, process: usize) -> bool;

    /// Whether a cycle of transitions may contain a fault. If not, a run has its faults before it repeats itself.
    fn faults_recur(&self) -> bool {
        true
    }

    /// The strong fairness that every run keeps to.
    fn strong_fairness(&self) -> Vec<StrongFairness> {
        Vec::new()
    }

    /// About how many bytes it occupies.
    fn bytes(&self) -> usize;

    /// The move that a transition stands for.
    fn to_move(&self, transition: &Transition) -> Move;
}

/// A state space that can tell what is in its states.
pub trait States: Space {
    /// What is in a state.
    fn state(&self, id: StateId) -> State;
}

/// A move from one state to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Where it leads.
    pub target: StateId,
    /// Who moves: an index into `System::processes`, or [`Transition::NOBODY`] for stuttering.
    pub process: u32,
    /// By which of its edges.
    pub edge: u32,
    /// With which picks: the position of the combination among all of the edge's, the last pick varying fastest.
    pub picks: u32,
    /// Whether the edge is no fault and no recovery.
    pub forced: bool,
    /// Whether the edge injects a fault.
    pub fault: bool,
}

impl Transition {
    /// The process of a stuttering transition.
    pub const NOBODY: u32 = u32::MAX;

    /// The transition by which nobody moves.
    pub fn stutter(state: StateId) -> Self {
        Transition {
            target: state,
            process: Self::NOBODY,
            edge: 0,
            picks: 0,
            forced: false,
            fault: false,
        }
    }

    /// Whether nobody moves.
    pub fn is_stutter(&self) -> bool {
        self.process == Self::NOBODY
    }
}

/// Why a search ended before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// More states than allowed.
    States,
    /// More memory than allowed, or than there is.
    Memory,
    /// What was written to the disk cannot be read.
    Disk,
    /// More faults than allowed.
    Faults,
    /// The caller said so.
    Stopped,
}
