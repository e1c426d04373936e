//! When faults happen, to which variables, and what specifications ask about them.

use super::{Happening, VariableId};
use crate::vocabulary::{FaultId, Level};

/// A variable, or an element of one, that a fault happens to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultVariable {
    /// The variable.
    pub variable: VariableId,
    /// Constant indices, outermost first; empty for the whole variable.
    pub indices: Vec<u32>,
}

/// When a fault may happen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Timing {
    /// At every trigger, while it is active.
    pub always: bool,
    /// Only after this.
    pub from: Option<Moment>,
    /// No longer after this.
    pub until: Option<Moment>,
    /// Whether its end, at a free moment, is certain.
    pub transient: bool,
}

impl Timing {
    /// Whether it is active all the time and happens now and then.
    pub fn is_plain(&self) -> bool {
        *self == Timing::default()
    }
}

/// When something begins or ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Moment {
    /// Some time, perhaps never.
    Any,
    /// After a step that is this event.
    After(Happening),
}

/// What specifications ask about a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultAspect {
    /// This run may inject it.
    Faulty,
    /// It is active.
    Injecting,
    /// The last step injected it.
    Injected,
    /// Some step so far did.
    Happened,
    /// It happened and is over.
    Stopped,
    /// An injection of it has been counted.
    Begun,
}

impl FaultAspect {
    /// All of them.
    pub const ALL: [FaultAspect; 6] = [
        FaultAspect::Faulty,
        FaultAspect::Injecting,
        FaultAspect::Injected,
        FaultAspect::Happened,
        FaultAspect::Stopped,
        FaultAspect::Begun,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            FaultAspect::Faulty => "faulty",
            FaultAspect::Injecting => "injecting",
            FaultAspect::Injected => "injected",
            FaultAspect::Happened => "happened",
            FaultAspect::Stopped => "stopped",
            FaultAspect::Begun => "begun",
        }
    }
}

/// `to f, g at level`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tolerated {
    /// The faults, each once, in the order of the model.
    pub faults: Vec<FaultId>,
    /// The level that has to be reached.
    pub at: Option<Level>,
}
