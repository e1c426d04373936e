//! `tolerant name to f, g at level { e }`: which faults, and how well.

use crate::program::Tolerated;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::problem::PropertyProblem;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::{FaultId, Level, SpecKind};

/// It has been said what is wrong.
pub struct Reported;

impl<'a> Expressions<'_, 'a> {
    /// What a specification tolerates: something if it is `tolerant`, and only then.
    pub fn tolerated(&mut self, spec: &'a ast::Spec) -> Result<Option<Tolerated>, Reported> {
        let wrong = match (&spec.tolerated, spec.kind) {
            (Some(written), SpecKind::Tolerant) => {
                return self.written(written).map(Some).ok_or(Reported);
            }
            (None, SpecKind::Tolerant) => PropertyProblem::NoFaults { span: spec.keyword },
            (None, _) => return Ok(None),
            (Some(written), kind) => PropertyProblem::NotTolerant {
                kind: kind.as_str(),
                span: written.faults[0].span,
            },
        };
        self.log.report(wrong);
        Err(Reported)
    }

    fn written(&mut self, written: &'a ast::Tolerated) -> Option<Tolerated> {
        let mut faults: Vec<FaultId> = Vec::new();
        let mut known = true;
        for fault in &written.faults {
            let found = match &unparenthesised(fault).kind {
                Ast::Any(ast::AnySet::All) => {
                    let all = 0..self.made.faults.len() as u32;
                    Some(all.map(FaultId).collect())
                }
                _ => self.faults_of(fault),
            };
            known &= found.is_some();
            faults.extend(found.unwrap_or_default());
        }
        faults.sort_unstable();
        faults.dedup();
        let at = match &written.level {
            None => None,
            Some(written) => Some(self.level(written)?),
        };
        known.then_some(Tolerated { faults, at })
    }

    fn level(&mut self, (word, level): &(ast::Name, ast::Name)) -> Option<Level> {
        if word.text != "at" {
            self.log.report(PropertyProblem::LevelWord {
                word: word.text.clone(),
                span: word.span,
            });
            return None;
        }
        let found = Level::ALL.into_iter().find(|l| l.as_str() == level.text);
        if found.is_none() {
            let names = Level::ALL.map(Level::as_str);
            self.log.report(PropertyProblem::UnknownLevel {
                name: level.text.clone(),
                suggestion: self.log.near(&level.text, names),
                span: level.span,
            });
        }
        found
    }
}
