//! Building one level of the safety search from the levels that lead to it, on one thread or several.
//!
//! Each store has a worker that expands the states of that store. A successor that belongs to another store is sent to
//! its worker, in blocks. So no two threads ever touch the same memory, and which states a level has does not depend
//! on timing.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};

use super::code::Scratch;
use super::explorer::{Explorer, store_of};
use super::model::{Model, Select};
use super::safety::Question;
use super::space::Exhausted;
use super::store::{Batch, Store, hash};
use super::trace::Goal;

/// States are looked up in batches of about so many.
const BATCH: usize = 64;

/// Successors go to other workers in blocks of so many, of which so many may wait.
const BLOCK: usize = if cfg!(test) { 3 } else { 1024 };
const WAITING: usize = 16;

/// After so many successors the caller is asked whether to go on.
const POLL: u64 = 16_384;

/// With fewer states to expand per worker threads are not worth starting; in tests they are.
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

/// Finds the states of a level from those that lead to it: levels by their positions, and the edges to take. `go_on`
/// is asked now and then.
pub fn build<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    sources: &[(usize, Select)],
    questions: &[Question],
    work: &mut u64,
    go_on: &mut dyn FnMut(Standing) -> bool,
) -> Built {
    let count = explorer.stores.len();
    let mut tasks: Vec<Vec<(Range<u32>, Select)>> = vec![Vec::new(); count];
    let mut states = 0;
    for (level, select) in sources {
        for (store, task) in tasks.iter_mut().enumerate() {
            let range = explorer.range(*level, store);
            states += u64::from(range.end - range.start);
            task.push((range, *select));
        }
    }
    let model = &explorer.model;
    let halt = AtomicBool::new(false);
    let mut workers: Vec<Worker<'_, W>> = explorer
        .stores
        .iter_mut()
        .zip(tasks)
        .enumerate()
        .map(|(me, (store, task))| Worker {
            me,
            model,
            questions,
            met: vec![false; questions.len()],
            store,
            task,
            batch: Batch::default(),
            scratch: model.scratch(),
            goal_scratch: model.scratch(),
            out: vec![Vec::new(); count],
            post: None,
            halt: &halt,
            transitions: 0,
            work: *work,
        })
        .collect();
    let results = if count > 1 && states >= WORTH * count as u64 {
        together(&mut workers, go_on)
    } else {
        in_turn(&mut workers, go_on)
    };
    let mut built = Built {
        met: vec![false; questions.len()],
        ended: Ok(()),
    };
    let mut transitions = 0;
    for worker in &workers {
        transitions += worker.transitions;
        let both = built.met.iter_mut().zip(&worker.met);
        both.for_each(|(all, one)| *all |= one);
    }
    *work = workers[0].work;
    explorer.transitions += transitions;
    // Of several reasons the one that is not "stopped", which the others may just have been told.
    for result in results {
        if built.ended.is_ok() || built.ended == Err(Exhausted::Stopped) && result.is_err() {
            built.ended = result;
        }
    }
    built
}

/// One worker after another, on this thread.
fn in_turn<const W: usize>(
    workers: &mut [Worker<'_, W>],
    go_on: &mut dyn FnMut(Standing) -> bool,
) -> Vec<Result<(), Exhausted>> {
    let mut results = Vec::new();
    for worker in workers.iter_mut() {
        results.push(worker.expand(&mut Some(go_on)));
    }
    // Levels that are built like this are small, and so is what was kept for the others.
    for to in 0..workers.len() {
        for from in 0..workers.len() {
            let block = std::mem::take(&mut workers[from].out[to]);
            results.push(workers[to].take_in(block));
        }
        results.push(workers[to].look_up());
    }
    results
}

/// All workers at once, the first on this thread.
fn together<const W: usize>(
    workers: &mut [Worker<'_, W>],
    go_on: &mut dyn FnMut(Standing) -> bool,
) -> Vec<Result<(), Exhausted>> {
    let (senders, inboxes): (Vec<_>, Vec<_>) = workers
        .iter()
        .map(|_| sync_channel::<Vec<[u64; W]>>(WAITING))
        .unzip();
    for (worker, inbox) in workers.iter_mut().zip(inboxes) {
        worker.post = Some(Post {
            to: senders.iter().cloned().map(Some).collect(),
            inbox,
        });
    }
    drop(senders);
    let (first, others) = workers.split_first_mut().expect("there is a worker");
    std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for worker in others {
            let halt = worker.halt;
            let started = std::thread::Builder::new()
                .name("search".into())
                .spawn_scoped(scope, move || worker.work_along(&mut None));
            match started {
                Ok(handle) => handles.push(handle),
                // Its inbox is gone with it, so the others end too.
                Err(_) => halt.store(true, Relaxed),
            }
        }
        let missing = first.out.len() - 1 - handles.len();
        let mut results = vec![first.work_along(&mut Some(go_on))];
        results.extend(handles.into_iter().map(|handle| {
            let ended = handle.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        }));
        if missing > 0 {
            results.push(Err(Exhausted::Memory));
        }
        results
    })
}

/// What one thread works on.
struct Worker<'w, const W: usize> {
    me: usize,
    model: &'w Model,
    questions: &'w [Question],
    met: Vec<bool>,
    store: &'w mut Store<W>,
    /// The states to expand, and by which edges.
    task: Vec<(Range<u32>, Select)>,
    batch: Batch<W>,
    scratch: Scratch,
    goal_scratch: Scratch,
    /// Successors that belong to others.
    out: Vec<Vec<[u64; W]>>,
    post: Option<Post<W>>,
    /// Set when somebody has given up.
    halt: &'w AtomicBool,
    transitions: u64,
    work: u64,
}

/// How workers on different threads send each other states.
struct Post<const W: usize> {
    to: Vec<Option<SyncSender<Vec<[u64; W]>>>>,
    inbox: Receiver<Vec<[u64; W]>>,
}

/// Asked now and then, by one of the workers only.
type GoOn<'g> = Option<&'g mut dyn FnMut(Standing) -> bool>;

impl<const W: usize> Worker<'_, W> {
    /// Expands its states while others expand theirs.
    fn work_along(&mut self, go_on: &mut GoOn<'_>) -> Result<(), Exhausted> {
        let result = self.work_along_until_halted(go_on);
        if result.is_err() {
            self.halt.store(true, Relaxed);
        }
        // Nobody waits for one that is gone.
        self.post = None;
        result
    }

    fn work_along_until_halted(&mut self, go_on: &mut GoOn<'_>) -> Result<(), Exhausted> {
        if let Some(post) = &mut self.post {
            post.to[self.me] = None;
        }
        self.expand(go_on)?;
        for to in 0..self.out.len() {
            self.send(to)?;
        }
        if let Some(post) = &mut self.post {
            post.to.clear();
        }
        while let Some(block) = self.post.as_ref().and_then(|p| p.inbox.recv().ok()) {
            self.take_in(block)?;
            if let Some(go_on) = go_on {
                self.poll(go_on)?;
            }
            self.mind_the_others()?;
        }
        self.look_up()
    }

    /// Expands the states of its store.
    fn expand(&mut self, go_on: &mut GoOn<'_>) -> Result<(), Exhausted> {
        let stores = self.out.len();
        for (range, select) in std::mem::take(&mut self.task) {
            for id in range {
                let words = self.store.load(id);
                let mut forced = false;
                let mut failed = 0;
                let mut ended = Ok(());
                // Taken out while running code, which must not be disturbed by looking up states.
                let mut scratch = std::mem::take(&mut self.scratch);
                let before = self.transitions;
                self.model
                    .successors(&words, select, &mut scratch, |edge, _, next| {
                        forced |= edge.forced;
                        failed |= edge.fails;
                        self.transitions += 1;
                        let hash = hash(&next);
                        let owner = if stores == 1 {
                            0
                        } else {
                            store_of(hash, stores)
                        };
                        if owner == self.me {
                            self.batch.push_hashed(next, hash);
                        } else {
                            self.out[owner].push(next);
                        }
                        // Very many successors of one state must not pile up.
                        if (self.transitions - before) % POLL == POLL - 1 && ended.is_ok() {
                            self.work += POLL;
                            ended = self.tidy(go_on);
                        }
                        ended.is_ok()
                    });
                self.scratch = scratch;
                ended?;
                self.note(select, &words, forced, failed);
                if self.batch.len() >= BATCH {
                    self.look_up()?;
                }
                let work = self.work + 1 + (self.transitions - before) % POLL;
                let due = work / POLL != self.work / POLL;
                self.work = work;
                if due {
                    self.tidy(go_on)?;
                } else if self.out.iter().any(|out| out.len() >= BLOCK) {
                    self.exchange()?;
                }
            }
        }
        self.look_up()
    }

    /// Looks up what is at hand, exchanges states with the others and asks whether to go on.
    #[inline(never)]
    fn tidy(&mut self, go_on: &mut GoOn<'_>) -> Result<(), Exhausted> {
        self.look_up()?;
        self.exchange()?;
        if let Some(go_on) = go_on {
            self.poll(go_on)?;
        }
        self.mind_the_others()
    }

    fn poll(&mut self, go_on: &mut dyn FnMut(Standing) -> bool) -> Result<(), Exhausted> {
        // The stores are filled evenly.
        let stores = self.out.len();
        let standing = Standing {
            states: (self.store.len() * stores) as u64,
            queue: 0,
            transitions: self.transitions * stores as u64,
            memory: self.store.memory() * stores,
        };
        if go_on(standing) {
            Ok(())
        } else {
            Err(Exhausted::Stopped)
        }
    }

    fn mind_the_others(&self) -> Result<(), Exhausted> {
        if self.halt.load(Relaxed) {
            return Err(Exhausted::Stopped);
        }
        Ok(())
    }

    /// Notes the goals that a state meets when it is expanded.
    #[inline]
    fn note(&mut self, select: Select, words: &[u64; W], forced: bool, failed: u8) {
        let quiescent = select == Select::Steps && !forced;
        if failed == 0 && !quiescent {
            return;
        }
        for (question, met) in self.questions.iter().zip(&mut self.met) {
            *met |= match question.goal {
                Goal::Failing(check) => failed & check != 0,
                Goal::Quiescent(condition) => {
                    let code = &self.model.code;
                    quiescent && !*met && code.holds(condition, words, &mut self.goal_scratch)
                }
                Goal::State { .. } => false,
            };
        }
    }

    /// Looks up the states at hand, and looks at the new ones.
    fn look_up(&mut self) -> Result<(), Exhausted> {
        let Worker {
            model,
            questions,
            met,
            store,
            batch,
            goal_scratch,
            ..
        } = self;
        let inserted = store.insert_all(batch, |_, words| {
            for (question, met) in questions.iter().zip(met.iter_mut()) {
                if let Goal::State { condition, value } = question.goal
                    && !*met
                {
                    *met = model.code.holds(condition, words, goal_scratch) == value;
                }
            }
        });
        batch.clear();
        inserted
    }

    /// Looks up states that others have found.
    fn take_in(&mut self, block: Vec<[u64; W]>) -> Result<(), Exhausted> {
        for words in block {
            self.batch.push_hashed(words, hash(&words));
            if self.batch.len() >= BATCH {
                self.look_up()?;
            }
        }
        Ok(())
    }

    /// Sends full blocks and takes in what has come.
    fn exchange(&mut self) -> Result<(), Exhausted> {
        if self.post.is_none() {
            return Ok(());
        }
        for to in 0..self.out.len() {
            if self.out[to].len() >= BLOCK {
                self.send(to)?;
            }
        }
        self.receive().map(|_| ())
    }

    /// Takes in what has come; whether anything had.
    fn receive(&mut self) -> Result<bool, Exhausted> {
        let mut any = false;
        loop {
            let Some(post) = &self.post else {
                return Ok(any);
            };
            match post.inbox.try_recv() {
                Ok(block) => {
                    any = true;
                    self.take_in(block)?;
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return Ok(any),
            }
        }
    }

    /// Sends a block, however long it takes; meanwhile takes in what comes, so that nobody waits for each other.
    fn send(&mut self, to: usize) -> Result<(), Exhausted> {
        let mut block = std::mem::take(&mut self.out[to]);
        while !block.is_empty() {
            let sender = self.post.as_ref().and_then(|post| post.to[to].as_ref());
            match sender.map(|sender| sender.try_send(block)) {
                Some(Ok(())) => {
                    self.out[to].reserve(BLOCK);
                    break;
                }
                Some(Err(TrySendError::Full(back))) => {
                    block = back;
                    self.mind_the_others()?;
                    if !self.receive()? {
                        std::thread::yield_now();
                    }
                }
                Some(Err(TrySendError::Disconnected(_))) | None => return Err(Exhausted::Stopped),
            }
        }
        Ok(())
    }
}
