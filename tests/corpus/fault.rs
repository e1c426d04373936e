//! Random faults: markers, when they happen, and what they are called.

use super::own;
use super::random::Random;
use super::types::{Link, Proc, RECORD, Ty};

/// The markers. Which one a model has for sure is decided by its seed, so that some dozens of models have all of them.
pub const MARKERS: [&str; 27] = [
    "stuck",
    "drop",
    "flip",
    "partition",
    "replace",
    "corrupt",
    "scramble",
    "restart",
    "invert",
    "byzantine",
    "random",
    "duplicate",
    "shutdown",
    "reorder",
    "wrong",
    "own_stick",
    "own_lie",
    "own_guess",
    "own_over",
    "own_crash",
    "own_place",
    "own_quiet",
    "own_deaf",
    "own_forget",
    "own_lose",
    "own_wrong",
    "own_next",
];

/// When faults happen; `E` stands for an event. Which of them a model has for sure is decided by its seed, too.
pub const TIMINGS: [&str; 17] = [
    "from = E",
    "until = E",
    "always",
    "transient",
    "permanent",
    "once",
    "from = any",
    "until = any",
    "always, from = E",
    "always, until = E",
    "from = E, until = E",
    "from = any, transient",
    "max = 2, until = any",
    "always, from = any, until = E",
    "fair",
    "once, transient",
    "from = E, transient",
];

/// Something that can be marked.
#[derive(Clone)]
pub struct Target {
    /// As it is named at top level: `c0`, `c0[1]`, `m0.p`.
    pub name: String,
    /// The entry that it is, or is a part of: `c0`, `p1`, `m0.p`.
    pub entry: String,
    pub what: What,
}

impl Target {
    /// Whether both are processes, or both channels, or both detectors.
    pub fn is_like(&self, other: &Target) -> bool {
        std::mem::discriminant(&self.what) == std::mem::discriminant(&other.what)
    }
}

#[derive(Clone)]
pub enum What {
    Process(Proc),
    Channel { link: Link, bag: bool },
    Detector,
}

/// A marker of an entry.
#[derive(Clone)]
pub struct Marker {
    /// `@drop(once) as f0`
    pub text: String,
    /// What specifications and events call the fault.
    pub name: String,
    /// What `limit` calls it.
    pub limited: String,
}

/// All the faults of a model so far.
#[derive(Default)]
pub struct Faults {
    /// What has been marked with what.
    taken: Vec<Taken>,
    count: usize,
    /// What faults are called, in specifications and in `limit`.
    pub known: Vec<Marker>,
}

/// An entry and its marker.
struct Taken {
    entry: String,
    marker: String,
    /// Whether the fault has a name of its own.
    named: bool,
}

/// What events can be about.
#[derive(Default)]
pub struct Events {
    /// `p0@L0`
    pub labels: Vec<String>,
    pub channels: Vec<(String, Vec<Ty>)>,
}

impl Faults {
    /// A marker for some entries, which are of one kind: with this timing if it goes with the marker. `None` if the marker does not go
    /// with them.
    pub fn marker(
        &mut self,
        random: &mut Random,
        marker: &str,
        targets: &[Target],
        timing: Option<&str>,
        events: &Events,
    ) -> Option<Marker> {
        let first = targets.first()?;
        for target in targets {
            if !self.fits(marker, target) {
                return None;
            }
        }
        let mut arguments = match &first.what {
            What::Process(_) => about_variable(random, marker, targets)?,
            What::Channel { link, .. } => own::of_channel(random, marker, link),
            What::Detector => Vec::new(),
        };
        let positional = arguments.join(", ");
        if marker == "stuck" && random.chance(40) {
            let What::Process(proc) = &first.what else {
                return None;
            };
            let variable = variables(proc)
                .into_iter()
                .find(|(n, _)| *n == arguments[0]);
            let (_, ty) = variable?;
            arguments.push(format!("at = {}", scalar(&ty).constant(random)));
        }
        if marker == "restart"
            && targets.len() == 1
            && let What::Process(proc) = &first.what
            && !proc.durable.is_empty()
            && random.chance(70)
        {
            arguments.push(format!("loses = [{}]", random.pick(&proc.durable)));
        }
        let timing = match timing {
            Some(timing) if goes_with(marker, timing) => timing,
            Some(_) => "",
            None => match random.below(4) {
                0 => *random.pick(&["max = 0", "max = 1", "max = 2"]),
                1 if goes_with(marker, "fair") => "fair",
                _ => "",
            },
        };
        if !timing.is_empty() {
            arguments.push(self.with_events(random, timing, events)?);
        }
        let text = match arguments.is_empty() {
            true => format!("@{marker}"),
            false => format!("@{marker}({})", arguments.join(", ")),
        };
        let shown = match positional.is_empty() {
            true => marker.to_owned(),
            false => format!("{marker}({positional})"),
        };
        // Another name is given where it must be, and now and then. What is called by its entry and marker is alone there.
        let beside =
            |t: &&Taken| t.marker == marker && targets.iter().any(|target| target.entry == t.entry);
        if self.taken.iter().filter(beside).any(|t| !t.named) {
            return None;
        }
        let again = self.taken.iter().any(|t| beside(&t));
        let named = targets.len() > 1 || again || random.chance(50);
        self.taken.extend(targets.iter().map(|target| Taken {
            entry: target.entry.clone(),
            marker: marker.to_owned(),
            named,
        }));
        let made = match named {
            true => {
                let name = format!("f{}", self.count);
                self.count += 1;
                Marker {
                    text: format!("{text} as {name}"),
                    limited: name.clone(),
                    name,
                }
            }
            false => Marker {
                name: format!("{}@{shown}", first.name),
                limited: format!("{} @{shown}", first.name),
                text,
            },
        };
        Some(made)
    }

    /// Whether a marker can stand on something.
    fn fits(&self, marker: &str, target: &Target) -> bool {
        let of_channel = ["drop", "duplicate", "reorder", "corrupt", "partition"];
        let marked = |other: &str| {
            let on = |t: &Taken| t.entry == target.entry && t.marker == other;
            self.taken.iter().any(on)
        };
        match &target.what {
            What::Process(_) => match marker {
                // One of them can do all that the other can.
                "shutdown" => !marked("restart"),
                "restart" => !marked("shutdown"),
                "wrong" => false,
                _ if own::is_own(marker) => own::on_process(marker),
                _ => !of_channel.contains(&marker),
            },
            What::Detector => marker == "wrong",
            What::Channel { link, .. } if own::is_own(marker) => own::on_channel(marker, link),
            What::Channel { link, bag } => {
                let ordered = link.capacity.is_some() && !bag;
                of_channel.contains(&marker) && (marker != "reorder" || ordered)
            }
        }
    }

    /// The timing with an event in each place for one.
    fn with_events(&self, random: &mut Random, timing: &str, events: &Events) -> Option<String> {
        let mut text = String::new();
        for (i, part) in timing.split('E').enumerate() {
            if i > 0 {
                text += &self.event(random, events)?;
            }
            text += part;
        }
        Some(text)
    }

    fn event(&self, random: &mut Random, events: &Events) -> Option<String> {
        let injected = self.known.iter().map(|marker| &marker.name);
        let injected: Vec<&String> = injected.collect();
        match random.below(4) {
            0 if !events.labels.is_empty() => Some(random.pick(&events.labels).clone()),
            1 if !injected.is_empty() => Some(format!("injected({})", random.pick(&injected))),
            _ if !events.channels.is_empty() => {
                let (name, fields) = random.pick(&events.channels).clone();
                let word = *random.pick(&["sent", "received"]);
                let plain = |ty: &Ty| matches!(ty, Ty::Bool | Ty::Int(..) | Ty::Data(_));
                if random.chance(50) || !fields.iter().all(plain) {
                    return Some(format!("{word}({name})"));
                }
                let patterns: Vec<String> = (fields.iter())
                    .map(|ty| match random.below(4) {
                        0 => "_".to_owned(),
                        1 => format!("any({}, {})", ty.constant(random), ty.constant(random)),
                        _ => ty.constant(random),
                    })
                    .collect();
                Some(format!("{word}({name}, {})", patterns.join(", ")))
            }
            _ => None,
        }
    }
}

/// Whether a timing can stand in a marker.
fn goes_with(marker: &str, timing: &str) -> bool {
    let has = |word: &str| timing.split(", ").any(|part| part.starts_with(word));
    let always = has("always") || has("permanent");
    match marker {
        "shutdown" | "restart" | "flip" | "scramble" | "wrong" => !always && !has("fair"),
        own if own::is_own(own) => own::can_always(own) || (!always && !has("fair")),
        "duplicate" | "reorder" => !always,
        "partition" => !has("max") && !has("once") && !has("fair") && !has("always"),
        _ => true,
    }
}

/// The variables that faults can happen to, elements and fields included.
fn variables(proc: &Proc) -> Vec<(String, Ty)> {
    let mut found = Vec::new();
    for (name, ty) in &proc.vars {
        if !ty.is_wide() {
            found.push((name.clone(), ty.clone()));
        }
        parts(name, ty, &mut found);
    }
    found
}

fn parts(name: &str, ty: &Ty, found: &mut Vec<(String, Ty)>) {
    let own: Vec<(String, Ty)> = match ty {
        Ty::Array(element, n) => (0..*n.min(&2))
            .map(|i| (format!("{name}[{i}]"), (**element).clone()))
            .collect(),
        Ty::Record => (RECORD.iter())
            .map(|(field, ty)| (format!("{name}.{field}"), ty.clone()))
            .collect(),
        _ => Vec::new(),
    };
    for (name, ty) in own {
        found.push((name.clone(), ty.clone()));
        parts(&name, &ty, found);
    }
}

/// The variable that a fault happens to, and values: of all the targets.
fn about_variable(random: &mut Random, marker: &str, targets: &[Target]) -> Option<Vec<String>> {
    let (boolean, single) = match marker {
        "flip" | "invert" => (true, true),
        "replace" => (false, true),
        "stuck" | "random" | "scramble" => (false, false),
        own if own::is_own(own) => (false, true),
        _ => return Some(Vec::new()),
    };
    let fits = |(_, ty): &(String, Ty)| {
        let is_single = !matches!(ty, Ty::Array(..));
        let is_boolean = matches!(ty, Ty::Bool | Ty::Int(0, 1));
        (is_boolean || !boolean) && (is_single || !single)
    };
    let of = |target: &Target| match &target.what {
        What::Process(proc) => variables(proc),
        What::Channel { .. } | What::Detector => Vec::new(),
    };
    let mut shared: Vec<(String, Ty)> = of(&targets[0]).into_iter().filter(fits).collect();
    for other in &targets[1..] {
        let theirs = of(other);
        shared.retain(|variable| theirs.contains(variable));
    }
    if let (true, What::Process(proc)) = (own::is_own(marker), &targets[0].what) {
        let has = |target: &Target| match &target.what {
            What::Process(other) => other.labels == proc.labels,
            _ => false,
        };
        let same = targets.iter().all(has);
        return own::of_process(random, marker, proc, &shared).filter(|_| same);
    }
    if shared.is_empty() {
        return None;
    }
    let (name, ty) = random.pick(&shared).clone();
    let mut arguments = vec![name];
    if marker == "replace" {
        for _ in 0..1 + random.below(2) {
            arguments.push(ty.constant(random));
        }
    }
    Some(arguments)
}

fn scalar(ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(element, _) => scalar(element),
        other => other,
    }
}
