//! Where a process is, and what is in a buffer.

use crate::program::elaborate::expr::{Expressions, Site};
use crate::program::elaborate::init::Entity;
use crate::program::problem::{NameProblem, PropertyProblem, TypeProblem};
use crate::program::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{LabelId, ProcessId};

impl<'a> Expressions<'_, 'a> {
    /// `p@label`
    pub fn at(&mut self, span: Span, base: &'a ast::Expr, label: &'a ast::Name) -> Option<Expr> {
        if !matches!(self.context.site, Site::Spec(_)) {
            self.log
                .misplaced("`p@label` is for specifications", span, None);
            return None;
        }
        let process = self.process_of(base, "labels")?;
        self.label_of(process, &label.text, span, label)
    }

    /// A place of a process by the name of its label, `L` or `quorum.L`.
    pub fn label_of(
        &mut self,
        process: ProcessId,
        wanted: &str,
        span: Span,
        label: &ast::Name,
    ) -> Option<Expr> {
        let outline = &self.made.instances[process.0 as usize].proc.outline;
        let known = self.variables.labels(process);
        match known.iter().position(|label| label.name == wanted) {
            Some(id) => Some(Expr {
                kind: ExprKind::At(process, LabelId(id as u32)),
                ty: Type::Bool,
                span,
            }),
            None => {
                let names = known.iter().map(|label| label.name.as_str());
                let suggestion = self.log.near(wanted, names);
                let problem = NameProblem::UnknownLabel {
                    name: wanted.to_owned(),
                    owner: self.made.processes[process.0 as usize].name.clone(),
                    span: label.span,
                    suggestion,
                };
                let lost = outline.lost;
                self.log.report_unknown(lost, problem);
                None
            }
        }
    }

    /// `len(ch)`, `full(ch)`, `empty(ch)`
    pub fn buffer_state(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        let [argument] = arguments else {
            self.log
                .misplaced(format!("`{}` takes one channel", name.text), span, None);
            return None;
        };
        let id = match self.entity(argument, "channel")? {
            Entity::Channel(id) => id,
            other => {
                self.log.report(TypeProblem::Mismatch {
                    wanted: "a channel".into(),
                    found: other.what().into(),
                    span: argument.span,
                    because: None,
                    hint: match other {
                        Entity::Channels(_) => {
                            Some("name one of its elements, as in `c[0]`".into())
                        }
                        _ => None,
                    },
                });
                return None;
            }
        };
        self.log.uses.asked.insert(id);
        let channel = &self.made.channels[id.0 as usize];
        let Some(capacity) = channel.capacity else {
            let problem = PropertyProblem::NoBuffer {
                function: match name.text.as_str() {
                    "len" => "len",
                    "full" => "full",
                    _ => "empty",
                },
                channel: channel.name.clone(),
                span: argument.span,
                declared: channel.span,
            };
            self.log.report(problem);
            return None;
        };
        let (kind, ty) = match name.text.as_str() {
            "len" => (
                ExprKind::Len(id),
                Type::Int {
                    lo: 0,
                    hi: i64::from(capacity),
                },
            ),
            "full" => (ExprKind::Full(id), Type::Bool),
            _ => (ExprKind::Empty(id), Type::Bool),
        };
        Some(Expr { kind, ty, span })
    }
}
