//! The embedded engine: every property answered by exploring packed states.

pub mod emptiness;
pub mod ltl;
pub mod space;
