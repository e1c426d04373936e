//! What is compared: families of models that grow, each in our language and in Spin's.

/// Models that differ by what may go wrong and by a size.
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// The constant that grows.
    pub size: &'static str,
    /// The Promela model in `benches/spin/`.
    pub spin: &'static str,
    /// Options for `spin` itself.
    pub spin_options: &'static [&'static str],
    /// The invariant that is checked; Spin has it as an assertion.
    pub property: &'static str,
    /// The versions of it.
    pub variants: &'static [Variant],
}

/// A family with certain faults.
pub struct Variant {
    /// Its name in the table.
    pub name: &'static str,
    /// The model in `benches/models/`.
    pub model: &'static str,
    /// For `--faults`; nothing means none.
    pub faults: &'static str,
    /// What Spin's preprocessor is told.
    pub defines: &'static [&'static str],
    /// The sizes that are tried: from, to, in steps of.
    pub sizes: (u32, u32, u32),
}

/// One model of a size.
#[derive(Clone, Copy)]
pub struct Instance {
    /// What it belongs to.
    pub family: &'static Family,
    /// With which faults.
    pub variant: &'static Variant,
    /// Its size.
    pub size: u32,
}

impl Instance {
    /// The constant of the model that is its size: `N=3`.
    pub fn constant(&self) -> String {
        format!("{}={}", self.family.size, self.size)
    }
}

/// A version that grows from one size to another.
const fn variant(
    name: &'static str,
    model: &'static str,
    faults: &'static str,
    defines: &'static [&'static str],
    sizes: (u32, u32, u32),
) -> Variant {
    Variant {
        name,
        model,
        faults,
        defines,
        sizes,
    }
}

const WORKERS: (u32, u32, u32) = (2, 30, 1);
const NODES: (u32, u32, u32) = (3, 30, 1);
const TERMS: (u32, u32, u32) = (1, 9, 1);
const CAPACITY: (u32, u32, u32) = (2, 66, 4);

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "two_phase",
        title: "two-phase commit, N workers",
        size: "N",
        spin: "two_phase.pml",
        spin_options: &[],
        property: "agreement",
        variants: &[
            variant("none", "two_phase.sdl", "", &[], (2, 30, 2)),
            variant(
                "timeout",
                "two_phase_timeout.sdl",
                "",
                &["TIMEOUT"],
                WORKERS,
            ),
            variant("drop", "two_phase.sdl", "@drop", &["DROP"], WORKERS),
            variant(
                "shutdown",
                "two_phase.sdl",
                "@shutdown",
                &["SHUTDOWN"],
                WORKERS,
            ),
            variant(
                "all",
                "two_phase_timeout.sdl",
                "@drop,@shutdown",
                &["TIMEOUT", "DROP", "SHUTDOWN"],
                WORKERS,
            ),
        ],
    },
    Family {
        name: "abp",
        title: "alternating bit, channels of capacity K",
        size: "K",
        spin: "abp.pml",
        spin_options: &[],
        property: "delivered",
        variants: &[
            variant("none", "abp.sdl", "", &[], CAPACITY),
            variant(
                "lossy",
                "abp.sdl",
                "@drop,@duplicate",
                &["FAULTS"],
                CAPACITY,
            ),
        ],
    },
    Family {
        name: "ring",
        title: "leader election in a ring, N nodes",
        size: "N",
        spin: "ring.pml",
        spin_options: &[],
        property: "largest",
        variants: &[
            variant("none", "ring.sdl", "", &[], (3, 31, 2)),
            variant("shutdown", "ring.sdl", "@shutdown", &["SHUTDOWN"], NODES),
        ],
    },
    Family {
        name: "raft",
        title: "Raft-like election, 3 nodes, T terms",
        size: "T",
        spin: "raft.pml",
        // A message to a full channel is lost.
        spin_options: &["-m"],
        property: "one_leader",
        variants: &[
            variant("none", "raft.sdl", "", &[], TERMS),
            variant("shutdown", "raft.sdl", "@shutdown", &["SHUTDOWN"], TERMS),
        ],
    },
];
