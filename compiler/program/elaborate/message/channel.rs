//! Which channel an operation of a process is on.

use std::rc::Rc;

use crate::program::ChannelRef;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::scope::Binding;
use crate::program::problem::{NameProblem, TypeProblem};
use crate::program::range::Interval;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};
use crate::vocabulary::ChannelId;

impl<'a> Expressions<'_, 'a> {
    /// The first argument of a channel operation.
    pub fn channel(&mut self, expr: &'a ast::Expr) -> Option<ChannelRef> {
        let expr = unparenthesised(expr);
        match &expr.kind {
            ExprKind::Name(name) => {
                let (binding, declared) = self.channel_name(name, expr.span)?;
                match binding {
                    Binding::Channel(id) => Some(ChannelRef {
                        channels: vec![id],
                        index: None,
                        span: expr.span,
                    }),
                    Binding::Chosen(chosen) => Some(ChannelRef {
                        span: expr.span,
                        ..(*chosen).clone()
                    }),
                    Binding::Channels(_) => {
                        self.log.report(NameProblem::WrongKind {
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
                let index = self.integer(written, "an integer index");
                let all = self.channel_array(base)?;
                let index = index?;
                let bounds = Interval {
                    lo: 0,
                    hi: all.len() as i64 - 1,
                };
                self.index_within(index.ty.range()?, bounds, written)?;
                let at = index.as_int().and_then(|at| usize::try_from(at).ok());
                if let Some(id) = at.and_then(|at| all.get(at)) {
                    return Some(ChannelRef {
                        channels: vec![*id],
                        index: None,
                        span: expr.span,
                    });
                }
                self.charge(all.len() as u64, expr.span)?;
                Some(ChannelRef {
                    channels: all.to_vec(),
                    index: Some(index),
                    span: expr.span,
                })
            }
            ExprKind::Error => {
                self.log.incomplete = true;
                None
            }
            _ => {
                self.log.misplaced(
                    "only a channel can stand here",
                    expr.span,
                    Some("name a parameter, or an element of an array of channels"),
                );
                None
            }
        }
    }

    /// An array of channels.
    pub fn channel_array(&mut self, expr: &'a ast::Expr) -> Option<Rc<[ChannelId]>> {
        let expr = unparenthesised(expr);
        let ExprKind::Name(name) = &expr.kind else {
            self.log.misplaced(
                "only an array of channels can stand here",
                expr.span,
                Some("name a parameter of type `[]channel ..`"),
            );
            return None;
        };
        match self.channel_name(name, expr.span)?.0 {
            Binding::Channels(all) => Some(all),
            _ => {
                self.log.report(TypeProblem::NotArray {
                    found: "a channel".into(),
                    span: expr.span,
                });
                None
            }
        }
    }

    fn channel_name(&mut self, name: &str, span: Span) -> Option<(Binding, Span)> {
        if let Some(local) = self.lookup(name) {
            let found = match local.binding {
                Binding::Channel(_) | Binding::Channels(_) | Binding::Chosen(_) => {
                    return Some((local.binding, local.span));
                }
                Binding::Broken => return None,
                Binding::Variable(_) => "a variable",
                ref other => other.what().unwrap_or("a value"),
            };
            self.log.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found,
                wanted: "a channel",
                declared: Some(local.span),
                hint: None,
            });
            return None;
        }
        let entry = self.made.frames[self.scope.frame.0]
            .entries
            .get(name)
            .or_else(|| self.made.frames[0].entries.get(name));
        if let Some(entry) = entry {
            let declared = entry.span;
            self.log.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found: "an entry of `init`",
                wanted: "a channel of this proc",
                declared: Some(declared),
                hint: Some("make it a parameter and pass it as an argument".into()),
            });
            return None;
        }
        let candidates: Vec<&str> = self
            .scope
            .locals()
            .chain(
                self.made.frames[self.scope.frame.0]
                    .parameters
                    .iter()
                    .map(|(name, local)| (*name, local)),
            )
            .filter(|(_, local)| {
                matches!(local.binding, Binding::Channel(_) | Binding::Channels(_))
            })
            .map(|(name, _)| name)
            .collect();
        let suggestion = self.log.near(name, candidates);
        let problem = NameProblem::Unknown {
            name: name.to_owned(),
            span,
            suggestion,
            what: "channel",
        };
        self.log
            .report_unknown(self.log.lost.declarations || self.scope.lost, problem);
        None
    }
}
