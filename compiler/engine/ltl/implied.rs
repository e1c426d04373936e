//! Whether one formula implies another, as far as their shapes tell.

use super::form::{Form, FormId, Forms, NO, YES};

impl Forms {
    /// Whether `b` holds wherever `a` does, at every position of every run; `false` if the shapes do not tell.
    pub fn implies(&mut self, a: FormId, b: FormId) -> bool {
        if a == b || a == NO || b == YES {
            return true;
        }
        if a == YES || b == NO {
            return false;
        }
        if let Some(known) = self.implications.get(&(a, b)) {
            return *known;
        }
        // Every rule asks about smaller formulas, so this is never read before it is settled.
        let answer = self.follows(a, b);
        self.implications.insert((a, b), answer);
        answer
    }

    fn follows(&mut self, a: FormId, b: FormId) -> bool {
        // The connectives that lose nothing first.
        if let Form::And(parts) = self.get(b).clone() {
            return parts.iter().all(|p| self.implies(a, *p));
        }
        if let Form::Or(parts) = self.get(a).clone() {
            return parts.iter().all(|p| self.implies(*p, b));
        }
        let (left, right) = (self.get(a).clone(), self.get(b).clone());
        // The same operator is monotone; `F` and `G` also swallow their own kind.
        let same = match (&left, &right) {
            (Form::Next(f), Form::Next(g))
            | (Form::Before(f), Form::Before(g))
            | (Form::Before(f), Form::WeakBefore(g))
            | (Form::WeakBefore(f), Form::WeakBefore(g)) => self.implies(*f, *g),
            (Form::Until(_, g), Form::Until(YES, _)) => self.implies(*g, b),
            (Form::Since(_, g), Form::Since(YES, _)) => self.implies(*g, b),
            (Form::Until(f, g), Form::Until(f2, g2))
            | (Form::Release(f, g), Form::Release(f2, g2))
            | (Form::Since(f, g), Form::Since(f2, g2))
            | (Form::Trigger(f, g), Form::Trigger(f2, g2)) => {
                self.implies(*f, *f2) && self.implies(*g, *g2)
            }
            _ => false,
        };
        if same {
            return true;
        }
        let swallowed = match (&left, &right) {
            (Form::Release(NO, _), Form::Release(_, g))
            | (Form::Trigger(NO, _), Form::Trigger(_, g)) => self.implies(a, *g),
            _ => false,
        };
        if swallowed {
            return true;
        }
        // What is true now if `a` is.
        let from_left = match left {
            Form::And(parts) => parts.iter().any(|p| self.implies(*p, b)),
            Form::Until(f, g) | Form::Since(f, g) => self.implies(f, b) && self.implies(g, b),
            Form::Release(_, g) | Form::Trigger(_, g) => self.implies(g, b),
            _ => false,
        };
        if from_left {
            return true;
        }
        // What being true now makes `b` true.
        match right {
            Form::Or(parts) => parts.iter().any(|p| self.implies(a, *p)),
            Form::Until(_, g) | Form::Since(_, g) => self.implies(a, g),
            Form::Release(f, g) | Form::Trigger(f, g) => self.implies(a, f) && self.implies(a, g),
            _ => false,
        }
    }
}
