//! Names of values: variables, constants and constructors.

use super::Checker;
use super::scope::{Binding, Local, Place, Scope};
use crate::program::problem::{NameProblem, PropertyProblem};
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::vocabulary::DataId;

impl<'a> Checker<'a> {
    pub fn name(
        &mut self,
        scope: &mut Scope<'a>,
        name: &'a str,
        span: Span,
        want: Option<&Type>,
    ) -> Option<Expr> {
        if name == "_" {
            self.report(NameProblem::Blank { span });
            return None;
        }
        if let Some(local) = self.lookup(scope, name) {
            return self.local(scope, name, span, local, want);
        }
        if self.definitions.constructors.contains_key(name) {
            return self.constructor(scope, name, span, want);
        }
        self.unknown_name(scope, name, span);
        None
    }

    pub fn local(
        &mut self,
        scope: &Scope<'a>,
        name: &str,
        span: Span,
        local: Local,
        want: Option<&Type>,
    ) -> Option<Expr> {
        let found = match local.binding {
            Binding::Value(value) => {
                self.charge(scope, value.scalars() - 1, span)?;
                return Some(Expr::constant((*value).clone(), span));
            }
            Binding::Variable(id) => {
                return Some(Expr {
                    kind: ExprKind::Variable(id),
                    ty: self.program.variables[id.0 as usize].ty.clone(),
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
            Binding::Broken => return None,
            Binding::Channel(_) => "a channel",
            Binding::Channels(_) => "an array of channels",
            Binding::Process(_) => "a process",
        };
        let hint = match (found, scope.place, want) {
            ("a process", Place::Process, _) => {
                Some(format!("read `{name}.crashed` or `{name}.done`"))
            }
            ("a channel", Place::Process, Some(Type::Bool)) => {
                Some(format!("receive from it: `recv({name}, x)`"))
            }
            _ => None,
        };
        self.report(NameProblem::WrongKind {
            name: name.to_owned(),
            span,
            found,
            wanted: "a value",
            declared: Some(local.span),
            hint,
        });
        None
    }

    pub fn constructor(
        &mut self,
        scope: &Scope<'a>,
        name: &str,
        span: Span,
        want: Option<&Type>,
    ) -> Option<Expr> {
        let all = &self.definitions.constructors[name];
        let found = match (all.as_slice(), want) {
            ([only], _) => Some(*only),
            (several, Some(Type::Data(id))) => several.iter().find(|(data, _)| data == id).copied(),
            _ => None,
        };
        let Some((data, index)) = found else {
            let types = all
                .iter()
                .map(|(id, _)| self.program.data[id.0 as usize].name.clone())
                .collect();
            self.report(NameProblem::AmbiguousConstructor {
                name: name.to_owned(),
                types,
                span,
            });
            return None;
        };
        Some(self.constructor_value(scope, data, index, span))
    }

    pub fn constructor_value(
        &mut self,
        scope: &Scope<'a>,
        data: DataId,
        index: u32,
        span: Span,
    ) -> Expr {
        let (produces, compares) = match scope.place {
            Place::Constant => (true, true),
            Place::Spec(_) => (false, true),
            Place::Process => (!scope.comparing, scope.comparing),
        };
        if produces {
            self.uses.produced.insert((data, index));
        }
        if compares {
            self.uses.compared.entry((data, index)).or_insert(span);
        }
        Expr::constant(Value::Data(data, index), span)
    }

    pub fn unknown_name(&mut self, scope: &Scope<'a>, name: &str, span: Span) {
        if let Some(entry) = self.frames[scope.frame.0].entries.get(name) {
            let what = entry.entity.what();
            let declared = entry.span;
            if matches!(scope.place, Place::Spec(_)) {
                let hint = match what {
                    "a process" => format!("name one of its variables, or `{name}.done`"),
                    "a channel" => {
                        format!("write `len({name})`, `full({name})` or `empty({name})`")
                    }
                    _ => format!("name one of its elements, as in `{name}[0]`"),
                };
                self.report(PropertyProblem::BareEntry {
                    name: name.to_owned(),
                    what,
                    hint,
                    span,
                });
            } else {
                self.report(NameProblem::WrongKind {
                    name: name.to_owned(),
                    span,
                    found: what,
                    wanted: "a value",
                    declared: Some(declared),
                    hint: match scope.place {
                        Place::Process => Some("pass it as an argument of the proc".to_owned()),
                        _ => None,
                    },
                });
            }
            return;
        }
        if scope.frame.0 != 0
            && scope.place == Place::Process
            && let Some(entry) = self.frames[0].entries.get(name)
        {
            let (found, declared) = (entry.entity.what(), entry.span);
            self.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found,
                wanted: "a value",
                declared: Some(declared),
                hint: Some("pass it as an argument".into()),
            });
            return;
        }
        let defined = if let Some(id) = self.definitions.data.get(name) {
            let data = &self.program.data[id.0 as usize];
            Some((
                "a type",
                data.span,
                Some(format!(
                    "name one of its values: `{name}.{}`",
                    data.constructors[0]
                )),
            ))
        } else if let Some(index) = self.definitions.scopes[0].proc_ids.get(name) {
            let proc = self.definitions.scopes[0].procs[*index];
            Some(("a proc", proc.name.span, None))
        } else {
            None
        };
        if let Some((found, declared, hint)) = defined {
            self.report(NameProblem::WrongKind {
                name: name.to_owned(),
                span,
                found,
                wanted: "a value",
                declared: Some(declared),
                hint,
            });
            return;
        }
        let mut candidates = self.visible(scope);
        if matches!(scope.place, Place::Spec(_)) {
            candidates.extend(self.frames[0].entries.keys());
        }
        let suggestion = self.near(name, candidates);
        let problem = NameProblem::Unknown {
            name: name.to_owned(),
            span,
            suggestion,
            what: "name",
        };
        self.report_unknown(self.lost.declarations || self.lost.statements, problem);
    }
}
