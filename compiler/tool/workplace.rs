//! A temporary folder with the processes that work in it. Both are gone when we are, however that comes about.
//!
//! The processes form a group. A *watchdog* leads it: a shell that waits for the end of a pipe which nobody ever
//! writes to, and whose other end only we hold. When we are gone, killed without a chance to clean up for instance, the
//! pipe ends; then the watchdog ends the group and removes the folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Error;

/// The workplaces that there are, for [`abandon_all`].
static OPEN: Mutex<Vec<Mark>> = Mutex::new(Vec::new());

/// What is left of a workplace that nobody closes.
struct Mark {
    folder: PathBuf,
    group: Option<u32>,
}

/// Ends everything that works for us and removes its files: for a sudden exit, on which no destructor runs.
/// Whoever wants to start something new waits for ever.
pub fn abandon_all() {
    let open = marks();
    for mark in open.iter() {
        if let Some(group) = mark.group {
            end_group(group);
        }
        let _ = std::fs::remove_dir_all(&mark.folder);
    }
    std::mem::forget(open);
}

fn marks() -> MutexGuard<'static, Vec<Mark>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary folder and a group of processes.
#[derive(Debug)]
pub struct Workplace {
    folder: tempfile::TempDir,
    #[cfg(unix)]
    watchdog: Watchdog,
}

impl Workplace {
    /// An empty folder, and nobody but a watchdog.
    ///
    /// # Errors
    /// If that cannot be had.
    pub fn new() -> Result<Self, Error> {
        let io = |e: std::io::Error| Error::Io(e.to_string());
        let mut open = marks();
        let folder = tempfile::Builder::new().prefix("sandalc-").tempdir();
        let folder = folder.map_err(io)?;
        #[cfg(unix)]
        let watchdog = Watchdog::over(folder.path())?;
        open.push(Mark {
            folder: folder.path().to_path_buf(),
            #[cfg(unix)]
            group: Some(watchdog.shell.id()),
            #[cfg(not(unix))]
            group: None,
        });
        Ok(Workplace {
            folder,
            #[cfg(unix)]
            watchdog,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a file into the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> Result<(), Error> {
        std::fs::write(self.path().join(name), text).map_err(|e| Error::Io(e.to_string()))
    }

    /// Starts a program in the folder, as a member of the group.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self, command: &mut Command) -> std::io::Result<Worker> {
        command.current_dir(self.path());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            let group = i32::try_from(self.watchdog.shell.id());
            command.process_group(group.map_err(std::io::Error::other)?);
        }
        // Nothing starts while everything is being ended.
        let _open = marks();
        command.spawn().map(Worker)
    }

    /// Ends all processes.
    pub fn end(&self) {
        #[cfg(unix)]
        end_group(self.watchdog.shell.id());
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        self.end();
        marks().retain(|mark| mark.folder != self.folder.path());
    }
}

/// A process at a [`Workplace`]. It ends with this value.
#[derive(Debug)]
pub struct Worker(pub Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The leader of the group. Until we have waited for it its number names this group and no other.
#[cfg(unix)]
#[derive(Debug)]
struct Watchdog {
    shell: Child,
    /// What it waits for the end of.
    _leash: std::io::PipeWriter,
}

#[cfg(unix)]
impl Watchdog {
    /// It outlives the signal that it ends the others with, so that nobody is writing to the folder any more when that
    /// is removed; whoever does not heed that signal dies with the watchdog itself.
    const SCRIPT: &str =
        "trap '' HUP INT TERM; read -r _; kill -TERM 0; rm -rf -- \"$0\"; kill -KILL 0";

    fn over(folder: &Path) -> Result<Self, Error> {
        use std::os::unix::process::CommandExt;
        use std::process::Stdio;
        let (end, leash) = std::io::pipe().map_err(|e| Error::Io(e.to_string()))?;
        let shell = Command::new("/bin/sh")
            .args(["-c", Self::SCRIPT])
            .arg(folder)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/")
            .stdin(end)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|e| Error::CannotStart("/bin/sh".into(), e.to_string()))?;
        Ok(Watchdog {
            shell,
            _leash: leash,
        })
    }
}

#[cfg(unix)]
impl Drop for Watchdog {
    fn drop(&mut self) {
        end_group(self.shell.id());
        let _ = self.shell.wait();
    }
}

#[cfg(unix)]
fn end_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}
