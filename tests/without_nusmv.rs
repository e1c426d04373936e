//! Runs last, by its name, and says what the other tests have left out because NuSMV or other tools are not installed.

#[path = "support/abc.rs"]
#[allow(dead_code, reason = "only the list is needed here")]
mod abc;
#[path = "support/nusmv.rs"]
#[allow(dead_code, reason = "only the list is needed here")]
mod nusmv;
#[path = "support/tools.rs"]
#[allow(dead_code, reason = "only the list is needed here")]
mod tools;

use std::collections::BTreeSet;
use std::path::Path;

fn main() {
    say(
        &nusmv::left_out(),
        "NuSMV is not installed",
        "cargo xtask nusmv",
    );
    say(
        &abc::left_out(),
        "ABC or CaDiCaL is not installed",
        "apt-get install berkeley-abc cadical",
    );
    say(
        &tools::left_out(),
        "What reads our formats is not installed",
        "cargo xtask tools",
    );
}

/// Says what a list has, and removes it.
fn say(list: &Path, why: &str, remedy: &str) {
    let Ok(text) = std::fs::read_to_string(list) else {
        return;
    };
    std::fs::remove_file(list).expect("the list can be removed");
    let parts: BTreeSet<&str> = text.lines().collect();
    let rule = "*".repeat(80);
    eprintln!("\n{rule}\n{why}, so this was LEFT OUT:");
    for part in &parts {
        eprintln!("  - {part}");
    }
    eprintln!(
        "`{remedy}` fetches it; `cargo xtask test` runs everything, and fails without it.\n{rule}\n"
    );
}
