//! Looks up the names in expressions, types, entries and markers.

use super::resolve::Resolver;
use super::{DefId, Kind, Ty};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::vocabulary::BinaryOp;

impl Resolver<'_> {
    /// What a plain name stands for; constructors are looked for elsewhere.
    pub fn lookup(&self, name: &str) -> Option<DefId> {
        let local = self.locals.iter().rev().find(|(known, _)| known == name);
        if let Some((_, id)) = local {
            return Some(*id);
        }
        for module in self.inside.iter().rev() {
            let frame = &self.modules[module];
            let entry = frame.entries.get(name).filter(|_| self.entries);
            if let Some(id) = entry.or_else(|| frame.names.get(name)) {
                return Some(*id);
            }
        }
        let entry = self.frames[0].entries.get(name);
        let entry = entry.filter(|_| self.entries && self.inside.is_empty());
        let found = entry.copied().or_else(|| self.top(name));
        found.or_else(|| self.fault_names.get(name).copied().filter(|_| self.entries))
    }

    /// A definition of the top level: of this file, else of those it imports, else of any.
    pub fn top(&self, name: &str) -> Option<DefId> {
        if let Some((alias, name)) = name.split_once('.') {
            return self.qualified(alias, name);
        }
        let defines = |file: &usize| self.frames[*file].names.contains_key(name);
        let all: Vec<usize> = (0..self.frames.len()).filter(defines).collect();
        self.nearest(&all, name)
    }

    /// `link.Sender`
    fn qualified(&self, alias: &str, name: &str) -> Option<DefId> {
        let all: Vec<usize> = (1..self.frames.len())
            .filter(|file| self.aliases[*file] == alias)
            .filter(|file| self.frames[*file].names.contains_key(name))
            .collect();
        self.nearest(&all, name)
    }

    fn nearest(&self, all: &[usize], name: &str) -> Option<DefId> {
        let imports = &self.imports[self.file];
        let direct: Vec<usize> = (all.iter().copied())
            .filter(|file| imports.contains(file))
            .collect();
        let found = match (all.contains(&self.file), direct.as_slice(), all) {
            (true, ..) => self.file,
            (false, [only], _) | (false, [], [only]) => *only,
            _ => return None,
        };
        self.frames[found].names.get(name).copied()
    }

    /// Notes which constructor a name is, where a value of a type is expected.
    pub fn constructor(&mut self, name: &str, span: Span, want: &Ty) -> Option<DefId> {
        let all = self.constructors.get(name)?;
        let wanted = self.index.plain(want);
        let fits = |id: &&DefId| match (&wanted, self.index[**id].owner) {
            (Ty::Named(wanted), Some(owner)) => *wanted == owner,
            _ => false,
        };
        let found = all.iter().find(fits).copied();
        let found = found.or_else(|| (all.len() == 1).then(|| all[0]));
        match found {
            Some(id) => self.note(span, id, false),
            None => self.index.unknown.push(span),
        }
        found
    }

    /// `D.A`
    pub fn constructor_of(&mut self, base: &Expr, name: &Name) -> Option<DefId> {
        let data = self.data_of(base)?;
        let id = self.member(data, &name.text, &[Kind::Constructor])?;
        self.note_base(base, data);
        self.note(name.span, id, false);
        Some(id)
    }

    /// The type that `D` or `link.D` names.
    fn data_of(&self, base: &Expr) -> Option<DefId> {
        let id = match &base.kind {
            ExprKind::Name(name) => self.lookup(name).or_else(|| self.top(name))?,
            ExprKind::Field(alias, name, None) => match &alias.kind {
                ExprKind::Name(alias) => self.qualified(alias, &name.text)?,
                _ => return None,
            },
            ExprKind::Paren(inner) => return self.data_of(inner),
            _ => return None,
        };
        // Another name of a `data` type will do.
        match self.index.plain(&Ty::Named(id)) {
            Ty::Named(found) if self.index[id].kind.is_type() => Some(found),
            _ => None,
        }
    }

    fn note_base(&mut self, base: &Expr, meant: DefId) {
        match &base.kind {
            ExprKind::Name(name) => {
                let named = self.lookup(name).unwrap_or(meant);
                self.note(base.span, named, false);
            }
            ExprKind::Field(_, name, None) => self.note(name.span, meant, false),
            ExprKind::Paren(inner) => self.note_base(inner, meant),
            _ => {}
        }
    }

    /// Something with this name that belongs to a definition.
    pub fn member(&self, owner: DefId, name: &str, kinds: &[Kind]) -> Option<DefId> {
        self.members_called(owner, name, kinds).first().copied()
    }

    fn members_called(&self, owner: DefId, name: &str, kinds: &[Kind]) -> Vec<DefId> {
        let members = self.index.members(owner);
        members
            .filter(|(_, member)| member.name == name && kinds.contains(&member.kind))
            .map(|(id, _)| id)
            .collect()
    }

    /// A label of a proc, or `f.L` of a function that it calls.
    pub fn label_of(&self, proc: DefId, name: &str) -> Option<DefId> {
        self.member(proc, name, &[Kind::Label])
    }

    /// The types of what a constructor or record carries, or a function takes.
    pub fn field_types(&self, owner: DefId) -> Vec<Ty> {
        let members = self.index.members(owner);
        let fields = members.filter(|(_, m)| matches!(m.kind, Kind::Field | Kind::Parameter));
        fields.map(|(_, field)| field.ty.clone()).collect()
    }

    /// The entry that `w`, `w[1]` or `m.w` names.
    pub fn entity(&mut self, expr: &Expr, note: bool) -> Option<DefId> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.entity(inner, note),
            ExprKind::Name(name) => {
                let id = self.lookup(name)?;
                let definition = &self.index[id];
                let process = definition.ty == Ty::Process;
                let entry = matches!(definition.kind, Kind::Instance | Kind::Channel);
                if !entry && !process {
                    return None;
                }
                if note {
                    self.note(expr.span, id, false);
                }
                Some(id)
            }
            ExprKind::Index(base, index) => {
                let id = self.entity(base, note)?;
                if note {
                    self.expr(index, &Ty::Unknown);
                }
                Some(id)
            }
            ExprKind::Field(base, name, None) => {
                let owner = self.entity(base, false)?;
                let callee = self.index[owner].callee?;
                let frame = self.modules.get(&callee)?;
                let id = *frame.entries.get(&name.text)?;
                if note {
                    self.entity(base, true);
                    self.note(name.span, id, false);
                }
                Some(id)
            }
            _ => None,
        }
    }

    /// Looks up names of entries and faults.
    pub fn named(&mut self, all: &[Expr]) {
        for e in all {
            if self.entity(e, true).is_none() {
                self.expr(e, &Ty::Unknown);
            }
        }
    }

    /// Looks up the names of an expression that is stored to; its type.
    pub fn target(&mut self, target: &Expr) -> Ty {
        let before = self.index.uses.len();
        let ty = self.expr(target, &Ty::Unknown);
        if let Some(used) = self.index.uses.get_mut(before) {
            used.writes = true;
        }
        ty
    }

    /// Looks up the names of an expression where a value of a type is expected; its type.
    pub fn expr(&mut self, expr: &Expr, want: &Ty) -> Ty {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span, want),
            ExprKind::Paren(inner) => self.expr(inner, want),
            ExprKind::Field(base, name, number) => self.field(base, name, *number, want),
            ExprKind::CallOf(base, name, args) => self.call_of(base, name, args),
            ExprKind::Call(name, args) => self.call(name, args, want),
            ExprKind::Literal { name, fields, .. } => self.literal(name, fields),
            ExprKind::Group(_, who, e) => {
                self.named(who);
                self.expr(e, &Ty::Bool)
            }
            ExprKind::Index(base, index) => {
                self.expr(index, &Ty::Unknown);
                if self.entity(base, true).is_some() && !matches!(base.kind, ExprKind::Name(_)) {
                    return Ty::Unknown;
                }
                let ty = self.expr(base, &Ty::Unknown);
                self.index.plain(&ty).element()
            }
            ExprKind::At(base, label) => {
                let owner = self.entity(base, true);
                let proc = owner.and_then(|id| self.index[id].callee);
                let (proc, text) = match label.text.split_once('.') {
                    Some((function, text)) => (self.top(function), text),
                    None => (proc, label.text.as_str()),
                };
                if let Some(id) = proc.and_then(|proc| self.label_of(proc, text)) {
                    self.note(label.span, id, false);
                }
                Ty::Bool
            }
            ExprKind::Marked(base, name, args) => {
                let owner = self.entity(base, true);
                let callee = owner.and_then(|id| self.index[id].callee);
                self.fault_of(name);
                self.with_variables(callee, |r| {
                    args.iter().for_each(|arg| {
                        r.expr(arg, &Ty::Unknown);
                    });
                });
                Ty::Unknown
            }
            ExprKind::Array(elements) => {
                let wanted = self.index.plain(want).element();
                let types = elements.iter().map(|e| self.expr(e, &wanted));
                let first = types.reduce(|first, _| first).unwrap_or_default();
                Ty::Array(Box::new(first))
            }
            ExprKind::Unary(_, e) | ExprKind::EqualTo(e) => self.expr(e, want),
            ExprKind::Temporal(_, e) | ExprKind::Path(_, e) => self.expr(e, &Ty::Bool),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Is(value, constructor) => {
                let ty = self.expr(value, &Ty::Unknown);
                self.expr(constructor, &ty);
                Ty::Bool
            }
            ExprKind::Message(message) => {
                self.message(message);
                Ty::Bool
            }
            ExprKind::Any(AnySet::Range(a, b)) => {
                self.expr(a, &Ty::Unknown);
                self.expr(b, &Ty::Unknown);
                want.clone()
            }
            ExprKind::Any(AnySet::Of(values)) => {
                let wanted = match self.index.plain(want) {
                    Ty::Array(element) => *element,
                    _ => want.clone(),
                };
                values.iter().for_each(|value| {
                    self.expr(value, &wanted);
                });
                want.clone()
            }
            ExprKind::Any(AnySet::All) => want.clone(),
            ExprKind::Quantified {
                vars,
                from,
                to,
                body,
                ..
            } => {
                let ty = self.counted(from, to);
                let depth = self.locals.len();
                for var in vars {
                    self.local(Kind::Counter, var, var.span, ty.clone());
                    if let Some((_, id)) = self.locals.last() {
                        let definition = &mut self.index.definitions[id.0];
                        definition.scope = Some(body.span);
                    }
                }
                self.expr(body, &Ty::Bool);
                self.locals.truncate(depth);
                Ty::Unknown
            }
            ExprKind::Int(value) => Ty::Int(Some((*value, *value))),
            ExprKind::Bool(_) => Ty::Bool,
            ExprKind::Error => Ty::Unknown,
        }
    }

    fn name(&mut self, name: &str, span: Span, want: &Ty) -> Ty {
        if let Some(id) = self.lookup(name) {
            self.note(span, id, false);
            return self.index[id].ty.clone();
        }
        match self.constructor(name, span, want) {
            Some(id) => self.index[id].ty.clone(),
            None => Ty::Unknown,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Ty {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        if !matches!(op, Eq | Ne | Lt | Le | Gt | Ge) {
            let left = self.expr(a, &Ty::Unknown);
            self.expr(b, &Ty::Unknown);
            return match left {
                Ty::Int(_) => Ty::Int(None),
                other => other,
            };
        }
        // A constructor takes its type from the other side.
        let is_constructor = |e: &Expr| match &e.kind {
            ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) => {
                self.lookup(name).is_none()
            }
            _ => false,
        };
        match is_constructor(a) {
            true => {
                let ty = self.expr(b, &Ty::Unknown);
                self.expr(a, &ty);
            }
            false => {
                let ty = self.expr(a, &Ty::Unknown);
                self.expr(b, &ty);
            }
        }
        Ty::Bool
    }

    fn field(&mut self, base: &Expr, name: &Name, number: Option<u32>, want: &Ty) -> Ty {
        if let Some(ty) = self.of_entity(base, name, number) {
            return ty;
        }
        if let Some(id) = self.constructor_of(base, name) {
            return self.index[id].ty.clone();
        }
        if let ExprKind::Name(alias) = &base.kind
            && self.lookup(alias).is_none()
        {
            return match self.qualified(alias, &name.text) {
                Some(id) => {
                    self.note(name.span, id, false);
                    self.index[id].ty.clone()
                }
                None => Ty::Unknown,
            };
        }
        let ty = self.expr(base, want);
        match self.part_of(&ty, &name.text) {
            Some(id) => {
                self.note(name.span, id, false);
                self.index[id].ty.clone()
            }
            None => Ty::Unknown,
        }
    }

    /// `p.x`, `p.f.x`, `m.w`; `None` if it is something else.
    fn of_entity(&mut self, base: &Expr, name: &Name, number: Option<u32>) -> Option<Ty> {
        const READ: &[Kind] = &[Kind::Variable, Kind::Parameter, Kind::Const, Kind::Counter];
        if let ExprKind::Field(process, function, None) = &base.kind
            && self.entity(base, false).is_none()
            && let Some(id) = self.entity(process, false)
            && let Some(callee) = self.index[id].callee
            && self.member(callee, &function.text, READ).is_none()
            && let Some(function_id) = self.top(&function.text)
        {
            self.entity(process, true);
            self.note(function.span, function_id, false);
            let variable = self.member(function_id, &name.text, READ)?;
            self.note(name.span, variable, false);
            return Some(self.index[variable].ty.clone());
        }
        let id = self.entity(base, false)?;
        let found = match self.index[id].callee {
            None => None,
            Some(callee) => match self.modules.get(&callee) {
                Some(frame) => frame
                    .entries
                    .get(&name.text)
                    .copied()
                    .or_else(|| self.member(callee, &name.text, &[Kind::FaultName])),
                None => {
                    let all = self.members_called(callee, &name.text, READ);
                    let position = number.map_or(0, |number| number.max(1) as usize - 1);
                    all.get(position).copied()
                }
            },
        };
        let state = matches!(
            name.text.as_str(),
            "done" | "crashed" | "failed" | "waiting"
        );
        if found.is_none() && !state && self.data_of(base).is_some() {
            return None;
        }
        self.entity(base, true);
        Some(match found {
            Some(found) => {
                self.note(name.span, found, false);
                self.index[found].ty.clone()
            }
            None => Ty::Bool,
        })
    }

    /// A field of a record, or of a message: that of the first constructor which has it.
    fn part_of(&self, ty: &Ty, name: &str) -> Option<DefId> {
        let Ty::Named(id) = self.index.plain(ty) else {
            return None;
        };
        self.member(id, name, &[Kind::Field]).or_else(|| {
            let constructors = self.index.members(id);
            let mut constructors = constructors.filter(|(_, m)| m.kind == Kind::Constructor);
            constructors.find_map(|(id, _)| self.member(id, name, &[Kind::Field]))
        })
    }

    fn call(&mut self, name: &Name, args: &[Expr], want: &Ty) -> Ty {
        let found = self.top_or_inside(&name.text);
        let found = found.filter(|id| matches!(self.index[*id].kind, Kind::Func | Kind::Predicate));
        let found = match found {
            Some(id) => {
                self.note(name.span, id, false);
                Some(id)
            }
            None => self.constructor(&name.text, name.span, want),
        };
        match found {
            Some(id) => {
                let types = self.field_types(id);
                self.arguments(args, &types);
                self.index[id].ty.clone()
            }
            None => {
                self.event(args);
                Ty::Unknown
            }
        }
    }

    /// A definition of a module around, else of the top level.
    pub fn top_or_inside(&self, name: &str) -> Option<DefId> {
        let modules = self.inside.iter().rev();
        let mut found = modules.filter_map(|module| self.modules[module].names.get(name));
        found.next().copied().or_else(|| self.top(name))
    }

    /// The arguments of `sent(ch, A)` and the like: the rest is of the types of the channel's messages.
    fn event(&mut self, args: &[Expr]) {
        let mut types = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let want: Ty = i
                .checked_sub(1)
                .and_then(|i| types.get(i))
                .cloned()
                .unwrap_or_default();
            let ty = match self.entity(arg, false) {
                Some(id) => {
                    self.entity(arg, true);
                    self.index[id].ty.clone()
                }
                None => self.expr(arg, &want),
            };
            if i == 0 {
                types = self.message_types(&ty);
            }
        }
    }

    fn message_types(&self, ty: &Ty) -> Vec<Ty> {
        match self.index.plain(ty) {
            Ty::Channel(fields, _) => fields,
            Ty::Array(element) => self.message_types(&element),
            _ => Vec::new(),
        }
    }

    pub fn arguments(&mut self, args: &[Expr], types: &[Ty]) {
        for (i, arg) in args.iter().enumerate() {
            self.expr(arg, types.get(i).unwrap_or(&Ty::Unknown));
        }
    }

    fn call_of(&mut self, base: &Expr, name: &Name, args: &[Expr]) -> Ty {
        if self.entity(base, true).is_some() {
            self.event(args);
            return Ty::Bool;
        }
        let found = match self.constructor_of(base, name) {
            Some(id) => Some(id),
            None => match &base.kind {
                ExprKind::Name(alias) => {
                    let found = self.qualified(alias, &name.text);
                    if let Some(id) = found {
                        self.note(name.span, id, false);
                    }
                    found
                }
                _ => None,
            },
        };
        let types = found.map_or_else(Vec::new, |id| self.field_types(id));
        self.arguments(args, &types);
        found.map_or(Ty::Unknown, |id| self.index[id].ty.clone())
    }

    fn literal(&mut self, name: &Name, fields: &[LiteralField]) -> Ty {
        let Some(id) = self.top_or_inside(&name.text) else {
            for field in fields {
                self.expr(&field.value, &Ty::Unknown);
            }
            return Ty::Unknown;
        };
        self.note(name.span, id, false);
        let Ty::Named(record) = self.index.plain(&Ty::Named(id)) else {
            return Ty::Named(id);
        };
        let types = self.field_types(record);
        for (i, field) in fields.iter().enumerate() {
            let mut ty = types.get(i).cloned().unwrap_or_default();
            if let Some(name) = &field.name
                && let Some(id) = self.member(record, &name.text, &[Kind::Field])
            {
                self.note(name.span, id, false);
                ty = self.index[id].ty.clone();
            }
            self.expr(&field.value, &ty);
        }
        Ty::Named(id)
    }

    /// Looks up the names in a channel operation.
    pub fn message(&mut self, message: &Message) {
        let mut types = Vec::new();
        for (i, arg) in message.args.iter().enumerate() {
            if i == 0 {
                let ty = self.expr(arg, &Ty::Unknown);
                types = self.message_types(&ty);
                continue;
            }
            let want = types.get(i - 1).cloned().unwrap_or_default();
            if message.op.is_send() {
                self.expr(arg, &want);
                continue;
            }
            let before = self.index.uses.len();
            self.expr(arg, &want);
            let target = matches!(
                arg.kind,
                ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..)
            );
            if let Some(used) = self.index.uses.get_mut(before).filter(|_| target) {
                used.writes = self.index.definitions[used.target.0].kind == Kind::Variable;
            }
        }
    }
}
