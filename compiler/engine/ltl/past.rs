//! Past operators as bits that are updated along the run.
//!
//! A past operator looks at the present and at one bit about the past, which is false at the start:
//!
//! ```text
//! Y g    is  b               where b becomes g after every step
//! f S g  is  g || (f && b)   where b becomes that value after every step
//! ```
//!
//! and `Z` and `T` are their duals. So a formula over the past of states is propositional in atoms and
//! bits, and the bits are a deterministic function of the run. If the operand is about the future (`O (p && F
//! q)`), the run is accompanied by a guess `c` whether the future formula holds, and by the obligation `G
//! (!c || F q)` to be right whenever the guess is yes. A guess of no need not be right: everything is
//! monotone in it.
//!
//! The bits are those of K. Havelund and G. Roşu, "Synthesizing Monitors for Safety Properties", 2002; guesses with their
//! obligations are what Y. Kesten, A. Pnueli and L. Raviv, "Algorithmic Verification of Linear Temporal Logic Specifications", 1998,
//! call testers.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::form::{Form, FormId, Forms, Var};

/// What past operators remember; a bit's index is its position. All bits are false at the start.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    /// For each bit its next value: propositional in atoms, guesses and bits.
    pub updates: Vec<FormId>,
}

/// Replaces the past operators of a formula: the result has future operators only, over atoms, bits and
/// guesses, and holds at the start of a run for some guesses if and only if the formula does.
pub fn without_past(forms: &mut Forms, formula: FormId) -> (FormId, Memory) {
    let mut past = Past {
        forms,
        memory: Memory::default(),
        bits: FxHashMap::default(),
        guesses: IndexSet::new(),
        done: FxHashMap::default(),
    };
    let mut parts = vec![past.future(formula)];
    // Obligations may bring guesses of their own.
    let mut next = 0;
    while next < past.guesses.len() {
        let guessed = past.guesses[next];
        let right = past.future(guessed);
        let guess = past.forms.literal(Var::Guess(next as u32), false);
        let implied = past.forms.or([guess, right]);
        parts.push(past.forms.always(implied));
        next += 1;
    }
    let memory = past.memory;
    (forms.and(parts), memory)
}

struct Past<'a> {
    forms: &'a mut Forms,
    memory: Memory,
    /// By what is remembered: the operands of `Y` (first) or of `S`.
    bits: FxHashMap<(Option<FormId>, FormId), FormId>,
    guesses: IndexSet<FormId>,
    /// What became of formulas, as such and as propositional ones.
    done: FxHashMap<(FormId, bool), FormId>,
}

impl Past<'_> {
    /// A formula without its past operators.
    fn future(&mut self, id: FormId) -> FormId {
        if !self.forms.traits(id).past {
            return id;
        }
        if let Some(known) = self.done.get(&(id, false)) {
            return *known;
        }
        let form = match self.forms.get(id).clone() {
            Form::And(parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.future(*p)).collect();
                self.forms.and(parts)
            }
            Form::Or(parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.future(*p)).collect();
                self.forms.or(parts)
            }
            Form::Next(f) => {
                let f = self.future(f);
                self.forms.intern(Form::Next(f))
            }
            Form::Until(f, g) => {
                let (f, g) = (self.future(f), self.future(g));
                self.forms.until(f, g)
            }
            Form::Release(f, g) => {
                let (f, g) = (self.future(f), self.future(g));
                self.forms.release(f, g)
            }
            _ => self.present(id),
        };
        self.done.insert((id, false), form);
        form
    }

    /// A formula as a propositional one, future operators guessed.
    fn present(&mut self, id: FormId) -> FormId {
        if let Some(known) = self.done.get(&(id, true)) {
            return *known;
        }
        let form = match self.forms.get(id).clone() {
            Form::Yes | Form::No | Form::Lit(..) => id,
            Form::And(parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.present(*p)).collect();
                self.forms.and(parts)
            }
            Form::Or(parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.present(*p)).collect();
                self.forms.or(parts)
            }
            Form::Next(_) | Form::Until(..) | Form::Release(..) => {
                let guess = self.guesses.insert_full(id).0;
                self.forms.literal(Var::Guess(guess as u32), true)
            }
            Form::Before(g) => {
                let g = self.present(g);
                self.bit(None, g).1
            }
            Form::WeakBefore(g) => {
                let g = self.present(g);
                let g = self.forms.not(g);
                let before = self.bit(None, g).1;
                self.forms.not(before)
            }
            Form::Since(f, g) => {
                let (f, g) = (self.present(f), self.present(g));
                self.since(f, g)
            }
            Form::Trigger(f, g) => {
                let (f, g) = (self.present(f), self.present(g));
                let (f, g) = (self.forms.not(f), self.forms.not(g));
                let since = self.since(f, g);
                self.forms.not(since)
            }
        };
        self.done.insert((id, true), form);
        form
    }

    /// `f S g`, propositional.
    fn since(&mut self, f: FormId, g: FormId) -> FormId {
        let (new, bit) = self.bit(Some(f), g);
        let still = self.forms.and([f, bit]);
        let value = self.forms.or([g, still]);
        if let Some(index) = new {
            self.memory.updates[index] = value;
        }
        value
    }

    /// The bit of `Y g` or of `f S g`, and its index if it is new.
    fn bit(&mut self, f: Option<FormId>, g: FormId) -> (Option<usize>, FormId) {
        if let Some(bit) = self.bits.get(&(f, g)) {
            return (None, *bit);
        }
        let index = self.memory.updates.len();
        self.memory.updates.push(g);
        let bit = self.forms.literal(Var::Bit(index as u32), true);
        self.bits.insert((f, g), bit);
        (Some(index), bit)
    }
}
