//! Random expressions of processes.

use super::stmt::Body;
use super::types::{RECORD, TAGGED, Ty, WIDE, constructor, message, record};

impl Body<'_> {
    /// An expression that may be stored where a value of the type goes; an integer that is too large or small
    /// now and then.
    pub fn value(&mut self, ty: &Ty, depth: usize) -> String {
        match ty {
            Ty::Bool => self.boolean(depth),
            Ty::Int(lo, hi) => self.fitting(*lo, *hi, depth),
            Ty::Data(d) => match self.readable(ty) {
                Some(var) if self.random.chance(40) => var,
                _ => constructor(*d, self.random),
            },
            Ty::Array(element, n) => match self.readable(ty) {
                Some(var) if self.random.chance(50) => var,
                _ => {
                    let values: Vec<String> = (0..*n).map(|_| self.value(element, 0)).collect();
                    format!("[{}]", values.join(", "))
                }
            },
            Ty::Record => match self.readable(ty) {
                Some(var) if self.random.chance(40) => var,
                _ => {
                    let values = RECORD.map(|(_, ty)| self.value(&ty, 0));
                    record(&values, self.random)
                }
            },
            Ty::Tagged => match self.readable(ty) {
                Some(var) if self.random.chance(40) => var,
                _ => {
                    let (name, fields) = *self.random.pick(&TAGGED);
                    let fields: Vec<String> =
                        fields.iter().map(|(_, ty)| self.value(ty, 0)).collect();
                    message(name, &fields)
                }
            },
        }
    }

    /// A variable of exactly this type.
    pub fn readable(&mut self, ty: &Ty) -> Option<String> {
        let fitting: Vec<String> = self
            .visible()
            .filter(|var| var.ty == *ty)
            .map(|var| var.name.clone())
            .collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting).clone())
    }

    pub fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(25) {
            if self.random.chance(50) && !self.others.is_empty() {
                let not = *self.random.pick(&["", "!"]);
                let what = self.random.pick(self.others);
                return format!("{not}{what}");
            }
            return match self.readable(&Ty::Bool) {
                Some(var) if self.random.chance(80) => var,
                _ => self.comparison(0),
            };
        }
        match self.random.below(7) {
            0 => format!("!({})", self.boolean(depth - 1)),
            1 => format!("{} && {}", self.operand(depth - 1), self.operand(depth - 1)),
            2 => format!("{} || {}", self.operand(depth - 1), self.operand(depth - 1)),
            3 => {
                let data = self.random.below(2);
                let mut ty = Ty::Data(data);
                for composite in [Ty::Record, Ty::Tagged] {
                    if self.readable(&composite).is_some() && self.random.chance(60) {
                        ty = composite;
                    }
                }
                // In brackets: a literal cannot stand before a block.
                format!("({} == {})", self.value(&ty, 0), self.value(&ty, 0))
            }
            4 => format!(
                "({}) != {}",
                self.boolean(depth - 1),
                self.random.chance(50)
            ),
            5 => {
                let word = *self.random.pick(&["forall", "exists"]);
                let vars = *self.random.pick(&["k", "k", "k, l"]);
                let bound = *self.random.pick(&["2", "K", "0"]);
                let body = self.quantified_condition(depth - 1);
                format!("{word} {vars} in range 0 to {bound} {{ {body} }}")
            }
            _ => self.comparison(depth - 1),
        }
    }

    /// A condition that may read the variable `k` of a quantifier.
    fn quantified_condition(&mut self, depth: usize) -> String {
        let arrays: Vec<String> = self
            .visible()
            .filter(|var| matches!(&var.ty, Ty::Array(e, _) if matches!(**e, Ty::Int(..))))
            .map(|var| var.name.clone())
            .collect();
        let rest = self.integer(depth);
        match self.random.below(4) {
            0 if !arrays.is_empty() => {
                let array = self.random.pick(&arrays).clone();
                format!("{array}[k] != {rest}")
            }
            1 => format!("k < {rest} / (k + K - 1)"),
            2 => self.boolean(depth),
            _ => format!("k <= {rest}"),
        }
    }

    fn operand(&mut self, depth: usize) -> String {
        format!("({})", self.boolean(depth))
    }

    fn comparison(&mut self, depth: usize) -> String {
        let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        format!("{} {op} {}", self.integer(depth), self.integer(0))
    }

    /// An integer expression that is usually in a range.
    fn fitting(&mut self, lo: i64, hi: i64, depth: usize) -> String {
        let inside: Vec<String> = self
            .visible()
            .filter(|var| matches!(var.ty, Ty::Int(l, h) if l >= lo && h <= hi))
            .map(|var| var.name.clone())
            .collect();
        match self.random.below(10) {
            0..4 if !inside.is_empty() => self.random.pick(&inside).clone(),
            0..6 => self.random.between(lo, hi).to_string(),
            6..9 if lo <= 0 && hi > 0 => {
                // The remainder of anything that is not negative fits.
                format!("({}) * ({0}) % {}", self.integer(depth), hi + 1)
            }
            _ => self.integer(depth),
        }
    }

    /// Any integer expression; small numbers only, so that no range grows out of bounds.
    pub fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(30) {
            return self.small();
        }
        let left = self.integer(depth - 1);
        let right = self.small();
        match self.random.below(13) {
            12 => {
                let condition = self.boolean(0);
                format!("pick({left}, {condition})")
            }
            9 => {
                let word = *self.random.pick(&["max", "min"]);
                format!("{word}({left}, {right})")
            }
            10 => format!(
                "count k in range 0 to K + 1 {{ {} }}",
                self.quantified_condition(0)
            ),
            11 => format!("(sum k in range 0 to K {{ {left} + k }})"),
            0..3 => format!("({left} + {right})"),
            3 | 4 => format!("({left} - {right})"),
            5 => format!("({left}) * {}", self.random.between(-2, 3)),
            6 => {
                let op = *self.random.pick(&["/", "%"]);
                format!("({left}) {op} ({right} + {})", self.random.between(1, 3))
            }
            7 => {
                let op = *self.random.pick(&["&", "|", "^"]);
                format!("(({left}) {op} {right})")
            }
            _ => {
                let op = *self.random.pick(&["<<", ">>"]);
                format!("(({left}) {op} {right})")
            }
        }
    }

    /// A number or an integer variable, or an element of an array of integers.
    pub fn small(&mut self) -> String {
        let mut found = vec!["K".to_owned(), self.random.between(0, 3).to_string()];
        for var in self.visible() {
            match &var.ty {
                Ty::Int(..) => found.extend([var.name.clone(), var.name.clone()]),
                Ty::Record => found.push(format!("{}.f", var.name)),
                Ty::Array(element, _) if matches!(**element, Ty::Int(..)) => {
                    found.push(format!("{}[0]", var.name));
                    found.push(format!("{}[i]", var.name));
                }
                _ => {}
            }
        }
        let chosen = self.random.pick(&found).clone();
        match chosen.strip_suffix("[i]") {
            Some(array) => format!("{array}[{}]", self.index(array)),
            None => chosen,
        }
    }

    /// An index that is out of bounds now and then (arrays have two elements, but for the wide one): also a parameter, or the
    /// variable of an unrolled loop, which are constants to the engines. A literal would be an error.
    pub fn index(&mut self, array: &str) -> String {
        let wide = self
            .visible()
            .any(|var| var.name == array && var.ty.is_wide());
        let variables: Vec<String> = self
            .visible()
            .filter(|var| matches!(var.ty, Ty::Int(..)))
            .map(|var| var.name.clone())
            .collect();
        if variables.is_empty() || self.random.chance(30) {
            return self.random.below(if wide { WIDE } else { 2 }).to_string();
        }
        let variable = self.random.pick(&variables).clone();
        match self.random.below(8) {
            _ if wide => format!("{variable} + {}", self.random.between(0, WIDE as i64 - 2)),
            0 => format!("{variable} + 1"),
            1 => format!("{variable} - 1"),
            _ => variable,
        }
    }
}
