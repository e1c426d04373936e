//! A run as a sequence diagram of Mermaid, drawn from the same [`Chart`] as on the terminal.
//!
//! Mermaid's arrows are level. So a message that arrives later than it was sent is an arrow where it arrives, and a note where
//! it was sent; one that is lost is an arrow with a cross.

use std::fmt::Write as _;

use super::Makes;
use super::chart::{self, Chart, Mark, Message, Tone, What};
use crate::check::Answer;
use crate::source::{Sources, is_unprintable, printable};
use crate::system::System;

/// More rows are left out: Mermaid does not draw texts of any length.
const MOST_ROWS: usize = 400;

/// A file with one diagram, or a page with all.
pub const MAKES: Makes = Makes::Run {
    run: |model, system, answer| mermaid(system, model.sources, answer),
    page: Some(mermaid_page),
};

/// The diagram for the run of an answer, if it has one.
fn mermaid(system: &System, sources: &Sources, answer: &Answer) -> Option<String> {
    let chart = chart::of(system, sources, answer)?.folded();
    Some(diagram(&chart))
}

/// A Markdown page with all diagrams, each under its name.
fn mermaid_page(diagrams: &[(String, String)]) -> String {
    let mut out = String::new();
    for (name, diagram) in diagrams {
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = write!(
            out,
            "{gap}## {}\n\n```mermaid\n{diagram}```\n",
            heading(name)
        );
    }
    out
}

/// A name as a heading of Markdown: nothing in it means anything.
fn heading(name: &str) -> String {
    let mut out = String::new();
    for c in printable(name).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            c if c.is_ascii_punctuation() && !"./-_".contains(c) => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

fn diagram(chart: &Chart) -> String {
    let mut out = String::from("sequenceDiagram\n");
    for (index, lane) in chart.lanes.iter().enumerate() {
        let _ = writeln!(out, "    participant p{index} as {}", text(&lane.name));
    }
    let across = match chart.lanes.len() {
        0 => {
            out += "    participant p0 as nobody\n";
            "p0".to_owned()
        }
        1 => "p0".to_owned(),
        lanes => format!("p0,p{}", lanes - 1),
    };
    for line in &chart.opening {
        let _ = writeln!(out, "    Note over {across}: {}", text(line));
    }
    let mut open = false;
    let mut rules = chart.rules.iter().peekable();
    for row in chart.rows.iter().take(MOST_ROWS) {
        while let Some(rule) =
            rules.next_if(|rule| rule.step <= row.step && rule.step < chart.steps)
        {
            let _ = writeln!(out, "    Note over {across}: {}", text(&rule.text));
        }
        if chart.loop_start.is_some_and(|start| start <= row.step)
            && !open
            && row.step < chart.steps
        {
            out += "    loop for ever\n";
            open = true;
        }
        let bad = row.tone(chart) == Tone::Bad;
        if bad {
            out += "    rect rgb(255, 214, 214)\n";
        }
        let place = match &row.place {
            Some(place) => format!(" (line {})", place.line),
            None => String::new(),
        };
        let _ = writeln!(out, "    {}", line(chart, &row.what, &across, &place));
        if bad {
            out += "    end\n";
        }
    }
    if chart.rows.len() > MOST_ROWS {
        let left_out = chart.rows.len() - MOST_ROWS;
        let words = format!("{left_out} more rows are left out, Mermaid draws no longer texts");
        let _ = writeln!(out, "    Note over {across}: {}", text(&words));
    }
    if open {
        out += "    end\n";
    }
    for rule in rules {
        let _ = writeln!(out, "    Note over {across}: {}", text(&rule.text));
    }
    out
}

/// What a row is in the diagram.
fn line(chart: &Chart, what: &What, across: &str, place: &str) -> String {
    let arrow = |index: usize, sign: &str, more: &str| {
        let Message { from, to, .. } = &chart.messages[index];
        let label = format!("{}{more}{place}", chart.messages[index].label());
        format!("p{from}{sign}p{}: {}", to.unwrap_or(*from), text(&label))
    };
    match what {
        What::Passed(index) | What::Received(index) => arrow(*index, "->>", ""),
        What::Lost(index) => arrow(*index, "-x", " is lost"),
        What::Sent(index) => {
            let message = &chart.messages[*index];
            let words = format!("sends {}{place}", message.label());
            format!("Note over p{}: {}", message.from, text(&words))
        }
        What::Mark {
            lane,
            kind,
            text: words,
        } => {
            let fault = match kind {
                Mark::Fault | Mark::Crash => "FAULT ",
                _ => "",
            };
            format!(
                "Note over p{lane}: {}",
                text(&format!("{fault}{words}{place}"))
            )
        }
        What::Note(words) => format!("Note over {across}: {}", text(&format!("{words}{place}"))),
    }
}

/// A text in which nothing means anything to Mermaid or to a browser: all but plain characters are written by their numbers.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '_' | '.' | ',' | '(' | ')' | '=' => {
                out.push(c)
            }
            c if is_unprintable(c) => out += "#65533;",
            c => {
                let _ = write!(out, "#{};", c as u32);
            }
        }
    }
    match out.trim().is_empty() {
        // A note that says nothing would be a mistake.
        true => "#160;".to_owned(),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_means_anything() {
        assert_eq!(
            text("a[1]; end\n#<b>"),
            "a#91;1#93;#59; end#65533;#35;#60;b#62;"
        );
        assert_eq!(text(""), "#160;");
        assert_eq!(heading("a/b_<c>`*#\n"), "a/b_&lt;c&gt;\\`\\*\\#␊");
    }
}
