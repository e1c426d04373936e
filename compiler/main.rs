//! The `sandalc` command.

fn main() {}
