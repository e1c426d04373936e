//! In which order constants and types depend on each other.

use super::order::dependency_order;
use super::{Definition, Unit};
use crate::program::elaborate::log::Log;
use crate::program::problem::NameProblem;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, TypeKind};

/// The constants and types of a unit in an order in which each needs only earlier ones.
pub fn order(unit: &Unit<'_>, log: &mut Log) -> Vec<Definition> {
    let first_type = unit.constants.len();
    let mut depends_on: Vec<Vec<usize>> = Vec::new();
    for constant in &unit.constants {
        let mut needs = Needs::of(unit);
        needs.expr(&constant.value);
        constant.ty.iter().for_each(|ty| needs.ty(ty));
        depends_on.push(needs.found);
    }
    for named in &unit.types {
        let mut needs = Needs::of(unit);
        match &named.kind {
            ast::TypeDeclKind::Alias(ty) => needs.ty(ty),
            ast::TypeDeclKind::Struct(fields) => fields.iter().for_each(|f| needs.ty(&f.ty)),
        }
        depends_on.push(needs.found);
    }
    for (_, data) in &unit.tagged {
        let mut needs = Needs::of(unit);
        let fields = data.constructors.iter().flat_map(|c| &c.fields);
        fields.for_each(|field| needs.ty(&field.ty));
        depends_on.push(needs.found);
    }
    let order = dependency_order(depends_on.len(), &depends_on);
    let definition = |node: usize| match node.checked_sub(first_type) {
        None => Definition::Constant(node),
        Some(index) => match index.checked_sub(unit.types.len()) {
            None => Definition::Type(index),
            Some(index) => Definition::Data(index),
        },
    };
    let name = |node: usize| match definition(node) {
        Definition::Constant(index) => &unit.constants[index].name,
        Definition::Type(index) => &unit.types[index].name,
        Definition::Data(index) => &unit.tagged[index].1.name,
    };
    for cycle in &order.cycles {
        let names = cycle.iter().map(|node| name(*node).text.clone()).collect();
        let span = name(cycle[0]).span;
        log.report(if cycle.iter().any(|node| *node >= first_type) {
            NameProblem::TypeCycle { names, span }
        } else {
            NameProblem::ConstCycle { names, span }
        });
    }
    order.order.into_iter().map(definition).collect()
}

/// Finds what a definition of a unit needs of the same unit.
struct Needs<'u, 'a> {
    unit: &'u Unit<'a>,
    found: Vec<usize>,
}

impl<'u, 'a> Needs<'u, 'a> {
    fn of(unit: &'u Unit<'a>) -> Self {
        Needs {
            unit,
            found: Vec::new(),
        }
    }

    /// A name that may be that of a constant, a type or a constructor.
    fn name(&mut self, name: &str) {
        let unit = self.unit;
        let first_type = unit.constants.len();
        let first_data = first_type + unit.types.len();
        self.found.extend(unit.constant_ids.get(name).copied());
        self.found
            .extend(unit.type_ids.get(name).map(|id| first_type + id));
        for (index, (_, data)) in unit.tagged.iter().enumerate() {
            let mut constructors = data.constructors.iter();
            if data.name.text == name || constructors.any(|c| c.name.text == name) {
                self.found.push(first_data + index);
            }
        }
    }

    fn expr(&mut self, expr: &ast::Expr) {
        names_in(expr, &mut |name, _| self.name(name));
        built_in(expr, &mut |name| self.name(name));
    }

    fn ty(&mut self, ty: &ast::Type) {
        names_in_type(ty, &mut |name, _| self.name(name));
        types_in_type(ty, &mut |name| self.name(name));
    }
}

/// Calls `f` with every name of a type in a type.
fn types_in_type(ty: &ast::Type, f: &mut impl FnMut(&str)) {
    match &ty.kind {
        TypeKind::Named(name) => f(&name.text),
        TypeKind::Array(_, element) => types_in_type(element, f),
        TypeKind::Channel(_, fields) => fields.iter().for_each(|field| types_in_type(&field.ty, f)),
        _ => {}
    }
}

/// Calls `f` with every name in an expression that may be a constant.
pub fn names_in<'a>(expr: &'a ast::Expr, f: &mut impl FnMut(&'a str, Span)) {
    match &expr.kind {
        ExprKind::Name(name) => f(name, expr.span),
        ExprKind::Paren(e)
        | ExprKind::EqualTo(e)
        | ExprKind::Is(e, _)
        | ExprKind::Unary(_, e)
        | ExprKind::Field(e, _, _)
        | ExprKind::At(e, _)
        | ExprKind::Temporal(_, e)
        | ExprKind::Path(_, e) => names_in(e, f),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            names_in(a, f);
            names_in(b, f);
        }
        ExprKind::Marked(e, _, args) => {
            names_in(e, f);
            args.iter().for_each(|e| names_in(e, f));
        }
        ExprKind::Array(elements) | ExprKind::Call(_, elements) => {
            elements.iter().for_each(|e| names_in(e, f));
        }
        ExprKind::CallOf(base, _, arguments) => {
            names_in(base, f);
            arguments.iter().for_each(|e| names_in(e, f));
        }
        ExprKind::Literal { fields, .. } => {
            fields.iter().for_each(|field| names_in(&field.value, f));
        }
        ExprKind::Group(_, arguments, body) => {
            arguments.iter().for_each(|e| names_in(e, f));
            names_in(body, f);
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
            if let ast::Capacity::Buffered(capacity)
            | ast::Capacity::Network {
                length: Some(capacity),
                ..
            } = capacity
            {
                names_in(capacity, f);
            }
            fields.iter().for_each(|field| names_in_type(&field.ty, f));
        }
        _ => {}
    }
}

/// Calls `f` with the names of records and constructors that an expression builds.
fn built_in<'a>(expr: &'a ast::Expr, f: &mut impl FnMut(&'a str)) {
    match &expr.kind {
        ExprKind::Call(name, arguments) => {
            f(&name.text);
            arguments.iter().for_each(|e| built_in(e, f));
        }
        ExprKind::CallOf(base, _, arguments) => {
            built_in(base, f);
            arguments.iter().for_each(|e| built_in(e, f));
        }
        ExprKind::Literal { name, fields, .. } => {
            f(&name.text);
            fields.iter().for_each(|field| built_in(&field.value, f));
        }
        ExprKind::Paren(e) | ExprKind::Unary(_, e) | ExprKind::Field(e, ..) => built_in(e, f),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            built_in(a, f);
            built_in(b, f);
        }
        ExprKind::Array(elements) => elements.iter().for_each(|e| built_in(e, f)),
        _ => {}
    }
}
