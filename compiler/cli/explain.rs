//! `sandalc explain`: the section of `docs/errors.md` about a code.

use super::Exit;
use super::args::Explain;
use super::shell::Shell;
use crate::diagnostic::did_you_mean;

/// All codes with their explanations; each has a heading that begins with it.
const ERRORS: &str = include_str!("../../docs/errors.md");

/// Prints the explanation of a code, or the list of all codes.
pub fn run(args: &Explain, shell: &mut Shell) -> Exit {
    let sections = sections(ERRORS);
    let Some(wanted) = &args.code else {
        for section in &sections {
            shell.print(&format!("{}\n", section.heading));
        }
        return shell.done();
    };
    let code = wanted.trim().to_uppercase();
    let Some(section) = sections.iter().find(|section| section.code() == code) else {
        let hint = match did_you_mean(&code, sections.iter().map(|section| section.code())) {
            Some(near) => format!("run `sandalc explain {near}`"),
            None => "run `sandalc explain` for the list of all codes".to_owned(),
        };
        shell.complain(
            &format!("there is no message with the code `{wanted}`"),
            None,
            Some(&hint),
        );
        return Exit::BadInput;
    };
    let text = format!("{}\n{}", shell.bold(section.heading), plain(section.body));
    shell.print(&text);
    shell.done()
}

/// A section of `docs/errors.md`.
struct Section<'a> {
    /// `S0301: unknown name`
    heading: &'a str,
    body: &'a str,
}

impl Section<'_> {
    fn code(&self) -> &str {
        &self.heading[..CODE_LENGTH]
    }
}

/// `S0301`
const CODE_LENGTH: usize = 5;

/// Whether a heading is about a code: an `S` and four digits, then no further letter or digit.
fn names_code(heading: &str) -> bool {
    let bytes = heading.as_bytes();
    bytes.len() >= CODE_LENGTH
        && bytes[0] == b'S'
        && bytes[1..CODE_LENGTH].iter().all(u8::is_ascii_digit)
        && !bytes
            .get(CODE_LENGTH)
            .is_some_and(u8::is_ascii_alphanumeric)
}

/// The sections about codes, in the order of the text.
fn sections(text: &str) -> Vec<Section<'_>> {
    // Headings with their byte ranges, those in code blocks left out.
    let mut headings = Vec::new();
    let mut at = 0;
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && line.starts_with('#') {
            headings.push((at, at + line.len(), line.trim_start_matches('#').trim()));
        }
        at += line.len();
    }
    let ends = headings.iter().skip(1).map(|(start, ..)| *start);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    headings
        .iter()
        .zip(ends)
        .filter(|((.., heading), _)| names_code(heading))
        .map(|((_, body, heading), end)| Section {
            heading,
            body: &text[*body..end],
        })
        .collect()
}

/// Markdown as it reads well on a terminal: code blocks are indented, without their fences.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    for line in markdown.trim_end().lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced && !line.is_empty() {
            text += &format!("    {line}\n");
        } else {
            text += &format!("{line}\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_begin_with_a_code_and_end_at_the_next_heading() {
        let text = "# Errors\nintro\n## S0101: one\ntext\n```sdl\n# S0102 not a heading\n```\n\n\
                    ## Others\nno code\n### `x`\n### S0301 two\nmore\n";
        let found: Vec<_> = sections(text)
            .iter()
            .map(|section| (section.code().to_owned(), plain(section.body)))
            .collect();
        assert_eq!(
            found,
            [
                (
                    "S0101".to_owned(),
                    "text\n    # S0102 not a heading\n".to_owned()
                ),
                ("S0301".to_owned(), "more\n".to_owned()),
            ]
        );
    }
}
