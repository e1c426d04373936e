//! What is used, and how: collected during elaboration for the lints.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::vocabulary::{ChannelId, DataId};

/// What has been seen. Declarations are known by the places of their names.
#[derive(Default)]
pub struct Uses {
    /// Whether a send in an `atomic` block must find room.
    pub room: bool,
    /// Whether there is a timer, a `sleep` or a delay: then there is a clock.
    pub clock: bool,
    /// Names that are read.
    pub read: FxHashSet<Span>,
    /// Variables that are written.
    pub written: FxHashSet<Span>,
    /// Variables in the order in which they were first met: name and place.
    pub variables: Vec<(String, Span)>,
    /// Procs and modules that have been looked into.
    pub checked: FxHashSet<Span>,
    /// Procs and modules that have instances.
    pub instantiated: FxHashSet<Span>,
    /// Channels that are sent on.
    pub sent: FxHashSet<ChannelId>,
    /// Channels that are received from.
    pub received: FxHashSet<ChannelId>,
    /// Channels that specifications ask about.
    pub asked: FxHashSet<ChannelId>,
    /// Constructors that are stored or sent somewhere.
    pub produced: FxHashSet<(DataId, u32)>,
    /// Constructors that something is compared with, and where first.
    pub compared: FxHashMap<(DataId, u32), Span>,
    /// Types of which two variables are compared, or of which `any` or a fault may choose every value.
    pub opaque: FxHashSet<DataId>,
    /// Types of which any value may turn up.
    pub arbitrary: FxHashSet<DataId>,
    /// Constructors sent by name on a channel, and where first.
    pub sent_constructors: FxHashMap<(ChannelId, DataId, u32), Span>,
    /// What every elaboration of a place must agree on before it is said: `None` if they do not.
    pub agreed: FxHashMap<(Span, Question), Option<Diagnostic>>,
}

/// What elaborations of one place are asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
    /// Is this condition always the same?
    Condition,
    /// Can this store, division or index ever succeed?
    Failure,
}

impl Uses {
    /// Notes what one elaboration of a place says; it is reported at the end if all say the same.
    pub fn agree(&mut self, span: Span, question: Question, answer: Option<Diagnostic>) {
        match self.agreed.entry((span, question)) {
            Entry::Vacant(entry) => {
                entry.insert(answer);
            }
            Entry::Occupied(mut entry) => {
                let same = match (entry.get(), &answer) {
                    (Some(before), Some(now)) => {
                        question == Question::Failure || before.message == now.message
                    }
                    _ => false,
                };
                if !same {
                    entry.insert(None);
                }
            }
        }
    }
}
