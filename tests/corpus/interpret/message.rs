//! Channel operations and the faults of channels.

use sandalc::program::{FaultTarget, Message, Pattern, Place};
use sandalc::system::Check;

use super::Machine;
use super::code::Control;
use super::eval::{fits, store, stores};
use super::fault::Did;
use super::state::{Contents, State, Value, all_values, product};
use super::step::Move;
use super::write::{Outcome, Written, written};
use sandalc::vocabulary::{ChannelId, MessageOp, ProcessId};

/// What a process does after an operation.
#[derive(Clone)]
pub struct After<'a> {
    pub control: Control,
    pub result: Kept<'a>,
}

/// What becomes of the result of an operation.
#[derive(Clone)]
pub enum Kept<'a> {
    /// Nothing, and those that waited are forgotten.
    Nothing,
    /// It waits for the rest of its statement, as the n-th of its results.
    Waits(usize, bool),
    /// It is stored.
    Stored(&'a Place, Vec<i64>, bool),
}

/// An operation that a process may perform.
pub struct Operation<'a> {
    pub process: usize,
    pub message: &'a Message,
    /// Where it waits while its message is on offer: the statement and the number of the operation in it.
    pub place: (usize, usize),
    pub yes: After<'a>,
    /// Where it leads if it yields false.
    pub no: Option<After<'a>>,
}

impl Machine<'_> {
    /// The channel of an operation: which of those it may be on, and its number.
    pub fn channel(&self, state: &State, message: &Message) -> Result<(usize, usize), Check> {
        let index = match &message.channel.index {
            None => 0,
            Some(index) => self.eval(state, 0).number(index)?,
        };
        let channels = &message.channel.channels;
        if index < 0 || index >= channels.len() as i64 {
            return Err(Check::Index);
        }
        Ok((index as usize, channels[index as usize].0 as usize))
    }

    /// Whether an operation can go on a channel.
    pub fn can(&self, state: &State, op: MessageOp, channel: usize) -> bool {
        match (&state.channels[channel], op.is_send()) {
            (Contents::Meeting(offer), true) => offer.is_none(),
            (Contents::Meeting(offer), false) => matches!(offer, Some((_, false))),
            (Contents::Buffer(messages), true) => {
                let channel = &self.program.channels[channel];
                let room = messages.len() < channel.capacity.expect("a buffer") as usize;
                room || channel.overflow
            }
            (Contents::Buffer(messages), false) => !messages.is_empty(),
        }
    }

    /// Whether a channel takes another message.
    fn has_room(&self, state: &State, channel: usize) -> bool {
        match &state.channels[channel] {
            Contents::Meeting(offer) => offer.is_none(),
            Contents::Buffer(messages) => {
                let capacity = self.program.channels[channel].capacity;
                messages.len() < capacity.expect("a buffer") as usize
            }
        }
    }

    /// Whether a message fits the patterns of a receive.
    fn fitting(
        &self,
        state: &State,
        op: &Message,
        channel: usize,
        message: &[Value],
    ) -> Result<bool, Check> {
        let fields = &self.program.channels[channel].fields;
        let mut eval = self.eval(state, 0);
        // All that a field is compared with is evaluated, whatever the others are.
        for compared in op.targets.iter().flat_map(Pattern::values) {
            eval.value(compared)?;
        }
        let mut fits = true;
        for ((pattern, ty), value) in op.targets.iter().zip(fields).zip(message) {
            fits &= eval.matches(pattern, ty, value)?;
        }
        Ok(fits)
    }

    /// Whether an operation can go: of a receive, whether the message at the head fits.
    pub fn possible(
        &self,
        state: &State,
        message: &Message,
        channel: usize,
    ) -> Result<bool, Check> {
        if !self.can(state, message.op, channel) {
            return Ok(false);
        }
        if message.op.is_send() {
            return Ok(true);
        }
        let head = match &state.channels[channel] {
            Contents::Meeting(Some((head, _))) => head,
            Contents::Buffer(messages) if self.program.channels[channel].bag => {
                for stored in messages {
                    if self.fitting(state, message, channel, stored)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            Contents::Buffer(messages) => &messages[0],
            Contents::Meeting(None) => return Ok(false),
        };
        self.fitting(state, message, channel, head)
    }

    /// The faults that lose what a process sends on a channel at every occasion now.
    fn always_lost(&self, state: &State, process: usize, channel: usize) -> Vec<usize> {
        let lossy = self.faults_of(&["drop", "partition"], at_channel(channel));
        let silent = self.faults_of(&["byzantine"], at_process(process));
        lossy
            .chain(silent)
            .filter(|fault| self.always(state, *fault))
            .collect()
    }

    /// Whether an operation can go, as those see it who ask: a send that is lost for sure can.
    pub fn seems_possible(
        &self,
        state: &State,
        process: usize,
        message: &Message,
        channel: usize,
    ) -> Result<bool, Check> {
        if message.op.is_send() {
            let own = self.own_losses(state, process, channel, &self.sent(state, message, channel));
            let own = own.into_iter().filter(|fault| self.always(state, *fault));
            if !self.always_lost(state, process, channel).is_empty() || own.count() > 0 {
                return Ok(true);
            }
        }
        self.possible(state, message, channel)
    }

    /// All moves of an operation from the place where it begins.
    pub fn operation(&self, state: &State, op: &Operation) -> Vec<Move> {
        let mut moves = Vec::new();
        let (which, channel) = match self.channel(state, op.message) {
            Ok(found) => found,
            Err(check) => return vec![self.fail(state, op.process, check)],
        };
        self.perform(state, op, which, channel, &mut moves);
        if let Some(no) = &op.no {
            let can = self.seems_possible(state, op.process, op.message, channel);
            let can = can.unwrap_or(true);
            let may = match op.message.op {
                MessageOp::TimeoutSend | MessageOp::TimeoutRecv | MessageOp::TimeoutPeek => {
                    !self.timely || !can
                }
                _ => !can,
            };
            if may {
                let over = self.finish(state.clone(), op.process, no);
                let outcome = Outcome::plain(Ok(over), stored(state, no));
                moves.extend(self.outcome(state, op.process, outcome));
            }
        }
        moves
    }

    /// The moves on which an operation goes, faults included.
    pub fn perform(
        &self,
        state: &State,
        op: &Operation,
        which: usize,
        channel: usize,
        moves: &mut Vec<Move>,
    ) {
        if op.message.op.is_send() {
            self.send(state, op, which, channel, moves);
        } else {
            self.receive(state, op, channel, moves);
        }
    }

    /// The message that an operation sends, if it can be computed.
    fn sent(&self, state: &State, message: &Message, channel: usize) -> Result<Vec<Value>, Check> {
        let fields = &self.program.channels[channel].fields;
        let mut eval = self.eval(state, 0);
        let values: Result<Vec<Value>, Check> =
            message.values.iter().map(|e| eval.value(e)).collect();
        let values = values?;
        match values.iter().zip(fields).all(|(v, ty)| fits(v, ty)) {
            true => Ok(values),
            false => Err(Check::Range),
        }
    }

    fn send(
        &self,
        state: &State,
        op: &Operation,
        which: usize,
        channel: usize,
        moves: &mut Vec<Move>,
    ) {
        let p = op.process;
        let place = Control::At(op.place.0);
        // In the middle of an atomic block it must find room.
        let checked = op.message.op == MessageOp::Send && self.code[p].in_the_middle(place);
        let can = self.can(state, op.message.op, channel);
        let room = self.has_room(state, channel);
        let fields = &self.program.channels[channel].fields;
        let message = self.sent(state, op.message, channel);
        // What the checks leave of it: all of a message is computed before there is no room for it.
        let message = message.and_then(|message| match checked && !can {
            true => Err(Check::Room),
            false => Ok(message),
        });
        let choices: Vec<Vec<Value>> = fields
            .iter()
            .map(|ty| all_values(ty, self.program))
            .collect();
        let all = product(&choices);
        let instead = |others: Vec<Vec<Value>>| -> Vec<Move> {
            match &message {
                // What overflows is lost, whatever it is: that is no fault.
                _ if !room && !checked => Vec::new(),
                Err(check) => vec![self.fail(state, p, *check)],
                Ok(_) => (others.into_iter())
                    .map(|other| self.put(state, op, which, channel, other))
                    .collect(),
            }
        };
        let lost = || self.finish(state.clone(), p, &op.yes);
        let now = |fault: &usize| self.ready(state, *fault) || self.always(state, *fault);
        let mut beside = Vec::new();
        let mut replaced_by = Vec::new();
        for fault in self.faults_of(&["drop", "partition"], at_channel(channel)) {
            if now(&fault) {
                beside.push((fault, lost()));
                replaced_by.push(fault);
            }
        }
        for fault in self.faults_of(&["corrupt"], at_channel(channel)) {
            // With one message only there is nothing else to send.
            if now(&fault) && all.len() > 1 {
                let mut others = all.clone();
                others.retain(|other| Ok(other) != message.as_ref());
                beside.extend(instead(others).into_iter().map(|step| (fault, step)));
                // A message that is lost for want of room is nobody's to change.
                if room || !self.program.channels[channel].overflow {
                    replaced_by.push(fault);
                }
            }
        }
        for fault in self.faults_of(&["byzantine"], at_process(p)) {
            if now(&fault) {
                let lies = instead(all.clone()).into_iter().chain([lost()]);
                beside.extend(lies.map(|step| (fault, step)));
                replaced_by.push(fault);
            }
        }
        let put = |other| self.put(state, op, which, channel, other);
        let able: Option<&dyn Fn(Vec<Value>) -> Move> = match room || checked {
            true => Some(&put),
            false => None,
        };
        let (own, applied) = self.own_sends(state, (p, channel), &message, &lost, able);
        beside.extend(own);
        replaced_by.extend(applied);
        replaced_by.retain(|fault| self.always(state, *fault));
        let rendezvous = self.program.channels[channel].capacity.is_none();
        let outcome = Outcome {
            writes: match rendezvous {
                // What is stored is stored when the offer is over.
                true => Vec::new(),
                false => stored(state, &op.yes),
            },
            to: message
                .clone()
                .map(|m| self.put(state, op, which, channel, m)),
            possible: can || checked,
            beside,
            replaced_by,
        };
        moves.extend(self.outcome(state, p, outcome));
    }

    /// Puts a message into a channel.
    fn put(
        &self,
        state: &State,
        op: &Operation,
        which: usize,
        channel: usize,
        message: Vec<Value>,
    ) -> Move {
        let mut next = state.clone();
        let sent = Did::Sent(channel, message.clone());
        let mut did = vec![sent];
        let put = match &mut next.channels[channel] {
            Contents::Buffer(messages) => {
                let channel = &self.program.channels[channel];
                // A full channel that lets a message come loses it.
                match messages.len() < channel.capacity.expect("a buffer") as usize {
                    true => messages.push(message),
                    false => did.clear(),
                }
                if channel.bag {
                    messages.sort();
                }
                self.finish(next, op.process, &op.yes)
            }
            offer => {
                *offer = Contents::Meeting(Some((message, false)));
                next.control[op.process] = Control::Offered(op.place.0, op.place.1, which);
                Move::plain(next)
            }
        };
        Move { did, ..put }
    }

    /// The moves of a process whose message is on offer.
    pub fn offered(&self, state: &State, op: &Operation, channel: usize) -> Vec<Move> {
        let mut next = state.clone();
        next.channels[channel] = Contents::Meeting(None);
        let after = match &state.channels[channel] {
            Contents::Meeting(Some((_, true))) => Some(&op.yes),
            Contents::Meeting(Some((_, false))) => op.no.as_ref(),
            other => panic!("on offer, but the channel holds {other:?}"),
        };
        let Some(after) = after else {
            return Vec::new();
        };
        let over = self.finish(next, op.process, after);
        let outcome = Outcome::plain(Ok(over), stored(state, after));
        self.outcome(state, op.process, outcome)
    }

    fn receive(&self, state: &State, op: &Operation, channel: usize, moves: &mut Vec<Move>) {
        let takes = !op.message.op.is_peek();
        if let Err(check) = self.possible(state, op.message, channel) {
            let writes = self.targets(state, op, channel, None);
            let wrong = (op.process, channel);
            let own = match takes {
                true => self.own_receives(state, wrong, &Err(check), &Err(check)),
                false => Vec::new(),
            };
            let outcome = Outcome {
                replaced_by: self.always_of(state, &own),
                beside: own,
                ..Outcome::plain(Err(check), writes)
            };
            moves.extend(self.outcome(state, op.process, outcome));
        }
        let fits =
            |message: &[Value]| self.fitting(state, op.message, channel, message) == Ok(true);
        let now = |kind: &'static [&'static str]| {
            let faults = self.faults_of(kind, at_channel(channel));
            faults.filter(|fault| self.ready(state, *fault))
        };
        let duplicates: Vec<usize> = now(&["duplicate"]).filter(|_| takes).collect();
        match &state.channels[channel] {
            Contents::Meeting(None) => {}
            Contents::Meeting(Some((message, taken))) => {
                if !fits(message) {
                    return;
                }
                let mut next = state.clone();
                if takes {
                    next.channels[channel] = Contents::Meeting(Some((message.clone(), true)));
                }
                let copies = duplicates.iter().filter(|_| *taken);
                let copy = |fault: &usize| (*fault, self.take(state, state.clone(), op, message));
                let own = match takes && !taken {
                    true => self.mistaken(state, &next, op, channel, message),
                    false => Vec::new(),
                };
                let outcome = Outcome {
                    to: self.taken(state, next, op, message),
                    possible: !taken,
                    writes: self.targets(state, op, channel, Some(message)),
                    replaced_by: self.always_of(state, &own),
                    beside: copies.map(copy).chain(own).collect(),
                };
                moves.extend(self.outcome(state, op.process, outcome));
            }
            Contents::Buffer(messages) => {
                let without = |k: usize| {
                    let mut next = state.clone();
                    if takes && let Contents::Buffer(rest) = &mut next.channels[channel] {
                        rest.remove(k);
                    }
                    next
                };
                let bag = self.program.channels[channel].bag;
                let Some(head) = messages.first() else {
                    return;
                };
                // Those behind the head that a fault lets overtake it.
                let mut overtaking = Vec::new();
                for fault in now(&["reorder"]) {
                    let behind = messages.iter().enumerate().skip(1);
                    for (k, message) in behind.filter(|(_, message)| fits(message)) {
                        overtaking.push((fault, self.take(state, without(k), op, message)));
                    }
                }
                if !bag && !fits(head) {
                    moves.extend(overtaking.drain(..).map(|(fault, step)| Move {
                        fault: Some(fault),
                        forced: false,
                        ..step
                    }));
                }
                for (k, message) in messages.iter().enumerate() {
                    if (k > 0 && !bag) || !fits(message) {
                        continue;
                    }
                    let copy =
                        |fault: &usize| (*fault, self.take(state, state.clone(), op, message));
                    let copies = duplicates.iter().map(copy);
                    let own = match takes {
                        true => self.mistaken(state, &without(k), op, channel, message),
                        false => Vec::new(),
                    };
                    let outcome = Outcome {
                        to: self.taken(state, without(k), op, message),
                        possible: true,
                        writes: self.targets(state, op, channel, Some(message)),
                        replaced_by: self.always_of(state, &own),
                        beside: copies.chain(overtaking.drain(..)).chain(own).collect(),
                    };
                    moves.extend(self.outcome(state, op.process, outcome));
                }
            }
        }
    }

    /// What the model's own faults make of a message that is received; `next` is the state after it has been taken.
    fn mistaken(
        &self,
        state: &State,
        next: &State,
        op: &Operation,
        channel: usize,
        message: &[Value],
    ) -> Vec<(usize, Move)> {
        let taken = self.taken(state, next.clone(), op, message);
        let ignored = taken.map(|_| {
            let mut step = self.finish(next.clone(), op.process, &op.yes);
            step.did.push(Did::Received(channel, message.to_vec()));
            step
        });
        let message = Ok(message.to_vec());
        self.own_receives(state, (op.process, channel), &message, &ignored)
    }

    /// Those of some faults that happen at every occasion.
    fn always_of(&self, state: &State, found: &[(usize, Move)]) -> Vec<usize> {
        let faults = found.iter().map(|(fault, _)| *fault);
        faults.filter(|fault| self.always(state, *fault)).collect()
    }

    /// The scalars that a receive writes.
    fn targets(
        &self,
        state: &State,
        op: &Operation,
        channel: usize,
        message: Option<&[Value]>,
    ) -> Vec<Written> {
        let mut eval = self.eval(state, 0);
        let mut found = Vec::new();
        match message {
            None => {
                for place in op.message.targets.iter().flat_map(Pattern::places) {
                    let indices = eval.indices(place);
                    let indices = indices.as_deref().map_err(|check| *check);
                    found.extend(written(place, indices, None, state));
                }
            }
            Some(message) => {
                let fields = &self.program.channels[channel].fields;
                let mut targets = Vec::new();
                for ((pattern, ty), value) in op.message.targets.iter().zip(fields).zip(message) {
                    stores(pattern, ty, value, &mut targets);
                }
                for (place, value) in targets {
                    let indices = eval.indices(place);
                    let indices = indices.as_deref().map_err(|check| *check);
                    found.extend(written(place, indices, Some(&value), state));
                }
            }
        }
        found.extend(stored(state, &op.yes));
        found
    }

    /// Stores a message that a fault lets one receive.
    fn take(&self, state: &State, next: State, op: &Operation, message: &[Value]) -> Move {
        let taken = self.taken(state, next, op, message);
        taken.unwrap_or_else(|check| self.fail(state, op.process, check))
    }

    /// Stores a message that is received; `next` is the state after it has been taken.
    fn taken(
        &self,
        state: &State,
        mut next: State,
        op: &Operation,
        message: &[Value],
    ) -> Result<Move, Check> {
        let channel = self
            .channel(state, op.message)
            .expect("the index is good")
            .1;
        let fields = &self.program.channels[channel].fields;
        let mut targets = Vec::new();
        for ((pattern, ty), value) in op.message.targets.iter().zip(fields).zip(message) {
            stores(pattern, ty, value, &mut targets);
        }
        let mut eval = self.eval(state, 0);
        let mut evaluated = Vec::new();
        for (place, value) in targets {
            evaluated.push((place, eval.indices(place)?, value));
        }
        for (place, indices, value) in evaluated {
            store(&mut next, place, &indices, &value)?;
        }
        let mut step = self.finish(next, op.process, &op.yes);
        if !op.message.op.is_peek() {
            step.did.push(Did::Received(channel, message.to_vec()));
        }
        Ok(step)
    }

    /// The operation is over.
    fn finish(&self, mut next: State, process: usize, after: &After) -> Move {
        next.control[process] = after.control;
        match &after.result {
            Kept::Nothing => next.results[process] = 0,
            Kept::Waits(n, result) => next.results[process] |= u64::from(*result) << n,
            Kept::Stored(place, indices, result) => {
                next.results[process] = 0;
                store(&mut next, place, indices, &Value::One(i64::from(*result)))
                    .expect("a truth value fits");
            }
        }
        Move::plain(next)
    }
}

fn at_channel(channel: usize) -> FaultTarget {
    FaultTarget::Channel(ChannelId(channel as u32))
}

fn at_process(process: usize) -> FaultTarget {
    FaultTarget::Process(ProcessId(process as u32))
}

/// What is written when an operation is over.
fn stored(state: &State, after: &After) -> Vec<Written> {
    match &after.result {
        Kept::Stored(place, indices, result) => {
            let value = Value::One(i64::from(*result));
            written(place, Ok(indices), Some(&value), state)
        }
        _ => Vec::new(),
    }
}
