//! What pictures are drawn with: shapes and texts of an SVG, and the colours for light and dark.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

use crate::source::printable;

/// The height of a line of text.
pub const LINE: f64 = 16.0;
/// The width of a character: the font has the same for all of them.
const CHARACTER: f64 = 7.25;

/// How wide a text is.
pub fn text_width(text: &str) -> f64 {
    let columns: usize = text.chars().map(|c| c.width().unwrap_or(0)).sum();
    columns as f64 * CHARACTER
}

/// The colours of a picture that is a file of its own, for light and dark.
const COLOURS: &str = include_str!("colours.css");
/// What is drawn how.
pub const STYLE: &str = include_str!("drawing.css");

/// A picture that is being drawn.
pub struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

impl Canvas {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Canvas {
        Canvas {
            width,
            height,
            body: String::new(),
        }
    }

    /// Something that is SVG already.
    pub fn raw(&mut self, svg: &str) {
        self.body += svg;
    }

    /// A path.
    pub fn path(&mut self, path: &str, class: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let path = format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1);
        self.path(&path, class);
    }

    /// A line through points, which leaves each of them upright, or level if it leads sideways.
    pub fn curve(&mut self, points: &[(f64, f64)], sideways: bool, class: &str) {
        let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            let (middle_x, middle_y) = ((x + to_x) / 2.0, (y + to_y) / 2.0);
            let _ = match sideways {
                true => write!(
                    path,
                    "C{middle_x:.1} {y:.1} {middle_x:.1} {to_y:.1} {to_x:.1} {to_y:.1}"
                ),
                false => write!(
                    path,
                    "C{x:.1} {middle_y:.1} {to_x:.1} {middle_y:.1} {to_x:.1} {to_y:.1}"
                ),
            };
        }
        self.path(&path, class);
    }

    /// The head of an arrow that points at a place, in a direction of length 1.
    pub fn head(&mut self, (x, y): (f64, f64), (dx, dy): (f64, f64), class: &str) {
        let (back_x, back_y) = (x - 8.0 * dx, y - 8.0 * dy);
        let (side_x, side_y) = (-4.0 * dy, 4.0 * dx);
        let path = format!(
            "M{x:.1} {y:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
            back_x + side_x,
            back_y + side_y,
            back_x - side_x,
            back_y - side_y
        );
        self.path(&path, &format!("{class} head"));
    }

    /// A box around its middle.
    pub fn block(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        round: f64,
        class: &str,
    ) {
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        let class = match class {
            "" => String::new(),
            class => format!(" class=\"{class}\""),
        };
        let _ = writeln!(
            self.body,
            "<rect{class} x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round:.1}\"/>"
        );
    }

    /// A disc.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        );
    }

    /// Lines of text around a middle line; `anchor` is `start`, `middle` or `end`.
    pub fn lines(&mut self, lines: &[String], (x, y): (f64, f64), anchor: &str, class: &str) {
        let first = y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
        for (index, line) in lines.iter().enumerate() {
            let y = first + index as f64 * LINE;
            let class = match class {
                "" => String::new(),
                class => format!(" class=\"{class}\""),
            };
            let _ = writeln!(
                self.body,
                "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
                escaped(line)
            );
        }
    }

    /// The picture as a file of its own.
    pub fn file(&self, title: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {} role=\"img\">\n<title>{}</title>\n<style>\n{COLOURS}{STYLE}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
            self.frame(),
            escaped(title),
            self.body
        )
    }

    /// The picture as a part of a page that has the colours.
    pub fn part(&self, title: &str) -> String {
        format!(
            "<svg class=\"picture\" {} role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
            self.frame(),
            escaped(title),
            self.body
        )
    }

    fn frame(&self) -> String {
        let (width, height) = (self.width.ceil(), self.height.ceil());
        format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"")
    }
}

/// A text of the user's for XML and HTML, inside and outside of quotes: nothing in it is markup, nothing upsets a reader.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // No character of XML.
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}
