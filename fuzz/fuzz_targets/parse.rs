//! Any text can be parsed, dumped and formatted; see `exercise.rs`.

#![no_main]

#[path = "../exercise.rs"]
mod exercise;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| exercise::exercise(&String::from_utf8_lossy(data)));
