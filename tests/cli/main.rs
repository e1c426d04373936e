//! The real binary, as a user runs it.

mod run;
mod usage;
