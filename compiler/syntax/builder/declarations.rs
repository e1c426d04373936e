//! Declarations: specifications, protocols, definitions of faults.

use super::Builder;
use crate::source::Span;
use crate::syntax::ast::{
    Block, Constructor, Data, DeclKind, Diagnosable, Expr, FaultDecl, FaultOn, Join, Name, Param,
    Protocol, Spec, Tolerated,
};
use crate::syntax::problem::Problem;
use crate::vocabulary::SpecKind;

impl Builder<'_> {
    /// `data D { A, B }`; with nothing in it that could be read it is lost.
    pub fn data(&self, name: Name, constructors: Vec<Option<Constructor>>) -> DeclKind {
        if !constructors.is_empty() && constructors.iter().all(Option::is_none) {
            return DeclKind::Error;
        }
        let constructors = constructors.into_iter().flatten().collect();
        DeclKind::Data(Data { name, constructors })
    }

    /// A specification, whose word stands from `l` to `r`.
    pub fn spec(
        &self,
        l: u32,
        r: u32,
        name: Option<Name>,
        tolerated: Option<Tolerated>,
        lines: Vec<Expr>,
    ) -> DeclKind {
        let Some(kind) = SpecKind::of_word(self.slice(l, r)) else {
            return DeclKind::Error;
        };
        let keyword = self.span(l, r);
        DeclKind::Spec(Spec {
            kind,
            keyword,
            name,
            tolerated,
            lines,
        })
    }

    /// `diagnosable`, which has no braces but around sets.
    pub fn diagnosable(
        &self,
        keyword: Span,
        fault: Expr,
        by: Name,
        process: Expr,
        among: Option<(Name, Vec<Expr>)>,
    ) -> DeclKind {
        let words = [(&by, "by")].into_iter();
        let words = words.chain(among.as_ref().map(|(word, _)| (word, "as")));
        for (found, wanted) in words {
            if found.text != wanted {
                let at = found.span;
                self.report(Problem::DiagnosableWord { wanted, at });
            }
        }
        DeclKind::Diagnosable(Diagnosable {
            keyword,
            fault,
            process,
            among: among.map(|(_, faults)| faults),
        })
    }

    pub fn fault(
        &self,
        name: Name,
        params: Vec<Param>,
        word: Name,
        on: FaultOn,
        joins: Vec<Join>,
    ) -> FaultDecl {
        if word.text != "on" {
            self.report(Problem::FaultOn { at: word.span });
        }
        FaultDecl {
            name,
            params,
            on,
            joins,
        }
    }

    /// `protocol`, with the first of the channels and processes it is on apart.
    #[allow(clippy::too_many_arguments)]
    pub fn protocol(
        &self,
        keyword: Span,
        complete: bool,
        name: Name,
        over: Option<(Name, Expr, Expr)>,
        first: Expr,
        rest: Vec<Expr>,
        body: Block,
    ) -> Protocol {
        Protocol {
            keyword,
            complete,
            name,
            over,
            on: std::iter::once(first).chain(rest).collect(),
            body,
        }
    }
}
