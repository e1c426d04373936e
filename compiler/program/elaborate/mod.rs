//! Elaboration: the syntax tree becomes a [`Program`], instance by instance.
//!
//! The order is: [`definitions`] (what the top level and the modules define), [`constants`], [`instances`]
//! (the entries of `init` become channels, processes and module frames), [`arguments`], [`body`] (each
//! instance's statements), [`properties`], [`lints`]. Each process is checked with its actual arguments;
//! a proc without instances is checked once with sample arguments.

mod arguments;
mod assign;
mod atoms;
mod body;
mod channels;
mod constants;
mod control;
mod definitions;
mod elements;
mod entities;
mod entries;
mod expected;
mod expressions;
mod fields;
mod instances;
mod lints;
mod loops;
mod markers;
mod messages;
mod operators;
mod outline;
mod places;
mod properties;
mod samples;
mod scope;
mod temporal;
mod typing;
mod uses;
mod values;
mod variables;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::ast;

use super::problem::Problems;
use super::{Define, Program};
use definitions::{Definitions, FrameId};
use scope::{Binding, Local};
use uses::Uses;

/// Checks a model. `imported` files add their `data`, `const`, `proc` and `module` declarations to the
/// one flat top level; `defines` override top-level constants.
pub(super) fn elaborate<'a>(
    main: &'a ast::File,
    imported: &'a [ast::File],
    defines: &[Define],
) -> (Option<Program>, Vec<Diagnostic>) {
    let mut checker = Checker::default();
    checker.define(main, imported);
    checker.top_constants(defines);
    checker.module_cycles();
    checker.create_instances();
    checker.bind_arguments();
    checker.bodies();
    checker.limits();
    checker.properties();
    checker.samples();
    checker.agreed_errors();
    if !checker.incomplete && checker.problems.errors() == 0 {
        checker.lints();
    }
    let complete = !checker.incomplete && checker.problems.errors() == 0;
    (
        complete.then_some(checker.program),
        checker.problems.into_sorted(),
    )
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

/// What elaboration knows so far.
#[derive(Default)]
struct Checker<'a> {
    problems: Problems,
    program: Program,
    definitions: Definitions<'a>,
    /// The top level and every module instance.
    frames: Vec<Frame<'a>>,
    /// Processes and modules in order of creation, until their arguments are bound.
    pending: Vec<instances::Pending<'a>>,
    /// One per process of the program.
    instances: Vec<Instance<'a>>,
    outlines: FxHashMap<Span, Rc<outline::Outline<'a>>>,
    uses: Uses,
    /// Whether the syntax tree has error nodes: then there is no program, and no lint can be trusted.
    incomplete: bool,
    /// What syntax errors have swallowed: names that were declared there are not called unknown.
    lost: Lost,
    /// Whether arguments are samples: then what depends on their values is not complained about.
    sampling: bool,
    /// The process whose body is elaborated.
    current: Option<crate::vocabulary::ProcessId>,
    /// Above 0 in code that constants make unreachable; nothing is said there about values.
    dead: u32,
    /// Statements, expressions and state elaborated so far.
    budget: Budget,
}

/// What the grammar could not make sense of.
#[derive(Default)]
struct Lost {
    /// A declaration of the top level or a module.
    declarations: bool,
    /// An entry of `init`.
    entries: bool,
    /// A statement of the body at hand.
    statements: bool,
}

/// How much has been elaborated; `exhausted` once a limit has been passed and reported.
#[derive(Default)]
struct Budget {
    statements: u64,
    nodes: u64,
    formula: u64,
    state: u64,
    /// How deep modules and `for`s of `init` nest at the moment.
    nesting: usize,
    exhausted: bool,
}

/// The top level, or one module instance: where the names of a definition are looked up.
struct Frame<'a> {
    /// Which definitions: 0 for the top level.
    scope: usize,
    /// `""`, or what stands before the names of its entries: `m.`.
    prefix: String,
    /// Its constants, once known; `None` for a faulty one.
    constants: FxHashMap<&'a str, Option<Rc<super::Value>>>,
    /// Its parameters.
    parameters: FxHashMap<&'a str, Local>,
    /// The entries of its `init`.
    entries: indexmap::IndexMap<&'a str, entities::Entry>,
}

/// What specifications must know of a process.
struct Instance<'a> {
    proc: &'a ast::Proc,
    /// Where its proc is defined.
    frame: FrameId,
    arguments: Vec<Local>,
    outline: Rc<outline::Outline<'a>>,
    /// By the place of the declaration.
    variables: FxHashMap<Span, super::VariableId>,
}

impl<'a> Checker<'a> {
    /// Reports a problem.
    fn report(&mut self, problem: impl Into<Diagnostic>) {
        self.problems.add(problem);
    }

    /// Reports an unknown name, unless what declares it may have been lost in a syntax error.
    fn report_unknown(&mut self, lost: bool, problem: impl Into<Diagnostic>) {
        if !lost {
            self.problems.add(problem);
        }
    }

    /// Reports a problem that depends on the values of parameters and loop variables: not with sample
    /// arguments, and not in code that is never executed.
    fn report_value(&mut self, problem: impl Into<Diagnostic>) {
        if self.sampling || self.dead > 0 {
            return;
        }
        let mut diagnostic = problem.into();
        if let (None, Some(id)) = (&diagnostic.note, self.current) {
            let instance = &self.instances[id.0 as usize];
            if !instance.proc.params.is_empty() {
                let name = &self.program.processes[id.0 as usize].name;
                diagnostic = diagnostic.note(format!("in the process `{name}`"));
            }
        }
        self.problems.add(diagnostic);
    }

    /// A near name, unless there have been so many errors that looking for one is a waste of time.
    fn near<'n>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = &'n str>,
    ) -> Option<String> {
        if self.problems.errors() > 200 {
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

    /// A place to speak of the model as a whole: right after its last declaration.
    fn end_of(&self, main: &ast::File) -> Span {
        main.decls
            .last()
            .map_or(Span::new(FileId(0), 0, 0), |decl| decl.span.after())
    }

    /// A binding for something whose declaration was faulty.
    fn broken(span: Span) -> Local {
        Local {
            binding: Binding::Broken,
            role: scope::Role::Variable,
            span,
            depth: 0,
        }
    }
}
