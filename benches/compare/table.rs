//! What was measured, as aligned text and as CSV.

use std::fmt::Write;

use crate::competitor::Competitor;
use crate::family::Instance;
use crate::measurement::Measurement;

/// One line: who, on what, and what came of it.
pub struct Row {
    /// On what.
    pub instance: Instance,
    /// Who.
    pub who: Competitor,
    /// What came of it.
    pub measured: Measurement,
}

const HEAD: [&str; 10] = [
    "model",
    "size",
    "competitor",
    "answer",
    "seconds",
    "of which",
    "states",
    "transitions",
    "M trans/s",
    "B/state",
];
const WIDTHS: [usize; 10] = [20, 5, 19, 10, 9, 36, 12, 13, 10, 8];

/// The heading of the table.
pub fn head() -> String {
    line(&HEAD.map(String::from))
}

/// A row of the table.
pub fn text(row: &Row) -> String {
    let measured = &row.measured;
    let parts: Vec<String> = (measured.parts.iter())
        .map(|(name, seconds)| format!("{name} {}", short(*seconds)))
        .collect();
    line(&[
        name(row.instance),
        row.instance.constant(),
        row.who.name.clone(),
        measured.answer.as_str().to_string(),
        short(measured.seconds),
        match parts.len() {
            1 => String::new(),
            _ => parts.join(", "),
        },
        optional(measured.states.map(thousands)),
        optional(measured.transitions.map(thousands)),
        optional(measured.throughput().map(|t| format!("{:.2}", t / 1e6))),
        optional(measured.bytes_per_state().map(|b| format!("{b:.1}"))),
    ])
}

fn line(cells: &[String; 10]) -> String {
    let mut text = String::new();
    for (at, (cell, width)) in cells.iter().zip(WIDTHS).enumerate() {
        // Words to the left, numbers to the right.
        let _ = match at {
            0 | 2 | 3 | 5 => write!(text, "{cell:<width$} "),
            _ => write!(text, "{cell:>width$} "),
        };
    }
    text.trim_end().to_string()
}

/// All rows as CSV.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "family,variant,parameter,size,competitor,answer,seconds,wall_seconds,search_seconds,states,transitions,\
         transitions_per_second,peak_memory_bytes,bytes_per_state\n",
    );
    for row in rows {
        let measured = &row.measured;
        let cells = [
            row.instance.family.name.to_string(),
            row.instance.variant.name.to_string(),
            row.instance.family.size.to_string(),
            row.instance.size.to_string(),
            row.who.name.clone(),
            measured.answer.as_str().to_string(),
            format!("{:.6}", measured.seconds),
            format!("{:.6}", measured.search.wall),
            format!("{:.6}", measured.search_seconds),
            empty(measured.states.map(|n| n.to_string())),
            empty(measured.transitions.map(|n| n.to_string())),
            empty(measured.throughput().map(|n| format!("{n:.0}"))),
            measured.search.memory.to_string(),
            empty(measured.bytes_per_state().map(|n| format!("{n:.2}"))),
        ];
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// Of each model the largest size that both plain searches can do, ours and Spin's.
pub fn selection(rows: &[Row]) -> String {
    let mut text = head() + "\n";
    for group in rows.chunk_by(|a, b| name(a.instance) == name(b.instance)) {
        let by = |who: &'static str| {
            let done = group.iter().filter(move |row| row.who.name == who);
            done.filter(|row| !row.measured.answer.is_over())
                .map(|row| row.instance.size)
                .max()
        };
        let ours = by("sandalc-plain").or(by("sandalc"));
        let size = [ours, by("spin-noreduce")].into_iter().flatten().min();
        for row in group.iter().filter(|r| Some(r.instance.size) == size) {
            text += &self::text(row);
            text.push('\n');
        }
    }
    text
}

/// Time by size: a line for each competitor, a column for each size.
pub fn growth(rows: &[Row]) -> String {
    let mut text = String::new();
    for group in rows.chunk_by(|a, b| name(a.instance) == name(b.instance)) {
        let mut sizes: Vec<u32> = group.iter().map(|row| row.instance.size).collect();
        sizes.dedup();
        let family = group[0].instance.family;
        let _ = writeln!(text, "{}", family.title);
        let _ = write!(text, "{:<20} {:<17} ", name(group[0].instance), "seconds");
        for size in &sizes {
            let _ = write!(text, " {:>8}", format!("{}={size}", family.size));
        }
        text.push('\n');
        let mut competitors: Vec<&str> = Vec::new();
        for row in group {
            if !competitors.contains(&row.who.name.as_str()) {
                competitors.push(&row.who.name);
            }
        }
        for competitor in competitors {
            let _ = write!(text, "{:<20} {competitor:<17} ", "");
            for size in &sizes {
                let row = group
                    .iter()
                    .find(|row| row.instance.size == *size && row.who.name == competitor);
                let cell = row.map(|row| match row.measured.answer.is_over() {
                    true => "over".to_string(),
                    false => short(row.measured.seconds),
                });
                let _ = write!(text, " {:>8}", optional(cell));
            }
            text.push('\n');
        }
    }
    text
}

/// `two_phase, drop`
pub fn name(instance: Instance) -> String {
    format!("{}, {}", instance.family.name, instance.variant.name)
}

fn optional(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| "-".to_string())
}

fn empty(cell: Option<String>) -> String {
    cell.unwrap_or_default()
}

/// Three digits are enough.
pub fn short(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{s:.4}"),
        s if s < 10.0 => format!("{s:.3}"),
        s => format!("{s:.1}"),
    }
}

/// `1,234,567`
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
