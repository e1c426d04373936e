//! Processes and failure detectors in the expressions of a process: `q.crashed`, `qs[i].done`, `suspects(ds[i])`.

use super::{Expressions, Site, unparenthesised};
use crate::program::elaborate::declare::Noun;
use crate::program::elaborate::init::{Entity, with_article};
use crate::program::elaborate::log::Log;
use crate::program::elaborate::scope::Binding;
use crate::program::problem::TypeProblem;
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};

/// The function that asks a detector.
pub const SUSPECTS: &str = "suspects";

/// A process or a detector that an expression names: of several, the one at an index.
pub struct Watched {
    all: Vec<Binding>,
    index: Option<Expr>,
    span: Span,
}

impl Watched {
    /// The one that is meant; an index that is computed is an error.
    pub fn only(self, log: &mut Log) -> Option<Binding> {
        match (self.index, self.all.as_slice()) {
            (None, [one]) => Some(one.clone()),
            _ => {
                log.misplaced(
                    "the index of this argument must be constant",
                    self.span,
                    Some("call the function for each: `for q in qs { f(q) }`"),
                );
                None
            }
        }
    }

    /// What is asked of the one that is meant, given how to ask one of them.
    fn ask(self, mut one: impl FnMut(&Binding) -> Option<ExprKind>) -> Option<Expr> {
        let span = self.span;
        let asked = self.all.iter().map(|binding| {
            let kind = one(binding)?;
            let ty = Type::Bool;
            Some(Expr { kind, ty, span })
        });
        let mut asked = asked.collect::<Option<Vec<_>>>()?;
        let Some(index) = self.index else {
            return asked.pop();
        };
        let ty = Type::Array(Box::new(Type::Bool), asked.len() as u32);
        let array = Expr {
            kind: ExprKind::Array(asked),
            ty,
            span,
        };
        Some(Expr {
            kind: ExprKind::Index(Box::new(array), Box::new(index)),
            ty: Type::Bool,
            span,
        })
    }
}

impl<'a> Expressions<'_, 'a> {
    /// `suspects(d)`
    pub fn suspects(&mut self, span: Span, arguments: &'a [ast::Expr]) -> Option<Expr> {
        let [argument] = arguments else {
            self.log
                .misplaced("`suspects` takes one detector", span, None);
            return None;
        };
        let mut expr = match self.context.site {
            Site::Spec(_) => {
                let entity = self.entity(argument, "detector")?;
                let Some(binding) = Noun::Detector.binding(&entity) else {
                    self.not_a(Noun::Detector, &entity, argument.span);
                    return None;
                };
                let all = vec![binding];
                let index = None;
                Watched { all, index, span }.ask(suspicion)?
            }
            Site::Process | Site::Constant => {
                self.watched(Noun::Detector, argument)?.ask(suspicion)?
            }
        };
        expr.span = span;
        Some(expr)
    }

    /// `qs[i].crashed`; `None` if the name before the bracket is that of no array of processes.
    pub fn chosen_state(
        &mut self,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        span: Span,
    ) -> Option<Option<Expr>> {
        let Ast::Index(array, _) = &unparenthesised(base).kind else {
            return None;
        };
        let Ast::Name(array) = &unparenthesised(array).kind else {
            return None;
        };
        match self.find(array)?.binding {
            Binding::Processes(_) => {}
            Binding::Broken => return Some(None),
            _ => return None,
        }
        let watched = self.watched(Noun::Process, base);
        let state = watched.and_then(|watched| {
            let written = crate::syntax::print::expr(base);
            watched.ask(|binding| match binding {
                Binding::Process(id) => self.state_of(*id, &written, name, span),
                _ => None,
            })
        });
        Some(state.map(|e| Expr { span, ..e }))
    }

    /// What `q` or `qs[i]` names in a process.
    pub fn watched(&mut self, noun: Noun, expr: &'a ast::Expr) -> Option<Watched> {
        let span = expr.span;
        let expr = unparenthesised(expr);
        let Ast::Index(base, written) = &expr.kind else {
            let binding = self.watched_name(noun, expr)?;
            let fits = matches!(
                (noun, &binding),
                (Noun::Process, Binding::Process(_)) | (Noun::Detector, Binding::Detector(_))
            );
            if !fits {
                self.wrong_binding(noun.as_str(), &binding, expr.span);
                return None;
            }
            let all = vec![binding];
            let index = None;
            return Some(Watched { all, index, span });
        };
        let index = self.integer(written, "an integer index");
        let array = self.watched_array(noun, base)?;
        let (all, index) = (array.elements()?, index?);
        let bounds = Interval {
            lo: 0,
            hi: all.len() as i64 - 1,
        };
        self.index_within(index.ty.range()?, bounds, written)?;
        let at = index.as_int().and_then(|at| usize::try_from(at).ok());
        if let Some(one) = at.and_then(|at| all.get(at)) {
            let all = vec![one.clone()];
            let index = None;
            return Some(Watched { all, index, span });
        }
        self.charge(all.len() as u64, span)?;
        let index = Some(index);
        Some(Watched { all, index, span })
    }

    /// An array of processes or detectors in a process.
    pub fn watched_array(&mut self, noun: Noun, expr: &'a ast::Expr) -> Option<Binding> {
        let binding = self.watched_name(noun, unparenthesised(expr))?;
        let fits = matches!(
            (noun, &binding),
            (Noun::Process, Binding::Processes(_)) | (Noun::Detector, Binding::Detectors(_))
        );
        if !fits {
            self.wrong_binding(noun.array(), &binding, expr.span);
            return None;
        }
        Some(binding)
    }

    /// What a name stands for that should be a process or a detector of this proc.
    fn watched_name(&mut self, noun: Noun, expr: &'a ast::Expr) -> Option<Binding> {
        let Ast::Name(name) = &expr.kind else {
            let hint = match noun {
                Noun::Process => "name a parameter of type `process`",
                Noun::Detector => "name a parameter of type `detector`",
            };
            let text = format!("only {} can stand here", with_article(noun.as_str()));
            self.log.misplaced(text, expr.span, Some(hint));
            return None;
        };
        match self.lookup(name) {
            Some(local) => match local.binding {
                Binding::Broken => None,
                binding => Some(binding),
            },
            None => {
                self.unknown_name(name, expr.span);
                None
            }
        }
    }

    fn wrong_binding(&mut self, wanted: &'static str, binding: &Binding, span: Span) {
        self.log.report(TypeProblem::Mismatch {
            wanted: with_article(wanted).to_owned(),
            found: binding.what().unwrap_or("a value").to_owned(),
            span,
            because: None,
            hint: match binding {
                Binding::Process(_) if wanted == Noun::Detector.as_str() => Some(
                    "pass a detector of it: `d: detector(w)` in `init`, and a parameter `d detector`"
                        .to_owned(),
                ),
                Binding::Processes(_) | Binding::Detectors(_) => {
                    Some("choose an element, as in `ds[0]`, or loop over it".to_owned())
                }
                _ => None,
            },
        });
    }

    fn not_a(&mut self, noun: Noun, entity: &Entity, span: Span) {
        self.log.report(TypeProblem::Mismatch {
            wanted: with_article(noun.as_str()).to_owned(),
            found: entity.what().to_owned(),
            span,
            because: None,
            hint: match entity {
                Entity::Detectors(_) => Some("name one of its elements, as in `d[0]`".to_owned()),
                Entity::Process(_) => {
                    Some("name a detector of it: `d: detector(w)` in `init`".to_owned())
                }
                _ => None,
            },
        });
    }
}

fn suspicion(binding: &Binding) -> Option<ExprKind> {
    match binding {
        Binding::Detector(id) => Some(ExprKind::Suspects(*id)),
        _ => None,
    }
}
