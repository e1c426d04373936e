//! From a formula without past operators to an automaton.
//!
//! A state is a formula: what the rest of the run must satisfy, with the values of the bits that it reads. Its
//! edges are the ways to split that into a condition on the present letter and a formula for the next
//! position, by `f U g = g || (f && X (f U g))` and its kind. Choosing to wait for `g` is a *promise* of `g`;
//! an edge carries the marks of all that it does not promise, so a run that waits for ever is not accepted.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::automaton::{Atoms, Automaton, Edge, MAX_ATOMS, MAX_MARKS, TooLarge};
use super::form::{Form, FormId, Forms, Var};
use super::past::Memory;

/// Most ways to split one formula.
const MAX_TERMS: usize = 1024;

/// Most comparisons of such ways, all in all.
const MAX_WORK: usize = 20_000_000;

/// The automaton of a formula without past operators; its atoms are indices into [`Forms::atoms`]. It is not
/// reduced.
pub fn automaton(
    forms: &mut Forms,
    formula: FormId,
    memory: &Memory,
    max_states: usize,
) -> Result<Automaton, TooLarge> {
    if memory.updates.len() > u128::BITS as usize {
        return Err(TooLarge);
    }
    let mut tableau = Tableau {
        forms,
        memory,
        vars: IndexSet::new(),
        promises: IndexSet::new(),
        bits: 0,
        terms: FxHashMap::default(),
        reads: FxHashMap::default(),
        work: 0,
    };
    let mut states: IndexSet<(FormId, u128)> = IndexSet::from([(formula, 0)]);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    let mut total = 0;
    while edges.len() < states.len() {
        let (form, bits) = states[edges.len()];
        let mut out = Vec::new();
        for (term, next, bits) in tableau.split(form, bits)? {
            out.push(Edge {
                yes: term.yes,
                no: term.no,
                marks: !term.promises,
                to: states.insert_full((next, bits)).0 as u32,
            });
        }
        total += out.len();
        if states.len() > max_states || total > 16 * max_states.max(64) {
            return Err(TooLarge);
        }
        edges.push(out);
    }
    Ok(tableau.finish(edges))
}

/// One way to satisfy a formula.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Term {
    /// The variables that hold now.
    yes: Atoms,
    /// The variables that do not.
    no: Atoms,
    /// What must hold at the next position; sorted.
    next: Vec<FormId>,
    /// What is waited for, by position in the list of promises.
    promises: u64,
}

impl Term {
    /// Whether every run that this way allows, the other one allows too.
    fn absorbed_by(&self, other: &Term) -> bool {
        other.yes & !self.yes == 0
            && other.no & !self.no == 0
            && other.promises & !self.promises == 0
            && other.next.iter().all(|f| self.next.contains(f))
    }

    /// Both, unless they contradict each other.
    fn and(&self, other: &Term) -> Option<Term> {
        let (yes, no) = (self.yes | other.yes, self.no | other.no);
        (yes & no == 0).then(|| {
            let mut next = self.next.clone();
            next.extend(&other.next);
            next.sort_unstable();
            next.dedup();
            Term {
                yes,
                no,
                next,
                promises: self.promises | other.promises,
            }
        })
    }
}

struct Tableau<'a> {
    forms: &'a mut Forms,
    memory: &'a Memory,
    /// The atoms and guesses met so far.
    vars: IndexSet<Var>,
    promises: IndexSet<FormId>,
    /// The present values of the bits.
    bits: u128,
    /// How to satisfy formulas under these.
    terms: FxHashMap<FormId, Rc<Vec<Term>>>,
    /// The bits that matter for a formula.
    reads: FxHashMap<FormId, u128>,
    /// How many terms have been compared.
    work: usize,
}

impl Tableau<'_> {
    /// The ways to satisfy a formula under some bits, each with the formula and the bits after it.
    fn split(&mut self, form: FormId, bits: u128) -> Result<Vec<(Term, FormId, u128)>, TooLarge> {
        if bits != self.bits {
            self.bits = bits;
            self.terms.clear();
        }
        let mut split = Vec::new();
        for term in self.terms(form)?.iter() {
            let Some(next) = self.forms.all_of(&term.next) else {
                continue;
            };
            let relevant = self.reads(next);
            self.remember(term.clone(), next, relevant, &mut split)?;
            if split.len() > MAX_TERMS {
                return Err(TooLarge);
            }
        }
        Ok(split)
    }

    /// Splits a term until it determines the next values of the relevant bits.
    fn remember(
        &mut self,
        term: Term,
        next: FormId,
        relevant: u128,
        out: &mut Vec<(Term, FormId, u128)>,
    ) -> Result<(), TooLarge> {
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            let mut bits = 0;
            let mut open = None;
            for index in (0..self.memory.updates.len()).filter(|i| relevant >> i & 1 == 1) {
                match self.value(self.memory.updates[index], &term) {
                    Ok(value) => bits |= u128::from(value) << index,
                    Err(var) => {
                        open = Some(var);
                        break;
                    }
                }
            }
            let Some(var) = open else {
                out.push((term, next, bits));
                continue;
            };
            if pending.len() + out.len() > MAX_TERMS {
                return Err(TooLarge);
            }
            let var = 1 << self.var(var)?;
            let (mut yes, mut no) = (term.clone(), term);
            yes.yes |= var;
            no.no |= var;
            pending.extend([no, yes]);
        }
        Ok(())
    }

    /// The value of a propositional formula now, or a variable that it depends on.
    fn value(&self, id: FormId, term: &Term) -> Result<bool, Var> {
        let join = |parts: &[FormId], dominant: bool| {
            let mut open = None;
            for part in parts {
                match self.value(*part, term) {
                    Ok(value) if value == dominant => return Ok(dominant),
                    Ok(_) => {}
                    Err(var) => open = open.or(Some(var)),
                }
            }
            open.map_or(Ok(!dominant), Err)
        };
        match self.forms.get(id) {
            Form::Yes => Ok(true),
            Form::Lit(Var::Bit(index), positive) => Ok((self.bits >> index & 1 == 1) == *positive),
            Form::Lit(var, positive) => {
                let mask: Atoms = self.vars.get_index_of(var).map_or(0, |i| 1 << i);
                if term.yes & mask != 0 {
                    Ok(*positive)
                } else if term.no & mask != 0 {
                    Ok(!positive)
                } else {
                    Err(*var)
                }
            }
            Form::And(parts) => join(parts, false),
            Form::Or(parts) => join(parts, true),
            // Bits are updated by propositional formulas only.
            _ => Ok(false),
        }
    }

    /// The number of an atom or a guess.
    fn var(&mut self, var: Var) -> Result<usize, TooLarge> {
        let index = self.vars.insert_full(var).0;
        if index < MAX_ATOMS {
            Ok(index)
        } else {
            Err(TooLarge)
        }
    }

    fn promise(&mut self, g: FormId) -> Result<u64, TooLarge> {
        let index = self.promises.insert_full(g).0;
        if index < MAX_MARKS {
            Ok(1 << index)
        } else {
            Err(TooLarge)
        }
    }

    /// The ways to satisfy a formula now.
    fn terms(&mut self, id: FormId) -> Result<Rc<Vec<Term>>, TooLarge> {
        if let Some(known) = self.terms.get(&id) {
            return Ok(known.clone());
        }
        let wait = |id, promises| {
            vec![Term {
                next: vec![id],
                promises,
                ..Term::default()
            }]
        };
        let terms = match self.forms.get(id).clone() {
            Form::Yes => vec![Term::default()],
            Form::No => Vec::new(),
            Form::Lit(..) => self.literal(id)?,
            Form::And(parts) => {
                let mut all = vec![Term::default()];
                for part in parts {
                    let terms = self.terms(part)?;
                    all = self.product(&all, &terms)?;
                }
                all
            }
            Form::Or(parts) => {
                let mut all = Vec::new();
                // What is decided by a literal need not be considered without it.
                let mut otherwise = vec![Term::default()];
                let (literals, rest): (Vec<FormId>, Vec<FormId>) = parts
                    .iter()
                    .partition(|p| matches!(self.forms.get(**p), Form::Lit(..)));
                for part in literals.into_iter().chain(rest) {
                    let (terms, unless) = (self.terms(part)?, self.unless(part)?);
                    all.extend(self.product(&otherwise, &terms)?);
                    otherwise = self.product(&otherwise, &unless)?;
                }
                self.absorb(all)?
            }
            Form::Next(f) => wait(f, 0),
            Form::Until(f, g) => {
                let mut all = (*self.terms(g)?).clone();
                let promise = self.promise(g)?;
                let (terms, unless) = (self.terms(f)?, self.unless(g)?);
                let waiting = self.product(&terms, &wait(id, promise))?;
                all.extend(self.product(&waiting, &unless)?);
                self.absorb(all)?
            }
            Form::Release(f, g) => {
                let mut all = (*self.terms(f)?).clone();
                let (terms, unless) = (self.terms(g)?, self.unless(f)?);
                all.extend(self.product(&wait(id, 0), &unless)?);
                let mut terms = self.product(&terms, &all)?;
                // Where it is waited for again, `g` is split again: what that asks for anyway need not be kept beside it.
                let again = self.asked_by(g);
                for term in terms.iter_mut().filter(|t| t.next.contains(&id)) {
                    term.next.retain(|f| !again.contains(f));
                }
                self.absorb(terms)?
            }
            // There are none by now.
            Form::Before(_) | Form::WeakBefore(_) | Form::Since(..) | Form::Trigger(..) => {
                return Err(TooLarge);
            }
        };
        let terms = Rc::new(terms);
        self.terms.insert(id, terms.clone());
        Ok(terms)
    }

    /// The formulas that are split whenever this one is, without promises: it, and what it cannot hold without now.
    fn asked_by(&self, id: FormId) -> Vec<FormId> {
        let mut asked = vec![id];
        let mut next = 0;
        while next < asked.len() {
            match self.forms.get(asked[next]) {
                Form::And(parts) => asked.extend(parts),
                Form::Release(_, g) => asked.push(*g),
                _ => {}
            }
            next += 1;
        }
        asked.retain(|f| !self.promises_something(*f));
        asked
    }

    /// Whether `U` occurs in a formula.
    fn promises_something(&self, id: FormId) -> bool {
        let mut seen = IndexSet::from([id]);
        let mut next = 0;
        while next < seen.len() {
            match self.forms.get(seen[next]) {
                Form::Until(..) => return true,
                Form::And(parts) | Form::Or(parts) => seen.extend(parts.iter().copied()),
                Form::Next(f) => {
                    seen.insert(*f);
                }
                Form::Release(f, g) => seen.extend([*f, *g]),
                _ => {}
            }
            next += 1;
        }
        false
    }

    fn literal(&mut self, id: FormId) -> Result<Vec<Term>, TooLarge> {
        Ok(match *self.forms.get(id) {
            Form::Lit(Var::Bit(index), positive) => {
                let holds = (self.bits >> index & 1 == 1) == positive;
                vec![Term::default(); usize::from(holds)]
            }
            Form::Lit(var, positive) => {
                let mask = 1 << self.var(var)?;
                let (yes, no) = if positive { (mask, 0) } else { (0, mask) };
                vec![Term {
                    yes,
                    no,
                    ..Term::default()
                }]
            }
            _ => Vec::new(),
        })
    }

    /// The ways in which a literal is false. Other formulas may be false in ways that are not worth telling.
    fn unless(&mut self, id: FormId) -> Result<Vec<Term>, TooLarge> {
        match self.forms.get(id) {
            Form::Lit(..) => {
                let not = self.forms.not(id);
                self.literal(not)
            }
            Form::Yes => Ok(Vec::new()),
            _ => Ok(vec![Term::default()]),
        }
    }

    /// The bits that a formula reads, now or later.
    fn reads(&mut self, id: FormId) -> u128 {
        if let Some(known) = self.reads.get(&id) {
            return *known;
        }
        let mut bits = self.mentions(id);
        loop {
            let more = (0..self.memory.updates.len())
                .filter(|i| bits >> i & 1 == 1)
                .fold(bits, |all, i| all | self.mentions(self.memory.updates[i]));
            if more == bits {
                break;
            }
            bits = more;
        }
        self.reads.insert(id, bits);
        bits
    }

    fn mentions(&self, id: FormId) -> u128 {
        let mut bits = 0;
        let mut seen = IndexSet::from([id]);
        let mut next = 0;
        while next < seen.len() {
            match self.forms.get(seen[next]) {
                Form::Lit(Var::Bit(index), _) => bits |= 1 << index,
                Form::And(parts) | Form::Or(parts) => seen.extend(parts.iter().copied()),
                Form::Next(f) | Form::Before(f) | Form::WeakBefore(f) => {
                    seen.insert(*f);
                }
                Form::Until(f, g)
                | Form::Release(f, g)
                | Form::Since(f, g)
                | Form::Trigger(f, g) => seen.extend([*f, *g]),
                Form::Yes | Form::No | Form::Lit(..) => {}
            }
            next += 1;
        }
        bits
    }

    /// Every way to satisfy one of each.
    fn product(&mut self, a: &[Term], b: &[Term]) -> Result<Vec<Term>, TooLarge> {
        if a.len() * b.len() > 16 * MAX_TERMS {
            return Err(TooLarge);
        }
        self.absorb(
            (a.iter())
                .flat_map(|x| b.iter().filter_map(|y| x.and(y)))
                .collect(),
        )
    }

    /// The terms that are not absorbed by others, in order.
    fn absorb(&mut self, terms: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
        let mut kept: Vec<Term> = Vec::new();
        for term in terms {
            self.work += kept.len();
            if kept.iter().any(|k| term.absorbed_by(k)) {
                continue;
            }
            kept.retain(|k| !k.absorbed_by(&term));
            kept.push(term);
        }
        if kept.len() > MAX_TERMS || self.work > MAX_WORK {
            return Err(TooLarge);
        }
        Ok(kept)
    }

    /// The automaton, guesses forgotten.
    fn finish(self, mut states: Vec<Vec<Edge>>) -> Automaton {
        let atoms: Vec<(usize, u32)> = (self.vars.iter().enumerate())
            .filter_map(|(i, var)| match var {
                Var::Atom(atom) => Some((i, *atom)),
                _ => None,
            })
            .collect();
        let project = |set: Atoms| {
            let bits = atoms.iter().enumerate();
            bits.fold(0, |all, (to, (from, _))| all | (set >> from & 1) << to)
        };
        let mut automaton = Automaton {
            atoms: atoms.iter().map(|(_, atom)| *atom).collect(),
            marks: self.promises.len() as u32,
            states: Vec::new(),
        };
        let all = automaton.all_marks();
        for edges in &mut states {
            for edge in edges.iter_mut() {
                edge.yes = project(edge.yes);
                edge.no = project(edge.no);
                edge.marks &= all;
            }
            edges.sort_unstable();
            edges.dedup();
        }
        automaton.states = states;
        automaton
    }
}
