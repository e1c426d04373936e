//! `sandalc`: a fault-aware modelling language for message-passing systems, its compiler to NuSMV,
//! and its own checker.
//!
//! # Steps
//! Data flows in one direction, and the list of modules is the pipeline:
//!
//! 1. [`source`]: texts and places; [`vocabulary`]: numbers of things; [`diagnostic`]: what is to be said
//!    about them.
//! 2. [`syntax`]: text to [`syntax::ast::File`].
//! 3. [`program`]: names, types, instances; the last place a user can be wrong. Yields a
//!    [`program::Program`].
//! 4. [`graph`]: one state graph per process.
//! 5. [`weave`]: what channels and faults mean. Yields a [`system::System`], the narrow waist: the engines
//!    read it and nothing earlier. [`simplify`] makes it smaller, with the same answers.
//! 6. [`verdict`]: what an engine answers; [`nusmv`] and [`engine`]: those that answer.
//! 7. [`trace`]: answers replayed on the System; [`report`]: verdicts for people and programs.
//!
//! [`build`] is the way through steps 4 and 5; [`cli`] is the only code that talks to the outside.

pub mod source;

pub mod vocabulary;

pub mod diagnostic;

pub mod syntax;

pub mod program;

pub mod graph;

pub mod system;

pub mod weave;

pub mod simplify;

pub mod verdict;

pub mod nusmv;

pub mod engine;

pub mod trace;

pub mod report;

pub mod cli;

#[cfg(test)]
pub mod testing;

/// Makes a System of a checked program.
pub fn build(program: &program::Program, options: &weave::Options) -> system::System {
    let graphs = graph::lower(program);
    weave::weave(program, graphs, options)
}
