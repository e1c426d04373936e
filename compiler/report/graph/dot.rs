//! A graph for Graphviz.

use std::fmt::Write as _;

use super::{Graph, Shape};
use crate::source::printable;

/// The graph in the DOT language.
pub fn write(graph: &Graph) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&graph.title));
    let direction = if graph.sideways { "LR" } else { "TB" };
    let _ = writeln!(out, "  rankdir={direction};");
    out.push_str("  node [fontname=\"sans-serif\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for node in &graph.nodes {
        let shape = match node.shape {
            Shape::Box => "shape=box",
            Shape::Round => "shape=box, style=rounded",
            Shape::Dot => "shape=point, width=0.1",
            Shape::Words => "shape=plaintext",
            Shape::Bad => "shape=box, style=rounded, color=\"#c0392b\", fontcolor=\"#c0392b\"",
        };
        let start = if node.start { ", penwidth=2" } else { "" };
        let label = label(&node.lines);
        let _ = writeln!(out, "  {} [label={label}, {shape}{start}];", node.id);
    }
    for edge in &graph.edges {
        let (from, to) = (&graph.nodes[edge.from].id, &graph.nodes[edge.to].id);
        let fault = match edge.fault {
            true => ", style=dashed, color=\"#c0392b\", fontcolor=\"#c0392b\"",
            false => "",
        };
        let head = if edge.head { "" } else { ", arrowhead=none" };
        let label = label(&edge.lines);
        let _ = writeln!(out, "  {from} -> {to} [label={label}{fault}{head}];");
    }
    out.push_str("}\n");
    out
}

/// Lines as one label; Graphviz reads `\n` as a line end.
fn label(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    format!("\"{}\"", lines.join("\\n"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace('"', "\\\"")
}
