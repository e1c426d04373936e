//! Paths as references that browsers and other tools understand.

use std::fmt::Write as _;

/// The reference to a file: relative if its path is, `file://` if it is not. A module of the library is no file.
pub fn uri(path: &str) -> Option<String> {
    if path.starts_with("std/") && !path.ends_with(".sdl") {
        return None;
    }
    let relative = path.strip_prefix("./").unwrap_or(path);
    let mut out = String::new();
    if relative.starts_with('/') {
        out += "file://";
    }
    for byte in relative.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char);
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn every_path_is_a_reference() {
        assert_eq!(uri("a/b.sdl").as_deref(), Some("a/b.sdl"));
        assert_eq!(uri("./b.sdl").as_deref(), Some("b.sdl"));
        assert_eq!(
            uri("/tmp/a b.sdl").as_deref(),
            Some("file:///tmp/a%20b.sdl")
        );
        assert_eq!(
            uri("a\n:<é>%?#.sdl").as_deref(),
            Some("a%0A%3A%3C%C3%A9%3E%25%3F%23.sdl")
        );
        assert_eq!(uri("std/queue"), None);
    }
}
