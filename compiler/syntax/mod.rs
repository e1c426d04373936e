//! From bytes to [`ast::File`]: tokens, automatic semicolons, the grammar, and back again (the printer
//! is the formatter).

pub mod ast;
