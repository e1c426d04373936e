//! AIGER files: [format 1.9](http://fmv.jku.at/aiger/), binary for programs and text for people.
//!
//! Only what the bad states asked for depend on is written, and at least one input.

use super::graph::{Lit, Node};
use super::model::{Bad, Model};

/// A graph as it is written, and what was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// For each input that is written its number in the model.
    pub inputs: Vec<usize>,
    /// For each latch that is written its number in the model.
    pub latches: Vec<usize>,
}

/// How to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `aag`: lines of numbers.
    Text,
    /// `aig`: conjunctions as differences.
    Binary,
}

/// How to say what is bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// As outputs, which all versions of the format have.
    Outputs,
    /// As bad states.
    Bad,
}

/// What is given a name in a file, and its number there.
pub type Names<'a> = dyn Fn(Named) -> Option<String> + 'a;

/// Something that can have a name, with its number in the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// An input.
    Input(usize),
    /// A latch.
    Latch(usize),
    /// A property.
    Property(usize),
}

impl Model {
    /// Writes what some bad states depend on.
    pub fn write(
        &self,
        bad: &[Bad],
        kind: Kind,
        section: Section,
        names: Option<&Names<'_>>,
    ) -> Written {
        let lits: Vec<Lit> = bad.iter().map(|bad| bad.lit).collect();
        let mut needed = self.cone(&lits);
        let nodes = self.graph.nodes();
        let is_input = |node: usize| matches!(nodes[node], Node::Input(_));
        if !(0..nodes.len()).any(|node| needed[node] && is_input(node))
            && let Some(first) = (0..nodes.len()).find(|node| is_input(*node))
        {
            needed[first] = true;
        }
        let of = |wanted: fn(Node) -> Option<u32>| -> Vec<(usize, usize)> {
            let all = nodes.iter().enumerate().filter(|(i, _)| needed[*i]);
            all.filter_map(|(i, node)| Some((i, wanted(*node)? as usize)))
                .collect()
        };
        let inputs = of(|node| match node {
            Node::Input(input) => Some(input),
            _ => None,
        });
        let latches = of(|node| match node {
            Node::Latch(latch) => Some(latch),
            _ => None,
        });
        let ands = of(|node| matches!(node, Node::And(..)).then_some(0));
        let mut numbers = vec![0u32; nodes.len()];
        let order = inputs.iter().chain(&latches).chain(&ands);
        for (number, (node, _)) in order.enumerate() {
            numbers[*node] = number as u32 + 1;
        }
        let code = |lit: Lit| 2 * numbers[lit.node()] + u32::from(lit.is_negated());
        let most = inputs.len() + latches.len() + ands.len();
        let header = match kind {
            Kind::Text => "aag",
            Kind::Binary => "aig",
        };
        let counts = match section {
            Section::Outputs => format!("{} {}", bad.len(), ands.len()),
            Section::Bad => format!("0 {} {}", ands.len(), bad.len()),
        };
        let (i, l) = (inputs.len(), latches.len());
        let mut text = format!("{header} {most} {i} {l} {counts}\n");
        let is_text = kind == Kind::Text;
        for (node, _) in inputs.iter().filter(|_| is_text) {
            text += &format!("{}\n", 2 * numbers[*node]);
        }
        for (node, latch) in &latches {
            if is_text {
                text += &format!("{} ", 2 * numbers[*node]);
            }
            text += &format!("{}\n", code(self.latches[*latch].next));
        }
        for lit in lits {
            text += &format!("{}\n", code(lit));
        }
        let mut bytes = text.into_bytes();
        for (node, _) in &ands {
            let Node::And(a, b) = nodes[*node] else {
                continue;
            };
            let (left, a, b) = (2 * numbers[*node], code(a), code(b));
            let (a, b) = (a.max(b), a.min(b));
            match kind {
                Kind::Text => bytes.extend(format!("{left} {a} {b}\n").bytes()),
                Kind::Binary => {
                    difference(&mut bytes, left - a);
                    difference(&mut bytes, a - b);
                }
            }
        }
        let numbers = |all: Vec<(usize, usize)>| all.into_iter().map(|(_, n)| n).collect();
        let mut written = Written {
            bytes,
            inputs: numbers(inputs),
            latches: numbers(latches),
        };
        if let Some(names) = names {
            let symbols = symbols(&written, bad, section, names);
            written.bytes.extend(symbols.bytes());
        }
        written
    }
}

/// The symbol table.
fn symbols(written: &Written, bad: &[Bad], section: Section, names: &Names<'_>) -> String {
    let letter = match section {
        Section::Outputs => 'o',
        Section::Bad => 'b',
    };
    let mut text = String::new();
    let mut row = |letter: char, named: &mut dyn Iterator<Item = Named>| {
        for (index, named) in named.enumerate() {
            if let Some(name) = names(named) {
                text += &format!("{letter}{index} {name}\n");
            }
        }
    };
    row('i', &mut written.inputs.iter().map(|i| Named::Input(*i)));
    row('l', &mut written.latches.iter().map(|l| Named::Latch(*l)));
    row(letter, &mut bad.iter().map(|b| Named::Property(b.property)));
    text
}

/// A number in groups of seven bits, the lowest first.
fn difference(bytes: &mut Vec<u8>, mut number: u32) {
    while number > 0x7f {
        bytes.push(number as u8 & 0x7f | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
