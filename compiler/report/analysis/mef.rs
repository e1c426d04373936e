//! A fault tree in the Open-PSA Model Exchange Format, which tools for probabilistic safety assessment read.

use std::fmt::Write as _;

use super::tree::{Literal, Tree};

/// The tree as an Open-PSA model.
pub fn mef(tree: &Tree<'_>) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opsa-mef>\n");
    let ways = tree.ways();
    let name = identifier(tree.property());
    let _ = writeln!(out, "  <define-fault-tree name=\"{name}\">");
    let label = |text: &str| format!("<label>{}</label>", escape(text));
    let _ = writeln!(out, "    <define-gate name=\"{TOP}\">");
    let _ = writeln!(
        out,
        "      {}",
        label(&format!("{} is violated", tree.property()))
    );
    match ways.as_slice() {
        [] => out.push_str("      <constant value=\"false\"/>\n"),
        [way] if way.is_empty() => out.push_str("      <constant value=\"true\"/>\n"),
        [way] => conjunction(tree, way, "      ", &mut out),
        ways => {
            out.push_str("      <or>\n");
            for index in 1..=ways.len() {
                let _ = writeln!(out, "        <gate name=\"way_{index}\"/>");
            }
            out.push_str("      </or>\n");
        }
    }
    out.push_str("    </define-gate>\n");
    if ways.len() > 1 {
        for (index, way) in ways.iter().enumerate() {
            let _ = writeln!(out, "    <define-gate name=\"way_{}\">", index + 1);
            conjunction(tree, way, "      ", &mut out);
            out.push_str("    </define-gate>\n");
        }
    }
    out.push_str("  </define-fault-tree>\n  <model-data>\n");
    let mut used: Vec<usize> = ways.iter().flatten().map(|l| l.fault).collect();
    used.sort_unstable();
    used.dedup();
    for fault in used {
        let _ = writeln!(
            out,
            "    <define-basic-event name=\"{}\">",
            basic(tree, fault)
        );
        let _ = writeln!(out, "      {}", label(tree.subject.fault(fault)));
        if let Some(probabilities) = &tree.probabilities {
            let value = probabilities[fault];
            let _ = writeln!(out, "      <float value=\"{value}\"/>");
        }
        out.push_str("    </define-basic-event>\n");
    }
    out.push_str("  </model-data>\n</opsa-mef>\n");
    out
}

/// The top event.
const TOP: &str = "top";

fn conjunction(tree: &Tree<'_>, way: &[Literal], indent: &str, out: &mut String) {
    let event = |literal: &Literal| {
        let basic = format!("<basic-event name=\"{}\"/>", basic(tree, literal.fault));
        match literal.possible {
            true => basic,
            false => format!("<not>{basic}</not>"),
        }
    };
    if let [only] = way {
        let _ = writeln!(out, "{indent}{}", event(only));
        return;
    }
    let _ = writeln!(out, "{indent}<and>");
    for literal in way {
        let _ = writeln!(out, "{indent}  {}", event(literal));
    }
    let _ = writeln!(out, "{indent}</and>");
}

/// The name of a basic event: that of the fault as far as the format allows, and its number, so that no two are alike.
pub fn basic(tree: &Tree<'_>, fault: usize) -> String {
    format!("f{}_{}", fault + 1, identifier(tree.subject.fault(fault)))
}

/// Letters, digits and single underscores, beginning with a letter.
fn identifier(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c.is_ascii_alphanumeric() {
            true => out.push(c),
            false if out.is_empty() || out.ends_with('_') => {}
            false => out.push('_'),
        }
    }
    let out = out.trim_end_matches('_');
    match out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => out.to_owned(),
        false => format!("x{out}"),
    }
}

/// Text in XML.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}
