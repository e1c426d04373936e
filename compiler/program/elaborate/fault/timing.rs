//! When faults begin and end, and what specifications ask about them. All faults have their names by now.

use super::argument::word;
use super::fault_targets;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::spec::is_event;
use crate::program::problem::EntryProblem;
use crate::program::{Expr, ExprKind, FaultAspect, Happening, Moment, Timing, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::FaultId;

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

    /// What a step can do: `p@label`, `injected(f)`, or an event of specifications.
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
                "injected" => match arguments.as_slice() {
                    [fault] => self.faults_of(fault).map(Happening::Injected),
                    _ => self.no_event(expr.span),
                },
                word if is_event(word) => self.event_of(expr.span, None, name, arguments),
                _ => self.no_event(expr.span),
            },
            Ast::CallOf(base, name, arguments) if is_event(&name.text) => {
                self.event_of(expr.span, Some(base), name, arguments)
            }
            _ => self.no_event(expr.span),
        }
    }

    fn no_event<T>(&mut self, span: Span) -> Option<T> {
        self.log.report(EntryProblem::NoEvent { span });
        None
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
