//! The texts that users read are in the style that `sandalc fmt` writes.

use std::path::Path;

use sandalc::source::Sources;
use sandalc::syntax;

#[test]
fn examples_and_library_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["examples", "stdlib"] {
        let mut count = 0;
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_none_or(|extension| extension != "sdl") {
                continue;
            }
            count += 1;
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let mut sources = Sources::new();
            let id = sources.add(path.display().to_string(), text.clone());
            let formatted = syntax::format(&sources, id).expect("a model without syntax errors");
            assert!(formatted == text, "{} is not formatted", path.display());
        }
        assert!(count > 0, "{folder} has no models");
    }
}
