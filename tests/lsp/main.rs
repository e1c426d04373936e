//! The language server: in memory, and the binary over its pipes.

mod client;
mod commands;
mod features;
mod robust;
mod scenarios;

#[path = "../support/mod.rs"]
mod support;
