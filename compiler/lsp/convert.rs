//! Messages, symbols and kinds in the words of the protocol.

use serde_json::{Value, json};

use super::places::{Places, object};
use crate::diagnostic::Diagnostic;
use crate::editor::complete::ItemKind;
use crate::editor::fold::FoldKind;
use crate::editor::index::Kind;
use crate::editor::symbols::Symbol;
use crate::editor::tokens::{Token, What};
use crate::source::printable;

/// Where the explanations of all messages are.
const ERRORS: &str = "https://github.com/sandalc/sandalc/blob/main/docs/errors.md";

/// A message of the compiler, in the file that it is about; `None` if that is no file.
pub fn diagnostic(diagnostic: &Diagnostic, places: &Places) -> Option<(String, Value)> {
    let span = diagnostic.primary.span;
    let uri = places.uri(span.file)?.to_owned();
    let mut message = printable(&diagnostic.message);
    let label = &diagnostic.primary.message;
    let parts = [
        ("", Some(label).filter(|label| !label.is_empty())),
        ("note: ", diagnostic.note.as_ref()),
        ("hint: ", diagnostic.hint.as_ref()),
    ];
    for (word, text) in parts {
        if let Some(text) = text {
            let lines: Vec<String> = text.lines().map(printable).collect();
            message += &format!("\n{word}{}", lines.join("\n"));
        }
    }
    let related = diagnostic.secondary.iter().filter_map(|label| {
        let location = places.location(label.span)?;
        Some(json!({ "location": location, "message": printable(&label.message) }))
    });
    let code = diagnostic.code.0;
    let unused = message.contains("never used") || message.contains("is never read");
    let mut value = json!({
        "range": places.range(span)?,
        "severity": if diagnostic.is_error() { 1 } else { 2 },
        "code": code,
        "codeDescription": { "href": format!("{ERRORS}#{}", code.to_lowercase()) },
        "source": "sandalc",
        "message": message,
        "relatedInformation": related.collect::<Vec<_>>(),
    });
    if unused && !diagnostic.is_error() {
        value["tags"] = json!([1]);
    }
    Some((uri, value))
}

/// The number of a kind of symbol.
pub fn symbol_kind(kind: Kind) -> u8 {
    match kind {
        Kind::File => 1,
        Kind::Module => 2,
        Kind::Proc => 5,
        Kind::Field => 8,
        Kind::Data => 10,
        Kind::Alias => 26,
        Kind::Func | Kind::Predicate => 12,
        Kind::Variable | Kind::Parameter | Kind::Counter => 13,
        Kind::Const => 14,
        Kind::Label => 20,
        Kind::Instance => 19,
        Kind::Channel => 18,
        Kind::Specification => 7,
        Kind::Fault | Kind::FaultName => 24,
        Kind::Constructor => 22,
        Kind::Struct => 23,
    }
}

/// The number of a kind of completion.
pub fn item_kind(kind: ItemKind) -> u8 {
    match kind {
        ItemKind::Word => 14,
        ItemKind::Marker => 23,
        ItemKind::Library => 9,
        ItemKind::Definition(kind) => match kind {
            Kind::Func | Kind::Predicate => 3,
            Kind::Proc | Kind::Module => 7,
            Kind::Field => 5,
            Kind::Data => 13,
            Kind::Alias | Kind::Struct => 22,
            Kind::Const => 21,
            Kind::Constructor => 20,
            Kind::Fault | Kind::FaultName => 23,
            Kind::Label => 18,
            Kind::Instance | Kind::Channel => 18,
            Kind::Specification => 10,
            Kind::File => 17,
            Kind::Variable | Kind::Parameter | Kind::Counter => 6,
        },
    }
}

/// An outline.
pub fn symbol(symbol: &Symbol, places: &Places) -> Option<Value> {
    let children = symbol.children.iter();
    let children: Vec<Value> = children
        .filter_map(|child| self::symbol(child, places))
        .collect();
    Some(object([
        ("name", symbol.name.as_str().into()),
        ("detail", symbol.kind.word().into()),
        ("kind", symbol_kind(symbol.kind).into()),
        ("range", places.range(symbol.span)?),
        ("selectionRange", places.range(symbol.selection)?),
        ("children", children.into()),
    ]))
}

/// What folds are called; brackets have no name.
pub fn fold_kind(kind: FoldKind) -> Option<&'static str> {
    match kind {
        FoldKind::Region => None,
        FoldKind::Comment => Some("comment"),
        FoldKind::Imports => Some("imports"),
    }
}

/// The kinds of coloured names, in the order of their numbers.
pub const TOKEN_TYPES: &[&str] = &[
    "type",
    "enumMember",
    "property",
    "struct",
    "variable",
    "class",
    "function",
    "namespace",
    "parameter",
    "label",
    "event",
    "decorator",
    "keyword",
    "number",
    "string",
    "comment",
];

/// What may be said about a coloured name, in the order of the bits.
pub const TOKEN_MODIFIERS: &[&str] = &["declaration", "readonly", "modification"];

/// The number of the kind of a coloured name, and its bits.
pub fn token(token: &Token) -> (usize, u32) {
    let name = match token.what {
        What::Keyword | What::Temporal => "keyword",
        What::Marker => "decorator",
        What::Number => "number",
        What::Text => "string",
        What::Comment => "comment",
        What::Name(kind) => match kind {
            Kind::Data | Kind::Alias => "type",
            Kind::Constructor => "enumMember",
            Kind::Field => "property",
            Kind::Struct => "struct",
            Kind::Const | Kind::Variable | Kind::Counter | Kind::Instance | Kind::Channel => {
                "variable"
            }
            Kind::Proc => "class",
            Kind::Func | Kind::Predicate => "function",
            Kind::Module | Kind::File => "namespace",
            Kind::Parameter => "parameter",
            Kind::Label => "label",
            Kind::Specification => "event",
            Kind::Fault | Kind::FaultName => "decorator",
        },
    };
    let kind = TOKEN_TYPES.iter().position(|known| *known == name);
    let bits = [token.declares, token.fixed, token.writes];
    let bits = bits
        .iter()
        .enumerate()
        .map(|(bit, set)| u32::from(*set) << bit);
    (kind.unwrap_or(0), bits.sum())
}
