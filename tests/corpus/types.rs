//! What a random model is made of before it is text.

use super::random::Random;

/// A type of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    Int(i64, i64),
    /// One of [`DATA`].
    Data(usize),
    Array(Box<Ty>, usize),
    /// A record with the fields of [`RECORD`].
    Record,
    /// A value of the data type with the constructors of [`TAGGED`].
    Tagged,
}

/// The fields of the record `Rec`.
pub const RECORD: [(&str, Ty); 2] = [("f", Ty::Int(0, 1)), ("g", Ty::Bool)];

/// The constructors of the data type `Msg`: some fields share room, and one is a record.
pub const TAGGED: [(&str, &[(&str, Ty)]); 4] = [
    ("Nil", &[]),
    ("One", &[("a", Ty::Int(0, 1))]),
    ("Two", &[("b", Ty::Bool), ("a", Ty::Int(0, 1))]),
    ("Deep", &[("r", Ty::Record)]),
];

/// The declarations of both.
pub fn declarations() -> String {
    let field = |(name, ty): &(&str, Ty)| format!("{name} {}", ty.text());
    let fields: Vec<String> = RECORD.iter().map(field).collect();
    let constructors: Vec<String> = (TAGGED.iter())
        .map(|(name, fields)| match fields {
            [] => (*name).to_owned(),
            _ => {
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("{name}({})", fields.join(", "))
            }
        })
        .collect();
    format!(
        "type Rec struct {{ {} }}\ndata Msg {{ {} }}\n",
        fields.join("; "),
        constructors.join(", ")
    )
}

/// The length of an array that alone makes a state wider than 64 bits. Its elements are read and written, but never all at once.
pub const WIDE: usize = 24;

/// The data types; some constructors belong to two.
pub const DATA: [(&str, &[&str]); 2] = [("Kind", &["Put", "Get"]), ("Level", &["Low", "Put", "G"])];

impl Ty {
    pub fn text(&self) -> String {
        match self {
            Ty::Bool => "bool".into(),
            Ty::Int(0, 1) => "bit".into(),
            Ty::Int(0, 2) => "0..K".into(),
            Ty::Int(lo, hi) => format!("{lo}..{hi}"),
            Ty::Data(d) => DATA[*d].0.into(),
            Ty::Array(element, n) => format!("[{n}]{}", element.text()),
            Ty::Record => "Rec".into(),
            Ty::Tagged => "Msg".into(),
        }
    }

    /// A constant of the type.
    pub fn constant(&self, random: &mut Random) -> String {
        match self {
            Ty::Bool => random.chance(50).to_string(),
            Ty::Int(lo, hi) => random.between(*lo, *hi).to_string(),
            Ty::Data(d) => constructor(*d, random),
            Ty::Array(element, n) => {
                let elements: Vec<String> = (0..*n).map(|_| element.constant(random)).collect();
                format!("[{}]", elements.join(", "))
            }
            Ty::Record => record(&RECORD.map(|(_, ty)| ty.constant(random)), random),
            Ty::Tagged => {
                let (name, fields) = random.pick(&TAGGED);
                let fields: Vec<String> =
                    fields.iter().map(|(_, ty)| ty.constant(random)).collect();
                message(name, &fields)
            }
        }
    }

    pub fn scalar(random: &mut Random) -> Ty {
        match random.below(10) {
            0..3 => Ty::Bool,
            3 => Ty::Data(0),
            4 => Ty::Data(1),
            5 | 6 => Ty::Int(0, 1),
            7 => Ty::Int(-1, 1),
            8 => Ty::Int(1, 2),
            _ => Ty::Int(0, 2),
        }
    }

    pub fn wide() -> Ty {
        Ty::Array(Box::new(Ty::Int(0, 7)), WIDE)
    }

    pub fn is_wide(&self) -> bool {
        matches!(self, Ty::Array(_, WIDE))
    }

    pub fn any(random: &mut Random) -> Ty {
        if random.chance(10) {
            Ty::Record
        } else if random.chance(12) {
            Ty::Tagged
        } else if random.chance(12) {
            Ty::Array(Box::new(Ty::scalar(random)), 2)
        } else {
            Ty::scalar(random)
        }
    }
}

/// A literal of the record with these values.
pub fn record(values: &[String; 2], random: &mut Random) -> String {
    match random.chance(50) {
        true => format!("Rec{{{}, {}}}", values[0], values[1]),
        false => format!(
            "Rec{{{}: {}, {}: {}}}",
            RECORD[1].0, values[1], RECORD[0].0, values[0]
        ),
    }
}

/// A constructor with its fields.
pub fn message(name: &str, fields: &[String]) -> String {
    match fields {
        [] => name.to_owned(),
        _ => format!("{name}({})", fields.join(", ")),
    }
}

/// A constructor, with its type where it could be another's.
pub fn constructor(data: usize, random: &mut Random) -> String {
    let (name, constructors) = DATA[data];
    let constructor = random.pick(constructors);
    if random.chance(30) || ["Put", "G"].contains(constructor) {
        format!("{name}.{constructor}")
    } else {
        (*constructor).into()
    }
}

/// What a channel carries, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// `None` for a rendezvous channel.
    pub capacity: Option<usize>,
    pub fields: Vec<Ty>,
}

impl Link {
    pub fn text(&self) -> String {
        let capacity = self.capacity.map(|n| format!("[{n}] "));
        self.with_capacity(&capacity.unwrap_or_default())
    }

    /// As a parameter that takes any capacity, if it is a buffer.
    pub fn loose_text(&self) -> String {
        match self.capacity {
            Some(_) => self.with_capacity("[] "),
            None => self.text(),
        }
    }

    fn with_capacity(&self, capacity: &str) -> String {
        let fields: Vec<String> = self.fields.iter().map(Ty::text).collect();
        format!("channel {capacity}{{ {} }}", fields.join(", "))
    }
}

/// A channel as a statement names it.
#[derive(Clone, Debug)]
pub struct Channel {
    /// `c0`, or the array of a computed index: `cs`.
    pub name: String,
    /// The length, if it is an array.
    pub array: Option<usize>,
    pub link: Link,
}

/// A variable that may be read.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// Whether it may be written: loop variables and parameters may not.
    pub assignable: bool,
}

/// What a process is to specifications.
#[derive(Clone, Debug, Default)]
pub struct Proc {
    /// Names and types of the variables, `x#2` where there are several.
    pub vars: Vec<(String, Ty)>,
    pub labels: Vec<String>,
    /// Value parameters.
    pub values: Vec<(String, Ty)>,
    /// The durable variables that have a name of their own.
    pub durable: Vec<String>,
}
