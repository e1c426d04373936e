//! Generates the parser from `compiler/syntax/grammar.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=compiler/syntax/grammar.lalrpop");
    lalrpop::Configuration::new()
        .set_in_dir("compiler/syntax")
        .set_out_dir(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process()
        .expect("the grammar is free of conflicts");
}
