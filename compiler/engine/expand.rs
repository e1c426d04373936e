//! Building one level of the safety search from the levels that lead to it, on one thread or several.
//!
//! Threads take states to expand from a common list, a piece at a time, and add what they find to the common store.
//! States that follow one another were found from the same or similar ones and lead to many common ones, so each piece
//! goes to one thread. Which states a level has does not depend on timing, nor on how many threads there are; only
//! their numbers do.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::code::Scratch;
use super::explorer::Explorer;
use super::known::{Known, Part};
use super::model::{CompiledSystem, EdgeCode, Select};
use super::recent::Recent;
use super::safety::Question;
use super::shortcuts::{ShortcutScratch, Shortcuts};
use super::space::Exhausted;
use super::store::{Batch, Refused, hash};
use super::trace::Goal;

/// States are looked up in batches of about so many.
pub const BATCH: usize = 64;

/// After so many successors the caller is asked whether to go on.
pub const POLL: u64 = 16_384;

/// With fewer states to expand per thread they are not worth starting; in tests they are.
const WORTH: u64 = if cfg!(test) { 4 } else { 1024 };

/// The fewest and the most states that a thread takes to expand.
const PIECE: (u64, u64) = if cfg!(test) { (1, 3) } else { (32, 1024) };

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
    let todo = Todo::new(explorer, sources);
    let threads = match todo.left / WORTH {
        0 => 1,
        worth => explorer.known.threads().min(worth as usize),
    };
    let mut workers: Vec<Worker<W>> = (0..threads)
        .map(|thread| Worker::new(explorer, questions, thread, *work))
        .collect();
    let ended = expand_all(explorer, todo, questions, &mut workers, go_on);
    let mut met = vec![false; questions.len()];
    *work = workers[0].desk.work;
    for Worker { desk, .. } in workers {
        explorer.transitions += desk.transitions;
        let both = met.iter_mut().zip(desk.met);
        both.for_each(|(all, one)| *all |= one);
        explorer.recent[desk.thread] = desk.recent;
    }
    Built { met, ended }
}

/// Lets threads expand states until all are expanded, and lets the store grow when it has to.
fn expand_all<const W: usize>(
    explorer: &mut Explorer<'_, W>,
    todo: Todo,
    questions: &[Question],
    workers: &mut [Worker<W>],
    go_on: &mut dyn FnMut(Standing) -> bool,
) -> Result<(), Exhausted> {
    if workers.len() > 1 {
        // All stop while the table grows. A level seldom has far more states than the one before.
        explorer.known.expect(todo.left as usize)?;
    }
    let states = explorer.states();
    let todo = Mutex::new(todo);
    loop {
        let level = Build {
            model: &explorer.model,
            shortcuts: &explorer.shortcuts,
            questions,
            known: &explorer.known,
            states,
            threads: workers.len() as u64,
            todo: &todo,
            halt: AtomicBool::new(false),
        };
        match together(&level, workers, go_on) {
            Ok(()) => return Ok(()),
            Err(Refused::Full) => explorer.known.grow()?,
            Err(Refused::Limit(limit)) => return Err(limit),
        }
    }
}

/// Runs each worker on a thread of its own, the first on this one.
fn together<const W: usize>(
    level: &Build<'_, W>,
    workers: &mut [Worker<W>],
    go_on: &mut dyn FnMut(Standing) -> bool,
) -> Result<(), Refused> {
    let mut ended = Ok(());
    // Of several reasons to end the one that says most: a limit, then a request to stop, then a full table.
    let mut note = |one: Result<(), Refused>| {
        ended = match (ended, one) {
            (all, Ok(())) | (all, Err(Refused::Full)) if all.is_err() => all,
            // That somebody has asked to stop says less than anything else.
            (all @ Err(Refused::Limit(_)), Err(Refused::Limit(Exhausted::Stopped))) => all,
            (_, one) => one,
        };
    };
    let [first, others @ ..] = workers else {
        return Ok(());
    };
    thread::scope(|scope| {
        let mut left = Vec::new();
        let mut helpers = Vec::new();
        for worker in others {
            let (give, given) = mpsc::channel();
            let helper =
                thread::Builder::new()
                    .name("search".into())
                    .spawn_scoped(scope, move || {
                        let worker: Option<&mut Worker<W>> = given.recv().ok();
                        worker.map_or(Ok(()), |worker| worker.run(level, &mut None))
                    });
            match helper {
                Ok(helper) => {
                    // It waits for this.
                    let _ = give.send(worker);
                    helpers.push(helper);
                }
                Err(_) => left.push(worker),
            }
        }
        note(first.run(level, &mut Some(go_on)));
        for helper in helpers {
            let ended = helper.join();
            note(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        for worker in left {
            note(worker.run(level, &mut Some(go_on)));
        }
    });
    ended
}

/// What all threads work on: the level that is being built.
struct Build<'l, const W: usize> {
    model: &'l CompiledSystem,
    shortcuts: &'l Shortcuts,
    questions: &'l [Question],
    known: &'l Known<'l, W>,
    /// How many states there were when it was begun.
    states: u64,
    threads: u64,
    todo: &'l Mutex<Todo>,
    /// Set when somebody cannot go on.
    halt: AtomicBool,
}

impl<const W: usize> Build<'_, W> {
    fn todo(&self) -> MutexGuard<'_, Todo> {
        self.todo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// States to expand that nobody has taken yet.
struct Todo {
    /// The last ones first.
    pieces: Vec<Piece>,
    left: u64,
}

/// States to expand.
struct Piece {
    part: Part,
    /// By which edges.
    select: Select,
}

impl Todo {
    fn new<const W: usize>(explorer: &Explorer<'_, W>, sources: &[(usize, Select)]) -> Todo {
        let known = &explorer.known;
        let mut pieces = Vec::new();
        for (level, select) in sources.iter().rev() {
            let parts = known.pieces(*level).into_iter().rev();
            pieces.extend(parts.map(|part| Piece {
                part,
                select: *select,
            }));
        }
        let count = |piece: &Piece| u64::from(known.states_of(&piece.part));
        Todo {
            left: pieces.iter().map(count).sum(),
            pieces,
        }
    }

    /// Takes some, ever fewer, so that so many threads are done at the same time.
    fn take<const W: usize>(&mut self, known: &Known<'_, W>, threads: u64) -> Option<Piece> {
        let most = (self.left / (4 * threads)).clamp(PIECE.0, PIECE.1) as u32;
        loop {
            let piece = self.pieces.last_mut()?;
            if let Some(part) = piece.part.take(most) {
                self.left -= u64::from(known.states_of(&part));
                let select = piece.select;
                return Some(Piece { part, select });
            }
            self.pieces.pop();
        }
    }
}

/// What one thread works on. Aligned so that threads do not write to the same line of their caches.
#[repr(align(128))]
struct Worker<const W: usize> {
    /// What it has taken to expand, by which edges, and how many of these states it has expanded.
    states: Vec<(u64, [u64; W])>,
    select: Select,
    done: usize,
    scratch: Scratch,
    room: ShortcutScratch<W>,
    desk: Desk<W>,
}

/// Where a thread puts what it finds.
struct Desk<const W: usize> {
    thread: usize,
    met: Vec<bool>,
    /// States that are to be looked up.
    batch: Batch<W>,
    recent: Recent<W>,
    scratch: Scratch,
    transitions: u64,
    work: u64,
}

impl<const W: usize> Worker<W> {
    fn new(
        explorer: &mut Explorer<'_, W>,
        questions: &[Question],
        thread: usize,
        work: u64,
    ) -> Self {
        let mut recent = std::mem::take(&mut explorer.recent[thread]);
        if let Some(words) = explorer.first {
            recent.make_room(explorer.known.len() as usize, &words);
        }
        Worker {
            states: Vec::new(),
            select: Select::Steps,
            done: 0,
            scratch: Scratch::default(),
            room: ShortcutScratch::default(),
            desk: Desk {
                thread,
                met: vec![false; questions.len()],
                batch: Batch::default(),
                recent,
                scratch: Scratch::default(),
                transitions: 0,
                work,
            },
        }
    }

    /// Does what there is to do, or as much as is possible. Can be called again to go on.
    ///
    /// All of the search is inlined here, for every size of a state; once is enough.
    #[inline(never)]
    fn run(&mut self, level: &Build<'_, W>, go_on: &mut GoOn<'_>) -> Result<(), Refused> {
        // What a thread writes to all the time is allocated by itself, apart from what others do.
        self.scratch = level.model.scratch();
        self.room = level.shortcuts.room();
        self.desk.scratch = level.model.scratch();
        let ended = self.expand_all(level, go_on);
        if ended.is_err() {
            level.halt.store(true, Relaxed);
        }
        ended
    }

    fn expand_all(&mut self, level: &Build<'_, W>, go_on: &mut GoOn<'_>) -> Result<(), Refused> {
        while let Some((words, select)) = self.next(level)? {
            self.expand(level, &words, select, go_on)?;
            self.done += 1;
            if self.desk.batch.len() >= BATCH {
                self.desk.look_up(level)?;
            }
        }
        self.desk.look_up(level)
    }

    /// The next state to expand, unless somebody has stopped.
    #[inline]
    fn next(&mut self, level: &Build<'_, W>) -> Result<Option<([u64; W], Select)>, Refused> {
        if level.halt.load(Relaxed) {
            return Ok(None);
        }
        if self.done == self.states.len() {
            let Some(piece) = level.todo().take(level.known, level.threads) else {
                return Ok(None);
            };
            self.done = 0;
            self.select = piece.select;
            let read = level.known.read(&piece.part, &mut self.states);
            read.map_err(Refused::Limit)?;
        }
        let next = self.states.get(self.done);
        Ok(next.map(|(_, words)| (*words, self.select)))
    }

    /// Puts the successors of a state on the desk, and notes the goals that it meets. If that ends early the same
    /// state can be expanded again.
    #[inline]
    fn expand(
        &mut self,
        level: &Build<'_, W>,
        words: &[u64; W],
        select: Select,
        go_on: &mut GoOn<'_>,
    ) -> Result<(), Refused> {
        let (model, shortcuts) = (level.model, level.shortcuts);
        let Worker {
            scratch,
            room,
            desk,
            ..
        } = self;
        let mut forced = false;
        let mut failed = 0;
        let mut ended = Ok(());
        let mut count = 0;
        let each = |edge: &EdgeCode, _: u32, next: [u64; W]| {
            forced |= edge.forced;
            failed |= edge.fails;
            count += 1;
            // Very many successors of one state must not pile up.
            if count % POLL == 0 && ended.is_ok() {
                desk.work += POLL;
                ended = desk.look_up(level).and_then(|()| desk.ask(level, go_on));
            }
            let hash = hash(&next);
            if !desk.recent.has(&next, hash) {
                desk.batch.push_hashed(next, hash);
            }
            ended.is_ok()
        };
        match select {
            Select::Shortcuts | Select::ShortcutSteps | Select::ShortcutFaults => {
                shortcuts.successors(model, words, select, scratch, room, each);
            }
            Select::Steps | Select::Faults => model.successors(words, select, scratch, each),
        }
        ended?;
        let work = desk.work + 1 + count % POLL;
        let due = work / POLL != desk.work / POLL;
        desk.work = work;
        if due {
            desk.ask(level, go_on)?;
        }
        desk.transitions += count;
        let Desk { met, scratch, .. } = desk;
        note_expanded(
            model,
            level.questions,
            met,
            scratch,
            (words, select),
            (forced, failed),
        );
        Ok(())
    }
}

impl<const W: usize> Desk<W> {
    /// Asks whether to go on.
    #[inline(never)]
    fn ask(&mut self, level: &Build<'_, W>, go_on: &mut GoOn<'_>) -> Result<(), Refused> {
        if level.halt.load(Relaxed) {
            // Whoever has stopped says why.
            return Err(Refused::Full);
        }
        let Some(go_on) = go_on else { return Ok(()) };
        let states = level.known.len();
        let standing = Standing {
            states,
            queue: states - level.states + level.todo().left,
            transitions: self.transitions * level.threads,
            memory: level.known.memory(),
        };
        match go_on(standing) {
            true => Ok(()),
            false => Err(Refused::Limit(Exhausted::Stopped)),
        }
    }

    /// Looks up the states of the batch, and looks at the new ones.
    fn look_up(&mut self, level: &Build<'_, W>) -> Result<(), Refused> {
        let Build {
            model, questions, ..
        } = level;
        let (met, scratch) = (&mut self.met, &mut self.scratch);
        level
            .known
            .insert_all(self.thread, &mut self.batch, |words| {
                note_new(model, questions, met, scratch, words);
            })?;
        self.batch.clear();
        Ok(())
    }
}

/// Notes the goals that a state meets when it is found.
#[inline]
pub fn note_new<const W: usize>(
    model: &CompiledSystem,
    questions: &[Question],
    met: &mut [bool],
    scratch: &mut Scratch,
    words: &[u64; W],
) {
    for (question, met) in questions.iter().zip(met) {
        if let Goal::State { condition, value } = question.goal
            && !*met
        {
            *met = model.code.holds(condition, words, scratch) == value;
        }
    }
}

/// Notes the goals that a state meets when it is expanded: whether somebody had to leave it, and which checks failed.
#[inline]
pub fn note_expanded<const W: usize>(
    model: &CompiledSystem,
    questions: &[Question],
    met: &mut [bool],
    scratch: &mut Scratch,
    (words, select): (&[u64; W], Select),
    (forced, failed): (bool, u8),
) {
    let quiescent = !select.is_faults() && !forced;
    if failed == 0 && !quiescent {
        return;
    }
    for (question, met) in questions.iter().zip(met) {
        *met |= match question.goal {
            Goal::Failing(check) => failed & check != 0,
            Goal::Quiescent(condition) => {
                quiescent && !*met && model.code.holds(condition, words, scratch)
            }
            Goal::State { .. } => false,
        };
    }
}
