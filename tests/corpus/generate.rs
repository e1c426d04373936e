//! Whole random models.

use super::fault::{Events, Faults, MARKERS, Marker, TIMINGS, Target, What};
use super::formula::Parentheses;
use super::own;
use super::random::Random;
use super::spec::Atoms;
use super::stmt::Body;
use super::types::{Channel, DATA, Link, Proc, Ty, declarations};

/// The model of a seed.
pub fn generate(seed: u64) -> String {
    written_with(seed, Parentheses::Needed)
}

/// The model of a seed with more or fewer parentheses in its specifications.
pub fn written_with(seed: u64, parentheses: Parentheses) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5851_f42d_4c95_7f2d);
    Model::new(&mut random, seed).text(parentheses)
}

/// A function that is pure, and one that takes steps.
const FUNCTIONS: &str = "func pick(a -99..99, b bool) -99..99 {
    if b { return a }
    var r [2]0..9 = [1, 2]
    for i in range 0 to K { r[i] += 1 }
    return r[1] - a
}

func pause(n -9..9) bool {
    var left 0..2
    for i in range 0 to K { left = i }
    Paused: skip
    if n > 1 { return left == 1 }
    return n == 0
}

";

/// A channel entry of `init`.
struct Entry {
    name: String,
    /// The length, if it is an array.
    array: Option<usize>,
    link: Link,
    /// Whether any message may be received.
    bag: bool,
    /// Whether a full one loses messages.
    overflow: bool,
    markers: Vec<Marker>,
}

/// A process that can be named in `limit` and in specifications.
struct Instance {
    name: String,
    proc: Proc,
}

/// How a proc gets its instances.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Alone,
    /// Two of them, each with its number.
    Replicated,
    /// Inside so many modules.
    Modules(usize),
}

struct Model<'a> {
    random: &'a mut Random,
    seed: u64,
    faults: Faults,
    /// Whether all processes meet at one channel.
    crowded: bool,
    entries: Vec<Entry>,
    instances: Vec<Instance>,
    /// A failure detector, and its marker.
    detector: Option<(String, Option<Marker>)>,
    /// Declarations before `init`.
    decls: Vec<String>,
    /// The process entries of `init`.
    init: Vec<String>,
}

impl<'a> Model<'a> {
    fn new(random: &'a mut Random, seed: u64) -> Self {
        let crowded = random.chance(20);
        let mut model = Model {
            random,
            seed,
            faults: Faults::default(),
            crowded,
            entries: Vec::new(),
            instances: Vec::new(),
            detector: None,
            decls: Vec::new(),
            init: Vec::new(),
        };
        for i in 0..1 + model.random.below(3) {
            model.channel(i);
        }
        for i in 0..2 + model.random.below(2) {
            model.process(i);
            if i == 0 && (model.random.chance(15) || MARKERS[model.certain()] == "wrong") {
                model.detector();
            }
        }
        model
    }

    /// The marker that the model has for sure, by its number.
    fn certain(&self) -> usize {
        (self.seed % MARKERS.len() as u64) as usize
    }

    /// A detector that watches the first process.
    fn detector(&mut self) {
        let watched = self.instances[0].name.clone();
        let name = "d0".to_owned();
        let target = Target {
            name: name.clone(),
            entry: name.clone(),
            what: What::Detector,
        };
        let none = Events::default();
        let mut marker = None;
        if self.random.chance(40) && MARKERS[self.certain()] != "wrong" {
            let faults = &mut self.faults;
            marker = faults.marker(self.random, "wrong", &[target], None, &none);
        }
        let text = marker.as_ref().map(|made| made.text.clone());
        self.init
            .push(entry(&format!("{name}: detector({watched})"), &text));
        self.detector = Some((name, marker));
    }

    fn channel(&mut self, index: usize) {
        let random = &mut *self.random;
        let capacity = random.chance(60).then(|| 1 + random.below(2));
        let fields: Vec<Ty> = match random.below(8) {
            0 => vec![Ty::scalar(random), Ty::scalar(random)],
            1 => vec![Ty::Array(Box::new(Ty::Bool), 2)],
            2 => vec![Ty::Tagged],
            3 if random.chance(50) => vec![Ty::Record],
            _ => vec![Ty::scalar(random)],
        };
        let name = format!("c{index}");
        let array = random.chance(25).then_some(2);
        let link = Link { capacity, fields };
        let target = |bag| Target {
            name: name.clone(),
            entry: name.clone(),
            what: What::Channel {
                link: link.clone(),
                bag,
            },
        };
        let mut markers = Vec::new();
        for fault in ["drop", "duplicate", "reorder", "corrupt"] {
            let likely = match (fault, capacity) {
                ("reorder", Some(2..)) => 30,
                _ => 10,
            };
            if random.chance(likely) {
                let faults = &mut self.faults;
                let none = Events::default();
                let made = faults.marker(random, fault, &[target(false)], None, &none);
                markers.extend(made);
            }
        }
        let reorders = |m: &Marker| m.text.starts_with("@reorder");
        let bag = capacity.is_some() && !markers.iter().any(reorders) && random.chance(25);
        let overflow = capacity.is_some() && random.chance(20);
        self.entries.push(Entry {
            bag,
            overflow,
            name,
            array,
            link,
            markers,
        });
    }

    /// A proc and one or two instances of it.
    fn process(&mut self, index: usize) {
        let shape = match self.random.below(10) {
            0 | 1 => Shape::Modules(1 + self.random.below(2)),
            2 | 3 if self.instances.len() < 2 => Shape::Replicated,
            _ => Shape::Alone,
        };
        let mut params = Vec::new();
        let mut args = Vec::new();
        let mut channels = Vec::new();
        for k in 0..1 + self.random.below(2) {
            let entry = match self.crowded && k == 0 {
                true => 0,
                false => self.random.below(self.entries.len()),
            };
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
                    let which = match shape == Shape::Replicated && self.random.chance(70) {
                        true => "i".to_owned(),
                        false => self.random.below(n).to_string(),
                    };
                    args.push(format!("{}[{which}]", entry.name));
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
        if shape == Shape::Replicated {
            let ty = Ty::Int(0, *self.random.pick(&[1, 2]));
            params.push(format!("v {}", ty.text()));
            args.push("i".into());
            values.push(("v".to_owned(), ty));
        } else if self.random.chance(25) {
            let ty = Ty::scalar(self.random);
            params.push(format!("v {}", ty.text()));
            args.push(match shape {
                Shape::Alone if self.random.chance(40) => match self.random.chance(50) {
                    true => "any".to_owned(),
                    false => {
                        let (a, b) = (ty.constant(self.random), ty.constant(self.random));
                        format!("any({a}, {b})")
                    }
                },
                _ => ty.constant(self.random),
            });
            values.push(("v".to_owned(), ty));
        }
        let mut others = Vec::new();
        if self.random.chance(30) && !self.instances.is_empty() {
            params.push("q process".into());
            let other = self.random.below(self.instances.len());
            args.push(self.instances[other].name.clone());
            others.extend(["q.crashed", "q.done"].map(str::to_owned));
        }
        if let Some((name, _)) = &self.detector
            && self.random.chance(60)
        {
            params.push("d detector".into());
            args.push(name.clone());
            others.push("suspects(d)".to_owned());
        }
        let (lines, proc) = Body::generate(self.random, &channels, &others, &values);
        let name = format!("P{index}");
        let mut text = vec![format!("proc {name}({}) {{", params.join(", "))];
        text.extend(lines);
        text.push("}".into());
        let args = args.join(", ");
        match shape {
            Shape::Modules(depth) => self.in_modules(index, text, &args, proc, depth),
            Shape::Replicated => self.replicated(index, text, &args, proc),
            Shape::Alone => {
                self.decls.push(text.join("\n"));
                let instance = format!("p{index}");
                let marker = self.process_marker(&instance, "", &proc);
                self.init
                    .push(entry(&format!("{instance}: {name}({args})"), &marker));
                self.instances.push(Instance {
                    name: instance,
                    proc,
                });
            }
        }
    }

    /// The process inside modules that pass everything on.
    fn in_modules(
        &mut self,
        index: usize,
        text: Vec<String>,
        args: &str,
        proc: Proc,
        depth: usize,
    ) {
        let params = text[0]
            .split_once('(')
            .and_then(|(_, rest)| rest.rsplit_once(')'))
            .map_or("", |(params, _)| params)
            .to_owned();
        let names: Vec<&str> = params
            .split(", ")
            .filter_map(|param| param.split(' ').next())
            .filter(|name| ["a0", "a1", "v", "q", "d"].contains(name))
            .collect();
        let names = names.join(", ");
        let path = match depth {
            1 => format!("m{index}."),
            _ => format!("n{index}.m{index}."),
        };
        let marker = self.process_marker("p", &path, &proc);
        let mut name = "p".to_owned();
        let mut inner = entry(&format!("p: P{index}({names})"), &marker);
        let mut decls: Vec<String> = text.iter().map(|line| format!("    {line}")).collect();
        for level in 0..depth {
            let module = ["M", "N"][level].to_owned() + &index.to_string();
            let instance = module.to_lowercase();
            let mut lines = vec![format!("module {module}({params}) {{")];
            lines.append(&mut decls);
            lines.push(format!("    init {{\n        {inner},\n    }}\n}}"));
            self.decls.push(lines.join("\n"));
            name = format!("{instance}.{name}");
            let passed = if level + 1 == depth { args } else { &names };
            inner = format!("{instance}: {module}({passed})");
        }
        self.init.push(inner);
        self.instances.push(Instance { name, proc });
    }

    /// Two instances of the process.
    fn replicated(&mut self, index: usize, text: Vec<String>, args: &str, proc: Proc) {
        self.decls.push(text.join("\n"));
        let marker = self.process_marker(&format!("p{index}"), "", &proc);
        let inner = entry(&format!("p{index}[i]: P{index}({args})"), &marker);
        self.init.push(format!(
            "for i in range 0 to K {{\n        {inner},\n    }}"
        ));
        for i in 0..2 {
            self.instances.push(Instance {
                name: format!("p{index}[{i}]"),
                proc: proc.clone(),
            });
        }
    }

    /// The marker of an entry; `path` is where its name is found from the top level.
    fn process_marker(&mut self, name: &str, path: &str, proc: &Proc) -> Option<String> {
        let marker = match self.random.below(16) {
            0..3 => "shutdown",
            3 | 4 => "restart",
            5 => *self.random.pick(&["stuck", "invert", "replace", "flip"]),
            _ => return None,
        };
        let target = Target {
            name: format!("{path}{name}"),
            entry: format!("{path}{name}"),
            what: What::Process(proc.clone()),
        };
        let none = Events::default();
        let made = (self.faults).marker(self.random, marker, &[target], None, &none)?;
        let text = match self.random.chance(30) {
            true => made.text.replace("@shutdown", "@unstable"),
            false => made.text.clone(),
        };
        // The names of faults are found where those of entries are.
        let within = |name: &str| match made.text.contains(" as ") {
            true => format!("{path}{name}"),
            false => name.to_owned(),
        };
        self.faults.known.push(Marker {
            name: within(&made.name),
            limited: within(&made.limited),
            text: made.text.clone(),
        });
        Some(text)
    }

    /// Everything that can be marked from outside.
    fn targets(&self) -> Vec<Target> {
        let mut found = Vec::new();
        for e in &self.entries {
            let target = |name: String| Target {
                name,
                entry: e.name.clone(),
                what: What::Channel {
                    link: e.link.clone(),
                    bag: e.bag,
                },
            };
            found.push(target(e.name.clone()));
            if e.array.is_some() {
                found.push(target(format!("{}[1]", e.name)));
            }
        }
        for instance in &self.instances {
            let array = instance.name.split('[').next().expect("a name");
            let target = |name: &str| Target {
                name: name.to_owned(),
                entry: array.to_owned(),
                what: What::Process(instance.proc.clone()),
            };
            found.push(target(&instance.name));
            if instance.name.ends_with("[1]") {
                found.push(target(array));
            }
        }
        found.extend(self.detector.iter().map(|(name, _)| Target {
            name: name.clone(),
            entry: name.clone(),
            what: What::Detector,
        }));
        found
    }

    fn events(&self) -> Events {
        let mut events = Events::default();
        for instance in &self.instances {
            let labels = instance.proc.labels.iter();
            events
                .labels
                .extend(labels.map(|label| format!("{}@{label}", instance.name)));
        }
        for e in &self.entries {
            let fields = e.link.fields.clone();
            events.channels.push((e.name.clone(), fields.clone()));
            if e.array.is_some() {
                events.channels.push((format!("{}[0]", e.name), fields));
            }
        }
        events
    }

    /// Markers that stand elsewhere. The first is one that the seed decides, with a timing that it decides.
    fn injects(&mut self) -> Vec<String> {
        let events = self.events();
        let mut items = Vec::new();
        let first = self.certain();
        let when = (self.seed % TIMINGS.len() as u64) as usize;
        let more = usize::from(self.random.chance(30));
        for k in 0..1 + more {
            let (marker, timing) = match k {
                0 => (MARKERS[first], Some(TIMINGS[when])),
                _ => (
                    *self.random.pick(&MARKERS),
                    Some(*self.random.pick(&TIMINGS)),
                ),
            };
            let mut targets = self.targets();
            while !targets.is_empty() {
                let chosen = targets.remove(self.random.below(targets.len()));
                let mut list = vec![chosen.clone()];
                let alike = |t: &&Target| t.entry != chosen.entry && t.is_like(&chosen);
                let others = targets.iter().find(alike);
                if let Some(other) = others.filter(|_| self.random.chance(30)) {
                    list.push(other.clone());
                }
                let random = &mut *self.random;
                let made = match self.faults.marker(random, marker, &list, timing, &events) {
                    Some(made) => Some(made),
                    None => {
                        list.truncate(1);
                        (self.faults).marker(random, marker, &list, timing, &events)
                    }
                };
                let Some(made) = made else { continue };
                let names: Vec<&str> = list.iter().map(|t| t.name.as_str()).collect();
                items.push(match list.len() {
                    1 => format!("{} {}", names[0], made.text),
                    _ => format!("[{}] {}", names.join(", "), made.text),
                });
                self.faults.known.push(made);
                break;
            }
        }
        items
    }

    /// Budgets over some of the faults; two of them may count the same one.
    fn limits(&mut self) -> Vec<String> {
        let mut limits = Vec::new();
        for _ in 0..2 {
            if !self.random.chance(30) {
                continue;
            }
            let mut kept: Vec<&str> = Vec::new();
            for fault in &self.faults.known {
                if self.random.chance(70) {
                    kept.push(&fault.limited);
                }
            }
            let bound = self.random.below(3);
            if !kept.is_empty() {
                limits.push(format!("limit {bound} {{ {} }}", kept.join(", ")));
            }
        }
        limits
    }

    fn text(mut self, parentheses: Parentheses) -> String {
        for e in &self.entries {
            self.faults.known.extend(e.markers.iter().cloned());
        }
        let wrong = self
            .detector
            .iter()
            .filter_map(|(_, marker)| marker.clone());
        self.faults.known.extend(wrong);
        let injects = self.injects();
        let mut text = match self.random.below(20) {
            0 | 1 => String::from("// flags: --timely\n"),
            2 => String::from("// flags: --no-faults\n"),
            3 => match self.faults.known.first() {
                Some(fault) => format!("// flags: --faults {}\n", fault.name),
                None => String::new(),
            },
            _ => String::new(),
        };
        for (name, constructors) in DATA {
            text += &format!("data {name} {{ {} }}\n", constructors.join(", "));
        }
        text += &declarations();
        text += "const K = 2\n\n";
        text += FUNCTIONS;
        text += &self.decls.join("\n\n");
        text += "\n\ninit {\n";
        for e in &self.entries {
            let mut ty = match e.array {
                Some(n) => format!("[{n}]{}", e.link.text()),
                None => e.link.text(),
            };
            if e.bag {
                ty = ty.replacen("channel [", "channel bag [", 1);
            }
            if e.overflow {
                ty += " overflow";
            }
            let markers: String = e.markers.iter().map(|m| format!(" {}", m.text)).collect();
            text += &format!("    {}: {ty}{markers},\n", e.name);
        }
        for line in &self.init {
            let comma = if line.starts_with("for") { "" } else { "," };
            text += &format!("    {line}{comma}\n");
        }
        text += "}\n\n";
        if !injects.is_empty() {
            text += &format!("inject {{\n    {},\n}}\n\n", injects.join(",\n    "));
        }
        for limit in self.limits() {
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
        let faults = self.faults.known.iter().map(|f| f.name.clone()).collect();
        let atoms = Atoms {
            processes,
            buffers,
            faults,
            detector: self.detector.as_ref().map(|(name, _)| name.clone()),
            seed: self.seed,
        };
        for spec in atoms.specs(self.random, parentheses) {
            text += &spec;
            text.push('\n');
        }
        let own = own::definitions(&text);
        text.replacen("const K = 2\n\n", &format!("const K = 2\n\n{own}"), 1)
    }
}

fn entry(text: &str, marker: &Option<String>) -> String {
    match marker {
        Some(marker) => format!("{text} {marker}"),
        None => text.to_owned(),
    }
}
