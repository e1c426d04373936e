//! Specifications as text.

use super::Dump;
use crate::program::{Happening, Protocol, Says, Seen, Transfer};

impl Dump<'_> {
    /// What processes see, and all specifications.
    pub(super) fn properties(&mut self) {
        for view in &self.program.views {
            let process = &self.program.processes[view.process.0 as usize].name;
            let seen: Vec<&str> = (view.seen.iter())
                .map(|seen| match seen {
                    Seen::Location => "location",
                    Seen::Value(_, name) => name.as_str(),
                })
                .collect();
            let seen = seen.join(", ");
            self.line(0, format_args!("view {process} {{ {seen} }}"));
        }
        for property in &self.program.properties {
            let (kind, name) = (property.kind.as_str(), &property.name);
            match &property.says {
                Says::Formula(formula) => {
                    let formula = self.expr(formula);
                    self.line(0, format_args!("{kind} {name} {{ {formula} }}"));
                }
                Says::Sequence(lines) => {
                    let lines: Vec<String> = lines.iter().map(|line| self.expr(line)).collect();
                    let lines = lines.join("; ");
                    self.line(0, format_args!("{kind} {name} {{ {lines} }}"));
                }
                Says::Protocol(protocol) => self.protocol(name, protocol),
            }
        }
    }

    /// A protocol: its automaton, whose states are numbered, the first one first.
    fn protocol(&mut self, name: &str, protocol: &Protocol) {
        let channels = protocol.channels.iter();
        let processes = protocol.processes.iter();
        let on: Vec<&str> = channels
            .map(|c| self.program.channels[c.0 as usize].name.as_str())
            .chain(processes.map(|p| self.program.processes[p.0 as usize].name.as_str()))
            .collect();
        let complete = if protocol.complete { "complete " } else { "" };
        let on = on.join(", ");
        self.line(0, format_args!("protocol {complete}{name} on {on} {{"));
        let automaton = &protocol.automaton;
        for (state, row) in automaton.next.iter().enumerate() {
            let end = if automaton.ends[state] { " (end)" } else { "" };
            self.line(1, format_args!("{state}{end}:"));
            for (class, to) in automaton.classes.iter().zip(row) {
                let Some(to) = to else { continue };
                let mut events: Vec<String> = Vec::new();
                for letter in class {
                    let event = self.event(&protocol.letters[*letter as usize].event);
                    if !events.contains(&event) {
                        events.push(event);
                    }
                }
                let events = events.join(" and ");
                self.line(2, format_args!("{events} -> {to}"));
            }
        }
        self.line(0, format_args!("}}"));
    }

    /// An event.
    pub(super) fn event(&self, event: &Happening) -> String {
        let process =
            |p: &crate::vocabulary::ProcessId| self.program.processes[p.0 as usize].name.clone();
        match event {
            Happening::Sent(passing) => self.passing("sent", passing),
            Happening::Received(passing) => self.passing("received", passing),
            Happening::Crashed(all) => {
                let names: Vec<String> = all.iter().map(process).collect();
                format!("crashed_now({})", names.join(", "))
            }
            Happening::Reached(p, label) => {
                let owner = &self.program.processes[p.0 as usize];
                format!("{}@{}", owner.name, owner.labels[label.0 as usize].name)
            }
            Happening::Injected(faults) => {
                let names = faults.iter();
                let names = names.map(|f| self.program.faults[f.0 as usize].name.as_str());
                format!("injected({})", names.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn passing(&self, verb: &str, passing: &Transfer) -> String {
        let by = passing.by.iter().flatten();
        let by: Vec<&str> = by
            .map(|p| self.program.processes[p.0 as usize].name.as_str())
            .collect();
        let by = match by.as_slice() {
            [] => String::new(),
            [one] => format!("{one}."),
            several => format!("({}).", several.join(", ")),
        };
        let channels = passing.channels.iter();
        let channels: Vec<&str> = channels
            .map(|c| self.program.channels[c.0 as usize].name.as_str())
            .collect();
        let channel = match channels.as_slice() {
            [one] => (*one).to_owned(),
            several => format!("[{}]", several.join(", ")),
        };
        let fields = match passing.channels.first() {
            Some(first) => self.program.channels[first.0 as usize].fields.as_slice(),
            None => &[],
        };
        let patterns: Vec<String> = (passing.patterns.iter().zip(fields))
            .map(|(pattern, ty)| format!(", {}", self.pattern(pattern, ty)))
            .collect();
        format!("{by}{verb}({channel}{})", patterns.concat())
    }
}
