//! `cargo xtask nusmv`: a real NuSMV for the tests, under `target/nusmv`.
//!
//! The Python package `pyboolnet` carries a Linux binary of NuSMV 2.6.0. This fetches the package by name,
//! takes the binary and the library beside it, checks each against the hashes below, and writes a wrapper
//! `target/nusmv/NuSMV` that sets the library path. Nothing of it is ever committed. A second run only
//! checks what is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PACKAGE: &str = "pyboolnet==3.0.16";
const WHEEL: &str = "pyboolnet-3.0.16-py3-none-any.whl";
/// The SHA-256 of the package: nothing is unpacked that is not what was looked at once.
const WHEEL_HASH: &str = "cae53535da1b29cd2cb41ba115753098236e310bf1c8efd3d2f1f4bd68d80906";
const FOLDER: &str = "pyboolnet/binaries/linux64/NuSMV-a";

/// The files taken from the package, with their SHA-256.
const FILES: [(&str, &str); 2] = [
    (
        "NuSMVa_linux64",
        "2018bd20ce215a7083df1897db101fd38a8d5553830a5c912bed042c6a82905f",
    ),
    (
        "libreadline.so.6",
        "7920e3810423feab4a40aabad21df31017c0dbe422ea2c043332056b6bd76155",
    ),
];

/// The Debian packages of the shared libraries it needs, with a file name that shows they are there.
const LIBRARIES: [(&str, &str); 2] = [("libtinfo5", "libtinfo.so.5"), ("libxml2", "libxml2.so.2")];

/// Puts a working NuSMV at `target/nusmv/NuSMV` and returns its path.
pub fn set_up(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/nusmv");
    let wrapper = folder.join("NuSMV");
    if wrapper.exists() && intact(&folder) && answers(&wrapper).is_ok() {
        println!("NuSMV is ready: {}", wrapper.display());
        return Ok(wrapper);
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(
            "the packaged NuSMV runs on 64-bit x86 Linux only; install NuSMV 2.6 and set SANDAL_NUSMV to its path"
                .into(),
        );
    }
    fs::create_dir_all(&folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    if !intact(&folder) {
        fetch(&folder)?;
    }
    install_libraries()?;
    write_wrapper(&folder, &wrapper)?;
    answers(&wrapper)?;
    println!("NuSMV is ready: {}", wrapper.display());
    Ok(wrapper)
}

/// Whether the files are there with the right contents.
fn intact(folder: &Path) -> bool {
    FILES
        .iter()
        .all(|(name, hash)| sha256(&folder.join(name)).is_ok_and(|found| found == *hash))
}

fn fetch(folder: &Path) -> Result<(), String> {
    println!("fetching {PACKAGE}");
    run(Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--only-binary=:all:"])
        .arg("--dest")
        .arg(folder)
        .arg(PACKAGE))?;
    let wheel = folder.join(WHEEL);
    expect_hash(&wheel, WHEEL_HASH)?;
    for (name, hash) in FILES {
        // A wheel is a zip archive, and Python is there already.
        let member = format!("{FOLDER}/{name}");
        let script = "import sys, zipfile; \
             open(sys.argv[3], 'wb').write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))";
        let target = folder.join(name);
        run(Command::new("python3")
            .args(["-c", script])
            .arg(&wheel)
            .arg(member)
            .arg(&target))?;
        expect_hash(&target, hash)?;
    }
    make_executable(&folder.join(FILES[0].0))?;
    fs::remove_file(&wheel).map_err(|e| format!("cannot remove {}: {e}", wheel.display()))
}

fn install_libraries() -> Result<(), String> {
    let known = output(Command::new("/sbin/ldconfig").arg("-p")).unwrap_or_default();
    let missing: Vec<&str> = LIBRARIES
        .iter()
        .filter(|(_, file)| !known.contains(file))
        .map(|(package, _)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let advice = format!("apt-get install {}", missing.join(" "));
    if output(Command::new("id").arg("-u"))?.trim() != "0" {
        return Err(format!(
            "libraries are missing; as an administrator run `{advice}`"
        ));
    }
    println!("{advice}");
    let install = || {
        run(Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "-qq", "--no-install-recommends"])
            .args(&missing))
    };
    install().or_else(|_| {
        // The package lists may be absent or old.
        run(Command::new("apt-get").args(["update", "-qq"]))?;
        install()
    })
}

fn write_wrapper(folder: &Path, wrapper: &Path) -> Result<(), String> {
    let folder = folder
        .canonicalize()
        .map_err(|e| format!("cannot find {}: {e}", folder.display()))?;
    let quoted = format!("'{}'", folder.display().to_string().replace('\'', r"'\''"));
    let script = format!(
        "#!/bin/sh\n\
         # Written by `cargo xtask nusmv`.\n\
         folder={quoted}\n\
         LD_LIBRARY_PATH=\"$folder${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\"\n\
         export LD_LIBRARY_PATH\n\
         exec \"$folder/{}\" \"$@\"\n",
        FILES[0].0
    );
    fs::write(wrapper, script).map_err(|e| format!("cannot write {}: {e}", wrapper.display()))?;
    make_executable(wrapper)
}

/// Checks that it starts and answers a tiny model.
fn answers(nusmv: &Path) -> Result<(), String> {
    let model = nusmv.with_file_name("smoke.smv");
    fs::write(
        &model,
        "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\nLTLSPEC G F x\n",
    )
    .map_err(|e| format!("cannot write {}: {e}", model.display()))?;
    let answer = output(Command::new(nusmv).arg(&model));
    let _ = fs::remove_file(&model);
    let answer = answer?;
    if answer.contains("NuSMV") && answer.contains("is true") {
        Ok(())
    } else {
        Err(format!("NuSMV does not answer as expected:\n{answer}"))
    }
}

/// Removes a file and fails if it has other contents than expected.
fn expect_hash(file: &Path, hash: &str) -> Result<(), String> {
    let found = sha256(file)?;
    if found == hash {
        return Ok(());
    }
    let _ = fs::remove_file(file);
    Err(format!(
        "{} (from {PACKAGE}) has the SHA-256 {found}, expected {hash}; it has been removed",
        file.display()
    ))
}

fn sha256(file: &Path) -> Result<String, String> {
    let line = output(Command::new("sha256sum").arg(file))?;
    Ok(line.split_whitespace().next().unwrap_or("").to_string())
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .map_err(|e| format!("cannot make {} executable: {e}", file.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{program}` failed: {status}")),
        Err(e) => Err(format!("cannot start `{program}`: {e}")),
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).stderr(Stdio::piped()).output() {
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => Err(format!(
            "`{program}` failed: {}\n{}",
            out.status,
            String::from_utf8_lossy(&out.stderr)
        )),
        Err(e) => Err(format!("cannot start `{program}`: {e}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_as_expected_is_removed() {
        let file = std::env::temp_dir().join(format!("sandalc-hash-{}", std::process::id()));
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        fs::write(&file, "").unwrap();
        assert_eq!(expect_hash(&file, nothing), Ok(()));
        fs::write(&file, "other").unwrap();
        let why = expect_hash(&file, nothing).unwrap_err();
        assert!(why.contains("expected e3b0c442"), "{why}");
        assert!(!file.exists());
    }
}
