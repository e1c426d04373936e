//! Runs last, by its name, and says what the other tests have left out because NuSMV is not installed.

#[path = "support/nusmv.rs"]
#[allow(dead_code, reason = "only the list is needed here")]
mod nusmv;

use std::collections::BTreeSet;

fn main() {
    let path = nusmv::left_out();
    let Ok(text) = std::fs::read_to_string(&path) else {
        return;
    };
    std::fs::remove_file(&path).expect("the list can be removed");
    let parts: BTreeSet<&str> = text.lines().collect();
    let rule = "*".repeat(80);
    eprintln!("\n{rule}\nNuSMV is not installed, so this was LEFT OUT:");
    for part in &parts {
        eprintln!("  - {part}");
    }
    eprintln!(
        "`cargo xtask nusmv` fetches it; `cargo xtask test` runs everything, and fails without it.\n{rule}\n"
    );
}
