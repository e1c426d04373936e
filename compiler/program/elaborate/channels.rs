//! Which channel an operation of a process is on.

use std::rc::Rc;

use super::Checker;
use super::expressions::unparenthesised;
use super::scope::{Binding, Scope};
use crate::program::ChannelRef;
use crate::program::problem::{NameProblem, TypeProblem};
use crate::program::range::Interval;
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::ExprKind;
use crate::vocabulary::ChannelId;

impl<'a> Checker<'a> {
    /// The first argument of a channel operation.
    pub fn channel(&mut self, scope: &mut Scope<'a>, expr: &'a ast::Expr) -> Option<ChannelRef> {
        let expr = unparenthesised(expr);
        match &expr.kind {
            ExprKind::Name(name) => {
                let (binding, declared) = self.channel_name(scope, name, expr.span)?;
                match binding {
                    Binding::Channel(id) => Some(ChannelRef {
                        channels: vec![id],
                        index: None,
                        span: expr.span,
                    }),
                    Binding::Channels(_) => {
                        self.report(NameProblem::WrongKind {
                            name: name.clone(),
                            span: expr.span,
                            found: "an array of channels",
                            wanted: "a channel",
                            declared: Some(declared),
                            hint: Some(format!(
                                "choose an element, as in `{name}[0]`, or loop: `for ch in {name}`"
                            )),
                        });
                        None
                    }
                    _ => None,
                }
            }
            ExprKind::Index(base, written) => {
                let index = self.integer(scope, written, "an integer index");
                let all = self.channel_array(scope, base)?;
                let index = index?;
                let bounds = Interval {
                    lo: 0,
                    hi: all.len() as i64 - 1,
                };
                self.check_index(scope, index.ty.range()?, bounds, written)?;
                let at = index.as_int().and_then(|at| usize::try_from(at).ok());
                if let Some(id) = at.and_then(|at| all.get(at)) {
                    return Some(ChannelRef {
                        channels: vec![*id],
                        index: None,
                        span: expr.span,
                    });
                }
                self.charge(scope, all.len() as u64, expr.span)?;
                Some(ChannelRef {
                    channels: all.to_vec(),
                    index: Some(index),
                    span: expr.span,
                })
            }
            ExprKind::Error => {
                self.incomplete = true;
                None
            }
            _ => {
                self.misplaced(
                    "only a channel can stand here",
                    expr.span,
                    Some("name a parameter, or an element of an array of channels"),
                );
                None
            }
        }
    }

    /// An array of channels.
    pub fn channel_array(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
    ) -> Option<Rc<[ChannelId]>> {
        let expr = unparenthesised(expr);
        let ExprKind::Name(name) = &expr.kind else {
            self.misplaced(
                "only an array of channels can stand here",
                expr.span,
                Some("name a parameter of type `[]channel ..`"),
            );
            return None;
        };
        match self.channel_name(scope, name, expr.span)?.0 {
            Binding::Channels(all) => Some(all),
            _ => {
                self.report(TypeProblem::NotArray {
                    found: "a channel".into(),
                    span: expr.span,
                });
                None
            }
        }
    }

    fn channel_name(
        &mut self,
        scope: &Scope<'a>,
        name: &str,
        span: Span,
    ) -> Option<(Binding, Span)> {
        if let Some(local) = self.lookup(scope, name) {
            let found = match local.binding {
                Binding::Channel(_) | Binding::Channels(_) => {
                    return Some((local.binding, local.span));
                }
                Binding::Broken => return None,
                Binding::Process(_) => "a process",
                Binding::Variable(_) => "a variable",
                _ => "a value",
            };
            self.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found,
                wanted: "a channel",
                declared: Some(local.span),
                hint: None,
            });
            return None;
        }
        let entry = self.frames[scope.frame.0]
            .entries
            .get(name)
            .or_else(|| self.frames[0].entries.get(name));
        if let Some(entry) = entry {
            let declared = entry.span;
            self.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found: "an entry of `init`",
                wanted: "a channel of this proc",
                declared: Some(declared),
                hint: Some("make it a parameter and pass it as an argument".into()),
            });
            return None;
        }
        let candidates: Vec<&str> = scope
            .locals()
            .chain(
                self.frames[scope.frame.0]
                    .parameters
                    .iter()
                    .map(|(name, local)| (*name, local)),
            )
            .filter(|(_, local)| {
                matches!(local.binding, Binding::Channel(_) | Binding::Channels(_))
            })
            .map(|(name, _)| name)
            .collect();
        let suggestion = self.near(name, candidates);
        let problem = NameProblem::Unknown {
            name: name.to_owned(),
            span,
            suggestion,
            what: "channel",
        };
        self.report_unknown(self.lost.declarations || self.lost.statements, problem);
        None
    }
}
