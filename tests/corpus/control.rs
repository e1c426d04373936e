//! Random statements with blocks inside.

use super::stmt::Body;
use super::types::{TAGGED, Ty, Var, constructor, message};

impl Body<'_> {
    pub fn branch(&mut self, depth: usize) {
        let condition = self.boolean(2);
        self.block(&format!("if {condition}"), depth - 1);
        match self.random.below(4) {
            0 => self.join("else", depth),
            1 => {
                let condition = self.boolean(1);
                self.join(&format!("else if {condition}"), depth);
                self.join("else", depth);
            }
            _ => {}
        }
    }

    /// Goes on after the brace that was just closed.
    fn join(&mut self, head: &str, depth: usize) {
        let closed = self.lines.pop().expect("a brace");
        let head = format!("{} {head}", closed.trim_start());
        self.block(&head, depth - 1);
    }

    /// Now and then with `fair` before it.
    fn fairly(&mut self, head: &str) -> String {
        match self.random.chance(25) {
            true => format!("fair {head}"),
            false => head.to_owned(),
        }
    }

    pub fn choice(&mut self, depth: usize) {
        let head = self.fairly("choice");
        self.block(&head, depth - 1);
        for _ in 0..1 + self.random.below(2) {
            let closed = self.lines.pop().expect("a brace");
            self.block(&format!("{},", closed.trim_start()), depth - 1);
        }
    }

    pub fn select(&mut self, depth: usize) {
        let cases: Vec<String> = (0..1 + self.random.below(2))
            .filter_map(|_| self.case())
            .collect();
        if cases.is_empty() {
            return self.line("skip");
        }
        let head = self.fairly("select {");
        self.line(&head);
        self.scopes.push(Vec::new());
        for case in cases {
            let watches = !self.others.is_empty();
            let condition = if self.random.chance(if watches { 80 } else { 30 }) {
                format!(" if {}", self.boolean(1))
            } else {
                String::new()
            };
            let replicated = self.random.chance(15);
            if replicated {
                self.line("for j in range 0 to K + 1 {");
                self.scopes.push(vec![Var {
                    name: "j".into(),
                    ty: Ty::Int(0, 2),
                    assignable: false,
                }]);
            }
            self.block(&format!("case {case}{condition}"), depth - 1);
            if replicated {
                self.scopes.pop();
                self.line("}");
            }
        }
        if self.random.chance(25) {
            let condition = self.boolean(1);
            self.block(&format!("case if {condition}"), depth - 1);
        }
        if self.others.iter().any(|other| other == "suspects(d)") && self.random.chance(40) {
            self.block("case suspects(d)", depth - 1);
        }
        match self.random.below(4) {
            0 => self.block("case timeout", depth - 1),
            2 => {
                let condition = self.boolean(1);
                self.block(&format!("case timeout if {condition}"), depth - 1);
            }
            1 => self.block("default", depth - 1),
            _ => {}
        }
        self.scopes.pop();
        self.line("}");
    }

    /// A `switch` on a variable, if there is one that can be looked at.
    pub fn switch(&mut self, depth: usize) -> bool {
        let subjects: Vec<Var> = self
            .visible()
            // The counter of a loop may have fewer values than are written here.
            .filter(|var| !matches!(var.ty, Ty::Array(..) | Ty::Record) && var.name != "i")
            .cloned()
            .collect();
        if subjects.is_empty() {
            return false;
        }
        let subject = match self.readable(&Ty::Tagged) {
            Some(message) if self.random.chance(70) => {
                let mut found = subjects.iter().filter(|var| var.name == message);
                found.next().expect("visible").clone()
            }
            _ => self.random.pick(&subjects).clone(),
        };
        self.line(format!("switch {} {{", subject.name));
        self.scopes.push(Vec::new());
        // What is assigned to cannot be looked at meanwhile.
        let mut left = 0;
        match &subject.ty {
            Ty::Tagged => {
                for (name, fields) in TAGGED {
                    if self.random.chance(25) {
                        left += 1;
                        continue;
                    }
                    let names: Vec<String> = (fields.iter())
                        .map(|(field, _)| match self.random.chance(70) {
                            true => format!("s{field}"),
                            false => "_".to_owned(),
                        })
                        .collect();
                    let bound = names.iter().zip(fields).filter(|(name, _)| *name != "_");
                    let mut vars: Vec<Var> = bound
                        .map(|(name, (_, ty))| Var {
                            name: name.clone(),
                            ty: ty.clone(),
                            assignable: false,
                        })
                        .collect();
                    if !vars.is_empty() {
                        vars.push(Var {
                            assignable: false,
                            ..subject.clone()
                        });
                    }
                    let head = format!("case {}", message(name, &names));
                    self.block_with(&head, depth - 1, vars);
                }
            }
            Ty::Bool => self.block("case true", depth - 1),
            Ty::Int(lo, hi) => {
                let value = self.random.between(*lo, *hi);
                self.block(&format!("case {value}"), depth - 1);
            }
            Ty::Data(data) => {
                let name = constructor(*data, self.random);
                self.block(&format!("case {name}"), depth - 1);
            }
            Ty::Array(..) | Ty::Record => unreachable!("filtered"),
        }
        if subject.ty != Ty::Tagged || left > 0 {
            self.block("default", depth - 1);
        }
        self.scopes.pop();
        self.line("}");
        true
    }

    pub fn repeat(&mut self, depth: usize) {
        self.loops += 1;
        match self.random.below(7) {
            0 => self.block("for", depth - 1),
            1 | 2 => {
                let condition = self.boolean(1);
                self.block(&format!("for {condition}"), depth - 1);
            }
            3 => {
                let (bound, last) = *self.random.pick(&[("K", 1), ("K", 1), ("K + 1", 2)]);
                let variable = Var {
                    name: "i".into(),
                    ty: Ty::Int(0, last),
                    assignable: false,
                };
                let head = format!("for i in range 0 to {bound}");
                self.block_with(&head, depth - 1, vec![variable]);
            }
            4 | 5 => {
                let bounds: Vec<String> = self
                    .visible()
                    .filter(|var| matches!(var.ty, Ty::Int(..)))
                    .map(|var| var.name.clone())
                    .collect();
                let from = match self.random.below(10) {
                    0..5 if !bounds.is_empty() => self.random.pick(&bounds).clone(),
                    0..8 => self.integer(0),
                    _ => "0".to_owned(),
                };
                let to = match bounds.is_empty() {
                    true => "K".to_owned(),
                    false => self.random.pick(&bounds).clone(),
                };
                let variable = Var {
                    name: "i".into(),
                    ty: Ty::Int(0, 3),
                    assignable: false,
                };
                self.block_with(
                    &format!("for i in range {from} to {to}"),
                    depth - 1,
                    vec![variable],
                );
            }
            _ => {
                let arrays: Vec<Var> = self
                    .visible()
                    .filter(|var| matches!(var.ty, Ty::Array(..)) && !var.ty.is_wide())
                    .cloned()
                    .collect();
                if arrays.is_empty() {
                    self.block("for", depth - 1);
                } else {
                    let array = self.random.pick(&arrays).clone();
                    let Ty::Array(element, _) = &array.ty else {
                        unreachable!("filtered")
                    };
                    let variable = Var {
                        name: "e".into(),
                        ty: (**element).clone(),
                        assignable: false,
                    };
                    self.block_with(
                        &format!("for e in {}", array.name),
                        depth - 1,
                        vec![variable],
                    );
                }
            }
        }
        self.loops -= 1;
    }
}
