//! Properties as NuSMV's `INVARSPEC`, `LTLSPEC` and `SPEC`, each with a name.

use super::expr::Writer;
use super::process::{fails, may_fail};
use super::scope::Scope;
use super::time;
use crate::system::{BinaryTemporal, Expr, Formula, Property, PropertyKind, System};
use crate::vocabulary::PathOp;

/// A property as it is emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Its `NAME`.
    pub name: String,
    /// How it is asked.
    pub form: Form,
    /// Whether NuSMV is asked about the opposite: its TRUE is our "does not hold".
    pub flipped: bool,
    /// Whether it plainly holds, so that NuSMV need not be asked.
    pub holds_statically: bool,
    /// Why NuSMV cannot be asked, if so.
    pub beyond: Option<&'static str>,
}

/// The kinds of specification NuSMV knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `INVARSPEC`
    Invariant,
    /// `LTLSPEC`
    Ltl,
    /// `SPEC`
    Ctl,
}

impl Form {
    fn keyword(self) -> &'static str {
        match self {
            Form::Invariant => "INVARSPEC",
            Form::Ltl => "LTLSPEC",
            Form::Ctl => "CTLSPEC",
        }
    }
}

/// Writes a property.
pub fn property(scope: &mut Scope<'_>, property: &Property, name: &str) -> (Spec, String) {
    let (form, flipped, holds_statically, text) = match &property.kind {
        PropertyKind::Deadlock => {
            let none = deadlock(scope).is_none();
            let text = if none { "TRUE" } else { "!deadlock" };
            (Form::Invariant, false, none, text.to_string())
        }
        PropertyKind::Check(check) => {
            let model = scope.model();
            let failing: Vec<String> = (model.system.processes())
                .filter(|(id, _)| may_fail(model, *id, *check))
                .map(|(id, _)| scope.member(id, &fails(*check)))
                .collect();
            let text = match failing.as_slice() {
                [] => "TRUE".to_string(),
                [one] => format!("!{one}"),
                _ => format!("!({})", failing.join(" | ")),
            };
            (Form::Invariant, false, failing.is_empty(), text)
        }
        PropertyKind::Invariant(expr) => invariant(scope, expr, false),
        PropertyKind::Reachable(expr) => invariant(scope, &expr.clone().not(), true),
        PropertyKind::Ltl(formula) => match as_invariant(scope.system(), formula) {
            Some(expr) => invariant(scope, &expr, false),
            None => {
                let text = under_assumptions(scope, formula);
                (Form::Ltl, false, false, text)
            }
        },
        PropertyKind::Time => {
            let text = temporal(scope, &time::formula(scope.system()));
            (Form::Ctl, false, false, text)
        }
        PropertyKind::Ctl(formula) => {
            let text = temporal(scope, formula);
            (Form::Ctl, false, false, text)
        }
    };
    let spec = Spec {
        name: name.to_string(),
        form,
        flipped,
        holds_statically,
        beyond: (form == Form::Ctl && !scope.system().fair.is_empty() && !is_blind(property))
            .then_some("NuSMV's CTL does not know fair choices (`fair`); use `ltl`"),
    };
    let mut line = format!("{} NAME {name} := {text};\n", form.keyword());
    if property.kind == PropertyKind::Time && time::has_faults(scope.system()) {
        line =
            format!("-- Asked of a model of its own, in which faults come to an end:\n-- {line}");
    } else if spec.beyond.is_some() {
        line = format!("-- Not asked, for CTL ignores COMPASSION:\n-- {line}");
    }
    (spec, line)
}

/// Whether a question of `tolerant` is one that fairness has no say in, so that it does not matter what CTL ignores.
fn is_blind(property: &Property) -> bool {
    match &property.kind {
        PropertyKind::Ctl(formula) => property.is_level() && !formula.asks_fairness(),
        _ => false,
    }
}

fn invariant(scope: &mut Scope<'_>, expr: &Expr, flipped: bool) -> (Form, bool, bool, String) {
    let text = Writer::new(scope, &[]).condition(expr);
    (Form::Invariant, flipped, expr.is_yes() && !flipped, text)
}

/// The property that no run satisfies the assumptions; it should be false.
pub fn assumptions(scope: &mut Scope<'_>) -> Option<String> {
    let all = assumed(scope)?;
    let name = &scope.model().names.assumptions;
    Some(format!("LTLSPEC NAME {name} := !({all});\n"))
}

/// The states that are deadlocks, or nothing if no state can be.
pub fn deadlock(scope: &mut Scope<'_>) -> Option<String> {
    let model = scope.model();
    let mut unfinished = Vec::new();
    let mut parts = vec!["quiescent".to_string()];
    for (id, _) in model.system.processes() {
        if !model.prune(&model.system.unfinished(id)).is_no() {
            unfinished.push(scope.member(id, "unfinished"));
        }
        if !model.prune(&model.system.excused(id)).is_no() {
            parts.push(format!("!{}", scope.member(id, "excused")));
        }
    }
    if let Some(ordinary) = &model.system.ordinary {
        parts.push(format!("({})", Writer::new(scope, &[]).condition(ordinary)));
    }
    match unfinished.as_slice() {
        [] => return None,
        [one] => parts.push(one.clone()),
        _ => parts.push(format!("({})", unfinished.join(" | "))),
    }
    Some(parts.join(" & "))
}

/// The state formula that `G p` asks about. An invariant is much cheaper to check, and says the same: an
/// invariant is about the reachable states, `G p` about the states on fair runs, and every reachable state is
/// on one. For from each state there is a step (a move, or stuttering where no process has to move), and
/// letting the processes that can move do so in turn is a fair way to go on (also to fair choices, if whoever is owed one
/// has its turn as soon as it is possible). With assumptions that is
/// not so: a state may be on no run that satisfies them.
fn as_invariant(system: &System, formula: &Formula) -> Option<Expr> {
    if !system.assumptions.is_empty() {
        return None;
    }
    formula.everywhere()
}

fn under_assumptions(scope: &mut Scope<'_>, formula: &Formula) -> String {
    let text = temporal(scope, formula);
    match assumed(scope) {
        Some(all) => format!("({all}) -> {text}"),
        None => text,
    }
}

fn assumed(scope: &mut Scope<'_>) -> Option<String> {
    let assumptions = &scope.system().assumptions;
    let texts: Vec<String> = assumptions
        .iter()
        .map(|a| temporal(scope, &a.formula))
        .collect();
    (!texts.is_empty()).then(|| texts.join(" & "))
}

/// A temporal formula, always an atom or in parentheses.
fn temporal(scope: &mut Scope<'_>, formula: &Formula) -> String {
    match formula {
        Formula::Atom(expr) => {
            let text = Writer::new(scope, &[]).condition(expr);
            let word = text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
            if word { text } else { format!("({text})") }
        }
        Formula::Not(f) => format!("!{}", temporal(scope, f)),
        Formula::And(parts) => chain(scope, parts, "&", "TRUE"),
        Formula::Or(parts) => chain(scope, parts, "|", "FALSE"),
        Formula::Implies(f, g) => infix(scope, f, "->", g),
        Formula::Iff(f, g) => infix(scope, f, "<->", g),
        Formula::Unary(op, f) => format!("({} {})", op.as_str(), temporal(scope, f)),
        Formula::Binary(op, f, g) => {
            let letter = match op {
                BinaryTemporal::Until => "U",
                BinaryTemporal::Releases => "V",
                BinaryTemporal::Since => "S",
                BinaryTemporal::Triggered => "T",
            };
            infix(scope, f, letter, g)
        }
        Formula::Path(op, f, g) => {
            let letter = match op {
                PathOp::All => "A",
                PathOp::Exists => "E",
            };
            let (f, g) = (temporal(scope, f), temporal(scope, g));
            format!("{letter} [{f} U {g}]")
        }
    }
}

fn chain(scope: &mut Scope<'_>, parts: &[Formula], glue: &str, empty: &str) -> String {
    let texts: Vec<String> = parts.iter().map(|f| temporal(scope, f)).collect();
    match texts.len() {
        0 => empty.to_string(),
        _ => format!("({})", texts.join(&format!(" {glue} "))),
    }
}

fn infix(scope: &mut Scope<'_>, f: &Formula, glue: &str, g: &Formula) -> String {
    let (f, g) = (temporal(scope, f), temporal(scope, g));
    format!("({f} {glue} {g})")
}
