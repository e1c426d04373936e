//! When faults begin and end, and what specifications ask about them. All faults have their names by now.

use super::argument::word;
use super::fault_targets;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::init::Entity;
use crate::program::problem::EntryProblem;
use crate::program::{Expr, ExprKind, FaultAspect, FieldPattern, Happening, Moment, Timing, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::{ChannelId, FaultId};

impl<'a> Expressions<'_, 'a> {
    /// What the arguments of a marker say about time.
    pub fn marker_timing(&mut self, marker: &'a ast::Marker, lasting: bool) -> Option<Timing> {
        // What lasts for some time by itself does so for good if it is told to be permanent.
        let permanent = marker.args.iter().any(|arg| word(arg) == Some("permanent"));
        let mut timing = Timing {
            always: lasting,
            from: lasting.then_some(Moment::Any),
            until: (lasting && !permanent).then_some(Moment::Any),
            transient: false,
        };
        for arg in &marker.args {
            match (word(arg).unwrap_or_default(), &arg.name) {
                ("always", None) => timing.always = true,
                ("permanent", None) => {
                    timing.always = true;
                    timing.from = Some(Moment::Any);
                }
                ("transient", None) => {
                    timing.transient = true;
                    timing.until = None;
                }
                ("from", Some(_)) => timing.from = Some(self.moment(&arg.value)?),
                ("until", Some(_)) => timing.until = Some(self.moment(&arg.value)?),
                _ => {}
            }
        }
        Some(timing)
    }

    fn moment(&mut self, expr: &'a ast::Expr) -> Option<Moment> {
        match &unparenthesised(expr).kind {
            Ast::Any(ast::AnySet::All) => Some(Moment::Any),
            _ => self.happening(expr).map(Moment::After),
        }
    }

    /// What a step can do: `p@label`, `sent(ch, ..)`, `received(ch, ..)`, `injected(f)`.
    pub fn happening(&mut self, expr: &'a ast::Expr) -> Option<Happening> {
        match &unparenthesised(expr).kind {
            Ast::At(base, label) => {
                let process = self.process_of(base, "labels")?;
                let outline = &self.made.instances[process.0 as usize].proc.outline;
                if let Some(id) = outline.label_ids.get(label.text.as_str()) {
                    return Some(Happening::Reached(process, *id));
                }
                let known = outline.label_ids.keys().copied();
                let problem = crate::program::problem::NameProblem::UnknownLabel {
                    name: label.text.clone(),
                    owner: self.made.processes[process.0 as usize].name.clone(),
                    span: label.span,
                    suggestion: self.log.near(&label.text, known),
                };
                let lost = outline.lost;
                self.log.report_unknown(lost, problem);
                None
            }
            Ast::Call(name, arguments) => match name.text.as_str() {
                "sent" | "received" => {
                    let (channels, patterns) = self.message_event(expr.span, name, arguments)?;
                    Some(match name.text.as_str() {
                        "sent" => Happening::Sent(channels, patterns),
                        _ => Happening::Received(channels, patterns),
                    })
                }
                "injected" => match arguments.as_slice() {
                    [fault] => self.faults_of(fault).map(Happening::Injected),
                    _ => self.no_event(expr.span),
                },
                _ => self.no_event(expr.span),
            },
            _ => self.no_event(expr.span),
        }
    }

    fn no_event<T>(&mut self, span: Span) -> Option<T> {
        self.log.report(EntryProblem::NoEvent { span });
        None
    }

    /// The channels and patterns of `sent(ch, pattern..)`.
    fn message_event(
        &mut self,
        span: Span,
        name: &ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<(Vec<ChannelId>, Vec<FieldPattern>)> {
        let Some((channel, patterns)) = arguments.split_first() else {
            return self.no_event(span);
        };
        let entity = self.entity(channel, "channel")?;
        let channels: Vec<ChannelId> = match entity {
            Entity::Channel(id) => vec![id],
            Entity::Channels(all) => all.to_vec(),
            other => {
                let text = format!("`{}` asks about a channel, not {}", name.text, other.what());
                self.log.misplaced(text, channel.span, None);
                return None;
            }
        };
        let fields = match channels.first() {
            Some(first) => self.made.channels[first.0 as usize].fields.clone(),
            None => Vec::new(),
        };
        if patterns.is_empty() {
            return Some((channels, Vec::new()));
        }
        if patterns.len() != fields.len() {
            self.log.report(EntryProblem::EventFields {
                wanted: fields.len(),
                found: patterns.len(),
                span,
            });
            return None;
        }
        let patterns: Option<Vec<FieldPattern>> = (patterns.iter().zip(&fields))
            .map(|(pattern, ty)| self.field_pattern(pattern, ty))
            .collect();
        Some((channels, patterns?))
    }

    fn field_pattern(&mut self, pattern: &'a ast::Expr, ty: &Type) -> Option<FieldPattern> {
        let because = (pattern.span, "the field that is asked about".to_owned());
        let plain = matches!(ty, Type::Bool | Type::Int { .. } | Type::Data(_));
        match &unparenthesised(pattern).kind {
            Ast::Name(name) if name == "_" => Some(FieldPattern::default()),
            // Every scalar of a message that has more than one to a field would have to be told from its neighbours.
            _ if !plain => self.no_event(pattern.span),
            Ast::Any(ast::AnySet::All) => Some(FieldPattern::default()),
            Ast::Any(set) => {
                let values = self.free_values(set, ty, because, pattern.span)?;
                Some(FieldPattern(values))
            }
            _ => {
                let value = self.constant_of_type(pattern, ty, because)?;
                Some(FieldPattern(vec![value]))
            }
        }
    }

    /// `injected(f)` and the like.
    pub fn of_fault(
        &mut self,
        span: Span,
        aspect: FaultAspect,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        let faults = match (aspect, arguments) {
            (FaultAspect::Injected, []) => {
                let all = 0..self.made.faults.len() as u32;
                all.map(FaultId).collect()
            }
            (_, [fault]) => self.faults_of(fault)?,
            _ => {
                let text = format!("`{}` takes one fault", aspect.as_str());
                self.log.misplaced(text, span, None);
                return None;
            }
        };
        Some(Expr {
            kind: ExprKind::OfFault(aspect, faults),
            ty: Type::Bool,
            span,
        })
    }

    /// The faults that `lost`, `lost[1]`, `m.lost`, `p@drop` or `p@stuck(x)` names.
    pub fn faults_of(&mut self, expr: &'a ast::Expr) -> Option<Vec<FaultId>> {
        let (base, marker, args) = match &unparenthesised(expr).kind {
            Ast::At(base, marker) => (base, marker, &[][..]),
            Ast::Marked(base, marker, args) => (base, marker, args.as_slice()),
            _ => return self.named_faults(expr),
        };
        let entity = self.entity(base, "process or channel")?;
        let targets = fault_targets(&entity).unwrap_or_default();
        let named = |name: &str| self.decls.faults.iter().find(|kind| kind.is_called(name));
        let kind = named(&marker.text);
        let shown: Vec<String> = args.iter().map(crate::syntax::print::expr).collect();
        let all = self.made.faults.iter().zip(0..);
        let found: Vec<FaultId> = all
            .filter(|(fault, _)| {
                Some(&fault.kind) == kind
                    && fault.targets.iter().any(|t| targets.contains(t))
                    && fault.takes_also(&shown)
            })
            .map(|(_, id)| FaultId(id))
            .collect();
        if found.is_empty() {
            let name = crate::syntax::print::expr(expr);
            let known: Vec<&str> = self.made.faults.iter().map(|f| f.name.as_str()).collect();
            self.log.report(EntryProblem::UnknownFault {
                suggestion: self.log.near(&name, known),
                name,
                span: expr.span,
            });
            return None;
        }
        Some(found)
    }
}
