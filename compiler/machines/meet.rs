//! Finding each other: every process connects to those before it and is connected to by those after it; on each connection both
//! say who they are and what they are going to do, before anything else.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::hosts::Host;

/// What a process says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Greeting {
    /// Which version of the program it is.
    pub version: String,
    /// Which process it is.
    pub process: usize,
    /// How many there are.
    pub processes: usize,
    /// Tells it from all others, also from one that says it is the same process.
    pub instance: u64,
    /// What it is going to do, by aspect: a name for people, and a number that only the same thing has.
    pub same: Vec<(String, String)>,
}

/// Why processes do not come together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// This process cannot listen where it shall.
    CannotListen(String),
    /// These have not come in time.
    NotCome(Vec<usize>),
    /// Two say that they are the same process.
    Twice(usize),
    /// Two processes differ in something: which, and in what.
    Differ(usize, usize, String),
    /// The caller said so.
    Stopped,
}

/// A connection to each other process, and none to itself.
pub type Sockets = Vec<Option<TcpStream>>;

/// The first bytes on every connection.
const MAGIC: &[u8; 8] = b"sandalc\n";

/// How long somebody who has connected may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long to wait before the next try.
const PAUSE: Duration = Duration::from_millis(50);

/// No greeting is longer.
const LONGEST: usize = 1 << 16;

/// Meets the other processes.
///
/// # Errors
/// If they do not come together in time, or differ.
pub fn meet(
    hosts: &[Host],
    own: &Greeting,
    time: Duration,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Sockets, Missed> {
    let here = own.process;
    let cannot = |why: io::Error| Missed::CannotListen(why.to_string());
    let listener = TcpListener::bind((hosts[here].name.as_str(), hosts[here].port));
    let listener = listener.map_err(cannot)?;
    listener.set_nonblocking(true).map_err(cannot)?;
    let end = Instant::now().checked_add(time);
    let is_late = || stop() || end.is_some_and(|end| Instant::now() >= end);
    let (before, after) = thread::scope(|scope| {
        let after = scope.spawn(|| accept(&listener, own, &is_late));
        let before: Vec<_> = (0..here)
            .map(|other| connect(&hosts[other], other, own, &is_late))
            .collect();
        (before, after.join().unwrap_or_else(|_| Ok(Vec::new())))
    });
    let met: Vec<Option<Met>> = (before.into_iter()).chain([None]).chain(after?).collect();
    let missing = |other: &usize| *other != here && met.get(*other).is_none_or(Option::is_none);
    let missing: Vec<usize> = (0..hosts.len()).filter(missing).collect();
    if !missing.is_empty() {
        return match stop() {
            true => Err(Missed::Stopped),
            false => Err(Missed::NotCome(missing)),
        };
    }
    compare(own, &met)?;
    Ok(met
        .into_iter()
        .map(|met| met.map(|(stream, _)| stream))
        .collect())
}

/// A connection, and who is there.
type Met = (TcpStream, Greeting);

/// Connects to a process that is expected to be there sooner or later.
fn connect(host: &Host, other: usize, own: &Greeting, is_late: &dyn Fn() -> bool) -> Option<Met> {
    while !is_late() {
        let addresses = (host.name.as_str(), host.port).to_socket_addrs();
        let connected = addresses
            .into_iter()
            .flatten()
            .find_map(|address| TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok());
        let met = connected.and_then(|mut stream| {
            say(&mut stream, own).ok()?;
            let greeting = hear(&mut stream).ok()?;
            (greeting.process == other).then_some((stream, greeting))
        });
        if met.is_some() {
            return met;
        }
        thread::sleep(PAUSE);
    }
    None
}

/// Waits for those who come after this process.
fn accept(
    listener: &TcpListener,
    own: &Greeting,
    is_late: &dyn Fn() -> bool,
) -> Result<Vec<Option<Met>>, Missed> {
    let here = own.process;
    let mut met: Vec<Option<Met>> = Vec::new();
    met.resize_with(own.processes - here - 1, || None);
    while met.iter().any(Option::is_none) && !is_late() {
        let Ok((mut stream, _)) = listener.accept() else {
            thread::sleep(PAUSE / 5);
            continue;
        };
        // Whoever is not one of us has nothing to say that we understand.
        let heard = stream
            .set_nonblocking(false)
            .and_then(|()| hear(&mut stream));
        let Ok(greeting) = heard else {
            continue;
        };
        let Some(place) = greeting.process.checked_sub(here + 1) else {
            return Err(Missed::Twice(greeting.process));
        };
        if say(&mut stream, own).is_err() {
            continue;
        }
        match met.get_mut(place) {
            // It may have tried again, having heard no answer.
            Some(Some((_, known))) if known.instance != greeting.instance => {
                return Err(Missed::Twice(greeting.process));
            }
            Some(known) => *known = Some((stream, greeting)),
            None => {
                let what = "the number of processes".to_owned();
                return Err(Missed::Differ(greeting.process, here, what));
            }
        }
    }
    Ok(met)
}

fn say(stream: &mut TcpStream, own: &Greeting) -> io::Result<()> {
    let text = serde_json::to_vec(own)?;
    let mut message = MAGIC.to_vec();
    message.extend_from_slice(&(text.len() as u32).to_le_bytes());
    message.extend(text);
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(&message)?;
    stream.set_write_timeout(None)
}

fn hear(stream: &mut TcpStream) -> io::Result<Greeting> {
    let strange = || io::Error::from(io::ErrorKind::InvalidData);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
    if head[..8] != *MAGIC || length > LONGEST {
        return Err(strange());
    }
    let mut text = vec![0; length];
    stream.read_exact(&mut text)?;
    stream.set_read_timeout(None)?;
    serde_json::from_slice(&text).map_err(|_| strange())
}

/// Whether all are going to do the same as process 0.
fn compare(own: &Greeting, met: &[Option<Met>]) -> Result<(), Missed> {
    let greeting = |process: usize| match met.get(process) {
        Some(Some((_, greeting))) => greeting,
        _ => own,
    };
    let first = greeting(0);
    for other in (1..own.processes).map(greeting) {
        let differ = |what: &str| {
            Err(Missed::Differ(
                other.process,
                first.process,
                what.to_owned(),
            ))
        };
        if other.version != first.version {
            return differ("the version of sandalc");
        }
        if other.processes != first.processes {
            return differ("the number of processes");
        }
        let aspects = other.same.iter().zip(&first.same);
        if let Some(((what, _), _)) = aspects.into_iter().find(|(a, b)| a != b) {
            return differ(what);
        }
    }
    Ok(())
}
