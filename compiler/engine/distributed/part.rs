//! The part of one process in a search: what it does at every step of it, and what it tells the others.

use serde::{Deserialize, Serialize};

use super::desk::{Desk, PARCEL, Reason, pack, unpack};
use super::journal::{Journal, Unreadable};
use super::mesh::{Broken, Mesh, exchange};
use super::{owner, shortest, weightiest};
use crate::engine::expand::{Built, Standing};
use crate::engine::explorer::{Explorer, Level};
use crate::engine::model::Select;
use crate::engine::safety::Question;
use crate::engine::searchers::Searchers;
use crate::engine::space::Exhausted;
use crate::engine::store::{Batch, hash};
use crate::engine::trace::{self, Target};
use crate::engine::{Options, Outlook};
use crate::system::print::{self, fingerprint};
use crate::system::state;
use crate::verdict::Run;

/// A search as one of the processes sees it.
pub struct Part<'m, const W: usize> {
    mesh: &'m mut dyn Mesh,
    journal: Option<&'m mut dyn Journal>,
    /// How many levels can be read instead of being built.
    written: u64,
    /// What all have found.
    all: All,
    /// How many states all have found in the level that was built last.
    fresh: u64,
    /// A state that its owner knows.
    known: [u64; W],
}

/// What all have found together.
#[derive(Clone, Copy, Default)]
pub struct All {
    /// States.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Bytes in use.
    pub memory: u64,
    /// Bytes sent.
    pub bytes: u64,
}

/// What each tells the others before the first level.
#[derive(Serialize, Deserialize)]
struct Ready {
    /// What it is going to search.
    search: u64,
    /// Whether it can begin.
    able: bool,
    /// How many initial states are its own.
    states: u64,
    /// How many levels it has written down.
    written: u64,
}

/// What each tells the others at the end of a level.
#[derive(Clone, Serialize, Deserialize)]
struct Told {
    /// How far away the level is.
    faults: u32,
    steps: u32,
    /// New states.
    states: u64,
    transitions: u64,
    /// For each question, whether its goal was met.
    met: Vec<bool>,
    /// Bytes in use.
    memory: u64,
    /// Bytes sent since the search has begun.
    bytes: u64,
    /// Why it could not build the level, if it could not.
    ended: Option<Reason>,
}

impl<'m, const W: usize> Part<'m, W> {
    /// One that has not begun.
    pub fn new(mesh: &'m mut dyn Mesh, journal: Option<&'m mut dyn Journal>) -> Self {
        Part {
            mesh,
            journal,
            written: 0,
            all: All::default(),
            fresh: 0,
            known: [0; W],
        }
    }

    /// Which states are its own, by their hashes.
    pub fn owns(&self) -> impl Fn(u64) -> bool + use<W> {
        let (here, processes) = (self.mesh.index(), self.mesh.processes());
        move |hash| owner(hash, processes) == here
    }

    /// What all have found.
    pub fn all(&self) -> All {
        self.all
    }

    /// How many search.
    pub fn processes(&self) -> usize {
        self.mesh.processes()
    }

    /// Begins together with the others, if all can, and search the same.
    pub fn begin(
        &mut self,
        explorer: Option<&Explorer<'_, W>>,
        wanted: &[usize],
        options: &Options<'_>,
    ) -> Result<(), Exhausted> {
        let shortcuts = (options.reduction, options.symmetry, options.by_faults);
        let processes = self.mesh.processes();
        let search = explorer.map_or(0, |explorer| {
            let system = fingerprint(&print::system(explorer.system));
            fingerprint(&format!("{system} {wanted:?} {shortcuts:?} {processes}"))
        });
        let written = match (&mut self.journal, explorer) {
            (Some(journal), Some(_)) => journal.open(search),
            _ => 0,
        };
        let ready = Ready {
            search,
            able: explorer.is_some(),
            states: explorer.map_or(0, Explorer::states),
            written,
        };
        let said = exchange(self.mesh, &ready).map_err(|Broken| Exhausted::Stopped)?;
        if said.iter().any(|other| !other.able) {
            return Err(Exhausted::Memory);
        }
        if said.iter().any(|other| other.search != search) {
            // Somebody had no time to simplify it as far as the others.
            return Err(Exhausted::Stopped);
        }
        self.all.states = said.iter().map(|other| other.states).sum();
        self.written = said.iter().map(|other| other.written).min().unwrap_or(0);
        if let Some(journal) = &mut self.journal {
            journal.keep(self.written);
        }
        if let Some(explorer) = explorer
            && let Some(first) = state::initials(explorer.system).next()
        {
            self.known = explorer.pack(&first);
            let shortcuts = &explorer.shortcuts;
            shortcuts.arrange(&mut self.known, &mut shortcuts.room());
        }
        Ok(())
    }
}

impl<const W: usize> Searchers<W> for Part<'_, W> {
    fn join(&mut self, met: &mut [bool]) -> Result<(), Exhausted> {
        let said = exchange(self.mesh, &met.to_vec()).map_err(|Broken| Exhausted::Stopped)?;
        for other in said {
            let both = met.iter_mut().zip(other);
            both.for_each(|(all, one)| *all |= one);
        }
        Ok(())
    }

    fn build(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        level: Level,
        sources: &[(usize, Select)],
        questions: &[Question],
        work: &mut u64,
        go_on: &mut dyn FnMut(Standing) -> bool,
    ) -> Built {
        let nothing = Built {
            met: vec![false; questions.len()],
            ended: Err(Exhausted::Stopped),
        };
        let known = explorer.known.store.len();
        let read = self.written > 0;
        let told = match read {
            true => {
                self.written -= 1;
                self.read(explorer, level, questions.len())
            }
            false => self.expand(explorer, level, sources, questions, work, go_on),
        };
        let Ok(told) = told else {
            return nothing;
        };
        let Ok(said) = exchange(self.mesh, &told) else {
            return nothing;
        };
        self.fresh = said.iter().map(|told| told.states).sum();
        self.all.states += self.fresh;
        self.all.transitions += said.iter().map(|told| told.transitions).sum::<u64>();
        let memory = said.iter().map(|told| told.memory).sum();
        self.all.memory = self.all.memory.max(memory);
        self.all.bytes = said.iter().map(|told| told.bytes).sum();
        let mut met = vec![false; questions.len()];
        for other in &said {
            let both = met.iter_mut().zip(&other.met);
            both.for_each(|(all, one)| *all |= one);
        }
        let reasons = said.iter().filter_map(|told| told.ended);
        let ended = weightiest(reasons.map(Exhausted::from));
        if ended.is_none() && !read {
            self.write(explorer, &told, known);
        }
        let too_many = self.all.states > explorer.known.store.limits().states;
        let ended = ended.or(too_many.then_some(Exhausted::States));
        Built {
            met,
            ended: ended.map_or(Ok(()), Err),
        }
    }

    fn end_level(&mut self, explorer: &mut Explorer<'_, W>, level: Level) -> Result<(), Exhausted> {
        match self.fresh {
            0 => Ok(()),
            _ => explorer.end_level(level),
        }
    }

    fn states(&self, _: &Explorer<'_, W>) -> u64 {
        self.all.states
    }

    /// Nobody knows the levels of the others.
    fn outlook(&self, _: &Explorer<'_, W>) -> Option<Outlook> {
        None
    }

    fn run_to(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        target: Target,
        options: &Options<'_>,
    ) -> Option<Run> {
        let mesh = &mut *self.mesh;
        if !explorer.shortcuts.any() {
            let found = shortest::shortest(mesh, explorer, target, options.limits.memory);
            return found.unwrap_or(None);
        }
        let mut lost = false;
        let run = trace::some(explorer, target, options.by_faults, &mut |least| {
            let said = match lost {
                true => Err(Broken),
                false => exchange(mesh, &least.map(|words| words.to_vec())),
            };
            lost = said.is_err();
            let offered = said.ok()?.into_iter().flatten();
            offered.filter_map(|words| words.try_into().ok()).min()
        });
        run.filter(|_| !lost)
    }
}

impl<const W: usize> Part<'_, W> {
    /// Expands the states of some levels that are its own, and takes in what others find, until all are done.
    fn expand(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        level: Level,
        sources: &[(usize, Select)],
        questions: &[Question],
        work: &mut u64,
        go_on: &mut dyn FnMut(Standing) -> bool,
    ) -> Result<Told, Broken> {
        let ranges = sources
            .iter()
            .map(|(from, select)| (explorer.known.range(*from, 0), *select));
        let todo: Vec<_> = ranges.collect();
        let begun = explorer.states();
        let mut scratch = explorer.model.scratch();
        let mut room = explorer.shortcuts.room();
        let mut desk = Desk {
            scratch: explorer.model.scratch(),
            model: &explorer.model,
            store: &mut explorer.known.store,
            recent: &mut explorer.recent[0],
            questions,
            out: vec![Vec::new(); self.mesh.processes()],
            mesh: &mut *self.mesh,
            go_on,
            met: vec![false; questions.len()],
            batch: Batch::default(),
            others: self.all.states - begun,
            left: todo.iter().map(|(range, _)| range.len() as u64).sum(),
            begun,
            transitions: 0,
            work: *work,
            ended: None,
        };
        desk.recent.make_room(desk.store.len(), &self.known);
        'all: for (range, select) in todo {
            for index in range {
                if desk.is_over() {
                    break 'all;
                }
                desk.left -= 1;
                let number = desk.store.number(0, index);
                desk.expand(number, select, &explorer.shortcuts, &mut scratch, &mut room)?;
            }
        }
        desk.finish()?;
        *work = desk.work;
        let Desk {
            met,
            transitions,
            ended,
            ..
        } = desk;
        explorer.transitions += transitions;
        Ok(Told {
            faults: level.faults,
            steps: level.steps,
            states: explorer.states() - begun,
            transitions,
            met,
            memory: explorer.memory() as u64,
            bytes: self.mesh.bytes(),
            ended,
        })
    }

    /// Writes down what was found in a level, which are the states after so many others.
    fn write(&mut self, explorer: &Explorer<'_, W>, told: &Told, known: usize) {
        let Some(journal) = &mut self.journal else {
            return;
        };
        journal.write(&serde_json::to_vec(told).unwrap_or_default());
        let bytes = explorer.model.layout.bytes;
        let mut piece = Vec::with_capacity(PARCEL + bytes);
        for number in explorer
            .known
            .store
            .numbers(0, known as u32..explorer.known.store.added(0))
        {
            pack(&mut piece, &explorer.known.store.load(number), bytes);
            if piece.len() >= PARCEL {
                journal.write(&piece);
                piece.clear();
            }
        }
        if !piece.is_empty() {
            journal.write(&piece);
        }
        journal.end();
    }

    /// Reads what was found in a level, instead of finding it.
    fn read(
        &mut self,
        explorer: &mut Explorer<'_, W>,
        level: Level,
        questions: usize,
    ) -> Result<Told, Broken> {
        let begun = explorer.states();
        let read = match &mut self.journal {
            Some(journal) => read_level(*journal, explorer),
            None => Err(Exhausted::Stopped),
        };
        let (mut told, ended) = match read {
            Ok(told) => (Some(told), None),
            Err(why) => (None, Some(why)),
        };
        // It was written by another search if it is not what is looked for.
        let fits = |told: &Told| {
            (told.faults, told.steps) == (level.faults, level.steps)
                && told.met.len() == questions
                && told.states == explorer.states() - begun
        };
        told = told.filter(fits);
        let ended = ended.or(told.is_none().then_some(Exhausted::Stopped));
        Ok(Told {
            faults: level.faults,
            steps: level.steps,
            states: explorer.states() - begun,
            transitions: told.as_ref().map_or(0, |told| told.transitions),
            met: told.map_or(vec![false; questions], |told| told.met),
            memory: explorer.memory() as u64,
            bytes: self.mesh.bytes(),
            ended: ended.map(Reason::from),
        })
    }
}

/// Takes in the states of a level from where they are written.
fn read_level<const W: usize>(
    journal: &mut dyn Journal,
    explorer: &mut Explorer<'_, W>,
) -> Result<Told, Exhausted> {
    let unreadable = |Unreadable| Exhausted::Stopped;
    let head = journal.read().map_err(unreadable)?.unwrap_or_default();
    let told = serde_json::from_slice(&head).map_err(|_| Exhausted::Stopped)?;
    let mut batch = Batch::default();
    while let Some(piece) = journal.read().map_err(unreadable)? {
        for words in unpack(&piece, explorer.model.layout.bytes) {
            batch.push_hashed(words, hash(&words));
        }
        explorer.known.store.add_all(&mut batch, |_, _| {})?;
        batch.clear();
    }
    Ok(told)
}
