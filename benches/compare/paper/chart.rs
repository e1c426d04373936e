//! The times as a drawing: four bars for each variant, seconds on a logarithmic scale. Readable on a light and on a dark page.

use std::fmt::Write;

use super::tables::{Variant, WAYS};

const STYLE: &str = "
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.tick { font-size: 10px; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.old { fill: #8c959f; }
.spin { fill: #cf222e; }
.nusmv { fill: #9a6700; }
.ours { fill: #0969da; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.grid { stroke: #30363d; }
.spin { fill: #ff7b72; }
.nusmv { fill: #d29922; }
.ours { fill: #58a6ff; }
}
";

/// Seconds at the left and at the right, as powers of ten.
const DECADES: (i32, i32) = (-3, 1);
/// Where the bars begin, and how long the scale is.
const LEFT: f64 = 150.0;
const LENGTH: f64 = 560.0;
const BAR: f64 = 14.0;
const GROUP: f64 = 4.0 * BAR + 16.0;
const TOP: f64 = 56.0;

/// The drawing of all variants.
pub fn svg(variants: &[Variant]) -> String {
    let (width, bottom) = (LEFT + LENGTH + 70.0, TOP + GROUP * variants.len() as f64);
    let height = bottom + 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Seconds to the answer for the models of the paper\">\n<style>{STYLE}</style>\n"
    );
    for (at, (name, class)) in WAYS.iter().enumerate() {
        let x = LEFT + 140.0 * at as f64;
        let _ = writeln!(
            text,
            "<rect class=\"{class}\" x=\"{x}\" y=\"12\" width=\"12\" height=\"12\"/><text x=\"{}\" y=\"22\">{name}</text>",
            x + 18.0
        );
    }
    for decade in DECADES.0..=DECADES.1 {
        let x = LEFT + length_of(10f64.powi(decade));
        let label = 10f64.powi(decade);
        let _ = writeln!(
            text,
            "<path class=\"grid\" d=\"M{x:.1} {}V{bottom}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label} s</text>",
            TOP - 8.0,
            TOP - 12.0
        );
    }
    for (at, variant) in variants.iter().enumerate() {
        let top = TOP + GROUP * at as f64;
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            top + 2.0 * BAR + 4.0,
            variant.name
        );
        for (way, (seconds, (_, class))) in variant.seconds.iter().zip(WAYS).enumerate() {
            let Some(seconds) = seconds else { continue };
            let (y, length) = (top + BAR * way as f64, length_of(*seconds));
            let _ = writeln!(
                text,
                "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{y}\" width=\"{length:.1}\" height=\"{}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{}\">{}</text>",
                BAR - 2.0,
                LEFT + length + 5.0,
                y + 9.0,
                crate::table::short(*seconds)
            );
        }
    }
    text + "</svg>\n"
}

fn length_of(seconds: f64) -> f64 {
    let (low, high) = (f64::from(DECADES.0), f64::from(DECADES.1));
    (seconds.log10().clamp(low, high) - low) / (high - low) * LENGTH
}
