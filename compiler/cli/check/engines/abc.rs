//! ABC as an engine of its own, and as one that looks for proofs beside a search.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Engine, Looked, Places, Task};
use crate::aiger;
use crate::aiger::{Reply, Tool};
use crate::check::{Aside, Extent, Failure, Name, Proof, Second, Told};
use crate::cli::progress::ProgressLine;
use crate::cli::shell::Shell;
use crate::source::Sources;
use crate::system::System;
use crate::tool::Limits;

/// The ABC that the arguments name, or that is installed.
pub struct Abc<'a> {
    task: &'a Task<'a>,
    shell: Shell,
    tool: OnceCell<Tool>,
    beside: RefCell<Option<Beside>>,
}

/// A thread that asks ABC.
struct Beside {
    thread: Option<JoinHandle<()>>,
    news: Receiver<Result<Told, Failure>>,
    end: Arc<AtomicBool>,
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It has nothing more to say, whatever has become of it.
            let _ = thread.join();
        }
    }
}

impl<'a> Abc<'a> {
    /// It is looked for when it is needed.
    pub fn new(task: &'a Task<'a>, shell: &Shell) -> Self {
        Abc {
            task,
            shell: shell.clone(),
            tool: OnceCell::new(),
            beside: RefCell::new(None),
        }
    }

    /// Finds ABC within the limits.
    fn tool(&self) -> Result<&Tool, aiger::Error> {
        if let Some(tool) = self.tool.get() {
            return Ok(tool);
        }
        let Task { args, watch, .. } = self.task;
        let limits = self.limits(watch.time_left());
        let tool = watch.trust(|| aiger::find(args.engines.abc.as_deref(), limits))?;
        Ok(self.tool.get_or_init(|| tool))
    }

    /// What bounds it.
    fn limits(&self, time: Option<Duration>) -> Limits<'a> {
        Limits {
            time,
            memory: self.memory(),
            cancel: Some(self.task.watch.interrupted),
        }
    }

    fn memory(&self) -> Option<u64> {
        self.task.args.max_memory.map(|size| size.0 as u64)
    }
}

/// Looks for it without a model.
pub fn look(places: &Places, limits: Limits<'_>) -> Looked {
    let described = |tool: Tool| {
        let path = tool.path.display().to_string();
        (format!("ABC {}", tool.version), path)
    };
    Looked {
        key: "abc",
        name: "ABC",
        state: aiger::find(places.abc.as_deref(), limits)
            .map(described)
            .map_err(|error| (error.to_string(), error.hint())),
        purpose: "have proofs where there are too many states to be searched",
        needed: places.abc.is_some(),
    }
}

impl From<aiger::Error> for Failure {
    fn from(error: aiger::Error) -> Failure {
        match error.is_internal() {
            true => Failure::Internal(error.to_string()),
            false => Failure::Failed(error.to_string(), error.hint().map(str::to_owned)),
        }
    }
}

/// What is to be told of ABC's answers.
fn told(tool: &Tool, system: &System, sources: &Sources, replies: &[Reply]) -> Told {
    let proofs = replies.iter().filter_map(|reply| {
        let proof = Proof {
            engine: format!("ABC {}", tool.version),
            conditions: reply.proof.as_ref()?.show(system, sources),
        };
        Some((reply.verdict.property, proof))
    });
    Told {
        verdicts: (replies.iter())
            .map(|reply| (reply.verdict.clone(), reply.time))
            .collect(),
        proofs: proofs.collect(),
        possible: None,
    }
}

impl Second for Abc<'_> {
    fn find(&self) -> Result<Name, Failure> {
        let tool = self.tool()?;
        Ok(Name {
            name: "ABC".to_owned(),
            version: tool.version.clone(),
        })
    }

    fn ask(
        &self,
        system: &System,
        properties: &[usize],
        _: Extent,
        patience: Option<Duration>,
    ) -> Result<Told, Failure> {
        let tool = self.tool()?;
        let Task { model, watch, .. } = self.task;
        let mut line = ProgressLine::new(&self.shell);
        line.say(&format!("ABC {} reads the model", tool.version));
        let mut heard = |reply: &Reply| {
            let name = &system.properties[reply.verdict.property].name;
            line.say(&format!("ABC {} has answered {name}", tool.version));
        };
        let limits = self.limits(patience);
        let replies = watch.trust(|| aiger::check(tool, system, properties, limits, &mut heard))?;
        Ok(told(tool, system, &model.sources, &replies))
    }
}

impl Aside for Abc<'_> {
    fn begin(&self, system: &System, properties: &[usize]) {
        debug_assert!(self.task.args.engine == Engine::Auto);
        // Nobody has asked for it by name: if it is not there nothing is to be said.
        let Ok(tool) = self.tool() else {
            return;
        };
        let (tool, system, properties) = (tool.clone(), system.clone(), properties.to_vec());
        let sources = self.task.model.sources.clone();
        let (sender, news) = channel();
        let end = Arc::new(AtomicBool::new(false));
        let cancel = Arc::clone(&end);
        let (time, memory) = (self.task.watch.time_left(), self.memory());
        let thread = std::thread::Builder::new().name("proofs".into());
        // Expressions can be deep.
        let thread = thread.stack_size(crate::cli::STACK).spawn(move || {
            let limits = Limits {
                time,
                memory,
                cancel: Some(&cancel),
            };
            let mut heard = |reply: &Reply| {
                let told = told(&tool, &system, &sources, std::slice::from_ref(reply));
                // If nobody listens any more, it is about to end.
                let _ = sender.send(Ok(told));
            };
            let asked = aiger::check(&tool, &system, &properties, limits, &mut heard);
            if let Err(error) = asked {
                let _ = sender.send(Err(error.into()));
            }
        });
        if let Ok(thread) = thread {
            *self.beside.borrow_mut() = Some(Beside {
                thread: Some(thread),
                news,
                end,
            });
        }
    }

    fn news(&self) -> Option<Result<Told, Failure>> {
        self.beside.borrow().as_ref()?.news.try_recv().ok()
    }

    fn end(&self) {
        self.beside.borrow_mut().take();
    }
}
