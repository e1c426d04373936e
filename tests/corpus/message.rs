//! Random channel operations.

use super::stmt::Body;
use super::types::{Channel, TAGGED, Ty, message};

impl Body<'_> {
    /// A blocking operation on some channel, if there is one.
    pub fn blocking(&mut self) -> Option<String> {
        let channel = self.channel()?;
        let op = match self.random.below(9) {
            0..4 => "send",
            4..8 => "recv",
            _ => "peek",
        };
        Some(self.message(op, &channel))
    }

    /// An operation that yields whether it went.
    pub fn yielding(&mut self) -> Option<String> {
        let channel = self.channel()?;
        let op = match self.random.below(10) {
            0..3 => "timeout_recv",
            3 => "timeout_peek",
            4 | 5 => "nonblock_recv",
            6 => "nonblock_peek",
            7 | 8 => "timeout_send",
            _ if channel.link.capacity.is_some() => "nonblock_send",
            _ => "timeout_send",
        };
        Some(self.message(op, &channel))
    }

    /// An operation that may be a case of `select`.
    pub fn case(&mut self) -> Option<String> {
        let channel = self.channel()?;
        let op = match self.random.below(8) {
            0..4 => "recv",
            4 => "peek",
            _ if channel.link.capacity.is_some() => "send",
            _ => "recv",
        };
        Some(self.message(op, &channel))
    }

    fn channel(&mut self) -> Option<Channel> {
        if self.channels.is_empty() {
            return None;
        }
        let channels = self.channels;
        Some(self.random.pick(channels).clone())
    }

    fn message(&mut self, op: &str, channel: &Channel) -> String {
        let mut args = vec![match channel.array {
            Some(_) if self.random.chance(60) => {
                format!("{}[{}]", channel.name, self.index(&channel.name))
            }
            Some(n) => format!("{}[{}]", channel.name, self.random.below(n)),
            None => channel.name.clone(),
        }];
        if op.ends_with("send") {
            for field in &channel.link.fields {
                args.push(self.value(field, 1));
            }
        } else {
            let mut used = Vec::new();
            for field in &channel.link.fields {
                let targets: Vec<String> = self
                    .visible()
                    .filter(|var| var.assignable && same_kind(&var.ty, field))
                    .map(|var| var.name.clone())
                    .filter(|name| !used.contains(name))
                    .collect();
                if self.random.chance(20) {
                    let pattern = self.pattern(field, &mut used);
                    args.push(pattern);
                } else if targets.is_empty() || self.random.chance(15) {
                    args.push("_".into());
                } else {
                    let target = self.random.pick(&targets).clone();
                    used.push(target.clone());
                    args.push(target);
                }
            }
        }
        format!("{op}({})", args.join(", "))
    }
}

impl Body<'_> {
    /// A pattern for a field: a constant, a set, `== e`, or a constructor with patterns for its fields.
    fn pattern(&mut self, ty: &Ty, used: &mut Vec<String>) -> String {
        match (self.random.below(4), ty) {
            (0, Ty::Int(lo, hi)) => format!("any({lo}..{})", self.random.between(*lo, *hi)),
            (0, _) => format!(
                "any({}, {})",
                ty.constant(self.random),
                ty.constant(self.random)
            ),
            (1, _) => format!("== {}", self.value(ty, 1)),
            (_, Ty::Tagged) => {
                let (name, fields) = *self.random.pick(&TAGGED);
                if self.random.chance(20) {
                    return name.to_owned();
                }
                let mut patterns = Vec::new();
                for (_, field) in fields {
                    let targets: Vec<String> = self
                        .visible()
                        .filter(|var| var.assignable && same_kind(&var.ty, field))
                        .map(|var| var.name.clone())
                        .filter(|name| !used.contains(name))
                        .collect();
                    patterns.push(match self.random.below(3) {
                        0 if !targets.is_empty() => {
                            let target = self.random.pick(&targets).clone();
                            used.push(target.clone());
                            target
                        }
                        1 => self.pattern(field, used),
                        _ => "_".to_owned(),
                    });
                }
                message(name, &patterns)
            }
            _ => ty.constant(self.random),
        }
    }
}

/// Whether a value of one type may be stored in a variable of the other, if it fits.
fn same_kind(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Int(..), Ty::Int(..)) => true,
        (Ty::Array(a, n), Ty::Array(b, m)) => n == m && same_kind(a, b),
        _ => a == b,
    }
}
