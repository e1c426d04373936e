//! The real binary, as a user runs it.

#[path = "../support/abc.rs"]
#[allow(dead_code, reason = "the list of what was left out is for another")]
mod abc;
mod checking;
mod doc;
mod growth;
mod hints;
mod importing;
mod input;
mod limits;
mod machines;
mod many;
mod minimising;
#[path = "../support/nusmv.rs"]
#[allow(dead_code, reason = "the list of what was left out is for another")]
mod nusmv;
mod output;
mod processes;
mod proving;
mod reports;
mod run;
mod simulating;
mod usage;
