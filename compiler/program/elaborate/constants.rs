//! Constants: in which order they depend on each other, and what they are.

use std::rc::Rc;

use super::Checker;
use super::definitions::FrameId;
use super::scope::{Place, Scope};
use crate::program::problem::{NameProblem, TypeProblem};
use crate::program::{Define, Type, Value};
use crate::source::{FileId, Span};
use crate::syntax::ast;
use crate::syntax::ast::{ExprKind, TypeKind};

/// Nodes in an order in which each comes after those it depends on.
pub struct Order {
    /// The nodes that depend on no cycle.
    pub order: Vec<usize>,
    /// One for each cycle found.
    pub cycles: Vec<Vec<usize>>,
    /// Whether a node is on a cycle or depends on one.
    pub faulty: Vec<bool>,
}

/// Sorts nodes by dependency, without recursion: chains may be as long as the file.
pub fn dependency_order(count: usize, depends_on: &[Vec<usize>]) -> Order {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Closed,
    }
    let mut marks = vec![Mark::New; count];
    let mut result = Order {
        order: Vec::with_capacity(count),
        cycles: Vec::new(),
        faulty: vec![false; count],
    };
    for root in 0..count {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            match depends_on[node].get(*next) {
                Some(&other) => {
                    *next += 1;
                    match marks[other] {
                        Mark::New => {
                            marks[other] = Mark::Open;
                            path.push((other, 0));
                        }
                        Mark::Open => {
                            let start = path.iter().position(|(n, _)| *n == other).unwrap_or(0);
                            let cycle: Vec<usize> = path[start..].iter().map(|(n, _)| *n).collect();
                            // A second cycle through a reported node would say the same again.
                            if !cycle.iter().any(|n| result.faulty[*n]) {
                                for n in &cycle {
                                    result.faulty[*n] = true;
                                }
                                result.cycles.push(cycle);
                            }
                            result.faulty[node] = true;
                        }
                        Mark::Closed => result.faulty[node] |= result.faulty[other],
                    }
                }
                None => {
                    path.pop();
                    marks[node] = Mark::Closed;
                    if !result.faulty[node] {
                        result.order.push(node);
                    } else if let Some((parent, _)) = path.last() {
                        result.faulty[*parent] = true;
                    }
                }
            }
        }
    }
    result
}

impl<'a> Checker<'a> {
    /// Orders the constants of every module, and evaluates those of the top level.
    pub fn top_constants(&mut self, defines: &[Define]) {
        for id in 0..self.definitions.scopes.len() {
            self.order_constants(id);
        }
        if defines.is_empty() {
            self.constants(FrameId(0));
        } else {
            // The first round only finds the types; what is wrong shows in the second.
            let problems = std::mem::take(&mut self.problems);
            self.constants(FrameId(0));
            self.problems = problems;
            self.override_constants(defines);
        }
    }

    fn order_constants(&mut self, id: usize) {
        let definition = &self.definitions.scopes[id];
        let depends_on: Vec<Vec<usize>> = definition
            .constants
            .iter()
            .map(|constant| {
                let mut ids = Vec::new();
                let mut add = |name: &'a str, _| {
                    ids.extend(definition.constant_ids.get(name).copied());
                };
                names_in(&constant.value, &mut add);
                if let Some(ty) = &constant.ty {
                    names_in_type(ty, &mut add);
                }
                ids
            })
            .collect();
        let order = dependency_order(definition.constants.len(), &depends_on);
        for cycle in &order.cycles {
            let constants = &self.definitions.scopes[id].constants;
            let names = cycle
                .iter()
                .map(|i| constants[*i].name.text.clone())
                .collect();
            let span = constants[cycle[0]].name.span;
            self.report(NameProblem::ConstCycle { names, span });
        }
        self.definitions.scopes[id].constant_order = order.order;
    }

    /// Evaluates the constants of a frame whose value parameters are bound.
    pub fn constants(&mut self, frame: FrameId) {
        let id = self.frames[frame.0].scope;
        let mut scope = Scope::new(frame, Place::Constant);
        for position in 0..self.definitions.scopes[id].constant_order.len() {
            let index = self.definitions.scopes[id].constant_order[position];
            let constant = self.definitions.scopes[id].constants[index];
            let value = self.constant_declaration(&mut scope, constant);
            self.frames[frame.0]
                .constants
                .insert(&constant.name.text, value.map(Rc::new));
        }
    }

    /// The value of `const NAME [type] = expr`.
    pub fn constant_declaration(
        &mut self,
        scope: &mut Scope<'a>,
        constant: &'a ast::Const,
    ) -> Option<Value> {
        match &constant.ty {
            None => self.constant(scope, &constant.value, None, "the value of a constant"),
            Some(written) => {
                let ty = self.value_type(scope, written)?;
                let because = (written.span, "because of this type".to_owned());
                self.constant_of_type(scope, &constant.value, &ty, because)
            }
        }
    }

    /// A constant that must be of a type.
    pub fn constant_of_type(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        ty: &Type,
        because: (Span, String),
    ) -> Option<Value> {
        let value = self.constant(scope, expr, Some(ty), "this value")?;
        let found = value.type_of();
        if !found.same_shape(ty) {
            self.report(TypeProblem::Mismatch {
                wanted: self.describe(ty),
                found: self.describe(&found),
                span: expr.span,
                because: Some(because),
                hint: None,
            });
            return None;
        }
        if !ty.contains(&value) {
            self.report_value(TypeProblem::Outside {
                value: value.show(&self.program.data),
                ty: ty.show(&self.program.data),
                span: expr.span,
                because: Some(because),
            });
            return None;
        }
        Some(value)
    }

    /// `-D NAME=VALUE`: later ones win. Everything that depends on an overridden constant is computed
    /// again.
    fn override_constants(&mut self, defines: &[Define]) {
        let mut given: rustc_hash::FxHashMap<usize, Value> = rustc_hash::FxHashMap::default();
        for define in defines {
            let ids = &self.definitions.scopes[0].constant_ids;
            let Some(&index) = ids.get(define.name.as_str()) else {
                let suggestion = self.near(&define.name, ids.keys().copied());
                let file = self.definitions.main.unwrap_or(FileId(0));
                self.report(NameProblem::UnknownDefine {
                    name: define.name.clone(),
                    span: Span::new(file, 0, 0),
                    suggestion,
                });
                continue;
            };
            let constant = self.definitions.scopes[0].constants[index];
            let old = self.frames[0].constants.get(constant.name.text.as_str());
            let wanted = old.and_then(|v| v.as_ref()).map(|v| v.type_of());
            let Some(value) = self.read_value(&define.value, wanted.as_ref()) else {
                self.report(NameProblem::UnreadableDefine {
                    name: define.name.clone(),
                    value: define.value.clone(),
                    span: constant.name.span,
                });
                continue;
            };
            if let Some(wanted) = wanted
                && !scalar_shape(&wanted, &value.type_of())
            {
                self.report(TypeProblem::Mismatch {
                    wanted: self.describe(&wanted),
                    found: format!("{} (`-D`)", self.describe(&value.type_of())),
                    span: constant.name.span,
                    because: None,
                    hint: None,
                });
                continue;
            }
            given.insert(index, value);
        }
        let mut scope = Scope::new(FrameId(0), Place::Constant);
        for position in 0..self.definitions.scopes[0].constant_order.len() {
            let index = self.definitions.scopes[0].constant_order[position];
            let constant = self.definitions.scopes[0].constants[index];
            let value = match given.remove(&index) {
                None => self.constant_declaration(&mut scope, constant),
                Some(value) => self.given_constant(&mut scope, constant, value),
            };
            self.frames[0]
                .constants
                .insert(&constant.name.text, value.map(Rc::new));
        }
    }

    fn given_constant(
        &mut self,
        scope: &mut Scope<'a>,
        constant: &'a ast::Const,
        value: Value,
    ) -> Option<Value> {
        if let Some(written) = &constant.ty {
            let ty = self.value_type(scope, written)?;
            if !ty.contains(&value) {
                self.report(TypeProblem::Outside {
                    value: value.show(&self.program.data),
                    ty: ty.show(&self.program.data),
                    span: constant.name.span,
                    because: Some((written.span, "because of this type".into())),
                });
                return None;
            }
        }
        self.note_value(&value);
        Some(value)
    }

    /// Counts the constructors in a value as used in every way.
    fn note_value(&mut self, value: &Value) {
        match value {
            Value::Data(data, index) => {
                let span = self.program.data[data.0 as usize].span;
                self.uses.produced.insert((*data, *index));
                self.uses.compared.entry((*data, *index)).or_insert(span);
            }
            Value::Array(values) => values.iter().for_each(|value| self.note_value(value)),
            Value::Bool(_) | Value::Int(_) => {}
        }
    }

    /// Reads a number, a truth value, a constructor, or an array of these, as `-D` gives them.
    fn read_value(&self, text: &str, wanted: Option<&Type>) -> Option<Value> {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let element = match wanted {
                Some(Type::Array(element, _)) => Some(&**element),
                _ => None,
            };
            let values: Option<Vec<Value>> = split_elements(inner)
                .into_iter()
                .map(|part| self.read_value(part, element))
                .collect();
            return values.filter(|v| !v.is_empty()).map(Value::Array);
        }
        match text {
            "true" => return Some(Value::Bool(true)),
            "false" => return Some(Value::Bool(false)),
            _ => {}
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let number: i64 = text.parse().ok()?;
            let range = crate::program::range::Interval::point(number);
            return range.is_computable().then_some(Value::Int(number));
        }
        let (data, name) = match text.split_once('.') {
            Some((data, name)) => (Some(*self.definitions.data.get(data)?), name),
            None => (None, text),
        };
        let all = self.definitions.constructors.get(name)?;
        let scalar = wanted.map(Type::scalar);
        all.iter()
            .find(|(id, _)| match (data, scalar) {
                (Some(data), _) => *id == data,
                (None, Some(Type::Data(wanted))) => id == wanted,
                (None, _) => all.len() == 1,
            })
            .map(|(id, index)| Value::Data(*id, *index))
    }
}

/// Whether `-D` may replace a value of one type by one of the other: an array may change its length.
fn scalar_shape(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array(a, _), Type::Array(b, _)) => scalar_shape(a, b),
        _ => a.same_shape(b),
    }
}

/// Splits at the commas that are not inside brackets.
fn split_elements(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Calls `f` with every name in an expression that may be a constant.
pub fn names_in<'a>(expr: &'a ast::Expr, f: &mut impl FnMut(&'a str, Span)) {
    match &expr.kind {
        ExprKind::Name(name) => f(name, expr.span),
        ExprKind::Paren(e)
        | ExprKind::Unary(_, e)
        | ExprKind::Field(e, _, _)
        | ExprKind::At(e, _)
        | ExprKind::Temporal(_, e)
        | ExprKind::Path(_, e) => names_in(e, f),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            names_in(a, f);
            names_in(b, f);
        }
        ExprKind::Array(elements) | ExprKind::Call(_, elements) => {
            elements.iter().for_each(|e| names_in(e, f));
        }
        ExprKind::Message(message) => message.args.iter().for_each(|e| names_in(e, f)),
        ExprKind::Any(ast::AnySet::Range(a, b)) => {
            names_in(a, f);
            names_in(b, f);
        }
        ExprKind::Any(ast::AnySet::Of(set)) => set.iter().for_each(|e| names_in(e, f)),
        ExprKind::Quantified { from, to, body, .. } => {
            names_in(from, f);
            names_in(to, f);
            names_in(body, f);
        }
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Any(ast::AnySet::All)
        | ExprKind::Error => {}
    }
}

/// Calls `f` with every name in a type that may be a constant.
pub fn names_in_type<'a>(ty: &'a ast::Type, f: &mut impl FnMut(&'a str, Span)) {
    match &ty.kind {
        TypeKind::Range(lo, hi) => {
            names_in(lo, f);
            names_in(hi, f);
        }
        TypeKind::Array(length, element) => {
            if let Some(length) = length {
                names_in(length, f);
            }
            names_in_type(element, f);
        }
        TypeKind::Channel(capacity, fields) => {
            if let ast::Capacity::Buffered(capacity) = capacity {
                names_in(capacity, f);
            }
            fields.iter().for_each(|ty| names_in_type(ty, f));
        }
        _ => {}
    }
}
