//! The open documents, and the files that a model may import.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::position::{Encoding, Lines};
use super::{places, uri};
use crate::cli::files;
use crate::load::{Files, Unreadable};

/// A text with more bytes is refused, as the command line refuses such a file.
const LARGEST: usize = 64 << 20;

/// An open document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its address.
    pub uri: String,
    /// What the client calls this state of it.
    pub version: i64,
    /// Its text.
    pub text: Arc<String>,
    /// Where its lines begin.
    pub lines: Arc<Lines>,
}

impl Document {
    /// A document as it is opened.
    pub fn new(uri: &str, version: i64, text: String) -> Document {
        Document {
            uri: uri.to_owned(),
            version,
            lines: Arc::new(Lines::new(&text)),
            text: Arc::new(text),
        }
    }

    /// Makes the changes of a message, one after the other.
    pub fn change(&mut self, version: i64, changes: &[Value], encoding: Encoding) {
        self.version = version;
        for change in changes {
            let Some(new) = change.get("text").and_then(Value::as_str) else {
                continue;
            };
            let range = change.get("range").and_then(places::range_of);
            let text = match range {
                None => new.to_owned(),
                Some((start, end)) => {
                    let start = self.lines.offset(&self.text, start, encoding);
                    let end = self.lines.offset(&self.text, end, encoding).max(start);
                    let text = Arc::make_mut(&mut self.text);
                    text.replace_range(start..end, new);
                    self.lines = Arc::new(Lines::new(&self.text));
                    continue;
                }
            };
            self.lines = Arc::new(Lines::new(&text));
            self.text = Arc::new(text);
        }
    }
}

/// The open documents by path, and the folders that are open. A copy is a snapshot: texts are shared.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    /// By the path that their address stands for.
    pub open: BTreeMap<PathBuf, Document>,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// How often files may have changed that are not open.
    pub disk: u64,
}

impl Documents {
    /// An open document.
    pub fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(&uri::path(uri))
    }

    /// The folder of the workspace that a path is in: the innermost.
    pub fn folder(&self, path: &Path) -> Option<&Path> {
        let around = self
            .folders
            .iter()
            .filter(|folder| path.starts_with(folder));
        let inner = around.max_by_key(|folder| folder.components().count());
        inner.map(PathBuf::as_path)
    }
}

impl Files for Documents {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        let unreadable = |why: &str| Unreadable {
            why: why.to_owned(),
            meant: None,
        };
        let named = plain(path);
        if let Some(document) = self.open.get(&named) {
            if document.text.len() > LARGEST {
                return Err(unreadable(&format!(
                    "it has more than {} MiB",
                    LARGEST >> 20
                )));
            }
            return Ok(document.text.as_bytes().to_vec());
        }
        // What is imported by a document that is no file.
        if !path.is_absolute() {
            return Err(unreadable("no such file"));
        }
        files::read_file(&named).map_err(|failure| Unreadable {
            why: failure.why,
            meant: failure.meant,
        })
    }

    fn identity(&self, path: &Path) -> PathBuf {
        let named = plain(path);
        match path.is_absolute() {
            true => std::fs::canonicalize(&named).unwrap_or(named),
            false => named,
        }
    }

    /// As from the folder of the workspace, where the command line would be run.
    fn display(&self, path: &Path) -> String {
        let named = plain(path);
        let shown = self
            .folder(&named)
            .and_then(|folder| named.strip_prefix(folder).ok());
        shown.unwrap_or(&named).display().to_string()
    }

    fn project(&self, main: &Path) -> PathBuf {
        let named = plain(main);
        let folder = self.folder(&named).map(Path::to_owned);
        folder.unwrap_or_else(|| named.parent().map(Path::to_owned).unwrap_or_default())
    }
}

/// A path without `.` and `..`.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(part),
        }
    }
    plain
}
