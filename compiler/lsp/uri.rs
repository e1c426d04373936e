//! Addresses of documents, and the paths they stand for.

use std::path::{Path, PathBuf};

use crate::report::uri::uri;

/// The path of a `file:` address. Any other address stands for itself: such a document is open, but no file.
pub fn path(uri: &str) -> PathBuf {
    match uri.strip_prefix("file://") {
        Some(rest) => {
            // `file://host/path` would be on another machine.
            let rest = rest.strip_prefix("localhost").unwrap_or(rest);
            let decoded = decoded(rest);
            // `/C:/x` on Windows.
            let bytes = decoded.as_bytes();
            let drive = bytes.len() > 2 && bytes[0] == b'/' && bytes[2] == b':';
            PathBuf::from(if drive { &decoded[1..] } else { &decoded })
        }
        None => PathBuf::from(uri),
    }
}

/// The address of a path.
pub fn of(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    if text.contains("://") || text.starts_with("untitled:") {
        return text;
    }
    let rooted = match text.starts_with('/') {
        true => text,
        false => format!("/{text}"),
    };
    uri(&rooted).unwrap_or(rooted)
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes.get(at + 1..at + 3)).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], byte) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_stand_for_each_other() {
        for text in ["/a/b c.sdl", "/é/%/#.sdl", "/a+b/@x.sdl"] {
            assert_eq!(path(&of(Path::new(text))), Path::new(text));
        }
        assert_eq!(of(Path::new("/a b")), "file:///a%20b");
        assert_eq!(path("file:///c%3A/m.sdl"), Path::new("c:/m.sdl"));
        assert_eq!(
            path("untitled:Untitled-1"),
            Path::new("untitled:Untitled-1")
        );
        assert_eq!(of(Path::new("untitled:Untitled-1")), "untitled:Untitled-1");
    }
}
