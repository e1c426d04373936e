//! The real binary, as a user runs it.

mod input;
mod run;
mod usage;
