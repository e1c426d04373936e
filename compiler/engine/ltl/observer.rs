//! What watches a run to tell whether it satisfies some formulas.

use super::automaton::{Automaton, Edge, TooLarge};
use super::form::{Form, FormId, Forms, NO, Var, YES};
use super::normal::normal;
use super::past::without_past;
use super::reduce::reduce;
use super::tableau;
use crate::system::{Expr, Formula};

/// Most conjuncts that are worth one automaton, and most states of it; beyond they are watched one by one.
const MAX_CONJUNCTS: usize = 4;
const MAX_TOGETHER: usize = 64;

/// Most states of any automaton before it is reduced.
const MAX_STATES: usize = 4096;

/// Watches a run: it satisfies the formulas if and only if each of the automata accepts it and each of the
/// recurring literals holds again and again.
#[derive(Clone, Debug)]
pub struct Observer {
    /// The state formulas that are watched; automata and literals refer to their positions.
    pub atoms: Vec<Expr>,
    /// Automata, each reduced, none of them trivial.
    pub automata: Vec<Automaton>,
    /// State formulas that must hold again and again.
    pub recurring: Vec<u32>,
    /// Pairs of state formulas: if the first one holds again and again, so must the second one.
    pub pairs: Vec<(u32, u32)>,
}

/// An observer of the runs that satisfy all of the formulas; those with `false` negated.
pub fn observe(formulas: &[(&Formula, bool)]) -> Result<Observer, TooLarge> {
    observer(formulas, true)
}

/// As [`observe`], but pairs are watched by automata, which takes more and more time the more of them there are.
#[cfg(test)]
pub fn observe_by_automata(formulas: &[(&Formula, bool)]) -> Result<Observer, TooLarge> {
    observer(formulas, false)
}

fn observer(formulas: &[(&Formula, bool)], with_pairs: bool) -> Result<Observer, TooLarge> {
    let mut forms = Forms::default();
    let parts: Vec<FormId> = formulas
        .iter()
        .map(|(formula, positive)| normal(&mut forms, formula, *positive))
        .collect();
    let whole = forms.and(parts);
    let mut rest = Vec::new();
    let mut recurring = Vec::new();
    let mut pairs = Vec::new();
    for part in conjuncts(&mut forms, whole) {
        let atom = |forms: &mut Forms, expr| forms.atoms.insert_full(expr).0 as u32;
        if let Some(expr) = repeated(&forms, part).and_then(|p| expression(&forms, p)) {
            recurring.push(atom(&mut forms, expr));
        } else if let Some((given, then)) = pair(&forms, part).filter(|_| with_pairs) {
            pairs.push((atom(&mut forms, given), atom(&mut forms, then)));
        } else {
            rest.push(part);
        }
    }
    let together = forms.and(rest.iter().copied());
    let few = (2..=MAX_CONJUNCTS).contains(&rest.len());
    let automata = match few.then(|| translate(&forms, together, MAX_TOGETHER)) {
        Some(Ok(automaton)) => vec![automaton],
        _ => rest
            .iter()
            .map(|part| translate(&forms, *part, MAX_STATES))
            .collect::<Result<_, _>>()?,
    };
    Ok(Observer {
        atoms: forms.atoms.into_iter().collect(),
        automata: automata.into_iter().filter(|a| !is_trivial(a)).collect(),
        recurring,
        pairs,
    })
}

/// The reduced automaton of a formula.
fn translate(forms: &Forms, formula: FormId, max_states: usize) -> Result<Automaton, TooLarge> {
    // Bits and guesses are numbered afresh for each automaton.
    let mut forms = forms.clone();
    let (formula, memory) = without_past(&mut forms, formula);
    Ok(reduce(tableau::automaton(
        &mut forms, formula, &memory, max_states,
    )?))
}

/// Whether an automaton accepts everything in one state.
fn is_trivial(automaton: &Automaton) -> bool {
    let everything = Edge {
        yes: 0,
        no: 0,
        marks: automaton.all_marks(),
        to: 0,
    };
    automaton.states.len() == 1 && automaton.states[0].contains(&everything)
}

/// What must hold, one by one; `G (f && g)` is two.
fn conjuncts(forms: &mut Forms, whole: FormId) -> Vec<FormId> {
    let mut parts = Vec::new();
    let mut rest = vec![whole];
    while let Some(part) = rest.pop() {
        match forms.get(part).clone() {
            Form::And(inner) => rest.extend(inner.iter().rev()),
            Form::Release(NO, g) => match forms.get(g).clone() {
                Form::And(inner) => {
                    for f in inner.iter().rev() {
                        rest.push(forms.always(*f));
                    }
                }
                _ => parts.push(part),
            },
            _ if part == YES => {}
            _ => parts.push(part),
        }
    }
    parts
}

/// `p` if the formula is `GF p`.
fn repeated(forms: &Forms, formula: FormId) -> Option<FormId> {
    match *forms.get(formula) {
        Form::Release(NO, g) => match *forms.get(g) {
            Form::Until(YES, p) => Some(p),
            _ => None,
        },
        _ => None,
    }
}

/// `p` and `q` if the formula is `GF p -> GF q`, that is `FG !p || GF q`.
fn pair(forms: &Forms, formula: FormId) -> Option<(Expr, Expr)> {
    let Form::Or(parts) = forms.get(formula) else {
        return None;
    };
    let mut given = None;
    let mut then = Vec::new();
    for part in parts {
        if let Some(p) = repeated(forms, *part) {
            then.push(expression(forms, p)?);
        } else {
            let p = expression(forms, settled(forms, *part)?)?;
            if given.replace(p.not()).is_some() {
                return None;
            }
        }
    }
    Some((given?, Expr::or(then)))
}

/// `p` if the formula is `FG p`.
fn settled(forms: &Forms, formula: FormId) -> Option<FormId> {
    match *forms.get(formula) {
        Form::Until(YES, f) => match *forms.get(f) {
            Form::Release(NO, p) => Some(p),
            _ => None,
        },
        _ => None,
    }
}

/// The state formula that a propositional formula over atoms is.
fn expression(forms: &Forms, formula: FormId) -> Option<Expr> {
    let all = |parts: &[FormId]| -> Option<Vec<Expr>> {
        parts.iter().map(|p| expression(forms, *p)).collect()
    };
    Some(match forms.get(formula) {
        Form::Yes => Expr::yes(),
        Form::No => Expr::no(),
        Form::Lit(Var::Atom(atom), positive) => {
            let expr = forms.atoms[*atom as usize].clone();
            if *positive { expr } else { expr.not() }
        }
        Form::And(parts) => Expr::and(all(parts)?),
        Form::Or(parts) => Expr::or(all(parts)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
