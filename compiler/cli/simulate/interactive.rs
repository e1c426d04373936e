//! `sandalc simulate --interactive`: the user picks each step, or injects a fault, and sees what that does.
//!
//! It reads lines and writes text, as debuggers do, instead of taking over the terminal: so it works in every terminal, over
//! slow connections, with screen readers and with a script on its standard input; what was seen stays to be scrolled back to;
//! and it needs no library.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::explorer::Explorer;
use super::screen;
use super::watched::{Watching, Wrong, watching};
use super::{in_json, save};
use crate::cli::Exit;
use crate::cli::args::Simulate;
use crate::cli::check::watch::Watch;
use crate::cli::drawing;
use crate::cli::shell::Shell;
use crate::report::plural;
use crate::system::{Event, state};

/// The longest run that a command takes by itself.
const MOST: usize = 10_000;

/// How often the limits are looked at while nothing is typed.
const INTERVAL: Duration = Duration::from_millis(50);

/// The lines of standard input, read by a thread of their own: who waits for one can look at the limits meanwhile.
struct Lines(Receiver<String>);

impl Lines {
    fn new() -> Lines {
        let (send, receive) = sync_channel(1);
        let reading = std::thread::Builder::new().name("input".into());
        // Without a thread there is nothing to read: the run ends at once.
        let _ = reading.spawn(move || {
            let mut line = String::new();
            while let Ok(1..) = std::io::stdin().lock().read_line(&mut line) {
                if send.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        Lines(receive)
    }

    /// The next one; none at the end of the input, or if a limit is reached.
    fn next(&self, watch: &Watch) -> Option<String> {
        while !watch.is_over() {
            match self.0.recv_timeout(INTERVAL) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }
}

/// Explores a model until the user ends it, or a limit is reached.
pub fn run(args: &Simulate, watch: &Watch, shell: &mut Shell) -> Exit {
    let watched = match watching(&args.model, &[]) {
        Ok(watched) => watched,
        Err(wrong) => return complain(wrong, shell),
    };
    let mut session = Session {
        args,
        explorer: Explorer::new(watched, args.seed),
        watch,
        watched: Vec::new(),
        every_choice: false,
    };
    shell.report(&[], &session.explorer.watching.model.sources);
    let prompt = std::io::stdin().is_terminal();
    shell.print("Pick a step by its number; `?` lists what else there is.\n");
    let lines = Lines::new();
    let mut show = true;
    loop {
        if show {
            screen::chart(&session.explorer, &args.drawing, shell);
            shell.print(&screen::state(
                &session.explorer,
                session.every_choice,
                shell,
            ));
        }
        if prompt {
            shell.print("> ");
        }
        let _ = std::io::stdout().flush();
        let Some(line) = lines.next(watch) else {
            break;
        };
        if !prompt {
            shell.print(&format!("> {}\n", line.trim()));
        }
        match session.obey(line.trim(), shell) {
            Next::Show => show = true,
            Next::Ask => show = false,
            Next::End => break,
        }
    }
    if let Some(limit) = watch.reached() {
        shell.print("\n");
        shell.complain(limit.as_str(), None, limit.hint());
    }
    let mut exit = match (session.explorer.has_violated, watch.reached()) {
        (true, _) => Exit::Violated,
        (false, Some(_)) => Exit::Undecided,
        (false, None) => Exit::Ok,
    };
    if let Some(file) = &args.save {
        exit = exit.and(session.save(file.as_os_str().as_ref(), shell));
    }
    exit.and(shell.done())
}

/// Says what is wrong with the model.
fn complain(wrong: Wrong, shell: &mut Shell) -> Exit {
    match wrong {
        Wrong::Unreadable(failure) => shell.fail("read", &failure),
        Wrong::Model(sources, diagnostics) => shell.report(&diagnostics, &sources),
        Wrong::Options(unknown) => {
            let message = format!("the model marks no fault `{}`", unknown.asked);
            let hint = format!("choose from {}", unknown.marked.join(", "));
            shell.complain(&message, None, Some(&hint));
        }
        Wrong::Expression(why) => shell.complain(&why, None, None),
    }
    Exit::BadInput
}

/// What comes after a command.
enum Next {
    /// The state and the choices.
    Show,
    /// The next command.
    Ask,
    /// Nothing.
    End,
}

struct Session<'a> {
    args: &'a Simulate,
    watch: &'a Watch,
    explorer: Explorer,
    /// The expressions that are watched.
    watched: Vec<String>,
    every_choice: bool,
}

impl Session<'_> {
    fn obey(&mut self, line: &str, shell: &mut Shell) -> Next {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if let Ok(number) = word.parse::<usize>() {
            return self.pick(number, shell);
        }
        match word {
            "" | "n" | "next" => self.random(1, |_| true, "", shell),
            "r" | "run" => match rest.parse() {
                Ok(steps) => self.random(steps, |_| false, "", shell),
                Err(_) => hint("say how many steps, as in `run 10`", shell),
            },
            "m" | "message" => {
                let is_message = |explorer: &Explorer| {
                    let events = explorer.trace.steps.last().map(|step| &step.events);
                    events.into_iter().flatten().any(|event| {
                        matches!(
                            event,
                            Event::Sent(..) | Event::Offered(..) | Event::Received(..)
                        )
                    })
                };
                self.random(MOST, is_message, "no message comes", shell)
            }
            "b" | "back" => {
                let steps = if rest.is_empty() { Ok(1) } else { rest.parse() };
                match steps {
                    Ok(steps) => {
                        let taken = self.explorer.back(steps);
                        shell.print(&format!("took back {}\n", plural(taken, "step")));
                        Next::Show
                    }
                    Err(_) => hint("say how many steps, as in `back 3`", shell),
                }
            }
            "w" | "watch" => self.watch(rest, shell),
            "u" | "unwatch" => self.unwatch(rest, shell),
            "v" | "variables" => {
                shell.print(&screen::variables(&self.explorer));
                Next::Ask
            }
            "t" | "trace" => {
                let Watching { model, system, .. } = &self.explorer.watching;
                let trace = &self.explorer.trace;
                let how = &self.args.drawing;
                drawing::show(how, system, &model.sources, trace, &[], shell);
                Next::Ask
            }
            "start" => self.start(rest, shell),
            "a" | "all" => {
                self.every_choice = !self.every_choice;
                Next::Show
            }
            "s" | "save" if rest.is_empty() => hint("name a file, as in `save run.json`", shell),
            "s" | "save" => {
                if self.save(rest.as_ref(), shell) == Exit::Ok {
                    shell.print(&format!("saved in {}\n", crate::source::printable(rest)));
                }
                Next::Ask
            }
            "?" | "h" | "help" => {
                shell.print(screen::HELP);
                Next::Ask
            }
            "q" | "quit" | "exit" => Next::End,
            _ => hint("there is no such command; `?` lists them", shell),
        }
    }

    fn pick(&mut self, number: usize, shell: &mut Shell) -> Next {
        let count = self.explorer.choices.len();
        match number.checked_sub(1).filter(|index| *index < count) {
            Some(index) => {
                self.explorer.take(index);
                shell.print(&screen::last_step(&self.explorer, shell));
                Next::Show
            }
            None if count == 0 => hint("nobody can move any more; `b` goes back", shell),
            None => hint(&format!("pick a number from 1 to {count}"), shell),
        }
    }

    /// Takes random steps without faults until it is time to stop, a property is violated, or nobody can move.
    fn random(
        &mut self,
        most: usize,
        stop: impl Fn(&Explorer) -> bool,
        otherwise: &str,
        shell: &mut Shell,
    ) -> Next {
        let before = self.explorer.trace.steps.len();
        let mut stopped = false;
        for _ in 0..most.min(MOST) {
            if !self.explorer.random() {
                break;
            }
            shell.print(&screen::last_step(&self.explorer, shell));
            stopped = stop(&self.explorer);
            if stopped || !self.explorer.violated.is_empty() || self.watch.is_over() {
                break;
            }
        }
        if self.explorer.trace.steps.len() == before {
            return hint("nobody can move without a fault; `b` goes back", shell);
        }
        if !stopped && !otherwise.is_empty() {
            shell.print(&format!("{otherwise}\n"));
        }
        Next::Show
    }

    /// Lists the initial states, or begins again in one of them.
    fn start(&mut self, number: &str, shell: &mut Shell) -> Next {
        let system = &self.explorer.watching.system;
        if number.is_empty() {
            shell.print(&screen::starts(system));
            return Next::Ask;
        }
        let index = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let initial = index.and_then(|index| state::initials(system).nth(index));
        match initial {
            Some(initial) => {
                self.explorer.begin(initial);
                Next::Show
            }
            None => hint(
                "`start` lists the initial states, `start 1` begins in the first",
                shell,
            ),
        }
    }

    fn watch(&mut self, text: &str, shell: &mut Shell) -> Next {
        if text.is_empty() {
            return hint(
                "say what to watch, as in `watch p.x == 1 && !q.done`",
                shell,
            );
        }
        let mut texts = self.watched.clone();
        texts.push(text.to_owned());
        self.rebuild(texts, shell)
    }

    fn unwatch(&mut self, number: &str, shell: &mut Shell) -> Next {
        let mut texts = self.watched.clone();
        match number.parse::<usize>() {
            _ if number.is_empty() => texts.clear(),
            Ok(number) if (1..=texts.len()).contains(&number) => {
                texts.remove(number - 1);
            }
            _ => return hint("say which one, as in `unwatch 1`", shell),
        }
        self.rebuild(texts, shell)
    }

    /// The same run with something else to watch.
    fn rebuild(&mut self, texts: Vec<String>, shell: &mut Shell) -> Next {
        let watched = match watching(&self.args.model, &texts) {
            Ok(watched) => watched,
            Err(wrong) => {
                complain(wrong, shell);
                return Next::Ask;
            }
        };
        if !self.explorer.watch(watched) {
            let text = "the model has changed: the run does not fit it any more";
            return hint(text, shell);
        }
        self.watched = texts;
        Next::Show
    }

    fn save(&self, file: &std::path::Path, shell: &mut Shell) -> Exit {
        let Explorer {
            watching,
            run,
            trace,
            ..
        } = &self.explorer;
        let text = in_json(self.args, &watching.model, &watching.system, run, trace);
        save(file, &text, &watching.model, shell)
    }
}

fn hint(text: &str, shell: &mut Shell) -> Next {
    shell.print(&format!("{text}\n"));
    Next::Ask
}
