//! Channel operations, as events on edges.
//!
//! ```text
//! recv(c, x)          s0 --Received(c), x := head(c)--> s1
//! send(r, e)          s0 --Offered(r, e)--> (on offer) --Completed(r)--> s1          rendezvous
//! send(b, e)          s0 --Sent(b, e)--> s1                                         buffered
//! timeout_recv(c, x)  ... and s0 --TimedOut--> s1'
//! ```
//!
//! With a computed index (`xs[i]`) there is such an edge for every element. The index is evaluated and
//! checked before anything else, so its checks do not wait for the channel.

use super::assign::merge_updates;
use super::pattern::stores;
use super::value::Values;
use super::{Lowerer, Node, Outcome};
use crate::graph::{Edge, Exit, Expr, Leaf};
use crate::program;
use crate::program::{Message, Place};
use crate::source::Span;
use crate::system::event::{Declined, Event};
use crate::system::{Check, EdgeKind, LocationKind, Op, VarId};
use crate::vocabulary::{ChannelId, MessageOp};

/// The channels an operation may be on, each with the condition that it is the one.
pub(super) struct Resolved {
    channels: Vec<Candidate>,
    /// Whether the operation can go now.
    pub could: Expr,
    /// That the channel's index was evaluated without a failing check.
    ok: Expr,
}

/// A channel that an operation may be on.
struct Candidate {
    /// That it is this one.
    is: Expr,
    channel: ChannelId,
    /// That the message there fits the patterns, and that these could be evaluated.
    fits: Expr,
    /// That some message there fits: in a bag not only the first is looked at.
    some_fits: Expr,
}

impl Lowerer<'_> {
    /// A statement that is a channel operation.
    pub(super) fn message_alone(&mut self, message: &Message, span: Span, next: Node) -> Node {
        let no = message.op.is_expression().then(|| Outcome::to(next));
        // What waits in the middle of an atomic block must find room instead.
        self.must_find_room =
            self.atomic > 0 && !std::mem::take(&mut self.first) && message.op == MessageOp::Send;
        let begin = self.whole_message(message, &Values::default(), span, Outcome::to(next), no);
        self.must_find_room = false;
        begin
    }

    /// An operation that is all its statement does: one step (a send in two), its outcomes separate edges.
    /// Every outcome makes the given checks first.
    pub(super) fn whole_message(
        &mut self,
        message: &Message,
        checks: &Values,
        span: Span,
        mut yes: Outcome,
        mut no: Option<Outcome>,
    ) -> Node {
        let exprs: Vec<&program::Expr> = message
            .channel
            .index
            .iter()
            .chain(&message.values)
            .collect();
        self.step_after_messages(&exprs, span, |this, values, from| {
            let forget = this.forget_results(values);
            yes.updates.extend(forget.clone());
            if let Some(no) = &mut no {
                no.updates.extend(forget);
            }
            values.checks.extend(checks.checks.iter().cloned());
            this.message(message, values, from, yes, no);
        })
    }

    /// Adds the edges of an operation from a location. `no` is where it leads if it yields false.
    pub(super) fn message(
        &mut self,
        message: &Message,
        values: &Values,
        from: Node,
        yes: Outcome,
        no: Option<Outcome>,
    ) {
        let resolved = self.resolve(message, values, from, Expr::yes());
        self.perform(
            message,
            values,
            from,
            &resolved,
            Expr::yes(),
            yes,
            no.clone(),
        );
        let Some(no) = no else { return };
        let span = message.span;
        let could = resolved.could.clone();
        let only = match message.channel.index {
            None => Some(message.channel.channels[0]),
            Some(_) => None,
        };
        let declined = match message.op {
            MessageOp::NonblockSend => Declined::Send(only),
            _ => Declined::Receive(only),
        };
        let (guard, kind, event) = match message.op {
            MessageOp::TimeoutSend | MessageOp::TimeoutRecv | MessageOp::TimeoutPeek => {
                (resolved.ok, EdgeKind::Timeout, Event::TimedOut(could))
            }
            _ => (
                Expr::and([resolved.ok, could.not()]),
                EdgeKind::Normal,
                Event::Declined(declined),
            ),
        };
        let events = std::iter::once(event).chain(no.events).collect();
        let checks = values.checks.clone();
        let edge = Edge {
            guard,
            kind,
            events,
            checks,
            updates: no.updates,
            ..Edge::new(span)
        };
        self.nodes.connect(from, no.to, edge);
    }

    /// Finds the channels an operation may be on; a failing check of their index leads to *failed* from
    /// `from`, under a guard.
    pub(super) fn resolve(
        &mut self,
        message: &Message,
        values: &Values,
        from: Node,
        guard: Expr,
    ) -> Resolved {
        let mut checks = values.clone();
        checks.checks.clear();
        let channels: Vec<(Expr, ChannelId)> = match &message.channel.index {
            None => vec![(Expr::yes(), message.channel.channels[0])],
            Some(index) => {
                let mut eval = self.eval(&mut checks);
                let index = eval.scalar(index);
                eval.check_index(&index, message.channel.channels.len());
                let is = |k| Expr::binary(Op::Eq, index.clone(), Expr::int(k as i64));
                let all = message.channel.channels.iter().enumerate();
                all.map(|(k, c)| (is(k), *c))
                    .filter(|(is, _)| !is.is_no())
                    .collect()
            }
        };
        let ok = self.fail_unless(from, guard.clone(), &checks.checks, message.span);
        let can = |c| {
            Expr::Leaf(if message.op.is_send() {
                Leaf::CanSend(c)
            } else {
                Leaf::CanReceive(c)
            })
        };
        let there = channels
            .iter()
            .map(|(is, c)| Expr::and([is.clone(), can(*c)]));
        let there = Expr::or(there);
        // Patterns are looked at when a message is there; their checks come before those of the operation.
        let mut patterns = values.clone();
        patterns.checks.clear();
        let mut candidates: Vec<Candidate> = Vec::with_capacity(channels.len());
        for (is, channel) in channels {
            patterns.checks.clear();
            let fits = self.message_fits(message, channel, &self.heads(channel), &mut patterns);
            let some_fits = match self.layout.is_bag(channel) && !fits.is_yes() {
                true => self.some_fits(message, channel, values),
                false => fits.clone(),
            };
            candidates.push(Candidate {
                is,
                channel,
                fits,
                some_fits,
            });
        }
        let checks = std::mem::take(&mut patterns.checks);
        let seen = Expr::and([guard, ok.clone(), there]);
        let sound = self.fail_unless(from, seen, &checks, message.span);
        let could = Expr::or(candidates.iter().map(|candidate| {
            let fits = Expr::or([sound.clone().not(), candidate.some_fits.clone()]);
            Expr::and([candidate.is.clone(), can(candidate.channel), fits])
        }));
        for candidate in &mut candidates {
            candidate.fits = Expr::and([sound.clone(), candidate.fits.clone()]);
        }
        Resolved {
            channels: candidates,
            could: Expr::and([ok.clone(), could]),
            ok,
        }
    }

    /// Whether some message in a bag fits the patterns of a receive.
    fn some_fits(&self, message: &Message, channel: ChannelId, values: &Values) -> Expr {
        let width = self.layout.message(channel).len() as u32;
        let of_slot = |k: u32| {
            let scalars: Vec<Expr> = (0..width)
                .map(|i| Expr::Leaf(Leaf::Stored(channel, k, i)))
                .collect();
            let there = Expr::Leaf(Leaf::HoldsMore(channel, k));
            let fits = self.message_fits(message, channel, &scalars, &mut values.clone());
            Expr::and([there, fits])
        };
        let capacity = self.layout.capacity(channel).unwrap_or(0);
        Expr::or((0..capacity).map(of_slot))
    }

    /// Whether a message, given by its scalars, fits the patterns of a receive.
    fn message_fits(
        &self,
        message: &Message,
        channel: ChannelId,
        scalars: &[Expr],
        values: &mut Values,
    ) -> Expr {
        let fields = &self.program.channels[channel.0 as usize].fields;
        let mut rest = scalars;
        let mut parts = Vec::new();
        for (pattern, field) in message.targets.iter().zip(fields) {
            let (scalars, others) = rest.split_at(super::layout::width(field));
            parts.push(self.fits(pattern, field, scalars, values));
            rest = others;
        }
        Expr::and(parts)
    }

    /// The scalars of the message at the head of a channel.
    fn heads(&self, channel: ChannelId) -> Vec<Expr> {
        let count = self.layout.message(channel).len() as u32;
        let head = |i| Expr::Leaf(Leaf::Head(channel, i));
        (0..count).map(head).collect()
    }

    /// Adds the edges on which an operation goes.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn perform(
        &mut self,
        message: &Message,
        values: &Values,
        from: Node,
        resolved: &Resolved,
        guard: Expr,
        yes: Outcome,
        no: Option<Outcome>,
    ) {
        for candidate in &resolved.channels {
            let Candidate {
                is, channel, fits, ..
            } = candidate;
            let guard = Expr::and([resolved.ok.clone(), is.clone(), guard.clone(), fits.clone()]);
            if message.op.is_send() {
                self.send(message, *channel, values, from, guard, &yes, no.as_ref());
            } else {
                self.receive(message, *channel, values, from, guard, &yes);
            }
        }
    }

    fn receive(
        &mut self,
        message: &Message,
        channel: ChannelId,
        values: &Values,
        from: Node,
        guard: Expr,
        yes: &Outcome,
    ) {
        let mut values = values.clone();
        let all = self.heads(channel);
        let fields = &self.program.channels[channel.0 as usize].fields;
        let mut targets: Vec<(&Place, Vec<Expr>)> = Vec::new();
        let mut rest = all.as_slice();
        for (pattern, field) in message.targets.iter().zip(fields) {
            let (scalars, others) = rest.split_at(super::layout::width(field));
            stores(pattern, field, scalars, &mut targets);
            rest = others;
        }
        // All indices are evaluated before the first field is stored.
        let indices: Vec<Vec<Expr>> = targets
            .iter()
            .map(|(place, _)| self.indices(place, &mut values))
            .collect();
        let mut updates: Vec<(VarId, Expr)> = Vec::new();
        for ((place, scalars), indices) in targets.into_iter().zip(indices) {
            let stored = self.store_at(place, &indices, scalars, &mut values);
            merge_updates(&mut updates, stored);
        }
        merge_updates(&mut updates, yes.updates.clone());
        let event = if message.op.is_peek() {
            Event::Peeked
        } else {
            Event::Received
        };
        let events = std::iter::once(event(channel, all))
            .chain(yes.events.clone())
            .collect();
        let edge = Edge {
            guard,
            updates,
            events,
            checks: values.checks,
            ..Edge::new(message.span)
        };
        self.nodes.connect(from, yes.to, edge);
    }

    #[allow(clippy::too_many_arguments)]
    fn send(
        &mut self,
        message: &Message,
        channel: ChannelId,
        values: &Values,
        from: Node,
        guard: Expr,
        yes: &Outcome,
        no: Option<&Outcome>,
    ) {
        let span = message.span;
        let mut values = values.clone();
        let mut eval = self.eval(&mut values);
        // All arguments are evaluated before the first is stored.
        let scalars: Vec<Expr> = message
            .values
            .iter()
            .flat_map(|value| eval.flat(value))
            .collect();
        for (scalar, domain) in scalars.iter().zip(self.layout.message(channel)) {
            eval.check_store(scalar, *domain);
        }
        let checks = values.checks;
        if self.layout.capacity(channel).is_some() {
            // What overflows always has room: it loses what does not fit.
            let checked = self.must_find_room && !self.layout.overflows(channel);
            let mut checks = checks;
            if checked {
                checks.push((Check::Room, Expr::Leaf(Leaf::CanSend(channel))));
            }
            let events = std::iter::once(Event::Sent(channel, scalars))
                .chain(yes.events.clone())
                .collect();
            let updates = yes.updates.clone();
            self.nodes.connect(
                from,
                yes.to,
                Edge {
                    guard,
                    updates,
                    checks,
                    events,
                    checked,
                    ..Edge::new(span)
                },
            );
            return;
        }
        let offered = self.nodes.add_offered(span);
        // The node's number stands for the location until the graph is finished.
        let to = petgraph::graph::NodeIndex::new(yes.to.0);
        let exit = Some(Exit {
            to,
            updates: yes.updates.clone(),
        });
        let events = vec![Event::Offered(channel, scalars)];
        self.nodes.connect(
            from,
            offered,
            Edge {
                guard,
                checks,
                events,
                exit,
                ..Edge::new(span)
            },
        );
        let events = std::iter::once(Event::Completed(channel))
            .chain(yes.events.clone())
            .collect();
        let updates = yes.updates.clone();
        self.nodes.connect(
            offered,
            yes.to,
            Edge {
                updates,
                events,
                ..Edge::new(span)
            },
        );
        if let Some(no) = no {
            let events = [Event::Withdrew(channel), Event::TimedOut(Expr::no())];
            let events = events.into_iter().chain(no.events.clone()).collect();
            let (kind, updates) = (EdgeKind::Timeout, no.updates.clone());
            self.nodes.connect(
                offered,
                no.to,
                Edge {
                    kind,
                    updates,
                    events,
                    ..Edge::new(span)
                },
            );
        }
    }

    /// A location where a statement begins.
    pub(super) fn begin(&mut self, span: Span) -> Node {
        self.nodes.add(LocationKind::Statement, span)
    }
}
