//! A [`Program`] as text, for `sandalc dump program`: close to the source, but everything is spelled out.
//!
//! Loops have numbers (`for #0 { .. }`, `break #0`), unrolled ones list their iterations, and a label in one
//! has a copy per iteration (`L`, `L'1`).

mod specs;

use std::fmt::Write;

use super::{
    ChannelRef, Expr, ExprKind, FaultTarget, LabelCopy, Message, Pattern, Place, Process, Program,
    PureStmt, Step, Stmt, Type, Value, Variable, VariableId,
};
use crate::vocabulary::{Knowing, PathOp, ProcessId, UnaryOp};

/// The elaborated model as readable text.
pub fn dump(program: &Program) -> String {
    let mut out = Dump {
        program,
        text: String::new(),
        process: None,
    };
    out.model();
    out.text
}

/// A dump in the making.
pub(super) struct Dump<'p> {
    program: &'p Program,
    text: String,
    /// Whose body is being written: its own variables need no prefix.
    process: Option<ProcessId>,
}

impl<'p> Dump<'p> {
    fn model(&mut self) {
        let program = self.program;
        for data in &program.data {
            let names = data.constructors.join(", ");
            self.line(0, format_args!("data {} {{ {names} }}", data.name));
        }
        for channel in &program.channels {
            let fields: Vec<String> = channel.fields.iter().map(|ty| self.ty(ty)).collect();
            let bag = if channel.bag { "bag " } else { "" };
            let overflow = if channel.overflow { " overflow" } else { "" };
            let capacity = channel
                .capacity
                .map_or(String::new(), |n| format!("{bag}[{n}] "));
            let fields = fields.join(", ");
            self.line(
                0,
                format_args!(
                    "{}: channel {capacity}{{ {fields} }}{overflow}",
                    channel.name
                ),
            );
        }
        for detector in &program.detectors {
            let watched = &program.processes[detector.process.0 as usize].name;
            self.line(0, format_args!("{}: detector({watched})", detector.name));
        }
        let mut variables = vec![Vec::new(); program.processes.len()];
        for variable in &program.variables {
            variables[variable.process.0 as usize].push(variable);
        }
        for (index, process) in program.processes.iter().enumerate() {
            self.process = Some(ProcessId(index as u32));
            self.process(process, &variables[index]);
        }
        self.process = None;
        for fault in &program.faults {
            let max = fault.max.map_or(String::new(), |k| format!("(max = {k})"));
            let targets: Vec<&str> = fault.targets.iter().map(|t| self.target(*t)).collect();
            let marked = program.marked_names(fault);
            let name = match marked.as_slice() {
                [only] if *only == fault.name => String::new(),
                _ => format!(" as {}", fault.name),
            };
            let targets = targets.join(", ");
            self.line(
                0,
                format_args!("fault {targets} @{}{max}{name}", fault.kind.name),
            );
        }
        for limit in &program.limits {
            let items: Vec<String> = limit
                .faults
                .iter()
                .map(|id| {
                    let fault = &program.faults[id.0 as usize];
                    match program.marked_names(fault).as_slice() {
                        [only] if *only == fault.name => {
                            format!("{} @{}", self.target(fault.targets[0]), fault.kind.name)
                        }
                        _ => fault.name.clone(),
                    }
                })
                .collect();
            let items = items.join(", ");
            self.line(0, format_args!("limit {} {{ {items} }}", limit.bound));
        }
        self.properties();
    }

    fn target(&self, target: FaultTarget) -> &'p str {
        match target {
            FaultTarget::Process(id) => &self.program.processes[id.0 as usize].name,
            FaultTarget::Channel(id) => &self.program.channels[id.0 as usize].name,
            FaultTarget::Detector(id) => &self.program.detectors[id.0 as usize].name,
        }
    }

    pub(super) fn line(&mut self, depth: usize, text: std::fmt::Arguments<'_>) {
        for _ in 0..depth {
            self.text.push_str("    ");
        }
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{text}");
    }

    fn process(&mut self, process: &Process, variables: &[&Variable]) {
        self.line(
            0,
            format_args!("{}: {} {{", process.name, process.proc_name),
        );
        for variable in variables {
            let word = match (variable.durable, variable.counter) {
                (true, _) => "durable var",
                (_, true) => "hidden var",
                _ => "var",
            };
            let (ty, initial) = (self.ty(&variable.ty), self.value(&variable.initial));
            self.line(1, format_args!("{word} {} {ty} = {initial}", variable.name));
        }
        self.block(1, &process.body);
        self.line(0, format_args!("}}"));
    }

    pub(super) fn block(&mut self, depth: usize, stmts: &[Stmt]) {
        for stmt in stmts {
            for label in &stmt.labels {
                let label = self.label(*label);
                self.line(depth, format_args!("{label}:"));
            }
            self.stmt(depth, stmt);
        }
    }

    pub(super) fn braces(&mut self, depth: usize, head: std::fmt::Arguments<'_>, stmts: &[Stmt]) {
        self.line(depth, format_args!("{head} {{"));
        self.block(depth + 1, stmts);
        self.line(depth, format_args!("}}"));
    }

    pub(super) fn label(&self, label: LabelCopy) -> String {
        let process = self.process.map(|id| id.0 as usize).unwrap_or_default();
        let name = &self.program.processes[process].labels[label.label.0 as usize].name;
        match label.copy {
            0 => name.clone(),
            copy => format!("{name}'{copy}"),
        }
    }

    fn ty(&self, ty: &Type) -> String {
        ty.show(&self.program.data)
    }

    fn value(&self, value: &Value) -> String {
        value.show(&self.program.data)
    }

    pub(super) fn variable(&self, id: VariableId) -> String {
        let variable = &self.program.variables[id.0 as usize];
        if Some(variable.process) == self.process {
            return variable.name.clone();
        }
        let process = &self.program.processes[variable.process.0 as usize];
        format!("{}.{}", process.name, variable.name)
    }

    pub(super) fn place(&self, place: &Place) -> String {
        let mut text = self.variable(place.variable);
        let mut ty = &self.program.variables[place.variable.0 as usize].ty;
        for step in &place.path {
            match (step, ty) {
                (Step::Index(index), Type::Array(element, _)) => {
                    let _ = write!(text, "[{}]", self.expr(index));
                    ty = element;
                }
                (Step::Field(field), Type::Record(record)) => {
                    let field = &record.fields[*field as usize];
                    let _ = write!(text, ".{}", field.name);
                    ty = &field.ty;
                }
                _ => {}
            }
        }
        text
    }

    fn channel(&self, channel: &ChannelRef) -> String {
        let names: Vec<&str> = channel
            .channels
            .iter()
            .map(|id| self.program.channels[id.0 as usize].name.as_str())
            .collect();
        match &channel.index {
            None => names.join(", "),
            Some(index) => format!("[{}][{}]", names.join(", "), self.expr(index)),
        }
    }

    pub(super) fn message(&self, message: &Message) -> String {
        let mut parts = vec![self.channel(&message.channel)];
        parts.extend(message.values.iter().map(|value| self.expr(value)));
        let fields = &self.program.channels[message.channel.channels[0].0 as usize].fields;
        let patterns = message.targets.iter().zip(fields);
        parts.extend(patterns.map(|(pattern, ty)| self.pattern(pattern, ty)));
        format!("{}({})", message.op.as_str(), parts.join(", "))
    }

    pub(super) fn pattern(&self, pattern: &Pattern, ty: &Type) -> String {
        match pattern {
            Pattern::Any => "_".to_owned(),
            Pattern::Into(place) => self.place(place),
            Pattern::Equal(value) => format!("== {}", self.expr(value)),
            Pattern::Between(lo, hi) => format!("any({lo}..{hi})"),
            Pattern::Either(all) => {
                let all: Vec<String> = all.iter().map(|p| self.pattern(p, ty)).collect();
                format!("any({})", all.join(", "))
            }
            Pattern::Constructor(index, fields) => {
                let Type::Tagged(tagged) = ty else {
                    return String::new();
                };
                let name = &tagged.constructors[*index as usize].name;
                let fields = fields.iter().zip(tagged.fields_of(*index));
                let fields: Vec<String> = fields
                    .map(|(pattern, field)| self.pattern(pattern, &field.ty))
                    .collect();
                match fields.as_slice() {
                    [] => name.clone(),
                    fields => format!("{name}({})", fields.join(", ")),
                }
            }
        }
    }

    pub(super) fn exprs(&self, exprs: &[Expr]) -> String {
        let shown: Vec<String> = exprs.iter().map(|e| self.expr(e)).collect();
        shown.join(", ")
    }

    /// The body of a pure function, on one line.
    fn pure(&self, stmts: &[PureStmt]) -> String {
        let shown: Vec<String> = (stmts.iter())
            .map(|stmt| match stmt {
                PureStmt::Assign {
                    local,
                    indices,
                    value,
                    ..
                } => {
                    let at: String = (indices.iter())
                        .map(|index| format!("[{}]", self.expr(index)))
                        .collect();
                    format!("_{}{at} = {}", local.0, self.expr(value))
                }
                PureStmt::If {
                    condition,
                    then,
                    otherwise,
                } => format!(
                    "if {} {{ {} }} else {{ {} }}",
                    self.expr(condition),
                    self.pure(then),
                    self.pure(otherwise)
                ),
                PureStmt::Return(value) => format!("return {}", self.expr(value)),
            })
            .collect();
        shown.join("; ")
    }

    /// An expression as an operand: in parentheses if it is made with an operator.
    fn operand(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        match expr.kind {
            ExprKind::Binary(..) | ExprKind::Temporal(..) => format!("({text})"),
            _ => text,
        }
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        let process = |id: &ProcessId| &self.program.processes[id.0 as usize];
        let channel =
            |id: &crate::vocabulary::ChannelId| &self.program.channels[id.0 as usize].name;
        match &expr.kind {
            ExprKind::Const(value) => self.value(value),
            ExprKind::Variable(id) => self.variable(*id),
            ExprKind::Index(base, index) => {
                format!("{}[{}]", self.operand(base), self.expr(index))
            }
            ExprKind::Array(elements) => format!("[{}]", self.exprs(elements)),
            ExprKind::Record(values) => format!("{}{{{}}}", self.ty(&expr.ty), self.exprs(values)),
            ExprKind::Build(index, values) => match &expr.ty {
                Type::Tagged(tagged) => {
                    let name = &tagged.constructors[*index as usize].name;
                    format!("{name}({})", self.exprs(values))
                }
                _ => String::new(),
            },
            ExprKind::Field(base, field) => {
                let name = match &base.ty {
                    Type::Record(record) => &record.fields[*field as usize].name,
                    Type::Tagged(tagged) => &tagged.fields[*field as usize].name,
                    _ => return String::new(),
                };
                format!("{}.{name}", self.operand(base))
            }
            ExprKind::Is(base, index) => {
                let name = match &base.ty {
                    Type::Tagged(tagged) => &tagged.constructors[*index as usize].name,
                    Type::Data(id) => {
                        &self.program.data[id.0 as usize].constructors[*index as usize]
                    }
                    _ => return String::new(),
                };
                format!("{} is {name}", self.operand(base))
            }
            ExprKind::Unary(UnaryOp::Not, e) => format!("!{}", self.operand(e)),
            ExprKind::Unary(UnaryOp::Neg, e) => format!("-{}", self.operand(e)),
            ExprKind::Binary(op, a, b) => {
                format!("{} {} {}", self.operand(a), op.as_str(), self.operand(b))
            }
            ExprKind::If(c, a, b) => format!(
                "(if {} then {} else {})",
                self.expr(c),
                self.expr(a),
                self.expr(b)
            ),
            ExprKind::Max(a, b) => format!("max({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Min(a, b) => format!("min({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Local(local) => format!("_{}", local.0),
            ExprKind::Fit(inner) => format!("{}({})", self.ty(&expr.ty), self.expr(inner)),
            ExprKind::Call(call) => {
                let arguments: Vec<String> = (call.arguments.iter())
                    .map(|(local, e)| format!("_{} = {}", local.0, self.expr(e)))
                    .collect();
                let body = self.pure(&call.body);
                format!("{}({}) {{ {body} }}", call.name, arguments.join(", "))
            }
            ExprKind::Message(message) => self.message(message),
            ExprKind::Done(id) => format!("{}.done", process(id).name),
            ExprKind::Crashed(id) => format!("{}.crashed", process(id).name),
            ExprKind::Suspects(id) => {
                format!("suspects({})", self.program.detectors[id.0 as usize].name)
            }
            ExprKind::Event(_, event) => self.event(event),
            ExprKind::OfFault(aspect, faults) => {
                let names = faults
                    .iter()
                    .map(|f| self.program.faults[f.0 as usize].name.as_str());
                let names: Vec<&str> = names.collect();
                format!("{}({})", aspect.as_str(), names.join(", "))
            }
            ExprKind::Ticked => "clock.ticked".to_owned(),
            ExprKind::Waiting(id) => format!("{}.waiting", process(id).name),
            ExprKind::Failed(id) => format!("{}.failed", process(id).name),
            ExprKind::At(id, label) => {
                let process = process(id);
                format!("{}@{}", process.name, process.labels[label.0 as usize].name)
            }
            ExprKind::Len(id) => format!("len({})", channel(id)),
            ExprKind::Full(id) => format!("full({})", channel(id)),
            ExprKind::Empty(id) => format!("empty({})", channel(id)),
            ExprKind::Knows(knows) => {
                let names = knows.processes.iter().map(|p| process(p).name.as_str());
                let (word, what) = (knows.how.as_str(), self.expr(&knows.what));
                let names = names.collect::<Vec<_>>().join(", ");
                match knows.how {
                    Knowing::Own => format!("{word}({names}, {what})"),
                    _ => format!("{word}({names}: {what})"),
                }
            }
            ExprKind::Temporal(op, e) => format!("{} {}", op.as_str(), self.operand(e)),
            ExprKind::Path(op, a, b) => {
                let word = match op {
                    PathOp::All => "A",
                    PathOp::Exists => "E",
                };
                format!("{word} ({} U {})", self.operand(a), self.operand(b))
            }
        }
    }
}
