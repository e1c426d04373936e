//! How much may be elaborated: the limits, and what has been used of them.

use super::log::Log;
use crate::program::limits;
use crate::program::problem::SizeProblem;
use crate::source::Span;

/// Expression nodes of all bodies together; statements have a limit of their own.
const NODES: u64 = 4 * limits::STATEMENTS;

/// How much has been elaborated; `exhausted` once a limit has been passed and reported.
#[derive(Default)]
pub struct Budget {
    statements: u64,
    nodes: u64,
    formula: u64,
    state: u64,
    /// Rounds of the `for`s of all `init`s.
    rounds: u64,
    /// How deep modules and `for`s of `init` nest at the moment.
    nesting: usize,
    pub exhausted: bool,
}

impl Log {
    fn exhaust(&mut self, problem: SizeProblem) {
        self.budget.exhausted = true;
        self.report(problem);
    }

    /// Counts a statement; `false` if there are too many.
    pub fn count_statement(&mut self, span: Span) -> bool {
        self.budget.statements += 1;
        if self.budget.statements <= limits::STATEMENTS {
            return true;
        }
        self.exhaust(SizeProblem::Statements { span });
        false
    }

    /// Counts an iteration of an unrolled loop. Whether there are too many shows in the statements.
    pub fn count_iteration(&mut self) {
        self.budget.statements += 1;
    }

    /// Refuses a loop that cannot be unrolled before trying to.
    pub fn too_long(&mut self, iterations: u64, span: Span) -> bool {
        if self.budget.statements.saturating_add(iterations) <= limits::STATEMENTS {
            return false;
        }
        self.exhaust(SizeProblem::Statements { span });
        true
    }

    /// Counts what has been elaborated: 1 for a node, more for a table or a choice of channels.
    pub fn charge(&mut self, specification: bool, amount: u64, span: Span) -> Option<()> {
        if self.budget.exhausted {
            return None;
        }
        let (count, limit) = if specification {
            (&mut self.budget.formula, limits::FORMULA)
        } else {
            (&mut self.budget.nodes, NODES)
        };
        *count += amount;
        if *count <= limit {
            return Some(());
        }
        self.exhaust(if specification {
            SizeProblem::Formula { span }
        } else {
            SizeProblem::Statements { span }
        });
        None
    }

    /// Counts scalars of the state.
    pub fn count_state(&mut self, scalars: u64, span: Span) {
        if self.sampling {
            return;
        }
        self.budget.state += scalars;
        if self.budget.state > limits::STATE && !self.budget.exhausted {
            self.exhaust(SizeProblem::State { span });
        }
    }

    /// Counts a round of a `for` of `init`: also those that create nothing take their time.
    pub fn count_round(&mut self, span: Span) {
        self.budget.rounds += 1;
        if self.budget.rounds > limits::ROUNDS && !self.budget.exhausted {
            self.exhaust(SizeProblem::Rounds { span });
        }
    }

    /// Stops before more of something is created.
    pub fn too_many(&mut self, what: &'static str, span: Span) {
        self.exhaust(SizeProblem::Instances { what, span });
    }

    /// Goes one level deeper in modules and `for`s of `init`; `false` if that is too deep.
    pub fn enter_entries(&mut self, span: Span) -> bool {
        if self.budget.nesting >= limits::ENTRY_DEPTH {
            self.exhaust(SizeProblem::EntryDepth { span });
            return false;
        }
        self.budget.nesting += 1;
        true
    }

    /// Comes back from a level of [`Self::enter_entries`].
    pub fn leave_entries(&mut self) {
        self.budget.nesting -= 1;
    }
}
