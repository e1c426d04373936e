//! What every stage from the parser to the report speaks of in the same words: numbers of things, names of
//! values, temporal operators.

use crate::source::Span;

/// A `data` type of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DataId(pub u32);

/// A channel of a model; every element of a channel array is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelId(pub u32);

/// A process instance of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcessId(pub u32);

/// A label of one process; numbered per process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// A marked fault of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FaultId(pub u32);

/// `data D { A, B }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    /// `D`
    pub name: String,
    /// `A`, `B`; at least one.
    pub constructors: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Prefix temporal operators of LTL and CTL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum TemporalOp {
    X,
    G,
    F,
    Y,
    Z,
    H,
    O,
    AX,
    AG,
    AF,
    EX,
    EG,
    EF,
}

impl TemporalOp {
    /// Its letters.
    pub fn as_str(self) -> &'static str {
        match self {
            TemporalOp::X => "X",
            TemporalOp::G => "G",
            TemporalOp::F => "F",
            TemporalOp::Y => "Y",
            TemporalOp::Z => "Z",
            TemporalOp::H => "H",
            TemporalOp::O => "O",
            TemporalOp::AX => "AX",
            TemporalOp::AG => "AG",
            TemporalOp::AF => "AF",
            TemporalOp::EX => "EX",
            TemporalOp::EG => "EG",
            TemporalOp::EF => "EF",
        }
    }
}

/// CTL path quantifiers before `( p U q )`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathOp {
    /// `A`
    All,
    /// `E`
    Exists,
}
