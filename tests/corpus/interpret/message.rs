//! Channel operations and the faults of channels.

use sandalc::program::{FaultTarget, Message, Pattern, Place};
use sandalc::system::Check;

use super::Machine;
use super::code::Control;
use super::eval::{fits, store, stores};
use super::state::{Contents, State, Value, all_values, product};
use super::step::Move;
use sandalc::vocabulary::MessageOp;

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

    /// All moves of an operation from the place where it begins.
    pub fn operation(&self, state: &State, op: &Operation) -> Vec<Move> {
        let mut moves = Vec::new();
        let (which, channel) = match self.channel(state, op.message) {
            Ok(found) => found,
            Err(check) => return vec![self.fail(state, op.process, check, None)],
        };
        self.perform(state, op, which, channel, &mut moves);
        if let Some(no) = &op.no {
            let can = self.possible(state, op.message, channel).unwrap_or(true);
            let may = match op.message.op {
                MessageOp::TimeoutSend | MessageOp::TimeoutRecv | MessageOp::TimeoutPeek => {
                    !self.timely || !can
                }
                _ => !can,
            };
            if may {
                moves.push(self.finish(state.clone(), op.process, no, None));
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

    fn channel_fault(&self, state: &State, kind: &str, channel: usize) -> Option<usize> {
        let target = FaultTarget::Channel(sandalc::vocabulary::ChannelId(channel as u32));
        self.fault(state, kind, target)
    }

    fn send(
        &self,
        state: &State,
        op: &Operation,
        which: usize,
        channel: usize,
        moves: &mut Vec<Move>,
    ) {
        if let Some(fault) = self.channel_fault(state, "drop", channel) {
            moves.push(self.finish(state.clone(), op.process, &op.yes, Some(fault)));
        }
        let place = Control::At(op.place.0);
        // In the middle of an atomic block it must find room.
        let checked =
            op.message.op == MessageOp::Send && self.code[op.process].in_the_middle(place);
        let can = self.can(state, op.message.op, channel);
        if !can && !checked {
            return;
        }
        let fields = &self.program.channels[channel].fields;
        let mut eval = self.eval(state, 0);
        let values: Result<Vec<Value>, Check> =
            op.message.values.iter().map(|e| eval.value(e)).collect();
        let message = values.and_then(|values| {
            let good = values.iter().zip(fields).all(|(v, ty)| fits(v, ty));
            if good { Ok(values) } else { Err(Check::Range) }
        });
        let corrupt = self.channel_fault(state, "corrupt", channel);
        let choices: Vec<Vec<Value>> = fields
            .iter()
            .map(|ty| all_values(ty, self.program))
            .collect();
        match message {
            Err(check) => {
                moves.push(self.fail(state, op.process, check, None));
                // With one message only there is nothing else to send.
                if product(&choices).len() > 1
                    && (checked || self.has_room(state, channel))
                    && let Some(fault) = corrupt
                {
                    moves.push(self.fail(state, op.process, check, Some(fault)));
                }
            }
            Ok(_) if !can => {
                moves.push(self.fail(state, op.process, Check::Room, None));
                if product(&choices).len() > 1
                    && let Some(fault) = corrupt
                {
                    moves.push(self.fail(state, op.process, Check::Room, Some(fault)));
                }
            }
            Ok(message) => {
                // What overflows is lost, whatever it is: that is no fault.
                let full = !self.has_room(state, channel);
                if let Some(fault) = corrupt.filter(|_| !full) {
                    for other in product(&choices).into_iter().filter(|m| *m != message) {
                        moves.push(self.put(state, op, which, channel, other, Some(fault)));
                    }
                }
                moves.push(self.put(state, op, which, channel, message, None));
            }
        }
    }

    /// Puts a message into a channel.
    fn put(
        &self,
        state: &State,
        op: &Operation,
        which: usize,
        channel: usize,
        message: Vec<Value>,
        fault: Option<usize>,
    ) -> Move {
        let mut next = state.clone();
        match &mut next.channels[channel] {
            Contents::Buffer(messages) => {
                let channel = &self.program.channels[channel];
                // A full channel that lets a message come loses it.
                if messages.len() < channel.capacity.expect("a buffer") as usize {
                    messages.push(message);
                }
                if channel.bag {
                    messages.sort();
                }
                self.finish(next, op.process, &op.yes, fault)
            }
            offer => {
                *offer = Contents::Meeting(Some((message, false)));
                next.control[op.process] = Control::Offered(op.place.0, op.place.1, which);
                self.moved(next, fault)
            }
        }
    }

    /// The moves of a process whose message is on offer.
    pub fn offered(&self, state: &State, op: &Operation, channel: usize) -> Vec<Move> {
        let mut next = state.clone();
        next.channels[channel] = Contents::Meeting(None);
        match &state.channels[channel] {
            Contents::Meeting(Some((_, true))) => {
                vec![self.finish(next, op.process, &op.yes, None)]
            }
            Contents::Meeting(Some((_, false))) => {
                let no = op.no.iter();
                no.map(|no| self.finish(next.clone(), op.process, no, None))
                    .collect()
            }
            other => panic!("on offer, but the channel holds {other:?}"),
        }
    }

    fn receive(&self, state: &State, op: &Operation, channel: usize, moves: &mut Vec<Move>) {
        let takes = !op.message.op.is_peek();
        if let Err(check) = self.possible(state, op.message, channel) {
            moves.push(self.fail(state, op.process, check, None));
        }
        let fits =
            |message: &[Value]| self.fitting(state, op.message, channel, message) == Ok(true);
        match &state.channels[channel] {
            Contents::Meeting(None) => {}
            Contents::Meeting(Some((message, _))) if !fits(message) => {}
            Contents::Meeting(Some((message, false))) => {
                let mut next = state.clone();
                if takes {
                    next.channels[channel] = Contents::Meeting(Some((message.clone(), true)));
                }
                moves.push(self.take(state, next, op, message, None));
            }
            Contents::Meeting(Some((message, true))) => {
                if takes && let Some(fault) = self.channel_fault(state, "duplicate", channel) {
                    moves.push(self.take(state, state.clone(), op, message, Some(fault)));
                }
            }
            Contents::Buffer(messages) => {
                if messages.is_empty() {
                    return;
                }
                let without = |k: usize| {
                    let mut next = state.clone();
                    if takes && let Contents::Buffer(rest) = &mut next.channels[channel] {
                        rest.remove(k);
                    }
                    next
                };
                let bag = self.program.channels[channel].bag;
                for (k, message) in messages.iter().enumerate() {
                    if k > 0 && !bag {
                        break;
                    }
                    if !fits(message) {
                        continue;
                    }
                    moves.push(self.take(state, without(k), op, message, None));
                    if takes && let Some(fault) = self.channel_fault(state, "duplicate", channel) {
                        moves.push(self.take(state, state.clone(), op, message, Some(fault)));
                    }
                }
                if let Some(fault) = self.channel_fault(state, "reorder", channel) {
                    let behind = messages.iter().enumerate().skip(1);
                    for (k, message) in behind.filter(|(_, message)| fits(message)) {
                        moves.push(self.take(state, without(k), op, message, Some(fault)));
                    }
                }
            }
        }
    }

    /// Stores a message that is received; `next` is the state after it has been taken.
    fn take(
        &self,
        state: &State,
        mut next: State,
        op: &Operation,
        message: &[Value],
        fault: Option<usize>,
    ) -> Move {
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
            match eval.indices(place) {
                Ok(indices) => evaluated.push((place, indices, value)),
                Err(check) => return self.fail(state, op.process, check, fault),
            }
        }
        for (place, indices, value) in evaluated {
            if let Err(check) = store(&mut next, place, &indices, &value) {
                return self.fail(state, op.process, check, fault);
            }
        }
        self.finish(next, op.process, &op.yes, fault)
    }

    /// The operation is over.
    fn finish(&self, mut next: State, process: usize, after: &After, fault: Option<usize>) -> Move {
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
        self.moved(next, fault)
    }
}
