//! Names of values: variables, constants and constructors.

use super::{Expressions, Site};
use crate::program::elaborate::scope::{Binding, Local};
use crate::program::problem::{NameProblem, PropertyProblem, TypeProblem};
use crate::program::{Expr, ExprKind, Type};
use crate::source::Span;

impl<'a> Expressions<'_, 'a> {
    pub fn name(&mut self, name: &'a str, span: Span, want: Option<&Type>) -> Option<Expr> {
        if name == "_" {
            self.log.report(NameProblem::Blank { span });
            return None;
        }
        if let Some(local) = self.lookup(name) {
            return self.local(name, span, local, want);
        }
        if self.decls.constructors.contains_key(name) {
            return self.constructor(name, span, want);
        }
        self.unknown_name(name, span);
        None
    }

    pub fn local(
        &mut self,
        name: &str,
        span: Span,
        local: Local,
        want: Option<&Type>,
    ) -> Option<Expr> {
        let found = match local.binding {
            Binding::Value(value) => {
                self.charge(value.scalars() - 1, span)?;
                return Some(Expr::constant((*value).clone(), span));
            }
            Binding::Variable(id) => {
                return Some(Expr {
                    kind: ExprKind::Variable(id),
                    ty: self.variables.get(id).ty.clone(),
                    span,
                });
            }
            Binding::Counter(id, range) => {
                return Some(Expr {
                    kind: ExprKind::Variable(id),
                    ty: Type::int(range),
                    span,
                });
            }
            Binding::Element(element) => {
                let mut element = (*element).clone();
                element.span = span;
                return Some(element);
            }
            Binding::Local(id, ty) => {
                let known = self.log.local_types.get(&id);
                return Some(Expr {
                    kind: ExprKind::Local(id),
                    ty: known.unwrap_or(&ty).clone(),
                    span,
                });
            }
            Binding::Broken => return None,
            Binding::Free(free) => {
                self.log.report(TypeProblem::NotConstant {
                    what: "a value that others depend on",
                    span,
                    culprit: Some((free.span, format!("`{name}` is `any` here"))),
                });
                return None;
            }
            other => other.what().unwrap_or("no value"),
        };
        let hint = match (found, self.context.site, want) {
            ("a process", Site::Process, _) => {
                Some(format!("read `{name}.crashed` or `{name}.done`"))
            }
            ("a detector", _, _) => Some(format!("ask it: `suspects({name})`")),
            ("a channel", Site::Process, Some(Type::Bool)) => {
                Some(format!("receive from it: `recv({name}, x)`"))
            }
            _ => None,
        };
        self.log.report(NameProblem::WrongKind {
            name: name.to_owned(),
            span,
            found,
            wanted: "a value",
            declared: Some(local.span),
            hint,
        });
        None
    }

    pub fn constructor(&mut self, name: &str, span: Span, want: Option<&Type>) -> Option<Expr> {
        let (data, index) = self.constructor_of(name, span, want)?;
        self.constructor_value(data, index, span)
    }

    pub fn unknown_name(&mut self, name: &str, span: Span) {
        if let Some(entry) = self.made.frames[self.scope.frame.0].entries.get(name) {
            let what = entry.entity.what();
            let declared = entry.span;
            if matches!(self.context.site, Site::Spec(_)) {
                let hint = match what {
                    "a process" => format!("name one of its variables, or `{name}.done`"),
                    "a detector" => format!("ask it: `suspects({name})`"),
                    "a channel" => {
                        format!("write `len({name})`, `full({name})` or `empty({name})`")
                    }
                    _ => format!("name one of its elements, as in `{name}[0]`"),
                };
                self.log.report(PropertyProblem::BareEntry {
                    name: name.to_owned(),
                    what,
                    hint,
                    span,
                });
            } else {
                self.log.report(NameProblem::WrongKind {
                    name: name.to_owned(),
                    span,
                    found: what,
                    wanted: "a value",
                    declared: Some(declared),
                    hint: match self.context.site {
                        Site::Process => Some("pass it as an argument of the proc".to_owned()),
                        _ => None,
                    },
                });
            }
            return;
        }
        if self.scope.frame.0 != 0
            && self.context.site == Site::Process
            && let Some(entry) = self.made.frames[0].entries.get(name)
        {
            let (found, declared) = (entry.entity.what(), entry.span);
            self.log.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found,
                wanted: "a value",
                declared: Some(declared),
                hint: Some("pass it as an argument".into()),
            });
            return;
        }
        let defined = if let Some(id) = self.decls.data_ids.get(name) {
            let data = &self.decls.data[id.0 as usize];
            Some((
                "a type",
                data.span,
                Some(format!(
                    "name one of its values: `{name}.{}`",
                    data.constructors[0]
                )),
            ))
        } else {
            let proc = self.decls.units[0].proc(name);
            proc.map(|proc| ("a proc", proc.ast.name.span, None))
        };
        if let Some((found, declared, hint)) = defined {
            self.log.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found,
                wanted: "a value",
                declared: Some(declared),
                hint,
            });
            return;
        }
        let mut candidates = self.visible();
        if matches!(self.context.site, Site::Spec(_)) {
            candidates.extend(self.made.frames[0].entries.keys());
        }
        let suggestion = self.log.near(name, candidates);
        let problem = NameProblem::Unknown {
            name: name.to_owned(),
            span,
            suggestion,
            what: "name",
        };
        self.log
            .report_unknown(self.log.lost.declarations || self.scope.lost, problem);
    }
}
