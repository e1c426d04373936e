//! NuSMV: the model as SMV text, and answers from an installed NuSMV or nuXmv.
//!
//! [`emit()`] is a pure function; `run` ([`find`], [`check`], [`decide`] and the like) is the only code here that talks to the
//! outside. What NuSMV writes is read by `xml`, and its traces become runs of the System in `trace`.

mod emit;
mod error;
mod run;
mod trace;
mod xml;

pub use emit::{Emitted, Form, Spec, TraceNames, emit};
pub use error::Error;
pub use run::{
    Count, Progress, Reply, Tool, VARIABLE, Version, check, count_states, decide, find, probe,
};

pub use crate::tool::Limits;

#[cfg(test)]
mod tests;
