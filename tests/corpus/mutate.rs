//! Models with mistakes: the texts that ship, each changed in a few places.

use std::path::{Path, PathBuf};

use super::random::Random;

/// The texts to change, in a fixed order.
pub struct Texts {
    texts: Vec<String>,
    /// What stands in them, for changes that bring something from elsewhere.
    words: Vec<String>,
    lines: Vec<String>,
}

/// Numbers that are likely to be too much for something.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "7",
    "63",
    "64",
    "65",
    "255",
    "1000",
    "4096",
    "4097",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "99999999999999999999",
];

const MARKERS: &[&str] = &[
    "@drop",
    "@duplicate",
    "@reorder",
    "@corrupt",
    "@shutdown",
    "@restart",
    "@unstable",
    "@drop(max = 1)",
    "@corrupt(max = 2)",
    "@restart(max = 100000)",
    "@timely",
    "@drop(always)",
    "@drop(once)",
    "@drop(from = any, until = any)",
    "@duplicate(transient)",
    "@corrupt(permanent)",
    "@shutdown(from = any)",
    "@drop(fair)",
    "@drop as lost",
    "@restart as again",
    "@partition",
    "@byzantine",
    "@byzantine(max = 1)",
    "@stuck(x)",
    "@invert(x)",
    "@replace(x, 1)",
    "@random(x)",
    "@flip(x)",
    "@scramble(x)",
];

/// Arguments of a marker, most of which have to do with when it can happen. A letter in capitals stands for a name of the text.
const TIMINGS: &[&str] = &[
    "max = 3",
    "max = 65536",
    "once",
    "always",
    "permanent",
    "transient",
    "fair",
    "from = any",
    "until = any",
    "from = N@N",
    "until = sent(N)",
    "from = received(N, N)",
    "until = injected(N)",
    "N",
    "N, N",
    "at = N",
];

/// Specifications about faults.
const CLAIMS: &[&str] = &[
    "invariant { !happened(N) }",
    "invariant { injecting(N) -> begun(N) }",
    "reachable { stopped(N) }",
    "ltl { (G F injected(N)) -> F begun(N) }",
    "ltl { faulty(N) -> F injected() }",
    "ctl { AG (injected(N) -> EF injecting(N)) }",
    "limit 1 { N @drop, N @shutdown }",
    "limit 2 { N, N }",
    "inject { N @drop as lost }",
    "inject { [N, N] @partition as split }",
    "inject { N @flip(N) as flips, N @restart(once) }",
];

impl Texts {
    pub fn read(root: &Path) -> Texts {
        let folders = ["examples", "stdlib", "tests/fixtures"];
        let texts: Vec<String> = folders
            .iter()
            .flat_map(|folder| models_in(&root.join(folder)))
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .collect();
        let mut words: Vec<String> = texts.iter().flat_map(|t| split(t)).collect();
        words.retain(|word| !word.trim().is_empty());
        let lines = texts.iter().flat_map(|t| t.lines()).map(str::to_owned);
        Texts {
            words,
            lines: lines.collect(),
            texts,
        }
    }

    /// The changed text of a seed.
    pub fn mutant(&self, seed: u64) -> String {
        let mut random =
            Random::new(seed.wrapping_mul(0x9e6c_63d0_876a_3f6b) ^ 0x1234_5678_9abc_def1);
        let mut text = random.pick(&self.texts).clone();
        // Most have one change: several at once rarely get past the parser.
        let changes = *random.pick(&[1, 1, 1, 1, 2, 2, 3, 5]);
        for _ in 0..changes {
            text = match random.below(10) {
                0..6 => self.change_word(&text, &mut random),
                6 => match random.below(4) {
                    0 | 1 => add_marker(&text, &mut random),
                    2 => add_timing(&text, &mut random),
                    _ => {
                        let claim = *random.pick(CLAIMS);
                        format!("{text}\n{}\n", named(&text, claim, &mut random))
                    }
                },
                _ => self.change_line(&text, &mut random),
            };
        }
        text
    }

    fn change_word(&self, text: &str, random: &mut Random) -> String {
        let mut words = split(text);
        let numbers = places(&words, |word| {
            word.starts_with(|c: char| c.is_ascii_digit())
        });
        let names = places(&words, |word| {
            word.starts_with(|c: char| c.is_ascii_alphabetic())
        });
        let all = places(&words, |word| !word.trim().is_empty());
        if all.is_empty() {
            return text.to_owned();
        }
        let at = *random.pick(&all);
        match random.below(8) {
            0..3 if !numbers.is_empty() => {
                let at = *random.pick(&numbers);
                words[at] = (*random.pick(NUMBERS)).to_owned();
            }
            3 if !names.is_empty() => {
                // A name of the same text is more likely to make sense.
                let name = words[*random.pick(&names)].clone();
                words[*random.pick(&names)] = name;
            }
            4 => words.swap(at, *random.pick(&all)),
            5 => words[at] = random.pick(&self.words).clone(),
            6 => {
                let again = words[at].clone();
                words.insert(at, again);
            }
            _ => {
                words.remove(at);
            }
        }
        words.concat()
    }

    fn change_line(&self, text: &str, random: &mut Random) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if lines.is_empty() {
            return text.to_owned();
        }
        let at = random.below(lines.len());
        match random.below(6) {
            0 | 1 => {
                let again = lines[at].clone();
                lines.insert(at, again);
            }
            2 => {
                // Many times: what grows faster than the model shows.
                let again = lines[at].clone();
                let times = *random.pick(&[10, 100, 500]);
                lines.splice(at..at, std::iter::repeat_n(again, times));
            }
            3 => {
                lines.remove(at);
            }
            4 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            _ => lines.insert(at, random.pick(&self.lines).clone()),
        }
        lines.join("\n") + "\n"
    }
}

/// Adds a marker to something that looks like an entry of `init`.
fn add_marker(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let entries: Vec<usize> = (0..lines.len())
        .filter(|i| lines[*i].contains(": ") && lines[*i].ends_with(','))
        .collect();
    if !entries.is_empty() {
        let line = &mut lines[*random.pick(&entries)];
        line.pop();
        line.push_str(&format!(" {},", random.pick(MARKERS)));
    }
    lines.join("\n") + "\n"
}

/// Adds an argument to a marker that the text has, or gives it a name.
fn add_timing(text: &str, random: &mut Random) -> String {
    let mut words = split(text);
    let markers: Vec<usize> = (1..words.len())
        .filter(|i| words[i - 1] == "@" && words[*i].starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    if markers.is_empty() {
        return text.to_owned();
    }
    let at = *random.pick(&markers);
    let timing = *random.pick(TIMINGS);
    let timing = named(text, timing, random);
    match words.get(at + 1).is_some_and(|word| word == "(") {
        true => words[at + 1] = format!("({timing}, "),
        false if random.below(4) == 0 => words[at].push_str(" as fault"),
        false => words[at].push_str(&format!("({timing})")),
    }
    words.concat()
}

/// Puts names of the text in place of each `N`: more likely those of entries and labels, which stand before a colon.
fn named(text: &str, pattern: &str, random: &mut Random) -> String {
    let words = split(text);
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let names = places(&words, is_name);
    let before_colon: Vec<usize> = (names.iter().copied())
        .filter(|i| words.get(i + 1).is_some_and(|word| word == ":"))
        .collect();
    let mut filled = String::new();
    for word in split(pattern) {
        let from = match random.below(4) {
            0 => &names,
            _ => &before_colon,
        };
        match word == "N" && !from.is_empty() {
            true => filled.push_str(&words[*random.pick(from)]),
            false => filled.push_str(&word),
        }
    }
    filled
}

fn places(words: &[String], wanted: impl Fn(&str) -> bool) -> Vec<usize> {
    (0..words.len()).filter(|i| wanted(&words[*i])).collect()
}

/// Words, runs of white space and single signs; together they are the text.
fn split(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        let last = words.last_mut();
        match last {
            Some(word) if kind(c) < 2 && word.ends_with(|l| kind(l) == kind(c)) => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words
}

/// All models below a folder, in a fixed order.
pub fn models_in(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            paths.extend(models_in(&path));
        } else if path.extension().is_some_and(|e| e == "sdl") {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}
