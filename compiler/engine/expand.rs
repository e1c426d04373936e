//! Building one level of the safety search from the levels that lead to it, on one thread or several.
//!
//! Every store is filled by one thread, which also expands the states in it. A successor that belongs to the store of
//! another thread is sent there, in blocks. So no two threads ever touch the same memory, and which states a level has
//! does not depend on timing, nor on how many threads there are.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use super::code::Scratch;
use super::explorer::{Explorer, store_of};
use super::model::{EdgeCode, Model, Select};
use super::recent::Recent;
use super::safety::Question;
use super::shortcuts::{Room, Shortcuts};
use super::space::Exhausted;
use super::store::{Batch, Store, hash};
use super::trace::Goal;

/// States are looked up in batches of about so many.
const BATCH: usize = 64;

/// Successors go to other threads in blocks of about so many, of which so many may wait.
const BLOCK: usize = if cfg!(test) { 3 } else { 256 };
const WAITING: usize = if cfg!(test) { 2 } else { 64 };

/// One that can neither send nor go on looks again after a while.
const PAUSE: Duration = Duration::from_micros(200);

/// After so many successors the caller is asked whether to go on.
const POLL: u64 = 16_384;

/// With fewer states to expand per thread they are not worth starting; in tests they are.
const WORTH: u64 = if cfg!(test) { 4 } else { 2048 };

/// What building a level found out.
pub struct Built {
    /// For each question, whether its goal was met.
    pub met: Vec<bool>,
    /// Why the level is not complete, if it is not.
    pub ended: Result<(), Exhausted>,
}

/// How a search stands, for those who watch it.
#[derive(Clone, Copy)]
pub struct Standing {
    /// States found.
    pub states: u64,
    /// States found and not expanded.
    pub queue: u64,
    /// Transitions taken since the level was begun.
    pub transitions: u64,
    /// Bytes in use.
    pub memory: usize,
}

/// Asked now and then whether to go on, by one of the threads only.
type GoOn<'g> = Option<&'g mut dyn FnMut(Standing) -> bool>;

/// Finds the states of a level from those that lead to it: levels by their positions, and the edges to take. `go_on`
/// is asked now and then; `work` counts when.
pub fn build<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    sources: &[(usize, Select)],
    questions: &[Question],
    work: &mut u64,
    go_on: &mut dyn FnMut(Standing) -> bool,
) -> Built {
    let count = explorer.stores.len();
    let mut tasks = Vec::new();
    for (level, select) in sources {
        tasks.extend((0..count).map(|store| Task {
            store,
            ids: explorer.range(*level, store),
            select: *select,
        }));
    }
    let states: u64 = tasks.iter().map(|task| task.ids.len() as u64).sum();
    let level = Level {
        model: &explorer.model,
        shortcuts: &explorer.shortcuts,
        questions,
        tasks,
        halt: AtomicBool::new(false),
    };
    let stores: Vec<&mut Store<W>> = explorer.stores.iter_mut().collect();
    let threads = match states >= WORTH * explorer.threads as u64 {
        true => explorer.threads,
        false => 1,
    };
    let outcomes = if threads > 1 {
        together(&level, stores, threads, *work, go_on)
    } else {
        let stores = stores.into_iter().map(Some).collect();
        vec![Worker::new(&level, stores, None, *work).run(&mut Some(go_on))]
    };
    let mut built = Built {
        met: vec![false; questions.len()],
        ended: Ok(()),
    };
    *work = outcomes[0].work;
    for outcome in outcomes {
        explorer.transitions += outcome.transitions;
        let both = built.met.iter_mut().zip(outcome.met);
        both.for_each(|(all, one)| *all |= one);
        // Of several reasons the one that is not "stopped", which the others may just have been told.
        if built.ended.is_ok() || built.ended == Err(Exhausted::Stopped) && outcome.ended.is_err() {
            built.ended = outcome.ended;
        }
    }
    built
}

/// Shares the stores between so many threads, this one included, or fewer if not as many can be started.
fn together<const W: usize>(
    level: &Level<'_>,
    stores: Vec<&mut Store<W>>,
    threads: usize,
    work: u64,
    go_on: &mut dyn FnMut(Standing) -> bool,
) -> Vec<Outcome> {
    let count = stores.len();
    thread::scope(|scope| {
        let mut helpers = Vec::new();
        while helpers.len() + 1 < threads {
            // What there is to do is known when all are there.
            let (give, given) = sync_channel::<Worker<'_, W>>(1);
            let started = thread::Builder::new()
                .name("search".into())
                .spawn_scoped(scope, move || Some(given.recv().ok()?.run(&mut None)));
            match started {
                Ok(handle) => helpers.push((give, handle)),
                Err(_) => break,
            }
        }
        let threads = helpers.len() + 1;
        let mut shares: Vec<Vec<Option<&mut Store<W>>>> = (0..threads)
            .map(|_| (0..count).map(|_| None).collect())
            .collect();
        for (i, store) in stores.into_iter().enumerate() {
            shares[i % threads][i] = Some(store);
        }
        let (senders, inboxes): (Vec<_>, Vec<_>) =
            (0..threads).map(|_| sync_channel(WAITING)).unzip();
        let mut workers = shares.into_iter().zip(inboxes).map(|(stores, inbox)| {
            let to = stores.iter().enumerate().map(|(i, store)| match store {
                Some(_) => None,
                None => Some(senders[i % threads].clone()),
            });
            let to = to.collect();
            Worker::new(level, stores, Some(Post { to, inbox }), work)
        });
        let first = workers.next();
        let mut handles = Vec::new();
        for ((give, handle), worker) in helpers.into_iter().zip(workers) {
            // It waits for this.
            let _ = give.send(worker);
            handles.push(handle);
        }
        drop(senders);
        let mut outcomes = Vec::new();
        outcomes.extend(first.map(|worker| worker.run(&mut Some(go_on))));
        for handle in handles {
            let ended = handle.join();
            outcomes.extend(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        outcomes
    })
}

/// What all threads work on.
struct Level<'l> {
    model: &'l Model,
    shortcuts: &'l Shortcuts,
    questions: &'l [Question],
    tasks: Vec<Task>,
    /// Set when somebody has given up.
    halt: AtomicBool,
}

/// States to expand, and by which edges.
struct Task {
    store: usize,
    ids: Range<u32>,
    select: Select,
}

/// What one thread works on.
struct Worker<'w, const W: usize> {
    level: &'w Level<'w>,
    met: Vec<bool>,
    desks: Vec<Desk<'w, W>>,
    /// Whether states wait on some desk that are worth a look.
    full: bool,
    post: Option<Post<W>>,
    recent: Recent<W>,
    /// Empty batches to be used again.
    spare: Vec<Batch<W>>,
    scratch: Scratch,
    room: Room<W>,
    goal_scratch: Scratch,
    transitions: u64,
    work: u64,
    /// The number of the state that is being expanded.
    at: u32,
}

/// Where the successors lie that belong to one of the stores. Aligned so that threads do not write to the same line of
/// their caches.
#[repr(align(128))]
struct Desk<'w, const W: usize> {
    /// The store, unless another thread fills it.
    store: Option<&'w mut Store<W>>,
    batch: Batch<W>,
    /// How many are worth a look.
    enough: usize,
}

/// How threads send each other states: for each store, to whom.
struct Post<const W: usize> {
    to: Vec<Option<SyncSender<Parcel<W>>>>,
    inbox: Receiver<Parcel<W>>,
}

/// States that belong to a store.
type Parcel<const W: usize> = (usize, Batch<W>);

/// What a thread found out.
struct Outcome {
    met: Vec<bool>,
    transitions: u64,
    work: u64,
    ended: Result<(), Exhausted>,
}

impl<'w, const W: usize> Worker<'w, W> {
    fn new(
        level: &'w Level<'w>,
        mut stores: Vec<Option<&'w mut Store<W>>>,
        post: Option<Post<W>>,
        work: u64,
    ) -> Self {
        let mut recent = Recent::default();
        if let Some(store) = stores.iter_mut().flatten().next()
            && store.len() > 0
        {
            recent = std::mem::take(&mut store.recent);
            recent.make_room(store.len(), &store.load(0));
        }
        let desks = stores.into_iter().map(|store| Desk {
            enough: if store.is_some() { BATCH } else { BLOCK },
            store,
            batch: Batch::default(),
        });
        Worker {
            level,
            met: vec![false; level.questions.len()],
            desks: desks.collect(),
            full: false,
            post,
            recent,
            spare: Vec::new(),
            scratch: level.model.scratch(),
            room: level.shortcuts.room(),
            goal_scratch: level.model.scratch(),
            transitions: 0,
            work,
            at: 0,
        }
    }

    /// Does its share.
    fn run(mut self, go_on: &mut GoOn<'_>) -> Outcome {
        let ended = self.expand_all(go_on);
        if ended.is_err() {
            self.level.halt.store(true, Relaxed);
        }
        let mut stores = self.desks.iter_mut().filter_map(|desk| desk.store.as_mut());
        if let Some(store) = stores.next() {
            store.recent = self.recent;
        }
        // Now nobody waits for it any longer.
        Outcome {
            met: self.met,
            transitions: self.transitions,
            work: self.work,
            ended,
        }
    }

    fn expand_all(&mut self, go_on: &mut GoOn<'_>) -> Result<(), Exhausted> {
        if self.post.is_some() {
            self.make_room()?;
        }
        for task in &self.level.tasks {
            if self.desks[task.store].store.is_none() {
                continue;
            }
            for id in task.ids.clone() {
                let Some(store) = &self.desks[task.store].store else {
                    break;
                };
                let words = store.load(id);
                self.at = id;
                self.expand(&words, task.select, go_on)?;
                if self.full {
                    self.clear_desks()?;
                }
            }
        }
        for store in 0..self.desks.len() {
            self.clear(store)?;
        }
        // The others are waiting for the last of this.
        if let Some(post) = &mut self.post {
            post.to.clear();
        }
        while let Some(parcel) = self.post.as_ref().and_then(|p| p.inbox.recv().ok()) {
            self.take_in(parcel)?;
            self.ask(go_on)?;
        }
        for store in 0..self.desks.len() {
            self.clear(store)?;
        }
        Ok(())
    }

    /// While a table grows the other threads soon wait; so let all grow at the same time. A level seldom has far more
    /// states than the one before.
    fn make_room(&mut self) -> Result<(), Exhausted> {
        for task in &self.level.tasks {
            if let Some(store) = &mut self.desks[task.store].store {
                store.expect(task.ids.len())?;
            }
        }
        Ok(())
    }

    /// Puts the successors of a state on the desks, and notes the goals that it meets.
    #[inline]
    fn expand(
        &mut self,
        words: &[u64; W],
        select: Select,
        go_on: &mut GoOn<'_>,
    ) -> Result<(), Exhausted> {
        let (model, shortcuts) = (self.level.model, self.level.shortcuts);
        let stores = self.desks.len();
        let mut forced = false;
        let mut failed = 0;
        let mut ended = Ok(());
        let mut count = 0;
        // Taken out while running code, which must not be disturbed by looking up states.
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut room = std::mem::take(&mut self.room);
        let each = |edge: &EdgeCode, _: u32, next: [u64; W]| {
            forced |= edge.forced;
            failed |= edge.fails;
            count += 1;
            // Very many successors of one state must not pile up.
            if count % POLL == 0 && ended.is_ok() {
                self.work += POLL;
                ended = self.clear_desks().and_then(|()| self.ask(go_on));
            }
            let hash = hash(&next);
            if self.recent.has(&next, hash) {
                return ended.is_ok();
            }
            let owner = match stores {
                1 => 0,
                _ => store_of(hash, stores),
            };
            let desk = &mut self.desks[owner];
            desk.batch.push_hashed(next, hash);
            self.full |= desk.batch.len() >= desk.enough;
            ended.is_ok()
        };
        match select {
            Select::Shortcuts => {
                shortcuts.successors(model, words, &mut scratch, &mut room, each);
            }
            Select::Steps | Select::Faults => model.successors(words, select, &mut scratch, each),
        }
        self.scratch = scratch;
        self.room = room;
        self.transitions += count;
        ended?;
        self.note(select, words, forced, failed);
        let work = self.work + 1 + count % POLL;
        let due = work / POLL != self.work / POLL;
        self.work = work;
        if due {
            self.ask(go_on)?;
        }
        Ok(())
    }

    /// Notes the goals that a state meets when it is expanded.
    #[inline]
    fn note(&mut self, select: Select, words: &[u64; W], forced: bool, failed: u8) {
        let quiescent = select != Select::Faults && !forced;
        if failed == 0 && !quiescent {
            return;
        }
        for (question, met) in self.level.questions.iter().zip(&mut self.met) {
            *met |= match question.goal {
                Goal::Failing(check) => failed & check != 0,
                Goal::Quiescent(condition) => {
                    let code = &self.level.model.code;
                    quiescent && !*met && code.holds(condition, words, &mut self.goal_scratch)
                }
                Goal::State { .. } => false,
            };
        }
    }

    /// Asks whether to go on.
    #[inline(never)]
    fn ask(&mut self, go_on: &mut GoOn<'_>) -> Result<(), Exhausted> {
        if self.level.halt.load(Relaxed) {
            return Err(Exhausted::Stopped);
        }
        let Some(go_on) = go_on else { return Ok(()) };
        // All stores are about as full as those that this thread fills.
        let own = || self.desks.iter().filter_map(|desk| desk.store.as_deref());
        let stores = self.desks.len() as u64;
        let all = |sum: u64| sum * stores / own().count().max(1) as u64;
        let states = all(own().map(|store| store.len() as u64).sum());
        let standing = Standing {
            states,
            queue: states.saturating_sub(u64::from(self.at) * stores),
            transitions: all(self.transitions),
            memory: all(own().map(|store| store.memory() as u64).sum()) as usize,
        };
        if go_on(standing) {
            Ok(())
        } else {
            Err(Exhausted::Stopped)
        }
    }

    /// Clears the desks on which enough states wait, and takes in what others have sent.
    fn clear_desks(&mut self) -> Result<(), Exhausted> {
        self.full = false;
        for store in 0..self.desks.len() {
            if self.desks[store].batch.len() >= self.desks[store].enough {
                self.clear(store)?;
            }
        }
        self.receive()
    }

    /// Looks up the states that wait on a desk, or sends them away.
    #[inline]
    fn clear(&mut self, store: usize) -> Result<(), Exhausted> {
        let batch = std::mem::take(&mut self.desks[store].batch);
        if batch.len() == 0 {
            self.desks[store].batch = batch;
            return Ok(());
        }
        if self.desks[store].store.is_none() {
            self.desks[store].batch = self.spare.pop().unwrap_or_default();
            return self.send((store, batch));
        }
        let (batch, looked_up) = self.look_up(store, batch);
        self.desks[store].batch = batch;
        looked_up
    }

    /// Looks up states in a store of this thread, and looks at the new ones. Returns the empty batch.
    fn look_up(&mut self, store: usize, mut batch: Batch<W>) -> (Batch<W>, Result<(), Exhausted>) {
        let Level {
            model, questions, ..
        } = self.level;
        let (met, scratch) = (&mut self.met, &mut self.goal_scratch);
        let mut looked_up = Ok(());
        if let Some(store) = &mut self.desks[store].store {
            looked_up = store.insert_all(&mut batch, |_, words| {
                for (question, met) in questions.iter().zip(met.iter_mut()) {
                    if let Goal::State { condition, value } = question.goal
                        && !*met
                    {
                        *met = model.code.holds(condition, words, scratch) == value;
                    }
                }
            });
        }
        batch.clear();
        (batch, looked_up)
    }

    /// Takes in what has come.
    fn receive(&mut self) -> Result<(), Exhausted> {
        while let Some(parcel) = self.post.as_ref().and_then(|p| p.inbox.try_recv().ok()) {
            self.take_in(parcel)?;
        }
        Ok(())
    }

    /// Puts states that another thread has found on their desk.
    fn take_in(&mut self, (store, mut batch): Parcel<W>) -> Result<(), Exhausted> {
        let desk = &mut self.desks[store];
        for (words, hash) in batch.hashed() {
            // Neighbours of a state are spread over the threads, so often both have found it.
            if !self.recent.has(words, hash) {
                desk.batch.push_hashed(*words, hash);
            }
        }
        batch.clear();
        self.spare.push(batch);
        if desk.batch.len() >= desk.enough {
            self.clear(store)?;
        }
        Ok(())
    }

    /// Sends states, however long it takes; meanwhile takes in what comes, so that threads never wait for each other.
    fn send(&mut self, mut parcel: Parcel<W>) -> Result<(), Exhausted> {
        loop {
            let post = self.post.as_ref();
            let Some(to) = post.and_then(|post| post.to[parcel.0].as_ref()) else {
                return Err(Exhausted::Stopped);
            };
            match to.try_send(parcel) {
                Ok(()) => return Ok(()),
                // It has given up.
                Err(TrySendError::Disconnected(_)) => return Err(Exhausted::Stopped),
                Err(TrySendError::Full(back)) => parcel = back,
            }
            if self.level.halt.load(Relaxed) {
                return Err(Exhausted::Stopped);
            }
            let come = self.post.as_ref().map(|p| p.inbox.recv_timeout(PAUSE));
            if let Some(Ok(parcel)) = come {
                self.take_in(parcel)?;
            }
        }
    }
}
