//! Problems of files, as messages.

use super::library;
use super::{Outside, Unreadable};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Sources, Span};

/// Text that is not UTF-8.
pub const NOT_UTF8: Code = Code("S0001");
/// An import that cannot be read.
pub const IMPORT: Code = Code("S0002");

/// Files that import each other.
pub const CYCLE: Code = Code("S0003");
/// An import that leaves the project's folder.
pub const OUTSIDE: Code = Code("S0004");
/// A name that two files define.
pub const AMBIGUOUS: Code = Code("S0005");
/// A file that does not define a name.
pub const MISSING: Code = Code("S0006");

/// All codes of this phase.
pub const CODES: &[Code] = &[NOT_UTF8, IMPORT, CYCLE, OUTSIDE, AMBIGUOUS, MISSING];

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

/// An import that closes a cycle; the first file of the chain is also the last.
pub fn cycle(place: Span, chain: &[&str]) -> Diagnostic {
    let message = match chain {
        [_, _] => "this file imports itself",
        _ => "these files import each other",
    };
    let chain: Vec<String> = chain.iter().map(|file| format!("`{file}`")).collect();
    Diagnostic::error(CYCLE, message, place)
        .label("here the circle closes")
        .note(chain.join(" imports "))
        .hint("move what both need to a third file")
}

/// An import that leaves the project's folder.
pub fn outside(place: Span, path: &str, outside: &Outside) -> Diagnostic {
    let (why, hint) = match outside {
        Outside::Absolute => (
            "a path is relative to the file that imports it, with `/` between folders",
            "write the path from this file's folder, as in `import \"net/link.sdl\"`",
        ),
        Outside::Leaves(_) => (
            "it is outside of the project's folder",
            "move the file there, or run `sandalc` in a folder that contains both",
        ),
        Outside::Link(_) => (
            "it is a link that leaves the project's folder",
            "copy the file there",
        ),
    };
    let problem = Diagnostic::error(OUTSIDE, format!("cannot import `{path}`: {why}"), place);
    match outside {
        Outside::Absolute => problem.hint(hint),
        Outside::Leaves(folder) | Outside::Link(folder) => {
            problem.note(format!("the folder is `{folder}`")).hint(hint)
        }
    }
}

/// A name that several files define; each with its place, and the names to choose from.
pub fn ambiguous(
    place: Span,
    name: &str,
    definitions: &[(Span, String)],
    choices: &[String],
) -> Diagnostic {
    let message = format!("`{name}` may be one of {} definitions", definitions.len());
    let mut problem = Diagnostic::error(AMBIGUOUS, message, place);
    for (span, text) in definitions {
        problem = problem.also(*span, text.clone());
    }
    problem.hint(match choices {
        [] | [_] => "give one of the files another name".to_owned(),
        _ => format!("write {}", choices.join(" or ")),
    })
}

/// A file that does not define a name; `file` is `None` if no file of that name is imported.
pub fn missing(
    place: Span,
    alias: &str,
    name: &str,
    file: Option<&str>,
    meant: Option<&str>,
) -> Diagnostic {
    let Some(file) = file.map(|_| alias) else {
        let message = format!("no file `{alias}` is imported, which would define `{name}`");
        let problem = Diagnostic::error(MISSING, message, place);
        return match library::find(alias) {
            Some(_) => problem.hint(format!("add `import \"{}{alias}\"`", library::PREFIX)),
            None => problem.hint(format!("add `import \"{alias}.sdl\"`")),
        };
    };
    let message = format!("`{file}` does not define `{name}`");
    let problem = Diagnostic::error(MISSING, message, place);
    match meant {
        Some(meant) => problem.hint(format!("write `{meant}`")),
        None => problem,
    }
}

/// A main file that cannot be read: the message is about an empty text of its name.
pub fn model(sources: &mut Sources, name: &str, unreadable: &Unreadable) -> Diagnostic {
    let place = Span::new(sources.add(name, ""), 0, 0);
    let message = format!("cannot read `{name}`: {}", unreadable.why);
    Diagnostic::error(IMPORT, message, place)
}
