//! A fault tree as a picture: for Graphviz, or drawn as SVG.
//!
//! Gates have the shapes of IEC 61025: an OR is pointed, an AND is round, basic events are circles.

use std::fmt::Write as _;

use super::mef::escape;
use super::tree::Tree;

/// The tree for Graphviz.
pub fn dot(tree: &Tree<'_>) -> String {
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = String::from("digraph fault_tree {\n  node [fontname=\"sans-serif\"]\n");
    let ways = tree.ways();
    let what = match ways.as_slice() {
        [] => "is never violated",
        [way] if way.is_empty() => "is violated even without faults",
        _ => "is violated",
    };
    let probability = match tree.probability() {
        Some(p) => format!("\\np = {p:.3e}"),
        None => String::new(),
    };
    let _ = writeln!(
        out,
        "  top [shape=box, label=\"{} {what}{probability}\"]",
        quote(tree.property())
    );
    if ways.len() > 1 {
        out.push_str("  or [shape=invhouse, label=\"OR\"]\n  top -> or\n");
    }
    let above = if ways.len() > 1 { "or" } else { "top" };
    for (index, way) in ways.iter().enumerate() {
        let mut from = above.to_owned();
        if way.len() > 1 {
            from = format!("and{index}");
            let _ = writeln!(out, "  {from} [shape=invtrapezium, label=\"AND\"]");
            let _ = writeln!(out, "  {above} -> {from}");
        }
        for literal in way {
            let event = format!(
                "{}{}",
                if literal.possible { "f" } else { "no" },
                literal.fault
            );
            let _ = writeln!(
                out,
                "  {event} [shape=ellipse, label=\"{}\"]",
                quote(&tree.event(*literal))
            );
            let _ = writeln!(out, "  {from} -> {event}");
        }
    }
    out.push_str("}\n");
    out
}

/// Width of a letter, about.
const LETTER: f64 = 7.2;
/// Between two things side by side.
const GAP: f64 = 18.0;
/// Height of a row.
const ROW: f64 = 84.0;

/// The tree as SVG.
pub fn svg(tree: &Tree<'_>) -> String {
    let ways = tree.ways();
    let wide = |text: &str| (text.chars().count() as f64 * LETTER + 24.0).max(60.0);
    // Every event has its own column, ways side by side.
    let mut x = GAP;
    let mut columns: Vec<Vec<(f64, f64, String)>> = Vec::new();
    for way in &ways {
        let mut events = Vec::new();
        for literal in way {
            let text = tree.event(*literal);
            let width = wide(&text);
            events.push((x + width / 2.0, width, text));
            x += width + GAP;
        }
        columns.push(events);
    }
    let what = match ways.as_slice() {
        [] => format!("{} is never violated", tree.property()),
        [way] if way.is_empty() => format!("{} is violated even without faults", tree.property()),
        _ => format!("{} is violated", tree.property()),
    };
    let title = match tree.probability() {
        Some(p) => format!("{what} (p = {p:.3e})"),
        None => what,
    };
    let width = x.max(wide(&title) + 2.0 * GAP);
    let shift = (width - x) / 2.0;
    let middle = width / 2.0;
    let gate = ways.len() > 1;
    let rows = [
        true,
        gate,
        ways.iter().any(|w| w.len() > 1),
        !ways.is_empty(),
    ];
    let depth = rows.iter().filter(|row| **row).count() as f64;
    let height = depth * ROW + GAP;
    let mut body = String::new();
    let top = GAP + 16.0;
    let line = |x1: f64, y1: f64, x2: f64, y2: f64| {
        let half = (y1 + y2) / 2.0;
        format!("<path d=\"M{x1:.1} {y1:.1}V{half:.1}H{x2:.1}V{y2:.1}\"/>")
    };
    let or_y = top + ROW;
    let and_y = if gate { or_y + ROW } else { top + ROW };
    let has_and = rows[2];
    let leaf_y = match (gate, has_and) {
        (_, true) => and_y + ROW,
        (true, false) => or_y + ROW,
        (false, false) => top + ROW,
    };
    let mut wires = String::new();
    if gate {
        wires += &line(middle, top + 16.0, middle, or_y - 20.0);
        let _ = write!(
            body,
            "<path class=\"gate\" d=\"M{a:.1} {d:.1}Q{m:.1} {c:.1} {b:.1} {d:.1}Q{b:.1} {e:.1} {m:.1} {t:.1}Q{a:.1} {e:.1} {a:.1} {d:.1}Z\"/><text x=\"{m:.1}\" y=\"{ty:.1}\">OR</text>",
            a = middle - 26.0,
            b = middle + 26.0,
            c = or_y + 8.0,
            d = or_y + 18.0,
            e = or_y - 10.0,
            m = middle,
            t = or_y - 20.0,
            ty = or_y + 8.0,
        );
    }
    let above = if gate { or_y + 14.0 } else { top + 16.0 };
    for events in &columns {
        let (Some(first), Some(last)) = (events.first(), events.last()) else {
            continue;
        };
        let centre = (first.0 + last.0) / 2.0 + shift;
        let mut from = (middle, above);
        if events.len() > 1 {
            wires += &line(middle, above, centre, and_y - 20.0);
            let _ = write!(
                body,
                "<path class=\"gate\" d=\"M{a:.1} {d:.1}V{y:.1}A26 20 0 0 1 {b:.1} {y:.1}V{d:.1}Z\"/><text x=\"{centre:.1}\" y=\"{ty:.1}\">AND</text>",
                a = centre - 26.0,
                b = centre + 26.0,
                d = and_y + 18.0,
                y = and_y,
                ty = and_y + 8.0,
            );
            from = (centre, and_y + 18.0);
        }
        for (x, width, text) in events {
            let x = x + shift;
            wires += &line(from.0, from.1, x, leaf_y - 18.0);
            let _ = write!(
                body,
                "<ellipse class=\"event\" cx=\"{x:.1}\" cy=\"{leaf_y:.1}\" rx=\"{:.1}\" ry=\"18\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                width / 2.0,
                leaf_y + 4.0,
                escape(text)
            );
        }
    }
    let title = escape(&title);
    let box_width = title.chars().count() as f64 * LETTER + 24.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\"><title>{title}</title>\
<style>svg{{font:12px sans-serif;background:#fff}}text{{text-anchor:middle;fill:#1b1f24}}path{{fill:none;stroke:#57606a}}.gate{{fill:#ddf4ff;stroke:#0969da}}.event{{fill:#fff8c5;stroke:#9a6700}}rect{{fill:#ffebe9;stroke:#cf222e}}</style>\
{wires}<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{box_width:.1}\" height=\"32\" rx=\"4\"/><text x=\"{middle:.1}\" y=\"{:.1}\">{title}</text>{body}</svg>\n",
        middle - box_width / 2.0,
        top - 16.0,
        top + 4.0,
    )
}
