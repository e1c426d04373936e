//! `examples/README.md` lists every example, and nothing else.

mod support;

#[test]
fn every_example_is_listed() {
    let folder = support::root().join("examples");
    let page = std::fs::read_to_string(folder.join("README.md")).expect("examples/README.md");
    let mut listed: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| [")?.split_once(']'))
        .map(|(name, _)| name)
        .collect();
    listed.sort_unstable();
    let there: Vec<String> = support::files(&folder, "sdl")
        .iter()
        .map(|path| support::relative(path).replacen("examples/", "", 1))
        .collect();
    assert_eq!(listed, there);
    for name in listed {
        assert!(page.contains(&format!("[{name}]({name})")), "{name}");
    }
}
