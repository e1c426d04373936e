//! Random statements.

use super::random::Random;
use super::types::{Channel, Proc, RECORD, Ty, Var};

/// A proc body in the making.
pub struct Body<'a> {
    pub random: &'a mut Random,
    pub channels: &'a [Channel],
    /// What can be asked about other processes: `q.crashed`, `suspects(d)`.
    pub others: &'a [String],
    /// Variables in scope, the innermost block last.
    pub scopes: Vec<Vec<Var>>,
    /// Names of variables, one for each declaration.
    declared: Vec<(String, Ty)>,
    durable: Vec<String>,
    /// Labels of statements at the top of the body: a `goto` may lead there from anywhere.
    labels: Vec<String>,
    pub loops: usize,
    pub lines: Vec<String>,
    /// How many statements may still be made.
    budget: usize,
}

impl<'a> Body<'a> {
    /// Makes a body; returns its lines and what specifications may say about it.
    pub fn generate(
        random: &'a mut Random,
        channels: &'a [Channel],
        others: &'a [String],
        values: &[(String, Ty)],
    ) -> (Vec<String>, Proc) {
        let parameters = values
            .iter()
            .map(|(name, ty)| Var {
                name: name.clone(),
                ty: ty.clone(),
                assignable: false,
            })
            .collect();
        let size = 3 + random.below(5);
        let mut body = Body {
            random,
            channels,
            others,
            scopes: vec![parameters, Vec::new()],
            declared: Vec::new(),
            durable: Vec::new(),
            labels: Vec::new(),
            loops: 0,
            lines: Vec::new(),
            budget: size,
        };
        let labels = body.random.below(3);
        body.labels = ["L0", "end_1"][..labels]
            .iter()
            .map(|l| (*l).to_owned())
            .collect();
        body.declarations();
        body.top();
        let vars = numbered(&body.declared);
        let durable = body.durable.into_iter();
        let proc = Proc {
            durable: durable
                .filter(|d| vars.iter().any(|(name, _)| name == d))
                .collect(),
            vars,
            labels: body.labels,
            values: values.to_vec(),
        };
        (body.lines, proc)
    }

    /// Variables that an expression may read: of two with the same name, the inner one.
    pub fn visible(&self) -> impl Iterator<Item = &Var> {
        let all: Vec<&Var> = self.scopes.iter().flatten().collect();
        let count = all.len();
        (0..count)
            .filter(move |i| !all[i + 1..].iter().any(|later| later.name == all[*i].name))
            .map(|i| self.scopes.iter().flatten().nth(i).expect("in range"))
            .collect::<Vec<_>>()
            .into_iter()
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        let indent = "    ".repeat(self.scopes.len() - 1);
        self.lines.push(format!("{indent}{}", text.as_ref()));
    }

    /// Durable and plain variables at the top of the body.
    fn declarations(&mut self) {
        let mut durable = self.random.chance(30);
        for i in 0..1 + self.random.below(2) {
            let ty = Ty::any(self.random);
            self.declare(&format!("x{i}"), ty, durable);
            durable &= self.random.chance(50);
        }
        if self.random.chance(4) {
            self.declare("w", Ty::wide(), false);
            self.budget += 2;
        }
    }

    fn declare(&mut self, name: &str, ty: Ty, durable: bool) {
        let text = ty.text();
        let init = match self.random.below(5) {
            0 | 1 => String::new(),
            _ if ty.is_wide() => String::new(),
            2 if !durable || !matches!(ty, Ty::Record | Ty::Tagged) => " = any".into(),
            // A constant that does not fit would be an error.
            3 if !durable => match self.readable(&ty) {
                Some(var) => format!(" = {var}"),
                None => String::new(),
            },
            _ => format!(" = {}", ty.constant(self.random)),
        };
        let word = if durable { "durable var" } else { "var" };
        self.line(format!("{word} {name} {text}{init}"));
        self.declared.push((name.to_owned(), ty.clone()));
        if durable {
            self.durable.push(name.to_owned());
        }
        self.scopes.last_mut().expect("a scope").push(Var {
            name: name.to_owned(),
            ty,
            assignable: true,
        });
    }

    /// The statements at the top, some of them labelled.
    fn top(&mut self) {
        let endless = self.random.chance(25);
        let mut labels = self.labels.clone().into_iter();
        let mut made = 0;
        while self.budget > 0 || made == 0 {
            let first = self.lines.len();
            self.stmt(2);
            let is_var = self.lines[first].trim_start().starts_with("var");
            if !is_var
                && self.random.chance(60)
                && let Some(label) = labels.next()
            {
                let rest = self.lines[first].trim_start().to_owned();
                self.lines[first] = format!("    {label}: {rest}");
            }
            made += 1;
        }
        for label in labels {
            self.line(format!("{label}: skip"));
        }
        if endless && !self.labels.is_empty() {
            let label = self.labels[0].clone();
            self.line(format!("goto {label}"));
        }
    }

    /// A block in braces after `head`, which ends the line before it.
    pub fn block(&mut self, head: &str, depth: usize) {
        self.block_with(head, depth, Vec::new());
    }

    pub fn block_with(&mut self, head: &str, depth: usize, vars: Vec<Var>) {
        self.line(format!("{head} {{"));
        self.scopes.push(vars);
        for _ in 0..self
            .random
            .below(3)
            .max(usize::from(self.random.chance(70)))
        {
            if self.budget > 0 {
                self.stmt(depth);
            }
        }
        self.scopes.pop();
        self.line("}");
    }

    fn stmt(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        let nested = depth > 0;
        if nested && self.random.chance(8) && self.switch(depth) {
            return;
        }
        match self.random.below(40) {
            0..5 => self.assign(),
            5..12 => match self.blocking() {
                Some(message) => self.line(message),
                None => self.assign(),
            },
            12 | 13 => match self.yielding() {
                Some(message) => self.yielding_stmt(message, depth),
                None => self.line("skip"),
            },
            14..17 if nested => self.branch(depth),
            17..20 if nested => self.choice(depth),
            20..23 if nested => self.select(depth),
            23..26 if nested => self.repeat(depth),
            26 if nested => self.block("", depth - 1),
            27 if nested && self.scopes.len() > 2 => {
                let name = if self.random.chance(50) { "x0" } else { "y" };
                let again = self.scopes.last().expect("a scope");
                if again.iter().any(|var| var.name == name) {
                    self.assign();
                } else {
                    let ty = Ty::scalar(self.random);
                    self.declare(name, ty, false);
                }
            }
            28 => {
                let condition = self.boolean(1);
                // Usually true, or nearly every model would fail.
                if self.random.chance(30) {
                    self.line(format!("assert({condition})"));
                } else {
                    self.line(format!("assert({condition} || true)"));
                }
            }
            29 if self.scopes.len() > 2 && !self.labels.is_empty() => {
                let label = self.random.pick(&self.labels.clone()).clone();
                self.line(format!("goto {label}"));
            }
            30 | 31 if self.loops > 0 => {
                let word = *self.random.pick(&["break", "continue", "continue"]);
                self.line(word);
            }
            32 if self.scopes.len() > 2 => self.line("return"),
            33 => self.line("skip"),
            34 => {
                let condition = self.boolean(1);
                self.line(format!("await {condition}"));
            }
            35 => self.assign_all(),
            36 => self.call(),
            37 | 38 => self.atomic(),
            _ => self.assign(),
        }
    }

    fn assign(&mut self) {
        let targets: Vec<Var> = self
            .visible()
            .filter(|var| var.assignable)
            .cloned()
            .collect();
        if targets.is_empty() {
            return self.line("skip");
        }
        let target = self.random.pick(&targets).clone();
        let text = match &target.ty {
            Ty::Array(..) if !target.ty.is_wide() && self.random.chance(15) => {
                let (a, b) = (self.value(&target.ty, 0), self.value(&target.ty, 0));
                format!("{} = any({a}, {b})", target.name)
            }
            Ty::Array(element, _) if target.ty.is_wide() || self.random.chance(70) => {
                let index = self.index(&target.name);
                let value = self.value(element, 1);
                format!("{}[{index}] = {value}", target.name)
            }
            Ty::Record if self.random.chance(50) => {
                let (field, ty) = self.random.pick(&RECORD).clone();
                format!("{}.{field} = {}", target.name, self.value(&ty, 1))
            }
            Ty::Int(lo, hi) if self.random.chance(30) => {
                let (lo, hi) = (*lo, *hi);
                match self.random.below(3) {
                    0 => format!("{} = any({lo}..{hi})", target.name),
                    1 => {
                        let (a, b) = (self.value(&target.ty, 0), self.value(&target.ty, 0));
                        format!("{} = any({a}, {b})", target.name)
                    }
                    _ => {
                        let op = *self
                            .random
                            .pick(&["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="]);
                        format!("{} {op} {}", target.name, self.random.between(1, 2))
                    }
                }
            }
            _ if self.random.chance(12) => format!("{} = any", target.name),
            ty => {
                let ty = ty.clone();
                format!("{} = {}", target.name, self.value(&ty, 2))
            }
        };
        self.line(text);
    }

    /// A block that is one step: it may begin with a receive, and what follows does not wait.
    fn atomic(&mut self) {
        let first = self.blocking().filter(|m| !m.starts_with("send"));
        self.line("atomic {");
        self.scopes.push(Vec::new());
        if let Some(first) = first {
            self.line(first);
        }
        for _ in 0..1 + self.random.below(2) {
            match self.random.below(4) {
                0 => {
                    let condition = self.boolean(1);
                    self.line(format!("if {condition} {{"));
                    self.scopes.push(Vec::new());
                    self.assign();
                    self.scopes.pop();
                    self.line("}");
                }
                1 => match self.yielding().filter(|m| m.starts_with("nonblock")) {
                    Some(message) => self.line(message),
                    None => self.line("skip"),
                },
                _ => self.assign(),
            }
        }
        self.scopes.pop();
        self.line("}");
    }

    /// A call of a function that takes steps.
    fn call(&mut self) {
        let flags: Vec<String> = self
            .visible()
            .filter(|var| var.assignable && var.ty == Ty::Bool)
            .map(|var| var.name.clone())
            .collect();
        if flags.is_empty() {
            return self.line("skip");
        }
        let (flag, n) = (self.random.pick(&flags).clone(), self.small());
        self.line(format!("{flag} = pause({n})"));
    }

    /// Two variables at once, or two elements of an array.
    fn assign_all(&mut self) {
        let targets: Vec<Var> = self
            .visible()
            .filter(|var| var.assignable && !var.ty.is_wide())
            .cloned()
            .collect();
        let Some(first) = targets.first().cloned() else {
            return self.line("skip");
        };
        let second = self.random.pick(&targets).clone();
        let (a, b) = (self.value(&first.ty, 1), self.value(&second.ty, 1));
        if first.name != second.name {
            return self.line(format!("{}, {} = {a}, {b}", first.name, second.name));
        }
        let Ty::Array(element, _) = &first.ty else {
            return self.line(format!("{} = {a}", first.name));
        };
        let (i, j) = (self.index(&first.name), self.index(&first.name));
        let (a, b) = (self.value(element, 1), self.value(element, 1));
        self.line(format!("{0}[{i}], {0}[{j}] = {a}, {b}", first.name));
    }

    /// A messaging expression: alone, as a right side, in a condition, inside something larger.
    fn yielding_stmt(&mut self, message: String, depth: usize) {
        let flags: Vec<String> = self
            .visible()
            .filter(|var| var.assignable && var.ty == Ty::Bool && !message.contains(&var.name))
            .map(|var| var.name.clone())
            .collect();
        let rest = self.boolean(0);
        match self.random.below(6) {
            0 => self.line(message),
            1 if depth > 0 => self.block(&format!("if {message}"), depth - 1),
            2 if depth > 0 => self.block(&format!("if !{message} || {rest}"), depth - 1),
            3 if !flags.is_empty() => {
                let flag = self.random.pick(&flags).clone();
                self.line(format!("{flag} = {message}"));
            }
            4 if !flags.is_empty() => {
                let flag = self.random.pick(&flags).clone();
                self.line(format!("{flag} = {message} && ({rest})"));
            }
            5 => self.line(format!("assert({message} == {message} || true)")),
            _ => self.line(message),
        }
    }
}

/// `x` if there is one, `x#1`, `x#2` if there are several.
fn numbered(declared: &[(String, Ty)]) -> Vec<(String, Ty)> {
    let count = |name: &str, all: &[(String, Ty)]| all.iter().filter(|(n, _)| n == name).count();
    declared
        .iter()
        .enumerate()
        .map(|(i, (name, ty))| {
            let name = match count(name, declared) {
                1 => name.clone(),
                _ => format!("{name}#{}", count(name, &declared[..=i])),
            };
            (name, ty.clone())
        })
        .collect()
}
