//! Puts the figures of a run into the documentation.

use std::path::Path;

const BEGIN: &str = "<!-- figures: ";
const END: &str = "<!-- end of the figures -->\n";

/// Replaces what stands between the two marks by sections, each a title and a table.
///
/// # Errors
/// If the file cannot be read or written, or has no marks.
pub fn replace(path: &Path, sections: &[(String, String)]) -> Result<(), String> {
    let failed = |why: std::io::Error| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let (before, rest) = text
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once('\n')?)))
        .ok_or_else(|| format!("{} has no line {BEGIN}..", path.display()))?;
    let (command, rest) = rest;
    let (_, after) = rest
        .split_once(END)
        .ok_or_else(|| format!("{} has no line {END}", path.display()))?;
    let mut figures = String::new();
    for (title, table) in sections {
        let table = table.trim_end();
        figures += &format!("\n### {title}\n\n```text\n{table}\n```\n");
    }
    let text = format!("{before}{BEGIN}{command}\n{figures}\n{END}{after}");
    std::fs::write(path, text).map_err(failed)
}
