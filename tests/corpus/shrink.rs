//! Makes a failing model small: tries to delete or simplify one part after the other, as long as it still
//! fails.
//!
//! Parts are found in the syntax tree and cut out of the text, so any `.sdl` text can be shrunk. What is left
//! need not make sense: whoever decides whether a model fails checks it first.

use sandalc::source::{Sources, Span};
use sandalc::syntax::{self, ast};

/// The smallest text found that `fails`, as `text` does.
pub fn shrink(text: &str, fails: &dyn Fn(&str) -> bool) -> String {
    let mut text = text.to_owned();
    loop {
        let before = text.len();
        let mut next = 0;
        loop {
            // The larger parts come first; after a success the rest of the list is still worth a try.
            let edits = edits(&text);
            let found = edits[next.min(edits.len())..]
                .iter()
                .position(|edit| fails(&edit.apply(&text)));
            match found {
                Some(offset) => {
                    next += offset;
                    text = edits[next].apply(&text);
                }
                None => break,
            }
        }
        if text.len() >= before {
            return tidy(&text);
        }
    }
}

/// Without the empty lines that cutting left behind.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    format!("{}\n", lines.join("\n"))
}

/// Replaces a part of the text.
struct Edit {
    span: Span,
    by: String,
}

impl Edit {
    fn apply(&self, text: &str) -> String {
        let range = self.span.range();
        let mut end = range.end;
        if self.by.is_empty() {
            // A comma after what is deleted goes with it.
            let rest = &text[end..];
            let spaces = rest.len() - rest.trim_start_matches(' ').len();
            if rest[spaces..].starts_with(',') {
                end += spaces + 1;
            }
        }
        format!("{}{}{}", &text[..range.start], self.by, &text[end..])
    }
}

/// All ways to make a text shorter by one part, the largest parts first.
fn edits(text: &str) -> Vec<Edit> {
    let mut sources = Sources::new();
    let id = sources.add("shrinking.sdl", text);
    let file = syntax::parse(&sources, id).file;
    let mut parts = Parts {
        text,
        edits: Vec::new(),
    };
    for decl in &file.decls {
        parts.decl(decl);
    }
    let mut edits = parts.edits;
    edits.retain(|edit| edit.by.len() < edit.span.range().len());
    edits.sort_by_key(|edit| edit.by.len() as isize - edit.span.range().len() as isize);
    edits
}

struct Parts<'a> {
    text: &'a str,
    edits: Vec<Edit>,
}

impl Parts<'_> {
    fn replace(&mut self, span: Span, by: impl Into<String>) {
        self.edits.push(Edit {
            span,
            by: by.into(),
        });
    }

    fn slice(&self, span: Span) -> String {
        self.text[span.range()].to_owned()
    }

    fn decl(&mut self, decl: &ast::Decl) {
        self.replace(decl.span, "");
        match &decl.kind {
            ast::DeclKind::Proc(proc) => {
                self.params(&proc.params);
                self.block(&proc.body);
            }
            ast::DeclKind::Module(module) => {
                self.params(&module.params);
                for decl in &module.decls {
                    self.decl(decl);
                }
            }
            ast::DeclKind::Init(init) => self.entries(&init.entries),
            ast::DeclKind::Limit(limit) => {
                for item in &limit.items {
                    self.replace(item.span, "");
                }
            }
            ast::DeclKind::Spec(spec) => spec.lines.iter().for_each(|line| self.expr(line)),
            ast::DeclKind::Data(data) => {
                for constructor in &data.constructors {
                    self.replace(constructor.name.span, "");
                }
            }
            _ => {}
        }
    }

    fn params(&mut self, params: &[ast::Param]) {
        for param in params {
            self.replace(param.name.span.to(param.ty.span), "");
        }
    }

    fn entries(&mut self, entries: &[ast::Entry]) {
        for entry in entries {
            self.replace(entry.span, "");
            match &entry.kind {
                ast::EntryKind::Instance { args, markers, .. } => {
                    for arg in args {
                        self.replace(arg.span, "");
                    }
                    self.markers(markers);
                }
                ast::EntryKind::Channel { ty, markers, .. } => {
                    self.ty(ty);
                    self.markers(markers);
                }
                ast::EntryKind::For { entries, .. } => self.entries(entries),
                ast::EntryKind::Error => {}
            }
        }
    }

    fn markers(&mut self, markers: &[ast::Marker]) {
        for marker in markers {
            self.replace(marker.span, "");
            self.replace(marker.span, format!("@{}", marker.name.text));
        }
    }

    fn ty(&mut self, ty: &ast::Type) {
        self.replace(ty.span, "bool");
        self.replace(ty.span, "bit");
        match &ty.kind {
            ast::TypeKind::Array(_, element) => {
                self.replace(ty.span, self.slice(element.span));
                self.ty(element);
            }
            ast::TypeKind::Channel(_, fields) => fields.iter().for_each(|field| self.ty(&field.ty)),
            _ => {}
        }
    }

    fn block(&mut self, block: &ast::Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    /// Tries what stands between the braces instead of a statement.
    fn inside(&mut self, stmt: Span, block: &ast::Block) {
        let text = self.slice(block.span);
        let inner = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        self.replace(stmt, inner.unwrap_or_default().trim());
        self.block(block);
    }

    fn stmt(&mut self, stmt: &ast::Stmt) {
        self.replace(stmt.span, "");
        self.replace(stmt.span, "skip");
        match &stmt.kind {
            ast::StmtKind::Var { ty, init, .. } => {
                self.ty(ty);
                if let Some(init) = init {
                    self.replace(ty.span.to(init.span), self.slice(ty.span));
                    self.expr(init);
                }
            }
            ast::StmtKind::Assign { value, .. } => self.expr(value),
            ast::StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.inside(stmt.span, then);
                match otherwise {
                    Some(ast::Else::Block(block)) => {
                        self.replace(then.span.to(block.span), self.slice(then.span));
                        self.inside(stmt.span, block);
                    }
                    Some(ast::Else::If(inner)) => {
                        self.replace(then.span.to(inner.span), self.slice(then.span));
                        self.replace(stmt.span, self.slice(inner.span));
                        self.stmt(inner);
                    }
                    None => {}
                }
            }
            ast::StmtKind::Block(block) => self.inside(stmt.span, block),
            ast::StmtKind::While { condition, body } => {
                if let Some(condition) = condition {
                    self.expr(condition);
                }
                self.inside(stmt.span, body);
            }
            ast::StmtKind::ForIn { body, .. } => self.inside(stmt.span, body),
            ast::StmtKind::ForRange { from, to, body, .. } => {
                self.expr(from);
                self.expr(to);
                self.inside(stmt.span, body);
            }
            ast::StmtKind::Labelled(_, Some(inner)) => {
                self.replace(stmt.span, self.slice(inner.span));
                self.stmt(inner);
            }
            ast::StmtKind::Fair(inner) => {
                self.replace(stmt.span, self.slice(inner.span));
                self.stmt(inner);
            }
            ast::StmtKind::Choice(blocks) => {
                for block in blocks {
                    self.replace(block.span, "");
                    self.inside(stmt.span, block);
                }
            }
            ast::StmtKind::Select(cases) => {
                for case in ast::written(cases) {
                    self.replace(case.span, "");
                    if let ast::CaseKind::Message(message) = &case.kind {
                        self.replace(stmt.span, self.slice(message.span));
                        if let Some(condition) = &case.condition {
                            let whole = message.span.to(condition.span);
                            self.replace(whole, self.slice(message.span));
                            self.expr(condition);
                        }
                        self.message(message);
                    }
                    self.inside(stmt.span, &case.body);
                }
            }
            ast::StmtKind::Message(message) => self.message(message),
            ast::StmtKind::Assert(condition) => self.expr(condition),
            _ => {}
        }
    }

    fn message(&mut self, message: &ast::Message) {
        for arg in message.args.iter().skip(1) {
            self.replace(arg.span, "_");
            self.expr(arg);
        }
    }

    fn expr(&mut self, expr: &ast::Expr) {
        for by in ["true", "false", "0", "1"] {
            self.replace(expr.span, by);
        }
        for child in children(expr) {
            self.replace(expr.span, self.slice(child.span));
            self.expr(child);
        }
        if let ast::ExprKind::Message(message) = &expr.kind {
            self.message(message);
        }
    }
}

fn children(expr: &ast::Expr) -> Vec<&ast::Expr> {
    match &expr.kind {
        ast::ExprKind::Paren(e)
        | ast::ExprKind::Unary(_, e)
        | ast::ExprKind::Temporal(_, e)
        | ast::ExprKind::Path(_, e) => vec![e],
        ast::ExprKind::Binary(_, a, b) | ast::ExprKind::Index(a, b) => vec![a, b],
        ast::ExprKind::Array(elements) => elements.iter().collect(),
        ast::ExprKind::Any(ast::AnySet::Of(values)) => values.iter().collect(),
        ast::ExprKind::Quantified { body, .. } => vec![body],
        _ => Vec::new(),
    }
}
