//! What processes see and know: `view p { .. }`, `K(p, e)`, `diagnosable f by p`.

use rustc_hash::FxHashMap;

use crate::program::elaborate::declare::Declarations;
use crate::program::elaborate::expr::{Context, Expressions, Site, unparenthesised};
use crate::program::elaborate::init::{Entity, Instances, TOP};
use crate::program::elaborate::log::Log;
use crate::program::elaborate::scope::{Binding, Role, Scope};
use crate::program::elaborate::spec::Named;
use crate::program::elaborate::stmt::Variables;
use crate::program::problem::{NameProblem, PropertyProblem};
use crate::program::{Expr, ExprKind, Knows, KnowsId, Program, Property, Says, Seen, Type, Value};
use crate::program::{View, diagnosable};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::{BinaryOp, DetectorId, Knowing, ProcessId, SpecKind};

/// The operator about one process.
pub const KNOWS: &str = "K";

/// The operators about several processes.
pub const TOGETHER: [&str; 3] = ["everybody", "common", "distributed"];

/// Where a process is, unless it has a variable of this name.
const LOCATION: &str = "location";

/// What processes see: those of an instance's own view, else of its proc's.
pub fn views<'a>(
    decls: &'a Declarations<'a>,
    made: &Instances<'a>,
    variables: &Variables,
    log: &mut Log,
) -> Vec<View> {
    let mut own: FxHashMap<ProcessId, (Vec<Seen>, Span)> = FxHashMap::default();
    let mut of_procs: FxHashMap<ProcessId, (Vec<Seen>, Span)> = FxHashMap::default();
    for view in &decls.views {
        let mut exprs = Expressions {
            decls,
            made,
            variables,
            log,
            scope: &mut Scope::new(TOP),
            context: Context::new(Site::Spec(SpecKind::Invariant)),
        };
        let Some((processes, instance)) = exprs.seers(&view.of) else {
            continue;
        };
        for process in processes {
            let seen: Vec<Option<Seen>> = (view.seen.iter())
                .map(|seen| exprs.seen(process, seen))
                .collect();
            let known = match instance {
                true => &mut own,
                false => &mut of_procs,
            };
            if let Some((_, first)) = known.get(&process) {
                exprs.log.report(PropertyProblem::TwoViews {
                    name: exprs.made.processes[process.0 as usize].name.clone(),
                    span: view.of.span,
                    first: *first,
                });
                continue;
            }
            let seen = seen.into_iter().flatten().collect();
            known.insert(process, (seen, view.of.span));
        }
    }
    for (process, view) in of_procs {
        own.entry(process).or_insert(view);
    }
    let mut views: Vec<View> = (own.into_iter())
        .map(|(process, (seen, _))| View { process, seen })
        .collect();
    views.sort_unstable_by_key(|view| view.process);
    views
}

/// Notes that processes about whose knowledge is asked see all their variables, unless they have a view.
pub fn whole_views(program: &Program, log: &mut Log) {
    let exprs = program.properties.iter().flat_map(Property::exprs);
    for expr in exprs {
        expr.visit(&mut |e| {
            let ExprKind::Knows(knows) = &e.kind else {
                return;
            };
            let viewed = |p: &ProcessId| program.views.iter().any(|view| view.process == *p);
            let seers = || knows.processes.iter().filter(|p| !viewed(p));
            let seen = (program.variables.iter())
                .filter(|var| seers().any(|process| *process == var.process));
            log.uses.read.extend(seen.map(|var| var.span));
        });
    }
}

impl<'a> Expressions<'_, 'a> {
    /// The processes that a view is of, and whether they are named as instances.
    fn seers(&mut self, of: &'a ast::Expr) -> Option<(Vec<ProcessId>, bool)> {
        if let Ast::Name(name) = &of.kind
            && !self.made.frames[TOP.0].entries.contains_key(name.as_str())
        {
            let Some(proc) = self.decls.units[0].proc(name) else {
                let entries = self.made.frames[TOP.0].entries.keys().copied();
                let procs = self.decls.units[0].proc_ids.keys().copied();
                let suggestion = self.log.near(name, procs.chain(entries));
                self.log.report(NameProblem::Unknown {
                    name: name.clone(),
                    span: of.span,
                    suggestion,
                    what: "proc or process",
                });
                return None;
            };
            let wanted = proc.ast.name.span;
            let all = self.made.instances.iter().zip(0..);
            let all = all.filter(|(instance, _)| instance.proc.ast.name.span == wanted);
            return Some((all.map(|(_, id)| ProcessId(id)).collect(), false));
        }
        match self.entity(of, "process")? {
            Entity::Process(id) => Some((vec![id], true)),
            Entity::Processes(all) => Some((all.to_vec(), true)),
            other => {
                let text = format!("a view is of a process, not of {}", other.what());
                self.log.misplaced(text, of.span, None);
                None
            }
        }
    }

    /// Something that a process sees.
    fn seen(&mut self, process: ProcessId, expr: &'a ast::Expr) -> Option<Seen> {
        let shown = crate::syntax::print::expr(expr);
        let mut root = unparenthesised(expr);
        while let Ast::Index(base, _) | Ast::Field(base, _, None) = &root.kind {
            root = unparenthesised(base);
        }
        match &root.kind {
            Ast::Name(name) => {
                let nothing = matches!(self.find_variable(process, name, None), Named::Nothing);
                if name == LOCATION && nothing && std::ptr::eq(root, expr) {
                    return Some(Seen::Location);
                }
                let (plain, number) = match name.split_once('#') {
                    Some((plain, number)) => (plain, number.trim().parse().ok()),
                    None => (name.as_str(), None),
                };
                let found = self.variable_in(process, root.span, plain, root.span, number)?;
                let binding = match &found.kind {
                    ExprKind::Variable(id) => Binding::Variable(*id),
                    ExprKind::Const(value) => Binding::Value(std::rc::Rc::new(value.clone())),
                    _ => return None,
                };
                self.scope.enter();
                self.scope.bind(name, binding, Role::Variable, root.span);
                let value = self.expr(expr, None);
                self.scope.leave();
                let value = value?;
                if !is_path(&value) {
                    self.no_part_of_a_view(expr.span);
                    return None;
                }
                Some(Seen::Value(value, shown))
            }
            Ast::Call(name, arguments) if std::ptr::eq(root, unparenthesised(expr)) => {
                let own = match (name.text.as_str(), arguments.as_slice()) {
                    ("suspects", [detector]) => self.own_detector(process, detector),
                    _ => None,
                };
                let value = match own {
                    Some(id) => Expr {
                        kind: ExprKind::Suspects(id),
                        ty: Type::Bool,
                        span: expr.span,
                    },
                    None => self.expr(expr, None)?,
                };
                if !matches!(value.kind, ExprKind::Suspects(_) | ExprKind::OfFault(..)) {
                    self.no_part_of_a_view(expr.span);
                    return None;
                }
                Some(Seen::Value(value, shown))
            }
            Ast::Error => {
                self.log.incomplete = true;
                None
            }
            _ => {
                self.no_part_of_a_view(expr.span);
                None
            }
        }
    }

    /// The detector that is a parameter of a process: `d`, or `ds[0]`.
    fn own_detector(&mut self, process: ProcessId, expr: &'a ast::Expr) -> Option<DetectorId> {
        let (name, index) = match &unparenthesised(expr).kind {
            Ast::Name(name) => (name, None),
            Ast::Index(base, index) => match &unparenthesised(base).kind {
                Ast::Name(name) => (name, Some(index)),
                _ => return None,
            },
            _ => return None,
        };
        let instance = &self.made.instances[process.0 as usize];
        let params = &instance.proc.ast.params;
        let at = params.iter().position(|param| param.name.text == *name)?;
        let local = instance.arguments.get(at)?;
        let found = match (&local.binding, index) {
            (Binding::Detector(id), None) => *id,
            (Binding::Detectors(all), Some(index)) => {
                let at = self.constant_int(index, "the index of a detector")?;
                *all.get(usize::try_from(at).ok()?)?
            }
            _ => return None,
        };
        self.log.uses.read.insert(local.span);
        Some(found)
    }

    fn no_part_of_a_view(&mut self, span: Span) {
        self.log.report(PropertyProblem::NotSeen { span });
    }

    /// `K(p, e)`
    pub fn knows(&mut self, span: Span, arguments: &'a [ast::Expr]) -> Option<Expr> {
        self.may_ask_who_knows(KNOWS, span)?;
        let [process, what] = arguments else {
            return self.malformed_knowledge("K(p, e)", span);
        };
        let process = self.process_of(process, "knowledge");
        let what = self.known_formula(what);
        Some(self.knowing(span, Knowing::Own, vec![process?], what?))
    }

    /// `everybody(p, q: e)` and its kin.
    pub fn together(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        processes: &'a [ast::Expr],
        what: &'a ast::Expr,
    ) -> Option<Expr> {
        if !TOGETHER.contains(&name.text.as_str()) {
            let form = match name.text.as_str() {
                KNOWS => "K(p, e)".to_owned(),
                _ => format!("{}(..)", name.text),
            };
            if self.decls.func(self.unit(), &name.text).is_none() && name.text != KNOWS {
                let suggestion = self.log.near(&name.text, TOGETHER);
                self.log.report(NameProblem::UnknownFunction {
                    name: name.text.clone(),
                    span: name.span,
                    suggestion,
                    hint: None,
                });
                return None;
            }
            return self.malformed_knowledge(&form, span);
        }
        self.may_ask_who_knows(&name.text, span)?;
        let mut all: Vec<ProcessId> = Vec::new();
        let mut sound = true;
        for process in processes {
            match self.entity(process, "process") {
                Some(Entity::Process(id)) => all.push(id),
                Some(Entity::Processes(several)) => all.extend(several.iter().copied()),
                Some(other) => {
                    let text = format!("this is about a process, not {}", other.what());
                    self.log.misplaced(text, process.span, None);
                    sound = false;
                }
                None => sound = false,
            }
        }
        let what = self.known_formula(what)?;
        if !sound {
            return None;
        }
        let mut seen = Vec::new();
        all.retain(|id| !seen.contains(id) && (seen.push(*id), true).1);
        if all.is_empty() {
            let form = format!("{}(p, q: e)", name.text);
            return self.malformed_knowledge(&form, span);
        }
        let how = match name.text.as_str() {
            "common" => Knowing::Common,
            "distributed" => Knowing::Distributed,
            _ => {
                let each: Vec<Expr> = (all.into_iter())
                    .map(|id| self.knowing(span, Knowing::Own, vec![id], what.clone()))
                    .collect();
                return each.into_iter().reduce(|a, b| Expr {
                    kind: ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)),
                    ty: Type::Bool,
                    span,
                });
            }
        };
        Some(self.knowing(span, how, all, what))
    }

    /// Whether an operator about knowledge may stand here.
    pub fn may_ask_who_knows(&mut self, word: &str, span: Span) -> Option<()> {
        match self.context.site {
            Site::Spec(SpecKind::Assume) => {
                let (word, place) = (word.to_owned(), "`assume`");
                self.log
                    .report(PropertyProblem::NoKnowledge { word, place, span });
                None
            }
            Site::Spec(_) => Some(()),
            Site::Process | Site::Constant => {
                let text = format!("`{word}` is for specifications");
                let hint = "a process can only act on its own variables: test those";
                self.log.misplaced(text, span, Some(hint));
                None
            }
        }
    }

    /// What is known: a state formula, or any formula in `ctl`.
    fn known_formula(&mut self, what: &'a ast::Expr) -> Option<Expr> {
        let temporal = self.context.site == Site::Spec(SpecKind::Ctl);
        let outer = self.enter(Context {
            temporal,
            comparing: false,
            ..self.context
        });
        let what = self.expr_of(what, &Type::Bool, None);
        self.context = outer;
        what
    }

    fn knowing(&mut self, span: Span, how: Knowing, processes: Vec<ProcessId>, what: Expr) -> Expr {
        let id = self.next_knows();
        Expr {
            kind: ExprKind::Knows(Box::new(Knows {
                id,
                how,
                processes,
                what,
            })),
            ty: Type::Bool,
            span,
        }
    }

    fn next_knows(&mut self) -> KnowsId {
        let id = KnowsId(self.log.knowledge);
        self.log.knowledge += 1;
        id
    }

    /// Complains about an operator that is written otherwise.
    pub fn malformed_knowledge<T>(&mut self, form: &str, span: Span) -> Option<T> {
        let form = form.to_owned();
        self.log
            .report(PropertyProblem::KnowledgeForm { form, span });
        None
    }

    /// What `diagnosable` says.
    pub fn diagnosable(&mut self, asked: &'a ast::Diagnosable) -> Option<Says> {
        let faults = self.faults_of(&asked.fault);
        let process = self.process_of(&asked.process, "knowledge");
        let mut among = Some(Vec::new());
        for fault in asked.among.iter().flatten() {
            match (self.faults_of(fault), &mut among) {
                (Some(found), Some(all)) => all.extend(found),
                _ => among = None,
            }
        }
        let (faults, process, mut among) = (faults?, process?, among?);
        if asked.among.is_none() {
            among.extend(&faults);
        }
        among.sort_unstable();
        among.dedup();
        if !faults.iter().all(|fault| among.contains(fault)) {
            self.log.report(PropertyProblem::AmongOthers {
                fault: crate::syntax::print::expr(&asked.fault),
                span: asked.fault.span,
            });
            return None;
        }
        let span = asked.keyword.to(asked.process.span);
        let id = self.next_knows();
        Some(Says::Formula(diagnosable(
            id, &faults, process, &among, span,
        )))
    }
}

/// Whether an expression is a variable or a part of one, always the same.
fn is_path(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Variable(_) | ExprKind::Const(_) => true,
        ExprKind::Index(base, index) => {
            is_path(base) && matches!(index.as_const(), Some(Value::Int(_)))
        }
        ExprKind::Field(base, _) => is_path(base),
        _ => false,
    }
}
