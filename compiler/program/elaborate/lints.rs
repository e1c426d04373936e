//! Lints that need to have seen the whole model.

use super::Checker;

impl<'a> Checker<'a> {
    /// Reports what is legal but probably not meant.
    pub fn lints(&mut self) {
        self.agreed();
    }

    /// What all elaborations of a place agree on.
    fn agreed(&mut self) {
        let agreed = std::mem::take(&mut self.uses.agreed);
        for diagnostic in agreed.into_values().flatten() {
            self.report(diagnostic);
        }
    }
}
