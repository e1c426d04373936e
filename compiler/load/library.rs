//! The modules that come with `sandalc`: `import "std/name"`.

/// What the path of an import from the library begins with.
pub const PREFIX: &str = "std/";

/// Each module's name and text.
pub const MODULES: &[(&str, &str)] = &[
    ("broadcast", include_str!("../../stdlib/broadcast.sdl")),
    ("commit", include_str!("../../stdlib/commit.sdl")),
    ("delivery", include_str!("../../stdlib/delivery.sdl")),
    ("detector", include_str!("../../stdlib/detector.sdl")),
    ("election", include_str!("../../stdlib/election.sdl")),
    ("faults", include_str!("../../stdlib/faults.sdl")),
    ("heartbeat", include_str!("../../stdlib/heartbeat.sdl")),
    ("link", include_str!("../../stdlib/link.sdl")),
    ("lock", include_str!("../../stdlib/lock.sdl")),
    ("quorum", include_str!("../../stdlib/quorum.sdl")),
    ("ticker", include_str!("../../stdlib/ticker.sdl")),
];

/// The text of a module.
pub fn find(name: &str) -> Option<&'static str> {
    MODULES
        .iter()
        .find(|(module, _)| *module == name)
        .map(|(_, text)| *text)
}
