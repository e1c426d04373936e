//! Simplified Systems answer as the originals do.

mod fair;
mod models;
mod random;
