//! The report of `check --html` in a real browser: `tests/browser/report.test.mjs`, run by Node with Playwright and Chromium. Without them
//! it is left out, and says so; `cargo xtask browser` fetches them, and `cargo xtask test` requires them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A comment and a name that would be markup, code or a trick somewhere.
const EVIL: &str = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 2'>\u{202e}\u{1b}[31m";

fn main() {
    // `cargo test NAME` is for others, and so is `--list`.
    if std::env::args().len() > 1 && !std::env::args().any(|word| word == "browser") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let installed = root
        .join("tests/browser/node_modules/playwright-core")
        .exists();
    let Some(browser) = browser().filter(|_| installed) else {
        let required = std::env::var_os("SANDAL_BROWSER_REQUIRED").is_some();
        assert!(!required, "there is no browser: run `cargo xtask browser`");
        let rule = "*".repeat(80);
        eprintln!(
            "\n{rule}\nThe tests of the HTML report in a browser were LEFT OUT: `cargo xtask browser` fetches what they need.\n{rule}\n"
        );
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let report = |model: &Path, name: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args([
                "check",
                "--engine",
                "embedded",
                "--quiet",
                "--minimise",
                // A long run is what the ring is there for.
                if name == "ring.html" { "0" } else { "60" },
                "--html",
            ])
            .arg(folder.path().join(name))
            .arg(model)
            .current_dir(root)
            .output()
            .expect("sandalc starts");
        let problem = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{}: {problem}",
            model.display()
        );
    };
    report(Path::new("examples/two_phase_all.sdl"), "two_phase.html");
    report(
        Path::new("examples/durable_store.sdl"),
        "durable_store.html",
    );
    report(Path::new("examples/bit_transmission.sdl"), "twins.html");
    report(Path::new("tests/browser/ring.sdl"), "ring.html");
    let size = std::fs::metadata(folder.path().join("ring.html")).map_or(0, |m| m.len());
    assert!((1..5_000_000).contains(&size), "{size} bytes");
    let ping = std::fs::read_to_string(root.join("tests/charts/faults.sdl")).expect("a model");
    let hostile = folder
        .path()
        .join("<img src=x onerror=alert(1)>&\"'\u{202e}.sdl");
    let text = ping.replace("recv(own, _)", &format!("recv(own, _) // {EVIL}"));
    std::fs::write(
        &hostile,
        text.replace("got != Ask", &format!("got != Ask /* {EVIL} */")),
    )
    .expect("the model can be written");
    report(&hostile, "hostile.html");
    let status = Command::new("node")
        .args(["--test", "tests/browser/report.test.mjs"])
        .env("REPORTS", folder.path())
        .env("CHROMIUM", &browser)
        .current_dir(root)
        .status()
        .expect("Node starts");
    assert!(status.success(), "the report is not right in a browser");
}

/// Chromium, or a browser built on it: the one that `CHROMIUM` names, or the first on the PATH.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let places = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}
