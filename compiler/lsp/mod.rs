//! `sandalc lsp`: the language server. The only module that knows the protocol; what it answers comes from `editor`, what it
//! reports from the front end, and verdicts from `check`, as on the command line.
//!
//! One thread reads messages, one writes them; the main one changes documents and answers requests, in order. Two more work in
//! the background, each on a snapshot of the documents: the checker finds out what is wrong with them and always takes the
//! newest snapshot, the runner asks the engine and can be told to stop.

mod actions;
mod checker;
mod convert;
mod documents;
mod places;
mod position;
mod requests;
mod runner;
mod server;
mod settings;
mod transport;
mod uri;
mod view;
mod workspace;

pub use server::serve;

use crate::cli::Exit;

/// Serves on standard input and output until the client says `exit` or closes them.
pub fn stdio() -> Exit {
    let connection = transport::stdio();
    match serve(&connection) {
        true => Exit::Ok,
        // `exit` without `shutdown`: the protocol asks for this code.
        false => Exit::Violated,
    }
}
