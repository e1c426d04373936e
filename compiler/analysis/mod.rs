//! Questions that need many answers: which faults does a property survive, which of them together break it, when was it too late?
//!
//! - [`survey()`]: with which sets of faults is each property violated, for all sets at once; [`violations`] is the
//!   answer, a boolean function of the faults, with its smallest sets, prime implicants and what to rule out.
//! - [`recorded`], [`antichains`], [`duality`], [`each`]: how that is found out.
//!
//! - [`blame`]: when it was too late, and which faults were to blame; [`coverage`]: what of a model is ever used; [`vacuity`]:
//!   properties that hold for a poor reason; [`left_over`], [`messages`]: what becomes of messages; [`diagnosis`]: which process can
//!   tell which fault.
//!
//! Pure, like `check`, which it asks: the clock is behind [`crate::check::World`].
//!
//! What these are made with: [`question`], what a property asks of states and runs; [`fault_set`]; [`primes`] and `probability`, for
//! `fta`; `effects`, for `fmea`.

pub mod antichains;
pub mod blame;
pub mod coverage;
pub mod diagnosis;
pub mod duality;
pub mod each;
pub mod effects;
pub mod fault_set;
pub mod left_over;
pub mod messages;
pub mod primes;
pub mod probability;
pub mod question;
pub mod recorded;
pub mod survey;
pub mod vacuity;
pub mod violations;

#[cfg(test)]
mod tests;

pub use effects::{Effect, effects};
pub use fault_set::FaultSet;
pub use probability::probability;
pub use survey::{Figures, Inquiry, Survey, Surveyed, Tolerates, survey};
pub use violations::{Implicant, Shape, Violations};
