//! When faults happen, to which variables, and what specifications ask about them.

use super::{Happening, Type, VariableId};
use crate::vocabulary::{FaultId, Level};

/// A variable, or a part of one, that a fault happens to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultVariable {
    /// The variable.
    pub variable: VariableId,
    /// The way to the part, outermost first; empty for the whole variable.
    pub path: Vec<Within>,
}

/// A step on the way to a part of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// An element of an array.
    Element(u32),
    /// A field of a record, by its position.
    Field(u32),
}

impl Within {
    /// The part of a type, and the scalars of it that come before it.
    pub fn of(self, ty: &Type) -> (&Type, usize) {
        match (self, ty) {
            (Within::Element(index), Type::Array(element, _)) => {
                (element, index as usize * element.scalars() as usize)
            }
            (Within::Field(field), Type::Record(record)) => {
                let own = record.scalars_of(field);
                (&record.fields[field as usize].ty, own.start)
            }
            _ => unreachable!("only arrays have elements, and only records have fields"),
        }
    }
}

impl FaultVariable {
    /// Its type and its first scalar, from those of the whole variable.
    pub fn part_of<'t>(&self, variable: &'t Type) -> (&'t Type, usize) {
        self.path.iter().fold((variable, 0), |(ty, first), part| {
            let (ty, before) = part.of(ty);
            (ty, first + before)
        })
    }
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
