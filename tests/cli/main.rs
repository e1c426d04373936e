//! The real binary, as a user runs it.

mod checking;
mod input;
mod limits;
mod output;
mod processes;
mod run;
mod usage;
