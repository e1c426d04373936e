//! Tokens and trees as text: what `sandalc dump tokens` and `sandalc dump ast` print.
//!
//! One node per line, indented under its parent, with the place where it begins and ends; expressions in
//! prefix form, so that no precedence is left to the reader's mind.

use std::fmt::Write;

use super::ast::*;
use super::lexer;
use super::print;
use crate::source::{FileId, Sources, Span};
use crate::vocabulary::{PathOp, UnaryOp};

/// The tokens of a file, one per line. A semicolon that stands for a line end is written as `; (line end)`.
pub fn tokens(sources: &Sources, file: FileId) -> String {
    let mut text = String::new();
    let lexed = lexer::lex(file, &sources.file(file).text);
    for token in &lexed.balanced.tokens {
        let span = Span {
            file,
            start: token.start,
            end: token.end,
        };
        let written = sources.slice(span);
        let kind = match token.kind.is_spec() {
            true => written.to_owned(),
            false => token.kind.to_string(),
        };
        let _ = write!(text, "{}  {kind}", place(sources, span));
        if token.is_virtual() {
            text.push_str(if kind == ";" {
                " (line end)"
            } else {
                " (missing)"
            });
        } else if written != kind {
            let _ = write!(text, " {written}");
        }
        text.push('\n');
    }
    text
}

/// The tree of a file, with places.
pub fn ast(file: &File, sources: &Sources) -> String {
    write_file(file, Some(sources))
}

/// The tree of a file without places: files of the same shape mean the same.
pub fn shape(file: &File) -> String {
    write_file(file, None)
}

/// An expression in prefix form, as the dump of a tree has it: `(+ x (* 2 y))`.
pub fn expr(expr: &Expr) -> String {
    prefix(expr)
}

fn write_file(file: &File, sources: Option<&Sources>) -> String {
    let mut dump = Dump {
        text: String::new(),
        sources,
        depth: 0,
    };
    file.decls.iter().for_each(|decl| dump.decl(decl));
    dump.text
}

/// `line:column-line:column`, the end one past the last character.
fn place(sources: &Sources, span: Span) -> String {
    let (start, end) = (sources.position(span), sources.position(span.after()));
    format!(
        "{}:{}-{}:{}",
        start.line, start.column, end.line, end.column
    )
}

struct Dump<'a> {
    text: String,
    sources: Option<&'a Sources>,
    depth: usize,
}

impl Dump<'_> {
    fn line(&mut self, span: Span, what: &str) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        self.text.push_str(what);
        if let Some(sources) = self.sources {
            let _ = write!(self.text, "  {}", place(sources, span));
        }
        self.text.push('\n');
    }

    fn indented(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Import(import) => {
                self.line(decl.span, &format!("import {:?}", import.path.text))
            }
            DeclKind::Data(data) => {
                self.line(decl.span, &format!("data {}", data.name.text));
                self.indented(|dump| {
                    for constructor in &data.constructors {
                        dump.line(constructor.name.span, &constructor.name.text);
                        dump.indented(|dump| dump.params(&constructor.fields));
                    }
                });
            }
            DeclKind::Type(named) => {
                let name = &named.name.text;
                match &named.kind {
                    TypeDeclKind::Alias(ty) => {
                        self.line(decl.span, &format!("type {name} = {}", print::ty(ty)));
                    }
                    TypeDeclKind::Struct(fields) => {
                        self.line(decl.span, &format!("type {name} struct"));
                        self.indented(|dump| dump.params(fields));
                    }
                }
            }
            DeclKind::Const(constant) => self.line(decl.span, &const_text(constant)),
            DeclKind::Proc(proc) => {
                self.line(decl.span, &format!("proc {}", proc.name.text));
                self.indented(|dump| {
                    dump.params(&proc.params);
                    dump.block(&proc.body);
                });
            }
            DeclKind::Module(module) => {
                self.line(decl.span, &format!("module {}", module.name.text));
                self.indented(|dump| {
                    dump.params(&module.params);
                    module.decls.iter().for_each(|decl| dump.decl(decl));
                });
            }
            DeclKind::Func(func) => {
                let result = func
                    .result
                    .as_ref()
                    .map(|ty| format!(" {}", print::ty(ty)))
                    .unwrap_or_default();
                self.line(decl.span, &format!("func {}{result}", func.proc.name.text));
                self.indented(|dump| {
                    dump.params(&func.proc.params);
                    dump.block(&func.proc.body);
                });
            }
            DeclKind::Predicate(predicate) => {
                self.line(decl.span, &format!("predicate {}", predicate.name.text));
                self.indented(|dump| {
                    dump.params(&predicate.params);
                    dump.line(predicate.body.span, &prefix(&predicate.body));
                });
            }
            DeclKind::Init(init) => {
                self.line(decl.span, "init");
                self.indented(|dump| init.entries.iter().for_each(|entry| dump.entry(entry)));
            }
            DeclKind::Limit(limit) => {
                self.line(decl.span, &format!("limit {}", prefix(&limit.bound)));
                self.indented(|dump| {
                    for item in &limit.items {
                        let text = format!(
                            "{}{}",
                            prefix(&item.target),
                            markers_text(item.marker.as_slice())
                        );
                        dump.line(item.span, &text);
                    }
                });
            }
            DeclKind::Inject(inject) => {
                self.line(decl.span, "inject");
                self.indented(|dump| {
                    for item in &inject.items {
                        let targets = match item.list {
                            true => format!("([]{})", list(&item.targets)),
                            false => item.targets.iter().map(prefix).collect(),
                        };
                        let marker = markers_text(std::slice::from_ref(&item.marker));
                        dump.line(item.span, &format!("{targets}{marker}"));
                    }
                });
            }
            DeclKind::Fault(fault) => {
                let on = match fault.on {
                    FaultOn::Process => "process",
                    FaultOn::Channel => "channel",
                };
                self.line(decl.span, &format!("fault {} on {on}", fault.name.text));
                self.indented(|dump| {
                    dump.params(&fault.params);
                    fault.joins.iter().for_each(|join| dump.join(join));
                });
            }
            DeclKind::Spec(spec) => {
                let name = spec
                    .name
                    .as_ref()
                    .map(|name| format!(" {}", name.text))
                    .unwrap_or_default();
                self.line(decl.span, &format!("{}{name}", spec.kind.as_str()));
                if let Some(tolerated) = &spec.tolerated {
                    self.indented(|dump| dump.tolerated(tolerated));
                }
                self.indented(|dump| {
                    for line in &spec.lines {
                        dump.line(line.span, &prefix(line));
                    }
                });
            }
            DeclKind::Protocol(protocol) => {
                let complete = if protocol.complete { "complete " } else { "" };
                let over = match &protocol.over {
                    Some((var, from, to)) => {
                        format!(" for {} {} {}", var.text, prefix(from), prefix(to))
                    }
                    None => String::new(),
                };
                let name = &protocol.name.text;
                let on = list(&protocol.on);
                self.line(
                    decl.span,
                    &format!("protocol {complete}{name}{over} on{on}"),
                );
                self.block(&protocol.body);
            }
            DeclKind::View(view) => {
                self.line(decl.span, &format!("view {}", prefix(&view.of)));
                self.indented(|dump| {
                    for seen in &view.seen {
                        dump.line(seen.span, &prefix(seen));
                    }
                });
            }
            DeclKind::Diagnosable(asked) => {
                let (fault, process) = (prefix(&asked.fault), prefix(&asked.process));
                let among = (asked.among.as_ref())
                    .map(|among| format!(" as{}", list(among)))
                    .unwrap_or_default();
                self.line(
                    decl.span,
                    &format!("diagnosable {fault} by {process}{among}"),
                );
            }
            DeclKind::Error => self.line(decl.span, "error"),
        }
    }

    fn tolerated(&mut self, tolerated: &Tolerated) {
        for fault in &tolerated.faults {
            self.line(fault.span, &format!("to {}", prefix(fault)));
        }
        if let Some((word, level)) = &tolerated.level {
            let text = format!("{} {}", word.text, level.text);
            self.line(word.span.to(level.span), &text);
        }
    }

    fn join(&mut self, join: &Join) {
        let names = |names: &[Name]| {
            let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
            format!("({})", names.join(", "))
        };
        let trigger = join.trigger.as_ref().map_or(String::new(), |trigger| {
            let names = trigger.names.as_deref().map(names).unwrap_or_default();
            format!(" {}{names}", trigger.word.text)
        });
        let condition = (join.condition.as_ref())
            .map(|e| format!(" if {}", prefix(e)))
            .unwrap_or_default();
        self.line(
            join.span,
            &format!("{}{trigger}{condition}", join.word.text),
        );
        self.indented(|dump| dump.block(&join.body));
    }

    fn params(&mut self, params: &[Param]) {
        for param in params {
            let text = format!("param {} {}", param.name.text, print::ty(&param.ty));
            self.line(param.name.span.to(param.ty.span), &text);
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let name_text = |name: &EntryName| match &name.index {
            Some(index) => format!("{}[{}]", name.name.text, prefix(index)),
            None => name.name.text.clone(),
        };
        match &entry.kind {
            EntryKind::Instance {
                name,
                callee,
                args,
                markers,
            } => {
                let text = format!(
                    "{}: ({}{}){}",
                    name_text(name),
                    callee.text,
                    list(args),
                    markers_text(markers)
                );
                self.line(entry.span, &text);
            }
            EntryKind::Channel { name, ty, markers } => {
                let text = format!(
                    "{}: {}{}",
                    name_text(name),
                    print::ty(ty),
                    markers_text(markers)
                );
                self.line(entry.span, &text);
            }
            EntryKind::For {
                var,
                from,
                to,
                entries,
            } => {
                let text = format!(
                    "for {} in range {} to {}",
                    var.text,
                    prefix(from),
                    prefix(to)
                );
                self.line(entry.span, &text);
                self.indented(|dump| entries.iter().for_each(|entry| dump.entry(entry)));
            }
            EntryKind::Error => self.line(entry.span, "error"),
        }
    }

    fn block(&mut self, block: &Block) {
        self.line(block.span, "block");
        self.indented(|dump| block.stmts.iter().for_each(|stmt| dump.stmt(stmt)));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Block(block) = &stmt.kind {
            return self.block(block);
        }
        self.line(stmt.span, &stmt.kind.head());
        self.indented(|dump| stmt.kind.parts(&mut |part| dump.part(part)));
    }

    /// The blocks and statements inside of a statement; the rest is in its first line.
    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Block(block) | Part::Loop(_, block) => self.block(block),
            Part::Stmt(stmt) => self.stmt(stmt),
            Part::Else(Else::If(stmt)) => {
                self.line(stmt.span, "else");
                self.indented(|dump| dump.stmt(stmt));
            }
            Part::Else(Else::Block(block)) => {
                self.line(block.span, "else");
                self.indented(|dump| dump.block(block));
            }
            Part::Case(item) => self.case_item(item),
            Part::SwitchCase(case) => {
                let text = match &case.values {
                    Some(values) => format!("case{}", list(values)),
                    None => "default".to_owned(),
                };
                self.line(case.span, &text);
                self.indented(|dump| dump.block(&case.body));
            }
            Part::Const(_) | Part::Type(_) | Part::Expr(_) => {}
            Part::Declares(_) | Part::Message(_) => {}
        }
    }

    fn case_item(&mut self, item: &CaseItem) {
        match item {
            CaseItem::Case(case) => self.case(case),
            CaseItem::For {
                var,
                over,
                cases,
                span,
            } => {
                let over = match over {
                    Over::Array(array) => prefix(array),
                    Over::Range(from, to) => {
                        format!("range {} to {}", prefix(from), prefix(to))
                    }
                };
                self.line(*span, &format!("for {} in {over}", var.text));
                self.indented(|dump| cases.iter().for_each(|item| dump.case_item(item)));
            }
        }
    }

    fn case(&mut self, case: &Case) {
        let mut text = match &case.kind {
            CaseKind::Message(message) => format!("case {}", message_text(message)),
            CaseKind::If => "case".to_owned(),
            CaseKind::Timeout => "case timeout".to_owned(),
            CaseKind::After(deadline) => format!("case after {}", prefix(deadline)),
            CaseKind::Default => "default".to_owned(),
            CaseKind::Error => "error".to_owned(),
        };
        if let Some(condition) = &case.condition {
            let _ = write!(text, " if {}", prefix(condition));
        }
        self.line(case.span, &text);
        self.indented(|dump| dump.block(&case.body));
    }
}

pub(super) fn const_text(constant: &Const) -> String {
    let ty = constant
        .ty
        .as_ref()
        .map(|ty| format!(" {}", print::ty(ty)))
        .unwrap_or_default();
    format!(
        "const {}{ty} = {}",
        constant.name.text,
        prefix(&constant.value)
    )
}

fn markers_text(markers: &[Marker]) -> String {
    let mut text = String::new();
    for marker in markers {
        let _ = write!(text, " @{}", marker.name.text);
        if !marker.args.is_empty() {
            let arg = |arg: &MarkerArg| match &arg.name {
                Some(name) => format!("{} = {}", name.text, prefix(&arg.value)),
                None => prefix(&arg.value),
            };
            let args: Vec<String> = marker.args.iter().map(arg).collect();
            let _ = write!(text, "({})", args.join(", "));
        }
        if let Some(alias) = &marker.alias {
            let _ = write!(text, " as {}", alias.text);
        }
    }
    text
}

pub(super) fn message_text(message: &Message) -> String {
    format!("({}{})", message.op.as_str(), list(&message.args))
}

pub(super) fn list(exprs: &[Expr]) -> String {
    exprs.iter().fold(String::new(), |mut text, expr| {
        text.push(' ');
        write_prefix(&mut text, expr);
        text
    })
}

/// An expression in prefix form: `(+ x (* 2 y))`.
pub(super) fn prefix(expr: &Expr) -> String {
    let mut text = String::new();
    write_prefix(&mut text, expr);
    text
}

fn write_prefix(text: &mut String, expr: &Expr) {
    let mut node = |head: &str, parts: &[&Expr]| {
        text.push('(');
        text.push_str(head);
        for part in parts {
            text.push(' ');
            write_prefix(text, part);
        }
        text.push(')');
    };
    match &expr.kind {
        ExprKind::Paren(inner) => node("paren", &[inner]),
        ExprKind::Array(elements) => node("array", &elements.iter().collect::<Vec<_>>()),
        ExprKind::Field(base, name, None) => node(&format!(".{}", name.text), &[base]),
        ExprKind::Field(base, name, Some(number)) => {
            node(&format!(".{}#{number}", name.text), &[base])
        }
        ExprKind::Index(base, index) => node("index", &[base, index]),
        ExprKind::At(base, label) => node(&format!("@{}", label.text), &[base]),
        ExprKind::Marked(base, marker, args) => {
            let parts: Vec<&Expr> = std::iter::once(&**base).chain(args).collect();
            node(&format!("@{}", marker.text), &parts)
        }
        ExprKind::Unary(UnaryOp::Not, operand) => node("!", &[operand]),
        ExprKind::Unary(UnaryOp::Neg, operand) => node("neg", &[operand]),
        ExprKind::Binary(op, left, right) => node(op.as_str(), &[left, right]),
        ExprKind::Any(AnySet::Range(lo, hi)) => node("any..", &[lo, hi]),
        ExprKind::Any(AnySet::Of(values)) => node("any", &values.iter().collect::<Vec<_>>()),
        ExprKind::Call(callee, args) => node(&callee.text, &args.iter().collect::<Vec<_>>()),
        ExprKind::Group(callee, args, body) => {
            let parts: Vec<&Expr> = args.iter().chain([&**body]).collect();
            node(&format!("{}:", callee.text), &parts);
        }
        ExprKind::CallOf(base, callee, args) => {
            let parts: Vec<&Expr> = std::iter::once(&**base).chain(args).collect();
            node(&format!("call .{}", callee.text), &parts);
        }
        ExprKind::Literal { name, fields, .. } => {
            text.push_str("(record ");
            text.push_str(&name.text);
            for field in fields {
                text.push(' ');
                if let Some(name) = &field.name {
                    let _ = write!(text, "{}: ", name.text);
                }
                write_prefix(text, &field.value);
            }
            text.push(')');
        }
        ExprKind::EqualTo(value) => node("match ==", &[value]),
        ExprKind::Is(left, constructor) => node("is", &[left, constructor]),
        ExprKind::Message(message) => node(
            message.op.as_str(),
            &message.args.iter().collect::<Vec<_>>(),
        ),
        ExprKind::Quantified {
            quantifier,
            vars,
            from,
            to,
            body,
        } => {
            let names: Vec<&str> = vars.iter().map(|var| var.text.as_str()).collect();
            let head = format!("{} {}", quantifier.as_str(), names.join(" "));
            node(&head, &[from, to, body]);
        }
        ExprKind::Temporal(op, operand) => node(op.as_str(), &[operand]),
        ExprKind::Path(PathOp::All, inner) => node("A", &[inner]),
        ExprKind::Path(PathOp::Exists, inner) => node("E", &[inner]),
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Any(AnySet::All) => {
            text.push_str(&print::expr(expr));
        }
        ExprKind::Error => text.push_str("error"),
    }
}
