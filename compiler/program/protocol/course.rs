//! The body of a protocol, and which of its events may follow each other.

use super::TooLarge;
use crate::program::limits;
use crate::vocabulary::Positions;

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

/// The ends of a part of a body.
struct Part {
    empty: bool,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Course {
    /// Which of so many events may come first, last, and after each other (Glushkov's construction).
    pub(super) fn positions(&self, events: usize) -> Result<Positions, TooLarge> {
        if events > limits::PROTOCOL_EVENTS {
            return Err(TooLarge::Body);
        }
        let mut positions = Positions {
            follow: vec![Vec::new(); events],
            last: vec![false; events],
            ..Positions::default()
        };
        let whole = self.part(&mut positions.follow);
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

    /// The ends of a part; notes what follows what in it.
    fn part(&self, follow: &mut [Vec<u32>]) -> Part {
        match self {
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
                    let next = part.part(follow);
                    join(follow, &whole.last, &next.first);
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
                    let next = part.part(follow);
                    whole.first.extend(next.first);
                    whole.last.extend(next.last);
                    whole.empty |= next.empty;
                }
                whole
            }
            Course::Loop(body) => {
                let body = body.part(follow);
                join(follow, &body.last, &body.first);
                Part {
                    empty: true,
                    ..body
                }
            }
        }
    }
}

fn join(follow: &mut [Vec<u32>], before: &[u32], after: &[u32]) {
    for event in before {
        let follow = &mut follow[*event as usize];
        follow.extend(after);
        follow.sort_unstable();
        follow.dedup();
    }
}
