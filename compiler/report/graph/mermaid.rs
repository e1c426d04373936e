//! A graph for Mermaid, which draws it in Markdown pages.

use std::fmt::Write as _;

use super::{Graph, Shape};
use crate::source::printable;

/// The graph as a Mermaid flowchart.
pub fn write(graph: &Graph) -> String {
    let mut out = format!("flowchart {}\n", if graph.sideways { "LR" } else { "TD" });
    for node in &graph.nodes {
        let id = &node.id;
        let label = label(&node.lines);
        let shape = match node.shape {
            Shape::Box => format!("{id}[{label}]"),
            Shape::Round | Shape::Bad => format!("{id}([{label}])"),
            Shape::Dot => format!("{id}(( ))"),
            Shape::Words => format!("{id}[{label}]:::words"),
        };
        let class = match (node.shape, node.start) {
            (Shape::Bad, _) => ":::bad",
            (Shape::Words | Shape::Dot, _) | (_, false) => "",
            (_, true) => ":::start",
        };
        let _ = writeln!(out, "  {shape}{class}");
    }
    for (index, edge) in graph.edges.iter().enumerate() {
        let (from, to) = (&graph.nodes[edge.from].id, &graph.nodes[edge.to].id);
        let arrow = match (edge.fault, edge.head) {
            (true, _) => "-.->",
            (false, true) => "-->",
            (false, false) => "---",
        };
        let label = match edge.lines.is_empty() {
            true => String::new(),
            false => format!("|{}|", label(&edge.lines)),
        };
        let _ = writeln!(out, "  {from} {arrow}{label} {to}");
        if edge.fault {
            let _ = writeln!(out, "  linkStyle {index} stroke:#c0392b,color:#c0392b");
        }
    }
    out.push_str("  classDef bad stroke:#c0392b,color:#c0392b\n");
    out.push_str("  classDef start stroke-width:3px\n");
    out.push_str("  classDef words fill:none,stroke:none\n");
    out
}

/// Lines as one label in quotes. Everything that Mermaid or HTML might read as their own is a character reference.
fn label(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    format!("\"{}\"", lines.join("<br/>"))
}

/// A text in which nothing but letters, digits and spaces stands for itself.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in printable(text).chars() {
        if c.is_alphanumeric() || " ,.:_?!=+-()[]@*".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", c as u32);
        }
    }
    out
}
