//! Calls: of pure functions, of predicates, `max` and `min`, and the functions of specifications.

use super::watch::SUSPECTS;
use super::{Expressions, Site};
use crate::program::elaborate::spec::{EVENTS, KNOWS, TOGETHER, is_event};
use crate::program::problem::NameProblem;
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, FaultAspect, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self};
use crate::vocabulary::MessageOp;

impl<'a> Expressions<'_, 'a> {
    pub fn call(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
        want: Option<&Type>,
    ) -> Option<Expr> {
        if let Some((unit, func)) = self.decls.func(self.unit(), &name.text) {
            return self.function_call(span, name, unit, func, arguments);
        }
        if let Some(predicate) = self.decls.units[0].predicates.get(name.text.as_str()) {
            return self.predicate_call(span, name, predicate, arguments, want);
        }
        if matches!(name.text.as_str(), "max" | "min") {
            return self.extreme(span, name, arguments);
        }
        let operator =
            matches!(self.context.site, Site::Spec(_)) && ast::temporal_hint(&name.text).is_some();
        let carries = self.decls.constructors.get(name.text.as_str());
        if carries.is_some_and(|all| {
            !operator || all.iter().any(|(data, _)| self.tagged(*data).is_some())
        }) {
            let found = self.constructor_of(&name.text, name.span, want)?;
            return self.build(span, found, arguments);
        }
        if matches!(name.text.as_str(), "len" | "full" | "empty") {
            if matches!(self.context.site, Site::Spec(_)) {
                return self.buffer_state(span, name, arguments);
            }
            self.log.misplaced(
                format!("`{}` is for specifications", name.text),
                span,
                Some("use `nonblock_recv` or `nonblock_send` to ask whether an operation can go"),
            );
            return None;
        }
        if name.text == SUSPECTS && self.context.site != Site::Constant {
            return self.suspects(span, arguments);
        }
        let mut aspects = FaultAspect::ALL.into_iter();
        if matches!(self.context.site, Site::Spec(_))
            && let Some(aspect) = aspects.find(|aspect| aspect.as_str() == name.text)
        {
            return self.of_fault(span, aspect, arguments);
        }
        if is_event(&name.text) {
            return self.event(span, None, name, arguments);
        }
        if name.text == KNOWS {
            return self.knows(span, arguments);
        }
        if TOGETHER.contains(&name.text.as_str()) {
            self.may_ask_who_knows(&name.text, span)?;
            return self.malformed_knowledge(&format!("{}(p, q: e)", name.text), span);
        }
        let unit = self.unit();
        let functions = |unit: usize| self.decls.units[unit].func_ids.keys().copied();
        let known: Vec<&str> = functions(unit).chain(functions(0)).collect();
        let operations = MessageOp::ALL.iter().map(|op| op.as_str());
        let suggestion = match self.context.site {
            Site::Process => {
                let all = operations.chain(["max", "min", SUSPECTS]).chain(known);
                self.log.near(&name.text, all)
            }
            Site::Spec(_) => {
                let predicates = self.decls.units[0].predicates.keys().copied();
                let all = ["len", "full", "empty", "max", "min", SUSPECTS].into_iter();
                let aspects = FaultAspect::ALL.map(FaultAspect::as_str);
                let all = all
                    .chain(known)
                    .chain(predicates)
                    .chain(aspects)
                    .chain(EVENTS)
                    .chain(TOGETHER);
                self.log.near(&name.text, all)
            }
            Site::Constant => None,
        };
        let hint = match self.context.site {
            Site::Spec(_) => ast::temporal_hint(&name.text),
            // The grammar reads `case after (t)` as a call.
            Site::Process if name.text == "after" => {
                Some("write the timer without parentheses: `case after t { .. }`".to_owned())
            }
            Site::Process | Site::Constant => None,
        };
        self.log.report(NameProblem::UnknownFunction {
            name: name.text.clone(),
            span: name.span,
            suggestion,
            hint,
        });
        None
    }

    /// `max(x, y)`, `min(x, y)`
    fn extreme(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        let [a, b] = arguments else {
            let hint = match arguments.len() {
                0 | 1 => None,
                _ => Some("nest them: `max(a, max(b, c))`"),
            };
            self.log
                .misplaced(format!("`{}` takes two integers", name.text), span, hint);
            return None;
        };
        let outer = self.enter(self.context.timeless());
        let a = self.integer(a, "an integer");
        let b = self.integer(b, "an integer");
        self.context = outer;
        let (a, b) = (a?, b?);
        let (x, y) = (a.ty.range()?, b.ty.range()?);
        let greatest = name.text == "max";
        let of = |x: i64, y: i64| if greatest { x.max(y) } else { x.min(y) };
        if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
            return Some(Expr::constant(Value::Int(of(x, y)), span));
        }
        let (a, b) = (Box::new(a), Box::new(b));
        Some(Expr {
            kind: match greatest {
                true => ExprKind::Max(a, b),
                false => ExprKind::Min(a, b),
            },
            ty: Type::int(Interval {
                lo: of(x.lo, y.lo),
                hi: of(x.hi, y.hi),
            }),
            span,
        })
    }
}
