//! How large timers are.
//!
//! The type of a timer is `0..m`, m the largest value that its instance can store in it by the declared ranges. What a process stores may
//! depend on timers, so m is a fixpoint: a model is elaborated again and again, each time with what was stored in the timers
//! the last time, until nothing is larger. A model without timers is elaborated once.
//!
//! ```text
//! var t timer = 3; t = n; u = t + 1        with n 0..5: t is 0..5 and u is 0..6, in the third round
//! t = t + 1                                grows by itself: an error
//! t = min(t * 2, 16)                       is 0..16: as large as it may grow, and then no larger than it says itself
//! ```

use std::collections::BTreeMap;

use super::fault::FaultKind;
use super::problem::TimeProblem;
use super::stmt::Part;
use super::{Define, Expr, ExprKind, Message, Pattern, Place, Program, Rhs, Stmt, StmtKind};
use super::{Type, VariableId};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::ProcessId;

/// When a `case after` can be taken.
#[derive(Clone, PartialEq, Debug)]
pub enum Deadline {
    /// So many ticks after the `select` was reached.
    Ticks(i64),
    /// When this timer, a variable or an element of one at a constant index, is 0.
    Timer(Expr),
}

/// The largest value of each timer, by its process and the place of its declaration; 0 if it is not here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timers(BTreeMap<(ProcessId, Span), i64>);

impl Timers {
    /// How large a timer is taken to be.
    pub fn most(&self, process: ProcessId, declared: Span) -> i64 {
        self.0.get(&(process, declared)).copied().unwrap_or(0)
    }
}

/// No timer is larger: a state has a number for each value it counts down to.
pub const LONGEST: i64 = 1_000_000;

/// Elaborates a model with timers as large as they need to be.
pub fn elaborate(
    main: &ast::File,
    imported: &[ast::File],
    scenarios: &[ast::File],
    defines: &[Define],
    faults: &[&'static FaultKind],
) -> (Option<Program>, Vec<Diagnostic>) {
    let all = |timers: &Timers| {
        super::elaborate::elaborate(main, imported, scenarios, defines, faults, timers)
    };
    let mut timers = Timers::default();
    let mut rounds = 0;
    loop {
        let (program, diagnostics) = all(&timers);
        let Some(program) = program else {
            return (None, diagnostics);
        };
        let stores = Stores::of(&program);
        let larger = stores.larger_than(&timers);
        if larger.is_empty() {
            return (Some(program), diagnostics);
        }
        // What one timer gets from another comes to it within as many rounds as there are timers.
        rounds += 1;
        if rounds <= stores.most.len() + 1 {
            larger.iter().for_each(|(key, (most, _))| {
                timers.0.insert(*key, *most);
            });
            continue;
        }
        // It goes round: it grows for ever, or as far as it says itself.
        larger.iter().for_each(|(key, _)| {
            timers.0.insert(*key, LONGEST);
        });
        let (program, mut diagnostics) = all(&timers);
        let Some(program) = program else {
            return (None, diagnostics);
        };
        let most = Stores::of(&program).most;
        let grown = || most.iter().filter(|(_, (value, _))| *value > LONGEST);
        if grown().next().is_some() {
            let problems = grown().map(|((_, declared), (_, stored))| TimeProblem::Grows {
                span: *stored,
                declared: *declared,
            });
            diagnostics.extend(problems.map(Diagnostic::from));
            diagnostics.sort_by_key(|d| (d.primary.span, d.code));
            diagnostics.dedup_by_key(|d| (d.primary.span, d.code));
            return (None, diagnostics);
        }
        timers.0 = most
            .into_iter()
            .map(|(key, (most, _))| (key, most))
            .collect();
        rounds = 0;
    }
}

/// The largest values that are stored in timers, and where.
struct Stores<'a> {
    program: &'a Program,
    most: BTreeMap<(ProcessId, Span), (i64, Span)>,
}

impl<'a> Stores<'a> {
    fn of(program: &'a Program) -> Stores<'a> {
        let mut stores = Stores {
            program,
            most: BTreeMap::new(),
        };
        if !program.variables.iter().any(|variable| variable.timer) {
            return stores;
        }
        for (index, variable) in program.variables.iter().enumerate() {
            let values = variable.starts.iter().chain([&variable.initial]);
            for value in values.flat_map(|value| value.flat()) {
                if let super::Value::Int(value) = value {
                    stores.store(VariableId(index as u32), value, variable.span);
                }
            }
        }
        for process in &program.processes {
            stores.block(&process.body);
        }
        stores
    }

    fn larger_than(&self, timers: &Timers) -> Vec<((ProcessId, Span), (i64, Span))> {
        let all = self.most.iter();
        let larger = all.filter(|((process, at), (most, _))| *most > timers.most(*process, *at));
        larger.map(|(key, most)| (*key, *most)).collect()
    }

    fn store(&mut self, variable: VariableId, most: i64, span: Span) {
        let variable = &self.program.variables[variable.0 as usize];
        if variable.timer {
            let known = (self.most)
                .entry((variable.process, variable.span))
                .or_insert((0, span));
            if most > known.0 {
                *known = (most, span);
            }
        }
    }

    fn store_type(&mut self, place: &Place, ty: &Type) {
        if let Some(range) = ty.scalar().range() {
            self.store(place.variable, range.hi, place.span);
        }
    }

    fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { target, value } => match value {
                Rhs::Expr(e) => self.store_type(target, &e.ty),
                Rhs::AnyRange(_, hi) => self.store(target.variable, *hi, target.span),
                Rhs::AnyOf(all) => all.iter().for_each(|e| self.store_type(target, &e.ty)),
                Rhs::Any => {}
            },
            StmtKind::AssignAll { targets, values } => {
                for (target, value) in targets.iter().zip(values) {
                    self.store_type(target, &value.ty);
                }
            }
            _ => {}
        }
        stmt.kind.parts(&mut |part| match part {
            Part::Expr(e) => self.expr(e),
            Part::Message(message) => self.message(message),
            Part::Block(block) => self.block(block),
            Part::Stmt(stmt) => self.stmt(stmt),
            Part::Place(_) => {}
        });
    }

    /// Messaging expressions receive, too.
    fn expr(&mut self, expr: &Expr) {
        let mut messages: Vec<&Message> = Vec::new();
        expr.visit(&mut |e| {
            if let ExprKind::Message(message) = &e.kind {
                messages.push(message);
            }
        });
        for message in messages {
            self.message(message);
        }
    }

    fn message(&mut self, message: &Message) {
        message.values.iter().for_each(|value| self.expr(value));
        for channel in &message.channel.channels {
            let fields = &self.program.channels[channel.0 as usize].fields;
            for (pattern, field) in message.targets.iter().zip(fields) {
                self.received(pattern, field);
            }
        }
    }

    fn received(&mut self, pattern: &Pattern, ty: &Type) {
        match (pattern, ty) {
            (Pattern::Into(place), ty) => self.store_type(place, ty),
            (Pattern::Constructor(index, inner), Type::Tagged(tagged)) => {
                let fields = &tagged.constructors[*index as usize].fields;
                for (pattern, field) in inner.iter().zip(fields) {
                    self.received(pattern, &tagged.fields[*field as usize].ty);
                }
            }
            _ => {}
        }
    }
}
