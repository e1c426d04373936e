//! `sandalc doc`.

use super::run::sandalc;

#[test]
fn the_library_is_listed_and_each_module_has_a_page() {
    let list = sandalc(&["doc"]).expect(0).out;
    assert_eq!(list, sandalc(&["doc", "std"]).expect(0).out);
    let modules: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.starts_with("std/"))
        .collect();
    assert!(modules.len() >= 3, "{list}");
    for module in modules {
        let line = list.lines().find(|line| line.starts_with(module));
        let about = line.expect("listed").strip_prefix(module).expect("a name");
        assert!(!about.trim().is_empty(), "{module} says nothing of itself");
        let page = sandalc(&["doc", module]).expect(0).out;
        assert!(page.contains(&format!("import \"{module}\"")), "{page}");
        // Every definition says what it is.
        let json = sandalc(&["doc", module, "--format", "json"]).expect(0);
        let page: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
        for item in page["items"].as_array().expect("a list") {
            assert_ne!(item["about"], "", "{module}: {}", item["name"]);
        }
    }
}

#[test]
fn a_file_has_a_page_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.sdl");
    std::fs::write(
        &path,
        "// Mine.\n\n// Waits.\x1b[31m\nproc P(c channel { bit }) {\n    recv(c, _)\n}\n\ninit {\n}\n",
    )
    .expect("written");
    let path = path.to_str().expect("a path");
    let page = sandalc(&["doc", path]).expect(0).out;
    assert_eq!(
        page,
        format!("{path}\n\nMine.\n\nproc P(c channel {{ bit }})\n    Waits.␛[31m\n")
    );
    let coloured = sandalc(&["doc", path, "--color", "always"]).expect(0).out;
    assert!(coloured.contains("Waits.␛[31m"), "{coloured:?}");
}

#[test]
fn what_is_not_there_is_said() {
    for (name, message, hint) in [
        ("std/lnik", "the library has no module `lnik`", "std/link"),
        ("std/", "", ""),
        ("link", "there is no file `link`", "sandalc doc std/link"),
        ("nix.sdl", "cannot read", ""),
    ] {
        let output = sandalc(&["doc", name]);
        if name == "std/" {
            output.expect(0);
            continue;
        }
        let output = output.expect(2);
        assert!(output.err.contains(message), "{}", output.err);
        assert!(output.err.contains(hint), "{}", output.err);
    }
}

#[test]
fn a_file_with_errors_has_no_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.sdl");
    std::fs::write(&path, "proc {").expect("written");
    let output = sandalc(&["doc", path.to_str().expect("a path")]).expect(2);
    assert_eq!(output.out, "");
    assert!(output.err.contains("error[S02"), "{}", output.err);
}
