//! The growth of the times as a drawing: a panel for each model, a line for each competitor, seconds on a logarithmic
//! scale. Readable on a light and on a dark page.

use std::fmt::Write;

use crate::table::{Row, name};

/// Lines are drawn for these, in this order, each with a class that gives it its colour and dashes.
const SERIES: [(&str, &str, &str); 6] = [
    ("spin", "spin", "Spin (spin + gcc + pan)"),
    ("spin-noreduce", "spin plain", "Spin without reduction"),
    ("nusmv", "nusmv", "NuSMV on our modules"),
    ("sandalc-plain", "ours plain", "sandalc without reduction"),
    ("sandalc", "ours", "sandalc"),
    ("sandalc-x2", "cores", "sandalc, two threads"),
];

const STYLE: &str = "
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 13px; font-weight: 600; }
.tick { font-size: 10px; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.frame { fill: none; stroke: #8c959f; }
.line { fill: none; stroke-width: 2; }
.plain { stroke-dasharray: 5 3; }
.spin { stroke: #cf222e; fill: #cf222e; }
.nusmv { stroke: #9a6700; fill: #9a6700; }
.ours { stroke: #0969da; fill: #0969da; }
.cores { stroke: #1a7f37; fill: #1a7f37; }
.line.spin, .line.nusmv, .line.ours, .line.cores { fill: none; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.grid { stroke: #30363d; }
.frame { stroke: #6e7681; }
.spin { stroke: #ff7b72; fill: #ff7b72; }
.nusmv { stroke: #d29922; fill: #d29922; }
.ours { stroke: #58a6ff; fill: #58a6ff; }
.cores { stroke: #3fb950; fill: #3fb950; }
}
";

const COLUMNS: usize = 3;
const PANEL: (f64, f64) = (290.0, 210.0);
/// Inside a panel: left, top, right and bottom of the frame.
const FRAME: (f64, f64, f64, f64) = (44.0, 26.0, 280.0, 170.0);
const LEGEND: f64 = 58.0;
/// Seconds at the bottom and at the top, as powers of ten.
const DECADES: (i32, i32) = (-3, 2);

/// The drawing of all rows.
pub fn svg(rows: &[Row]) -> String {
    let groups: Vec<&[Row]> = rows
        .chunk_by(|a, b| name(a.instance) == name(b.instance))
        .collect();
    let height = LEGEND + PANEL.1 * groups.len().div_ceil(COLUMNS) as f64;
    let width = PANEL.0 * COLUMNS as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Seconds to the answer by size of the model\">\n<style>{STYLE}</style>\n"
    );
    legend(&mut text, rows);
    for (at, group) in groups.into_iter().enumerate() {
        let x = PANEL.0 * (at % COLUMNS) as f64;
        let y = LEGEND + PANEL.1 * (at / COLUMNS) as f64;
        let _ = writeln!(text, "<g transform=\"translate({x} {y})\">");
        panel(&mut text, group);
        text += "</g>\n";
    }
    text + "</svg>\n"
}

fn legend(text: &mut String, rows: &[Row]) {
    let present = SERIES
        .iter()
        .filter(|(who, ..)| rows.iter().any(|row| row.who.name == *who));
    for (at, (_, class, label)) in present.enumerate() {
        let x = 20.0 + PANEL.0 * (at % COLUMNS) as f64;
        let y = 18.0 + 20.0 * (at / COLUMNS) as f64;
        let _ = writeln!(
            text,
            "<path class=\"line {class}\" d=\"M{x} {y}h30\"/><text x=\"{}\" y=\"{}\">{label}</text>",
            x + 38.0,
            y + 4.0
        );
    }
}

fn panel(text: &mut String, group: &[Row]) {
    let (left, top, right, bottom) = FRAME;
    let family = group[0].instance.family;
    let _ = writeln!(
        text,
        "<text class=\"title\" x=\"{left}\" y=\"16\">{}</text>",
        name(group[0].instance)
    );
    for decade in DECADES.0..=DECADES.1 {
        let y = height_of(10f64.powi(decade));
        let label = match decade {
            ..0 => format!("{:.*}", decade.unsigned_abs() as usize, 10f64.powi(decade)),
            _ => format!("{}", 10u32.pow(decade as u32)),
        };
        let _ = writeln!(
            text,
            "<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/>\
             <text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            left - 5.0,
            y + 3.5
        );
    }
    let sizes = |row: &Row| row.instance.size;
    let first = group.iter().map(sizes).min().unwrap_or(0);
    let last = group
        .iter()
        .map(sizes)
        .max()
        .unwrap_or(first)
        .max(first + 1);
    let scale = (right - left - 20.0) / f64::from(last - first);
    let place = |size: u32| left + 10.0 + scale * f64::from(size - first);
    let step = (last - first).div_ceil(8).max(1);
    for size in (first..=last).step_by(step as usize) {
        let _ = writeln!(
            text,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{size}</text>",
            place(size),
            bottom + 14.0
        );
    }
    let _ = writeln!(
        text,
        "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text class=\"tick\" transform=\"translate(10 {}) rotate(-90)\" text-anchor=\"middle\">seconds</text>\
         <rect class=\"frame\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>",
        (left + right) / 2.0,
        bottom + 28.0,
        family.size,
        (top + bottom) / 2.0,
        right - left,
        bottom - top
    );
    for (who, class, _) in SERIES {
        let points: Vec<(f64, f64)> = group
            .iter()
            .filter(|row| row.who.name == who && !row.measured.answer.is_over())
            .map(|row| (place(row.instance.size), height_of(row.measured.seconds)))
            .collect();
        line(text, class, &points);
    }
}

fn line(text: &mut String, class: &str, points: &[(f64, f64)]) {
    let Some(((x, y), rest)) = points.split_first() else {
        return;
    };
    let _ = write!(text, "<path class=\"line {class}\" d=\"M{x:.1} {y:.1}");
    for (x, y) in rest {
        let _ = write!(text, "L{x:.1} {y:.1}");
    }
    text.push_str("\"/>\n");
    // The end of a line is where its competitor gives up.
    if let Some((x, y)) = points.last() {
        let _ = writeln!(
            text,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
        );
    }
}

fn height_of(seconds: f64) -> f64 {
    let (_, top, _, bottom) = FRAME;
    let (low, high) = (f64::from(DECADES.0), f64::from(DECADES.1));
    let part = (seconds.log10().clamp(low, high) - low) / (high - low);
    bottom - part * (bottom - top)
}
