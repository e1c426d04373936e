//! NuSMV: the model as SMV text, and answers from an installed NuSMV or nuXmv.
//!
//! [`emit()`] is a pure function; [`find`] and [`check`] are the only code here that talks to the outside.

mod child;
mod emit;
mod error;
mod find;
mod run;
mod trace;
mod xml;

pub use child::Limits;
pub use emit::{Emitted, Form, Spec, TraceNames, emit};
pub use error::Error;
pub use find::{Tool, VARIABLE, Version, find, probe};
pub use run::{Count, Progress, Report, check, count_states};

#[cfg(test)]
mod tests;
