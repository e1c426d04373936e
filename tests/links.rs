//! Links between our pages lead somewhere: to files that are there and headings that they have. The guide is laid out as mdBook wants it:
//! every chapter is in `SUMMARY.md`, once, and everything there is a chapter. (Rendering it with mdBook itself would take CI minutes to build.)

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The pages: all that readers of the repository are sent to.
fn pages() -> Vec<PathBuf> {
    let root = support::root();
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|name| root.join(name))
        .into();
    for folder in ["docs", "examples", "tests", "editors", "fuzz"] {
        let found = support::files(&root.join(folder), "md");
        let foreign = |path: &PathBuf| path.iter().any(|part| part == "node_modules");
        pages.extend(found.into_iter().filter(|path| !foreign(path)));
    }
    pages
}

/// The text of a page without its code blocks, each line.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// The targets of the links of a line: `[words](target)`.
fn targets(line: &str) -> Vec<&str> {
    // What stands in backticks is code.
    let outside = |at: usize| line[..at].matches('`').count().is_multiple_of(2);
    line.match_indices("](")
        .filter(|(at, _)| outside(*at))
        .filter_map(|(at, _)| line[at + 2..].split_once(')'))
        .map(|(target, _)| target)
        .collect()
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let words = heading.trim().to_lowercase();
    let kept = words.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in prose(text) {
        let Some((marks, heading)) = line.split_once(' ') else {
            continue;
        };
        if marks.is_empty() || marks.chars().any(|c| c != '#') {
            continue;
        }
        // A heading that is there twice gets a number.
        let first = anchor(heading);
        let mut name = first.clone();
        let mut number = 0;
        while !found.insert(name) {
            number += 1;
            name = format!("{first}-{number}");
        }
    }
    found
}

/// Why a link of a page leads nowhere.
fn broken(page: &Path, target: &str) -> Option<String> {
    let elsewhere = ["http://", "https://", "mailto:"];
    if elsewhere.iter().any(|scheme| target.starts_with(scheme)) {
        return None;
    }
    let (file, place) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => page.to_owned(),
        file => page.parent().expect("a page is in a folder").join(file),
    };
    if !path.exists() {
        return Some(format!("`{target}`: there is no such file"));
    }
    if place.is_empty() {
        return None;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    (!anchors(&text).contains(place)).then(|| format!("`{target}`: there is no such heading"))
}

#[test]
fn links_lead_somewhere() {
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a readable page");
        for target in prose(&text).flat_map(targets) {
            count += 1;
            let why = broken(&page, target);
            problems.extend(why.map(|why| format!("{}: {why}", support::relative(&page))));
        }
    }
    assert!(count > 100, "only {count} links are found");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_noticed() {
    let page = support::root().join("README.md");
    assert!(broken(&page, "docs/language.md").is_none());
    assert!(broken(&page, "docs/langage.md").is_some());
    assert!(broken(&page, "docs/language.md#7-faults").is_none());
    assert!(broken(&page, "docs/language.md#no-such-heading").is_some());
    assert_eq!(targets("see [a](b.md) and `[c](d.md)`"), ["b.md"]);
}

#[test]
fn the_guide_is_laid_out_for_mdbook() {
    let folder = support::root().join("docs/guide");
    let config = std::fs::read_to_string(folder.join("book.toml")).expect("book.toml");
    assert!(config.lines().any(|line| line.trim() == "[book]"));
    let source = (config.lines())
        .find_map(|line| line.strip_prefix("src = \"")?.strip_suffix('"'))
        .unwrap_or("src");
    let folder = folder.join(source);
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).expect("SUMMARY.md");
    let mut lines = summary.lines().filter(|line| !line.trim().is_empty());
    assert_eq!(lines.next(), Some("# Summary"));
    let mut listed: Vec<String> = vec!["SUMMARY.md".to_owned()];
    for line in lines {
        let item = line
            .trim_start()
            .strip_prefix("- [")
            .unwrap_or_else(|| panic!("`{line}` is no chapter of a summary: `- [title](file.md)`"));
        let (title, target) = item.split_once("](").expect("a link");
        let target = target.strip_suffix(')').expect("nothing behind the link");
        let text = std::fs::read_to_string(folder.join(target)).expect("a chapter");
        let heading = text.lines().next().and_then(|line| line.strip_prefix("# "));
        assert_eq!(heading, Some(title), "{target} has another title");
        listed.push(target.to_owned());
    }
    listed.sort_unstable();
    let there: Vec<String> = support::files(&folder, "md")
        .iter()
        .map(|path| {
            path.strip_prefix(&folder)
                .expect("inside")
                .display()
                .to_string()
        })
        .collect();
    assert_eq!(listed, there);
}
