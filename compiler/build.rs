//! Generates the parser from `compiler/syntax/grammar.lalrpop`, and works out what the policy of an HTML report calls its script.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

fn main() {
    println!("cargo:rerun-if-changed=compiler/syntax/grammar.lalrpop");
    lalrpop::Configuration::new()
        .set_in_dir("compiler/syntax")
        .set_out_dir(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process()
        .expect("the grammar is free of conflicts");
    script_hash();
}

/// The SHA-256 of the script, in base 64.
fn script_hash() {
    const SCRIPT: &str = "compiler/report/html/page.js";
    println!("cargo:rerun-if-changed={SCRIPT}");
    let script = std::fs::read(SCRIPT).expect("the script is there");
    let digits: Vec<u8> = (b'A'..=b'Z')
        .chain(b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain([b'+', b'/'])
        .collect();
    let mut text = String::new();
    for part in Sha256::digest(&script).chunks(3) {
        let bytes = [
            part[0],
            *part.get(1).unwrap_or(&0),
            *part.get(2).unwrap_or(&0),
        ];
        let number = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
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
    std::fs::write(out.join("script_hash.txt"), text).expect("OUT_DIR can be written");
}
