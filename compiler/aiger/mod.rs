//! AIGER: the safety properties of a System as hardware, and proofs from an installed ABC.
//!
//! Where there are too many states to be searched, a proof may still be short: "a message on this channel is never of that node".
//! [`model()`] writes the System as latches and gates ([`Model::write`] makes a file of it), and ABC's `pdr`, which [`check`] asks,
//! looks for conditions that hold at the start, that every step keeps, and that nothing bad satisfies.

mod bits;
mod blast;
mod error;
mod graph;
mod model;
mod proof;
mod run;
mod walk;
mod word;
mod write;

pub use crate::tool::Limits;
pub use bits::{Bits, Part};
pub use error::{Error, TooLarge};
pub use graph::{Graph, Lit, Node};
pub use model::{Bad, Choice, Latch, Model, Owner, model};
pub use proof::{Condition, Cube, Proof};
pub use run::{Reply, Tool, VARIABLE, check, find, probe};
pub use walk::Frame;
pub use word::Word;
pub use write::{Kind, Named, Names, Section, Written};

#[cfg(test)]
mod tests;
