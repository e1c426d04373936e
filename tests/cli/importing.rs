//! `sandalc import agenttool`.

use std::path::Path;

use super::run::{sandalc, sandalc_in};

const SEND_INFO: &str = "\
SendInfoResponder;startState;send;null;null;validationState
SendInfoResponder;validationState;null;invalidData;failureTransmission;waitState
SendInfoResponder;validationState;null;validData;acknowledge;endState
SendInfoResponder;waitState;send;null;null;validationState
SendInfoResponder;endState;null;null;null;null
SendInfoInitiator;startState;null;null;send;waitState
SendInfoInitiator;waitState;failureTransmission;null;send;waitState
SendInfoInitiator;waitState;acknowledge;null;null;endState
SendInfoInitiator;endState;null;null;null;null
";

const COLLECT_DATA: &str = "\
CollectDataResponder;startState;collectData;null;null;collectState
CollectDataResponder;collectState;null;sensorFailure;collectionFailure;waitState
CollectDataResponder;collectState;null;movementFailure;collectionFailure;waitState
CollectDataResponder;collectState;null;collectionComplete;return;completeState
CollectDataResponder;waitState;acknowledge;null;null;endState
CollectDataResponder;completeState;acknowledge;null;null;endState
CollectDataResponder;completeState;failureTransmission;null;return;completeState
CollectDataResponder;endState;null;null;null;null
CollectDataInitiator;startState;null;null;collectData;waitState
CollectDataInitiator;waitState;return;null;null;validationState
CollectDataInitiator;waitState;collectionFailure;null;null;logFailure
CollectDataInitiator;validationState;null;invalidData;failureTransmission;waitState
CollectDataInitiator;validationState;null;validData;acknowledge;endState
CollectDataInitiator;logFailure;acknowledge;null;null;endState
CollectDataInitiator;endState;null;null;null;null
";

fn corrected() -> String {
    COLLECT_DATA.replace(
        "logFailure;acknowledge;null;null",
        "logFailure;null;null;acknowledge",
    )
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

/// The verdicts of a model, by name.
fn verdicts(folder: &Path, model: &str, code: i32) -> Vec<(String, String)> {
    let json = sandalc_in(
        folder,
        &["check", model, "--engine", "embedded", "--format", "json"],
    )
    .expect(code);
    let report: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let properties = report["properties"].as_array().expect("a list");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    properties
        .iter()
        .map(|p| (text(&p["name"]), text(&p["verdict"])))
        .collect()
}

fn verdict(all: &[(String, String)], name: &str) -> String {
    let found = all.iter().find(|(other, _)| other == name);
    found
        .unwrap_or_else(|| panic!("no {name} in {all:?}"))
        .1
        .clone()
}

#[test]
fn the_tables_become_models_that_are_checked_and_laid_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, "info.tbl", SEND_INFO);
    write(folder, "wrong.tbl", COLLECT_DATA);
    write(folder, "right.tbl", &corrected());
    for (tables, deadlock, code) in [
        (&["info.tbl"][..], "holds", 0),
        (&["wrong.tbl"][..], "violated", 1),
        (&["right.tbl"][..], "holds", 0),
        (&["info.tbl", "wrong.tbl"][..], "violated", 1),
        (&["info.tbl", "right.tbl"][..], "holds", 0),
    ] {
        let args: Vec<&str> = ["import", "agenttool"]
            .into_iter()
            .chain(tables.iter().copied())
            .chain(["-o", "model.sdl"])
            .collect();
        sandalc_in(folder, &args).expect(0);
        assert_eq!(
            verdict(&verdicts(folder, "model.sdl", code), "deadlock"),
            deadlock,
            "{tables:?}"
        );
        sandalc_in(folder, &["fmt", "--check", "model.sdl"]).expect(0);
    }
    // The rows may be in any order, and the model has their numbers.
    let rows: Vec<&str> = COLLECT_DATA.lines().rev().collect();
    write(folder, "wrong.tbl", &rows.join("\n"));
    let model = sandalc_in(folder, &["import", "agenttool", "wrong.tbl"]).expect(0);
    assert!(
        model.out.contains("// row 12 [collectionComplete]"),
        "{}",
        model.out
    );
    write(folder, "model.sdl", &model.out);
    assert_eq!(
        verdict(&verdicts(folder, "model.sdl", 1), "deadlock"),
        "violated"
    );
}

#[test]
fn a_deadlock_tells_who_waits_for_what() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, "wrong.tbl", COLLECT_DATA);
    let args = ["import", "agenttool", "wrong.tbl", "-o", "model.sdl"];
    sandalc_in(folder, &args).expect(0);
    let args = [
        "check",
        "model.sdl",
        "--engine",
        "embedded",
        "--format",
        "json",
    ];
    let json = sandalc_in(folder, &args).expect(1).out;
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let related = &report["properties"][0]["trace"]["related"];
    let texts: Vec<&str> = (related.as_array().expect("a list").iter())
        .map(|place| place["text"].as_str().expect("text"))
        .collect();
    assert_eq!(
        texts,
        [
            "collectDataInitiator waits to receive from collectData",
            "collectDataResponder waits to receive from collectData",
            "collectData is empty",
        ]
    );
}

#[test]
fn a_sequence_of_messages_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, "info.tbl", SEND_INFO);
    write(folder, "data.tbl", &corrected());
    // Figures 31 and 32 of the thesis, and a message that is sent once.
    write(
        folder,
        "possible.tbl",
        "SendInfo;Initiator;Responder;send\nCollectData;Initiator;Responder;collectData\n\
         CollectData;CollectDataResponder;CollectDataInitiator;return\nSendInfo;Initiator;Responder;send\n",
    );
    write(
        folder,
        "impossible.tbl",
        "conversation;from;to;message\n\nSendInfo;Initiator;Responder;send\nCollectData;Initiator;Responder;send\n\
         CollectData;Responder;Initiator;return\nSendInfo;Initiator;Responder;send\n",
    );
    write(
        folder,
        "twice.tbl",
        "CollectData;Initiator;Responder;collectData\nCollectData;Initiator;Responder;collectData\n",
    );
    let args = [
        "import",
        "agenttool",
        "info.tbl",
        "data.tbl",
        "--sequence",
        "possible.tbl",
        "--sequence",
        "impossible.tbl",
        "--sequence",
        "twice.tbl",
        "-o",
        "model.sdl",
    ];
    sandalc_in(folder, &args).expect(0);
    let all = verdicts(folder, "model.sdl", 1);
    assert_eq!(verdict(&all, "deadlock"), "holds");
    assert_eq!(verdict(&all, "sequence"), "holds");
    assert_eq!(verdict(&all, "sequence_2"), "violated");
    assert_eq!(verdict(&all, "sequence_3"), "violated");
    sandalc_in(folder, &["fmt", "--check", "model.sdl"]).expect(0);
}

/// What is wrong with a table, in one line, and what to do about it.
fn complaint(table: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "t.tbl", table);
    let args = ["import", "agenttool", "t.tbl", "-o", "model.sdl"];
    let run = sandalc_in(folder.path(), &args).expect(2);
    assert!(
        !folder.path().join("model.sdl").exists(),
        "nothing is written"
    );
    run.err
}

#[test]
fn damaged_tables_are_told_by_row_and_field() {
    let row = |number: usize, old: &str, new: &str| {
        let lines = SEND_INFO.lines().enumerate();
        let lines: Vec<String> = lines
            .map(|(i, line)| match i + 1 == number {
                true => line.replacen(old, new, 1),
                false => line.to_owned(),
            })
            .collect();
        lines.join("\n")
    };
    let without = |word: &str| {
        let lines = SEND_INFO.lines().filter(|line| !line.starts_with(word));
        lines.collect::<Vec<_>>().join("\n")
    };
    for (table, expected) in [
        (
            row(2, ";waitState", ""),
            "row 2 has 5 of 6 fields: no `next`",
        ),
        (
            row(2, ";waitState", ";waitState;null"),
            "row 2 has 7 fields instead of 6",
        ),
        (
            row(4, ";send;", ";;"),
            "row 4, field 3 (received): `` is empty",
        ),
        (
            row(6, ";send;", ";send it;"),
            "row 6, field 5 (transmitted): `send it` is no name",
        ),
        (
            row(1, "SendInfoResponder", "SendInfo"),
            "row 1, field 1 (process): `SendInfo` is no part of a conversation",
        ),
        (
            row(3, ";endState", ";theEnd"),
            "row 3, field 6 (next): `theEnd` is a state without rows",
        ),
        (
            row(8, ";endState", ";null"),
            "row 8, field 6 (next): `null` leads nowhere",
        ),
        (
            row(9, ";null;null;null;null", ";null;null;null;waitState"),
            "row 9, field 6 (next): `waitState` follows the end",
        ),
        (
            row(6, "startState", "beginning"),
            "row 6, field 1 (process): `SendInfoInitiator` begins nowhere",
        ),
        (
            without("SendInfoResponder"),
            "row 1: the conversation SendInfo has no responder",
        ),
        (
            row(6, ";send;", ";Send;"),
            "row 6, field 5 (transmitted): `Send` differs from another message only in its first letter",
        ),
        (
            row(7, "waitState", "null"),
            "row 7, field 2 (state): `null` says that there is none",
        ),
        ("# nothing\n\n".to_owned(), "this table has no rows"),
    ] {
        let told = complaint(&table);
        assert!(told.contains(expected), "{expected}\n{told}\n{table}");
    }
}

#[test]
fn damaged_sequences_and_files_are_told_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, "t.tbl", SEND_INFO);
    for (sequence, expected) in [
        (
            "Other;Initiator;Responder;send\n",
            "row 1, field 1 (conversation): `Other` is no conversation",
        ),
        (
            "SendInfo;Me;Responder;send\n",
            "row 1, field 2 (from): `Me` takes no part",
        ),
        (
            "SendInfo;Initiator;Initiator;send\n",
            "row 1, field 3 (to): `Initiator` sends this message itself",
        ),
        (
            "SendInfo;Initiator;send\n",
            "row 1 has 3 of 4 fields: no `message`",
        ),
        ("", "this table has no rows"),
    ] {
        write(folder, "s.tbl", sequence);
        let args = ["import", "agenttool", "t.tbl", "--sequence", "s.tbl"];
        let told = sandalc_in(folder, &args).expect(2).err;
        assert!(told.contains(expected), "{expected}\n{told}");
    }
    std::fs::write(folder.join("b.tbl"), b"SendInfoInitiator;start\xffState").expect("written");
    let told = sandalc_in(folder, &["import", "agenttool", "b.tbl"])
        .expect(2)
        .err;
    assert!(told.contains("row 1 is no text"), "{told}");
    let told = sandalc_in(folder, &["import", "agenttool", "t.tbl", "-o", "t.tbl"])
        .expect(2)
        .err;
    assert!(told.contains("it would be overwritten"), "{told}");
    let told = sandalc(&["import", "agenttool", "no_such.tbl"])
        .expect(2)
        .err;
    assert!(told.contains("no_such.tbl"), "{told}");
}
