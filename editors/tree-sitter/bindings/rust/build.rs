//! Compiles the parser that tree-sitter has generated, and the scanner.

fn main() {
    let files = ["src/parser.c", "src/scanner.c"];
    cc::Build::new()
        .std("c11")
        .include("src")
        .files(files)
        // Generated code.
        .warnings(false)
        .compile("tree-sitter-sandal");
    for file in files {
        println!("cargo:rerun-if-changed={file}");
    }
}
