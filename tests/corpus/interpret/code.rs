//! Where statements lead.

use std::collections::{HashMap, HashSet};

use sandalc::program::{ExprKind, LabelCopy, LoopId, Process, Rhs, Stmt, StmtKind};

/// Where a process is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// Before a statement.
    At(usize),
    /// Inside one, after so many of its messaging expressions.
    After(usize, usize),
    /// Inside one whose n-th messaging step has offered a message on the k-th channel it may be on.
    Offered(usize, usize, usize),
    /// Inside a `for .. in range`, before it advances.
    Advance(usize),
    Done,
    Failed,
    Crashed,
}

/// The statements of a process, numbered, with the places they lead to.
pub struct Code<'a> {
    pub stmts: Vec<&'a Stmt>,
    /// Where a statement leads when it is over.
    next: Vec<Control>,
    /// Where the blocks of a statement begin.
    blocks: Vec<Vec<Control>>,
    /// Where a statement that is no step leads.
    jumps: HashMap<usize, Jump>,
    labels: HashMap<LabelCopy, usize>,
    breaks: HashMap<LoopId, Control>,
    continues: HashMap<LoopId, Control>,
    start: Control,
    /// The statements inside of `atomic` blocks.
    inside: HashSet<usize>,
    /// Those of them where a block begins that is in no other.
    entries: HashSet<usize>,
    /// Blocks as they are found, inner ones first: the statement, where it begins, and what is in it.
    atomic: Vec<(usize, Control, std::ops::Range<usize>)>,
}

#[derive(Clone, Copy)]
enum Jump {
    To(Control),
    Label(LabelCopy),
}

impl<'a> Code<'a> {
    pub fn new(process: &'a Process) -> Self {
        let mut code = Code {
            stmts: Vec::new(),
            next: Vec::new(),
            blocks: Vec::new(),
            jumps: HashMap::new(),
            labels: HashMap::new(),
            breaks: HashMap::new(),
            continues: HashMap::new(),
            start: Control::Done,
            inside: HashSet::new(),
            entries: HashSet::new(),
            atomic: Vec::new(),
        };
        code.start = code.block(&process.body, Control::Done);
        for (id, begin, ids) in code.atomic.clone() {
            let outermost = !code.inside_of_another(id);
            code.inside.extend(ids.clone());
            match code.settle(begin) {
                Control::At(first) if ids.contains(&first) => {
                    code.jumps.insert(id, Jump::To(begin));
                    if outermost {
                        code.entries.insert(first);
                    }
                }
                // Nothing in it is a step, but the block is one.
                _ => code.blocks[id] = vec![begin],
            }
        }
        code
    }

    /// Numbers the statements of a block from its end; returns where it begins.
    fn block(&mut self, stmts: &'a [Stmt], follow: Control) -> Control {
        stmts
            .iter()
            .rev()
            .fold(follow, |follow, stmt| self.stmt(stmt, follow))
    }

    fn stmt(&mut self, stmt: &'a Stmt, follow: Control) -> Control {
        let id = self.stmts.len();
        // Fairness is about runs; the steps are the same.
        let labelled = stmt;
        let stmt = match &stmt.kind {
            StmtKind::Fair(inner) => inner,
            _ => stmt,
        };
        self.stmts.push(stmt);
        self.next.push(follow);
        self.blocks.push(Vec::new());
        let here = Control::At(id);
        for label in &labelled.labels {
            self.labels.insert(*label, id);
        }
        let mut blocks = Vec::new();
        match &stmt.kind {
            StmtKind::Block(stmts) => {
                let begin = self.block(stmts, follow);
                self.jumps.insert(id, Jump::To(begin));
            }
            StmtKind::Atomic(stmts) => {
                let first = self.stmts.len();
                let begin = self.block(stmts, follow);
                self.atomic.push((id, begin, first..self.stmts.len()));
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                blocks.push(self.block(then, follow));
                blocks.push(self.block(otherwise, follow));
            }
            StmtKind::While {
                id: name,
                condition,
                body,
            } => {
                self.breaks.insert(*name, follow);
                self.continues.insert(*name, here);
                let begin = self.block(body, here);
                blocks.push(begin);
                if condition.is_none() {
                    self.jumps.insert(id, Jump::To(begin));
                }
            }
            StmtKind::Range { id: name, body, .. } => {
                self.breaks.insert(*name, follow);
                self.continues.insert(*name, Control::Advance(id));
                blocks.push(self.block(body, Control::Advance(id)));
            }
            StmtKind::Unrolled {
                iterations,
                id: name,
            } => {
                self.breaks.insert(*name, follow);
                let mut begin = follow;
                for (iteration, body) in iterations.iter().rev() {
                    self.breaks.insert(*iteration, follow);
                    self.continues.insert(*iteration, begin);
                    self.continues.insert(*name, begin);
                    begin = self.block(body, begin);
                }
                self.jumps.insert(id, Jump::To(begin));
            }
            StmtKind::Choice(all) => {
                for block in all {
                    blocks.push(self.block(block, follow));
                }
            }
            StmtKind::Select(cases) => {
                for case in cases {
                    blocks.push(self.block(&case.body, follow));
                }
            }
            StmtKind::Switch { cases, .. } => {
                for case in cases {
                    blocks.push(self.block(&case.body, follow));
                }
            }
            StmtKind::Break(name) => {
                self.jumps.insert(id, Jump::To(self.breaks[name]));
            }
            StmtKind::Continue(name) => {
                self.jumps.insert(id, Jump::To(self.continues[name]));
            }
            StmtKind::Goto(label) => {
                self.jumps.insert(id, Jump::Label(*label));
            }
            StmtKind::Return => {
                self.jumps.insert(id, Jump::To(Control::Done));
            }
            _ => {}
        }
        self.blocks[id] = blocks;
        here
    }

    /// Where one really is: statements that are no steps are passed over. A cycle of them keeps one step.
    pub fn settle(&self, control: Control) -> Control {
        let mut at = control;
        let mut passed = Vec::new();
        loop {
            let Control::At(id) = at else { return at };
            if let Some(first) = passed.iter().position(|seen| *seen == id) {
                let cycle: &[usize] = &passed[first..];
                return Control::At(*cycle.iter().min().expect("not empty"));
            }
            match self.jumps.get(&id) {
                None => return at,
                Some(Jump::To(to)) => at = *to,
                Some(Jump::Label(label)) => at = Control::At(self.labels[label]),
            }
            passed.push(id);
        }
    }

    fn inside_of_another(&self, id: usize) -> bool {
        self.atomic.iter().any(|(_, _, ids)| ids.contains(&id))
    }

    /// Whether a place is in the middle of an `atomic` block.
    pub fn in_the_middle(&self, at: Control) -> bool {
        match at {
            Control::At(id) => self.inside.contains(&id) && !self.entries.contains(&id),
            Control::After(id, _) => self.inside.contains(&id),
            _ => false,
        }
    }

    /// Whether a settled place is a cycle without steps.
    pub fn spins(&self, id: usize) -> bool {
        self.jumps.contains_key(&id)
    }

    pub fn start(&self) -> Control {
        self.settle(self.start)
    }

    pub fn next(&self, id: usize) -> Control {
        self.settle(self.next[id])
    }

    pub fn block_of(&self, id: usize, block: usize) -> Control {
        self.settle(self.blocks[id][block])
    }

    /// Whether a place is at a label: at its statement, or inside it if it is a send on offer. A process that has
    /// stopped is nowhere.
    pub fn is_at(&self, at: Control, label: u32) -> bool {
        if matches!(at, Control::Done | Control::Failed | Control::Crashed) {
            return false;
        }
        self.labels
            .iter()
            .filter(|(copy, _)| copy.label.0 == label)
            .any(|(_, id)| {
                let begin = self.settle(Control::At(*id));
                at == begin
                    || matches!(at, Control::Offered(offered, _, _)
                        if begin == Control::At(offered) && sends_alone(self.stmts[offered]))
            })
    }
}

/// A `send`, or a `timeout_send` alone or as a whole right side.
fn sends_alone(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Message(message) => message.op.is_send(),
        StmtKind::Assign {
            value: Rhs::Expr(e),
            ..
        } => matches!(&e.kind, ExprKind::Message(message) if message.op.is_send()),
        _ => false,
    }
}
