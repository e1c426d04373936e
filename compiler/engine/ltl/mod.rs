//! Linear temporal logic.

pub mod lasso;
#[cfg(test)]
pub mod samples;

pub use lasso::holds_on_lasso;
