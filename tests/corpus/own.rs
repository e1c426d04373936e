//! Faults that random models define themselves.

use super::random::Random;
use super::types::{Link, Proc, Ty};

/// What a definition is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// A variable of any single type.
    Any,
    /// A truth value.
    Truth,
    /// An integer.
    Integer,
    /// An integer or a truth value, and a constant of its type.
    WithConstant,
    /// Two variables of one type.
    Two,
    Label,
    /// A channel, whatever its messages.
    Channel,
    /// A channel of single values.
    Single,
    /// A channel of single integers.
    Integers,
    /// A channel of single integers, and a constant of their type.
    IntegersWithConstant,
}

/// The definitions: their names, what they are about, whether they can be `always` (what happens at any time cannot), and their texts.
const DEFINITIONS: [(&str, About, bool, &str); 12] = [
    (
        "own_stick",
        About::Any,
        true,
        "(x var) on process { at write(x, _) { skip } }",
    ),
    (
        "own_lie",
        About::Truth,
        false,
        "(x var) on process { at write(x, v) if v { x = !v }; anytime { x = !x } }",
    ),
    (
        "own_guess",
        About::Two,
        true,
        "(x var, y var) on process { at write(x, v) if v != y { x = any; y = v } }",
    ),
    (
        "own_over",
        About::Integer,
        true,
        "(x var) on process { at write(x, v) { x = v + 1 } }",
    ),
    (
        "own_crash",
        About::Any,
        true,
        "(x var) on process { at write(x, v) if v == x { crash } }",
    ),
    (
        "own_place",
        About::Label,
        false,
        "(place label) on process { at reached(place) { crash } }",
    ),
    (
        "own_quiet",
        About::WithConstant,
        true,
        "(x var, k const) on process { at send if x == k { skip } }",
    ),
    (
        "own_deaf",
        About::Any,
        true,
        "(x var) on process { at recv { x = any } }",
    ),
    (
        "own_forget",
        About::Channel,
        true,
        "() on channel { at recv { skip } }",
    ),
    (
        "own_lose",
        About::IntegersWithConstant,
        true,
        "(k const) on channel { at send(m) if m != k { skip } }",
    ),
    (
        "own_wrong",
        About::Single,
        true,
        "() on channel { at send(_) { send(any) } }",
    ),
    (
        "own_next",
        About::Integers,
        true,
        "() on channel { at send(m) if m < 1 { send(m + 1) } }",
    ),
];

fn of(marker: &str) -> Option<(About, bool, &'static str)> {
    let found = DEFINITIONS.iter().find(|(name, ..)| *name == marker)?;
    Some((found.1, found.2, found.3))
}

/// Whether a marker is one of these.
pub fn is_own(marker: &str) -> bool {
    of(marker).is_some()
}

/// Whether it can happen at every occasion.
pub fn can_always(marker: &str) -> bool {
    of(marker).is_some_and(|(_, always, _)| always)
}

/// The definitions that a text uses.
pub fn definitions(text: &str) -> String {
    let names = DEFINITIONS.iter().map(|(name, ..)| *name);
    let used = names.filter(|name| text.contains(&format!("@{name}")));
    used.map(|name| format!("fault {name}{}\n", of(name).expect("it is one").2))
        .collect()
}

/// Whether a marker can stand on a process.
pub fn on_process(marker: &str) -> bool {
    of(marker).is_some_and(|(about, ..)| {
        !matches!(
            about,
            About::Channel | About::Single | About::Integers | About::IntegersWithConstant
        )
    })
}

/// Whether a marker can stand on a channel.
pub fn on_channel(marker: &str, link: &Link) -> bool {
    let single = |fits: fn(&Ty) -> bool| matches!(link.fields.as_slice(), [ty] if fits(ty));
    of(marker).is_some_and(|(about, ..)| match about {
        About::Channel => true,
        About::Single => single(|ty| !matches!(ty, Ty::Record | Ty::Tagged | Ty::Array(..))),
        About::Integers | About::IntegersWithConstant => single(|ty| matches!(ty, Ty::Int(..))),
        _ => false,
    })
}

/// The arguments of a marker on a channel.
pub fn of_channel(random: &mut Random, marker: &str, link: &Link) -> Vec<String> {
    match of(marker) {
        Some((About::IntegersWithConstant, ..)) => vec![link.fields[0].constant(random)],
        _ => Vec::new(),
    }
}

/// The arguments of a marker on processes that share these variables.
pub fn of_process(
    random: &mut Random,
    marker: &str,
    proc: &Proc,
    shared: &[(String, Ty)],
) -> Option<Vec<String>> {
    let (about, ..) = of(marker)?;
    if about == About::Label {
        let labels = &proc.labels;
        return (!labels.is_empty()).then(|| vec![random.pick(labels).clone()]);
    }
    let fits = |ty: &Ty| match about {
        About::Truth => matches!(ty, Ty::Bool),
        About::Integer => matches!(ty, Ty::Int(..)),
        About::WithConstant => matches!(ty, Ty::Int(..) | Ty::Bool),
        _ => !matches!(ty, Ty::Array(..) | Ty::Record | Ty::Tagged),
    };
    let mut fitting: Vec<(String, Ty)> = shared.iter().filter(|(_, t)| fits(t)).cloned().collect();
    if fitting.is_empty() {
        return None;
    }
    let first = fitting.remove(random.below(fitting.len()));
    match about {
        About::Two => {
            fitting.retain(|(_, ty)| *ty == first.1);
            (!fitting.is_empty()).then(|| vec![first.0, random.pick(&fitting).0.clone()])
        }
        About::WithConstant => Some(vec![first.0, first.1.constant(random)]),
        _ => Some(vec![first.0]),
    }
}
