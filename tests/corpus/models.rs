//! Examples and fixtures: what their comments expect, from every engine.
//!
//! ```text
//! // expect: deadlock holds
//! // expect: agreement violated
//! // states: 288
//! ```

use std::path::{Path, PathBuf};

use crate::answer::{Answer, ENGINES, Judgement, Model, ask, checked};
use sandalc::cli::load::load;
use sandalc::source::Sources;
use sandalc::syntax;

#[test]
fn engines_agree_on_examples_and_fixtures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let wanted = std::env::var("SANDAL_MODELS").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in ["examples", "tests/fixtures/models"] {
        for path in models(&root.join(folder)) {
            let name = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .display()
                .to_string();
            if !name.contains(&wanted) {
                continue;
            }
            count += 1;
            if let Err(why) = examine(&path) {
                wrong.push(format!("{name}: {why}"));
            }
        }
    }
    assert!(count > 0, "no model is called `{wanted}`");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_and_library_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["examples", "stdlib"] {
        for path in models(&root.join(folder)) {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let mut sources = Sources::new();
            let id = sources.add(path.display().to_string(), text.clone());
            let formatted = syntax::format(&sources, id).expect("a model without syntax errors");
            assert!(formatted == text, "{} is not formatted", path.display());
        }
    }
}

/// All models under a folder, in order. Folders `imports` hold parts of models.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            if !path.ends_with("imports") {
                found.extend(models(&path));
            }
        } else if path.extension().is_some_and(|e| e == "sdl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn examine(path: &Path) -> Result<(), String> {
    let mut sources = Sources::new();
    let loaded = load(path, &mut sources).map_err(|failure| failure.why)?;
    let imported: Vec<_> = loaded
        .imported
        .iter()
        .map(|m| m.parsed.file.clone())
        .collect();
    let text = sources.file(loaded.main.id).text.clone();
    let said = loaded.all_diagnostics();
    let model = checked(&loaded.main.parsed.file, &imported, said, sources)?;
    let (judgement, answers) = ask(&model, ENGINES);
    match judgement {
        Judgement::Agreed(states) => compare(&model, &text, states, &answers),
        Judgement::TooLarge => Err("too many states for a test".into()),
        Judgement::Wrong(_, what) => Err(what),
    }
}

/// What the comments expect against what the engines answer.
fn compare(model: &Model, text: &str, states: usize, answers: &[Answer]) -> Result<(), String> {
    let mut wrong = Vec::new();
    let mut expected = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("// expect: ") {
            match rest.split_once(' ') {
                Some((name, "holds")) => expected.push((name, true)),
                Some((name, "violated")) => expected.push((name, false)),
                _ => wrong.push(format!("cannot read `{line}`")),
            }
        }
        if let Some(number) = line.strip_prefix("// states: ")
            && number.trim() != states.to_string()
        {
            wrong.push(format!("has {states} states, not {number}"));
        }
    }
    if !text.contains("\n// states: ") {
        wrong.push(format!("has {states} states and does not say so"));
    }
    for (name, _) in &expected {
        if !model.system.properties.iter().any(|p| p.name == *name) {
            wrong.push(format!(
                "expects something of `{name}`, which it does not have"
            ));
        }
    }
    for (index, property) in model.system.properties.iter().enumerate() {
        let name = &property.name;
        let answer = answers.iter().find_map(|a| a.verdicts[index]);
        let wanted = expected
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, holds)| *holds);
        let word = |holds| if holds { "holds" } else { "violated" };
        match (wanted, answer) {
            (None, _) => wrong.push(format!("says nothing about {name}")),
            (_, None) => wrong.push(format!("nobody knows about {name}")),
            (Some(x), Some(y)) if x != y => {
                wrong.push(format!("{name} {}, expected {}", word(y), word(x)));
            }
            _ => {}
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("; "))
    }
}
