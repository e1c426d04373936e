//! Channel operations: fields, targets, and which operations suit which channels.

mod allowed;
mod channel;
mod target;

use super::expr::{Context, Expressions, show_range};
use super::lint::uses::Question;
use super::pattern::PatternContext;
use crate::program::problem::{Lint, ProcessProblem};
use crate::program::{
    ChannelRef, Expr, ExprKind, Message, Pattern, Place, Step, Type, Value, VariableId,
};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::syntax::print;
use crate::vocabulary::MessageOp;

impl<'a> Expressions<'_, 'a> {
    /// A messaging expression.
    pub fn message_expression(&mut self, message: &'a ast::Message) -> Option<Expr> {
        if !message.op.is_expression() {
            self.log.report(ProcessProblem::NoResult {
                op: message.op.as_str(),
                span: message.span,
                meant: None,
            });
            return None;
        }
        if !self.message_allowed(message) {
            return None;
        }
        let checked = self.message(message)?;
        Some(Expr {
            span: checked.span,
            kind: ExprKind::Message(Box::new(checked)),
            ty: Type::Bool,
        })
    }

    /// `x = recv(c)`, as functions of other languages are used: reports it with what was meant.
    pub fn received_value(&mut self, target: &str, value: &ast::Expr) -> bool {
        let Ast::Message(message) = &value.kind else {
            return false;
        };
        let receives = matches!(message.op, MessageOp::Recv | MessageOp::Peek);
        if !receives || message.args.len() != 1 {
            return false;
        }
        let mut meant = print::message(message);
        meant.truncate(meant.len() - 1);
        self.log.report(ProcessProblem::NoResult {
            op: message.op.as_str(),
            span: message.span,
            meant: Some(format!("{meant}, {target})")),
        });
        true
    }

    /// A channel operation with its arguments.
    pub fn message(&mut self, message: &'a ast::Message) -> Option<Message> {
        let outer = self.enter(Context {
            comparing: false,
            ..self.context
        });
        let checked = self.operation(message);
        self.context = outer;
        checked
    }

    fn operation(&mut self, message: &'a ast::Message) -> Option<Message> {
        let Some((channel, arguments)) = message.args.split_first() else {
            self.log.report(ProcessProblem::NoChannel {
                op: message.op.as_str(),
                span: message.span,
            });
            return None;
        };
        let channel = self.channel(channel);
        let fields: Option<Vec<Type>> = channel.as_ref().map(|channel| {
            self.made.channels[channel.channels[0].0 as usize]
                .fields
                .clone()
        });
        let counted = fields.as_ref().is_none_or(|fields| {
            if fields.len() == arguments.len() {
                return true;
            }
            let declared = self.declared(channel.as_ref());
            let names = channel.as_ref().map(|channel| {
                let id = channel.channels[0];
                self.made.channels[id.0 as usize].field_names.clone()
            });
            self.log.report(ProcessProblem::FieldCount {
                op: message.op.as_str(),
                wanted: fields.len(),
                found: arguments.len(),
                names: names.unwrap_or_default(),
                span: message.span,
                declared,
            });
            false
        });
        let fields = fields.filter(|_| counted);
        let result = if message.op.is_send() {
            self.values(channel.as_ref(), fields.as_deref(), arguments)
                .map(|values| (values, Vec::new()))
        } else {
            self.targets(channel.as_ref(), fields.as_deref(), arguments)
                .map(|targets| (Vec::new(), targets))
        };
        let channel = channel?;
        if counted && message.op == MessageOp::NonblockSend {
            self.needs_buffer(&channel, "nonblock_send");
        }
        for id in &channel.channels {
            let set = if message.op.is_send() {
                &mut self.log.uses.sent
            } else {
                &mut self.log.uses.received
            };
            if !self.log.sampling {
                set.insert(*id);
            }
        }
        let (values, targets) = result?;
        Some(Message {
            op: message.op,
            channel,
            values,
            targets,
            span: message.span,
        })
    }

    fn declared(&self, channel: Option<&ChannelRef>) -> Span {
        let id = channel.expect("fields are those of a channel").channels[0];
        self.made.channels[id.0 as usize].span
    }

    /// Complains if a channel, or an element of an array of them, has no buffer.
    pub fn needs_buffer(&mut self, channel: &ChannelRef, what: &'static str) -> bool {
        let lacking = channel
            .channels
            .iter()
            .map(|id| &self.made.channels[id.0 as usize])
            .find(|channel| channel.capacity.is_none());
        if let Some(lacking) = lacking {
            let problem = ProcessProblem::NeedsBuffer {
                what,
                span: channel.span,
                declared: lacking.span,
                channel: lacking.name.clone(),
            };
            self.log.report(problem);
            return false;
        }
        true
    }

    fn values(
        &mut self,
        channel: Option<&ChannelRef>,
        fields: Option<&[Type]>,
        arguments: &'a [ast::Expr],
    ) -> Option<Vec<Expr>> {
        let mut values = Vec::with_capacity(arguments.len());
        let mut sound = true;
        for (i, argument) in arguments.iter().enumerate() {
            let value = match fields {
                None => {
                    self.expr(argument, None);
                    None
                }
                Some(fields) => {
                    let because = (self.declared(channel), "channel declared here".to_owned());
                    let value = self.expr_of(argument, &fields[i], Some(because));
                    if let Some(value) = &value {
                        self.note_store(&fields[i], &value.ty, argument.span, "the field");
                        self.note_sent(channel, value);
                    }
                    value
                }
            };
            match value {
                Some(value) => values.push(value),
                None => sound = false,
            }
        }
        sound.then_some(values)
    }

    fn note_sent(&mut self, channel: Option<&ChannelRef>, value: &Expr) {
        if let (Some(channel), ExprKind::Const(Value::Data(data, index)), false) =
            (channel, &value.kind, self.log.sampling)
        {
            for id in &channel.channels {
                self.log
                    .uses
                    .sent_constructors
                    .entry((*id, *data, *index))
                    .or_insert(value.span);
            }
        }
    }

    fn targets(
        &mut self,
        channel: Option<&ChannelRef>,
        fields: Option<&[Type]>,
        arguments: &'a [ast::Expr],
    ) -> Option<Vec<Pattern>> {
        let Some(fields) = fields else {
            for argument in arguments {
                if !matches!(argument.kind, Ast::Any(_) | Ast::EqualTo(_) | Ast::Call(..)) {
                    self.unplaced(argument);
                }
            }
            return None;
        };
        let declared = self.declared(channel);
        let context = PatternContext {
            targets: true,
            expressions: true,
            because: Some((declared, "channel declared here".to_owned())),
        };
        let patterns: Vec<Option<Pattern>> = arguments
            .iter()
            .zip(fields)
            .map(|(argument, field)| self.pattern(argument, field, &context))
            .collect();
        let patterns: Vec<Pattern> = patterns.into_iter().collect::<Option<_>>()?;
        self.distinct_targets(&patterns).then_some(patterns)
    }

    /// A target of an operation whose channel is faulty: it is looked at all the same.
    fn unplaced(&mut self, argument: &'a ast::Expr) {
        let named = matches!(&argument.kind, Ast::Name(name)
            if name == "_" || self.decls.constructors.contains_key(name.as_str()));
        if !named
            && matches!(
                argument.kind,
                Ast::Name(_) | Ast::Index(..) | Ast::Field(..)
            )
        {
            let outer = self.enter(self.context.without_messages("a target"));
            self.target(argument);
            self.context = outer;
        }
    }

    /// Reports a variable that one step would write twice.
    pub fn target_twice(&mut self, variable: VariableId, span: Span, first: Span) {
        let name = &self.variables.get(variable).name;
        let name = name.split('#').next().unwrap_or(name).to_owned();
        self.log
            .report(ProcessProblem::TargetTwice { name, span, first });
    }

    /// Notes whether a store can succeed at all.
    pub fn note_store(&mut self, target: &Type, value: &Type, span: Span, what: &str) {
        let (Some(target), Some(value)) = (target.range(), value.range()) else {
            return;
        };
        let failure = target.meet(value).is_none().then(|| {
            Lint::AlwaysFails {
                why: format!(
                    "{} is outside the range {}..{} of {what}",
                    show_range(value),
                    target.lo,
                    target.hi
                ),
                span,
            }
            .into()
        });
        self.log.agree(span, Question::Failure, failure);
    }
}

/// Whether two targets of one step are the same variable. Two elements of one array may be: the later
/// field wins.
pub fn overlaps(a: &Place, b: &Place) -> bool {
    let mut steps = a.path.iter().zip(&b.path);
    let apart = steps.any(|pair| match pair {
        (Step::Index(_), _) | (_, Step::Index(_)) => true,
        (Step::Field(one), Step::Field(other)) => one != other,
    });
    a.variable == b.variable && !apart
}
