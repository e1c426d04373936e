//! Generates the parser from `compiler/syntax/grammar.lalrpop`, and works out what the policy of an HTML report calls
//! its script and its style.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

fn main() {
    println!("cargo:rerun-if-changed=compiler/syntax/grammar.lalrpop");
    lalrpop::Configuration::new()
        .set_in_dir("compiler/syntax")
        .set_out_dir(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process()
        .expect("the grammar is free of conflicts");
    name("script", &["compiler/report/html/page.js"]);
    name(
        "style",
        &[
            "compiler/report/html/page.css",
            "compiler/report/drawing.css",
        ],
    );
}

/// Writes what a policy calls a script or a style that is made of these files: its SHA-256, in base 64.
fn name(what: &str, files: &[&str]) {
    let mut hash = Sha256::new();
    for file in files {
        println!("cargo:rerun-if-changed={file}");
        hash.update(std::fs::read(file).expect("the file is there"));
    }
    let letters = (b'A'..=b'Z').chain(b'a'..=b'z');
    let digits: Vec<u8> = letters.chain(b'0'..=b'9').chain(*b"+/").collect();
    let mut text = String::new();
    for part in hash.finalize().chunks(3) {
        let byte = |place: usize| part.get(place).copied().unwrap_or(0);
        let number = u32::from_be_bytes([0, byte(0), byte(1), byte(2)]);
        for place in 0..4 {
            let digit = digits[(number >> (18 - 6 * place)) as usize & 63];
            text.push(if place > part.len() {
                '='
            } else {
                digit.into()
            });
        }
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join(format!("{what}_hash.txt")), text).expect("OUT_DIR can be written");
}
