//! What a channel is: its variables, when its operations can go, and what they change.
//!
//! ```text
//! rendezvous   Offered     guard !ready                ready := true, value := message
//!              Received    guard ready && !received    received := true
//!              Completed   guard ready && received     ready, received := false, value := zero
//!              Withdrew    guard ready && !received    ready := false, value := zero
//! buffered     Sent        guard len < n               slot[len] := message, len := len + 1
//!              Received    guard len > 0               slots move up by one, len := len - 1
//! either       Peeked      the guard of Received       nothing
//! bag          Sent        guard len < n               slots stay in order, len := len + 1
//!              Received    guard len > k               slots behind k move up by one, len := len - 1
//! ```

use super::draft::{Draft, var};
use crate::graph::{Edge, Expr, Leaf};
use crate::program::Program;
use crate::system::event::Event;
use crate::system::{ChannelVars, Owner};
use crate::system::{Domain, Op, VarId};
use crate::vocabulary::ChannelId;

/// Declares the variables of every channel.
pub(super) fn declare(draft: &mut Draft, program: &Program) {
    for index in 0..program.channels.len() {
        let id = ChannelId(index as u32);
        let owner = Owner::Channel(id);
        let message = draft.layout.message(id).to_vec();
        let vars = match draft.layout.capacity(id) {
            None => ChannelVars::Rendezvous {
                ready: draft.declare("ready", owner, Domain::Bool, 0),
                received: draft.declare("received", owner, Domain::Bool, 0),
                values: declare_message(draft, "value", owner, &message),
            },
            Some(capacity) => ChannelVars::Buffered {
                len: draft.declare(
                    "len",
                    owner,
                    Domain::Int {
                        lo: 0,
                        hi: i64::from(capacity),
                    },
                    0,
                ),
                slots: (0..capacity)
                    .map(|k| declare_message(draft, &format!("slot{k}"), owner, &message))
                    .collect(),
                ages: declare_ages(draft, id, capacity),
            },
        };
        draft.channels.push(vars);
    }
}

fn declare_message(draft: &mut Draft, name: &str, owner: Owner, message: &[Domain]) -> Vec<VarId> {
    let one = message.len() == 1;
    message
        .iter()
        .enumerate()
        .map(|(i, domain)| {
            let name = if one {
                name.to_string()
            } else {
                format!("{name}_{i}")
            };
            draft.declare(name, owner, *domain, domain.zero())
        })
        .collect()
}

/// A delayed message has an age, which time counts down.
fn declare_ages(draft: &mut Draft, id: ChannelId, capacity: u32) -> Vec<VarId> {
    let Some((_, hi)) = draft.layout.delay(id) else {
        return Vec::new();
    };
    let domain = Domain::Int { lo: 0, hi };
    let age = |k| draft.declare(format!("age{k}"), Owner::Channel(id), domain, 0);
    let ages: Vec<VarId> = (0..capacity).map(age).collect();
    draft.timers.extend(&ages);
    ages
}

/// Gives every edge the guards and updates of the channel operations among its events.
pub(super) fn expand(draft: &mut Draft) {
    draft.rewrite(|draft, edge| {
        let mut edge = edge.clone();
        for event in edge.events.clone() {
            let age = match &event {
                Event::Sent(c, _) => draft.new_age(*c, &mut edge.picks),
                _ => None,
            };
            let Some((guard, updates)) = draft.effect(&event, age.as_ref()) else {
                continue;
            };
            // A send that must find room fails without it.
            let waits = !(edge.checked && matches!(event, Event::Sent(..)));
            if waits {
                edge.guard = Expr::and([edge.guard, guard]);
            }
            edge.updates.extend(updates);
        }
        edge
    });
}

impl Draft {
    /// When an operation can go and what it changes.
    fn effect(
        &self,
        event: &Event<Leaf>,
        age: Option<&Expr>,
    ) -> Option<(Expr, Vec<(VarId, Expr)>)> {
        Some(match event {
            Event::Offered(c, message) => {
                let ChannelVars::Rendezvous { ready, values, .. } = self.channel(*c) else {
                    return None;
                };
                let mut updates = vec![(*ready, Expr::yes())];
                updates.extend(values.iter().copied().zip(message.iter().cloned()));
                (self.can_send(*c), updates)
            }
            Event::Completed(c) => {
                let ChannelVars::Rendezvous {
                    ready, received, ..
                } = self.channel(*c)
                else {
                    return None;
                };
                let mut updates = vec![(*ready, Expr::no()), (*received, Expr::no())];
                updates.extend(self.zeroed(*c));
                (Expr::and([var(*ready), var(*received)]), updates)
            }
            Event::Withdrew(c) => {
                let ChannelVars::Rendezvous { ready, .. } = self.channel(*c) else {
                    return None;
                };
                let mut updates = vec![(*ready, Expr::no())];
                updates.extend(self.zeroed(*c));
                (self.can_receive(*c), updates)
            }
            Event::Sent(c, message) if self.layout.is_bag(*c) => {
                (self.has_room(*c), self.inserted(*c, message, age))
            }
            Event::Sent(c, message) => {
                let ChannelVars::Buffered { len, slots, ages } = self.channel(*c) else {
                    return None;
                };
                let mut updates = vec![(*len, Expr::binary(Op::Add, var(*len), Expr::int(1)))];
                for (k, slot) in slots.iter().enumerate() {
                    let here = Expr::binary(Op::Eq, var(*len), Expr::int(k as i64));
                    let scalars = slot.iter().chain(ages.get(k));
                    updates.extend(
                        scalars.zip(message.iter().chain(age)).map(|(s, value)| {
                            (*s, Expr::ite(here.clone(), value.clone(), var(*s)))
                        }),
                    );
                }
                (self.has_room(*c), updates)
            }
            Event::Received(c, message) => {
                let updates = match self.channel(*c) {
                    ChannelVars::Rendezvous { received, .. } => vec![(*received, Expr::yes())],
                    ChannelVars::Buffered { .. } => self.removed(*c, self.position(*c, message)),
                };
                (self.can_receive(*c), updates)
            }
            Event::Peeked(c, _) => (self.can_receive(*c), Vec::new()),
            _ => return None,
        })
    }

    /// Whether a send can go now.
    pub(super) fn can_send(&self, channel: ChannelId) -> Expr {
        match self.layout.overflows(channel) {
            true => Expr::yes(),
            false => self.has_room(channel),
        }
    }

    /// Whether a channel takes another message.
    pub(super) fn has_room(&self, channel: ChannelId) -> Expr {
        match self.channel(channel) {
            ChannelVars::Rendezvous { ready, .. } => var(*ready).not(),
            ChannelVars::Buffered { len, slots, .. } => {
                Expr::binary(Op::Lt, var(*len), Expr::int(slots.len() as i64))
            }
        }
    }

    /// Whether a receive can go now.
    pub(super) fn can_receive(&self, channel: ChannelId) -> Expr {
        match self.channel(channel) {
            ChannelVars::Rendezvous {
                ready, received, ..
            } => Expr::and([var(*ready), var(*received).not()]),
            ChannelVars::Buffered { slots, ages, .. }
                if self.layout.is_bag(channel) && !ages.is_empty() =>
            {
                Expr::or((0..slots.len()).map(|k| self.is_ripe(channel, k)))
            }
            ChannelVars::Buffered { .. } => self.is_ripe(channel, 0),
        }
    }

    /// Whether there is a message at a position of a buffer, which is under way no longer.
    pub(super) fn is_ripe(&self, channel: ChannelId, position: usize) -> Expr {
        let ChannelVars::Buffered { len, ages, .. } = self.channel(channel) else {
            return Expr::no();
        };
        let there = Expr::binary(Op::Gt, var(*len), Expr::int(position as i64));
        let ripe = ages.get(position);
        let ripe = ripe.map(|age| Expr::binary(Op::Eq, var(*age), Expr::int(0)));
        Expr::and(std::iter::once(there).chain(ripe))
    }

    /// How many ticks a message that is sent will be under way; what may be is picked.
    fn new_age(&self, channel: ChannelId, picks: &mut Vec<Domain>) -> Option<Expr> {
        let (lo, hi) = self.layout.delay(channel)?;
        if lo == hi {
            return Some(Expr::int(lo));
        }
        picks.push(Domain::Int { lo, hi });
        Some(Expr::Leaf(Leaf::Pick(picks.len() as u32 - 1)))
    }

    /// The message that a receive would take.
    pub(super) fn head(&self, channel: ChannelId) -> &[VarId] {
        match self.channel(channel) {
            ChannelVars::Rendezvous { values, .. } => values,
            ChannelVars::Buffered { slots, .. } => &slots[0],
        }
    }

    /// The updates that take the message with this distance from the head out of a buffer.
    pub(super) fn removed(&self, channel: ChannelId, position: usize) -> Vec<(VarId, Expr)> {
        let ChannelVars::Buffered { len, slots, ages } = self.channel(channel) else {
            return Vec::new();
        };
        let mut updates = vec![(*len, Expr::binary(Op::Sub, var(*len), Expr::int(1)))];
        let moved = |scalar: VarId, next: Option<VarId>| {
            (scalar, next.map_or_else(|| self.zero(scalar), var))
        };
        for k in position..slots.len() {
            for (i, slot) in slots[k].iter().enumerate() {
                updates.push(moved(*slot, slots.get(k + 1).map(|next| next[i])));
            }
            if let Some(age) = ages.get(k) {
                updates.push(moved(*age, ages.get(k + 1).copied()));
            }
        }
        updates
    }

    fn zeroed(&self, channel: ChannelId) -> Vec<(VarId, Expr)> {
        self.head(channel)
            .iter()
            .map(|v| (*v, self.zero(*v)))
            .collect()
    }

    fn zero(&self, id: VarId) -> Expr {
        let domain = self.vars[id.0 as usize].domain;
        Expr::Const(domain.scalar(domain.zero()))
    }
}

/// An edge's events, for patterns.
pub(super) fn sends_on(edge: &Edge, channel: ChannelId) -> Option<&Vec<Expr>> {
    edge.events.iter().find_map(|event| match event {
        Event::Offered(c, message) | Event::Sent(c, message) if *c == channel => Some(message),
        _ => None,
    })
}
