//! Standard output and standard error, and how to speak on them.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use super::Exit;
use super::args::{Format, Output, Wanted};
use super::files::FileError;
use crate::diagnostic::{Diagnostic, render};
use crate::report;
use crate::source::{Sources, escaped_json, printable, visible};

/// Set if what is printed goes to a terminal by way of another process.
pub const TERMINAL: &str = "SANDALC_TERMINAL";

/// More messages than this are counted, not shown.
const MOST: usize = 200;

/// Where results and messages go.
#[derive(Clone)]
pub struct Shell {
    format: Format,
    wanted: Option<Wanted>,
    colour_out: bool,
    colour_err: bool,
    /// Warnings are not shown.
    hushed: bool,
    /// The reader of our output has gone: nobody is interested in the rest.
    closed: bool,
    /// Standard output cannot be written, for another reason.
    broken: bool,
}

impl Shell {
    /// Speaks as the user asked.
    pub fn new(output: &Output) -> Self {
        match output.color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        }
        .write_global();
        let coloured = |choice| choice != ColorChoice::Never;
        Shell {
            format: output.format.map_or(Format::Text, Wanted::messages),
            wanted: output.format,
            colour_out: coloured(AutoStream::choice(&io::stdout())),
            colour_err: coloured(AutoStream::choice(&io::stderr())),
            hushed: false,
            closed: false,
            broken: false,
        }
    }

    /// From now on warnings are not shown; errors are.
    pub fn hush(&mut self) {
        self.hushed = true;
    }

    /// Says nothing, but for errors that cannot be helped.
    pub fn silent() -> Shell {
        Shell {
            format: Format::Text,
            wanted: None,
            colour_out: false,
            colour_err: false,
            hushed: true,
            closed: true,
            broken: false,
        }
    }

    /// Whether results and messages have colours.
    pub fn is_coloured(&self) -> bool {
        self.colour_out && self.colour_err
    }

    /// Whether results are to be JSON.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The format of results, if one was asked for.
    pub fn wanted(&self) -> Option<Wanted> {
        self.wanted
    }

    /// The colours of results.
    pub fn style(&self) -> report::Style {
        if self.colour_out {
            report::Style::coloured()
        } else {
            report::Style::plain()
        }
    }

    /// A text in bold on standard output, if that has colours.
    pub fn bold(&self, text: &str) -> String {
        if self.colour_out {
            let style = anstyle::Style::new().bold();
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// Whether results are read by a person, now.
    pub fn is_terminal(&self) -> bool {
        // One of several processes is asked by the one that has the terminal.
        let for_another = std::env::var_os(TERMINAL).is_some();
        self.format == Format::Text && (for_another || io::stdout().is_terminal())
    }

    /// How many columns there are for results: those of the terminal, else what `COLUMNS` says, else 80.
    pub fn columns(&self) -> usize {
        let terminal = terminal_size::terminal_size_of(io::stdout());
        let columns = match terminal {
            Some((terminal_size::Width(columns), _)) => Some(columns.into()),
            None => std::env::var("COLUMNS")
                .ok()
                .and_then(|text| text.parse().ok()),
        };
        columns.unwrap_or(80).clamp(40, 400)
    }

    /// Writes a result to standard output, unprintable characters made visible. Whoever puts a text of the user's into
    /// coloured words sees to that before: escape sequences are ours then.
    pub fn print(&mut self, text: &str) {
        let harmless = |c: char| c == '\n' || c == '\t' || c == '\x1b' && self.colour_out;
        self.write(&match self.format {
            Format::Json => escaped_json(text),
            Format::Text => (text.chars())
                .map(|c| if harmless(c) { c } else { visible(c) })
                .collect(),
        });
    }

    /// Writes a text of the user's to standard output as it is, unless that is a terminal.
    pub fn print_exactly(&mut self, text: &str) {
        if io::stdout().is_terminal() {
            let lines = text.split_inclusive('\n');
            let shown: String = lines
                .map(|line| match line.strip_suffix('\n') {
                    Some(line) => printable(line) + "\n",
                    None => printable(line),
                })
                .collect();
            self.write(&shown);
        } else {
            self.write(text);
        }
    }

    fn write(&mut self, text: &str) {
        if self.closed || self.broken {
            return;
        }
        let mut out = io::stdout().lock();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            if error.kind() == io::ErrorKind::BrokenPipe {
                self.closed = true;
            } else {
                self.broken = true;
                drop(out);
                self.complain(
                    &format!("cannot write to standard output: {}", describe(&error)),
                    None,
                    None,
                );
            }
        }
    }

    /// The exit code of work that went well, unless its result could not be written.
    pub fn done(&self) -> Exit {
        if self.broken {
            Exit::BadInput
        } else {
            Exit::Ok
        }
    }

    /// Says that something other than a model is wrong.
    pub fn complain(&mut self, message: &str, path: Option<&str>, hint: Option<&str>) {
        let text = match self.format {
            Format::Text => render::bare_text(message, hint, self.colour_err),
            Format::Json => render::bare_json_line(message, path, hint) + "\n",
        };
        self.say(&text);
    }

    /// Says something that is good to know and nothing to mend; programs need not know it.
    pub fn note(&mut self, text: &str) {
        if self.format == Format::Text && !self.hushed {
            self.say(&format!("note: {}\n", printable(text)));
        }
    }

    /// Says that a file cannot be read or written.
    pub fn fail(&mut self, what: &str, failure: &FileError) {
        let meant = failure.meant.as_ref();
        let hint = meant.map(|meant| format!("name `{meant}`, if you mean that"));
        self.complain(
            &format!("cannot {what} `{}`: {}", failure.path, failure.why),
            Some(&failure.path),
            hint.as_deref(),
        );
    }

    /// Shows the messages about a model, in the order of their places, and counts them.
    pub fn report(&mut self, diagnostics: &[Diagnostic], sources: &Sources) {
        let mut sorted: Vec<&Diagnostic> = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error() || !self.hushed)
            .collect();
        sorted.sort_by_key(|diagnostic| {
            let span = diagnostic.primary.span;
            (span.file, span.start, span.end)
        });
        if self.format == Format::Json {
            for diagnostic in sorted {
                self.say(&(render::json_line(diagnostic, sources) + "\n"));
            }
            return;
        }
        for diagnostic in sorted.iter().take(MOST) {
            self.say(&render::text(diagnostic, sources, self.colour_err));
        }
        let Some(mut summary) = render::summary(&sorted) else {
            return;
        };
        if sorted.len() > MOST {
            summary += &format!(" (the first {MOST} are shown)");
        }
        let explained = sorted.iter().find(|d| d.is_error()).unwrap_or(&sorted[0]);
        self.say(&format!(
            "{summary}; `sandalc explain {}` tells more\n",
            explained.code
        ));
    }

    /// Messages that another process of this program has written.
    pub fn pass_on(&mut self, messages: &str) {
        self.say(messages);
    }

    /// Writes a message to standard error; if nobody listens, so be it.
    fn say(&mut self, text: &str) {
        if self.closed && self.hushed {
            return;
        }
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// What went wrong with a file, in few words.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a directory".into(),
        io::ErrorKind::NotADirectory => "a part of its path is not a directory".into(),
        io::ErrorKind::StorageFull => "no space left on the disk".into(),
        _ => {
            // `Is a directory (os error 21)`: the number helps nobody.
            let text = error.to_string();
            match text.find(" (os error") {
                Some(end) => text[..end].to_lowercase(),
                None => text,
            }
        }
    }
}
