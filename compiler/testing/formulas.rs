//! Formulas for tests: a reader for the notation of specifications, and random ones.

use crate::system::{BinaryTemporal, Expr, Formula, Leaf, VarId};
use crate::testing::random::Random;
use crate::vocabulary::{PathOp, TemporalOp};

/// The state formula that a letter from `p` on stands for: a boolean variable.
pub fn atom(name: &str) -> Expr {
    variable(u32::from(name.as_bytes()[0] - b'p'))
}

/// The state formula that says that a boolean variable is true.
pub fn variable(index: u32) -> Expr {
    Expr::Leaf(Leaf::Var(VarId(index)))
}

/// Which variable an atom reads.
pub fn index(atom: &Expr) -> usize {
    match atom {
        Expr::Leaf(Leaf::Var(v)) => v.0 as usize,
        other => panic!("no atom: {other:?}"),
    }
}

/// Whether a state formula over variables holds, given their values as bits.
pub fn holds(expr: &Expr, letter: u32) -> bool {
    expr.eval(&|leaf| match leaf {
        Leaf::Var(v) => i64::from(letter >> v.0 & 1),
        other => panic!("no variable: {other:?}"),
    }) != 0
}

/// `!f`
pub fn not(f: Formula) -> Formula {
    Formula::Not(Box::new(f))
}

/// All of them.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    Formula::And(parts.into_iter().collect())
}

/// A formula in the notation of specifications over the atoms `p`, `q`, `r`, `s`, `t` ...; the letters of
/// unary operators may be written together (`GF p`), path operators as in `A(p U q)`.
pub fn parse(text: &str) -> Formula {
    let tokens: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut parser = Parser { tokens, at: 0 };
    let formula = parser.iff();
    assert_eq!(parser.at, parser.tokens.len(), "rest of `{text}`");
    formula
}

struct Parser {
    tokens: Vec<char>,
    at: usize,
}

impl Parser {
    fn eat(&mut self, token: &str) -> bool {
        let found = self.tokens[self.at..]
            .iter()
            .take(token.len())
            .copied()
            .eq(token.chars());
        if found {
            self.at += token.len();
        }
        found
    }

    fn iff(&mut self) -> Formula {
        let left = self.implies();
        if self.eat("<->") {
            return Formula::Iff(Box::new(left), Box::new(self.iff()));
        }
        left
    }

    fn implies(&mut self) -> Formula {
        let left = self.or();
        if self.eat("->") {
            return Formula::Implies(Box::new(left), Box::new(self.implies()));
        }
        left
    }

    fn or(&mut self) -> Formula {
        let mut parts = vec![self.and()];
        while self.eat("||") {
            parts.push(self.and());
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => Formula::Or(parts),
        }
    }

    fn and(&mut self) -> Formula {
        let mut parts = vec![self.binary()];
        while self.eat("&&") {
            parts.push(self.binary());
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => Formula::And(parts),
        }
    }

    fn binary(&mut self) -> Formula {
        let left = self.unary();
        for op in [
            BinaryTemporal::Until,
            BinaryTemporal::Releases,
            BinaryTemporal::Since,
            BinaryTemporal::Triggered,
        ] {
            if self.eat(op.as_str()) {
                return Formula::Binary(op, Box::new(left), Box::new(self.binary()));
            }
        }
        left
    }

    fn unary(&mut self) -> Formula {
        if self.eat("(") {
            let inner = self.iff();
            assert!(self.eat(")"));
            return inner;
        }
        if self.eat("!") {
            return not(self.unary());
        }
        for (letters, op) in [("A(", PathOp::All), ("E(", PathOp::Exists)] {
            if self.eat(letters) {
                let Formula::Binary(BinaryTemporal::Until, f, g) = self.iff() else {
                    panic!("no until after a path quantifier");
                };
                assert!(self.eat(")"));
                return Formula::Path(op, f, g);
            }
        }
        for op in PATH.into_iter().chain(UNARY) {
            if self.eat(op.as_str()) {
                return Formula::Unary(op, Box::new(self.unary()));
            }
        }
        let letter = self.tokens[self.at];
        self.at += 1;
        assert!(('p'..='z').contains(&letter), "an atom, not `{letter}`");
        Formula::Atom(atom(&letter.to_string()))
    }
}

const UNARY: [TemporalOp; 7] = [
    TemporalOp::X,
    TemporalOp::G,
    TemporalOp::F,
    TemporalOp::Y,
    TemporalOp::Z,
    TemporalOp::H,
    TemporalOp::O,
];

const PATH: [TemporalOp; 6] = [
    TemporalOp::AX,
    TemporalOp::AG,
    TemporalOp::AF,
    TemporalOp::EX,
    TemporalOp::EG,
    TemporalOp::EF,
];

/// A random formula with about `size` operators over `atoms` variables; with past operators if `past`.
pub fn random_formula(random: &mut Random, size: usize, atoms: usize, past: bool) -> Formula {
    if size == 0 {
        return Formula::Atom(match random.below(12) {
            0 => Expr::yes(),
            1 => Expr::no(),
            _ => variable(random.below(atoms) as u32),
        });
    }
    let left = random.below(size);
    let shape = random.below(16);
    let mut operand = |size| Box::new(random_formula(random, size, atoms, past));
    match shape {
        0 => Formula::Not(operand(size - 1)),
        1 | 2 => Formula::And(vec![*operand(left), *operand(size - 1 - left)]),
        3 | 4 => Formula::Or(vec![*operand(left), *operand(size - 1 - left)]),
        5 => Formula::Implies(operand(left), operand(size - 1 - left)),
        6 if size < 6 => Formula::Iff(operand(left), operand(size - 1 - left)),
        6..=11 => {
            let inner = operand(size - 1);
            let choices = if past { &UNARY[..] } else { &UNARY[..3] };
            Formula::Unary(*random.choose(choices), inner)
        }
        _ => {
            let (f, g) = (operand(left), operand(size - 1 - left));
            let choices = [
                BinaryTemporal::Until,
                BinaryTemporal::Releases,
                BinaryTemporal::Since,
                BinaryTemporal::Triggered,
            ];
            let choices = if past { &choices[..] } else { &choices[..2] };
            Formula::Binary(*random.choose(choices), f, g)
        }
    }
}

/// A random CTL formula with about `size` operators over `atoms` variables.
pub fn random_ctl(random: &mut Random, size: usize, atoms: usize) -> Formula {
    if size == 0 {
        return Formula::Atom(variable(random.below(atoms) as u32));
    }
    let left = random.below(size);
    let shape = random.below(12);
    let mut operand = |size| Box::new(random_ctl(random, size, atoms));
    match shape {
        0 => Formula::Not(operand(size - 1)),
        1 => Formula::And(vec![*operand(left), *operand(size - 1 - left)]),
        2 => Formula::Or(vec![*operand(left), *operand(size - 1 - left)]),
        3 => Formula::Implies(operand(left), operand(size - 1 - left)),
        4 => Formula::Iff(operand(left), operand(size - 1 - left)),
        5..=8 => {
            let inner = operand(size - 1);
            Formula::Unary(*random.choose(&PATH), inner)
        }
        _ => {
            let (f, g) = (operand(left), operand(size - 1 - left));
            Formula::Path(*random.choose(&[PathOp::All, PathOp::Exists]), f, g)
        }
    }
}
