//! What can be wrong with a model, as facts, and how it is said.
//!
//! One file per family of codes. A problem knows places and names; its [`Diagnostic`] is made beside it.

mod atomic;
mod data;
mod entries;
mod faults;
mod functions;
mod lint;
mod names;
mod processes;
mod properties;
mod sizes;
mod time;
mod types;

pub(super) use atomic::AtomicProblem;
pub(super) use data::DataProblem;
pub(super) use entries::EntryProblem;
pub(super) use faults::FaultProblem;
pub(super) use functions::FunctionProblem;
pub(super) use lint::Lint;
pub(super) use names::NameProblem;
pub(super) use processes::ProcessProblem;
pub(super) use properties::PropertyProblem;
pub(super) use sizes::SizeProblem;
pub(super) use time::TimeProblem;
pub(super) use types::TypeProblem;

use rustc_hash::FxHashSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The codes of this phase.
pub const CODES: &[Code] = &{
    const FAMILIES: [&[Code]; 12] = [
        names::CODES,
        types::CODES,
        data::CODES,
        processes::CODES,
        functions::CODES,
        atomic::CODES,
        time::CODES,
        entries::CODES,
        faults::CODES,
        properties::CODES,
        lint::CODES,
        sizes::CODES,
    ];
    const COUNT: usize = {
        let (mut count, mut family) = (0, 0);
        while family < FAMILIES.len() {
            count += FAMILIES[family].len();
            family += 1;
        }
        count
    };
    let mut all = [Code(""); COUNT];
    let (mut next, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut member = 0;
        while member < FAMILIES[family].len() {
            all[next] = FAMILIES[family][member];
            next += 1;
            member += 1;
        }
        family += 1;
    }
    all
};

/// Diagnostics in the making: each place is complained about once per code.
#[derive(Default)]
pub(super) struct Problems {
    seen: FxHashSet<(Code, Span)>,
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Problems {
    /// Adds one, unless the same place has it already.
    pub fn add(&mut self, problem: impl Into<Diagnostic>) {
        let diagnostic = problem.into();
        if self.seen.insert((diagnostic.code, diagnostic.primary.span)) {
            self.errors += usize::from(diagnostic.is_error());
            self.list.push(diagnostic);
        }
    }

    /// How many of them are errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// All of them, by place.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.primary.span, d.code));
        self.list
    }
}

/// `` `a`, `b` and `c` ``
fn listed<S: AsRef<str>>(names: &[S], last: &str) -> String {
    let quoted: Vec<_> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

/// `1 value`, `2 values`
fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ if noun.ends_with('s') => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
}

/// Adds ``write `name` `` if there is a near name.
fn suggest(diagnostic: Diagnostic, suggestion: Option<String>) -> Diagnostic {
    match suggestion {
        Some(name) => diagnostic.hint(format!("did you mean `{name}`?")),
        None => diagnostic,
    }
}
