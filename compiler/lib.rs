//! `sandalc`: a fault-aware modelling language for message-passing systems, its compiler to NuSMV,
//! and its own checker.
//!
//! # Steps
//! Data flows in one direction, and the list of modules is the pipeline:
//!
//! 1. [`source`]: texts and places; [`vocabulary`]: numbers of things; [`diagnostic`]: what is to be said
//!    about them.
//! 2. [`syntax`]: text to [`syntax::ast::File`]; [`load`]: a model with everything it imports.
//! 3. [`program`]: names, types, instances; the last place a user can be wrong. Yields a
//!    [`program::Program`].
//! 4. [`graph`]: one state graph per process.
//! 5. [`weave`]: what channels and faults mean. Yields a [`system::System`], the narrow waist: the engines
//!    read it and nothing earlier. [`simplify`] makes it smaller, with the same answers.
//! 6. [`verdict`]: what an engine answers; [`nusmv`], [`aiger`] and [`engine`]: those that answer.
//! 7. [`trace`]: answers replayed on the System; [`check`]: which engine is asked what, and which run is shown;
//!    [`analysis`]: questions that need many answers; [`report`]: verdicts for people and programs.
//!
//! 8. `machines`: several processes that search together.
//! 9. [`editor`]: what editors ask, as plain data; [`lsp`]: the language server, which puts it into messages.
//!
//! [`check_model`] is the whole way on one page, [`build`] the part from a program to its System; [`cli`] is the only code
//! that talks to the outside, but for the part of [`nusmv`] that runs NuSMV.
//!
//! The list is the way of the data. From the System on [`check`] makes the calls: it has the System simplified, asks an engine,
//! and replays what that says. The command line goes the way of [`check_model`] with the same parts, one by one, for it has options,
//! further files and limits to add in between; `docs/architecture.md` follows it from file to file.

pub mod source;

pub mod vocabulary;

pub mod diagnostic;

pub mod syntax;

pub mod load;

pub mod program;

pub mod graph;

pub mod system;

pub mod weave;

pub mod simplify;

pub mod verdict;

pub mod tool;

pub mod nusmv;

pub mod aiger;

pub mod engine;

pub mod trace;

pub mod check;

pub mod analysis;

pub mod report;

pub mod editor;

pub mod lsp;

#[cfg(feature = "machines")]
pub mod machines;

pub mod cli;

#[cfg(test)]
pub mod testing;

use std::path::Path;

use diagnostic::Diagnostic;

/// What there is to say about a model.
#[derive(Debug)]
pub struct CheckedModel {
    /// Its texts, to which all places refer.
    pub sources: source::Sources,
    /// Errors and warnings. With an error there is no System, and there are no answers.
    pub diagnostics: Vec<Diagnostic>,
    /// The System as it is woven, in whose words the answers are told.
    pub system: Option<system::System>,
    /// An answer to each of its properties, those of violated ones with a run.
    pub answers: Vec<check::Answer>,
}

/// Takes a model to its verdicts, with everything that its texts import; all faults that it marks may happen.
///
/// ```
/// let text = "
///     proc Lamp(light channel { bool }) { send(light, true) }
///     proc Eye(light channel { bool }) { var seen bool; recv(light, seen); assert(seen) }
///     init {
///         light: channel { bool } @drop,
///         lamp: Lamp(light),
///         eye: Eye(light),
///     }
/// ";
/// let files = |_: &std::path::Path| Some(text.to_owned());
/// let checked = sandalc::check_model("lamp.sdl".as_ref(), &files)?;
/// assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
/// let system = checked.system.expect("there are no errors");
/// for answer in &checked.answers {
///     println!("{} {}", system.properties[answer.property].name, answer.verdict());
/// }
/// // The message may be lost; then the eye waits for ever.
/// let deadlock = &checked.answers[0];
/// assert!(deadlock.is_violated());
/// let trace = deadlock.trace.as_ref().expect("the run that shows it");
/// assert_eq!(trace.faults(), 1);
/// # Ok::<(), sandalc::check::Trouble>(())
/// ```
///
/// # Errors
/// If the model is right but cannot be answered: no run satisfies its assumptions, or there is a bug.
pub fn check_model(path: &Path, files: &dyn load::Files) -> Result<CheckedModel, check::Trouble> {
    let mut checked = CheckedModel {
        sources: source::Sources::new(),
        diagnostics: Vec::new(),
        system: None,
        answers: Vec::new(),
    };
    // Texts to trees.
    let loaded = match load::load(path, files, &mut checked.sources) {
        Ok(loaded) => loaded,
        Err(unreadable) => {
            let name = files.display(path);
            let problem = load::problem::model(&mut checked.sources, &name, &unreadable);
            checked.diagnostics.push(problem);
            return Ok(checked);
        }
    };
    checked.diagnostics = loaded.all_diagnostics();
    // Trees to a program; a file that is missing is a reason for many other messages.
    if !loaded.diagnostics.is_empty() {
        return Ok(checked);
    }
    let linked = loaded.link();
    let elaborated = program::check(&linked.main, &linked.imported, &[], &weave::FAULTS);
    let said = linked.and_then(elaborated.diagnostics);
    checked.diagnostics.extend(said);
    let is_right = !checked.diagnostics.iter().any(Diagnostic::is_error);
    let Some(program) = elaborated.program.filter(|_| is_right) else {
        return Ok(checked);
    };
    // The program to a System: a graph per process, then channels and faults.
    let graphs = graph::lower(&program);
    let system = weave::weave(&program, graphs, &weave::Options::default());
    // The System to answers: simplified, searched, and every run replayed on the System as it is.
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let task = check::Task {
        system: &system,
        wanted: &wanted,
        options: check::Options::default(),
    };
    let findings = check::check(&task, check::Engines::Embedded, &check::Nowhere)?;
    checked.answers = findings.answers;
    checked.system = Some(system);
    Ok(checked)
}

/// Makes a System of a checked program.
///
/// ```
/// use sandalc::{build, engine, program, source::Sources, syntax, verdict::Outcome, weave};
///
/// let mut sources = Sources::new();
/// let model = "proc P() {\n    var x 0..3 = 0\n    x = 2\n}\n\ninit {\n    p: P(),\n}\n\ninvariant small { p.x < 2 }\n";
/// let file = sources.add("model.sdl", model);
/// let parsed = syntax::parse(&sources, file);
/// let checked = program::check(&parsed.file, &[], &[], &weave::FAULTS);
/// let program = checked.program.expect("the model is correct");
/// let system = build(&program, &weave::Options::default());
/// let small = system.properties.iter().position(|property| property.name == "small");
/// let wanted = [small.expect("it is declared")];
/// let report = engine::check(&system, &wanted, &engine::Options::default(), &mut |_| {});
/// assert_eq!(report.verdicts[0].outcome, Outcome::Violated);
/// ```
pub fn build(program: &program::Program, options: &weave::Options) -> system::System {
    let graphs = graph::lower(program);
    weave::weave(program, graphs, options)
}
