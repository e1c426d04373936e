//! Support for tests: random Systems and plain readings of what the clever code does.

pub mod formulas;
pub mod knowledge;
pub mod model;
pub mod plain_space;
pub mod random;
pub mod shortest;
pub mod system;
