//! No import reads what is not the project's.

use std::path::Path;
use std::process::Command;

#[cfg(unix)]
#[test]
fn a_link_that_leaves_the_project_is_not_followed() {
    let outside = tempfile::tempdir().expect("a folder");
    let inside = tempfile::tempdir().expect("a folder");
    std::fs::write(outside.path().join("secret.sdl"), "const N = 1\n").expect("written");
    std::fs::write(inside.path().join("own.sdl"), "const M = 1\n").expect("written");
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, inside.path().join(name)).expect("a link");
    };
    link(&outside.path().join("secret.sdl"), "link.sdl");
    link(outside.path(), "folder");
    link(&inside.path().join("own.sdl"), "good.sdl");
    let check = |import: &str| {
        let model = format!("import \"{import}\"\nproc P() {{ skip }}\ninit {{ p: P() }}\n");
        std::fs::write(inside.path().join("main.sdl"), model).expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_sandalc"))
            .args(["check", "main.sdl", "--engine", "embedded"])
            .current_dir(inside.path())
            .output()
            .expect("sandalc runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    for import in ["link.sdl", "folder/secret.sdl"] {
        let (code, said) = check(import);
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains("error[S0004]") && said.contains("link that leaves"),
            "{said}"
        );
    }
    let outer = format!(
        "../{}/secret.sdl",
        outside.path().file_name().expect("a name").display()
    );
    let (code, said) = check(&outer);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("outside of the project's folder"), "{said}");
    assert_eq!(check("good.sdl").0, Some(0));
}
