//! Writing a file in one step: it has its old contents or all of the new, never a part. Owner, permissions and other
//! names of a file that is there already stay as they are.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How the names of temporary files begin.
const PREFIX: &str = ".sandalc-";

/// Writes a file.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    // The file a link points to is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    if let Some(existing) = &existing
        && !existing.is_file()
    {
        // Devices and pipes cannot be replaced, only written to; a directory is an error.
        return File::create(&target)?.write_all(contents);
    }
    if let Some(existing) = &existing {
        if existing.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if has_other_names(existing) {
            return write_in_place(&target, contents);
        }
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut draft = Draft::new(&folder)?;
    draft.file().write_all(contents)?;
    if let Some(existing) = &existing {
        if !keep_owner(draft.file(), existing) {
            drop(draft);
            return write_in_place(&target, contents);
        }
        draft.file().set_permissions(existing.permissions())?;
    }
    draft.file().sync_all()?;
    draft.become_file(&folder, &target)
}

/// What is to become a file.
enum Draft {
    /// It has no name yet: if we are killed nobody has to remove it.
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// Where there are no nameless files.
    Named(tempfile::NamedTempFile),
}

impl Draft {
    fn new(folder: &Path) -> io::Result<Draft> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{Mode, OFlags, open};
            let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
            if let Ok(file) = open(folder, flags, Mode::from_raw_mode(0o666)) {
                return Ok(Draft::Nameless(file.into()));
            }
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What a new file may be read by is the user's choice (umask), not a temporary file's.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(folder).map(Draft::Named)
    }

    fn file(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => file,
            Draft::Named(file) => file.as_file_mut(),
        }
    }

    /// Takes the place of a file, or is a new one.
    fn become_file(self, folder: &Path, target: &Path) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => {
                use std::os::fd::AsRawFd;

                use rustix::fs::{AtFlags, CWD, linkat};
                let from = format!("/proc/self/fd/{}", file.as_raw_fd());
                // A name can be given to it, but not taken from another file: for a moment it needs one of its own.
                let name = folder.join(format!("{PREFIX}{}", std::process::id()));
                let _ = fs::remove_file(&name);
                linkat(CWD, &from, CWD, &name, AtFlags::SYMLINK_FOLLOW)?;
                fs::rename(&name, target).inspect_err(|_| {
                    let _ = fs::remove_file(&name);
                })
            }
            Draft::Named(file) => {
                let named = file.persist(target);
                named.map(drop).map_err(|error| error.error)
            }
        }
    }
}

/// Writes over a file that cannot be replaced by another without a loss: of its other names, or of its owner.
fn write_in_place(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(contents)?;
    file.set_len(contents.len() as u64)?;
    file.sync_all()
}

#[cfg(unix)]
fn has_other_names(file: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// Gives a file the owner and group of another; whether it has them now.
#[cfg(unix)]
fn keep_owner(file: &File, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owner = |file: &fs::Metadata| (file.uid(), file.gid());
    file.metadata().is_ok_and(|own| owner(&own) == owner(other))
        || fchown(file, Some(other.uid()), Some(other.gid())).is_ok()
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> bool {
    true
}
