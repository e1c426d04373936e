//! Problems of files, as messages.

use super::Unreadable;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Sources, Span};

/// Text that is not UTF-8.
pub const NOT_UTF8: Code = Code("S0001");
/// An import that cannot be read.
pub const IMPORT: Code = Code("S0002");

/// All codes of this phase.
pub const CODES: &[Code] = &[NOT_UTF8, IMPORT];

/// The bytes at `place` (one replacement character of the text shown) are not UTF-8.
pub fn not_utf8(place: Span, bytes: &[u8]) -> Diagnostic {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    Diagnostic::error(NOT_UTF8, "this file is not UTF-8 text", place)
        .label(format!("here is {}", bytes.join(" ")))
        .hint("save the file as UTF-8")
}

/// An import that cannot be read; `why` in few words.
pub fn import(place: Span, path: &str, why: &str, meant: Option<&str>) -> Diagnostic {
    let problem = Diagnostic::error(IMPORT, format!("cannot import `{path}`: {why}"), place);
    match meant {
        Some(meant) => problem.hint(format!("write `import \"{meant}\"`")),
        None => problem,
    }
}

/// A main file that cannot be read: the message is about an empty text of its name.
pub fn model(sources: &mut Sources, name: &str, unreadable: &Unreadable) -> Diagnostic {
    let place = Span::new(sources.add(name, ""), 0, 0);
    let message = format!("cannot read `{name}`: {}", unreadable.why);
    Diagnostic::error(IMPORT, message, place)
}
