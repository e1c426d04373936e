//! `check --coverage` and `check --mutate`: what is never used, and which changes to the model no property notices.
//!
//! The second is mutation testing (R. A. DeMillo, R. J. Lipton and F. G. Sayward, "Hints on Test Data Selection", 1978) with
//! properties in the place of tests.

use serde::Serialize;

use super::Task;
use super::answers::Answers;
use super::further::Budget;
use crate::analysis::{self, coverage, each};
use crate::build;
use crate::check::{Options, World};
use crate::cli::model;
use crate::cli::shell::Shell;
use crate::program;
use crate::report::analysis::coverage as listed;
use crate::source::{Sources, Span};
use crate::syntax;
use crate::syntax::ast::{Block, CaseItem, CaseKind, DeclKind, Flow, Stmt, StmtKind};
use crate::vocabulary::FaultId;
use crate::weave;

/// What was found besides the answers.
#[derive(Serialize, Default)]
pub struct Teeth {
    /// About the model as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<listed::Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mutants: Option<Vec<Mutant>>,
}

/// A change to the model, and whether a property notices.
#[derive(Serialize)]
struct Mutant {
    file: String,
    line: usize,
    change: String,
    noticed: Option<bool>,
}

impl Teeth {
    /// Finds out what the arguments ask for, besides what is noted already.
    pub fn look(
        task: &Task<'_>,
        answers: &Answers<'_>,
        notes: Vec<String>,
        shell: &mut Shell,
    ) -> Teeth {
        Teeth {
            notes,
            coverage: task.args.coverage.then(|| covered(task, shell)).flatten(),
            mutants: task.args.mutate.then(|| mutants(task, answers)),
        }
    }

    /// For people.
    pub fn text(&self, shell: &Shell) -> String {
        let mut out = String::new();
        if let Some(coverage) = &self.coverage {
            out += &listed::text(coverage, shell.style());
        }
        if let Some(mutants) = &self.mutants {
            let heading = format!("{} changes to the model", mutants.len());
            out += &format!("\n{}\n", shell.bold(&heading));
            for mutant in mutants.iter().filter(|m| m.noticed != Some(true)) {
                let word = match mutant.noticed {
                    Some(_) => "no property notices",
                    None => "not known",
                };
                let Mutant {
                    file, line, change, ..
                } = mutant;
                out += &format!("    {word}: {change} ({file}:{line})\n");
            }
            let noticed = mutants.iter().filter(|m| m.noticed == Some(true)).count();
            out += &format!("    {noticed} are noticed\n");
        }
        out
    }

    /// For programs: the object of a report with what was found.
    pub fn join(&self, json: String) -> String {
        let more = serde_json::to_string(self).expect("plain data");
        match more.len() > 2 {
            true => format!("{},{}", &json[..json.len() - 1], &more[1..]),
            false => json,
        }
    }
}

fn covered(task: &Task<'_>, shell: &mut Shell) -> Option<listed::Listed> {
    let world = Budget::new(task, task.args.timeout);
    let options = task.search_options();
    let found = match coverage::coverage(task.system, &options, &world) {
        Ok(found) => found,
        Err(why) => {
            shell.complain(&format!("there is no coverage: {why}"), None, None);
            return None;
        }
    };
    let harmless = harmless(task, &options, &world, &found.idle);
    let sources = &task.model.sources;
    Some(listed::list(
        task.system,
        sources,
        &found,
        harmless,
        shell.style(),
    ))
}

/// The faults that are injected and change no verdict.
fn harmless(
    task: &Task<'_>,
    options: &Options,
    world: &dyn World,
    idle: &[FaultId],
) -> Vec<String> {
    let program = &task.model.program;
    let Ok(woven) = model::options(task.options, program) else {
        return Vec::new();
    };
    let faults = weave::woven_faults(program, &woven);
    if faults.len() > analysis::FaultSet::MOST {
        return Vec::new();
    }
    let with = |faults: &[FaultId]| {
        let options = weave::Options {
            faults: Some(faults.to_vec()),
            ..woven.clone()
        };
        build(program, &options)
    };
    let question = analysis::Inquiry {
        system: task.system,
        faults: &faults,
        wanted: task.wanted,
        weave: &with,
        options: options.clone(),
        max_faults: 0,
    };
    let Ok(survey) = analysis::survey(&question, world) else {
        return Vec::new();
    };
    let known = |s: &analysis::Surveyed| s.violations.missing.is_none();
    if !survey.properties.iter().all(known) {
        return Vec::new();
    }
    let primes = survey
        .properties
        .iter()
        .flat_map(|s| s.violations.prime_implicants());
    let matter = primes.fold(analysis::FaultSet::NONE, |all, p| {
        all.and(p.with).and(p.without)
    });
    let harmless = (0..faults.len()).filter(|f| !matter.includes(analysis::FaultSet::one(*f)));
    harmless
        .map(|f| faults[f])
        .filter(|f| !idle.contains(f))
        .map(|f| task.system.fault_name(f).to_owned())
        .collect()
}

/// A place of the text, what stands there instead, and how that is told.
struct Change {
    span: Span,
    instead: String,
    told: String,
}

/// Changes the model in one place after another, and asks whether a property notices.
fn mutants(task: &Task<'_>, answers: &Answers<'_>) -> Vec<Mutant> {
    let world = Budget::new(task, task.args.timeout);
    let options = Options {
        minimise: std::time::Duration::ZERO,
        full_space: false,
        ..task.search_options()
    };
    let sources = &task.model.sources;
    let loaded = &task.model.loaded;
    let mut changes = Vec::new();
    for decl in &loaded.main.parsed.file.decls {
        if let DeclKind::Proc(process) = &decl.kind {
            block(&process.body, sources, &mut changes);
        }
    }
    let all = answers.all();
    let verdict = |property: usize| {
        let known = all.iter().find(|a| a.property == property);
        known.map_or("unknown", |answer| answer.verdict())
    };
    let text = &sources.file(loaded.main.id).text;
    let path = &sources.file(loaded.main.id).path;
    let mut found = Vec::new();
    for change in changes {
        let mut changed = text.to_string();
        changed.replace_range(change.span.range(), &change.instead);
        let mut other = Sources::new();
        let file = other.add(path.clone(), changed);
        let parsed = syntax::parse(&other, file);
        let linked = loaded.link_with(&parsed.file);
        let checked = program::check_with(
            &linked.main,
            &linked.imported,
            &linked.scenarios,
            &model::defines(&linked, task.options),
            &weave::FAULTS,
        );
        let mut all = (parsed.diagnostics.iter())
            .chain(&linked.diagnostics)
            .chain(&checked.diagnostics);
        let wrong = all.any(|d| d.is_error());
        // What is no model is noticed by the compiler.
        let Some(changed) = checked.program.filter(|_| !wrong) else {
            continue;
        };
        let Ok(woven) = model::options(task.options, &changed) else {
            continue;
        };
        let system = build(&changed, &woven);
        // A property that asks about what is gone (no timer any more, no send that needs room) is gone, too.
        let same: Vec<(usize, usize)> = task
            .wanted
            .iter()
            .filter_map(|index| {
                let name = &task.system.properties[*index].name;
                let now = system.properties.iter().position(|p| p.name == *name)?;
                Some((*index, now))
            })
            .collect();
        let wanted: Vec<usize> = same.iter().map(|(_, now)| *now).collect();
        let noticed = match world.is_over() {
            true => None,
            false => match each::answers(&system, &wanted, &options, &each::Quiet(&world)) {
                Ok(found) => {
                    let now: Vec<&str> = found.iter().map(|a| a.verdict()).collect();
                    let before: Vec<&str> = same.iter().map(|(index, _)| verdict(*index)).collect();
                    let unknown = now.contains(&"unknown");
                    Some(now != before).filter(|noticed| *noticed || !unknown)
                }
                // Assumptions that no run satisfies any more are noticed.
                Err(_) => Some(true),
            },
        };
        found.push(Mutant {
            file: path.clone(),
            line: sources.line(change.span),
            change: change.told,
            noticed,
        });
    }
    found
}

fn block(block: &Block, sources: &Sources, changes: &mut Vec<Change>) {
    block.stmts.iter().for_each(|s| stmt(s, sources, changes));
}

fn stmt(stmt_: &Stmt, sources: &Sources, changes: &mut Vec<Change>) {
    let text = |span: Span| sources.slice(span);
    let first = |span: Span| {
        text(span)
            .lines()
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    match &stmt_.kind {
        StmtKind::Assign { .. }
        | StmtKind::AssignAll { .. }
        | StmtKind::Message(_)
        | StmtKind::Assert(_)
        | StmtKind::Await(_)
        | StmtKind::Break
        | StmtKind::Return(None)
        | StmtKind::Expr(_) => {
            changes.push(Change {
                span: stmt_.span,
                instead: "skip".to_owned(),
                told: format!("without `{}`", first(stmt_.span)),
            });
            if let Some(plain) = text(stmt_.span).strip_prefix("timeout_") {
                changes.push(Change {
                    span: stmt_.span,
                    instead: plain.to_owned(),
                    told: format!("`{}` without its timeout", first(stmt_.span)),
                });
            }
        }
        StmtKind::Var { durable: true, .. } => {
            let plain = text(stmt_.span).replacen("durable ", "", 1);
            changes.push(Change {
                span: stmt_.span,
                instead: plain,
                told: format!("`{}` without `durable`", first(stmt_.span)),
            });
        }
        StmtKind::If { condition, .. } => changes.push(Change {
            span: condition.span,
            instead: "true".to_owned(),
            told: format!("`if` without its condition `{}`", first(condition.span)),
        }),
        StmtKind::Select(items) => {
            let several = items.len() > 1;
            for item in items {
                let CaseItem::Case(case) = item else { continue };
                if let Some(condition) = &case.condition {
                    changes.push(Change {
                        span: condition.span,
                        instead: "true".to_owned(),
                        told: format!("a case without its condition `{}`", first(condition.span)),
                    });
                }
                if several && case.kind == CaseKind::Timeout {
                    changes.push(Change {
                        span: case.span,
                        instead: String::new(),
                        told: "`select` without its `case timeout`".to_owned(),
                    });
                }
            }
        }
        _ => {}
    }
    match stmt_.kind.flow() {
        Flow::Branches { blocks, .. } => blocks.iter().for_each(|b| block(b, sources, changes)),
        Flow::Loop { body, .. } => block(body, sources, changes),
        Flow::Labelled(inner) => stmt(inner, sources, changes),
        Flow::On | Flow::Away => {}
    }
}
