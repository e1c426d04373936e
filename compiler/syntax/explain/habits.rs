//! Operators and words of other languages where the grammar gave up, and keywords used as names.

use super::Context;
use crate::source::Span;
use crate::syntax::habit::{Arrow, Habit};
use crate::syntax::problem::Problem;
use crate::syntax::token::Tok;

impl Context<'_> {
    /// Operators of other languages, and `=` in places where it is one.
    pub fn operator_habit(&self) -> Option<Problem> {
        let failure = self.failure;
        let at = failure.at;
        if let found @ Some(_) = self.box_or_diamond().or_else(|| self.arrow()) {
            return found;
        }
        if let found @ Some(_) = self.loop_over_range().or_else(|| self.loop_up_to()) {
            return found;
        }
        let here = failure.found().map(|_| failure.span(at))?;
        let first_at = self.first_at();
        let declared = match self.first() {
            Some(Tok::Var) => first_at + 2,
            Some(Tok::Durable) => first_at + 3,
            _ => usize::MAX,
        };
        let habit = match failure.found()? {
            Tok::ColonAssign if failure.kind(failure.start) == Some(Tok::Init) => {
                Habit::DeclareEntry
            }
            Tok::ColonAssign if self.first() == Some(Tok::For) => Habit::CountingLoop,
            Tok::ColonAssign => Habit::Declare,
            Tok::PlusPlus => Habit::Increment,
            Tok::FatArrow => Habit::FatArrow,
            Tok::EqEqEq => Habit::TripleEquals,
            Tok::Assign if at == declared => {
                return Some(Problem::MissingType {
                    at: here,
                    name: failure.span(at - 1),
                });
            }
            Tok::Assign if self.first() == Some(Tok::For) => Habit::CountingLoop,
            Tok::Assign if failure.before().is_some_and(Tok::ends_operand) && self.compares() => {
                Habit::AssignInCondition
            }
            Tok::Colon if self.follows_case() => Habit::CaseColon,
            Tok::Colon if self.has("channel") => Habit::TypeColon,
            _ => return self.decrement().or_else(|| self.broken_line()),
        };
        Some(Problem::Habit { at: here, habit })
    }

    /// Whether what was read is the head of a case.
    fn follows_case(&self) -> bool {
        let failure = self.failure;
        let mut before = (failure.start..failure.at)
            .rev()
            .map(|at| failure.tokens[at].kind);
        let head = before.find(|kind| {
            matches!(
                kind,
                Tok::Case | Tok::Default | Tok::Semi | Tok::LBrace | Tok::RBrace
            )
        });
        matches!(head, Some(Tok::Case | Tok::Default))
    }

    /// Whether an expression that is a condition is being read.
    fn compares(&self) -> bool {
        matches!(self.first(), Some(Tok::If | Tok::Assert | Tok::Case))
            || self.in_specification()
            || self.repair.open().and_then(|open| self.failure.kind(open)) == Some(Tok::LParen)
    }

    /// `x--`
    fn decrement(&self) -> Option<Problem> {
        let at = self.failure.at;
        let minus = |at: usize| self.failure.kind(at) == Some(Tok::Minus);
        let ends =
            matches!(self.failure.found(), Some(Tok::Semi | Tok::RBrace)) || self.on_new_line();
        (ends && at >= 2 && minus(at - 1) && minus(at - 2)).then(|| Problem::Habit {
            at: self.failure.span(at - 2).to(self.failure.span(at - 1)),
            habit: Habit::Decrement,
        })
    }

    /// A line that begins with an operator: either the line end was refused, or it ended a statement.
    fn broken_line(&self) -> Option<Problem> {
        let failure = self.failure;
        let line_end = [failure.at, failure.at.wrapping_sub(1)]
            .into_iter()
            .find(|at| {
                failure
                    .tokens
                    .get(*at)
                    .is_some_and(|token| token.kind == Tok::Semi && token.is_virtual())
            })?;
        let next = failure.kind(line_end + 1)?;
        let goes_on = next.is_infix() || next.is_assign() || matches!(next, Tok::Dot | Tok::Colon);
        (goes_on && next != Tok::Minus).then(|| Problem::BrokenLine {
            operator: failure.span(line_end + 1),
            line_end: failure.span(line_end),
        })
    }

    /// Words of other languages, and keywords used as names.
    pub fn word_habit(&self) -> Option<Problem> {
        let failure = self.failure;
        let at = failure.at;
        let first_at = self.first_at();
        let problem = |at: usize, habit: Option<Habit>| {
            let is_name = failure.kind(at) == Some(Tok::Ident);
            habit.filter(|_| is_name).map(|habit| Problem::Habit {
                at: failure.span(at),
                habit,
            })
        };
        if at <= first_at + 1
            && let found @ Some(_) = problem(first_at, Habit::beginning(failure.word(first_at)))
        {
            return found;
        }
        let is_type = self.first() == Some(Tok::Type);
        let typing = is_type.then(|| Habit::typing(failure.word(at))).flatten();
        if let found @ Some(_) = problem(at, typing.or_else(|| Habit::joining(failure.word(at)))) {
            return found;
        }
        if let Some(before) = at.checked_sub(1).filter(|before| *before >= failure.start) {
            let word = failure.word(before);
            let habit = Habit::typing(word)
                .or_else(|| Habit::joining(word).filter(|_| failure.found() != Some(Tok::Semi)));
            if let found @ Some(_) = problem(before, habit) {
                return found;
            }
        }
        self.is_keyword_as_name().then(|| Problem::KeywordAsName {
            at: failure.span(at),
        })
    }

    fn is_keyword_as_name(&self) -> bool {
        let failure = self.failure;
        let next_at = failure.at + 1;
        if !failure.found().is_some_and(Tok::is_keyword) || self.has("case") {
            return false;
        }
        let next = failure.kind(next_at).filter(|_| next_at < failure.end);
        if self.has("for") {
            // At the beginning of a statement or an entry.
            return next.is_some_and(|next| next == Tok::Colon || next.is_assign());
        }
        if self.on_new_line() {
            return false;
        }
        if self.has("!") {
            // Among operands: only if it stands where a name would, alone.
            let last = next.is_none_or(|next| !next.continues_line()) && self.ends_line(failure.at);
            let alone = |next: Tok| {
                next.is_infix()
                    || next.is_closer()
                    || matches!(next, Tok::Comma | Tok::Semi | Tok::Dot | Tok::LBracket)
            };
            return last || next.is_some_and(alone);
        }
        self.has("NAME") && !self.has("INT")
    }

    /// Whether a line ends after a token.
    fn ends_line(&self, at: usize) -> bool {
        let tokens = self.failure.tokens;
        let next = tokens
            .get(at + 1)
            .map_or(self.failure.text.len(), |next| next.start as usize);
        self.failure.text[tokens[at].end as usize..next].contains('\n')
    }

    /// `[] p` and `<> p`, as Promela and papers write them.
    fn box_or_diamond(&self) -> Option<Problem> {
        let failure = self.failure;
        if !self.in_specification() {
            return None;
        }
        // `[]` is an empty array to the grammar, which gives up later.
        let first = failure.at.saturating_sub(3).max(failure.start);
        let (pair, kind) = (first..=failure.at).find_map(|pair| {
            let kind = failure.kind(pair)?;
            let closes = matches!(
                (kind, failure.kind(pair + 1)?),
                (Tok::LBracket, Tok::RBracket) | (Tok::Lt, Tok::Gt)
            );
            (closes && pair + 1 < failure.end && self.touch(pair)).then_some((pair, kind))
        })?;
        let hint = match (failure.kind(failure.start), kind) {
            (Some(Tok::LinearSpec), Tok::Lt) => "write `F`",
            (Some(Tok::LinearSpec), _) => "write `G`",
            (Some(Tok::BranchingSpec), Tok::Lt) => "write `AF`",
            (Some(Tok::BranchingSpec), _) => "write `AG`",
            (_, Tok::Lt) => "write `ltl name { F .. }`",
            _ => "write `ltl name { G .. }`",
        };
        let at = failure.span(pair).to(failure.span(pair + 1));
        let habit = Habit::Word { hint };
        Some(Problem::Habit { at, habit })
    }

    /// `x = <-c` and `c ! 1`. (`c <- 1` parses: it compares.)
    fn arrow(&self) -> Option<Problem> {
        let failure = self.failure;
        let receives = |at: usize| {
            failure.kind(at) == Some(Tok::Lt)
                && failure.kind(at + 1) == Some(Tok::Minus)
                && self.touch(at)
        };
        let arrow = match failure.found()? {
            Tok::Lt if receives(failure.at) => Arrow::Receive,
            Tok::ColonAssign if receives(failure.at + 1) => Arrow::Receive,
            Tok::Not
                if failure.at > self.first_at()
                    && failure.before().is_some_and(Tok::ends_operand)
                    && self.first() == Some(Tok::Ident)
                    && !self.in_specification() =>
            {
                Arrow::Bang
            }
            _ => return None,
        };
        Some(Problem::Habit {
            at: self.up_to_end(self.first_at()),
            habit: Habit::Arrow(arrow),
        })
    }

    /// `for i in 0..3 {`
    fn loop_over_range(&self) -> Option<Problem> {
        let failure = self.failure;
        let heads = matches!(failure.found()?, Tok::DotDot) || failure.before() == Some(Tok::In);
        let begins = (failure.start..failure.at)
            .rev()
            .take_while(|at| !matches!(failure.kind(*at), Some(Tok::LBrace | Tok::Semi)))
            .find(|at| failure.kind(*at) == Some(Tok::In))
            .filter(|_| heads)?;
        let at = self.up_to_end(begins + 1);
        let is_range = failure.text[at.range()].contains("..");
        is_range.then_some(Problem::Habit {
            at,
            habit: Habit::LoopOverRange,
        })
    }

    /// `for i in range n {`. If n is a name, the block looks like a literal of a record, and the grammar gives up somewhere in it or
    /// behind it.
    fn loop_up_to(&self) -> Option<Problem> {
        let failure = self.failure;
        let kinds = |at: usize| failure.kind(at);
        let range = (failure.start..failure.at)
            .rev()
            .find(|at| kinds(*at) == Some(Tok::Range))?;
        let is_head = range > failure.start && kinds(range - 1) == Some(Tok::In);
        let block = (range + 1..=failure.at)
            .find(|at| matches!(kinds(*at), Some(Tok::To | Tok::LBrace | Tok::Semi)))?;
        // `range 0 3 {` has lost a word between its numbers, and has a message of its own.
        let is_operand = |at: usize| matches!(kinds(at), Some(Tok::Int | Tok::Ident));
        let is_whole = (range + 1..block - 1).all(|at| !(is_operand(at) && is_operand(at + 1)));
        let is_head = is_head && is_whole;
        (is_head && block > range + 1 && kinds(block) == Some(Tok::LBrace)).then(|| {
            Problem::Habit {
                at: failure.span(range + 1).to(failure.span(block - 1)),
                habit: Habit::LoopUpTo,
            }
        })
    }

    /// Whether nothing stands between a token and the next.
    fn touch(&self, at: usize) -> bool {
        let tokens = self.failure.tokens;
        tokens[at].end == tokens[at + 1].start
    }

    /// From a token to the end of its statement, or to the block of its head.
    fn up_to_end(&self, first: usize) -> Span {
        let failure = self.failure;
        let end = (failure.at..failure.end)
            .find(|at| {
                matches!(
                    failure.kind(*at),
                    Some(Tok::Semi | Tok::LBrace | Tok::RBrace)
                )
            })
            .unwrap_or(failure.end);
        failure.span(first).to(failure.span(end - 1))
    }
}
