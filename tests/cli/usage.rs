//! Help, versions, explanations, completions, manual pages, and wrong usage.

use super::run::{command, finish, sandalc};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The names of the commands, from the help.
fn commands() -> Vec<String> {
    let help = sandalc(&["--help"]).expect(0).out;
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

#[test]
fn help_goes_to_standard_output_and_names_the_exit_codes() {
    let help = sandalc(&["--help"]).expect(0);
    assert_eq!(help.err, "");
    for words in ["Usage:", "Commands:", "Exit codes:", "--color", "--format"] {
        assert!(help.out.contains(words), "{}", help.out);
    }
}

#[test]
fn every_command_has_an_example() {
    let commands = commands();
    assert!(commands.len() >= 3, "{commands:?}");
    for name in commands {
        let help = sandalc(&[&name, "--help"]).expect(0).out;
        assert!(help.contains("Example"), "{name}:\n{help}");
        assert!(help.contains(&format!("sandalc {name}")), "{name}:\n{help}");
    }
}

#[test]
fn the_version_is_the_package_s() {
    let version = sandalc(&["--version"]).expect(0).out;
    assert_eq!(
        version,
        concat!("sandalc ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn wrong_usage_is_exit_code_2_on_standard_error() {
    for args in [
        &[][..],
        &["--nonsense"],
        &["explain", "S0001", "S0002"],
        &["--color", "mauve", "explain"],
        &["--format", "xml", "explain"],
        &["completions", "dosh"],
        &["completions"],
        &["man", "exlain"],
    ] {
        let output = sandalc(args).expect(2);
        assert_eq!(output.out, "", "{args:?}");
        assert!(!output.err.is_empty(), "{args:?}");
    }
}

#[test]
fn an_unknown_command_is_named() {
    for (args, hint) in [
        (&["frobnicate", "x"][..], "choose from check, "),
        (&["chek", "model.sdl", "--no-faults"], "write `check`"),
        (&["imitate"], "choose from check, "),
        (&["imitate", "--timely"], "or name a file"),
        (&["fomt"], "write `fmt`"),
        (&["help"], "write `--help`"),
    ] {
        let output = sandalc(args).expect(2);
        let message = format!("there is no command `{}`", args[0]);
        assert!(output.err.contains(&message), "{}", output.err);
        assert!(output.err.contains(hint), "{}", output.err);
        let json = sandalc(&[args, &["--format", "json"]].concat()).expect(2);
        assert_eq!(json.json_lines().len(), 1);
    }
    let dirty = sandalc(&["--\x1b[31m\u{202e}"]).expect(2);
    assert!(!dirty.err.contains(['\x1b', '\u{202e}']), "{}", dirty.err);
}

#[test]
fn every_documented_code_is_explained() {
    let list = sandalc(&["explain"]).expect(0).out;
    assert!(list.lines().count() >= 2, "{list}");
    for line in list.lines() {
        let code = line.split(':').next().expect("a code");
        let text = sandalc(&["explain", code]).expect(0).out;
        assert!(text.starts_with(line), "{text}");
        assert!(text.lines().count() > 2, "an explanation of {code}: {text}");
        assert!(!text.contains("```"), "{text}");
        assert_eq!(
            sandalc(&["explain", &code.to_lowercase()]).expect(0).out,
            text
        );
    }
}

#[test]
fn an_unknown_code_is_answered_with_a_near_one() {
    let output = sandalc(&["explain", "S0O01"]).expect(2);
    assert!(
        output.err.contains("sandalc explain S0001"),
        "{}",
        output.err
    );
    let output = sandalc(&["explain", "nonsense"]).expect(2);
    assert!(output.err.contains("list of all codes"), "{}", output.err);
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandalc(&["completions", shell]).expect(0).out;
        for name in commands() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
    }
}

#[test]
fn manual_pages_are_roff() {
    let page = sandalc(&["man"]).expect(0).out;
    assert!(page.contains(".TH sandalc 1"), "{page}");
    for name in commands() {
        let page = sandalc(&["man", &name]).expect(0).out;
        assert!(page.contains(".TH"), "{page}");
        assert!(page.contains(&name), "{page}");
    }
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let coloured = |args: &[&str], variable: Option<(&str, &str)>| {
        let mut command = command(ROOT.as_ref(), args);
        command.envs(variable);
        let output = finish(command);
        (output.out + &output.err).contains('\x1b')
    };
    let wrong = ["explain", "nonsense"];
    let always = ["explain", "nonsense", "--color", "always"];
    assert!(!coloured(&wrong, None));
    assert!(coloured(&always, None));
    assert!(coloured(&always, Some(("NO_COLOR", "1"))));
    assert!(coloured(&wrong, Some(("CLICOLOR_FORCE", "1"))));
    assert!(!coloured(
        &["explain", "nonsense", "--color", "never"],
        Some(("CLICOLOR_FORCE", "1"))
    ));
    assert!(!coloured(&wrong, Some(("NO_COLOR", "1"))));
    // The command line itself may be wrong.
    assert!(coloured(&["--color=always", "--nonsense"], None));
    assert!(!coloured(&["--nonsense"], None));
}

#[test]
fn errors_outside_of_models_are_json_lines_too() {
    let output = sandalc(&["explain", "nonsense", "--format", "json"]).expect(2);
    let lines = output.json_lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["severity"], "error");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let mut command = command(ROOT.as_ref(), &["explain"]);
    command.stdout(full.expect("/dev/full"));
    let output = finish(command).expect(2);
    assert!(output.err.contains("no space left"), "{}", output.err);

    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = super::run::command(ROOT.as_ref(), &["completions", "zsh"]);
    command.stdout(writer);
    let output = finish(command).expect(0);
    assert_eq!(output.err, "");
}
