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
    /// Other constants of both.
    pub constants: &'static [(&'static str, u32)],
    /// The sizes, smallest and largest that is tried.
    pub sizes: (u32, u32),
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
    /// The constants of the model with their values.
    pub fn constants(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let size = (self.family.size, self.size);
        self.variant.constants.iter().copied().chain([size])
    }
}

/// All families.
pub const FAMILIES: &[Family] = &[Family {
    name: "two_phase",
    title: "two-phase commit with N workers",
    size: "N",
    spin: "two_phase.pml",
    property: "agreement",
    variants: &[
        Variant {
            name: "none",
            model: "two_phase.sdl",
            faults: "",
            defines: &[],
            constants: &[],
            sizes: (2, 24),
        },
        Variant {
            name: "timeout",
            model: "two_phase_timeout.sdl",
            faults: "",
            defines: &["TIMEOUT"],
            constants: &[],
            sizes: (2, 24),
        },
        Variant {
            name: "drop",
            model: "two_phase.sdl",
            faults: "@drop",
            defines: &["DROP"],
            constants: &[],
            sizes: (2, 24),
        },
        Variant {
            name: "shutdown",
            model: "two_phase.sdl",
            faults: "@shutdown",
            defines: &["SHUTDOWN"],
            constants: &[],
            sizes: (2, 24),
        },
        Variant {
            name: "all",
            model: "two_phase_timeout.sdl",
            faults: "@drop,@shutdown",
            defines: &["TIMEOUT", "DROP", "SHUTDOWN"],
            constants: &[],
            sizes: (2, 24),
        },
    ],
}];
