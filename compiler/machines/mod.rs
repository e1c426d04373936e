//! Several processes, on one machine or many, that search together: how they find each other (`meet`), and how bytes get from one to
//! another, which is timely's work ([`Machines`]).
//!
//! Timely counts what is under way and tells when a round is over. A lost connection makes its threads panic; that is caught here,
//! and everybody learns at once that nothing can be done together any more.

pub mod hosts;
pub mod journal;
mod meet;
mod parcel;
mod wire;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::{Allocator, Hooks};
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::core::input::Handle;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::probe::Handle as Probe;
use timely::dataflow::operators::{Input, Probe as _};
use timely::worker::Worker;

use crate::engine::distributed::{Broken, Mesh};
use hosts::Host;
pub use meet::{Greeting, Missed};
use parcel::{Parcel, Post};
use wire::{Ledger, Wire};

/// How long to wait for something to happen before looking at the limits again.
const NAP: Duration = Duration::from_millis(5);

/// So many bytes may wait to be sent before this process stops to produce more.
const BACKLOG: u64 = 64 << 20;

/// How long the others may take to end a round when this process is at its end.
const GRACE: Duration = Duration::from_secs(5);

/// How long to wait before connections are closed because one was lost: the others shall notice that one first.
const TURN: Duration = Duration::from_millis(300);

/// The processes that have met.
pub struct Machines<'a> {
    index: usize,
    processes: usize,
    /// There until it is dropped.
    flow: Option<Flow>,
    inbox: Rc<RefCell<Inbox>>,
    /// The same connections, to close them.
    sockets: Vec<TcpStream>,
    ledger: Arc<Ledger>,
    /// Whether this process is at its end.
    quit: &'a dyn Fn() -> bool,
    /// Whether nothing more is to be done but to end.
    is_ending: bool,
    /// Since when it waits although it is at its end.
    since: Option<Instant>,
    is_broken: bool,
    round: u64,
    is_closed: bool,
    /// In this round: bytes sent, and what had gone out before.
    sent: u64,
    written: u64,
}

/// Timely's part.
struct Flow {
    parcels: Handle<u64, NoopBuilder<Parcel>>,
    calls: Handle<u64, NoopBuilder<Parcel>>,
    probe: Probe<u64>,
    worker: Worker,
    guard: CommsGuard,
}

/// What has come.
#[derive(Default)]
struct Inbox {
    /// By round.
    parcels: VecDeque<(u64, Parcel)>,
    /// The round that somebody wants to end (all if that is `u64::MAX`), and who.
    halted: Option<(u64, usize)>,
}

impl<'a> Machines<'a> {
    /// Meets the others.
    ///
    /// # Errors
    /// If they do not come together in time, or differ.
    pub fn meet(
        hosts: &[Host],
        own: &Greeting,
        time: Duration,
        quit: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Machines<'a>, Missed> {
        let cannot = |why: std::io::Error| Missed::CannotListen(why.to_string());
        let sockets = meet::meet(hosts, own, time, quit)?;
        let ledger = Arc::new(Ledger::default());
        let mut copies = Vec::new();
        let mut wires = Vec::new();
        for (to, socket) in sockets.into_iter().enumerate() {
            if let Some(socket) = &socket {
                copies.push(socket.try_clone().map_err(cannot)?);
            }
            wires.push(socket.map(|socket| Wire::new(socket, to, &ledger)));
        }
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let made = initialize_networking_from_sockets(inner, wires, own.process, 1, hooks);
        let (mut builders, guard) = made.map_err(cannot)?;
        let allocator = Allocator::Tcp(builders.remove(0).build());
        let inbox = Rc::default();
        Ok(Machines {
            index: own.process,
            processes: hosts.len(),
            flow: Some(Flow::new(allocator, guard, &inbox)),
            inbox,
            sockets: copies,
            ledger,
            quit,
            is_ending: false,
            since: None,
            is_broken: false,
            round: 0,
            is_closed: false,
            sent: 0,
            written: 0,
        })
    }

    /// The process that was lost, if one was.
    pub fn lost(&self) -> Option<usize> {
        let ended = self.ledger.ended.load(Relaxed);
        (self.is_broken && ended != usize::MAX).then_some(ended)
    }

    /// The other process that has ended everything because it was at its end, if one has.
    pub fn ended_by(&self) -> Option<usize> {
        let (round, by) = self.inbox.borrow().halted?;
        (round == u64::MAX && by != self.index).then_some(by)
    }

    /// Whether nothing can be done together any more.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Does something with timely, and catches its panics.
    fn with<R>(&mut self, work: impl FnOnce(&mut Flow) -> R) -> Result<R, Broken> {
        let flow = match &mut self.flow {
            Some(flow) if !self.is_broken => flow,
            _ => return Err(Broken),
        };
        let done = catch_unwind(AssertUnwindSafe(|| work(flow)));
        done.map_err(|_| self.give_up())
    }

    /// From now on nothing can be done together; all others learn of it.
    fn give_up(&mut self) -> Broken {
        self.is_broken = true;
        std::thread::sleep(TURN);
        for socket in &self.sockets {
            let _ = socket.shutdown(Shutdown::Both);
        }
        Broken
    }
}

impl Mesh for Machines<'_> {
    fn index(&self) -> usize {
        self.index
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn send(&mut self, to: usize, parcel: Vec<u8>) -> Result<(), Broken> {
        self.sent += parcel.len() as u64;
        let mut parcel = Parcel {
            from: self.index,
            to,
            bytes: parcel,
        };
        self.with(|flow| flow.parcels.send_batch(&mut parcel))?;
        while self.sent.saturating_sub(self.bytes() - self.written) > BACKLOG && !(self.quit)() {
            self.with(|flow| flow.worker.step_or_park(Some(NAP)))?;
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, Broken> {
        let due = self.inbox.borrow_mut().take(self.round);
        if due.is_some() {
            return Ok(due);
        }
        self.with(|flow| flow.worker.step())?;
        Ok(self.inbox.borrow_mut().take(self.round))
    }

    fn close(&mut self) -> Result<bool, Broken> {
        let next = self.round + 1;
        if !self.is_closed {
            self.is_closed = true;
            self.with(|flow| flow.parcels.advance_to(next))?;
        }
        let is_over = self.with(|flow| {
            let is_over = !flow.probe.less_than(&next);
            if !is_over {
                flow.worker.step_or_park(Some(NAP));
            }
            is_over
        })?;
        if is_over && !self.inbox.borrow().has(self.round) {
            self.round = next;
            self.is_closed = false;
            self.since = None;
            (self.sent, self.written) = (0, self.bytes());
            return Ok(true);
        }
        if self.is_ending || (self.quit)() {
            let since = self.since.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                return Err(self.give_up());
            }
        }
        Ok(false)
    }

    fn halt(&mut self, for_good: bool) -> Result<(), Broken> {
        let round = if for_good { u64::MAX } else { self.round };
        let from = self.index;
        self.inbox.borrow_mut().halt(round, from);
        for to in (0..self.processes).filter(|to| *to != from) {
            let mut call = Parcel {
                from,
                to,
                bytes: round.to_le_bytes().to_vec(),
            };
            self.with(|flow| flow.calls.send_batch(&mut call))?;
        }
        Ok(())
    }

    fn is_halted(&self) -> bool {
        let halted = self.inbox.borrow().halted;
        halted.is_some_and(|(round, _)| round == self.round || round == u64::MAX)
    }

    fn is_over(&self) -> bool {
        let halted = self.inbox.borrow().halted;
        self.is_broken || halted.is_some_and(|(round, _)| round == u64::MAX)
    }

    fn end_soon(&mut self) {
        self.is_ending = true;
    }

    fn bytes(&self) -> u64 {
        self.ledger.written.load(Relaxed)
    }
}

impl Flow {
    /// Two streams of parcels, both to whom they are for: one in rounds, and one for what cannot wait for the next round.
    fn new(allocator: Allocator, guard: CommsGuard, inbox: &Rc<RefCell<Inbox>>) -> Flow {
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let probe = Probe::new();
        let (parcels, calls) = worker.dataflow::<u64, _, _>(|scope| {
            let (parcels, stream) = scope.new_input_with_builder::<NoopBuilder<Parcel>>();
            let to = Rc::clone(inbox);
            let post = DistributorPact(|_| Post);
            let put = stream.unary::<NoopBuilder<Parcel>, _, _, _>(post, "parcels", |_, _| {
                move |input, _| {
                    input.for_each(|time, parcel| {
                        let parcel = (*time.time(), std::mem::take(parcel));
                        to.borrow_mut().parcels.push_back(parcel);
                    });
                }
            });
            put.probe_with(&probe);
            let (calls, stream) = scope.new_input_with_builder::<NoopBuilder<Parcel>>();
            let to = Rc::clone(inbox);
            let post = DistributorPact(|_| Post);
            stream.sink(post, "calls", move |(input, _)| {
                input.for_each(|_, call| {
                    if let Ok(round) = call.bytes.as_slice().try_into() {
                        to.borrow_mut().halt(u64::from_le_bytes(round), call.from);
                    }
                });
            });
            (parcels, calls)
        });
        Flow {
            parcels,
            calls,
            probe,
            worker,
            guard,
        }
    }
}

impl Inbox {
    fn has(&self, round: u64) -> bool {
        self.parcels.iter().any(|(of, _)| *of == round)
    }

    /// The first parcel of a round, with its sender.
    fn take(&mut self, round: u64) -> Option<(usize, Vec<u8>)> {
        let place = self.parcels.iter().position(|(of, _)| *of == round)?;
        let (_, parcel) = self.parcels.remove(place)?;
        Some((parcel.from, parcel.bytes))
    }

    /// Somebody wants a round to end, or all.
    fn halt(&mut self, round: u64, by: usize) {
        if self.halted.is_none_or(|(known, _)| known < round) {
            self.halted = Some((round, by));
        }
    }
}

impl Drop for Machines<'_> {
    fn drop(&mut self) {
        let Some(flow) = self.flow.take() else {
            return;
        };
        if self.is_broken {
            // Timely's parts panic when they are dropped after a connection was lost. The process is about to end.
            std::mem::forget(flow);
            return;
        }
        let Flow {
            parcels,
            calls,
            probe,
            worker,
            guard,
        } = flow;
        let _ = catch_unwind(AssertUnwindSafe(|| drop((parcels, calls, probe, worker))));
        // What was sent last has to arrive. Somebody who is lost now is not missed.
        let (tell, told) = std::sync::mpsc::channel::<()>();
        let waiting = std::thread::Builder::new().name("timely:end".into());
        let waiting = waiting.spawn(move || {
            let _tell = tell;
            drop(guard);
        });
        if waiting.is_ok() {
            let _ = told.recv_timeout(GRACE);
        }
    }
}
