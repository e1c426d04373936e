//! Additions take as few files as CONTRIBUTING.md says: each page of `tests/additions` is a whole change, recorded.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A recorded change.
struct Page {
    name: String,
    /// The texts of the compiler's files, after the change.
    files: BTreeMap<String, String>,
    model: String,
    answer: String,
}

/// The pages, and how many files of the compiler each may touch.
const MOST: [(&str, usize); 4] = [
    ("fault", 2),
    ("statement", 8),
    ("property", 2),
    ("format", 2),
];

#[test]
fn additions_touch_as_few_files_as_promised() {
    for (name, most) in MOST {
        let page = read(name);
        let files: Vec<&String> = page.files.keys().collect();
        assert!(files.len() <= most, "{name}: {files:?}");
    }
}

/// CONTRIBUTING.md names every file that an addition touches.
#[test]
fn the_guide_for_contributors_names_the_files() {
    let guide = fs::read_to_string(support::root().join("CONTRIBUTING.md")).expect("a file");
    for (name, _) in MOST {
        for file in read(name).files.keys() {
            let folder = file.rsplit_once('/').expect("a path").0;
            let new = format!("{folder}/NAME.rs");
            let told = guide.contains(file.as_str()) || guide.contains(&new);
            assert!(told, "{name}: {file}");
        }
    }
}

/// The changed compiler is built, and does what the page says.
#[test]
#[ignore = "builds the compiler again"]
fn additions_work() {
    let root = support::root();
    let copy = root.join("target/additions");
    for (name, _) in MOST {
        let page = read(name);
        let listed = Command::new("git")
            .arg("ls-files")
            .current_dir(root)
            .output();
        let listed = String::from_utf8(listed.expect("git answers").stdout).expect("names");
        for file in listed.lines() {
            put(
                &copy.join(file),
                &fs::read(root.join(file)).expect("a file"),
            );
        }
        for (file, text) in &page.files {
            put(&copy.join(file), text.as_bytes());
        }
        put(&copy.join("model.sdl"), page.model.as_bytes());
        let run = ["run", "--quiet", "--locked", "--bin", "sandalc", "--"];
        let check = ["check", "model.sdl", "--engine", "embedded"];
        let lines: &[&str] = match name {
            "format" => &["--lines", "lines.txt"],
            _ => &[],
        };
        let output = Command::new("cargo")
            .args(run)
            .args(check)
            .args(lines)
            .current_dir(&copy)
            .output();
        let output = output.expect("cargo runs");
        let mut told = String::from_utf8_lossy(&output.stdout).into_owned();
        if name == "format" {
            told = fs::read_to_string(copy.join("lines.txt")).expect("the lines");
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(&page.answer), "{name}: {told}{errors}");
        for file in page.files.keys() {
            fs::remove_file(copy.join(file)).expect("it was written");
        }
    }
}

/// Writes a file if it is not so already, so that only what has changed is built.
fn put(file: &Path, text: &[u8]) {
    if fs::read(file).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(file.parent().expect("a folder")).expect("it can be made");
    fs::write(file, text).expect("it can be written");
}

/// Reads a page, and makes its changes.
fn read(name: &str) -> Page {
    let root = support::root();
    let path = root.join(format!("tests/additions/{name}.md"));
    let text = fs::read_to_string(&path).expect("a page");
    let mut page = Page {
        name: name.to_owned(),
        files: BTreeMap::new(),
        model: String::new(),
        answer: String::new(),
    };
    for section in text.split("\n## ").skip(1) {
        let (title, body) = section.split_once('\n').expect("a title and a body");
        let blocks = blocks(body);
        match title.trim() {
            "model" => page.model = blocks[0].1.clone(),
            "answer" => page.answer = blocks[0].1.trim_end().to_owned(),
            title => page.change(title, &blocks),
        }
    }
    page
}

impl Page {
    fn change(&mut self, title: &str, blocks: &[(String, String)]) {
        if let Some(new) = title.strip_prefix("new ") {
            let path = support::root().join(new);
            assert!(!path.exists(), "{}: {new} is there already", self.name);
            self.files.insert(new.to_owned(), blocks[0].1.clone());
            return;
        }
        let mut text = fs::read_to_string(support::root().join(title)).expect(title);
        for pair in blocks.chunks(2) {
            let [(find, old), (put, new)] = pair else {
                panic!("{}: {title}: `find` without `put`", self.name);
            };
            assert!(find == "find" && put.starts_with("put"), "{}", self.name);
            let places = text.matches(old.as_str()).count();
            assert_eq!(places, 1, "{}: {title}: {old}", self.name);
            let both = match put.as_str() {
                "put" => format!("{old}{new}"),
                "put before" => format!("{new}{old}"),
                "put instead" => new.clone(),
                other => panic!("{}: {other}", self.name),
            };
            text = text.replace(old.as_str(), &both);
        }
        self.files.insert(title.to_owned(), text);
    }
}

/// The code blocks of a text, each with the words after its fence.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                found.push((words.to_owned(), String::new()));
            }
        } else if inside {
            let block = &mut found.last_mut().expect("inside of one").1;
            block.push_str(line);
            block.push('\n');
        }
    }
    found
}
