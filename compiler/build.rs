//! Generates the parser from `compiler/syntax/grammar.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=compiler/syntax/grammar.lalrpop");
}
