//! What elaboration has to say: problems, and whether it is entitled to them.

use rustc_hash::FxHashMap;

use crate::diagnostic::Diagnostic;
use crate::program::problem::{Problems, ProcessProblem};
use crate::program::time::Timers;
use crate::program::{LocalId, Type};
use crate::source::Span;

use super::budget::Budget;
use super::lint::uses::{Question, Uses};

/// Beyond so many errors, near names are no longer looked for: it would be a waste of time.
const MANY_ERRORS: usize = 200;

/// What every phase writes to: problems, what was used, and how much has been elaborated.
#[derive(Default)]
pub struct Log {
    pub problems: Problems,
    pub uses: Uses,
    pub budget: Budget,
    /// Whether the syntax tree has error nodes: then there is no program, and no lint can be trusted.
    pub incomplete: bool,
    /// What syntax errors have swallowed: names that were declared there are not called unknown.
    pub lost: Lost,
    /// Whether arguments are samples: then what depends on their values is not complained about.
    pub sampling: bool,
    /// Above 0 in code that constants make unreachable; nothing is said there about values.
    pub dead: u32,
    /// The predicates whose bodies are looked into, outermost first.
    pub predicates: Vec<Span>,
    /// How many events specifications ask about so far.
    pub events: u32,
    /// How many operators about knowledge there are so far.
    pub knowledge: u32,
    /// How many variables of pure functions there are so far.
    pub locals: u32,
    /// What is known of their values where elaboration is: the types of what was assigned last.
    pub local_types: FxHashMap<LocalId, Type>,
    /// How large timers are taken to be.
    pub timers: Timers,
    /// The process whose body is elaborated, if its values may differ from those of other instances.
    pub process: Option<String>,
}

/// What the grammar could not make sense of.
#[derive(Default)]
pub struct Lost {
    /// A declaration of the top level or a module.
    pub declarations: bool,
    /// An entry of `init`.
    pub entries: bool,
}

impl Log {
    /// Reports a problem.
    pub fn report(&mut self, problem: impl Into<Diagnostic>) {
        self.problems.add(problem);
    }

    /// Reports an unknown name, unless what declares it may have been lost in a syntax error.
    pub fn report_unknown(&mut self, lost: bool, problem: impl Into<Diagnostic>) {
        if !lost {
            self.problems.add(problem);
        }
    }

    /// Whether values are not those of a real run: sample arguments, or code that is never executed.
    pub fn hypothetical(&self) -> bool {
        self.sampling || self.dead > 0
    }

    /// Reports a problem that depends on the values of parameters and loop variables: not with sample
    /// arguments, and not in code that is never executed.
    pub fn report_value(&mut self, problem: impl Into<Diagnostic>) {
        if self.hypothetical() {
            return;
        }
        let mut diagnostic = problem.into();
        if let (None, Some(name)) = (&diagnostic.note, &self.process) {
            diagnostic = diagnostic.note(format!("in the process `{name}`"));
        }
        self.problems.add(diagnostic);
    }

    /// Reports an expression that cannot stand where it does.
    pub fn misplaced(&mut self, text: impl Into<String>, span: Span, hint: Option<&'static str>) {
        self.report(ProcessProblem::MisplacedExpression {
            text: text.into(),
            span,
            hint,
        });
    }

    /// Notes what one elaboration of a place says; it is reported at the end if all say the same.
    pub fn agree(&mut self, span: Span, question: Question, answer: Option<Diagnostic>) {
        if !self.hypothetical() {
            self.uses.agree(span, question, answer);
        }
    }

    /// A near name, unless there have been so many errors that looking for one is a waste of time.
    pub fn near<'n>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = &'n str>,
    ) -> Option<String> {
        if self.problems.errors() > MANY_ERRORS {
            return None;
        }
        crate::diagnostic::did_you_mean(
            name,
            candidates
                .into_iter()
                .filter(|candidate| alike(name, candidate)),
        )
        .map(str::to_owned)
    }
}

/// Whether a short name may be meant for another: with one or two letters, nearly everything is near.
fn alike(name: &str, candidate: &str) -> bool {
    let first = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
    match name.len() {
        0 | 1 => name.eq_ignore_ascii_case(candidate),
        2 => first(name) == first(candidate),
        _ => !candidate.starts_with("__"),
    }
}
