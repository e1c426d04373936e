//! What the formatter must know about tokens that only the tree can tell.

use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::print::is_tight;

/// Places of tokens that are not what they look like, each list in order.
#[derive(Default, Debug)]
pub struct Marks {
    /// Where `!` and `-` are prefix operators.
    prefix: Vec<u32>,
    /// Where `[` begins an array type, and where a range type begins.
    types: Vec<u32>,
    /// Where `{` begins the fields of a literal.
    literals: Vec<u32>,
    /// Bounds of ranges, whose operators have no spaces.
    tight: Vec<(u32, u32)>,
}

impl Marks {
    /// Collects them from a tree.
    pub fn of(file: &File) -> Marks {
        let mut marks = Marks::default();
        for decl in &file.decls {
            marks.decl(decl);
        }
        marks.prefix.sort_unstable();
        marks.types.sort_unstable();
        marks.literals.sort_unstable();
        marks.tight.sort_unstable();
        marks
    }

    /// Whether the operator at a place is a prefix operator.
    pub fn is_prefix(&self, place: u32) -> bool {
        self.prefix.binary_search(&place).is_ok()
    }

    /// Whether a type begins at a place with `[`, `(` or `-`.
    pub fn begins_type(&self, place: u32) -> bool {
        self.types.binary_search(&place).is_ok()
    }

    /// Whether the fields of a literal begin at a place with `{`.
    pub fn begins_literal(&self, place: u32) -> bool {
        self.literals.binary_search(&place).is_ok()
    }

    /// Whether a place is in a bound of a range.
    pub fn is_tight(&self, place: u32) -> bool {
        let after = self.tight.partition_point(|(start, _)| *start <= place);
        after > 0 && place < self.tight[after - 1].1
    }

    fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Type(named) => match &named.kind {
                TypeDeclKind::Alias(ty) => self.ty(ty),
                TypeDeclKind::Struct(fields) => self.params(fields),
            },
            DeclKind::Data(data) => {
                let constructors = data.constructors.iter();
                constructors.for_each(|constructor| self.params(&constructor.fields));
            }
            DeclKind::Const(constant) => self.constant(constant),
            DeclKind::Proc(proc) => {
                self.params(&proc.params);
                self.block(&proc.body);
            }
            DeclKind::Func(func) => {
                self.params(&func.proc.params);
                func.result.iter().for_each(|ty| self.ty(ty));
                self.block(&func.proc.body);
            }
            DeclKind::Predicate(predicate) => {
                self.params(&predicate.params);
                self.expr(&predicate.body);
            }
            DeclKind::Module(module) => {
                self.params(&module.params);
                module.decls.iter().for_each(|decl| self.decl(decl));
            }
            DeclKind::Init(init) => init.entries.iter().for_each(|entry| self.entry(entry)),
            DeclKind::Limit(limit) => {
                self.expr(&limit.bound);
                for item in &limit.items {
                    self.expr(&item.target);
                    self.markers(item.marker.as_slice());
                }
            }
            DeclKind::Inject(inject) => {
                for item in &inject.items {
                    self.exprs(&item.targets);
                    self.markers(std::slice::from_ref(&item.marker));
                }
            }
            DeclKind::Fault(fault) => {
                self.params(&fault.params);
                for join in &fault.joins {
                    join.condition.iter().for_each(|e| self.expr(e));
                    self.block(&join.body);
                }
            }
            DeclKind::Spec(spec) => {
                let tolerated = spec.tolerated.iter();
                tolerated.for_each(|tolerated| self.exprs(&tolerated.faults));
                self.exprs(&spec.lines);
            }
            DeclKind::Protocol(protocol) => {
                if let Some((_, from, to)) = &protocol.over {
                    self.expr(from);
                    self.expr(to);
                }
                self.exprs(&protocol.on);
                self.block(&protocol.body);
            }
            DeclKind::View(view) => {
                self.expr(&view.of);
                self.exprs(&view.seen);
            }
            DeclKind::Diagnosable(asked) => {
                self.expr(&asked.fault);
                self.expr(&asked.process);
                asked.among.iter().for_each(|among| self.exprs(among));
            }
            DeclKind::Import(_) | DeclKind::Error => {}
        }
    }

    fn constant(&mut self, constant: &Const) {
        constant.ty.iter().for_each(|ty| self.ty(ty));
        self.expr(&constant.value);
    }

    fn params(&mut self, params: &[Param]) {
        params.iter().for_each(|param| self.ty(&param.ty));
    }

    fn markers(&mut self, markers: &[Marker]) {
        let args = markers.iter().flat_map(|marker| &marker.args);
        args.for_each(|arg| self.expr(&arg.value));
    }

    fn entry(&mut self, entry: &Entry) {
        match &entry.kind {
            EntryKind::Instance {
                name,
                args,
                markers,
                ..
            } => {
                name.index.iter().for_each(|index| self.expr(index));
                self.exprs(args);
                self.markers(markers);
            }
            EntryKind::Channel { name, ty, markers } => {
                name.index.iter().for_each(|index| self.expr(index));
                self.ty(ty);
                self.markers(markers);
            }
            EntryKind::For {
                from, to, entries, ..
            } => {
                self.expr(from);
                self.expr(to);
                entries.iter().for_each(|entry| self.entry(entry));
            }
            EntryKind::Error => {}
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Range(lo, hi) => {
                self.types.push(ty.span.start);
                self.range(lo, hi);
            }
            TypeKind::Array(length, element) => {
                self.types.push(ty.span.start);
                length.iter().for_each(|length| self.expr(length));
                self.ty(element);
            }
            TypeKind::Channel(capacity, fields) => {
                if let Capacity::Buffered(length)
                | Capacity::Network {
                    length: Some(length),
                    ..
                } = capacity
                {
                    self.expr(length);
                }
                fields.iter().for_each(|field| self.ty(&field.ty));
            }
            _ => {}
        }
    }

    fn range(&mut self, lo: &Expr, hi: &Expr) {
        for bound in [lo, hi] {
            self.expr(bound);
            if is_tight(bound) {
                let Span { start, end, .. } = bound.span;
                self.tight.push((start, end));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        stmt.kind.parts(&mut |part| match part {
            Part::Const(constant) => self.constant(constant),
            Part::Type(ty) => self.ty(ty),
            Part::Expr(expr) => self.expr(expr),
            Part::Declares(_) => {}
            Part::Block(block) | Part::Loop(_, block) | Part::Else(Else::Block(block)) => {
                self.block(block);
            }
            Part::Stmt(stmt) => self.stmt(stmt),
            Part::Else(Else::If(stmt)) => self.stmt(stmt),
            Part::Message(message) => self.exprs(&message.args),
            Part::Case(item) => self.case_item(item),
            Part::SwitchCase(case) => {
                case.values.iter().for_each(|values| self.exprs(values));
                self.block(&case.body);
            }
        });
    }

    fn case_item(&mut self, item: &CaseItem) {
        match item {
            CaseItem::Case(case) => {
                match &case.kind {
                    CaseKind::Message(message) => self.exprs(&message.args),
                    CaseKind::After(deadline) => self.expr(deadline),
                    _ => {}
                }
                case.condition
                    .iter()
                    .for_each(|condition| self.expr(condition));
                self.block(&case.body);
            }
            CaseItem::For { over, cases, .. } => {
                match over {
                    Over::Array(array) => self.expr(array),
                    Over::Range(from, to) => {
                        self.expr(from);
                        self.expr(to);
                    }
                }
                cases.iter().for_each(|item| self.case_item(item));
            }
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Unary(_, operand) => {
                self.prefix.push(expr.span.start);
                self.expr(operand);
            }
            ExprKind::Any(AnySet::Range(lo, hi)) => self.range(lo, hi),
            ExprKind::Array(elements) | ExprKind::Any(AnySet::Of(elements)) => self.exprs(elements),
            ExprKind::Call(_, args) => self.exprs(args),
            ExprKind::CallOf(base, _, args) => {
                self.expr(base);
                self.exprs(args);
            }
            ExprKind::Literal { brace, fields, .. } => {
                self.literals.push(brace.start);
                fields.iter().for_each(|field| self.expr(&field.value));
            }
            ExprKind::Message(message) => self.exprs(&message.args),
            ExprKind::Group(_, args, body) => {
                self.exprs(args);
                self.expr(body);
            }
            ExprKind::Marked(inner, _, args) => {
                self.expr(inner);
                self.exprs(args);
            }
            ExprKind::Paren(inner)
            | ExprKind::EqualTo(inner)
            | ExprKind::Field(inner, ..)
            | ExprKind::At(inner, _)
            | ExprKind::Temporal(_, inner)
            | ExprKind::Path(_, inner) => self.expr(inner),
            ExprKind::Index(left, right)
            | ExprKind::Is(left, right)
            | ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Quantified { from, to, body, .. } => {
                self.expr(from);
                self.expr(to);
                self.expr(body);
            }
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Any(AnySet::All)
            | ExprKind::Error => {}
        }
    }
}
