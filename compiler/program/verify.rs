//! The invariants of a [`Program`], on which every later step relies:
//!
//! - every id is that of something in the program; a process uses only its own variables;
//! - initial values are of their variables' types, and bounds of types lie inside the computable integers;
//! - an expression's type is what its operator yields, and the range of an integer covers what interval
//!   arithmetic gives for its operands;
//! - conditions, assertions and properties are truth values; temporal operators, locations, buffers and
//!   `failed` stand in properties only, messages in bodies only, and none to the right of `&&` or `||`;
//! - an operation names one channel, or several and an index; they have the same fields, for each of which it
//!   has one value or pattern of the same shape; what needs a buffer has one;
//! - a `select` has at least one case, and of `timeout` and `default` at most one, without a condition;
//! - every loop has a number of its own; `break` and `continue` name a loop around them;
//! - every copy of a label stands before one statement, and `goto` names a copy that exists;
//! - a fault fits what it happens to, and no two faults have one name; limits name faults.

mod operator;
mod pattern;
mod types;

use rustc_hash::FxHashSet;
use types::well_formed;

use super::fault::Marks;
use super::{
    ChannelRef, Expr, ExprKind, FaultTarget, LabelCopy, LoopId, Message, Place, Program, Says,
    Step, Stmt, Type, VariableId,
};
use crate::vocabulary::{Knowing, MessageOp, ProcessId, SpecKind, UnaryOp};

/// Checks the invariants; says which one is broken, and where.
///
/// # Errors
/// If one is broken, which is a mistake of the compiler.
pub fn verify(program: &Program) -> Result<(), String> {
    for variable in &program.variables {
        require(
            (variable.process.0 as usize) < program.processes.len(),
            "a variable has a process",
        )?;
        well_formed(&variable.ty)?;
        if !variable.ty.contains(&variable.initial) {
            return Err(format!("`{}` starts outside its type", variable.name));
        }
    }
    for channel in &program.channels {
        channel.fields.iter().try_for_each(well_formed)?;
        require(channel.capacity != Some(0), "buffers have room")?;
    }
    for (index, process) in program.processes.iter().enumerate() {
        let mut verify = Verify {
            program,
            process: Some(ProcessId(index as u32)),
            ..Verify::new(program)
        };
        verify
            .block(&process.body)
            .and_then(|()| verify.jumps())
            .map_err(|why| format!("process `{}`: {why}", process.name))?;
    }
    for property in &program.properties {
        let verify = Verify::new(program);
        let protocol = matches!(property.says, Says::Protocol(_));
        for expr in property.exprs() {
            require(protocol || expr.ty == Type::Bool, "properties are bool")
                .and_then(|()| verify.expr(expr, false))
                .map_err(|why| format!("property `{}`: {why}", property.name))?;
        }
        require(
            property.tolerated.is_some() == (property.kind == SpecKind::Tolerant),
            "`tolerant` says what is tolerated, and nothing else does",
        )?;
    }
    for detector in &program.detectors {
        let watched = detector.process.0 as usize;
        require(
            watched < program.processes.len(),
            "a detector watches a process",
        )?;
    }
    faults(program)
}

pub(super) fn require(holds: bool, what: &str) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(format!("it does not hold that {what}"))
    }
}

fn faults(program: &Program) -> Result<(), String> {
    let mut seen = FxHashSet::default();
    for fault in &program.faults {
        let fits = |target: &FaultTarget| match *target {
            FaultTarget::Process(id) => {
                (id.0 as usize) < program.processes.len() && fault.kind.marks.process()
            }
            FaultTarget::Detector(id) => {
                (id.0 as usize) < program.detectors.len() && fault.kind.marks == Marks::Detector
            }
            FaultTarget::Channel(id) => {
                program.channels.get(id.0 as usize).is_some_and(|channel| {
                    let buffered = channel.capacity.is_some();
                    fault.kind.marks.channel(buffered, channel.bag)
                })
            }
        };
        let all = !fault.targets.is_empty() && fault.targets.iter().all(fits);
        require(all, "faults fit what they happen to")?;
        require(
            seen.insert(fault.name.as_str()),
            "names of faults are unique",
        )?;
    }
    for limit in &program.limits {
        for id in &limit.faults {
            require((id.0 as usize) < program.faults.len(), "limits name faults")?;
        }
    }
    Ok(())
}

/// A check in the making.
pub(super) struct Verify<'p> {
    pub(super) program: &'p Program,
    /// `None` in properties.
    process: Option<ProcessId>,
    pub(super) loops: Vec<LoopId>,
    known_loops: FxHashSet<LoopId>,
    labels: FxHashSet<LabelCopy>,
    pub(super) gotos: Vec<LabelCopy>,
}

impl<'p> Verify<'p> {
    fn new(program: &'p Program) -> Self {
        Verify {
            program,
            process: None,
            loops: Vec::new(),
            known_loops: FxHashSet::default(),
            labels: FxHashSet::default(),
            gotos: Vec::new(),
        }
    }

    fn jumps(&self) -> Result<(), String> {
        for goto in &self.gotos {
            require(self.labels.contains(goto), "jumps lead somewhere")?;
        }
        Ok(())
    }

    pub(super) fn block(&mut self, stmts: &[Stmt]) -> Result<(), String> {
        for stmt in stmts {
            for label in &stmt.labels {
                require(self.labels.insert(*label), "a label stands once")?;
            }
            self.stmt(stmt)
                .map_err(|why| format!("{why} ({:?})", stmt.span))?;
        }
        Ok(())
    }

    pub(super) fn in_loop(
        &mut self,
        ids: &[LoopId],
        f: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        for id in ids {
            self.loops.push(*id);
        }
        f(self)?;
        self.loops.truncate(self.loops.len() - ids.len());
        Ok(())
    }

    pub(super) fn new_loop(&mut self, id: LoopId) -> Result<(), String> {
        require(self.known_loops.insert(id), "loops have their own numbers")
    }

    pub(super) fn variable(&self, id: VariableId) -> Result<(), String> {
        match self.program.variables.get(id.0 as usize) {
            None => Err("a variable does not exist".into()),
            Some(variable) => require(
                self.process
                    .is_none_or(|process| variable.process == process),
                "processes use their own variables",
            ),
        }
    }

    pub(super) fn place(&self, place: &Place) -> Result<(), String> {
        self.variable(place.variable)?;
        let mut ty = &self.program.variables[place.variable.0 as usize].ty;
        for step in &place.path {
            match (step, ty) {
                (Step::Index(index), Type::Array(element, _)) => {
                    self.integer(index)?;
                    ty = element;
                }
                (Step::Field(field), Type::Record(record)) => {
                    match record.fields.get(*field as usize) {
                        Some(field) => ty = &field.ty,
                        None => return Err("a field that does not exist".into()),
                    }
                }
                _ => return Err("a part of something that has none".into()),
            }
        }
        require(*ty == place.ty, "a place has the type of its variable")
    }

    pub(super) fn condition(&self, expr: &Expr) -> Result<(), String> {
        require(expr.ty == Type::Bool, "conditions are truth values")?;
        self.expr(expr, true)
    }

    pub(super) fn integer(&self, expr: &Expr) -> Result<(), String> {
        require(expr.ty.range().is_some(), "this is an integer")?;
        self.expr(expr, false)
    }

    pub(super) fn buffered(&self, channel: &ChannelRef) -> Result<(), String> {
        require(
            channel
                .channels
                .iter()
                .all(|id| self.program.channels[id.0 as usize].capacity.is_some()),
            "there is a buffer",
        )
    }

    pub(super) fn message(&self, message: &Message) -> Result<(), String> {
        let channel = &message.channel;
        require(!channel.channels.is_empty(), "there is a channel")?;
        match &channel.index {
            None => require(channel.channels.len() == 1, "there is one channel")?,
            Some(index) => self.integer(index)?,
        }
        let mut fields = None;
        for id in &channel.channels {
            let Some(channel) = self.program.channels.get(id.0 as usize) else {
                return Err("a channel does not exist".into());
            };
            let same = fields.is_none_or(|fields| fields == &channel.fields);
            require(same, "candidates have the same fields")?;
            fields = Some(&channel.fields);
        }
        let fields = fields.map(Vec::as_slice).unwrap_or_default();
        if message.op == MessageOp::NonblockSend {
            self.buffered(channel)?;
        }
        let (values, targets) = (&message.values, &message.targets);
        if message.op.is_send() {
            require(
                values.len() == fields.len() && targets.is_empty(),
                "there is a value for each field",
            )?;
        } else {
            require(
                targets.len() == fields.len() && values.is_empty(),
                "there is a target for each field",
            )?;
        }
        for (value, field) in values.iter().zip(fields) {
            self.expr(value, true)?;
            require(value.ty.same_shape(field), "values fit their fields")?;
        }
        for (target, field) in targets.iter().zip(fields) {
            self.pattern(target, field)?;
        }
        Ok(())
    }

    /// `messages` says whether a messaging expression may stand here.
    pub(super) fn expr(&self, expr: &Expr, messages: bool) -> Result<(), String> {
        if let Some(range) = expr.ty.range() {
            require(range.is_computable(), "ranges are computable")?;
        }
        let in_property = self.process.is_none();
        match &expr.kind {
            ExprKind::Const(value) => require(
                value.type_of() == expr.ty,
                "a constant has the type of its value",
            ),
            ExprKind::Variable(id) => {
                self.variable(*id)?;
                let ty = &self.program.variables[id.0 as usize].ty;
                require(expr.ty.same_shape(ty), "a variable has its type")
            }
            ExprKind::Index(base, index) => {
                self.expr(base, messages)?;
                self.integer(index)?;
                match &base.ty {
                    Type::Array(element, _) => {
                        require(**element == expr.ty, "an element has its type")
                    }
                    _ => Err("an index into no array".into()),
                }
            }
            ExprKind::Array(elements) => {
                elements.iter().try_for_each(|e| self.expr(e, messages))?;
                let Type::Array(element, length) = &expr.ty else {
                    return Err("an array has another type".into());
                };
                require(
                    *length as usize == elements.len()
                        && elements.iter().all(|e| e.ty.same_shape(element)),
                    "an array has the type of its elements",
                )
            }
            ExprKind::Record(values) => {
                let Type::Record(record) = &expr.ty else {
                    return Err("a record has another type".into());
                };
                let fields: Vec<&Type> = record.fields.iter().map(|field| &field.ty).collect();
                self.fields(values, &fields, messages)
            }
            ExprKind::Build(index, values) => {
                let Type::Tagged(tagged) = &expr.ty else {
                    return Err("a message has another type".into());
                };
                require(
                    (*index as usize) < tagged.constructors.len(),
                    "constructors exist",
                )?;
                let fields: Vec<&Type> = tagged.fields_of(*index).map(|field| &field.ty).collect();
                self.fields(values, &fields, messages)
            }
            ExprKind::Field(base, field) => {
                self.expr(base, messages)?;
                let fields = match &base.ty {
                    Type::Record(record) => &record.fields,
                    Type::Tagged(tagged) => &tagged.fields,
                    _ => return Err("a field of something that has none".into()),
                };
                let found = fields.get(*field as usize);
                require(
                    found.is_some_and(|field| field.ty == expr.ty),
                    "a field has its type",
                )
            }
            ExprKind::Is(base, index) => {
                self.expr(base, messages)?;
                let count = match &base.ty {
                    Type::Tagged(tagged) => tagged.constructors.len(),
                    Type::Data(id) => self.program.data[id.0 as usize].constructors.len(),
                    _ => return Err("a constructor of something that has none".into()),
                };
                require(
                    (*index as usize) < count && expr.ty == Type::Bool,
                    "constructors exist",
                )
            }
            ExprKind::Unary(op, operand) => {
                self.expr(operand, messages)?;
                let expected = match (op, operand.ty.range()) {
                    (UnaryOp::Not, None) => Type::Bool,
                    (UnaryOp::Neg, Some(range)) => Type::int(range.negate()),
                    _ => return Err("an operand has another type".into()),
                };
                require(expr.ty == expected, "a prefix operator yields its type")
            }
            ExprKind::Binary(op, a, b) => self.binary(expr, *op, a, b, messages),
            ExprKind::If(c, a, b) => {
                require(c.ty == Type::Bool, "conditions are truth values")?;
                require(
                    a.ty.same_shape(&expr.ty) && b.ty.same_shape(&expr.ty),
                    "both branches have the type",
                )?;
                [c, a, b].into_iter().try_for_each(|e| self.expr(e, false))
            }
            ExprKind::Max(a, b) | ExprKind::Min(a, b) => {
                require(expr.ty.range().is_some(), "this is an integer")?;
                self.integer(a)?;
                self.integer(b)
            }
            ExprKind::Local(_) => Ok(()),
            ExprKind::Fit(inner) => {
                require(
                    inner.ty.same_shape(&expr.ty),
                    "what is checked has the shape",
                )?;
                self.expr(inner, false)
            }
            ExprKind::Call(call) => {
                for (_, argument) in &call.arguments {
                    self.expr(argument, false)?;
                }
                self.pure(&call.body, &expr.ty)
            }
            ExprKind::Message(message) => {
                require(
                    messages && !in_property && message.op.is_expression(),
                    "a messaging expression may stand here",
                )?;
                self.message(message)
            }
            ExprKind::Done(id) | ExprKind::Crashed(id) => require(
                (id.0 as usize) < self.program.processes.len(),
                "processes exist",
            ),
            ExprKind::Suspects(id) => require(
                (id.0 as usize) < self.program.detectors.len(),
                "detectors exist",
            ),
            ExprKind::Event(_, event) => {
                require(in_property, "properties ask for events")?;
                let mut values = event.values().into_iter();
                values.try_for_each(|e| self.expr(e, false))
            }
            ExprKind::OfFault(_, faults) => require(
                faults
                    .iter()
                    .all(|f| (f.0 as usize) < self.program.faults.len()),
                "specifications name faults",
            ),
            ExprKind::Ticked => require(in_property, "properties ask the clock"),
            ExprKind::Failed(id) | ExprKind::Waiting(id) => require(
                in_property && (id.0 as usize) < self.program.processes.len(),
                "properties ask for failures and for who waits",
            ),
            ExprKind::At(id, label) => require(
                in_property
                    && self
                        .program
                        .processes
                        .get(id.0 as usize)
                        .is_some_and(|process| (label.0 as usize) < process.labels.len()),
                "properties ask for labels",
            ),
            ExprKind::Len(id) | ExprKind::Full(id) | ExprKind::Empty(id) => require(
                in_property
                    && self
                        .program
                        .channels
                        .get(id.0 as usize)
                        .is_some_and(|channel| channel.capacity.is_some()),
                "properties ask for buffers",
            ),
            ExprKind::Knows(knows) => {
                let known = |p: &ProcessId| (p.0 as usize) < self.program.processes.len();
                let alone = knows.how != Knowing::Own || knows.processes.len() == 1;
                require(
                    in_property && alone && knows.processes.iter().all(known),
                    "properties ask what processes know",
                )?;
                require(knows.what.ty == Type::Bool, "formulas are known")?;
                self.expr(&knows.what, false)
            }
            ExprKind::Temporal(_, operand) => {
                require(in_property && operand.ty == Type::Bool, "formulas are bool")?;
                self.expr(operand, false)
            }
            ExprKind::Path(_, a, b) => {
                require(
                    in_property && a.ty == Type::Bool && b.ty == Type::Bool,
                    "formulas are bool",
                )?;
                self.expr(a, false)?;
                self.expr(b, false)
            }
        }
    }
}
