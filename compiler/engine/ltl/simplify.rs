//! Constructors that rewrite: every formula is simplified while it is built.
//!
//! The rules are the usual ones (Etessami and Holzmann, "Optimizing Büchi Automata", 2000; Babiak et al.,
//! "LTL to Büchi Automata Translation: Fast and More Deterministic", 2012), with their mirror images for the
//! past where these hold:
//!
//! ```text
//! F F p  =>  F p                   G (p || GF q)    =>  G p || GF q
//! p U GF q  =>  GF q               FG p && FG q     =>  FG (p && q)
//! p && (p || q)  =>  p             GF p || GF q     =>  GF (p || q)
//! (X p) U (X q)  =>  X (p U q)     F (O p)          =>  O p || F p
//! ```

use super::form::{Form, FormId, Forms, NO, YES};

/// Lists longer than this are not searched for pairs where one implies the other.
const PAIRS: usize = 24;

impl Forms {
    /// All of them.
    pub fn and(&mut self, parts: impl IntoIterator<Item = FormId>) -> FormId {
        self.join(parts.into_iter().collect(), true)
    }

    /// One of them.
    pub fn or(&mut self, parts: impl IntoIterator<Item = FormId>) -> FormId {
        self.join(parts.into_iter().collect(), false)
    }

    /// The conjunction, or the disjunction: the same rules with everything negated.
    fn join(&mut self, mut rest: Vec<FormId>, and: bool) -> FormId {
        let (neutral, dominant) = if and { (YES, NO) } else { (NO, YES) };
        let mut parts = Vec::new();
        while let Some(part) = rest.pop() {
            match self.get(part) {
                Form::And(inner) if and => rest.extend(inner),
                Form::Or(inner) if !and => rest.extend(inner),
                _ if part == neutral => {}
                _ if part == dominant => return dominant,
                _ => parts.push(part),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        self.merge(&mut parts, and);
        if parts.len() <= PAIRS && parts.len() > 1 {
            match self.without_redundant(parts, and) {
                Some(kept) => parts = kept,
                None => return dominant,
            }
        }
        match parts.len() {
            0 => neutral,
            1 => parts[0],
            _ if and => self.intern(Form::And(parts)),
            _ => self.intern(Form::Or(parts)),
        }
    }

    /// `FG f && FG g` becomes `FG (f && g)`; `F f || F g` becomes `F (f || g)`, `GF f || GF g` likewise.
    fn merge(&mut self, parts: &mut Vec<FormId>, and: bool) {
        let mut simple = Vec::new();
        let mut doubled = Vec::new();
        parts.retain(|part| match (*self.get(*part)).clone() {
            Form::Until(YES, g) => match *self.get(g) {
                Form::Release(NO, h) if and => {
                    doubled.push(h);
                    false
                }
                _ if !and => {
                    simple.push(g);
                    false
                }
                _ => true,
            },
            Form::Release(NO, g) => match *self.get(g) {
                Form::Until(YES, h) if !and => {
                    doubled.push(h);
                    false
                }
                _ => true,
            },
            _ => true,
        });
        if !simple.is_empty() {
            let inner = self.or(simple);
            let merged = self.eventually(inner);
            parts.push(merged);
        }
        if !doubled.is_empty() {
            let merged = if and {
                let inner = self.and(doubled);
                let inner = self.always(inner);
                self.eventually(inner)
            } else {
                let inner = self.or(doubled);
                let inner = self.eventually(inner);
                self.always(inner)
            };
            parts.push(merged);
        }
        parts.sort_unstable();
        parts.dedup();
    }

    /// Whether two parts contradict each other (or, for a disjunction, one of two always holds).
    fn clash(&mut self, parts: &[FormId], and: bool) -> bool {
        for (i, a) in parts.iter().enumerate() {
            for b in &parts[i + 1..] {
                let not_b = self.not(*b);
                let clash = if and {
                    self.implies(*a, not_b)
                } else {
                    self.implies(not_b, *a)
                };
                if clash {
                    return true;
                }
            }
        }
        false
    }

    /// The parts that are not implied by others; `None` if two clash.
    fn without_redundant(&mut self, parts: Vec<FormId>, and: bool) -> Option<Vec<FormId>> {
        if self.clash(&parts, and) {
            return None;
        }
        let mut kept: Vec<FormId> = Vec::new();
        for part in parts {
            let stronger = |forms: &mut Self, a: FormId, b: FormId| {
                if and {
                    forms.implies(a, b)
                } else {
                    forms.implies(b, a)
                }
            };
            if kept.iter().any(|k| stronger(self, *k, part)) {
                continue;
            }
            kept.retain(|k| !stronger(self, part, *k));
            kept.push(part);
        }
        Some(kept)
    }

    /// All of them, none dropped although others imply it: `GF p` implies `F p`, but whoever waits for `p`
    /// must remember that he does. `None` if two contradict each other.
    pub fn all_of(&mut self, parts: &[FormId]) -> Option<FormId> {
        let mut rest = parts.to_vec();
        let mut all = Vec::new();
        while let Some(part) = rest.pop() {
            match self.get(part) {
                Form::And(inner) => rest.extend(inner),
                Form::Yes => {}
                Form::No => return None,
                _ => all.push(part),
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.len() <= PAIRS && self.clash(&all, true) {
            return None;
        }
        Some(match all.len() {
            0 => YES,
            1 => all[0],
            _ => self.intern(Form::And(all)),
        })
    }

    /// `X f`
    pub fn next(&mut self, f: FormId) -> FormId {
        if self.traits(f).suspendable() {
            return f;
        }
        match self.get(f).clone() {
            // The position before the next one is this one, which exists.
            Form::Before(g) | Form::WeakBefore(g) => g,
            Form::And(parts) if self.some_suspendable(&parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.next(*p)).collect();
                self.and(parts)
            }
            Form::Or(parts) if self.some_suspendable(&parts) => {
                let parts: Vec<FormId> = parts.iter().map(|p| self.next(*p)).collect();
                self.or(parts)
            }
            _ => self.intern(Form::Next(f)),
        }
    }

    fn some_suspendable(&self, parts: &[FormId]) -> bool {
        parts.iter().any(|p| self.traits(*p).suspendable())
    }

    /// `f U g`
    pub fn until(&mut self, f: FormId, g: FormId) -> FormId {
        // Once it holds it holds now; or: where g is not yet true, f makes it true.
        if self.traits(g).eventual || self.implies(f, g) {
            return g;
        }
        let not_g = self.not(g);
        if f != YES && self.implies(not_g, f) {
            return self.eventually(g);
        }
        match (self.get(f).clone(), self.get(g).clone()) {
            (_, Form::Until(f2, _)) if self.implies(f, f2) => g,
            // F (f2 U g2) is F g2.
            (Form::Yes, Form::Until(_, g2)) => self.eventually(g2),
            (Form::Next(f2), Form::Next(g2)) => {
                let inner = self.until(f2, g2);
                self.next(inner)
            }
            (Form::Yes, Form::Next(g2)) => {
                let inner = self.eventually(g2);
                self.next(inner)
            }
            (_, Form::And(parts)) if self.some_suspendable(&parts) => {
                let (suspended, rest): (Vec<FormId>, Vec<FormId>) =
                    parts.iter().partition(|p| self.traits(**p).suspendable());
                let rest = self.and(rest);
                let rest = self.until(f, rest);
                self.and(suspended.into_iter().chain([rest]))
            }
            (_, Form::Or(parts)) if parts.iter().any(|p| self.traits(*p).eventual) => {
                let (eventual, rest): (Vec<FormId>, Vec<FormId>) =
                    parts.iter().partition(|p| self.traits(**p).eventual);
                let rest = self.or(rest);
                let rest = self.until(f, rest);
                self.or(eventual.into_iter().chain([rest]))
            }
            // What was, is or will be so.
            (Form::Yes, Form::Since(YES, h) | Form::Before(h) | Form::WeakBefore(h)) => {
                let later = self.eventually(h);
                self.or([g, later])
            }
            _ => self.intern(Form::Until(f, g)),
        }
    }

    /// `f V g`
    pub fn release(&mut self, f: FormId, g: FormId) -> FormId {
        if self.traits(g).universal || self.implies(g, f) {
            return g;
        }
        let not_f = self.not(f);
        if f != NO && self.implies(g, not_f) {
            return self.always(g);
        }
        match (self.get(f).clone(), self.get(g).clone()) {
            (_, Form::Release(f2, _)) if self.implies(f2, f) => g,
            // G (f2 V g2) is G g2.
            (Form::No, Form::Release(_, g2)) => self.always(g2),
            (Form::Next(f2), Form::Next(g2)) => {
                let inner = self.release(f2, g2);
                self.next(inner)
            }
            (Form::No, Form::Next(g2)) => {
                let inner = self.always(g2);
                self.next(inner)
            }
            (_, Form::Or(parts)) if self.some_suspendable(&parts) => {
                let (suspended, rest): (Vec<FormId>, Vec<FormId>) =
                    parts.iter().partition(|p| self.traits(**p).suspendable());
                let rest = self.or(rest);
                let rest = self.release(f, rest);
                self.or(suspended.into_iter().chain([rest]))
            }
            (_, Form::And(parts)) if parts.iter().any(|p| self.traits(*p).universal) => {
                let (universal, rest): (Vec<FormId>, Vec<FormId>) =
                    parts.iter().partition(|p| self.traits(**p).universal);
                let rest = self.and(rest);
                let rest = self.release(f, rest);
                self.and(universal.into_iter().chain([rest]))
            }
            (Form::No, Form::Trigger(NO, h) | Form::Before(h) | Form::WeakBefore(h)) => {
                let later = self.always(h);
                self.and([g, later])
            }
            _ => self.intern(Form::Release(f, g)),
        }
    }

    /// `Y f`
    pub fn before(&mut self, f: FormId) -> FormId {
        match f {
            NO => NO,
            _ => self.intern(Form::Before(f)),
        }
    }

    /// `Z f`
    pub fn weak_before(&mut self, f: FormId) -> FormId {
        match f {
            YES => YES,
            _ => self.intern(Form::WeakBefore(f)),
        }
    }

    /// `f S g`
    pub fn since(&mut self, f: FormId, g: FormId) -> FormId {
        if self.traits(g).universal || self.implies(f, g) {
            return g;
        }
        match (self.get(f).clone(), self.get(g).clone()) {
            (_, Form::Since(f2, _)) if self.implies(f, f2) => g,
            (Form::Yes, Form::Until(YES, h)) => {
                let earlier = self.since(YES, h);
                self.or([g, earlier])
            }
            _ => self.intern(Form::Since(f, g)),
        }
    }

    /// `f T g`
    pub fn trigger(&mut self, f: FormId, g: FormId) -> FormId {
        if self.traits(g).eventual || self.implies(g, f) {
            return g;
        }
        match (self.get(f).clone(), self.get(g).clone()) {
            (_, Form::Trigger(f2, _)) if self.implies(f2, f) => g,
            (Form::No, Form::Release(NO, h)) => {
                let earlier = self.trigger(NO, h);
                self.and([g, earlier])
            }
            _ => self.intern(Form::Trigger(f, g)),
        }
    }
}
