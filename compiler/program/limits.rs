//! How large a model may be. Beyond these numbers no engine could search it, and elaborating it would
//! only use up memory.

/// Statements after unrolling, of all process instances together.
pub const STATEMENTS: u64 = 2_000_000;
/// Process instances, and module instances.
pub const INSTANCES: usize = 100_000;
/// Channels.
pub const CHANNELS: usize = 100_000;
/// Rounds of the `for`s in all `init`s.
pub const ROUNDS: u64 = 2_000_000;
/// How deep modules may nest.
pub const MODULE_DEPTH: usize = 64;
/// How deep modules and the `for`s in their `init`s may nest together.
pub const ENTRY_DEPTH: usize = 400;
/// How deep arrays, records and messages with fields may nest in each other.
pub const TYPE_DEPTH: usize = 64;
/// Scalars in one variable, or in one channel's buffer.
pub const SCALARS: u64 = 65_536;
/// Scalars of all variables and channels together.
pub const STATE: u64 = 1_000_000;
/// Values that `any` chooses from, per scalar.
pub const CHOICES: u64 = 65_536;
/// Entries of the table that a bit operator becomes.
pub const TABLE: u64 = 65_536;
/// Messages that a fault may put in the place of another.
pub const OTHER_MESSAGES: u64 = 4_096;
/// Nodes of all formulas after expanding quantifiers.
pub const FORMULA: u64 = 1_000_000;

/// Ways through an `atomic` block: each is an edge of its own.
pub const WAYS: u64 = 4_096;

/// Events in the body of a `protocol` after unrolling.
pub const PROTOCOL_EVENTS: usize = 4_096;
/// States of the automaton of a `protocol` before it is made as small as possible.
pub const PROTOCOL_STATES: usize = 1_000;
