//! Conversations of agents as state tables (Lacey's thesis on agentTool) become a model.
//!
//! ```text
//! PingInitiator;startState;null;null;ping;waitState      proc PingInitiator(bus channel [1] { PingMessage }) {
//! PingInitiator;waitState;pong;null;null;endState            startState: send(bus, Ping); goto waitState
//!                                                            waitState: select { case recv(bus, Pong) { return } }
//!                                                        }
//! ```
//!
//! A conversation has an initiator and a responder, messages of its own, and one channel that holds one message. States are
//! labels; what is received is a case of `select`, and where guards decide, any of them may.

use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};

use super::table::{Cell, Problem, Row, Sent};

const START: &str = "startState";
const END: &str = "endState";
const ROLES: [&str; 2] = ["Initiator", "Responder"];

/// What the tables say.
pub struct Model {
    /// By name, in the order of the tables.
    conversations: IndexMap<String, Conversation>,
    /// The sequences that are asked for: who sends what in which conversation.
    sequences: Vec<Vec<(String, usize, String)>>,
}

#[derive(Default)]
struct Conversation {
    /// The messages as they are written, by their constructors.
    messages: IndexMap<String, String>,
    /// The states of each role, with their rows.
    roles: [IndexMap<String, Vec<Row>>; 2],
}

impl Model {
    /// The model of the rows of some tables.
    pub fn of(rows: Vec<Row>) -> Result<Model, Problem> {
        let mut conversations: IndexMap<String, Conversation> = IndexMap::new();
        for row in rows {
            let (name, role) = role(&row.process)?;
            let conversation = conversations.entry(name).or_default();
            for message in row.received.iter().chain(&row.transmitted) {
                conversation.message(message)?;
            }
            let states = &mut conversation.roles[role];
            states.entry(row.state.word.clone()).or_default().push(row);
        }
        for (name, conversation) in &conversations {
            conversation.check(name)?;
        }
        Ok(Model {
            conversations,
            sequences: Vec::new(),
        })
    }

    /// Adds a sequence of messages that is asked for.
    pub fn sequence(&mut self, rows: Vec<Sent>) -> Result<(), Problem> {
        let mut lines = Vec::new();
        for sent in rows {
            let name = &sent.conversation.word;
            let known: Vec<String> = self.conversations.keys().cloned().collect();
            let Some(conversation) = self.conversations.get_mut(name) else {
                let hint = format!("choose from {}", known.join(", "));
                return Err((sent.conversation).problem("is no conversation of the tables", hint));
            };
            let role = |cell: &Cell| {
                let word = cell.word.strip_prefix(name.as_str()).unwrap_or(&cell.word);
                let found = ROLES.iter().position(|role| *role == word);
                found.ok_or_else(|| {
                    let [first, second] = ROLES;
                    cell.problem(
                        "takes no part in this conversation",
                        format!("write `{name}{first}` or `{name}{second}`"),
                    )
                })
            };
            let (from, to) = (role(&sent.from)?, role(&sent.to)?);
            if from == to {
                let hint = format!("write `{name}{}`", ROLES[1 - from]);
                return Err(sent.to.problem("sends this message itself", hint));
            }
            let message = conversation.message(&sent.message)?;
            lines.push((name.clone(), from, message));
        }
        self.sequences.push(lines);
        Ok(())
    }

    /// The model as text.
    pub fn text(&self) -> String {
        let mut out = String::from("// Conversations of agents, from state tables.\n");
        for (name, conversation) in &self.conversations {
            let messages: Vec<&str> = conversation.messages.keys().map(String::as_str).collect();
            let _ = writeln!(out, "data {name}Message {{ {} }}", messages.join(", "));
        }
        for (name, conversation) in &self.conversations {
            for (role, states) in ROLES.iter().zip(&conversation.roles) {
                let _ = write!(
                    out,
                    "\nproc {name}{role}(bus channel [1] {{ {name}Message }}) {{\n"
                );
                let start = states.get_key_value(START);
                let others = states
                    .iter()
                    .filter(|(state, _)| *state != START && *state != END);
                for (state, rows) in start.into_iter().chain(others) {
                    conversation.state(state, rows, &mut out);
                }
                out += "}\n";
            }
        }
        out += "\ninit {\n";
        for name in self.conversations.keys() {
            let channel = instance(name);
            let _ = writeln!(out, "{channel}: channel [1] {{ {name}Message }},");
            for role in ROLES {
                let _ = writeln!(out, "{channel}{role}: {name}{role}({channel}),");
            }
        }
        out += "}\n";
        for (index, lines) in self.sequences.iter().enumerate() {
            let number = match index {
                0 => String::new(),
                _ => format!("_{}", index + 1),
            };
            let _ = write!(out, "\nreachable sequence{number} {{\n");
            for (name, from, message) in lines {
                let channel = instance(name);
                let who = format!("{channel}{}", ROLES[*from]);
                let _ = writeln!(out, "{who}.sent({channel}, {message})");
            }
            out += "}\n";
        }
        out
    }
}

impl Conversation {
    /// The constructor of a message.
    fn message(&mut self, cell: &Cell) -> Result<String, Problem> {
        let constructor = capital(&cell.word);
        let known = self.messages.entry(constructor.clone());
        let written = known.or_insert_with(|| cell.word.clone());
        match *written == cell.word {
            true => Ok(constructor),
            false => {
                let hint = format!("write `{written}`, or give it another name");
                Err(cell.problem(
                    "differs from another message only in its first letter",
                    hint,
                ))
            }
        }
    }

    fn constructor(&self, cell: &Cell) -> String {
        capital(&cell.word)
    }

    /// That both roles are there, begin somewhere and go on to states that exist.
    fn check(&self, name: &str) -> Result<(), Problem> {
        for (index, states) in self.roles.iter().enumerate() {
            let role = ROLES[index];
            let Some(first) = states.values().flatten().next() else {
                let other = self.roles[1 - index].values().flatten().next();
                let text = format!("the conversation {name} has no {}", role.to_lowercase());
                return Err(Problem {
                    text: match other {
                        Some(row) => format!("row {}: {text}", row.row),
                        None => text,
                    },
                    hint: format!("add rows of `{name}{role}`"),
                });
            };
            if !states.contains_key(START) {
                let hint = format!("add a row `{name}{role};{START};..`, where it begins");
                return Err(first.process.problem("begins nowhere", hint));
            }
            for row in states.values().flatten() {
                self.check_row(row, states)?;
            }
        }
        Ok(())
    }

    fn check_row(&self, row: &Row, states: &IndexMap<String, Vec<Row>>) -> Result<(), Problem> {
        if row.state.word == END {
            let mut more = (row.received.iter())
                .chain(&row.guard)
                .chain(&row.transmitted)
                .chain(&row.next);
            return match more.next() {
                Some(cell) => Err(cell.problem(
                    "follows the end",
                    format!("write `null`: a conversation is over in `{END}`"),
                )),
                None => Ok(()),
            };
        }
        let known = states
            .keys()
            .map(String::as_str)
            .filter(|state| *state != END);
        let known: IndexSet<&str> = known.chain([END]).collect();
        let hint = || {
            let known: Vec<&str> = known.iter().copied().collect();
            format!("write a state that has rows: {}", known.join(", "))
        };
        match &row.next {
            None => Err(Problem {
                text: format!("row {}, field 6 (next): `null` leads nowhere", row.row),
                hint: hint(),
            }),
            Some(next) if !known.contains(next.word.as_str()) => {
                Err(next.problem("is a state without rows", hint()))
            }
            Some(_) => Ok(()),
        }
    }

    /// The statements of a state.
    fn state(&self, state: &str, rows: &[Row], out: &mut String) {
        let label = safe(state);
        let mut received: IndexMap<&str, Vec<&Row>> = IndexMap::new();
        let mut free: Vec<&Row> = Vec::new();
        for row in rows {
            match &row.received {
                Some(message) => received.entry(&message.word).or_default().push(row),
                None => free.push(row),
            }
        }
        if received.is_empty() {
            let _ = writeln!(out, "{label}:");
            self.blocks(&free, out);
            return;
        }
        let _ = writeln!(out, "{label}:\nselect {{");
        for rows in received.values() {
            let message = rows.first().and_then(|row| row.received.as_ref());
            let message = message
                .map(|cell| self.constructor(cell))
                .unwrap_or_default();
            let _ = writeln!(out, "case recv(bus, {message}) {{");
            self.blocks(rows, out);
            out.push_str("}\n");
        }
        if !free.is_empty() {
            out.push_str("case timeout {\n");
            self.blocks(&free, out);
            out.push_str("}\n");
        }
        out.push_str("}\n");
    }

    /// What some rows do, of which one is taken.
    fn blocks(&self, rows: &[&Row], out: &mut String) {
        if let [only] = rows {
            self.steps(only, out);
            return;
        }
        for (index, row) in rows.iter().enumerate() {
            out.push_str(if index == 0 { "choice {\n" } else { ", {\n" });
            self.steps(row, out);
            out.push('}');
        }
        out.push('\n');
    }

    fn steps(&self, row: &Row, out: &mut String) {
        let guard = row.guard.as_ref().map(|guard| format!(" [{}]", guard.word));
        let _ = writeln!(out, "// row {}{}", row.row, guard.unwrap_or_default());
        if let Some(message) = &row.transmitted {
            let _ = writeln!(out, "send(bus, {})", self.constructor(message));
        }
        match &row.next {
            Some(next) if next.word != END => {
                // A jump alone is no step: without one a loop of jumps would be one statement that never ends.
                if row.transmitted.is_none() && row.received.is_none() {
                    out.push_str("skip\n");
                }
                let _ = writeln!(out, "goto {}", safe(&next.word));
            }
            _ => out.push_str("return\n"),
        }
    }
}

/// The conversation and the role of a process.
fn role(process: &Cell) -> Result<(String, usize), Problem> {
    let found = (ROLES.iter().enumerate())
        .find_map(|(index, role)| Some((process.word.strip_suffix(role)?, index)));
    match found {
        Some((name, index)) if !name.is_empty() => Ok((capital(name), index)),
        _ => Err(process.problem(
            "is no part of a conversation",
            "end the name with `Initiator` or `Responder`, after that of the conversation",
        )),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

/// The name of a channel: that of the conversation, with a small letter.
fn instance(conversation: &str) -> String {
    let mut letters = conversation.chars();
    let name = match letters.next() {
        Some(first) => first.to_ascii_lowercase().to_string() + letters.as_str(),
        None => String::new(),
    };
    safe(&name)
}

/// A name that means nothing else: no keyword, no name that says something about where a process may end.
fn safe(name: &str) -> String {
    let special = ["end", "progress"].iter().any(|word| {
        name == *word
            || name
                .strip_prefix(word)
                .is_some_and(|rest| rest.starts_with('_'))
    });
    let reserved = name.starts_with("__") || name == "_" || crate::syntax::is_keyword(name);
    match special || reserved {
        true => format!("state_{}", name.trim_start_matches('_')),
        false => name.to_owned(),
    }
}
