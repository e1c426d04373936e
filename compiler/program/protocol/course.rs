//! The body of a protocol, and which of its events may follow each other.

use super::TooLarge;
use crate::program::limits;

/// What the body of a protocol says. Events are numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Course {
    /// One event.
    Event(u32),
    /// One after the other; of none, nothing happens.
    Sequence(Vec<Course>),
    /// One of them.
    Choice(Vec<Course>),
    /// Any number of times, also none.
    Loop(Box<Course>),
}

/// Which events may come first, last, and after each other (Glushkov's construction).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Positions {
    /// Those that may come first.
    pub first: Vec<u32>,
    /// For each, those that may follow; in order.
    pub follow: Vec<Vec<u32>>,
    /// Whether each may be the last.
    pub last: Vec<bool>,
    /// Whether it may end at once.
    pub empty: bool,
}

/// The ends of a part of a body.
struct Part {
    empty: bool,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Positions {
    /// The positions of a body with so many events.
    pub(super) fn of(course: &Course, events: usize) -> Result<Positions, TooLarge> {
        if events > limits::PROTOCOL_EVENTS {
            return Err(TooLarge::Body);
        }
        let mut positions = Positions {
            follow: vec![Vec::new(); events],
            last: vec![false; events],
            ..Positions::default()
        };
        let whole = positions.part(course);
        for follow in &mut positions.follow {
            follow.sort_unstable();
            follow.dedup();
        }
        for event in whole.last {
            positions.last[event as usize] = true;
        }
        positions.first = whole.first;
        positions.first.sort_unstable();
        positions.first.dedup();
        positions.empty = whole.empty;
        Ok(positions)
    }

    fn part(&mut self, course: &Course) -> Part {
        match course {
            Course::Event(event) => Part {
                empty: false,
                first: vec![*event],
                last: vec![*event],
            },
            Course::Sequence(parts) => {
                let mut whole = Part {
                    empty: true,
                    first: Vec::new(),
                    last: Vec::new(),
                };
                for part in parts {
                    let next = self.part(part);
                    self.join(&whole.last, &next.first);
                    if whole.empty {
                        whole.first.extend(&next.first);
                    }
                    match next.empty {
                        true => whole.last.extend(next.last),
                        false => whole.last = next.last,
                    }
                    whole.empty &= next.empty;
                }
                whole
            }
            Course::Choice(parts) => {
                let mut whole = Part {
                    empty: parts.is_empty(),
                    first: Vec::new(),
                    last: Vec::new(),
                };
                for part in parts {
                    let next = self.part(part);
                    whole.first.extend(next.first);
                    whole.last.extend(next.last);
                    whole.empty |= next.empty;
                }
                whole
            }
            Course::Loop(body) => {
                let body = self.part(body);
                self.join(&body.last, &body.first);
                Part {
                    empty: true,
                    ..body
                }
            }
        }
    }

    fn join(&mut self, before: &[u32], after: &[u32]) {
        for event in before {
            let follow = &mut self.follow[*event as usize];
            follow.extend(after);
            follow.sort_unstable();
            follow.dedup();
        }
    }

    /// The events that fit after some, of which the last was one of these; at the beginning before all of them.
    pub fn after(&self, at: Option<&[u32]>) -> Vec<u32> {
        let Some(at) = at else {
            return self.first.clone();
        };
        let mut next: Vec<u32> = (at.iter())
            .flat_map(|event| self.follow[*event as usize].iter().copied())
            .collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Whether it may end there.
    pub fn may_end(&self, at: Option<&[u32]>) -> bool {
        match at {
            None => self.empty,
            Some(at) => at.iter().any(|event| self.last[*event as usize]),
        }
    }
}
