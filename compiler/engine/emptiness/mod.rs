//! Whether some fair run of a state space is accepted.

pub mod components;
