//! Specifications: their names, atoms and temporal operators.

use rustc_hash::FxHashMap;

use super::Checker;
use super::definitions::FrameId;
use super::entities::Entity;
use super::expressions::unparenthesised;
use super::scope::{Binding, Place, Role, Scope};
use crate::program::problem::{NameProblem, ProcessProblem, PropertyProblem};
use crate::program::{
    BinaryOp, Expr, ExprKind, PathOp, ProcessId, Property, SpecKind, TemporalOp, Type, Value,
    VariableId,
};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use std::rc::Rc;

/// The names of the built-in properties.
const BUILT_IN: [&str; 5] = ["deadlock", "assert", "range", "division", "index"];

impl<'a> Checker<'a> {
    /// Checks all specifications.
    pub fn properties(&mut self) {
        let specs = std::mem::take(&mut self.definitions.specs);
        let names = self.property_names(&specs);
        for (spec, name) in specs.into_iter().zip(names) {
            let mut scope = Scope::new(FrameId(0), Place::Spec(spec.kind));
            if let Some(formula) = self.expr_of(&mut scope, &spec.formula, &Type::Bool, None) {
                self.program.properties.push(Property {
                    name,
                    kind: spec.kind,
                    formula,
                    span: spec
                        .name
                        .as_ref()
                        .map_or(spec.keyword, |name| spec.keyword.to(name.span)),
                });
            }
        }
    }

    fn property_names(&mut self, specs: &[&'a ast::Spec]) -> Vec<String> {
        let mut positions: FxHashMap<SpecKind, usize> = FxHashMap::default();
        let mut seen: FxHashMap<String, (Span, bool)> = FxHashMap::default();
        let mut names = Vec::with_capacity(specs.len());
        for spec in specs {
            let position = positions.entry(spec.kind).or_default();
            *position += 1;
            let (name, span) = match &spec.name {
                Some(name) => {
                    self.check_name(name, false);
                    if BUILT_IN.contains(&name.text.as_str()) {
                        self.report(PropertyProblem::ReservedName {
                            name: name.text.clone(),
                            span: name.span,
                        });
                    }
                    (name.text.clone(), name.span)
                }
                None => (format!("{}_{position}", spec.kind.as_str()), spec.keyword),
            };
            let made = spec.name.is_none();
            if let Some((first, first_made)) = seen.get(&name) {
                // The one to rename is the one that has a name.
                let (span, first) = if made { (*first, span) } else { (span, *first) };
                let made = made || *first_made;
                self.report(PropertyProblem::DuplicateName {
                    name: name.clone(),
                    span,
                    first,
                    made,
                });
            } else {
                seen.insert(name.clone(), (span, made));
            }
            names.push(name);
        }
        names
    }

    /// `q.crashed` and `q.done` of a process parameter; `None` if the name is something else.
    pub fn process_state(
        &mut self,
        scope: &Scope<'a>,
        owner: &str,
        owner_span: Span,
        name: &ast::Name,
        span: Span,
    ) -> Option<Option<Expr>> {
        let local = self.find(scope, owner)?;
        let Binding::Process(id) = local.binding else {
            return match local.binding {
                Binding::Broken => Some(None),
                _ => None,
            };
        };
        self.uses.read.insert(local.span);
        let kind = match name.text.as_str() {
            "done" => ExprKind::Done(id),
            "crashed" => ExprKind::Crashed(id),
            field => {
                self.report(ProcessProblem::ProcessState {
                    name: owner.to_owned(),
                    field: field.to_owned(),
                    span: owner_span.to(name.span),
                });
                return Some(None);
            }
        };
        Some(Some(Expr {
            kind,
            ty: Type::Bool,
            span,
        }))
    }

    /// Whether an entry has a variable or parameter of this name, so that `D.F` means that and not a
    /// constructor.
    pub fn entry_has_variable(&self, scope: &Scope<'a>, owner: &str, name: &str) -> bool {
        if !matches!(scope.place, Place::Spec(_)) {
            return false;
        }
        match self.frames[0].entries.get(owner).map(|e| &e.entity) {
            Some(Entity::Process(id)) => {
                let instance = &self.instances[id.0 as usize];
                instance.outline.variables.contains_key(name)
                    || instance.proc.params.iter().any(|p| p.name.text == name)
            }
            _ => false,
        }
    }

    /// The process that an expression in a specification names.
    fn process_of(
        &mut self,
        scope: &mut Scope<'a>,
        base: &'a ast::Expr,
        suffix: &str,
    ) -> Option<ProcessId> {
        match self.entity(scope, base, "process")? {
            Entity::Process(id) => Some(id),
            other => {
                self.misplaced(
                    format!("{} has no {suffix}", other.what()),
                    base.span,
                    match other {
                        Entity::Processes(_) | Entity::Modules(_) => {
                            Some("name one of its elements, as in `w[0]`")
                        }
                        Entity::Module(_) => Some("name one of its processes, as in `m.w`"),
                        _ => None,
                    },
                );
                None
            }
        }
    }

    /// `p.x`, `p.x#2`, `p.done`
    pub fn variable_of(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        number: Option<u32>,
    ) -> Option<Expr> {
        if self.is_module(scope, base) {
            // `m.w` alone.
            return match self.module_entry(scope, base, name)? {
                what @ ("a process" | "a channel") => {
                    let hint = match what {
                        "a process" => format!("name one of its variables, or `.{}`", "done"),
                        _ => "write `len(..)`, `full(..)` or `empty(..)` around it".to_owned(),
                    };
                    self.report(PropertyProblem::BareEntry {
                        name: name.text.clone(),
                        what,
                        hint,
                        span,
                    });
                    None
                }
                what => {
                    self.report(PropertyProblem::BareEntry {
                        name: name.text.clone(),
                        what,
                        hint: "name one of its elements".to_owned(),
                        span,
                    });
                    None
                }
            };
        }
        let process = self.process_of(scope, base, "variables")?;
        if number.is_none() {
            let state = match name.text.as_str() {
                "done" => Some(ExprKind::Done(process)),
                "crashed" => Some(ExprKind::Crashed(process)),
                "failed" => Some(ExprKind::Failed(process)),
                _ => None,
            };
            if let Some(kind) = state {
                return Some(Expr {
                    kind,
                    ty: Type::Bool,
                    span,
                });
            }
        }
        let shown = &self.program.processes[process.0 as usize].name;
        match self.find_variable(process, &name.text, number) {
            Found::Variable(id, declared) => {
                self.uses.read.insert(declared);
                Some(Expr {
                    kind: ExprKind::Variable(id),
                    ty: self.program.variables[id.0 as usize].ty.clone(),
                    span,
                })
            }
            Found::Value(value, declared) => {
                self.uses.read.insert(declared);
                Some(Expr::constant((*value).clone(), span))
            }
            Found::Faulty => None,
            Found::NoValue(what, declared) => {
                let problem = NameProblem::NotReadable {
                    process: shown.clone(),
                    name: name.text.clone(),
                    span,
                    what,
                    declared,
                };
                self.report(problem);
                None
            }
            Found::Several(declared) => {
                let problem = NameProblem::AmbiguousVariable {
                    process: shown.clone(),
                    name: name.text.clone(),
                    span,
                    declared,
                };
                self.report(problem);
                None
            }
            Found::TooFew(count) => {
                let problem = NameProblem::NoSuchDeclaration {
                    process: shown.clone(),
                    name: name.text.clone(),
                    number: number.unwrap_or(0),
                    count,
                    span,
                };
                self.report(problem);
                None
            }
            Found::Nothing => {
                let instance = &self.instances[process.0 as usize];
                let values = instance
                    .proc
                    .params
                    .iter()
                    .zip(&instance.arguments)
                    .filter(|(_, local)| matches!(local.binding, Binding::Value(_)))
                    .map(|(param, _)| param.name.text.as_str());
                let candidates: Vec<&str> = instance
                    .outline
                    .variables
                    .keys()
                    .copied()
                    .chain(values)
                    .chain(["done", "crashed", "failed"])
                    .collect();
                let problem = NameProblem::UnknownVariable {
                    process: shown.clone(),
                    name: name.text.clone(),
                    span: name.span,
                    suggestion: self.near(&name.text, candidates),
                };
                self.report(problem);
                None
            }
        }
    }

    fn find_variable(&self, process: ProcessId, name: &str, number: Option<u32>) -> Found {
        let instance = &self.instances[process.0 as usize];
        let declared = instance.outline.variables.get(name).map(Vec::as_slice);
        let parameter = instance
            .proc
            .params
            .iter()
            .position(|param| param.name.text == name);
        let span = match (declared, number, parameter) {
            (Some([only]), None, None) => *only,
            (Some(all), None, _) => return Found::Several(all.to_vec()),
            (Some(all), Some(number), _) => {
                match (number as usize).checked_sub(1).and_then(|i| all.get(i)) {
                    Some(span) => *span,
                    None => return Found::TooFew(all.len()),
                }
            }
            (None, _, Some(index)) => {
                let Some(local) = instance.arguments.get(index) else {
                    return Found::Faulty;
                };
                return match &local.binding {
                    Binding::Value(value) => Found::Value(value.clone(), local.span),
                    Binding::Broken => Found::Faulty,
                    Binding::Process(_) => Found::NoValue("a process", local.span),
                    Binding::Channels(_) => Found::NoValue("an array of channels", local.span),
                    _ => Found::NoValue("a channel", local.span),
                };
            }
            (None, _, None) => return Found::Nothing,
        };
        match instance.variables.get(&span) {
            Some(id) => Found::Variable(*id, span),
            None => Found::Faulty,
        }
    }

    /// The type of `p.x`, without complaints.
    pub fn probe_variable(
        &self,
        scope: &Scope<'a>,
        base: &ast::Expr,
        name: &str,
        number: Option<u32>,
    ) -> Option<Type> {
        let process = match &self.probe_entity(scope, base)? {
            Entity::Process(id) => *id,
            _ => return None,
        };
        if matches!(name, "done" | "crashed" | "failed") {
            return Some(Type::Bool);
        }
        match self.find_variable(process, name, number) {
            Found::Variable(id, _) => Some(self.program.variables[id.0 as usize].ty.clone()),
            Found::Value(value, _) => Some(value.type_of()),
            _ => None,
        }
    }

    /// The entity that a name without indices, or any element of an array, denotes: all elements of an
    /// array have alike variables as a rule.
    fn probe_entity(&self, scope: &Scope<'a>, expr: &ast::Expr) -> Option<Entity> {
        match &unparenthesised(expr).kind {
            Ast::Name(name) => {
                let entries = &self.frames[scope.frame.0].entries;
                entries.get(name.as_str()).map(|e| e.entity.clone())
            }
            Ast::Index(base, _) => match self.probe_entity(scope, base)? {
                Entity::Processes(all) => all.first().map(|id| Entity::Process(*id)),
                Entity::Modules(all) => all.first().map(|id| Entity::Module(*id)),
                _ => None,
            },
            Ast::Field(base, name, None) => match self.probe_entity(scope, base)? {
                Entity::Module(frame) => self.frames[frame.0]
                    .entries
                    .get(name.text.as_str())
                    .map(|e| e.entity.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_module(&self, scope: &Scope<'a>, base: &ast::Expr) -> bool {
        matches!(self.probe_entity(scope, base), Some(Entity::Module(_)))
    }

    fn module_entry(
        &mut self,
        scope: &mut Scope<'a>,
        base: &'a ast::Expr,
        name: &ast::Name,
    ) -> Option<&'static str> {
        let Entity::Module(frame) = self.entity(scope, base, "module instance")? else {
            return None;
        };
        let frame = &self.frames[frame.0];
        match frame.entries.get(name.text.as_str()) {
            Some(entry) => Some(entry.entity.what()),
            None => {
                let suggestion = self.near(&name.text, frame.entries.keys().copied());
                let problem = NameProblem::UnknownEntry {
                    name: name.text.clone(),
                    what: "process or channel",
                    owner: Some(frame.prefix.trim_end_matches('.').to_owned()),
                    span: name.span,
                    suggestion,
                };
                self.report(problem);
                None
            }
        }
    }

    /// `p@label`
    pub fn at(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        base: &'a ast::Expr,
        label: &'a ast::Name,
    ) -> Option<Expr> {
        if !matches!(scope.place, Place::Spec(_)) {
            self.misplaced("`p@label` is for specifications", span, None);
            return None;
        }
        let process = self.process_of(scope, base, "labels")?;
        let outline = &self.instances[process.0 as usize].outline;
        match outline.label_ids.get(label.text.as_str()) {
            Some(id) => Some(Expr {
                kind: ExprKind::At(process, *id),
                ty: Type::Bool,
                span,
            }),
            None => {
                let suggestion = self.near(&label.text, outline.label_ids.keys().copied());
                self.report(NameProblem::UnknownLabel {
                    name: label.text.clone(),
                    owner: self.program.processes[process.0 as usize].name.clone(),
                    span: label.span,
                    suggestion,
                });
                None
            }
        }
    }

    /// `len(ch)`, `full(ch)`, `empty(ch)`
    pub fn buffer_state(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        let [argument] = arguments else {
            self.misplaced(format!("`{}` takes one channel", name.text), span, None);
            return None;
        };
        let id = match self.entity(scope, argument, "channel")? {
            Entity::Channel(id) => id,
            other => {
                self.report(crate::program::problem::TypeProblem::Mismatch {
                    wanted: "a channel".into(),
                    found: other.what().into(),
                    span: argument.span,
                    because: None,
                    hint: match other {
                        Entity::Channels(_) => {
                            Some("name one of its elements, as in `c[0]`".into())
                        }
                        _ => None,
                    },
                });
                return None;
            }
        };
        self.uses.asked.insert(id);
        let channel = &self.program.channels[id.0 as usize];
        let Some(capacity) = channel.capacity else {
            let problem = PropertyProblem::NoBuffer {
                function: match name.text.as_str() {
                    "len" => "len",
                    "full" => "full",
                    _ => "empty",
                },
                channel: channel.name.clone(),
                span: argument.span,
                declared: channel.span,
            };
            self.report(problem);
            return None;
        };
        let (kind, ty) = match name.text.as_str() {
            "len" => (
                ExprKind::Len(id),
                Type::Int {
                    lo: 0,
                    hi: i64::from(capacity),
                },
            ),
            "full" => (ExprKind::Full(id), Type::Bool),
            _ => (ExprKind::Empty(id), Type::Bool),
        };
        Some(Expr { kind, ty, span })
    }

    /// `forall i in range a to b { e }`: expanded to a balanced tree.
    pub fn quantified(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        quantifier: ast::Quantifier,
        var: &'a ast::Name,
        (from, to): (&'a ast::Expr, &'a ast::Expr),
        body: &'a ast::Expr,
    ) -> Option<Expr> {
        let (word, op) = match quantifier {
            ast::Quantifier::Forall => ("forall", BinaryOp::And),
            ast::Quantifier::Exists => ("exists", BinaryOp::Or),
        };
        if !matches!(scope.place, Place::Spec(_)) {
            self.misplaced(
                format!("`{word}` is for specifications"),
                span,
                Some("compute it with a loop"),
            );
            return None;
        }
        let from = self.constant_int(scope, from, "the bound of a quantifier");
        let to = self.constant_int(scope, to, "the bound of a quantifier");
        let (from, to) = (from?, to?);
        let neutral = op == BinaryOp::And;
        let mut parts = Vec::new();
        let dead = u32::from(from >= to);
        for i in from..to.max(from + 1) {
            scope.enter();
            self.declare(
                scope,
                var,
                Binding::Value(Rc::new(Value::Int(i))),
                Role::Loop,
                "variable in this block",
            );
            self.dead += dead;
            let part = self.expr_of(scope, body, &Type::Bool, None);
            self.dead -= dead;
            scope.leave();
            let part = part?;
            match part.as_const() {
                Some(Value::Bool(value)) if *value == neutral => {}
                Some(_) => return Some(Expr::constant(Value::Bool(!neutral), span)),
                None => parts.push(part),
            }
        }
        if dead > 0 {
            parts.clear();
        }
        Some(balanced(op, parts, span).unwrap_or(Expr::constant(Value::Bool(neutral), span)))
    }

    /// `G e`, `AX e` and so on.
    pub fn temporal(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: TemporalOp,
        operand: &'a ast::Expr,
    ) -> Option<Expr> {
        let branching = matches!(
            op,
            TemporalOp::AX
                | TemporalOp::AG
                | TemporalOp::AF
                | TemporalOp::EX
                | TemporalOp::EG
                | TemporalOp::EF
        );
        let legal = self.temporal_legal(scope, span, op.as_str(), branching);
        if matches!(
            op,
            TemporalOp::X | TemporalOp::Y | TemporalOp::Z | TemporalOp::AX | TemporalOp::EX
        ) && legal
        {
            let letters = op.as_str().len();
            self.report(crate::program::problem::Lint::StepCounting {
                op: op.as_str(),
                span: Span {
                    end: span.start + letters as u32,
                    ..span
                },
            });
        }
        let operand = self.expr_of(scope, operand, &Type::Bool, None)?;
        legal.then_some(Expr {
            kind: ExprKind::Temporal(op, Box::new(operand)),
            ty: Type::Bool,
            span,
        })
    }

    fn temporal_legal(
        &mut self,
        scope: &Scope<'a>,
        span: Span,
        op: &'static str,
        branching: bool,
    ) -> bool {
        let (kind, legal) = match scope.place {
            Place::Spec(kind @ SpecKind::Ctl) => (kind.as_str(), branching),
            Place::Spec(kind @ (SpecKind::Ltl | SpecKind::Assume)) => (kind.as_str(), !branching),
            Place::Spec(kind) => (kind.as_str(), false),
            Place::Process => ("proc", false),
            Place::Constant => ("const", false),
        };
        if !legal {
            self.report(PropertyProblem::Temporal { op, kind, span });
        } else if !scope.temporal {
            self.report(PropertyProblem::TemporalOperand { op, span });
            return false;
        }
        legal
    }

    /// `A (p U q)`, `E (p U q)`
    pub fn path(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: PathOp,
        inner: &'a ast::Expr,
    ) -> Option<Expr> {
        let word = match op {
            PathOp::All => "A",
            PathOp::Exists => "E",
        };
        if !self.temporal_legal(scope, span, word, true) {
            return None;
        }
        let Ast::Binary(BinaryOp::Until, left, right) = &unparenthesised(inner).kind else {
            self.report(PropertyProblem::PathForm { op: word, span });
            return None;
        };
        let left = self.expr_of(scope, left, &Type::Bool, None);
        let right = self.expr_of(scope, right, &Type::Bool, None);
        Some(Expr {
            kind: ExprKind::Path(op, Box::new(left?), Box::new(right?)),
            ty: Type::Bool,
            span,
        })
    }

    /// `p U q` and its kin.
    pub fn temporal_infix(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let legal = if op == BinaryOp::Until && scope.place == Place::Spec(SpecKind::Ctl) {
            self.report(PropertyProblem::BareUntil { span });
            false
        } else {
            self.temporal_legal(scope, span, op.as_str(), false)
        };
        let left = self.expr_of(scope, left, &Type::Bool, None);
        let right = self.expr_of(scope, right, &Type::Bool, None);
        let (left, right) = (left?, right?);
        legal.then(|| Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty: Type::Bool,
            span,
        })
    }
}

/// What `p.x` is.
enum Found {
    Variable(VariableId, Span),
    Value(Rc<Value>, Span),
    NoValue(&'static str, Span),
    Several(Vec<Span>),
    TooFew(usize),
    /// Its declaration has been complained about.
    Faulty,
    Nothing,
}

/// Joins formulas to a tree of logarithmic height.
fn balanced(op: BinaryOp, mut parts: Vec<Expr>, span: Span) -> Option<Expr> {
    while parts.len() > 1 {
        let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(a) = rest.next() {
            joined.push(match rest.next() {
                None => a,
                Some(b) => Expr {
                    kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
                    ty: Type::Bool,
                    span,
                },
            });
        }
        parts = joined;
    }
    parts.pop()
}
