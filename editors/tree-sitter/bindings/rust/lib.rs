//! The grammar of Sandal for tree-sitter, and the queries that go with it.

use tree_sitter_language::LanguageFn;

#[allow(unsafe_code)]
mod generated {
    use tree_sitter_language::LanguageFn;

    unsafe extern "C" {
        fn tree_sitter_sandal() -> *const ();
    }

    // SAFETY: it is the function that tree-sitter has generated for this purpose.
    pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_sandal) };
}

/// The language, for a parser of tree-sitter.
pub const LANGUAGE: LanguageFn = generated::LANGUAGE;

/// What is of which colour.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// What can be folded.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// How lines are indented.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");
