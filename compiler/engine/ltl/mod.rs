//! Linear temporal logic with past: what a formula means on one run, and automata that watch for it.
//!
//! A formula is put into negation normal form and simplified ([`normal`], [`simplify`]), its past operators
//! become bits that are updated along the run ([`past`]), and the rest becomes a generalised Büchi automaton
//! with marks on transitions by the tableau of Couvreur, "On-the-fly Verification of Linear Temporal Logic",
//! 1999 ([`tableau`]), which is then made smaller ([`reduce`]). To refute `G (p -> F q)` one looks for a run
//! that satisfies its negation:
//!
//! ```text
//! F (p && G !q)           the formula
//! 0 -true-> 0             wait (a promise: no mark)
//! 0 -p & !q-> 1           now
//! 1 -!q {0}-> 1           and from now on; mark 0 again and again
//! ```
//!
//! A conjunction need not become one automaton: several may watch a run at the same time, and `GF p` needs
//! none at all, nor does `GF p -> GF q` ([`Observer`]).

pub mod automaton;
pub mod form;
pub mod implied;
pub mod normal;
pub mod observer;
pub mod past;
pub mod reduce;
pub mod simplify;
pub mod tableau;

pub use automaton::{Automaton, TooLarge};
#[cfg(test)]
pub use observer::observe_by_automata;
pub use observer::{Observer, observe};
