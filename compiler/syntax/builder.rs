//! The grammar's actions: they make nodes, keep their height within bounds, and note what the grammar
//! lets pass but the language does not.

mod declarations;

use std::cell::RefCell;

use super::MAX_HEIGHT;
use super::ast::*;
use super::habit::{Arrow, Habit};
use super::problem::{Expected, Found, Problem, Unexpected};
use crate::source::{FileId, Span};
use crate::vocabulary::{BinaryOp, PathOp, TemporalOp, UnaryOp};

/// The height of a node that stands for an expression that was too high; whatever contains it is such a
/// node again, so that it is reported once.
const TOO_HIGH: u16 = u16::MAX;

/// Makes nodes of one file.
#[derive(Debug)]
pub struct Builder<'a> {
    file: FileId,
    text: &'a str,
    problems: RefCell<Vec<Problem>>,
    breaks: RefCell<Vec<(u32, u32)>>,
}

impl<'a> Builder<'a> {
    pub fn new(file: FileId, text: &'a str) -> Self {
        Builder {
            file,
            text,
            problems: RefCell::default(),
            breaks: RefCell::default(),
        }
    }

    /// What was noted since the last call.
    pub fn take_problems(&self) -> Vec<Problem> {
        self.problems.take()
    }

    /// Says where semicolons were put in to go on after an error: between the first place and the second.
    pub fn set_breaks(&self, breaks: Vec<(u32, u32)>) {
        self.breaks.replace(breaks);
    }

    fn is_broken(&self, span: Span) -> bool {
        let breaks = self.breaks.borrow();
        breaks
            .iter()
            .any(|(end, start)| *end == span.end || *start == span.start)
    }

    fn report(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }

    pub fn span(&self, start: u32, end: u32) -> Span {
        Span {
            file: self.file,
            start,
            end,
        }
    }

    fn slice(&self, start: u32, end: u32) -> &'a str {
        &self.text[start as usize..end as usize]
    }

    // ---- Names and types ----

    pub fn name(&self, l: u32, r: u32) -> Name {
        Name {
            text: self.slice(l, r).to_owned(),
            span: self.span(l, r),
        }
    }

    /// `file.name`
    pub fn qualified(&self, file: Name, name: Name) -> Name {
        Name {
            text: format!("{}.{}", file.text, name.text),
            span: file.span.to(name.span),
        }
    }

    /// A name as an expression.
    pub fn named(&self, name: Name) -> Expr {
        self.name_expr(name.span.start, name.span.end)
    }

    pub fn text(&self, l: u32, r: u32) -> Name {
        Name {
            text: self.slice(l, r).trim_matches('"').to_owned(),
            span: self.span(l, r),
        }
    }

    pub fn ty(&self, l: u32, kind: TypeKind, r: u32) -> Type {
        Type {
            kind,
            span: self.span(l, r),
        }
    }

    pub fn named_type(&self, name: Name) -> Type {
        let span = name.span;
        let kind = match name.text.as_str() {
            "bool" => TypeKind::Bool,
            "int" => TypeKind::Int,
            "bit" => TypeKind::Bit,
            _ => TypeKind::Named(name),
        };
        Type { kind, span }
    }

    /// What holds the messages of a channel.
    pub fn capacity(&self, bag: bool, capacity: Capacity, overflow: bool) -> Capacity {
        let length = match capacity {
            Capacity::Buffered(length) if bag || overflow => Some(length),
            Capacity::Rendezvous if bag || overflow => None,
            other => return other,
        };
        Capacity::Network {
            length,
            bag,
            overflow,
        }
    }

    pub fn range_type(&self, l: u32, lo: Expr, hi: Expr, r: u32) -> Type {
        self.ty(l, TypeKind::Range(Box::new(lo), Box::new(hi)), r)
    }

    /// A parameter that did not parse, under the name it probably has.
    pub fn bad_param(&self, l: u32, r: u32) -> Param {
        let word = self.slice(l, r);
        let length = word
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(word.len());
        let text = match length {
            0 => format!("#{l}"),
            _ => word[..length].to_owned(),
        };
        let span = self.span(l, r);
        Param {
            name: Name { text, span },
            ty: Type {
                kind: TypeKind::Error,
                span,
            },
        }
    }

    /// `as name` after a marker.
    pub fn alias(&self, word: Name, name: Name) -> Option<Name> {
        if word.text == "as" {
            return Some(name);
        }
        self.report(Problem::MarkerAlias { at: word.span });
        None
    }

    pub fn positional(&self, value: Expr) -> MarkerArg {
        let span = value.span;
        MarkerArg {
            name: None,
            value,
            span,
        }
    }

    pub fn marked(&self, base: Expr, marker: Name, args: Vec<Expr>, r: u32) -> Expr {
        let (span, below) = (
            self.span(base.span.start, r),
            base.depth.max(highest(&args)),
        );
        self.node(span, below, ExprKind::Marked(Box::new(base), marker, args))
    }

    /// A comma after an entry; after nothing it is out of place.
    pub fn entry_comma(&self, list: &mut EntryList, l: u32, r: u32) {
        if std::mem::take(&mut list.ended) {
            return;
        }
        self.report(Problem::Unexpected(Unexpected {
            at: self.span(l, r),
            found: Found::Token,
            expected: Expected::Entry,
            because: None,
            hint: Some("remove the `,`".to_owned()),
        }));
    }

    // ---- Statements ----

    pub fn assign(
        &self,
        mut targets: Vec<Expr>,
        op: Option<BinaryOp>,
        mut values: Vec<Expr>,
    ) -> StmtKind {
        match (targets.len(), values.len()) {
            (1, 1) => StmtKind::Assign {
                target: targets.swap_remove(0),
                op,
                value: values.swap_remove(0),
            },
            _ => StmtKind::AssignAll {
                targets,
                op,
                values,
            },
        }
    }

    pub fn choice(&self, first: Block, rest: Vec<Block>) -> StmtKind {
        StmtKind::Choice(std::iter::once(first).chain(rest).collect())
    }
    pub fn bad_switch_case(&self, l: u32, r: u32) -> SwitchCase {
        let span = self.span(l, r);
        let error = Expr {
            kind: ExprKind::Error,
            span,
            depth: 1,
        };
        SwitchCase {
            values: Some(vec![error]),
            body: Block {
                stmts: Vec::new(),
                span,
            },
            span,
        }
    }

    /// A statement after `fair`.
    pub fn fair(&self, l: u32, kind: StmtKind, r: u32) -> StmtKind {
        let span = self.span(l, r);
        StmtKind::Fair(Box::new(Stmt { kind, span }))
    }

    pub fn bad_case(&self, l: u32, r: u32) -> Case {
        let span = self.span(l, r);
        Case {
            kind: CaseKind::Error,
            condition: None,
            body: Block {
                stmts: Vec::new(),
                span,
            },
            span,
        }
    }

    /// `case suspects(d) {..}`, perhaps with a condition: as `case if` with both.
    pub fn call_case(&self, l: u32, call: Expr, more: Option<Expr>, body: Block, r: u32) -> Case {
        let condition = match more {
            Some(more) => self.binary(BinaryOp::And, call, more),
            None => call,
        };
        Case {
            kind: CaseKind::If,
            condition: Some(condition),
            body,
            span: self.span(l, r),
        }
    }

    pub fn expr_stmt(&self, expr: Expr) -> StmtKind {
        match expr.kind {
            ExprKind::Message(message) => StmtKind::Message(*message),
            ExprKind::Error => StmtKind::Error,
            // Half of something that did not parse.
            _ if self.is_broken(expr.span) => StmtKind::Error,
            _ if self.is_send_arrow(&expr) => {
                self.report(Problem::Habit {
                    at: expr.span,
                    habit: Habit::Arrow(Arrow::Send),
                });
                StmtKind::Error
            }
            _ => StmtKind::Expr(expr),
        }
    }

    /// Whether a statement is `c <- 1`, which compares `c` to `-1`.
    fn is_send_arrow(&self, expr: &Expr) -> bool {
        let mut expr = expr;
        while let ExprKind::Binary(op, left, right) = &expr.kind {
            let between = self.slice(left.span.end, right.span.start);
            let rest = &self.text[right.span.start as usize..];
            if *op == BinaryOp::Lt && between.ends_with('<') && rest.starts_with('-') {
                return true;
            }
            expr = left;
        }
        false
    }

    // ---- Expressions ----

    pub fn leaf(&self, l: u32, kind: ExprKind, r: u32) -> Expr {
        Expr {
            kind,
            span: self.span(l, r),
            depth: 1,
        }
    }

    /// A number with a point, kept as it is written: no expression can compute with it.
    pub fn probability(&self, l: u32, r: u32) -> Expr {
        self.leaf(l, ExprKind::Name(self.slice(l, r).to_owned()), r)
    }

    pub fn int(&self, l: u32, r: u32) -> Expr {
        match self.slice(l, r).parse() {
            Ok(value) => self.leaf(l, ExprKind::Int(value), r),
            Err(_) => {
                self.report(Problem::NumberTooLarge {
                    at: self.span(l, r),
                });
                self.leaf(l, ExprKind::Error, r)
            }
        }
    }

    pub fn name_expr(&self, l: u32, r: u32) -> Expr {
        // Without the blanks that may stand around `#`.
        let text = self.slice(l, r).split_whitespace().collect();
        self.leaf(l, ExprKind::Name(text), r)
    }

    pub fn paren(&self, l: u32, inner: Expr, r: u32) -> Expr {
        let below = inner.depth;
        self.node(self.span(l, r), below, ExprKind::Paren(Box::new(inner)))
    }

    pub fn array(&self, l: u32, elements: Vec<Expr>, r: u32) -> Expr {
        let below = highest(&elements);
        self.node(self.span(l, r), below, ExprKind::Array(elements))
    }

    pub fn field(&self, base: Expr, name: Name, number: Option<u32>, r: u32) -> Expr {
        let (span, below) = (self.span(base.span.start, r), base.depth);
        self.node(span, below, ExprKind::Field(Box::new(base), name, number))
    }

    pub fn numbered_field(&self, base: Expr, name: Name, l: u32, r: u32) -> Expr {
        let number = self.slice(l, r).parse().ok();
        if number.is_none() {
            self.report(Problem::NumberTooLarge {
                at: self.span(l, r),
            });
        }
        self.field(base, name, number, r)
    }

    pub fn index(&self, base: Expr, index: Expr, r: u32) -> Expr {
        let (span, below) = (self.span(base.span.start, r), base.depth.max(index.depth));
        self.node(
            span,
            below,
            ExprKind::Index(Box::new(base), Box::new(index)),
        )
    }

    pub fn at(&self, base: Expr, label: Name, r: u32) -> Expr {
        let (span, below) = (self.span(base.span.start, r), base.depth);
        self.node(span, below, ExprKind::At(Box::new(base), label))
    }

    pub fn unary(&self, l: u32, op: UnaryOp, operand: Expr) -> Expr {
        let (span, below) = (self.span(l, operand.span.end), operand.depth);
        self.node(span, below, ExprKind::Unary(op, Box::new(operand)))
    }

    pub fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let (span, below) = (left.span.to(right.span), left.depth.max(right.depth));
        self.node(
            span,
            below,
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
        )
    }

    pub fn temporal(&self, l: u32, op: TemporalOp, operand: Expr) -> Expr {
        let (span, below) = (self.span(l, operand.span.end), operand.depth);
        self.node(span, below, ExprKind::Temporal(op, Box::new(operand)))
    }

    pub fn path(&self, l: u32, op: PathOp, inner: Expr, r: u32) -> Expr {
        let below = inner.depth;
        self.node(self.span(l, r), below, ExprKind::Path(op, Box::new(inner)))
    }

    pub fn any_range(&self, l: u32, lo: Expr, hi: Expr, r: u32) -> Expr {
        let below = lo.depth.max(hi.depth);
        self.node(
            self.span(l, r),
            below,
            ExprKind::Any(AnySet::Range(Box::new(lo), Box::new(hi))),
        )
    }

    pub fn any_of(&self, l: u32, values: Vec<Expr>, r: u32) -> Expr {
        let below = highest(&values);
        self.node(self.span(l, r), below, ExprKind::Any(AnySet::Of(values)))
    }

    pub fn message(&self, message: Message) -> Expr {
        let (span, below) = (message.span, highest(&message.args));
        self.node(span, below, ExprKind::Message(Box::new(message)))
    }

    pub fn call(&self, l: u32, callee: Name, args: Vec<Expr>, r: u32) -> Expr {
        let below = highest(&args);
        self.node(self.span(l, r), below, ExprKind::Call(callee, args))
    }

    /// `name(args: body)`
    pub fn group(&self, l: u32, callee: Name, args: Vec<Expr>, body: Expr, r: u32) -> Expr {
        let below = highest(&args).max(body.depth);
        let kind = ExprKind::Group(callee, args, Box::new(body));
        self.node(self.span(l, r), below, kind)
    }

    /// `base.name(args)`
    pub fn call_of(&self, base: Expr, name: Name, args: Vec<Expr>, r: u32) -> Expr {
        let span = self.span(base.span.start, r);
        let below = highest(&args).max(base.depth);
        self.node(span, below, ExprKind::CallOf(Box::new(base), name, args))
    }

    /// `Entry{..}`
    pub fn literal(
        &self,
        l: u32,
        name: Name,
        open: u32,
        fields: Vec<LiteralField>,
        r: u32,
    ) -> Expr {
        let below = fields.iter().map(|field| field.value.depth).max();
        let brace = self.span(open, open + 1);
        let kind = ExprKind::Literal {
            name,
            brace,
            fields,
        };
        self.node(self.span(l, r), below.unwrap_or(0), kind)
    }

    /// `file.Entry{..}`; what stands before the dot is looked up later, and anything but a name is not found.
    pub fn literal_of(
        &self,
        base: Expr,
        name: Name,
        open: u32,
        fields: Vec<LiteralField>,
        r: u32,
    ) -> Expr {
        let file = Name {
            text: match &base.kind {
                ExprKind::Name(file) => file.clone(),
                _ => "..".to_owned(),
            },
            span: base.span,
        };
        self.literal(base.span.start, self.qualified(file, name), open, fields, r)
    }

    /// `== e` as a pattern
    pub fn equal_to(&self, l: u32, value: Expr) -> Expr {
        let (span, below) = (self.span(l, value.span.end), value.depth);
        self.node(span, below, ExprKind::EqualTo(Box::new(value)))
    }

    /// `e is A`
    pub fn is(&self, left: Expr, constructor: Expr) -> Expr {
        let below = left.depth.max(constructor.depth);
        let span = left.span.to(constructor.span);
        let kind = ExprKind::Is(Box::new(left), Box::new(constructor));
        self.node(span, below, kind)
    }

    pub fn quantified(
        &self,
        l: u32,
        quantifier: Quantifier,
        vars: Vec<Name>,
        parts: [Expr; 3],
        r: u32,
    ) -> Expr {
        let below = highest(&parts);
        let [from, to, body] = parts.map(Box::new);
        self.node(
            self.span(l, r),
            below,
            ExprKind::Quantified {
                quantifier,
                vars,
                from,
                to,
                body,
            },
        )
    }

    /// A node over others of height `below`. One that would be too high is replaced: what is dropped
    /// here is at most [`MAX_HEIGHT`] high, so dropping it needs little stack.
    fn node(&self, span: Span, below: u16, kind: ExprKind) -> Expr {
        if below == TOO_HIGH {
            return Expr {
                kind: ExprKind::Error,
                span,
                depth: TOO_HIGH,
            };
        }
        if usize::from(below) >= MAX_HEIGHT {
            self.report(Problem::TooHigh { at: span });
            return Expr {
                kind: ExprKind::Error,
                span,
                depth: TOO_HIGH,
            };
        }
        Expr {
            kind,
            span,
            depth: below + 1,
        }
    }
}

/// The entries of an `init` so far.
#[derive(Debug)]
pub struct EntryList {
    /// The entries.
    pub entries: Vec<Entry>,
    /// Whether an entry has come since the last comma.
    ended: bool,
}

impl EntryList {
    pub fn new(entry: Option<Entry>) -> Self {
        EntryList {
            ended: entry.is_some(),
            entries: entry.into_iter().collect(),
        }
    }

    pub fn add(&mut self, entry: Option<Entry>) {
        self.ended |= entry.is_some();
        self.entries.extend(entry);
    }
}

fn highest(exprs: &[Expr]) -> u16 {
    exprs.iter().map(|expr| expr.depth).max().unwrap_or(0)
}
