//! The outline of a proc, the same for all its instances: labels, jumps, declarations, and statements that
//! cannot be reached. Made once per proc.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::Label;
use crate::program::elaborate::log::Log;
use crate::program::problem::{Lint, NameProblem, ProcessProblem};
use crate::source::Span;
use crate::syntax::ast::{self, Flow, StmtKind};
use crate::vocabulary::LabelId;

/// What is known of a proc without looking at an instance.
#[derive(Default)]
pub struct Outline<'a> {
    /// Its labels, in source order.
    pub labels: Vec<Label>,
    pub label_ids: FxHashMap<&'a str, LabelId>,
    /// The labels directly inside each block that has any.
    pub block_labels: FxHashMap<Span, Vec<LabelId>>,
    /// Whether a statement was lost in a syntax error.
    pub lost: bool,
    /// Whether control can come to its end.
    pub ends: bool,
    /// The places of jumps that are not legal.
    pub bad_jumps: FxHashSet<Span>,
    /// The places of all declarations of a name, in source order.
    pub variables: FxHashMap<&'a str, Vec<Span>>,
    /// For each declaration, how many of its name there are up to it.
    pub ordinals: FxHashMap<Span, usize>,
    /// The places of the variables of `range` loops, in source order.
    pub counters: FxHashMap<Span, u32>,
}

#[derive(Default)]
struct Walk<'a> {
    outline: Outline<'a>,
    /// The block around each block, and the place of each.
    blocks: Vec<(usize, Span)>,
    label_blocks: Vec<usize>,
    jumps: Vec<(&'a ast::Name, usize)>,
    duplicates: Vec<(&'a ast::Name, Span)>,
    unreachable: Vec<(Span, Span)>,
}

/// The outline of a proc.
pub fn outline<'a>(proc: &'a ast::Proc, log: &mut Log) -> Outline<'a> {
    parameter_names(&proc.params, log);
    let mut walk = Walk::default();
    walk.outline.ends = walk.block(&proc.body, 0);
    for (name, first) in std::mem::take(&mut walk.duplicates) {
        log.report(NameProblem::Duplicate {
            name: name.text.clone(),
            what: "label",
            span: name.span,
            first,
        });
    }
    for (name, from) in std::mem::take(&mut walk.jumps) {
        if !walk.is_legal_jump(log, proc, name, from) {
            walk.outline.bad_jumps.insert(name.span);
        }
    }
    for (span, after) in walk.unreachable {
        log.report(Lint::Unreachable { span, after });
    }
    walk.outline
}

/// Complains about the names of parameters.
fn parameter_names(params: &[ast::Param], log: &mut Log) {
    let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
    for param in params {
        log.legal_name(&param.name, true);
        if let Some(first) = seen.insert(&param.name.text, param.name.span) {
            log.report(NameProblem::Duplicate {
                name: param.name.text.clone(),
                what: "parameter",
                span: param.name.span,
                first,
            });
        }
    }
}

impl<'a> Walk<'a> {
    /// Jumps lead to labels of the same block or of one around it.
    fn is_legal_jump(
        &self,
        log: &mut Log,
        proc: &ast::Proc,
        name: &ast::Name,
        from: usize,
    ) -> bool {
        let Some(label) = self.outline.label_ids.get(name.text.as_str()) else {
            let known = self.outline.label_ids.keys().copied();
            let problem = NameProblem::UnknownLabel {
                name: name.text.clone(),
                owner: proc.name.text.clone(),
                span: name.span,
                suggestion: log.near(&name.text, known),
            };
            log.report_unknown(self.outline.lost, problem);
            return false;
        };
        let target = self.label_blocks[label.0 as usize];
        let mut block = from;
        while block != target {
            if block == 0 {
                log.report(ProcessProblem::GotoIntoBlock {
                    name: name.text.clone(),
                    span: name.span,
                    label: self.outline.labels[label.0 as usize].span,
                });
                return false;
            }
            block = self.blocks[block].0;
        }
        true
    }
}

impl<'a> Walk<'a> {
    /// Whether control can come out of the block at its end.
    fn block(&mut self, block: &'a ast::Block, parent: usize) -> bool {
        let id = self.blocks.len();
        self.blocks.push((parent, block.span));
        let mut goes_on = true;
        let mut last = None;
        for stmt in &block.stmts {
            if !goes_on {
                let after = last.unwrap_or(stmt.span);
                match stmt.kind {
                    // A jump may lead here.
                    StmtKind::Labelled(..) => {}
                    StmtKind::Const(_) => continue,
                    StmtKind::Error => {}
                    _ => self.unreachable.push((stmt.span, after)),
                }
            }
            goes_on = self.stmt(stmt, id, block.span);
            last = Some(stmt.span);
        }
        goes_on
    }

    /// Whether control can come out of the statement at its end.
    fn stmt(&mut self, stmt: &'a ast::Stmt, block: usize, block_span: Span) -> bool {
        match &stmt.kind {
            StmtKind::Labelled(name, _) => self.label(name, block, block_span),
            StmtKind::Var { name, .. } => {
                let all = self.outline.variables.entry(&name.text).or_default();
                all.push(name.span);
                self.outline.ordinals.insert(name.span, all.len());
            }
            StmtKind::ForRange { var, .. } => {
                let number = self.outline.counters.len() as u32 + 1;
                self.outline.counters.insert(var.span, number);
            }
            StmtKind::Goto(name) => self.jumps.push((name, block)),
            StmtKind::Error => self.outline.lost = true,
            _ => {}
        }
        match stmt.kind.flow() {
            Flow::On => true,
            Flow::Away => false,
            Flow::Branches { blocks, complete } => {
                let mut goes_on = !complete;
                for inner in blocks {
                    goes_on |= self.block(inner, block);
                }
                goes_on
            }
            Flow::Loop { body, endless } => {
                self.block(body, block);
                !endless || leaves(body)
            }
            Flow::Labelled(inner) => self.stmt(inner, block, block_span),
        }
    }

    fn label(&mut self, name: &'a ast::Name, block: usize, block_span: Span) {
        if let Some(first) = self.outline.label_ids.get(name.text.as_str()) {
            let first = self.outline.labels[first.0 as usize].span;
            self.duplicates.push((name, first));
            return;
        }
        let id = LabelId(self.outline.labels.len() as u32);
        self.outline.label_ids.insert(&name.text, id);
        self.outline.labels.push(Label {
            name: name.text.clone(),
            span: name.span,
        });
        self.label_blocks.push(block);
        self.outline
            .block_labels
            .entry(block_span)
            .or_default()
            .push(id);
    }
}

/// Whether a loop's body has a `break` of that loop.
fn leaves(body: &ast::Block) -> bool {
    body.stmts.iter().any(breaks)
}

fn breaks(stmt: &ast::Stmt) -> bool {
    match stmt.kind.flow() {
        Flow::Away => matches!(stmt.kind, StmtKind::Break),
        Flow::Branches { blocks, .. } => blocks.into_iter().any(leaves),
        Flow::Labelled(inner) => breaks(inner),
        Flow::On | Flow::Loop { .. } => false,
    }
}
