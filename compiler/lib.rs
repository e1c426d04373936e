//! `sandalc`: a fault-aware modelling language for message-passing systems, its compiler to NuSMV,
//! and its own checker.
//!
//! # Steps
//! Data flows in one direction, and the list of modules is the pipeline:
//!
//! 1. [`source`]: texts and places.
//! 2. [`syntax`]: text to [`syntax::ast::File`].

pub mod cli;
pub mod diagnostic;
pub mod engine;
pub mod graph;
pub mod program;
pub mod report;
pub mod source;
pub mod syntax;
#[cfg(test)]
pub mod testing;
pub mod trace;
pub mod verdict;
pub mod weave;
