//! From process graphs to a [`System`]: what channels and faults mean, as ordinary edges.

mod predicates;
pub mod state;
mod system;

pub use predicates::exists_picks;
pub use system::*;
