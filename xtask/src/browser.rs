//! `cargo xtask browser`: what the tests of the HTML report need: Node's Playwright, a Chromium, and Graphviz for the graphs.

use std::path::Path;
use std::process::{Command, Stdio};

/// The Debian packages, with the programs that show they are there.
const PACKAGES: [(&str, &[&str]); 2] = [
    (
        "chromium",
        &[
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
        ],
    ),
    ("graphviz", &["dot"]),
];

/// Installs what is missing.
pub fn set_up(root: &Path) -> Result<(), String> {
    let missing: Vec<&str> = PACKAGES
        .iter()
        .filter(|(_, programs)| !programs.iter().any(|program| is_installed(program)))
        .map(|(package, _)| *package)
        .collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    let folder = root.join("tests/browser");
    let known = folder.join("node_modules/.package-lock.json");
    if newer(&known, &folder.join("package-lock.json")) {
        println!("the browser and what drives it are ready");
        return Ok(());
    }
    run(Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(folder))
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn newer(a: &Path, b: &Path) -> bool {
    let time = |path: &Path| {
        std::fs::metadata(path)
            .and_then(|data| data.modified())
            .ok()
    };
    time(a).is_some() && time(a) >= time(b)
}

fn install(packages: &[&str]) -> Result<(), String> {
    let advice = format!("apt-get install {}", packages.join(" "));
    let user = Command::new("id").arg("-u").output();
    if !user.is_ok_and(|user| user.stdout == b"0\n") {
        return Err(format!("as an administrator run `{advice}`"));
    }
    println!("{advice}");
    let install = || {
        run(Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "-qq", "--no-install-recommends"])
            .args(packages))
    };
    install().or_else(|_| {
        // The package lists may be absent or old.
        run(Command::new("apt-get").args(["update", "-qq"]))?;
        install()
    })
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{program}` failed: {status}")),
        Err(error) => Err(format!("cannot start `{program}`: {error}")),
    }
}
