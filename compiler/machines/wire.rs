//! A connection that counts what goes out, and remembers who was lost.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use timely::communication::allocator::zero_copy::stream::Stream;

/// What all connections of a process have in common.
pub struct Ledger {
    /// Bytes that have gone out.
    pub written: AtomicU64,
    /// The first process whose connection ended, or `usize::MAX`.
    pub ended: AtomicUsize,
}

impl Default for Ledger {
    fn default() -> Self {
        Ledger {
            written: AtomicU64::new(0),
            ended: AtomicUsize::new(usize::MAX),
        }
    }
}

/// A connection to a process.
pub struct Wire {
    stream: TcpStream,
    to: usize,
    ledger: Arc<Ledger>,
}

impl Wire {
    /// A connection that was made.
    pub fn new(stream: TcpStream, to: usize, ledger: &Arc<Ledger>) -> Wire {
        notice_silence(&stream);
        Wire {
            stream,
            to,
            ledger: Arc::clone(ledger),
        }
    }

    fn ends(&self) {
        let ended = &self.ledger.ended;
        let _ = ended.compare_exchange(usize::MAX, self.to, Relaxed, Relaxed);
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer);
        if matches!(read, Ok(0) | Err(_)) {
            self.ends();
        }
        read
    }
}

impl Write for Wire {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(buffer);
        match written {
            Ok(count) => self.ledger.written.fetch_add(count as u64, Relaxed),
            Err(_) => {
                self.ends();
                0
            }
        };
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Wire> {
        Ok(Wire {
            stream: self.stream.try_clone()?,
            to: self.to,
            ledger: Arc::clone(&self.ledger),
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}

/// A machine that was switched off says nothing: after a quarter of a minute without a sign of life it is lost.
#[cfg(target_os = "linux")]
fn notice_silence(stream: &TcpStream) {
    use std::time::Duration;

    use rustix::net::sockopt;
    // Without it a lost machine is noticed later.
    let _ = sockopt::set_socket_keepalive(stream, true);
    let _ = sockopt::set_tcp_keepidle(stream, Duration::from_secs(5));
    let _ = sockopt::set_tcp_keepintvl(stream, Duration::from_secs(5));
    let _ = sockopt::set_tcp_keepcnt(stream, 2);
    let _ = sockopt::set_tcp_user_timeout(stream, 15_000);
}

#[cfg(not(target_os = "linux"))]
fn notice_silence(_: &TcpStream) {}
