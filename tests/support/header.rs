//! The verdicts and counts that a model expects, written in the model as comments:
//!
//! ```text
//! // expect: agreement holds
//! // states: 288
//! // flags: --no-faults -D N=3
//! // engines: embedded
//! ```
//!
//! `tests/fixtures/README.md` describes the notation.

/// What a model expects.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Header {
    /// Properties with their verdicts: `holds`, `violated` or `unknown`.
    pub verdicts: Vec<(String, String)>,
    /// How many states are reachable.
    pub states: Option<u64>,
    /// Arguments of the command line.
    pub flags: Vec<String>,
    /// The engines that answer; all if there is no such line.
    pub engines: Option<Vec<String>>,
}

/// A line of a header.
enum Entry<'a> {
    Expect(&'a str, &'a str),
    States(u64),
    Flags(&'a str),
    Engines(&'a str),
}

/// Reads the header of a text.
///
/// # Errors
/// If a line of it cannot be read.
pub fn read(text: &str) -> Result<Header, String> {
    let mut header = Header::default();
    for (index, line) in text.lines().enumerate() {
        match entry(line).map_err(|why| format!("line {}: {why}", index + 1))? {
            None => {}
            Some(Entry::Expect(name, verdict)) => {
                header.verdicts.push((name.to_owned(), verdict.to_owned()));
            }
            Some(Entry::States(count)) => header.states = Some(count),
            Some(Entry::Flags(flags)) => {
                header
                    .flags
                    .extend(flags.split_whitespace().map(str::to_owned));
            }
            Some(Entry::Engines(engines)) => {
                header.engines = Some(engines.split_whitespace().map(str::to_owned).collect());
            }
        }
    }
    Ok(header)
}

/// Rewrites the verdicts and the count of states, in place where they stand.
pub fn bless(text: &str, verdicts: &[(String, String)], states: Option<u64>) -> String {
    let mut missing: Vec<&(String, String)> = verdicts.iter().collect();
    let mut states = states;
    let mut lines: Vec<String> = Vec::new();
    let mut last_entry = None;
    for line in text.lines() {
        match entry(line) {
            Ok(Some(Entry::Expect(name, _))) => {
                let known = missing.iter().position(|(other, _)| other == name);
                if let Some(known) = known {
                    let (name, verdict) = missing.remove(known);
                    lines.push(format!("// expect: {name} {verdict}"));
                    last_entry = Some(lines.len());
                }
            }
            Ok(Some(Entry::States(_))) => {
                if let Some(count) = states.take() {
                    lines.push(format!("// states: {count}"));
                    last_entry = Some(lines.len());
                }
            }
            _ => lines.push(line.to_owned()),
        }
    }
    let mut new: Vec<String> = missing
        .iter()
        .map(|(name, verdict)| format!("// expect: {name} {verdict}"))
        .collect();
    new.extend(states.map(|count| format!("// states: {count}")));
    if !new.is_empty() {
        let comment = lines
            .iter()
            .take_while(|line| line.starts_with("//"))
            .count();
        let at = last_entry.unwrap_or(comment);
        if at == comment && comment == 0 {
            new.push(String::new());
        }
        lines.splice(at..at, new);
    }
    lines.join("\n") + "\n"
}

fn entry(line: &str) -> Result<Option<Entry<'_>>, String> {
    let Some((key, value)) = line
        .strip_prefix("// ")
        .and_then(|rest| rest.split_once(": "))
    else {
        return Ok(None);
    };
    let value = value.trim();
    Ok(Some(match key {
        // What a violation is by, `sandalc check --expect` compares.
        "expect" => match value
            .split_once(" by ")
            .map_or(value, |(first, _)| first)
            .rsplit_once(' ')
        {
            Some((name, verdict @ ("holds" | "violated" | "unknown"))) => {
                Entry::Expect(name.trim(), verdict)
            }
            _ => {
                return Err(format!(
                    "`expect: NAME holds|violated|unknown`, not `{value}`"
                ));
            }
        },
        "states" => Entry::States(
            value
                .replace(',', "")
                .parse()
                .map_err(|_| format!("`states: NUMBER`, not `{value}`"))?,
        ),
        "flags" => Entry::Flags(value),
        "engines" => Entry::Engines(value),
        _ => return Ok(None),
    }))
}
