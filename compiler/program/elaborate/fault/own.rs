//! Markers of faults that the model defines: the definition, written out for what is marked.

use std::rc::Rc;

use super::argument::part;
use crate::program::elaborate::declare::{At, OwnFault, OwnJoin, OwnParam};
use crate::program::elaborate::expr::{Context, Expressions, Site, unparenthesised};
use crate::program::elaborate::init::TOP;
use crate::program::elaborate::scope::{Binding, Role, Scope};
use crate::program::problem::{EntryProblem, FaultProblem, TypeProblem};
use crate::program::{Acts, Effect, Expr, ExprKind, FaultTarget, FaultVariable, Join, LocalId};
use crate::program::{Passing, Rhs, Stmt, Trigger, Type, Value, Within};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{ChannelId, LabelId, ProcessId};

/// What a parameter stands for.
enum Given {
    Variable(FaultVariable, Type),
    Label(LabelId),
    Value(Rc<Value>),
}

/// The joins of a fault, and its arguments as they are shown.
type Joined = (Vec<Join>, Vec<String>);

impl<'a> Expressions<'_, 'a> {
    /// What a marker of such a fault does to everything that it marks.
    pub fn own_joins(
        &mut self,
        own: &'a OwnFault<'a>,
        marker: &'a ast::Marker,
        args: &[&'a ast::MarkerArg],
        targets: &[FaultTarget],
        bodies: &[Vec<Stmt>],
    ) -> Option<Joined> {
        let params = &own.ast.params;
        if args.len() != params.len() {
            self.log.report(FaultProblem::Count {
                marker: marker.name.text.clone(),
                wanted: params.len(),
                found: args.len(),
                span: marker.span,
                declared: own.ast.name.span,
            });
            return None;
        }
        let mut joins = Vec::new();
        let mut names = Vec::new();
        let mut sound = own.sound;
        for target in targets {
            let given: Vec<Option<(Given, String)>> = (params.iter().zip(args))
                .map(|(param, arg)| self.given(param, arg, *target, marker))
                .collect();
            let given = given.into_iter().collect::<Option<Vec<_>>>()?;
            let (given, shown): (Vec<Given>, Vec<String>) = given.into_iter().unzip();
            names = shown;
            for join in &own.joins {
                match self.own_join(own, join, &given, *target, marker, bodies) {
                    Some(found) => joins.extend(found),
                    None => sound = false,
                }
            }
        }
        sound.then_some((joins, names))
    }

    /// What an argument stands for, and how it is shown.
    fn given(
        &mut self,
        param: &'a ast::Param,
        arg: &'a ast::MarkerArg,
        target: FaultTarget,
        marker: &ast::Marker,
    ) -> Option<(Given, String)> {
        let value = &arg.value;
        match (OwnParam::of(param), target) {
            (OwnParam::Variable, FaultTarget::Process(process)) => {
                let (variable, ty, shown) = self.fault_variable(process, value)?;
                let plain = |ty: &Type| matches!(ty, Type::Bool | Type::Int { .. } | Type::Data(_));
                if !plain(&ty) {
                    self.log.report(EntryProblem::WrongVariable {
                        marker: marker.name.text.clone(),
                        wanted: "a single value without fields",
                        found: self.decls.describe(&ty),
                        span: arg.span,
                        part: part(&ty, &shown, &plain),
                    });
                    return None;
                }
                Some((Given::Variable(variable, ty), shown))
            }
            (OwnParam::Label, FaultTarget::Process(process)) => {
                let ast::ExprKind::Name(text) = &unparenthesised(value).kind else {
                    let hint = Some("write the name of a label of the process");
                    self.log.misplaced("this is no label", arg.span, hint);
                    return None;
                };
                let (text, span) = (text.clone(), value.span);
                let name = ast::Name { text, span };
                match self.label_of(process, &name.text, span, &name)?.kind {
                    ExprKind::At(_, label) => Some((Given::Label(label), name.text)),
                    _ => None,
                }
            }
            (OwnParam::Variable | OwnParam::Label, _) => None,
            (OwnParam::Constant, _) => {
                let value = self.constant(value, None, "the argument of a fault")?;
                let shown = value.show(&self.decls.data);
                Some((Given::Value(Rc::new(value)), shown))
            }
            (OwnParam::Value, _) => {
                let mut scope = Scope::new(TOP);
                let ty = self.inside(&mut scope).value_type(&param.ty)?;
                let because = (
                    param.name.span,
                    format!("`{}` declared here", param.name.text),
                );
                let value = self.constant_of_type(value, &ty, because)?;
                let shown = value.show(&self.decls.data);
                Some((Given::Value(Rc::new(value)), shown))
            }
        }
    }

    /// A join for one entry: at messages one for each channel that is used.
    fn own_join(
        &mut self,
        own: &'a OwnFault<'a>,
        join: &'a OwnJoin<'a>,
        given: &[Given],
        target: FaultTarget,
        marker: &'a ast::Marker,
        bodies: &[Vec<Stmt>],
    ) -> Option<Vec<Join>> {
        let mut scope = Scope::new(TOP);
        for (param, given) in own.ast.params.iter().zip(given) {
            let binding = match given {
                Given::Value(value) => Binding::Value(value.clone()),
                Given::Label(_) => continue,
                Given::Variable(variable, ty) => {
                    Binding::Element(Rc::new(self.read(variable, ty, param.name.span)))
                }
            };
            let (name, span) = (&param.name.text, param.name.span);
            scope.bind(name, binding, Role::Parameter, span);
        }
        let context = Context {
            opposites: true,
            ..Context::new(Site::Process).without_messages("a fault")
        };
        let mut exprs = Expressions {
            context,
            ..self.inside(&mut scope)
        };
        let process = match target {
            FaultTarget::Process(id) => Some(id),
            _ => None,
        };
        let variable = |param: usize| match &given[param] {
            Given::Variable(variable, ty) => Some((variable.clone(), ty.clone())),
            _ => None,
        };
        match &join.at {
            At::Write(param, value) => {
                let (variable, ty) = variable(*param)?;
                let local = exprs.join_name(value, &ty);
                let trigger = Trigger::Write {
                    process: process?,
                    variable,
                    value: local,
                };
                Some(vec![exprs.joined(own, join, given, trigger, None, marker)?])
            }
            At::Reached(param) => {
                let Given::Label(label) = given[*param] else {
                    return None;
                };
                let trigger = Trigger::Reached(process?, label);
                Some(vec![exprs.joined(own, join, given, trigger, None, marker)?])
            }
            At::Anytime => {
                let trigger = Trigger::Anytime(process?);
                Some(vec![exprs.joined(own, join, given, trigger, None, marker)?])
            }
            At::Send(names) | At::Recv(names) => {
                let sends = matches!(join.at, At::Send(_));
                let mut all = Vec::new();
                for channel in exprs.channels_of(target, sends, bodies) {
                    exprs.scope.enter();
                    let passing = exprs.passing(process, channel, *names, marker.span);
                    let one = passing.and_then(|passing| {
                        let trigger = match sends {
                            true => Trigger::Send(passing),
                            false => Trigger::Receive(passing),
                        };
                        exprs.joined(own, join, given, trigger, Some(channel), marker)
                    });
                    exprs.scope.leave();
                    all.push(one?);
                }
                Some(all)
            }
        }
    }

    /// The value of a variable, or of a part of it.
    fn read(&self, variable: &FaultVariable, ty: &Type, span: Span) -> Expr {
        let whole = Expr {
            kind: ExprKind::Variable(variable.variable),
            ty: self.variables.get(variable.variable).ty.clone(),
            span,
        };
        let found = variable.path.iter().fold(whole, |base, part| {
            let ty = part.of(&base.ty).0.clone();
            let kind = match *part {
                Within::Element(index) => {
                    let index = Expr::constant(Value::Int(i64::from(index)), span);
                    ExprKind::Index(Box::new(base), Box::new(index))
                }
                Within::Field(field) => ExprKind::Field(Box::new(base), field),
            };
            Expr { kind, ty, span }
        });
        debug_assert_eq!(found.ty, *ty);
        found
    }

    /// Makes a name of a join known.
    fn join_name(&mut self, name: &'a ast::Name, ty: &Type) -> LocalId {
        let local = self.new_local();
        if name.text != "_" {
            let binding = Binding::Local(local, Rc::new(ty.clone()));
            self.scope.bind(&name.text, binding, Role::Field, name.span);
        }
        local
    }

    /// The channels that a fault of messages is about.
    fn channels_of(
        &self,
        target: FaultTarget,
        sends: bool,
        bodies: &[Vec<Stmt>],
    ) -> Vec<ChannelId> {
        match target {
            FaultTarget::Channel(id) => vec![id],
            FaultTarget::Detector(_) => Vec::new(),
            FaultTarget::Process(id) => {
                let acts = bodies.get(id.0 as usize).map(|body| Acts::of(body));
                let acts = acts.unwrap_or_default();
                let used = if sends { acts.sends } else { acts.receives };
                let mut used: Vec<ChannelId> = used.into_iter().collect();
                used.sort_unstable();
                used
            }
        }
    }

    fn passing(
        &mut self,
        process: Option<ProcessId>,
        channel: ChannelId,
        names: Option<&'a [ast::Name]>,
        marker: Span,
    ) -> Option<Passing> {
        let fields = self.made.channels[channel.0 as usize].fields.clone();
        let mut locals = Vec::new();
        if let Some(names) = names {
            if names.len() != fields.len() {
                let span = names.iter().map(|name| name.span).reduce(Span::to);
                self.log.report(FaultProblem::Fields {
                    what: "name",
                    channel: self.made.channels[channel.0 as usize].name.clone(),
                    wanted: fields.len(),
                    found: names.len(),
                    span: span.unwrap_or(marker),
                    marker,
                });
                return None;
            }
            let each = names.iter().zip(&fields);
            locals = each.map(|(name, ty)| self.join_name(name, ty)).collect();
        }
        Some(Passing {
            process,
            channel,
            fields: locals,
        })
    }

    fn joined(
        &mut self,
        own: &'a OwnFault<'a>,
        join: &'a OwnJoin<'a>,
        given: &[Given],
        trigger: Trigger,
        channel: Option<ChannelId>,
        marker: &ast::Marker,
    ) -> Option<Join> {
        let condition = match join.condition {
            Some(condition) => Some(self.expr_of(condition, &Type::Bool, None)?),
            None => None,
        };
        let mut stores = Vec::new();
        for (param, value) in &join.effect.stores {
            let Given::Variable(variable, ty) = &given[*param] else {
                return None;
            };
            let name = &own.ast.params[*param].name;
            let because = (name.span, format!("because of `{}`", name.text));
            let value = self.right_side(value, ty, because)?;
            self.fits_somehow(ty, &value)?;
            stores.push((variable.clone(), value));
        }
        let message = match (join.effect.sends, channel) {
            (Some(message), Some(channel)) => {
                Some(self.sent_instead(message, channel, marker.span)?)
            }
            _ => None,
        };
        Some(Join {
            trigger,
            condition,
            effect: Effect {
                stores,
                message,
                crashes: join.effect.crash,
            },
            span: join.span,
        })
    }

    /// `send(e..)`
    fn sent_instead(
        &mut self,
        message: &'a ast::Message,
        id: ChannelId,
        marker: Span,
    ) -> Option<Vec<Rhs>> {
        let channel = &self.made.channels[id.0 as usize];
        let (fields, name, declared) = (channel.fields.clone(), channel.name.clone(), channel.span);
        if message.args.len() != fields.len() {
            self.log.report(FaultProblem::Fields {
                what: "value",
                channel: name,
                wanted: fields.len(),
                found: message.args.len(),
                span: message.span,
                marker,
            });
            return None;
        }
        let each = message.args.iter().zip(&fields);
        let values: Vec<Option<Rhs>> = each
            .map(|(value, ty)| {
                let because = (declared, format!("because of `{name}`"));
                let value = self.right_side(value, ty, because)?;
                self.fits_somehow(ty, &value)?;
                Some(value)
            })
            .collect();
        values.into_iter().collect()
    }

    /// Whether a constant that is stored is a value of the type.
    fn fits_somehow(&mut self, ty: &Type, value: &Rhs) -> Option<()> {
        if let Rhs::Expr(e) = value
            && let ExprKind::Const(value) = &e.kind
            && !ty.contains(value)
        {
            self.log.report_value(TypeProblem::Outside {
                value: value.show(&self.decls.data),
                ty: ty.show(&self.decls.data),
                span: e.span,
                because: None,
            });
            return None;
        }
        Some(())
    }
}
