//! `fault lie(x var) on process { .. }`: what can be said about a definition without knowing what is marked with it.

use std::borrow::Cow;

use super::Declarations;
use crate::program::elaborate::expr::unparenthesised;
use crate::program::elaborate::log::Log;
use crate::program::fault::{FaultKind, Happens, Manner, Marks, Takes};
use crate::program::problem::FaultProblem;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, FaultOn, StmtKind, TypeKind};
use crate::vocabulary::MessageOp;

/// A fault that the model defines.
pub struct OwnFault<'a> {
    pub ast: &'a ast::FaultDecl,
    /// Those joins that make sense.
    pub joins: Vec<OwnJoin<'a>>,
    /// Whether all of them do.
    pub sound: bool,
}

/// When it happens, and what it does then.
pub struct OwnJoin<'a> {
    pub at: At<'a>,
    pub condition: Option<&'a ast::Expr>,
    pub effect: OwnEffect<'a>,
    pub span: Span,
}

/// When it happens.
pub enum At<'a> {
    /// A write to the variable that this parameter is, and the name of what is written.
    Write(usize, &'a ast::Name),
    Send(Option<&'a [ast::Name]>),
    Recv(Option<&'a [ast::Name]>),
    /// At the label that this parameter is.
    Reached(usize),
    Anytime,
}

/// What it does.
#[derive(Default)]
pub struct OwnEffect<'a> {
    /// The parameter that is stored in, and the right side.
    pub stores: Vec<(usize, &'a ast::Expr)>,
    pub sends: Option<&'a ast::Message>,
    pub crash: bool,
}

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OwnParam {
    /// `x var`: a variable of the process.
    Variable,
    /// `place label`
    Label,
    /// `c const`: a constant of any type.
    Constant,
    /// A constant of the written type.
    Value,
}

impl OwnParam {
    pub fn of(param: &ast::Param) -> OwnParam {
        match &param.ty.kind {
            TypeKind::Named(name) => match name.text.as_str() {
                "var" => OwnParam::Variable,
                "label" => OwnParam::Label,
                "const" => OwnParam::Constant,
                _ => OwnParam::Value,
            },
            _ => OwnParam::Value,
        }
    }
}

impl<'a> OwnFault<'a> {
    /// What its markers may stand on and take.
    pub fn kind(&self) -> FaultKind {
        let anytime = |join: &OwnJoin| matches!(join.at, At::Anytime | At::Reached(_));
        let spontaneous = self.joins.iter().any(anytime);
        FaultKind {
            does: "",
            name: Cow::Owned(self.ast.name.text.clone()),
            aliases: &[],
            meant_by: &[],
            marks: match self.ast.on {
                FaultOn::Process => Marks::Process,
                FaultOn::Channel => Marks::Channel,
            },
            takes: Takes::Arguments,
            happens: match self.joins.first().map(|join| &join.at) {
                _ if spontaneous => Happens::AtStatements,
                Some(At::Send(_)) => Happens::AtSends,
                Some(At::Recv(_)) => Happens::AtReceives,
                _ => Happens::AtWrites,
            },
            includes: &[],
            any_value: false,
            crashes: self.joins.iter().any(|join| join.effect.crash),
            manner: match spontaneous {
                true => Manner::SOMETIMES,
                false => Manner::REPLACES,
            },
        }
    }
}

impl<'a> Declarations<'a> {
    /// Adds a definition.
    pub fn add_fault(&mut self, fault: &'a ast::FaultDecl, log: &mut Log) {
        if self
            .faults
            .iter()
            .any(|kind| kind.is_called(&fault.name.text))
        {
            let name = fault.name.text.clone();
            let span = fault.name.span;
            log.report(FaultProblem::BuiltIn { name, span });
            return;
        }
        let mut reader = Reader {
            fault,
            log,
            sound: true,
        };
        reader.params();
        let joins: Vec<_> = (fault.joins.iter())
            .filter_map(|join| reader.join(join))
            .collect();
        let own = OwnFault {
            ast: fault,
            joins,
            sound: reader.sound,
        };
        self.faults.push(own.kind().into());
        self.definitions.insert(&fault.name.text, own);
    }
}

/// Reads the joins of a definition.
struct Reader<'a, 'l> {
    fault: &'a ast::FaultDecl,
    log: &'l mut Log,
    sound: bool,
}

impl<'a> Reader<'a, '_> {
    fn wrong_join(&mut self, text: impl Into<String>, span: Span, hint: impl Into<String>) {
        let (text, hint) = (text.into(), hint.into());
        self.log.report(FaultProblem::Join { text, span, hint });
        self.sound = false;
    }

    fn wrong_effect(&mut self, text: impl Into<String>, span: Span, hint: impl Into<String>) {
        let (text, hint) = (text.into(), hint.into());
        self.log.report(FaultProblem::Effect { text, span, hint });
        self.sound = false;
    }

    fn params(&mut self) {
        for param in &self.fault.params {
            self.log.legal_name(&param.name, false);
            let first = (self.fault.params.iter()).find(|p| p.name.text == param.name.text);
            if first.is_some_and(|first| first.name.span != param.name.span) {
                let text = format!("two parameters are called `{}`", param.name.text);
                self.wrong_join(text, param.name.span, "give one of them another name");
            }
            if param.ty.kind == TypeKind::Error {
                self.log.incomplete = true;
                self.sound = false;
            }
            let of_process = matches!(OwnParam::of(param), OwnParam::Variable | OwnParam::Label);
            if of_process && self.fault.on == FaultOn::Channel {
                self.wrong_join(
                    "a channel has no variables and no labels",
                    param.name.span,
                    "define the fault `on process`, or remove the parameter",
                );
            }
        }
        if self.fault.joins.is_empty() && self.sound {
            let name = &self.fault.name;
            let text = format!("`{}` never happens", name.text);
            let hint = match self.fault.on {
                FaultOn::Process => "say when it does, as in `at write(x, v) { x = v }`",
                FaultOn::Channel => "say when it does, as in `at send { skip }`",
            };
            self.wrong_join(text, name.span, hint);
        }
    }

    /// The parameter with a name, if it is of this kind.
    fn param(&self, name: &str, kind: OwnParam) -> Option<usize> {
        let mut params = self.fault.params.iter();
        params.position(|param| param.name.text == name && OwnParam::of(param) == kind)
    }

    fn join(&mut self, join: &'a ast::Join) -> Option<OwnJoin<'a>> {
        let at = self.at(join);
        let effect = self.effect(&join.body, at.as_ref());
        Some(OwnJoin {
            at: at?,
            condition: join.condition.as_ref(),
            effect: effect?,
            span: join.span,
        })
    }

    fn at(&mut self, join: &'a ast::Join) -> Option<At<'a>> {
        let words =
            "write `at write(x, v)`, `at send(m)`, `at recv(m)`, `at reached(place)` or `anytime`";
        let trigger = match (join.word.text.as_str(), &join.trigger) {
            ("anytime", None) => {
                return match self.fault.on {
                    FaultOn::Process => Some(At::Anytime),
                    FaultOn::Channel => {
                        let text = "a fault of a channel happens at its messages";
                        let hint = "write `at send(m)` or `at recv(m)`, or define it `on process`";
                        self.wrong_join(text, join.word.span, hint);
                        None
                    }
                };
            }
            ("at", Some(trigger)) => trigger,
            (word, _) => {
                self.wrong_join(format!("`{word}` does not say when"), join.word.span, words);
                return None;
            }
        };
        let (word, span) = (trigger.word.text.as_str(), trigger.word.span);
        let names = trigger.names.as_deref();
        if let ("write" | "reached", FaultOn::Channel) = (word, self.fault.on) {
            let text = format!("a channel has no `{word}`");
            let hint = "write `at send(m)` or `at recv(m)`, or define the fault `on process`";
            self.wrong_join(text, span, hint);
            return None;
        }
        match (word, names) {
            ("write", Some([variable, value])) => {
                let found = self.param(&variable.text, OwnParam::Variable);
                if found.is_none() {
                    let text = format!("`{}` is no variable of this fault", variable.text);
                    let hint = format!("make it a parameter: `{} var`", variable.text);
                    self.wrong_join(text, variable.span, hint);
                }
                self.free(std::slice::from_ref(value));
                Some(At::Write(found?, value))
            }
            ("write", _) => {
                let hint = "name the variable and what is written: `write(x, v)`, or `write(x, _)`";
                self.wrong_join("`write` takes two names", span, hint);
                None
            }
            ("reached", Some([place])) => {
                let found = self.param(&place.text, OwnParam::Label);
                if found.is_none() {
                    let text = format!("`{}` is no label of this fault", place.text);
                    let hint = format!("make it a parameter: `{} label`", place.text);
                    self.wrong_join(text, place.span, hint);
                }
                found.map(At::Reached)
            }
            ("reached", _) => {
                self.wrong_join("`reached` takes one label", span, "write `reached(place)`");
                None
            }
            ("send", names) => {
                self.free(names.unwrap_or_default());
                Some(At::Send(names))
            }
            ("recv", names) => {
                self.free(names.unwrap_or_default());
                Some(At::Recv(names))
            }
            _ => {
                self.wrong_join(format!("nothing happens at `{word}`"), span, words);
                None
            }
        }
    }

    /// Names that a join gives are different from those of parameters and from each other.
    fn free(&mut self, names: &[ast::Name]) {
        for (index, name) in names.iter().enumerate() {
            let mut earlier = names[..index].iter().map(|name| &name.text);
            let mut params = self.fault.params.iter().map(|param| &param.name.text);
            let taken = earlier.any(|n| *n == name.text) || params.any(|n| *n == name.text);
            if taken && name.text != "_" {
                let text = format!("`{}` has a meaning already", name.text);
                self.wrong_join(text, name.span, "choose another name, or write `_`");
            }
        }
    }

    fn effect(&mut self, body: &'a ast::Block, at: Option<&At<'a>>) -> Option<OwnEffect<'a>> {
        let mut effect = OwnEffect::default();
        let mut skip = None;
        let mut sound = true;
        if body.stmts.is_empty() {
            let hint = "write `skip` if nothing happens instead";
            self.wrong_effect("this says nothing about what happens", body.span, hint);
            return None;
        }
        for stmt in &body.stmts {
            match &stmt.kind {
                StmtKind::Skip => skip = Some(stmt.span),
                StmtKind::Assign {
                    target,
                    op: None,
                    value,
                } => sound &= self.store(&mut effect, target, value),
                StmtKind::AssignAll {
                    targets,
                    op: None,
                    values,
                } if targets.len() == values.len() => {
                    for (target, value) in targets.iter().zip(values) {
                        sound &= self.store(&mut effect, target, value);
                    }
                }
                StmtKind::Message(message) if message.op == MessageOp::Send => {
                    sound &= self.send(&mut effect, message, at);
                }
                StmtKind::Expr(e) if is_crash(e) => {
                    effect.crash = true;
                    if self.fault.on == FaultOn::Channel {
                        let hint = "define the fault `on process`";
                        self.wrong_effect("a channel cannot crash", stmt.span, hint);
                        sound = false;
                    }
                }
                StmtKind::Error => {
                    self.log.incomplete = true;
                    self.sound = false;
                    sound = false;
                }
                _ => {
                    self.wrong_effect(
                        "a fault cannot do this",
                        stmt.span,
                        "it can assign to its variables, `send(..)`, `skip` and `crash`",
                    );
                    sound = false;
                }
            }
        }
        if let Some(span) = skip
            && body.stmts.len() > 1
        {
            let text = "`skip` means that nothing happens instead";
            self.wrong_effect(text, span, "remove it, or what stands beside it");
            sound = false;
        }
        if let (Some(span), Some(At::Anytime | At::Reached(_))) = (skip, at) {
            let text = "nothing happens here that could be left out";
            let hint = "assign to a variable, or `crash`";
            self.wrong_effect(text, span, hint);
            sound = false;
        }
        if let (Some(message), true) = (effect.sends, effect.crash) {
            let text = "a process cannot send and crash in one step";
            let hint = "crash in a join of its own: `at reached(place) { crash }`";
            self.wrong_effect(text, message.span, hint);
            sound = false;
        }
        sound.then_some(effect)
    }

    fn store(
        &mut self,
        effect: &mut OwnEffect<'a>,
        target: &'a ast::Expr,
        value: &'a ast::Expr,
    ) -> bool {
        let name = match &unparenthesised(target).kind {
            ExprKind::Name(name) => self.param(name, OwnParam::Variable),
            _ => None,
        };
        let Some(param) = name else {
            let hint = match &unparenthesised(target).kind {
                ExprKind::Name(name) => format!("make it a parameter: `{name} var`"),
                _ => "make it a parameter `x var`, and name the element in the marker".to_owned(),
            };
            let text = "only a variable that is a parameter can be assigned to";
            self.wrong_effect(text, target.span, hint);
            return false;
        };
        if effect.stores.iter().any(|(other, _)| *other == param) {
            let text = "all assignments happen at once, and this variable has one already";
            self.wrong_effect(text, target.span, "remove one of the two");
            return false;
        }
        effect.stores.push((param, value));
        true
    }

    fn send(
        &mut self,
        effect: &mut OwnEffect<'a>,
        message: &'a ast::Message,
        at: Option<&At<'a>>,
    ) -> bool {
        let wrong = match at {
            Some(At::Send(_)) | None if effect.sends.is_none() => {
                effect.sends = Some(message);
                return true;
            }
            Some(At::Send(_)) | None => "one message is sent in the place of another",
            Some(_) => "only `at send` has a message to send instead",
        };
        let hint = "write a join `at send(m) { send(..) }` for it";
        self.wrong_effect(wrong, message.span, hint);
        false
    }
}

fn is_crash(e: &ast::Expr) -> bool {
    matches!(&unparenthesised(e).kind, ExprKind::Name(name) if name == "crash")
}
