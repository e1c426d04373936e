//! Whole random models.

use super::random::Random;
use super::spec::Atoms;
use super::stmt::Body;
use super::types::{Channel, DATA, Link, Proc, Ty};

/// The model of a seed.
pub fn generate(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5851_f42d_4c95_7f2d);
    Model::new(&mut random).text()
}

/// A channel entry of `init`.
struct Entry {
    name: String,
    /// The length, if it is an array.
    array: Option<usize>,
    link: Link,
    markers: Vec<String>,
}

/// A process that can be named in `limit` and in specifications.
struct Instance {
    name: String,
    proc: Proc,
    marker: Option<String>,
}

struct Model<'a> {
    random: &'a mut Random,
    entries: Vec<Entry>,
    instances: Vec<Instance>,
    /// Declarations before `init`.
    decls: Vec<String>,
    /// The process entries of `init`.
    init: Vec<String>,
}

impl<'a> Model<'a> {
    fn new(random: &'a mut Random) -> Self {
        let mut model = Model {
            random,
            entries: Vec::new(),
            instances: Vec::new(),
            decls: Vec::new(),
            init: Vec::new(),
        };
        for i in 0..1 + model.random.below(3) {
            model.channel(i);
        }
        for i in 0..2 + model.random.below(2) {
            model.process(i);
        }
        model
    }

    fn channel(&mut self, index: usize) {
        let random = &mut *self.random;
        let capacity = random.chance(50).then(|| 1 + random.below(2));
        let fields: Vec<Ty> = match random.below(8) {
            0 => vec![Ty::scalar(random), Ty::scalar(random)],
            1 => vec![Ty::Array(Box::new(Ty::Bool), 2)],
            _ => vec![Ty::scalar(random)],
        };
        let mut markers = Vec::new();
        for fault in ["@drop", "@duplicate", "@reorder", "@corrupt"] {
            if (fault == "@reorder" && capacity.is_none()) || !random.chance(15) {
                continue;
            }
            markers.push(match random.below(4) {
                0 => format!("{fault}(max = {})", random.below(3)),
                _ => fault.into(),
            });
        }
        self.entries.push(Entry {
            name: format!("c{index}"),
            array: random.chance(15).then_some(2),
            link: Link { capacity, fields },
            markers,
        });
    }

    /// A proc and one or two instances of it.
    fn process(&mut self, index: usize) {
        let mut params = Vec::new();
        let mut args = Vec::new();
        let mut channels = Vec::new();
        for k in 0..1 + self.random.below(2) {
            let entry = self.random.below(self.entries.len());
            let entry = &self.entries[entry];
            let name = format!("a{k}");
            let link = if self.random.chance(20) {
                entry.link.loose_text()
            } else {
                entry.link.text()
            };
            let array = match entry.array {
                Some(n) if self.random.chance(60) => {
                    args.push(entry.name.clone());
                    let length = if self.random.chance(50) { "[]" } else { "[2]" };
                    params.push(format!("{name} {length}{link}"));
                    Some(n)
                }
                Some(n) => {
                    args.push(format!("{}[{}]", entry.name, self.random.below(n)));
                    params.push(format!("{name} {link}"));
                    None
                }
                None => {
                    args.push(entry.name.clone());
                    params.push(format!("{name} {link}"));
                    None
                }
            };
            channels.push(Channel {
                name,
                array,
                link: entry.link.clone(),
            });
        }
        let mut values = Vec::new();
        if self.random.chance(25) {
            let ty = Ty::scalar(self.random);
            params.push(format!("v {}", ty.text()));
            args.push(ty.constant(self.random));
            values.push(("v".to_owned(), ty));
        }
        let mut others = Vec::new();
        if self.random.chance(20) && !self.instances.is_empty() {
            params.push("q process".into());
            let other = self.random.below(self.instances.len());
            args.push(self.instances[other].name.clone());
            others.push("q".to_owned());
        }
        let (lines, proc) = Body::generate(self.random, &channels, &others, &values);
        let name = format!("P{index}");
        let mut text = vec![format!("proc {name}({}) {{", params.join(", "))];
        text.extend(lines);
        text.push("}".into());
        let args = args.join(", ");
        match self.random.below(10) {
            0 => self.in_a_module(index, text, &args, proc),
            1 if self.instances.len() < 2 => self.replicated(index, text, &args, proc),
            _ => {
                self.decls.push(text.join("\n"));
                let marker = self.process_marker();
                let instance = format!("p{index}");
                self.init
                    .push(entry(&format!("{instance}: {name}({args})"), &marker));
                self.instances.push(Instance {
                    name: instance,
                    proc,
                    marker,
                });
            }
        }
    }

    /// The process inside a module that passes everything on.
    fn in_a_module(&mut self, index: usize, text: Vec<String>, args: &str, proc: Proc) {
        let params = text[0]
            .split_once('(')
            .and_then(|(_, rest)| rest.rsplit_once(')'))
            .map_or("", |(params, _)| params)
            .to_owned();
        let names: Vec<&str> = params
            .split(", ")
            .filter_map(|param| param.split(' ').next())
            .filter(|name| ["a0", "a1", "v", "q"].contains(name))
            .collect();
        let marker = self.process_marker();
        let mut module = vec![format!("module M{index}({params}) {{")];
        module.extend(text.iter().map(|line| format!("    {line}")));
        module.push(String::new());
        module.push("    init {".into());
        module.push(format!(
            "        {},",
            entry(&format!("p: P{index}({})", names.join(", ")), &marker)
        ));
        module.push("    }".into());
        module.push("}".into());
        self.decls.push(module.join("\n"));
        self.init.push(format!("m{index}: M{index}({args})"));
        self.instances.push(Instance {
            name: format!("m{index}.p"),
            proc,
            marker,
        });
    }

    /// Two instances of the process.
    fn replicated(&mut self, index: usize, text: Vec<String>, args: &str, proc: Proc) {
        self.decls.push(text.join("\n"));
        let marker = self.process_marker();
        let inner = entry(&format!("p{index}[i]: P{index}({args})"), &marker);
        self.init.push(format!(
            "for i in range 0 to K {{\n        {inner},\n    }}"
        ));
        for i in 0..2 {
            self.instances.push(Instance {
                name: format!("p{index}[{i}]"),
                proc: proc.clone(),
                marker: marker.clone(),
            });
        }
    }

    fn process_marker(&mut self) -> Option<String> {
        let max = match self.random.below(3) {
            0 => format!("(max = {})", self.random.below(3)),
            _ => String::new(),
        };
        match self.random.below(10) {
            0 | 1 => Some(format!("@shutdown{max}")),
            2 => Some(format!("@restart{max}")),
            3 => Some(format!("@unstable{max}")),
            _ => None,
        }
    }

    /// A budget over some of the faults.
    fn limit(&mut self) -> Option<String> {
        let mut faults = Vec::new();
        for instance in &self.instances {
            if let Some(marker) = &instance.marker {
                faults.push(format!("{} {}", instance.name, fault(marker)));
            }
        }
        for entry in &self.entries {
            for marker in &entry.markers {
                faults.push(format!("{} {}", entry.name, fault(marker)));
            }
        }
        if faults.is_empty() || !self.random.chance(30) {
            return None;
        }
        let kept: Vec<String> = faults
            .into_iter()
            .filter(|_| self.random.chance(70))
            .collect();
        let bound = self.random.below(3);
        (!kept.is_empty()).then(|| format!("limit {bound} {{ {} }}", kept.join(", ")))
    }

    fn text(mut self) -> String {
        let mut text = match self.random.below(10) {
            0 => String::from("// flags: --timely\n"),
            1 => String::from("// flags: --no-faults\n"),
            _ => String::new(),
        };
        for (name, constructors) in DATA {
            text += &format!("data {name} {{ {} }}\n", constructors.join(", "));
        }
        text += "const K = 2\n\n";
        text += &self.decls.join("\n\n");
        text += "\n\ninit {\n";
        for e in &self.entries {
            let ty = match e.array {
                Some(n) => format!("[{n}]{}", e.link.text()),
                None => e.link.text(),
            };
            let markers: String = e.markers.iter().map(|m| format!(" {m}")).collect();
            text += &format!("    {}: {ty}{markers},\n", e.name);
        }
        for line in &self.init {
            let comma = if line.starts_with("for") { "" } else { "," };
            text += &format!("    {line}{comma}\n");
        }
        text += "}\n\n";
        if let Some(limit) = self.limit() {
            text += &format!("{limit}\n\n");
        }
        let buffers = self
            .entries
            .iter()
            .filter_map(|e| Some((e, e.link.capacity?)))
            .map(|(e, capacity)| match e.array {
                Some(_) => (format!("{}[1]", e.name), capacity),
                None => (e.name.clone(), capacity),
            })
            .collect();
        let processes = self
            .instances
            .iter()
            .map(|i| (i.name.clone(), i.proc.clone()))
            .collect();
        let atoms = Atoms { processes, buffers };
        for spec in atoms.specs(self.random) {
            text += &spec;
            text.push('\n');
        }
        text
    }
}

fn entry(text: &str, marker: &Option<String>) -> String {
    match marker {
        Some(marker) => format!("{text} {marker}"),
        None => text.to_owned(),
    }
}

/// The marker as a limit names it.
fn fault(marker: &str) -> &str {
    marker.split('(').next().unwrap_or(marker)
}
