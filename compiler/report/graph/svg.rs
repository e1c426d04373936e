//! A graph as a picture.

use std::fmt::Write as _;

use super::layered::{Line, Point, Size, place};
use super::{Edge, Graph, Node, Shape};
use crate::report::drawing::{Canvas, LINE, text_width};

/// The graph as an SVG file.
pub fn write(graph: &Graph) -> String {
    let canvas = draw(graph, &|_| None);
    canvas.file(&graph.title)
}

/// The graph as a part of a page; `key` says what a box is called there.
pub fn part(graph: &Graph, key: &dyn Fn(usize) -> Option<u32>) -> String {
    let canvas = draw(graph, key);
    canvas.part(&graph.title)
}

const EDGE: f64 = 12.0;

fn size(node: &Node) -> Size {
    match node.shape {
        Shape::Dot => Size {
            width: 10.0,
            height: 10.0,
        },
        _ => Size {
            width: widest(&node.lines) + 18.0,
            height: node.lines.len().max(1) as f64 * LINE + 8.0,
        },
    }
}

fn widest(lines: &[String]) -> f64 {
    lines
        .iter()
        .map(|line| text_width(line))
        .fold(8.0, f64::max)
}

fn draw(graph: &Graph, key: &dyn Fn(usize) -> Option<u32>) -> Canvas {
    let sizes: Vec<Size> = graph.nodes.iter().map(size).collect();
    let drawn: Vec<&Edge> = graph.edges.iter().filter(|e| e.from != e.to).collect();
    let lines: Vec<Line> = drawn
        .iter()
        .map(|edge| Line {
            from: edge.from,
            to: edge.to,
            label: (!edge.lines.is_empty()).then(|| Size {
                width: widest(&edge.lines) + 4.0,
                height: edge.lines.len() as f64 * LINE,
            }),
        })
        .collect();
    let placed = place(&sizes, &lines, graph.sideways);
    let loops: Vec<&Edge> = graph.edges.iter().filter(|e| e.from == e.to).collect();
    let beside = loops.iter().map(|edge| {
        placed.boxes[edge.from].x + sizes[edge.from].width / 2.0 + 34.0 + widest(&edge.lines)
    });
    let width = beside.fold(placed.size.width, f64::max);
    let mut canvas = Canvas::new(width + 2.0 * EDGE, placed.size.height + 2.0 * EDGE);
    let at = |point: Point| (point.x + EDGE, point.y + EDGE);
    for (edge, points) in drawn.iter().zip(&placed.lines) {
        let points: Vec<(f64, f64)> = points.iter().map(|point| at(*point)).collect();
        let class = if edge.fault { "edge bad" } else { "edge" };
        canvas.curve(&points, graph.sideways, class);
        if edge.head {
            let end = points[points.len() - 1];
            let before = points[points.len() - 2];
            let tip = match graph.sideways {
                true => ((end.0 - before.0).signum(), 0.0),
                false => (0.0, (end.1 - before.1).signum()),
            };
            canvas.head(end, tip, class);
        }
    }
    for edge in loops {
        let (x, y) = at(placed.boxes[edge.from]);
        let side = x + sizes[edge.from].width / 2.0;
        let class = if edge.fault { "edge bad" } else { "edge" };
        let path = format!(
            "M{side:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {side:.1} {:.1}",
            y - 5.0,
            side + 26.0,
            y - 12.0,
            side + 26.0,
            y + 12.0,
            y + 5.0
        );
        canvas.path(&path, class);
        canvas.head((side, y + 5.0), (-1.0, 0.0), class);
        canvas.lines(&edge.lines, (side + 24.0, y), "start", "label");
    }
    for (edge, label) in drawn.iter().zip(&placed.labels) {
        if let Some(label) = label {
            let (x, y) = at(*label);
            let width = widest(&edge.lines) + 4.0;
            let height = edge.lines.len() as f64 * LINE;
            canvas.block((x, y), (width, height), 0.0, "back");
            let class = if edge.fault { "label bad" } else { "label" };
            canvas.lines(&edge.lines, (x, y), "middle", class);
        }
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        let (x, y) = at(placed.boxes[index]);
        let Size { width, height } = sizes[index];
        let mut class = match node.shape {
            Shape::Box => "node",
            Shape::Round => "node end",
            Shape::Dot => "node dot",
            Shape::Words => "words",
            Shape::Bad => "node bad",
        }
        .to_owned();
        if node.start {
            class += " start";
        }
        let mut open = format!("<g class=\"{class}\"");
        if let Some(key) = key(index) {
            let _ = write!(open, " data-key=\"{key}\"");
        }
        canvas.raw(&(open + ">"));
        match node.shape {
            Shape::Words => {}
            Shape::Dot => canvas.circle((x, y), 5.0),
            Shape::Box => canvas.block((x, y), (width, height), 4.0, ""),
            Shape::Round | Shape::Bad => canvas.block((x, y), (width, height), height / 2.0, ""),
        }
        canvas.lines(&node.lines, (x, y), "middle", "");
        canvas.raw("</g>\n");
    }
    canvas
}
