//! Every model under `tests/fixtures` and `examples` is one test: its messages and verdicts are those
//! it expects in its comments. `BLESS=1 cargo test --test fixtures` rewrites the expectations.

mod support;

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use sandalc::source::Sources;
use support::expectations;

fn main() {
    let arguments = Arguments::from_args();
    let trials = ["tests/fixtures", "examples"]
        .iter()
        .flat_map(|folder| support::files(&support::root().join(folder), "sdl"))
        .filter(|path| !is_import(path))
        .map(|path| Trial::test(support::relative(&path), move || check(&path)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// Files in a folder `imports` are parts of other models.
fn is_import(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "imports")
}

fn check(path: &Path) -> Result<(), Failed> {
    let mut sources = Sources::new();
    let front = support::front_end(path, &[], &mut sources);
    let main = sources.file(front.main);
    let came = expectations::came(&front.diagnostics, &sources, &main.path);
    let expected = expectations::expected(&main.text);
    let Some(difference) = expectations::difference(&expected, &came) else {
        return Ok(());
    };
    if support::bless() {
        return bless(path, &main.text, &came);
    }
    Err(format!(
        "{}:\n{difference}run `BLESS=1 cargo test --test fixtures` if that is right\n",
        support::relative(path)
    )
    .into())
}

fn bless(path: &Path, text: &str, came: &[expectations::Message]) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    let mark: &[u8] = b"\xef\xbb\xbf";
    let mark = if bytes.starts_with(mark) { mark } else { b"" };
    if bytes[mark.len()..] != *text.as_bytes() {
        return Err("this file is not UTF-8: write its expectations by hand".into());
    }
    let mut blessed = mark.to_vec();
    blessed.extend(expectations::bless(text, came).into_bytes());
    Ok(std::fs::write(path, blessed)?)
}
