//! The page is one file that loads nothing, whatever the model and its files are called.

use super::{Page, Table, page};
use crate::check;
use crate::report::About;
use crate::source::Sources;

/// What would be markup, code or a trick somewhere, as a comment in conditions and as the name of a file.
const EVIL: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u{202e}\u{1b}[31m&quot;'\" ]]> <!--";

fn report(file: &str, comment: &str) -> String {
    let text = format!(
        "data Msg {{ Job, Result }}
proc Client(requests channel {{ Msg }}, replies channel {{ Msg }}) {{
    var answer Msg
    send(requests, Job) // {comment}
    if answer == Job /* {comment} */ {{ recv(replies, answer) }}
}}
proc Server(requests channel {{ Msg }}, replies channel {{ Msg }}) {{
    recv(requests, _)
    send(replies, Result)
}}
init {{
    requests: channel {{ Msg }} @drop, // {comment}
    replies: channel {{ Msg }},
    client: Client(requests, replies),
    server: Server(requests, replies) @shutdown,
}}
"
    );
    let mut sources = Sources::new();
    let id = sources.add(file, text);
    let parsed = crate::syntax::parse(&sources, id);
    let checked = crate::program::check(&parsed.file, &[], &[], &crate::weave::FAULTS);
    let program = checked.program.expect("a right model");
    let system = crate::build(&program, &crate::weave::Options::default());
    let wanted: Vec<usize> = (0..system.properties.len()).collect();
    let task = check::Task {
        system: &system,
        wanted: &wanted,
        options: check::Options::default(),
    };
    let found = check::check(&task, check::Engines::Embedded, &check::Nowhere).expect("answers");
    page(&Page {
        system: &system,
        sources: &sources,
        answers: &found.answers,
        about: &About {
            file,
            engine: "embedded",
            states: found.states,
            second: None,
            stats: None,
            differences: None,
        },
        tables: &[Table {
            title: comment.to_owned(),
            columns: vec![comment.to_owned()],
            rows: vec![vec![comment.to_owned()], vec!["holds".to_owned()]],
        }],
        notes: &[comment.to_owned()],
    })
}

/// The elements of a page, and the attributes of each.
fn elements(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        found.push(tag.to_owned());
        // What a script holds is no markup.
        if tag.starts_with("script") || tag.starts_with("style") {
            let name = &tag[..tag.find(' ').unwrap_or(tag.len())];
            rest = &rest[rest.find(&format!("</{name}>")).expect("it ends")..];
        }
    }
    found
}

#[test]
fn nothing_of_a_model_becomes_markup() {
    let plain = report("model.sdl", "a comment");
    let hostile = report(&format!("{EVIL}.sdl"), EVIL);
    // The same elements: whatever was added is text. Sizes of pictures may differ.
    let names = |page: &str| -> Vec<String> {
        let name = |tag: &String| tag.split([' ', '>']).next().unwrap_or_default().to_owned();
        elements(page).iter().map(name).collect()
    };
    assert_eq!(names(&plain), names(&hostile));
    assert!(!hostile.contains(['\u{202e}', '\u{1b}']));
    assert!(!hostile.contains("onerror=alert(2)>"));
    for tag in elements(&hostile) {
        assert!(!tag.contains(" on") && !tag.contains(" src="), "{tag}");
    }
}

#[test]
fn a_page_loads_nothing() {
    let page = report("model.sdl", "a comment");
    for tag in elements(&page) {
        for attribute in ["href=\"", "src=\"", "data=\"", "action=\""] {
            if let Some(at) = tag.find(attribute) {
                let value = &tag[at + attribute.len()..];
                assert!(value.starts_with('#') || tag.contains("data-"), "{tag}");
            }
        }
        assert!(
            !tag.starts_with("link") && !tag.starts_with("iframe"),
            "{tag}"
        );
    }
    assert!(page.contains("default-src 'none'"));
    // The only addresses are names, which nobody visits.
    let addresses = page.matches("http://").count() + page.matches("https://").count();
    let names = page.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(addresses, names);
}

#[test]
fn the_data_is_json_and_says_what_the_run_does() {
    let page = report("model.sdl", "</script> \u{2028}");
    let start = page.find("id=\"data\">").expect("the data") + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").expect("it ends");
    let data: serde_json::Value = serde_json::from_str(&page[start..end]).expect("JSON");
    let run = &data["runs"][0];
    assert_eq!(run["lanes"].as_array().map(Vec::len), Some(2));
    let steps = run["steps"].as_array().expect("steps");
    let words = |step: &serde_json::Value| {
        let index = step[1].as_u64().expect("an index") as usize;
        data["strings"][index].as_str().expect("a text").to_owned()
    };
    let told: Vec<String> = steps.iter().map(words).collect();
    assert!(
        told.contains(&"FAULT requests drops Job".to_owned()),
        "{told:?}"
    );
    assert_eq!(data["vars"].as_array().map(Vec::len), Some(3));
    assert_eq!(data["processes"].as_array().map(Vec::len), Some(2));
}
