//! Events: `sent(ch)`, `p.received(ch, pattern..)`, `crashed_now(p)`.

use crate::program::elaborate::expr::{Context, Expressions, Site};
use crate::program::elaborate::init::Entity;
use crate::program::elaborate::pattern::PatternContext;
use crate::program::problem::{EntryProblem, PropertyProblem};
use crate::program::{EventId, Expr, ExprKind, Happening, Pattern, Transfer, Type, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{ChannelId, ProcessId, SpecKind};

/// Whether a word is the name of an event.
pub fn is_event(word: &str) -> bool {
    EVENTS.contains(&word)
}

/// The names of the events.
pub const EVENTS: [&str; 3] = ["sent", "received", "crashed_now"];

impl<'a> Expressions<'_, 'a> {
    /// Whether the last step was an event.
    pub fn event(
        &mut self,
        span: Span,
        by: Option<&'a ast::Expr>,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        if !matches!(self.context.site, Site::Spec(_)) {
            let text = format!("`{}` is for specifications and timing", name.text);
            self.log.misplaced(text, span, None);
            return None;
        }
        let event = self.event_of(span, by, name, arguments)?;
        let id = EventId(self.log.events);
        self.log.events += 1;
        Some(Expr {
            kind: ExprKind::Event(id, Box::new(event)),
            ty: Type::Bool,
            span,
        })
    }

    /// What a step can do; `by` is what stands before the point in `p.sent(..)`.
    pub fn event_of(
        &mut self,
        span: Span,
        by: Option<&'a ast::Expr>,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Happening> {
        if name.text == "crashed_now" {
            return match (by, arguments) {
                (None, [process]) => self.event_processes(process).map(Happening::Crashed),
                _ => self.malformed(span, "crashed_now(p)"),
            };
        }
        let by = match by {
            Some(by) => Some(self.event_processes(by)?),
            None => None,
        };
        let Some((channel, patterns)) = arguments.split_first() else {
            return self.malformed(span, &format!("{}(ch)", name.text));
        };
        let channels = self.event_channels(channel, name)?;
        let patterns = self.event_patterns(span, &channels, patterns)?;
        let passing = Transfer {
            by,
            channels,
            patterns,
        };
        Some(match name.text.as_str() {
            "sent" => Happening::Sent(passing),
            _ => Happening::Received(passing),
        })
    }

    fn malformed<T>(&mut self, span: Span, form: &str) -> Option<T> {
        let form = form.to_owned();
        self.log.report(PropertyProblem::EventForm { form, span });
        None
    }

    /// A process, or all of an array.
    fn event_processes(&mut self, expr: &'a ast::Expr) -> Option<Vec<ProcessId>> {
        match self.entity(expr, "process")? {
            Entity::Process(id) => Some(vec![id]),
            Entity::Processes(all) => Some(all.to_vec()),
            other => {
                let text = format!("this is about a process, not {}", other.what());
                self.log.misplaced(text, expr.span, None);
                None
            }
        }
    }

    /// A channel, or all of an array.
    fn event_channels(
        &mut self,
        expr: &'a ast::Expr,
        name: &'a ast::Name,
    ) -> Option<Vec<ChannelId>> {
        match self.entity(expr, "channel")? {
            Entity::Channel(id) => Some(vec![id]),
            Entity::Channels(all) => Some(all.to_vec()),
            other => {
                let text = format!("`{}` asks about a channel, not {}", name.text, other.what());
                self.log.misplaced(text, expr.span, None);
                None
            }
        }
    }

    /// What the fields of a message must be.
    fn event_patterns(
        &mut self,
        span: Span,
        channels: &[ChannelId],
        patterns: &'a [ast::Expr],
    ) -> Option<Vec<Pattern>> {
        self.log.uses.asked.extend(channels.iter().copied());
        let Some(first) = channels.first().filter(|_| !patterns.is_empty()) else {
            return Some(Vec::new());
        };
        let channel = &self.made.channels[first.0 as usize];
        let (fields, declared) = (channel.fields.clone(), channel.span);
        if patterns.len() != fields.len() {
            self.log.report(EntryProblem::EventFields {
                wanted: fields.len(),
                found: patterns.len(),
                span,
            });
            return None;
        }
        let kind = match self.context.site {
            Site::Spec(kind) => kind,
            _ => SpecKind::Invariant,
        };
        let context = PatternContext {
            targets: false,
            expressions: true,
            because: Some((declared, "the channel is declared here".to_owned())),
        };
        let outer = self.enter(Context::new(Site::Spec(kind)).timeless());
        let patterns: Vec<Option<Pattern>> = (patterns.iter().zip(&fields))
            .map(|(pattern, ty)| self.pattern(pattern, ty, &context))
            .collect();
        self.context = outer;
        let patterns: Vec<Pattern> = patterns.into_iter().collect::<Option<_>>()?;
        // Whether it is ever sent is what is asked: a constructor that nobody sends is none too many.
        for value in patterns.iter().flat_map(Pattern::values) {
            if let Some(Value::Data(data, index)) = value.as_const() {
                self.log.uses.produced.insert((*data, *index));
            }
        }
        let values = patterns.iter().flat_map(Pattern::values);
        let after_step = |e: &Expr| self.reads_after_step(e);
        let faulty = values.into_iter().find_map(after_step);
        self.report_beside(faulty)?;
        Some(patterns)
    }

    /// What an expression reads that cannot be known while the step is taken, if anything.
    fn reads_after_step(&self, expr: &Expr) -> Option<(&'static str, Span)> {
        let mut found = None;
        expr.visit(&mut |e| match &e.kind {
            ExprKind::Waiting(_) => found = Some(("waiting", e.span)),
            ExprKind::Event(..) => found = Some(("an event", e.span)),
            ExprKind::Knows(_) => found = Some(("knowledge", e.span)),
            _ => {}
        });
        found
    }

    fn report_beside(&mut self, found: Option<(&'static str, Span)>) -> Option<()> {
        let Some((what, span)) = found else {
            return Some(());
        };
        self.log.report(PropertyProblem::BesideEvent { what, span });
        None
    }

    /// A line of a sequence: what it reads beside an event must be known while the step is taken.
    pub fn sequence_line(&mut self, line: &Expr) -> Option<()> {
        let (mut event, mut waiting, mut knows) = (false, None, None);
        line.visit(&mut |e| match &e.kind {
            ExprKind::Event(..) => event = true,
            ExprKind::Waiting(_) => waiting = Some(("waiting", e.span)),
            ExprKind::Knows(_) => knows = Some(("knowledge", e.span)),
            _ => {}
        });
        self.report_beside(knows.or(waiting.filter(|_| event)))
    }
}
