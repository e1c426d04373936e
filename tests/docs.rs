//! Docs that run: every code block of the README, of `docs/` and of a few other pages is checked, by its kind:
//!
//! - `sdl`: a whole model without errors. `sdl error S0301` and `sdl warning S0702`: one with messages of
//!   exactly these codes. `sdl parts`: declarations that need others to be a model, so only parsed.
//!   `sdl statements`: the same for statements. With `file=NAME` later blocks find it as a file.
//! - `console`: commands after `$ `, each with its output. They run in a folder that holds `examples/`.
//!   A line `...` stands for any lines; times (`0.2 s`) are not compared. The last command succeeds, or
//!   ends with the code of `exit=CODE`. `BLESS=1 cargo test --test docs` rewrites the output.
//! - `json` is read as JSON; `yaml` is a workflow, which `tests/formats.rs` reads; `text` and `sh` are not run.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use sandalc::cli::model;
use sandalc::source::Sources;

fn main() {
    let arguments = Arguments::from_args();
    let mut documents = vec![support::root().join("README.md")];
    documents.extend(support::files(&support::root().join("docs"), "md"));
    let others = [
        "CONTRIBUTING.md",
        "examples/README.md",
        "tests/fixtures/README.md",
    ];
    documents.extend(others.map(|path| support::root().join(path)));
    let trials = documents
        .into_iter()
        .filter(|path| path.exists())
        .map(|path| Trial::test(support::relative(&path), move || check(&path)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// A code block.
struct Block<'a> {
    /// The line of its opening fence.
    line: usize,
    /// What follows the fence.
    info: Vec<&'a str>,
    /// The byte range of its contents in the document.
    range: std::ops::Range<usize>,
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let folder = tempfile::tempdir()?;
    copy(
        &support::root().join("examples"),
        &folder.path().join("examples"),
    )?;
    let mut problems = String::new();
    let mut blessed = text.clone();
    // From the end, so that earlier ranges stay true; commands run in order all the same.
    let blocks = blocks(&text)?;
    let mut outputs = Vec::new();
    for block in &blocks {
        let contents = &text[block.range.clone()];
        match run(block, contents, folder.path()) {
            Ok(output) => outputs.push((block, output)),
            Err(why) => problems += &format!("{}:{}: {why}\n", support::relative(path), block.line),
        }
    }
    for (block, output) in outputs.iter().rev() {
        let Some(output) = output else { continue };
        let contents = &text[block.range.clone()];
        if !matches(contents, output) {
            blessed.replace_range(block.range.clone(), output);
            if !support::bless() {
                problems += &format!(
                    "{}:{}: the output is now\n{output}run `BLESS=1 cargo test --test docs` if that is right\n",
                    support::relative(path),
                    block.line
                );
            }
        }
    }
    if support::bless() && blessed != text {
        std::fs::write(path, blessed)?;
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.into())
    }
}

fn blocks(text: &str) -> Result<Vec<Block<'_>>, Failed> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Vec<&str>, usize)> = None;
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if let Some(info) = line.trim_end().strip_prefix("```") {
            match open.take() {
                None => {
                    open = Some((
                        index + 1,
                        info.split_whitespace().collect(),
                        at + line.len(),
                    ))
                }
                Some((line, info, start)) => found.push(Block {
                    line,
                    info,
                    range: start..at,
                }),
            }
        }
        at += line.len();
    }
    match open {
        Some((line, ..)) => Err(format!("line {line}: this code block is never closed").into()),
        None => Ok(found),
    }
}

/// Checks a block; of a `console` block returns what it should contain.
fn run(block: &Block, contents: &str, folder: &Path) -> Result<Option<String>, String> {
    let file = block
        .info
        .iter()
        .find_map(|word| word.strip_prefix("file="));
    if let Some(name) = file {
        std::fs::write(folder.join(name), contents).map_err(|error| error.to_string())?;
    }
    let words: Vec<&str> = block
        .info
        .iter()
        .copied()
        .filter(|word| !word.contains('='))
        .collect();
    match words[..] {
        ["sdl"] => model(contents, folder, "error", &[]).map(|()| None),
        ["sdl", severity @ ("error" | "warning"), ref codes @ ..] => {
            model(contents, folder, severity, codes).map(|()| None)
        }
        ["sdl", "parts"] => parse(contents).map(|()| None),
        ["sdl", "statements"] => parse(&format!("proc P() {{\n{contents}}}\n")).map(|()| None),
        ["console"] => {
            let exit = block
                .info
                .iter()
                .find_map(|word| word.strip_prefix("exit="));
            let exit = exit
                .map_or(Ok(0), str::parse)
                .map_err(|_| "exit= and a number")?;
            console(contents, folder, exit).map(Some)
        }
        ["json"] => serde_json::from_str::<serde_json::Value>(contents)
            .map(|_| None)
            .map_err(|error| error.to_string()),
        ["text" | "sh" | "yaml"] => Ok(None),
        _ => Err(format!(
            "`{}` is no kind of code block that is checked",
            block.info.join(" ")
        )),
    }
}

/// Checks that a model has errors (or warnings) of these codes and no others.
fn model(text: &str, folder: &Path, severity: &str, codes: &[&str]) -> Result<(), String> {
    let path = folder.join("model.sdl");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let mut sources = Sources::new();
    let args = support::model_args(&path, &[])?;
    let front = model::check(&args, &mut sources).map_err(|failure| failure.why)?;
    let mut found: Vec<&str> = front
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity.as_str() == severity)
        .map(|diagnostic| diagnostic.code.0)
        .collect();
    found.dedup();
    if found == codes {
        return Ok(());
    }
    let words: Vec<String> = front
        .diagnostics
        .iter()
        .map(|d| {
            format!(
                "  line {}: {}[{}]: {}",
                sources.line(d.primary.span),
                d.severity.as_str(),
                d.code,
                d.message
            )
        })
        .collect();
    Err(format!("has other messages:\n{}", words.join("\n")))
}

fn parse(text: &str) -> Result<(), String> {
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let parsed = sandalc::syntax::parse(&sources, file);
    match parsed.diagnostics.first() {
        None => Ok(()),
        Some(problem) => Err(format!("{}[{}]", problem.message, problem.code)),
    }
}

/// Runs the commands of a block and returns the block as it should be.
fn console(contents: &str, folder: &Path, exit: i32) -> Result<String, String> {
    let binaries = PathBuf::from(env!("CARGO_BIN_EXE_sandalc"));
    let mut path = binaries.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let commands: Vec<&str> = contents
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .collect();
    let mut text = String::new();
    for (index, command) in commands.iter().enumerate() {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(folder)
            .env("PATH", &path)
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .output()
            .map_err(|error| error.to_string())?;
        let status = output.status.code();
        if index + 1 == commands.len() && status != Some(exit) {
            return Err(format!(
                "`{command}` ended with {status:?}, not {exit}:\n{}",
                String::from_utf8_lossy(&output.stdout)
            ));
        }
        text += &format!("$ {command}\n{}", String::from_utf8_lossy(&output.stdout));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// Whether a block says what came, up to times and left-out lines.
fn matches(block: &str, output: &str) -> bool {
    let block: Vec<String> = block.lines().map(timeless).collect();
    let output: Vec<String> = output.lines().map(timeless).collect();
    matches_lines(&block, &output)
}

fn matches_lines(block: &[String], output: &[String]) -> bool {
    match block.split_first() {
        None => output.is_empty(),
        Some((line, rest)) if line == "..." => {
            (0..=output.len()).any(|skipped| matches_lines(rest, &output[skipped..]))
        }
        Some((line, rest)) => output
            .split_first()
            .is_some_and(|(first, others)| line == first && matches_lines(rest, others)),
    }
}

/// A line with every `0.12 s` and `30 ms` replaced.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        let bare = word.trim_end_matches([')', ',', ';', '.']);
        let number = kept.last().is_some_and(|last| {
            let digits = last.trim_start_matches('(');
            !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        });
        if number && ["s", "ms", "µs"].contains(&bare) {
            let last = kept.pop().expect("a number");
            let bracket = if last.starts_with('(') { "(" } else { "" };
            kept.push(format!("{bracket}TIME{}", &word[bare.len()..]));
        } else if !(word.is_empty() && kept.last().is_some_and(String::is_empty)) {
            kept.push(word.to_owned());
        }
    }
    kept.join(" ")
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for path in support::files(from, "sdl") {
        let target = to.join(path.strip_prefix(from).expect("a path in the folder"));
        std::fs::create_dir_all(target.parent().expect("a folder"))?;
        std::fs::copy(path, target)?;
    }
    Ok(())
}
