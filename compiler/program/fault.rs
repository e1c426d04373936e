//! Kinds of faults, as far as checking a model needs to know them. Which there are is not known here: the
//! weaver's table has a row for each, and hands them to [`check`](super::check).

use std::borrow::Cow;

/// A kind of fault: what its marker may stand on and take, and what is odd about it. A model may define kinds of its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FaultKind {
    /// The marker, without `@`.
    pub name: Cow<'static, str>,
    /// What it does, for those who ask about a marker; one that the model defines says so itself.
    pub does: &'static str,
    /// Other names of the marker.
    pub aliases: &'static [Alias],
    /// Words that other tools and papers have for it: no markers, but it is plain what they mean.
    pub meant_by: &'static [&'static str],
    /// What can be marked with it.
    pub marks: Marks,
    /// What its marker takes in parentheses, besides the timing that every marker takes.
    pub takes: Takes,
    /// What the marked entry must do for it to happen at all.
    pub happens: Happens,
    /// The kinds, by name, that can do nothing which it cannot do too: of the two one entry takes only one.
    pub includes: &'static [&'static str],
    /// Whether it may put any message of the channel's type, or any value of the variable's, in the place of another.
    pub any_value: bool,
    /// Whether a process that suffers it has crashed.
    pub crashes: bool,
    /// What it says about time without being told.
    pub manner: Manner,
}

/// Another name of a marker.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Alias {
    /// The name, without `@`.
    pub name: &'static str,
    /// What those may not expect who use it; the model is warned with it.
    pub warning: Option<&'static str>,
}

/// What a fault can be a fault of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Marks {
    /// A process.
    Process,
    /// Any channel.
    Channel,
    /// A channel with a buffer.
    BufferedChannel,
    /// A channel with a buffer that keeps its messages in order.
    OrderedChannel,
    /// A failure detector.
    Detector,
}

/// What a marker takes in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// `loses = [x]`: durable variables of the process.
    Losses,
    /// A variable of the process, and what else.
    Variable(AboutVariable),
    /// What the parameters of its definition ask for.
    Arguments,
}

/// What a marker takes about a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AboutVariable {
    /// Whether it must be a single `bool` or `bit`.
    pub boolean: bool,
    /// Whether it must be no array: an element of one, or a plain variable.
    pub single: bool,
    /// The fewest and the most values that may follow it.
    pub values: (usize, usize),
    /// Whether it takes `at = v`.
    pub at: bool,
}

impl AboutVariable {
    /// A variable, perhaps an array.
    pub const WHOLE: AboutVariable = AboutVariable {
        boolean: false,
        single: false,
        values: (0, 0),
        at: false,
    };
    /// A single value.
    pub const SINGLE: AboutVariable = AboutVariable {
        single: true,
        ..AboutVariable::WHOLE
    };
}

/// What a marker says about time without being told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Manner {
    /// Whether it can take `always`: what it does replaces what would be done otherwise.
    pub can_always: bool,
    /// Whether it is `always, from = any, until = any`.
    pub lasting: bool,
}

impl Manner {
    /// Sometimes, or `always` if it is asked for.
    pub const REPLACES: Manner = Manner {
        can_always: true,
        lasting: false,
    };
    /// Never at every trigger.
    pub const SOMETIMES: Manner = Manner {
        can_always: false,
        lasting: false,
    };
    /// All the time while it lasts.
    pub const LASTING: Manner = Manner {
        can_always: true,
        lasting: true,
    };
}

/// When a fault can happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Happens {
    /// While a process runs, or a detector watches one.
    AtStatements,
    /// When a message is sent.
    AtSends,
    /// When a message is received.
    AtReceives,
    /// When a variable is written.
    AtWrites,
}

/// For rows of a table of faults: what is not said is that nothing is special.
impl FaultKind {
    /// A kind of this name: what it marks, and when it happens. It takes nothing but timing, and happens now and then.
    pub const fn new(name: &'static str, marks: Marks, happens: Happens) -> FaultKind {
        FaultKind {
            name: Cow::Borrowed(name),
            does: "",
            aliases: &[],
            meant_by: &[],
            marks,
            takes: Takes::Nothing,
            happens,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::SOMETIMES,
        }
    }

    /// With other names of the marker.
    pub const fn aliases(mut self, aliases: &'static [Alias]) -> FaultKind {
        self.aliases = aliases;
        self
    }

    /// With words that others have for it.
    pub const fn meant_by(mut self, words: &'static [&'static str]) -> FaultKind {
        self.meant_by = words;
        self
    }

    /// With something in parentheses.
    pub const fn takes(mut self, takes: Takes) -> FaultKind {
        self.takes = takes;
        self
    }

    /// With kinds that can do nothing which it cannot do.
    pub const fn includes(mut self, kinds: &'static [&'static str]) -> FaultKind {
        self.includes = kinds;
        self
    }

    /// It may put any value in the place of another.
    pub const fn with_any_value(mut self) -> FaultKind {
        self.any_value = true;
        self
    }

    /// Who suffers it has crashed.
    pub const fn crashing(mut self) -> FaultKind {
        self.crashes = true;
        self
    }

    /// With words for those who ask what it does.
    pub const fn does(mut self, does: &'static str) -> FaultKind {
        self.does = does;
        self
    }

    /// With something to say about time.
    pub const fn manner(mut self, manner: Manner) -> FaultKind {
        self.manner = manner;
        self
    }
}

impl FaultKind {
    /// Whether a marker with this name means it.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// Its name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.name).chain(self.aliases.iter().map(|alias| alias.name))
    }

    /// Whether of this kind and another the first can do all that the second can.
    pub fn can_do_all_of(&self, other: &FaultKind) -> bool {
        self.includes.contains(&&*other.name)
    }
}

impl Marks {
    /// Whether a process can be marked.
    pub fn process(self) -> bool {
        self == Marks::Process
    }

    /// Whether a channel with or without a buffer, which may be a bag, can be marked.
    pub fn channel(self, buffered: bool, bag: bool) -> bool {
        match self {
            Marks::Process | Marks::Detector => false,
            Marks::Channel => true,
            Marks::BufferedChannel => buffered,
            Marks::OrderedChannel => buffered && !bag,
        }
    }

    /// `a process`
    pub fn as_str(self) -> &'static str {
        match self {
            Marks::Process => "a process",
            Marks::Channel => "a channel",
            Marks::Detector => "a detector",
            Marks::BufferedChannel | Marks::OrderedChannel => "a buffered channel",
        }
    }
}
