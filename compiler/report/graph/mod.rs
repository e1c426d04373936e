//! Pictures of a model: the state machine of a process, and the processes with the channels between them.
//!
//! [`machine()`] and [`topology()`] make a [`Graph`], plain data; [`dot`], [`mermaid`] and [`svg`] write it. The SVG has a layout of
//! its own ([`layered`]), so that a picture needs no other program and is the same on every machine.

pub mod dot;
pub mod layered;
mod machine;
pub mod mermaid;
pub mod svg;
mod topology;

#[cfg(test)]
mod tests;

pub use machine::machine;
pub use topology::topology;

/// A picture of boxes and arrows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// What it shows.
    pub title: String,
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows, by the index of their boxes; at most one from one box to another in each tone.
    pub edges: Vec<Edge>,
    /// Whether it is read from left to right, not from top to bottom.
    pub sideways: bool,
}

/// A box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it is called by programs: letters, digits and `_`, different from all others.
    pub id: String,
    /// What it says, line by line.
    pub lines: Vec<String>,
    /// What it looks like.
    pub shape: Shape,
    /// Whether it is where everything begins.
    pub start: bool,
}

/// What a box looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A box.
    Box,
    /// A box with round ends: a channel, an end.
    Round,
    /// A dot: between two steps of one statement.
    Dot,
    /// No box, only words.
    Words,
    /// Where something has gone wrong.
    Bad,
}

/// An arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// From this box.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// What it says, line by line.
    pub lines: Vec<String>,
    /// Whether it is a fault.
    pub fault: bool,
    /// Whether it has a head; without one it only ties two boxes together.
    pub head: bool,
}

impl Graph {
    /// Adds an arrow, or what it says to the one that is there.
    fn join(&mut self, from: usize, to: usize, line: String, fault: bool) {
        let same = |edge: &&mut Edge| edge.from == from && edge.to == to && edge.fault == fault;
        let lines = match self.edges.iter_mut().find(same) {
            Some(edge) => &mut edge.lines,
            None => {
                self.edges.push(Edge {
                    from,
                    to,
                    lines: Vec::new(),
                    fault,
                    head: true,
                });
                &mut self.edges.last_mut().expect("one was added").lines
            }
        };
        if !line.is_empty() && !lines.contains(&line) {
            lines.push(line);
        }
    }
}
