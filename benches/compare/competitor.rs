//! Who is compared, and how each is measured on an instance.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::family::Instance;
use crate::measurement::Measurement;
use crate::nusmv;
use crate::ours::{self, Mode};
use crate::process::Limits;
use crate::spin::{self, Sizing};

/// Who searches, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Spin, with its partial-order reduction or without.
    Spin {
        /// With it.
        reduction: bool,
    },
    /// NuSMV on our modules.
    Nusmv,
    /// Ourselves.
    Ours(Mode),
}

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Competitor {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

impl Competitor {
    /// Whether it goes as far as it can: Spin as everybody uses it, and ourselves on so many cores.
    pub fn goes_far(&self, cores: usize) -> bool {
        match self.kind {
            Kind::Spin { reduction } => reduction,
            Kind::Nusmv => false,
            Kind::Ours(mode) => mode.is_default() && mode.threads == cores,
        }
    }
}

/// All of them, on a machine with so many cores.
pub fn all(cores: usize) -> Vec<Competitor> {
    let mut found = Vec::new();
    let mut add = |name: &str, kind: Kind| {
        let name = name.to_string();
        found.push(Competitor { name, kind });
    };
    let ours = |reduction, symmetry, threads| {
        Kind::Ours(Mode {
            reduction,
            symmetry,
            threads,
        })
    };
    add("spin", Kind::Spin { reduction: true });
    add("spin-noreduce", Kind::Spin { reduction: false });
    add("nusmv", Kind::Nusmv);
    add("sandalc-plain", ours(false, false, 1));
    add("sandalc-reduction", ours(true, false, 1));
    add("sandalc-symmetry", ours(false, true, 1));
    add("sandalc", ours(true, true, 1));
    if cores > 1 {
        add(
            &format!("sandalc-plain-x{cores}"),
            ours(false, false, cores),
        );
        add(&format!("sandalc-x{cores}"), ours(true, true, cores));
    }
    found
}

/// The programs, their limits, and what is known of them from earlier runs.
pub struct Field {
    /// The root of the repository.
    pub root: PathBuf,
    /// What each run may use.
    pub limits: Limits,
    /// What a run of somebody may use whose largest sizes are compared.
    pub far: Limits,
    /// How many cores there are.
    pub cores: usize,
    /// How often a short run is repeated.
    pub rounds: usize,
    /// NuSMV, if it takes part.
    pub nusmv: Option<PathBuf>,
    /// Whether Spin takes part.
    pub has_spin: bool,
    spin_base: u64,
    our_base: u64,
    sizings: HashMap<(String, String, bool), Vec<Sizing>>,
}

impl Field {
    /// Finds the programs that the competitors need.
    pub fn new(
        root: PathBuf,
        competitors: &[Competitor],
        (limits, far): (Limits, Limits),
        rounds: usize,
        cores: usize,
    ) -> Result<Self, String> {
        let any = |wanted: fn(&Kind) -> bool| competitors.iter().any(|c| wanted(&c.kind));
        let has_spin = any(|kind| matches!(kind, Kind::Spin { .. }));
        let spin_base = match has_spin {
            true => spin::find().and_then(|()| spin::base())?,
            false => 0,
        };
        let nusmv = match any(|kind| matches!(kind, Kind::Nusmv)) {
            true => Some(nusmv::find(&root)?),
            false => None,
        };
        let our_base = ours::base(&root)?;
        Ok(Field {
            root,
            limits,
            far,
            cores,
            rounds,
            nusmv,
            has_spin,
            spin_base,
            our_base,
            sizings: HashMap::new(),
        })
    }

    /// Measures a competitor on an instance: the best of a few short runs, or one long one.
    pub fn measure(&mut self, who: &Competitor, instance: Instance) -> Result<Measurement, String> {
        let limits = match who.goes_far(self.cores) {
            true => self.far,
            false => self.limits,
        };
        match who.kind {
            Kind::Spin { reduction } => self.spin(instance, reduction, limits),
            Kind::Nusmv => {
                let tool = self.nusmv.as_ref().ok_or("NuSMV takes no part")?;
                let root = &self.root;
                best(self.rounds, || nusmv::measure(root, tool, instance, limits))
            }
            Kind::Ours(mode) => best(self.rounds, || {
                ours::measure(&self.root, instance, mode, limits, self.our_base)
            }),
        }
    }

    fn spin(
        &mut self,
        instance: Instance,
        reduction: bool,
        limits: Limits,
    ) -> Result<Measurement, String> {
        let model = self.root.join("benches/spin").join(instance.family.spin);
        let options = spin::options(instance);
        let key = (
            instance.family.name.to_string(),
            instance.variant.name.to_string(),
            reduction,
        );
        let known = self.sizings.entry(key).or_default();
        let mut sizing = predict(known);
        let base = self.spin_base;
        let measured = best(self.rounds, || {
            let verifier = spin::compile(&model, &options, reduction, false, limits)?;
            // Ends that are no ends are not looked for: we do not look for deadlocks either.
            let (measured, found) = verifier.well_sized_search(sizing, &["-E"], limits, base)?;
            sizing = found;
            Ok(measured)
        })?;
        known.push(sizing);
        Ok(measured)
    }
}

/// What the next size needs if it grows as before, or a little more.
fn predict(known: &[Sizing]) -> Sizing {
    match known {
        [] => Sizing::default(),
        [one] => Sizing {
            states: one.states * 4,
            depth: one.depth * 4,
        },
        [.., before, last] => {
            let grown =
                |a: u64, b: u64| (b as f64 * (b as f64 / a.max(1) as f64) * 1.1) as u64 + 64;
            Sizing {
                states: grown(before.states, last.states),
                depth: grown(before.depth, last.depth),
            }
        }
    }
}

/// Runs that took longer than this are not repeated.
const LONG: f64 = 3.0;

fn best(
    rounds: usize,
    mut run: impl FnMut() -> Result<Measurement, String>,
) -> Result<Measurement, String> {
    let mut best = run()?;
    for _ in 1..rounds {
        if best.seconds > LONG || best.answer.is_over() {
            break;
        }
        best = best.best(run()?);
    }
    Ok(best)
}
