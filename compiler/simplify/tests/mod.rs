//! Simplified Systems answer as the originals do.

mod corpus;
mod fair;
mod models;
mod random;
mod traps;
