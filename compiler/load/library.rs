//! The modules that come with `sandalc`: `import "std/name"`.

/// What the path of an import from the library begins with.
pub const PREFIX: &str = "std/";

/// Each module's name and text.
pub const MODULES: &[(&str, &str)] = &[
    ("detector", include_str!("../../stdlib/detector.sdl")),
    ("link", include_str!("../../stdlib/link.sdl")),
    ("ticker", include_str!("../../stdlib/ticker.sdl")),
];

/// The text of a module.
pub fn find(name: &str) -> Option<&'static str> {
    MODULES
        .iter()
        .find(|(module, _)| *module == name)
        .map(|(_, text)| *text)
}
