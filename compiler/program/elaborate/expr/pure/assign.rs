//! Assignments in pure functions, also of fields and of several values at once. They become assignments of whole variables and of
//! elements: nothing later knows the others.

use std::rc::Rc;

use crate::program::elaborate::expr::{Expressions, part_of, unparenthesised};
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{DataProblem, ProcessProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, LocalId, PureStmt, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::BinaryOp;

/// What is assigned: a variable of the function, or a part of one.
struct Target {
    local: LocalId,
    name: String,
    declared: Rc<Type>,
    path: Vec<PathStep>,
    ty: Type,
    span: Span,
}

/// A step from a variable to a part of it.
#[derive(Clone)]
enum PathStep {
    Index(Expr),
    Field(u32),
}

impl Target {
    /// Whether another target may only be the same or a part of this, or the other way round. Of two elements of one
    /// array the later counts.
    fn overlaps(&self, other: &Target) -> bool {
        let mut steps = self.path.iter().zip(&other.path);
        let apart = steps.any(|pair| match pair {
            (PathStep::Field(one), PathStep::Field(other)) => one != other,
            _ => true,
        });
        self.local == other.local && !apart
    }
}

impl<'a> Expressions<'_, 'a> {
    /// `x = e`, `x += e`
    pub(super) fn pure_assignment(
        &mut self,
        target: &'a ast::Expr,
        op: Option<BinaryOp>,
        value: &'a ast::Expr,
        span: Span,
        out: &mut Vec<PureStmt>,
    ) -> Option<()> {
        let Some(found) = self.pure_target(target) else {
            self.expr(value, None);
            return None;
        };
        let value = match op {
            None => self.expr_of(value, &found.ty, None)?,
            Some(op) => self.pure_compound(&found, op, value, span)?,
        };
        let value = self.fitted(value, &found.ty)?;
        self.pure_store(&found, &found.path, value, out);
        Some(())
    }

    /// `a, b = b, a`: everything is read before anything is written.
    pub(super) fn pure_assign_all(
        &mut self,
        targets: &'a [ast::Expr],
        values: &'a [ast::Expr],
        out: &mut Vec<PureStmt>,
    ) -> Option<()> {
        let found: Vec<Option<Target>> = targets.iter().map(|e| self.pure_target(e)).collect();
        let mut read = Vec::new();
        for (value, target) in values.iter().zip(&found) {
            let value = match target {
                None => {
                    self.expr(value, None);
                    None
                }
                Some(target) => self.expr_of(value, &target.ty, None),
            };
            read.push(match (value, target) {
                (Some(value), Some(target)) => self.fitted(value, &target.ty),
                _ => None,
            });
        }
        let mut found: Vec<Target> = found.into_iter().collect::<Option<_>>()?;
        let read: Vec<Expr> = read.into_iter().collect::<Option<_>>()?;
        for (i, target) in found.iter().enumerate() {
            if let Some(first) = found[..i].iter().find(|other| other.overlaps(target)) {
                self.log.report(ProcessProblem::TargetTwice {
                    name: target.name.clone(),
                    span: target.span,
                    first: first.span,
                });
                return None;
            }
        }
        for target in &mut found {
            for step in &mut target.path {
                if let PathStep::Index(index) = step {
                    *index = self.pure_copy(index.clone(), out);
                }
            }
        }
        let read: Vec<Expr> = (read.into_iter())
            .map(|value| self.pure_copy(value, out))
            .collect();
        for (target, value) in found.iter().zip(read) {
            self.pure_store(target, &target.path, value, out);
        }
        Some(())
    }

    /// A value as it is now: later assignments do not change it.
    pub(super) fn pure_copy(&mut self, value: Expr, out: &mut Vec<PureStmt>) -> Expr {
        if value.as_const().is_some() {
            return value;
        }
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.new_local();
        self.log.local_types.insert(local, ty.clone());
        out.push(PureStmt::Assign {
            local,
            ty: ty.clone(),
            indices: Vec::new(),
            value,
        });
        Expr {
            kind: ExprKind::Local(local),
            ty,
            span,
        }
    }

    /// Stores a value in the part of a target's variable to which a path leads.
    fn pure_store(
        &mut self,
        target: &Target,
        path: &[PathStep],
        mut value: Expr,
        out: &mut Vec<PureStmt>,
    ) {
        let last = path
            .iter()
            .rposition(|step| matches!(step, PathStep::Field(_)));
        let Some(last) = last else {
            // Of an array with another element only the type is known.
            let known = match path.is_empty() {
                true => value.ty.clone(),
                false => (*target.declared).clone(),
            };
            self.log.local_types.insert(target.local, known);
            out.push(PureStmt::Assign {
                local: target.local,
                ty: (*target.declared).clone(),
                indices: indices_of(path),
                value,
            });
            return;
        };
        if last + 1 < path.len() {
            let whole = self.pure_read(target, &path[..=last]);
            let ty = whole.ty.clone();
            // A constant, too, is copied: an element of the copy is about to change.
            let local = self.new_local();
            self.log.local_types.insert(local, ty.clone());
            let store = |indices, value| PureStmt::Assign {
                local,
                ty: ty.clone(),
                indices,
                value,
            };
            out.push(store(Vec::new(), whole));
            out.push(store(indices_of(&path[last + 1..]), value));
            value = Expr {
                kind: ExprKind::Local(local),
                ty: ty.clone(),
                span: target.span,
            };
        }
        let record = self.pure_read(target, &path[..last]);
        let (PathStep::Field(position), Type::Record(ty)) = (&path[last], &record.ty) else {
            unreachable!("only records have fields that can be assigned")
        };
        let parts = (0..ty.fields.len() as u32).map(|field| match field == *position {
            true => value.clone(),
            false => part_of(record.clone(), field, target.span),
        });
        let whole = Expr {
            kind: ExprKind::Record(parts.collect()),
            ty: record.ty.clone(),
            span: target.span,
        };
        self.pure_store(target, &path[..last], whole, out);
    }

    /// What the part of a target's variable holds to which a path leads.
    fn pure_read(&self, target: &Target, path: &[PathStep]) -> Expr {
        let known = self.log.local_types.get(&target.local);
        let span = target.span;
        let mut part = Expr {
            kind: ExprKind::Local(target.local),
            ty: known.unwrap_or(&target.declared).clone(),
            span,
        };
        for step in path {
            part = match (step, part.ty.clone()) {
                (PathStep::Field(field), _) => part_of(part, *field, span),
                (PathStep::Index(index), Type::Array(element, _)) => Expr {
                    kind: ExprKind::Index(Box::new(part), Box::new(index.clone())),
                    ty: *element,
                    span,
                },
                (PathStep::Index(_), _) => unreachable!("only arrays are indexed"),
            };
        }
        part
    }

    /// `x op= e`
    fn pure_compound(
        &mut self,
        target: &Target,
        op: BinaryOp,
        value: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let right = self.integer(value, "an integer")?;
        let left = Expr {
            span,
            ..self.pure_read(target, &target.path)
        };
        if left.ty.range().is_none() {
            self.log.report(TypeProblem::Operand {
                op: op.as_str(),
                wanted: "integers",
                found: self.decls.describe(&left.ty),
                span,
                hint: None,
            });
            return None;
        }
        self.arithmetic_of(span, op, left, right)
    }

    fn pure_target(&mut self, target: &'a ast::Expr) -> Option<Target> {
        match &unparenthesised(target).kind {
            ast::ExprKind::Name(name) => {
                let local = self.find(name);
                match local {
                    Some(local) if local.role == Role::Variable => match local.binding {
                        Binding::Local(id, ty) => {
                            let mut fixed = self.scope.fixed.iter();
                            if let Some(fixed) = fixed.find(|fixed| fixed.local == Some(id)) {
                                let also = Some((fixed.span, "this `switch` looks at it"));
                                self.log
                                    .report(DataProblem::changed(name, target.span, also));
                                return None;
                            }
                            Some(Target {
                                local: id,
                                name: name.clone(),
                                ty: (*ty).clone(),
                                declared: ty,
                                path: Vec::new(),
                                span: target.span,
                            })
                        }
                        _ => None,
                    },
                    // Says what it is, and that it cannot be assigned.
                    _ => {
                        self.target(target);
                        None
                    }
                }
            }
            ast::ExprKind::Index(base, written) => {
                let index = self.integer(written, "an integer index");
                let mut base = self.pure_target(base)?;
                let index = index?;
                let Type::Array(element, length) = base.ty else {
                    self.log.report(TypeProblem::NotArray {
                        found: self.decls.describe(&base.ty),
                        span: target.span,
                    });
                    return None;
                };
                let bounds = Interval {
                    lo: 0,
                    hi: i64::from(length) - 1,
                };
                self.index_within(index.ty.range()?, bounds, written)?;
                base.path.push(PathStep::Index(index));
                base.ty = *element;
                base.span = target.span;
                Some(base)
            }
            ast::ExprKind::Field(base, field, None) => {
                let mut base = self.pure_target(base)?;
                let (position, ty) = self.target_field(&base.ty, field, target.span)?;
                base.path.push(PathStep::Field(position));
                base.ty = ty;
                base.span = target.span;
                Some(base)
            }
            _ => {
                self.target(target);
                None
            }
        }
    }
}

fn indices_of(path: &[PathStep]) -> Vec<Expr> {
    let index = |step: &PathStep| match step {
        PathStep::Index(index) => index.clone(),
        PathStep::Field(_) => unreachable!("fields are stored as whole records"),
    };
    path.iter().map(index).collect()
}
