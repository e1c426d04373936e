//! Which constructors of `data` are ever sent, and which are ever received.

use super::coverage::When;
use super::each::{Quiet, answers};
use crate::check::{Answer, Options, Shows, World};
use crate::system::predicates::exists_picks;
use crate::system::{
    ChannelVars, Domain, Event, Expr, Leaf, Op, Property, PropertyKind, Scalar, System, VarId,
};
use crate::vocabulary::{ChannelId, DataId};

/// A constructor that could be in a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its type.
    pub data: DataId,
    /// Its position in the type.
    pub constructor: u32,
    /// When a message with it is sent, on any channel; `None` if nobody knows.
    pub sent: Option<When>,
    /// The same of received.
    pub received: Option<When>,
}

/// A place of messages that has a constructor: a channel and the position of its scalar.
type Place = (ChannelId, usize);

/// Every constructor that some channel could carry, in the order of the model.
///
/// A message is sent if in some reachable state a step is possible that sends it: so each question is one about states, and all of them are
/// answered by one search.
pub fn messages(system: &System, options: &Options, world: &dyn World) -> Vec<Message> {
    let mut probe = system.clone();
    probe.assumptions.clear();
    probe.properties.clear();
    let mut asked = Vec::new();
    for (index, data) in system.data.iter().enumerate() {
        let data_id = DataId(index as u32);
        let places = places(system, data_id);
        for constructor in 0..data.constructors.len() as u32 {
            if places.is_empty() {
                continue;
            }
            let value = Scalar::Data(data_id, constructor);
            // What a fault does is asked apart: the run that leads there does not tell of it.
            let questions = [(true, false), (true, true), (false, false), (false, true)];
            let first = probe.properties.len();
            let conditions =
                questions.map(|(sends, by_fault)| passing(system, &places, value, sends, by_fault));
            probe
                .properties
                .extend(conditions.into_iter().map(|condition| Property {
                    form: None,
                    name: "message".to_owned(),
                    kind: PropertyKind::Reachable(condition),
                    tolerant: None,
                    span: None,
                }));
            asked.push((data_id, constructor, first));
        }
    }
    let wanted: Vec<usize> = (0..probe.properties.len()).collect();
    let found = answers(&probe, &wanted, options, &Quiet(world)).unwrap_or_default();
    let when = |first: usize| {
        let plain = found.get(first).and_then(reached);
        match plain {
            Some(When::Always) => Some(When::Always),
            None => None,
            Some(plain) => {
                let faulty = found.get(first + 1).and_then(reached)?;
                Some(plain.max(faulty.min(When::WithFaults)))
            }
        }
    };
    let message = |(data, constructor, first): (DataId, u32, usize)| Message {
        data,
        constructor,
        sent: when(first),
        received: when(first + 2),
    };
    asked.into_iter().map(message).collect()
}

/// When what an answer is about happens, if that is certain.
fn reached(answer: &Answer) -> Option<When> {
    match (answer.verdict(), &answer.trace) {
        ("violated", _) => Some(When::Never),
        ("holds", Some(trace)) if trace.faults() == 0 => Some(When::Always),
        ("holds", Some(_)) if answer.shows > Shows::Any => Some(When::WithFaults),
        _ => None,
    }
}

/// Where the messages of channels have a value of a type, or a message of it with fields.
fn places(system: &System, data: DataId) -> Vec<Place> {
    let is_of =
        |var: &VarId| matches!(system.var(*var).domain, Domain::Data { data: d, .. } if d == data);
    let mut places = Vec::new();
    for (index, channel) in system.channels.iter().enumerate() {
        let id = ChannelId(index as u32);
        let scalars: &[VarId] = match &channel.vars {
            ChannelVars::Rendezvous { values, .. } => values,
            ChannelVars::Buffered { slots, .. } => match slots.first() {
                Some(slot) => slot,
                None => continue,
            },
        };
        // What is inside of a message with fields is there only with some constructors, so only its tag counts.
        let starts: Vec<usize> = match system.message_shape(id) {
            None => (0..scalars.len()).collect(),
            Some(shapes) => shapes
                .iter()
                .scan(0, |next, shape| {
                    let start = *next;
                    *next += shape.width();
                    Some(start)
                })
                .collect(),
        };
        let own = starts
            .into_iter()
            .filter(|at| scalars.get(*at).is_some_and(is_of));
        places.extend(own.map(|at| (id, at)));
    }
    places
}

/// That a step is possible that sends, or receives, a message with a value at one of these places.
fn passing(system: &System, places: &[Place], value: Scalar, sends: bool, by_fault: bool) -> Expr {
    let mut ways = Vec::new();
    for (id, process) in system.processes() {
        let edges = process.edges.iter();
        for edge in edges.filter(|edge| edge.kind.is_forced() != by_fault) {
            for event in &edge.events {
                let (channel, message) = match event {
                    Event::Offered(c, m) | Event::Sent(c, m) if sends => (c, m),
                    Event::Received(c, m) | Event::Delivered(c, m) if !sends => (c, m),
                    _ => continue,
                };
                for (_, at) in places.iter().filter(|(c, _)| c == channel) {
                    let Some(scalar) = message.get(*at) else {
                        continue;
                    };
                    let is = Expr::binary(Op::Eq, scalar.clone(), Expr::Const(value));
                    let guard = Expr::and([edge.guard.clone(), is]);
                    ways.push(Expr::and([
                        Expr::Leaf(Leaf::At(id, vec![edge.from])),
                        exists_picks(&guard, &edge.picks),
                    ]));
                }
            }
        }
    }
    Expr::or(ways)
}
