//! `protocol`: its body becomes a course of numbered events.

use std::rc::Rc;

use super::is_event;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::init::Entity;
use crate::program::elaborate::scope::{Binding, Role};
use crate::program::problem::{PropertyProblem, SizeProblem};
use crate::program::protocol::{Course, Subject, TooLarge};
use crate::program::{Happening, Letter, Protocol, Transfer, Value};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast, StmtKind};
use crate::syntax::print;
use crate::vocabulary::{ChannelId, ProcessId};

/// What is collected while a body is read.
struct Reading {
    channels: Vec<ChannelId>,
    processes: Vec<ProcessId>,
    /// What stands behind `on`.
    on: Span,
    letters: Vec<Letter>,
}

impl<'a> Expressions<'_, 'a> {
    /// The protocols of one declaration: one, or one for each number of a range; each with the index it has.
    pub fn protocols(
        &mut self,
        written: &'a ast::Protocol,
    ) -> Option<Vec<(Option<i64>, Protocol)>> {
        let Some((var, from, to)) = &written.over else {
            return Some(vec![(None, self.protocol(written)?)]);
        };
        let from = self.constant_int(from, "the bound of a range");
        let to = self.constant_int(to, "the bound of a range");
        let mut all = Vec::new();
        for i in from?..to? {
            self.charge(1, written.keyword)?;
            let made = self.with_number(var, i, |exprs| exprs.protocol(written));
            all.push((Some(i), made?));
        }
        Some(all)
    }

    fn with_number<T>(
        &mut self,
        var: &'a ast::Name,
        value: i64,
        inner: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scope.enter();
        let value = Binding::Value(Rc::new(Value::Int(value)));
        self.scope.declare(self.log, var, value, Role::Loop);
        let result = inner(self);
        self.scope.leave();
        result
    }

    fn protocol(&mut self, written: &'a ast::Protocol) -> Option<Protocol> {
        let first = written.on.first()?.span;
        let last = written.on.last()?.span;
        let mut reading = Reading {
            channels: Vec::new(),
            processes: Vec::new(),
            on: first.to(last),
            letters: Vec::new(),
        };
        for on in &written.on {
            match self.entity(on, "channel or process")? {
                Entity::Channel(id) => reading.channels.push(id),
                Entity::Channels(all) => reading.channels.extend(all.iter()),
                Entity::Process(id) => reading.processes.push(id),
                Entity::Processes(all) => reading.processes.extend(all.iter()),
                other => {
                    let text = format!(
                        "a protocol is about channels and processes, not {}",
                        other.what()
                    );
                    self.log.misplaced(text, on.span, None);
                    return None;
                }
            }
        }
        self.log.uses.asked.extend(reading.channels.iter().copied());
        let course = self.course(&written.body.stmts, &mut reading)?;
        let subject = Subject {
            data: &self.decls.data,
            all: &self.made.channels,
            count: self.made.processes.len(),
            channels: reading.channels,
            processes: reading.processes,
        };
        let made = Protocol::new(written.complete, subject, &course, reading.letters);
        if let Err(why) = made {
            self.log.report(SizeProblem::Protocol {
                body: why == TooLarge::Body,
                span: written.keyword.to(written.name.span),
            });
        }
        made.ok()
    }

    fn course(&mut self, stmts: &'a [ast::Stmt], reading: &mut Reading) -> Option<Course> {
        let parts: Vec<Option<Course>> = (stmts.iter())
            .map(|stmt| self.course_of(stmt, reading))
            .collect();
        let parts = parts.into_iter().collect::<Option<_>>()?;
        Some(Course::Sequence(parts))
    }

    fn course_of(&mut self, stmt: &'a ast::Stmt, reading: &mut Reading) -> Option<Course> {
        self.charge(1, stmt.span)?;
        match &stmt.kind {
            StmtKind::Expr(expr) => self.letter(expr, reading),
            StmtKind::Block(block) => self.course(&block.stmts, reading),
            StmtKind::Skip => Some(Course::Sequence(Vec::new())),
            StmtKind::Choice(blocks) => {
                let parts: Vec<Option<Course>> = (blocks.iter())
                    .map(|block| self.course(&block.stmts, reading))
                    .collect();
                let parts = parts.into_iter().collect::<Option<_>>()?;
                Some(Course::Choice(parts))
            }
            StmtKind::While {
                condition: None,
                body,
            } => {
                let body = self.course(&body.stmts, reading)?;
                Some(Course::Loop(Box::new(body)))
            }
            StmtKind::ForRange {
                var,
                from,
                to,
                body,
            } => {
                let from = self.constant_int(from, "the bound of a range");
                let to = self.constant_int(to, "the bound of a range");
                let mut parts = Vec::new();
                for i in from?..to? {
                    self.charge(1, stmt.span)?;
                    let round =
                        self.with_number(var, i, |exprs| exprs.course(&body.stmts, reading));
                    parts.push(round?);
                }
                Some(Course::Sequence(parts))
            }
            StmtKind::Error => {
                self.log.incomplete = true;
                None
            }
            other => {
                let what = match other {
                    StmtKind::While { .. } => "`for` with a condition",
                    StmtKind::ForIn { .. } => "`for` over an array",
                    StmtKind::If { .. } => "`if`",
                    StmtKind::Message(_) => "an operation of a process",
                    StmtKind::Labelled(..) => "a label",
                    StmtKind::Select(_) => "`select`",
                    StmtKind::Fair(_) => "`fair`",
                    StmtKind::Switch { .. } => "`switch`",
                    StmtKind::Atomic(_) => "`atomic`",
                    StmtKind::Var { .. } | StmtKind::Const(_) => "a declaration",
                    _ => "this statement",
                };
                self.log.report(PropertyProblem::NotConduct {
                    what: what.to_owned(),
                    span: stmt.span,
                });
                None
            }
        }
    }

    /// An event of the body.
    fn letter(&mut self, written: &'a ast::Expr, reading: &mut Reading) -> Option<Course> {
        let (by, name, arguments) = match &unparenthesised(written).kind {
            Ast::Call(name, arguments) => (None, name, arguments),
            Ast::CallOf(by, name, arguments) => (Some(&**by), name, arguments),
            _ => {
                self.log.report(PropertyProblem::NotConduct {
                    what: "this expression".to_owned(),
                    span: written.span,
                });
                return None;
            }
        };
        if !is_event(&name.text) {
            self.log.report(PropertyProblem::NotConduct {
                what: format!("`{}`", name.text),
                span: written.span,
            });
            return None;
        }
        let event = self.event_of(written.span, by, name, arguments)?;
        let read = match &event {
            Happening::Sent(passing) => {
                listed(passing, reading) || by_listed(passing, &reading.processes)
            }
            Happening::Received(passing) => listed(passing, reading),
            _ => false,
        };
        if !read {
            self.log.report(PropertyProblem::NoLetter {
                text: print::expr(written),
                on: reading.on,
                span: written.span,
            });
            return None;
        }
        let id = reading.letters.len() as u32;
        reading.letters.push(Letter {
            event,
            text: print::expr(written),
            span: written.span,
        });
        Some(Course::Event(id))
    }
}

/// Whether one of the channels of an event is listed.
fn listed(passing: &Transfer, reading: &Reading) -> bool {
    let mut channels = passing.channels.iter();
    channels.any(|channel| reading.channels.contains(channel))
}

/// Whether a listed process may be the one that sends.
fn by_listed(passing: &Transfer, processes: &[ProcessId]) -> bool {
    match &passing.by {
        Some(by) => by.iter().any(|process| processes.contains(process)),
        None => !processes.is_empty(),
    }
}
