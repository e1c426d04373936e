//! Formulas as trees, written with all parentheses or only with those that are needed.
//!
//! The two texts must mean the same, which shows that the parser knows the precedences of the reference: the engines, which
//! all read what it understood, could not contradict it.

/// A formula of a specification.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Without operators of this list; a comparison has spaces around its operator.
    Atom(String),
    Not(Box<Formula>),
    /// `G`, `F`, `AX`, ..
    Prefix(&'static str, Box<Formula>),
    /// `<->`, `->`, `||`, `&&`, `U`, `V`, `S`, `T`
    Infix(&'static str, Box<Formula>, Box<Formula>),
    /// `A (p U q)`, `E (p U q)`: the parentheses belong to it.
    Path(&'static str, Box<Formula>, Box<Formula>),
}

/// Which parentheses to write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parentheses {
    All,
    Needed,
}

/// How tightly operators bind: section 9 of the reference, loosest first.
const UNTIL: u8 = 5;
const PREFIX: u8 = 6;
const COMPARISON: u8 = 7;
const TIGHTEST: u8 = 8;

fn binding(op: &str) -> u8 {
    match op {
        "<->" => 1,
        "->" => 2,
        "||" => 3,
        "&&" => 4,
        "U" | "V" | "S" | "T" => UNTIL,
        _ => unreachable!("{op} is no infix operator"),
    }
}

impl Formula {
    pub fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    pub fn prefix(op: &'static str, inner: Formula) -> Formula {
        Formula::Prefix(op, Box::new(inner))
    }

    pub fn infix(op: &'static str, left: Formula, right: Formula) -> Formula {
        Formula::Infix(op, Box::new(left), Box::new(right))
    }

    pub fn path(op: &'static str, left: Formula, right: Formula) -> Formula {
        Formula::Path(op, Box::new(left), Box::new(right))
    }

    /// `G F f`
    pub fn again_and_again(self) -> Formula {
        Formula::prefix("G", Formula::prefix("F", self))
    }

    pub fn text(&self, parentheses: Parentheses) -> String {
        self.inside(0, parentheses)
    }

    /// The text where something must bind at least so tightly.
    fn inside(&self, tightness: u8, parentheses: Parentheses) -> String {
        let text = match self {
            Formula::Atom(text) => text.clone(),
            Formula::Not(inner) => {
                // `!G p` is `!(G p)`, though `!` binds more tightly.
                let operand = match **inner {
                    Formula::Prefix(..) => PREFIX,
                    _ => TIGHTEST,
                };
                format!("!{}", inner.inside(operand, parentheses))
            }
            Formula::Prefix(op, inner) => format!("{op} {}", inner.inside(PREFIX, parentheses)),
            Formula::Infix(op, left, right) => {
                let own = binding(op);
                // Chains of `->` and of temporal operators lean to the right, of `&&` and `||` to the left; the
                // reference says nothing about `<->`.
                let (l, r) = match *op {
                    "&&" | "||" => (own, own + 1),
                    "<->" => (own + 1, own + 1),
                    _ => (own + 1, own),
                };
                format!(
                    "{} {op} {}",
                    left.inside(l, parentheses),
                    right.inside(r, parentheses)
                )
            }
            Formula::Path(op, left, right) => format!(
                "{op} ({} U {})",
                left.inside(UNTIL + 1, parentheses),
                right.inside(UNTIL, parentheses)
            ),
        };
        let bare = match parentheses {
            Parentheses::All => matches!(self, Formula::Atom(text) if !text.contains(' ')),
            Parentheses::Needed => self.binds() >= tightness,
        };
        if bare || tightness == 0 {
            text
        } else {
            format!("({text})")
        }
    }

    fn binds(&self) -> u8 {
        match self {
            Formula::Atom(text) if text.contains(' ') => COMPARISON,
            Formula::Atom(_) | Formula::Not(_) | Formula::Path(..) => TIGHTEST,
            Formula::Prefix(..) => PREFIX,
            Formula::Infix(op, ..) => binding(op),
        }
    }
}
