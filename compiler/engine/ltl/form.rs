//! Formulas in negation normal form, each stored once.
//!
//! `F g` is `true U g`, `G g` is `false V g`, `O g` is `true S g` and `H g` is `false T g`. Negation stands
//! only before variables, so every operator is monotone.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use crate::system::Expr;

/// A formula of a [`Forms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormId(u32);

/// `true`
pub const YES: FormId = FormId(0);
/// `false`
pub const NO: FormId = FormId(1);

/// What a literal is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Var {
    /// A state formula, an index into [`Forms::atoms`].
    Atom(u32),
    /// What a past operator remembers, see [`past`](super::past).
    Bit(u32),
    /// A guess that a future formula below a past operator holds, see [`past`](super::past).
    Guess(u32),
}

/// A formula; the lists of `And` and `Or` are sorted, without repetition, and have at least two parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `true`
    Yes,
    /// `false`
    No,
    /// A variable, or its negation if not positive.
    Lit(Var, bool),
    /// All of them.
    And(Vec<FormId>),
    /// One of them.
    Or(Vec<FormId>),
    /// `X f`
    Next(FormId),
    /// `f U g`
    Until(FormId, FormId),
    /// `f V g`
    Release(FormId, FormId),
    /// `Y f`
    Before(FormId),
    /// `Z f`
    WeakBefore(FormId),
    /// `f S g`
    Since(FormId, FormId),
    /// `f T g`
    Trigger(FormId, FormId),
}

/// What is known about every run and all positions `i <= k` of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits {
    /// If it holds at k then at i: `F g`, `GF g`, `H g`.
    pub eventual: bool,
    /// If it holds at i then at k: `G g`, `FG g`, `O g`.
    pub universal: bool,
    /// It has a future operator.
    pub future: bool,
    /// It has a past operator.
    pub past: bool,
}

impl Traits {
    /// Holds everywhere on a run or nowhere: `GF g`, `FG g`.
    pub fn suspendable(self) -> bool {
        self.eventual && self.universal
    }
}

/// A store of formulas over a list of atoms.
#[derive(Clone, Debug)]
pub struct Forms {
    forms: IndexSet<Form>,
    traits: Vec<Traits>,
    negations: FxHashMap<FormId, FormId>,
    pub(super) implications: FxHashMap<(FormId, FormId), bool>,
    /// The state formulas.
    pub atoms: IndexSet<Expr>,
}

impl Default for Forms {
    fn default() -> Self {
        let mut forms = Forms {
            forms: IndexSet::new(),
            traits: Vec::new(),
            negations: FxHashMap::default(),
            implications: FxHashMap::default(),
            atoms: IndexSet::new(),
        };
        assert_eq!(forms.intern(Form::Yes), YES);
        assert_eq!(forms.intern(Form::No), NO);
        forms
    }
}

impl Forms {
    /// A formula by its id.
    pub fn get(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize]
    }

    /// What is known about a formula.
    pub fn traits(&self, id: FormId) -> Traits {
        self.traits[id.0 as usize]
    }

    /// Stores a formula as it is.
    pub fn intern(&mut self, form: Form) -> FormId {
        if let Some(index) = self.forms.get_index_of(&form) {
            return FormId(index as u32);
        }
        self.traits.push(self.traits_of(&form));
        FormId(self.forms.insert_full(form).0 as u32)
    }

    fn traits_of(&self, form: &Form) -> Traits {
        let of = |id: &FormId| self.traits(*id);
        let constant = Traits {
            eventual: true,
            universal: true,
            future: false,
            past: false,
        };
        let join = |a: Traits, b: Traits| Traits {
            eventual: a.eventual && b.eventual,
            universal: a.universal && b.universal,
            future: a.future || b.future,
            past: a.past || b.past,
        };
        match form {
            Form::Yes | Form::No => constant,
            Form::Lit(..) => Traits {
                eventual: false,
                universal: false,
                ..constant
            },
            Form::And(parts) | Form::Or(parts) => parts.iter().map(of).fold(constant, join),
            Form::Next(f) => Traits {
                future: true,
                ..of(f)
            },
            Form::Until(f, g) => Traits {
                eventual: *f == YES || of(g).eventual,
                universal: *f == YES && of(g).universal,
                future: true,
                past: of(f).past || of(g).past,
            },
            Form::Release(f, g) => Traits {
                eventual: *f == NO && of(g).eventual,
                universal: *f == NO || of(g).universal,
                future: true,
                past: of(f).past || of(g).past,
            },
            Form::Before(f) | Form::WeakBefore(f) => Traits {
                eventual: false,
                universal: false,
                future: of(f).future,
                past: true,
            },
            Form::Since(f, g) => Traits {
                eventual: false,
                universal: *f == YES,
                future: of(f).future || of(g).future,
                past: true,
            },
            Form::Trigger(f, g) => Traits {
                eventual: *f == NO,
                universal: false,
                future: of(f).future || of(g).future,
                past: true,
            },
        }
    }

    /// A literal.
    pub fn literal(&mut self, var: Var, positive: bool) -> FormId {
        self.intern(Form::Lit(var, positive))
    }

    /// `F g`
    pub fn eventually(&mut self, g: FormId) -> FormId {
        self.until(YES, g)
    }

    /// `G g`
    pub fn always(&mut self, g: FormId) -> FormId {
        self.release(NO, g)
    }

    /// The negation.
    pub fn not(&mut self, id: FormId) -> FormId {
        if let Some(negation) = self.negations.get(&id) {
            return *negation;
        }
        let negation = match self.get(id).clone() {
            Form::Yes => NO,
            Form::No => YES,
            Form::Lit(var, positive) => self.literal(var, !positive),
            Form::And(parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.not(*p)).collect();
                self.or(parts)
            }
            Form::Or(parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.not(*p)).collect();
                self.and(parts)
            }
            Form::Next(f) => {
                let f = self.not(f);
                self.next(f)
            }
            Form::Until(f, g) => {
                let (f, g) = (self.not(f), self.not(g));
                self.release(f, g)
            }
            Form::Release(f, g) => {
                let (f, g) = (self.not(f), self.not(g));
                self.until(f, g)
            }
            Form::Before(f) => {
                let f = self.not(f);
                self.weak_before(f)
            }
            Form::WeakBefore(f) => {
                let f = self.not(f);
                self.before(f)
            }
            Form::Since(f, g) => {
                let (f, g) = (self.not(f), self.not(g));
                self.trigger(f, g)
            }
            Form::Trigger(f, g) => {
                let (f, g) = (self.not(f), self.not(g));
                self.since(f, g)
            }
        };
        self.negations.insert(id, negation);
        self.negations.insert(negation, id);
        negation
    }
}
