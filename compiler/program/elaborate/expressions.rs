//! Expressions: names, literals and elements; operators are in [`super::operators`].
//!
//! What is constant is folded on the way up, so an expression is constant exactly if its kind is
//! [`ExprKind::Const`].

use super::Checker;
use super::scope::{Binding, Local, Place, Scope};
use super::uses::Question;
use crate::program::problem::{
    Lint, NameProblem, ProcessProblem, PropertyProblem, SizeProblem, TypeProblem,
};
use crate::program::range::Interval;
use crate::program::{DataId, Expr, ExprKind, MessageOp, Type, UnaryOp, Value, limits};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};

/// Expression nodes of all bodies together; statements have a limit of their own.
const NODES: u64 = 4 * limits::STATEMENTS;

impl Expr {
    /// A constant.
    pub(super) fn constant(value: Value, span: Span) -> Expr {
        Expr {
            ty: value.type_of(),
            kind: ExprKind::Const(value),
            span,
        }
    }

    /// The value, if constant.
    pub fn as_const(&self) -> Option<&Value> {
        match &self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if a constant integer.
    pub fn as_int(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Const(Value::Int(value)) => Some(value),
            _ => None,
        }
    }
}

/// An expression without the parentheses around it.
pub fn unparenthesised(mut expr: &ast::Expr) -> &ast::Expr {
    while let Ast::Paren(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

impl<'a> Checker<'a> {
    /// An expression; `want` is the type the context asks for, used only to tell constructors of the same
    /// name apart. `None` if something in it is faulty and has been reported.
    pub fn expr(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        want: Option<&Type>,
    ) -> Option<Expr> {
        self.count_node(scope, expr.span)?;
        match &expr.kind {
            Ast::Int(value) => self.literal(*value, expr.span),
            Ast::Bool(value) => Some(Expr::constant(Value::Bool(*value), expr.span)),
            Ast::Name(name) => self.name(scope, name, expr.span, want),
            Ast::Paren(inner) => self.expr(scope, inner, want),
            Ast::Array(elements) => self.array(scope, elements, expr.span, want),
            Ast::Field(base, name, number) => self.field(scope, expr, base, name, *number),
            Ast::Index(base, index) => self.index(scope, expr.span, base, index, want),
            Ast::At(base, label) => self.at(scope, expr.span, base, label),
            Ast::Unary(op, operand) => self.unary(scope, expr.span, *op, operand),
            Ast::Binary(op, left, right) => self.binary(scope, expr.span, *op, left, right),
            Ast::Message(message) => self.message_expression(scope, message),
            Ast::Any(_) => {
                self.misplaced(
                    "`any` can only be the whole right side of `=`",
                    expr.span,
                    Some("store it in a variable first: `x = any`"),
                );
                None
            }
            Ast::Call(name, arguments) => self.call(scope, expr.span, name, arguments),
            Ast::Quantified {
                quantifier,
                var,
                from,
                to,
                body,
            } => self.quantified(scope, expr.span, *quantifier, var, (from, to), body),
            Ast::Temporal(op, operand) => self.temporal(scope, expr.span, *op, operand),
            Ast::Path(op, inner) => self.path(scope, expr.span, *op, inner),
            Ast::Error => {
                self.incomplete = true;
                None
            }
        }
    }

    fn count_node(&mut self, scope: &Scope<'a>, span: Span) -> Option<()> {
        if self.budget.exhausted {
            return None;
        }
        let (count, limit) = match scope.place {
            Place::Spec(_) => (&mut self.budget.formula, limits::FORMULA),
            _ => (&mut self.budget.nodes, NODES),
        };
        *count += 1;
        if *count <= limit {
            return Some(());
        }
        self.budget.exhausted = true;
        match scope.place {
            Place::Spec(_) => self.report(SizeProblem::Formula { span }),
            _ => self.report(SizeProblem::Statements { span }),
        }
        None
    }

    /// Reports an expression that cannot stand where it does.
    pub fn misplaced(&mut self, text: impl Into<String>, span: Span, hint: Option<&'static str>) {
        self.report(ProcessProblem::MisplacedExpression {
            text: text.into(),
            span,
            hint,
        });
    }

    fn literal(&mut self, value: i64, span: Span) -> Option<Expr> {
        if !Interval::point(value).is_computable() {
            self.report(TypeProblem::Overflow {
                lo: value,
                hi: value,
                span,
            });
            return None;
        }
        Some(Expr::constant(Value::Int(value), span))
    }

    /// `-2147483648` is an integer although `2147483648` is none.
    pub fn negative_literal(&mut self, operand: &ast::Expr, span: Span) -> Option<Expr> {
        match operand.kind {
            Ast::Int(value) => self.literal(value.checked_neg()?, span),
            _ => None,
        }
    }

    fn name(
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

    fn local(
        &mut self,
        scope: &Scope<'a>,
        name: &str,
        span: Span,
        local: Local,
        want: Option<&Type>,
    ) -> Option<Expr> {
        let found = match local.binding {
            Binding::Value(value) => return Some(Expr::constant((*value).clone(), span)),
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

    fn constructor(
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

    fn constructor_value(
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

    fn unknown_name(&mut self, scope: &Scope<'a>, name: &str, span: Span) {
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
        self.report(NameProblem::Unknown {
            name: name.to_owned(),
            span,
            suggestion,
            what: "name",
        });
    }

    fn array(
        &mut self,
        scope: &mut Scope<'a>,
        elements: &'a [ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> Option<Expr> {
        if elements.is_empty() {
            self.report(TypeProblem::EmptyArray { span });
            return None;
        }
        let known;
        let want = match want {
            Some(Type::Array(element, _)) => Some(&**element),
            _ => {
                known = elements.iter().find_map(|e| self.probe(scope, e));
                known.as_ref()
            }
        };
        let temporal = std::mem::replace(&mut scope.temporal, false);
        let checked: Vec<Option<Expr>> = elements
            .iter()
            .map(|element| self.expr(scope, element, want))
            .collect();
        scope.temporal = temporal;
        let checked: Vec<Expr> = checked.into_iter().collect::<Option<_>>()?;
        let mut ty = checked[0].ty.clone();
        for other in &checked[1..] {
            if !ty.same_shape(&other.ty) {
                self.report(TypeProblem::Mismatch {
                    wanted: self.describe(&ty),
                    found: self.describe(&other.ty),
                    span: other.span,
                    because: Some((
                        checked[0].span,
                        format!("the first element is {}", self.describe(&ty)),
                    )),
                    hint: None,
                });
                return None;
            }
            ty = ty.join(&other.ty);
        }
        if checked.iter().all(|e| e.as_const().is_some()) {
            let values = checked
                .into_iter()
                .filter_map(|e| match e.kind {
                    ExprKind::Const(value) => Some(value),
                    _ => None,
                })
                .collect();
            return Some(Expr::constant(Value::Array(values), span));
        }
        Some(Expr {
            ty: Type::Array(Box::new(ty), checked.len() as u32),
            kind: ExprKind::Array(checked),
            span,
        })
    }

    /// `D.F`, `q.crashed`, and in specifications `p.x`.
    fn field(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        number: Option<u32>,
    ) -> Option<Expr> {
        if let Ast::Name(owner) = &unparenthesised(base).kind {
            if number.is_none()
                && let Some(result) = self.process_state(scope, owner, base.span, name, expr.span)
            {
                return result;
            }
            if let Some(&data) = self.definitions.data.get(owner.as_str())
                && number.is_none()
            {
                let constructors = &self.definitions.constructors;
                let found = constructors
                    .get(name.text.as_str())
                    .and_then(|all| all.iter().find(|(id, _)| *id == data));
                if let Some((_, index)) = found {
                    let index = *index;
                    if !self.entry_has_variable(scope, owner, &name.text) {
                        return Some(self.constructor_value(scope, data, index, expr.span));
                    }
                } else if !self.frames[scope.frame.0]
                    .entries
                    .contains_key(owner.as_str())
                {
                    let ty = &self.program.data[data.0 as usize];
                    let suggestion =
                        self.near(&name.text, ty.constructors.iter().map(String::as_str));
                    self.report(NameProblem::UnknownConstructor {
                        data: owner.clone(),
                        name: name.text.clone(),
                        span: name.span,
                        declared: ty.span,
                        suggestion,
                    });
                    return None;
                }
            }
        }
        match scope.place {
            Place::Spec(_) => self.variable_of(scope, expr.span, base, name, number),
            Place::Process | Place::Constant => {
                self.field_outside_specification(scope, expr, base, name)
            }
        }
    }

    fn field_outside_specification(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        base: &'a ast::Expr,
        name: &'a ast::Name,
    ) -> Option<Expr> {
        let Ast::Name(owner) = &unparenthesised(base).kind else {
            self.misplaced("`.` cannot stand here", expr.span, None);
            return None;
        };
        if let Some(local) = self.lookup(scope, owner) {
            if !matches!(local.binding, Binding::Broken) {
                self.misplaced(format!("`{owner}` has no `{}`", name.text), expr.span, None);
            }
            return None;
        }
        if self.frames[0].entries.contains_key(owner.as_str()) {
            self.misplaced(
                "a process cannot read the variables of another",
                expr.span,
                Some("send the value on a channel; for `.crashed` and `.done` pass the instance as a `process` parameter"),
            );
            return None;
        }
        let suggestion = {
            let types = self.definitions.data.keys().copied();
            let locals = scope
                .locals()
                .filter(|(_, local)| matches!(local.binding, Binding::Process(_)))
                .map(|(name, _)| name);
            self.near(owner, types.chain(locals).collect::<Vec<_>>())
        };
        self.report(NameProblem::Unknown {
            name: owner.clone(),
            span: base.span,
            suggestion,
            what: "name",
        });
        None
    }

    fn index(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        base: &'a ast::Expr,
        index: &'a ast::Expr,
        want: Option<&Type>,
    ) -> Option<Expr> {
        let wanted;
        let want = match (&unparenthesised(base).kind, want) {
            (Ast::Array(elements), Some(element)) => {
                wanted = Type::Array(Box::new(element.clone()), elements.len() as u32);
                Some(&wanted)
            }
            _ => None,
        };
        let saved = (scope.temporal, scope.comparing);
        (scope.temporal, scope.comparing) = (false, false);
        let index = self.integer(scope, index, "an integer index");
        scope.comparing = saved.1;
        let element = match (index.as_ref().and_then(Expr::as_int), &base.kind) {
            // An element of a constant table, without copying the table.
            (Some(at), Ast::Name(name)) => self.table_element(scope, name, at, span),
            _ => None,
        };
        if element.is_some() {
            scope.temporal = saved.0;
            return element;
        }
        let base = self.expr(scope, base, want);
        scope.temporal = saved.0;
        self.element(scope, base?, index?, span)
    }

    fn table_element(
        &mut self,
        scope: &Scope<'a>,
        name: &str,
        at: i64,
        span: Span,
    ) -> Option<Expr> {
        let local = self.find(scope, name)?;
        let Binding::Value(value) = &local.binding else {
            return None;
        };
        let Value::Array(values) = &**value else {
            return None;
        };
        let element = values.get(usize::try_from(at).ok()?)?.clone();
        self.uses.read.insert(local.span);
        Some(Expr::constant(element, span))
    }

    /// `base[index]`
    pub fn element(
        &mut self,
        scope: &Scope<'a>,
        base: Expr,
        index: Expr,
        span: Span,
    ) -> Option<Expr> {
        let Type::Array(element, length) = &base.ty else {
            self.report(TypeProblem::NotArray {
                found: self.describe(&base.ty),
                span: base.span,
            });
            return None;
        };
        let bounds = Interval {
            lo: 0,
            hi: i64::from(*length) - 1,
        };
        let range = index.ty.range()?;
        self.check_index(scope, range, bounds, index.span)?;
        if let (ExprKind::Const(Value::Array(values)), Some(at)) = (&base.kind, index.as_int())
            && let Some(value) = usize::try_from(at).ok().and_then(|at| values.get(at))
        {
            return Some(Expr::constant(value.clone(), span));
        }
        Some(Expr {
            ty: (**element).clone(),
            kind: ExprKind::Index(Box::new(base), Box::new(index)),
            span,
        })
    }

    /// An index out of bounds: an error in specifications and constants, at run time in processes.
    pub fn check_index(
        &mut self,
        scope: &Scope<'a>,
        range: Interval,
        bounds: Interval,
        span: Span,
    ) -> Option<()> {
        match scope.place {
            Place::Spec(_) if !range.within(bounds) => {
                self.report(PropertyProblem::Index {
                    lo: range.lo,
                    hi: range.hi,
                    length: bounds.hi as u32 + 1,
                    span,
                });
                None
            }
            Place::Constant if range.meet(bounds).is_none() => {
                self.report_value(TypeProblem::Undefined {
                    why: "an index is out of bounds",
                    span,
                });
                None
            }
            Place::Process => {
                let failure = range.meet(bounds).is_none().then(|| {
                    Lint::AlwaysFails {
                        why: format!(
                            "the index is {}, and the array has elements 0..{}",
                            show_range(range),
                            bounds.hi
                        ),
                        span,
                    }
                    .into()
                });
                self.agree(span, Question::Failure, failure);
                Some(())
            }
            _ => Some(()),
        }
    }

    fn call(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        if matches!(name.text.as_str(), "len" | "full" | "empty") {
            if matches!(scope.place, Place::Spec(_)) {
                return self.buffer_state(scope, span, name, arguments);
            }
            self.misplaced(
                format!("`{}` is for specifications", name.text),
                span,
                Some("use `nonblock_recv` or `nonblock_send` to ask whether an operation can go"),
            );
            return None;
        }
        let operations = MessageOp::ALL.iter().map(|op| op.as_str());
        let suggestion = match scope.place {
            Place::Process => self.near(&name.text, operations),
            Place::Spec(_) => self.near(&name.text, ["len", "full", "empty"]),
            Place::Constant => None,
        };
        self.report(NameProblem::UnknownFunction {
            name: name.text.clone(),
            span: name.span,
            suggestion,
        });
        None
    }

    /// The type an expression has regardless of context, if that can be seen at a glance: used to tell
    /// constructors of the same name apart.
    pub fn probe(&self, scope: &Scope<'a>, expr: &ast::Expr) -> Option<Type> {
        match &expr.kind {
            Ast::Paren(inner) => self.probe(scope, inner),
            Ast::Int(value) => Some(Type::int(Interval::point(*value))),
            Ast::Bool(_) | Ast::At(..) | Ast::Message(_) => Some(Type::Bool),
            Ast::Unary(UnaryOp::Not, _) => Some(Type::Bool),
            Ast::Name(name) => match self.find(scope, name).map(|local| local.binding) {
                Some(Binding::Value(value)) => Some(value.type_of()),
                Some(Binding::Variable(id)) => {
                    Some(self.program.variables[id.0 as usize].ty.clone())
                }
                Some(Binding::Counter(_, range)) => Some(Type::int(range)),
                Some(Binding::Element(element)) => Some(element.ty.clone()),
                Some(_) => None,
                None => match self.definitions.constructors.get(name.as_str())?.as_slice() {
                    [(data, _)] => Some(Type::Data(*data)),
                    _ => None,
                },
            },
            Ast::Array(elements) => {
                let element = elements.iter().find_map(|e| self.probe(scope, e))?;
                Some(Type::Array(Box::new(element), elements.len() as u32))
            }
            Ast::Index(base, _) => match self.probe(scope, base)? {
                Type::Array(element, _) => Some(*element),
                _ => None,
            },
            Ast::Field(base, name, number) => {
                if let Ast::Name(owner) = &base.kind
                    && let Some(data) = self.definitions.data.get(owner.as_str())
                    && self
                        .definitions
                        .constructors
                        .get(name.text.as_str())
                        .is_some_and(|all| all.iter().any(|(id, _)| id == data))
                {
                    return Some(Type::Data(*data));
                }
                match scope.place {
                    Place::Spec(_) => self.probe_variable(scope, base, &name.text, *number),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A constant; `what` must be one.
    pub fn constant(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        want: Option<&Type>,
        what: &'static str,
    ) -> Option<Value> {
        let place = std::mem::replace(&mut scope.place, Place::Constant);
        let result = self.expr(scope, expr, want);
        scope.place = place;
        let result = result?;
        if let ExprKind::Const(value) = result.kind {
            return Some(value);
        }
        match self.culprit(&result) {
            Some(culprit) => self.report(TypeProblem::NotConstant {
                what,
                span: expr.span,
                culprit: Some(culprit),
            }),
            // What has no value although everything in it is constant has been reported.
            None => debug_assert!(
                self.problems.errors() > 0 || self.sampling || self.dead > 0,
                "constant expressions are folded"
            ),
        }
        None
    }

    /// A constant integer.
    pub fn constant_int(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        what: &'static str,
    ) -> Option<i64> {
        match self.constant(scope, expr, None, what)? {
            Value::Int(value) => Some(value),
            other => {
                self.report(TypeProblem::Mismatch {
                    wanted: "an integer".into(),
                    found: self.describe(&other.type_of()),
                    span: expr.span,
                    because: None,
                    hint: None,
                });
                None
            }
        }
    }

    /// The first thing in an expression that is not constant.
    fn culprit(&self, expr: &Expr) -> Option<(Span, String)> {
        match &expr.kind {
            ExprKind::Const(_) => None,
            ExprKind::Variable(id) => {
                let name = &self.program.variables[id.0 as usize].name;
                let shown = name.split('#').next().unwrap_or(name);
                let shown = shown.rsplit('.').next().unwrap_or(shown);
                Some((expr.span, format!("`{shown}` is a variable")))
            }
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                self.culprit(a).or_else(|| self.culprit(b))
            }
            ExprKind::Array(elements) => elements.iter().find_map(|e| self.culprit(e)),
            ExprKind::Unary(_, e) => self.culprit(e),
            _ => Some((expr.span, "is only known when the model runs".into())),
        }
    }

    /// An expression of a type; `because` says where the type comes from.
    pub fn expr_of(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        ty: &Type,
        because: Option<(Span, String)>,
    ) -> Option<Expr> {
        let checked = self.expr(scope, expr, Some(ty))?;
        if checked.ty.same_shape(ty) {
            return Some(checked);
        }
        self.report(TypeProblem::Mismatch {
            wanted: self.describe(ty),
            found: self.describe(&checked.ty),
            span: expr.span,
            because,
            hint: None,
        });
        None
    }

    /// An integer; `wanted` says so with what it is for.
    pub fn integer(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        wanted: &str,
    ) -> Option<Expr> {
        let checked = self.expr(scope, expr, None)?;
        if checked.ty.range().is_some() {
            return Some(checked);
        }
        self.report(TypeProblem::Mismatch {
            wanted: wanted.to_owned(),
            found: self.describe(&checked.ty),
            span: expr.span,
            because: None,
            hint: None,
        });
        None
    }
}

/// `3`, or `0..3`
pub fn show_range(range: Interval) -> String {
    if range.is_point() {
        range.lo.to_string()
    } else {
        format!("{}..{}", range.lo, range.hi)
    }
}
