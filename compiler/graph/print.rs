//! Process graphs as text and as DOT: `sandalc dump graph`.

use std::fmt::Write as _;

use petgraph::visit::EdgeRef;

use super::{Edge, Graphs, Leaf, ProcessGraph};
use crate::program::Program;
use crate::source::Sources;
use crate::system::EdgeKind;
use crate::system::event::Event;
use crate::system::print::expr::{Printer, domain};

/// All graphs, one location and its edges after the other.
pub fn text(program: &Program, graphs: &Graphs, sources: &Sources) -> String {
    let printing = Printing { program, graphs };
    let mut out = String::new();
    for graph in &graphs.processes {
        let process = &program.processes[graph.process.0 as usize];
        if !out.is_empty() {
            out.push('\n');
        }
        let start = graph.initial.index();
        let _ = writeln!(
            out,
            "process {} ({}) starts at s{start}",
            process.name, process.proc_name
        );
        for node in graph.graph.node_indices() {
            let line = sources.line(graph.graph[node].span);
            let name = printing.location(graph, node.index());
            let _ = writeln!(out, "  {name}  line {line}");
            // petgraph lists a node's edges from the last added to the first.
            let mut edges: Vec<_> = graph.graph.edges(node).collect();
            edges.reverse();
            for edge in edges {
                let to = edge.target().index();
                let _ = writeln!(out, "    -> s{to}{}", printing.edge(edge.weight()));
            }
        }
    }
    out
}

/// All graphs for Graphviz, a cluster per process.
pub fn dot(program: &Program, graphs: &Graphs) -> String {
    let printing = Printing { program, graphs };
    let mut out = String::from(
        "digraph model {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n",
    );
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (index, graph) in graphs.processes.iter().enumerate() {
        let name = &program.processes[graph.process.0 as usize].name;
        let _ = writeln!(
            out,
            "  subgraph cluster_{index} {{\n    label={};",
            quoted(name)
        );
        for node in graph.graph.node_indices() {
            let label = quoted(&printing.location(graph, node.index()));
            let bold = if node == graph.initial {
                ", penwidth=2"
            } else {
                ""
            };
            let _ = writeln!(out, "    p{index}s{} [label={label}{bold}];", node.index());
        }
        for edge in graph.graph.edge_references() {
            let label = quoted(printing.edge(edge.weight()).trim_start());
            let (from, to) = (edge.source().index(), edge.target().index());
            let _ = writeln!(out, "    p{index}s{from} -> p{index}s{to} [label={label}];");
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

struct Printing<'a> {
    program: &'a Program,
    graphs: &'a Graphs,
}

impl Printing<'_> {
    fn location(&self, graph: &ProcessGraph, node: usize) -> String {
        let process = &self.program.processes[graph.process.0 as usize];
        let location = &graph.graph[petgraph::graph::NodeIndex::new(node)];
        let mut out = format!("s{node} {}", format!("{:?}", location.kind).to_lowercase());
        for label in &location.labels {
            let _ = write!(out, " @{}", process.labels[label.0 as usize].name);
        }
        out
    }

    fn edge(&self, edge: &Edge) -> String {
        let mut out = String::new();
        if edge.kind == EdgeKind::Timeout {
            out.push_str(" timeout");
        }
        for event in &edge.events {
            if let Some(text) = self.event(event) {
                let _ = write!(out, " {text}");
            }
        }
        for (i, pick) in edge.picks.iter().enumerate() {
            let _ = write!(out, " pick{i} in {}", domain(&self.program.data, *pick));
        }
        if !edge.guard.is_yes() {
            let _ = write!(out, " if {}", self.expr(&edge.guard));
        }
        for (check, ok) in &edge.checks {
            let _ = write!(out, " check {} {}", check.as_str(), self.expr(ok));
        }
        for (i, (var, value)) in edge.updates.iter().enumerate() {
            let separator = if i == 0 { ":" } else { "," };
            let name = &self.graphs.vars[var.0 as usize].name;
            let _ = write!(out, "{separator} {name} := {}", self.expr(value));
        }
        out
    }

    /// What the guard and the updates do not say already.
    fn event(&self, event: &Event<Leaf>) -> Option<String> {
        let channel = |c: &crate::vocabulary::ChannelId| &self.program.channels[c.0 as usize].name;
        let values = |values: &[super::Expr]| {
            values
                .iter()
                .map(|e| self.expr(e))
                .collect::<Vec<_>>()
                .join(", ")
        };
        Some(match event {
            Event::Offered(c, m) => format!("offer({}, {})", channel(c), values(m)),
            Event::Completed(c) => format!("complete({})", channel(c)),
            Event::Withdrew(c) => format!("withdraw({})", channel(c)),
            Event::Sent(c, m) => format!("send({}, {})", channel(c), values(m)),
            Event::Overflowed(c, m) => format!("overflow({}, {})", channel(c), values(m)),
            Event::Received(c, _) => format!("receive({})", channel(c)),
            Event::Peeked(c, _) => format!("peek({})", channel(c)),
            Event::Chose(block) => format!("choose({})", block + 1),
            Event::Failed(check) => format!("fail({})", check.as_str()),
            _ => return None,
        })
    }

    fn expr(&self, e: &super::Expr) -> String {
        let process = |p: &crate::vocabulary::ProcessId| &self.program.processes[p.0 as usize];
        let channel = |c: &crate::vocabulary::ChannelId| &self.program.channels[c.0 as usize].name;
        let leaf = |leaf: &Leaf| match leaf {
            Leaf::Var(v) => self.graphs.vars[v.0 as usize].name.clone(),
            Leaf::Pick(i) => format!("pick{i}"),
            Leaf::Done(p) => format!("{}.done", process(p).name),
            Leaf::Crashed(p) => format!("{}.crashed", process(p).name),
            Leaf::Suspects(d) => {
                format!("suspects({})", self.program.detectors[d.0 as usize].name)
            }
            Leaf::Quiet(_) | Leaf::Still => "nobody has to move".to_string(),
            Leaf::Ticked => "clock.ticked".to_string(),
            Leaf::Begins(p) => format!("{} begins a statement", process(p).name),
            Leaf::Event(event) => format!("event {}", event.0),
            Leaf::Known(known) => format!("known {}", known.0),
            Leaf::OfFault(aspect, f) => format!("{} of fault {}", aspect.as_str(), f.0),
            Leaf::Waiting(p) => format!("{}.waiting", process(p).name),
            Leaf::Failed(p) => format!("{}.failed", process(p).name),
            Leaf::AtLabel(p, l) => {
                format!(
                    "{}@{}",
                    process(p).name,
                    process(p).labels[l.0 as usize].name
                )
            }
            Leaf::Len(c) => format!("len({})", channel(c)),
            Leaf::CanSend(c) => format!("can_send({})", channel(c)),
            Leaf::CanReceive(c) => format!("can_receive({})", channel(c)),
            Leaf::Head(c, 0) if self.graphs.layout.message(*c).len() == 1 => {
                format!("head({})", channel(c))
            }
            Leaf::Head(c, i) => format!("head({}, {i})", channel(c)),
            Leaf::Stored(c, k, i) => format!("stored({}, {k}, {i})", channel(c)),
            Leaf::Given(i) => format!("given{i}"),
            Leaf::HoldsMore(c, k) => format!("len({}) > {k}", channel(c)),
        };
        Printer {
            data: &self.program.data,
            leaf: &leaf,
        }
        .expr(e)
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
