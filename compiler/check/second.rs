//! A second engine: it answers in place of the embedded one, answers what that cannot, or confirms what that says.

use std::time::Duration;

use super::Trouble;
use super::answer::{Answer, Proof};
use super::lassos::with_lassos;
use super::minimise::{Candidate, Spent, minimise};
use super::search::restored;
use super::strategy::Strategy;
use crate::system::System;
use crate::verdict::{Outcome, Verdict};

/// Another engine, which can be asked about the same Systems.
pub trait Second {
    /// Looks for it; its name and its version.
    ///
    /// # Errors
    /// If it is not there, or not fit for use.
    fn find(&self) -> Result<Name, Failure>;

    /// Asks about some properties of a System, for at most so long.
    ///
    /// # Errors
    /// If there are no answers. A property that it had no time for is not an error but unknown.
    fn ask(
        &self,
        system: &System,
        properties: &[usize],
        extent: Extent,
        patience: Option<Duration>,
    ) -> Result<Told, Failure>;
}

/// Who a second engine is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What is wanted of a second engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Verdicts only: finding runs can take much longer.
    Verdicts,
    /// Runs, too.
    Runs,
}

/// What a second engine answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// A verdict for each property that was asked about, and how long it took, if that is known.
    pub verdicts: Vec<(Verdict, Option<Duration>)>,
    /// Why some of them hold: the property, and its proof.
    pub proofs: Vec<(usize, Proof)>,
    /// Whether some run satisfies all the assumptions, if that is known.
    pub possible: Option<bool>,
}

/// Why a second engine does not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It is not there, and nobody has asked for it.
    NotFound,
    /// What happened, and what to do about it.
    Failed(String, Option<String>),
    /// A bug of ours.
    Internal(String),
}

/// What a second engine, asked about the same properties, has to say.
#[derive(Clone, PartialEq, Debug)]
pub struct Confirmation {
    /// Its name.
    pub engine: String,
    /// Its version, if it was found.
    pub version: Option<String>,
    /// What became of it. That it disagrees is no outcome but a bug.
    pub outcome: Agreement,
    /// How long it took, if it was asked.
    pub time: Option<Duration>,
}

/// What became of a [`Confirmation`].
#[derive(Clone, PartialEq, Debug)]
pub enum Agreement {
    /// Every answer is confirmed.
    Agrees,
    /// It ran out of time; what it has answered agrees.
    Undecided,
    /// It is not installed.
    NotFound,
    /// It could not be asked: why.
    Failed(String),
}

impl Agreement {
    /// Whether it could not be asked.
    pub fn is_trouble(&self) -> bool {
        matches!(self, Agreement::NotFound | Agreement::Failed(_))
    }
}

/// Asks the second engine alone.
pub fn alone(strategy: &Strategy, second: &dyn Second) -> Result<(), Trouble> {
    second.find().map_err(Trouble::Second)?;
    let wanted = strategy.task.wanted;
    take_over(strategy, second, wanted)?;
    let left = strategy.world.time_left();
    match tables(strategy, second, left) {
        Ok(_) => Ok(()),
        Err(Refuted::Trouble(trouble)) => Err(trouble),
        Err(Refuted::Failure(failure)) => Err(Trouble::Second(failure)),
    }
}

/// Asks the second engine about what the first has left open, and lets it confirm the rest. Trouble with it takes away
/// nothing from what is known.
pub fn after(
    strategy: &Strategy,
    second: &dyn Second,
    undecided: Vec<Verdict>,
) -> Result<Option<Confirmation>, Trouble> {
    let failed = |name: Option<&Name>, failure: Failure| {
        let outcome = match failure {
            Failure::NotFound => Agreement::NotFound,
            Failure::Failed(why, _) => Agreement::Failed(why),
            internal @ Failure::Internal(_) => return Err(Trouble::Second(internal)),
        };
        Ok(Some(Confirmation {
            engine: name.map_or("NuSMV".to_owned(), |name| name.name.clone()),
            version: name.map(|name| name.version.clone()),
            outcome,
            time: None,
        }))
    };
    let name = match second.find() {
        Ok(name) => name,
        Err(failure) => {
            strategy.leave_open(undecided)?;
            return failed(None, failure);
        }
    };
    if !undecided.is_empty() {
        let open: Vec<usize> = undecided.iter().map(|verdict| verdict.property).collect();
        match take_over(strategy, second, &open) {
            Err(Trouble::Second(failure)) => {
                strategy.leave_open(undecided)?;
                return failed(Some(&name), failure);
            }
            done => done?,
        }
    }
    confirm(strategy, second, &name)
}

/// Asks about some properties, and takes the answers for ours.
fn take_over(
    strategy: &Strategy,
    second: &dyn Second,
    properties: &[usize],
) -> Result<(), Trouble> {
    let simplified = strategy.simplified();
    let left = strategy.world.time_left();
    let told = second.ask(&simplified.system, properties, Extent::Runs, left);
    let told = told.map_err(Trouble::Second)?;
    if told.possible == Some(false) {
        return Err(Trouble::NoRun);
    }
    let mut times: Vec<(usize, Option<Duration>)> = Vec::new();
    let (mut lassos, mut finite) = (Vec::new(), Vec::new());
    for (theirs, time) in told.verdicts {
        let theirs = restored(strategy, simplified, theirs)?;
        let kind = &strategy.task.system.properties[theirs.property].kind;
        // With fair choices, and of branching time, it only says that there is a run.
        let refuted = theirs.outcome == Outcome::Violated && kind.is_temporal();
        if theirs.run.is_none() && !refuted {
            let proof = told.proofs.iter().find(|(p, _)| *p == theirs.property);
            let proof = proof.map(|(_, proof)| proof.clone());
            strategy.settle_proved(&theirs, time, proof)?;
            continue;
        }
        strategy.announce(&theirs)?;
        times.push((theirs.property, time));
        match kind.is_temporal() {
            true => lassos.push(theirs),
            false => finite.push(Candidate::any(theirs)),
        }
    }
    // It shows any run. Those with the fewest faults and steps are the embedded engine's to find.
    let mut shown = with_lassos(strategy, lassos)?;
    let spent = Spent {
        visited: None,
        many: false,
    };
    let finite = minimise(strategy, finite, spent)?;
    shown.extend(finite.into_iter().map(|c| (c.verdict, c.shows)));
    for (verdict, shows) in shown {
        let time = times.iter().find(|(p, _)| *p == verdict.property);
        let time = time.and_then(|(_, time)| *time);
        strategy.settle_after(&verdict, shows, time)?;
    }
    Ok(())
}

/// Compares our answers with the second engine's. There is nothing to say if all of them are its own.
fn confirm(
    strategy: &Strategy,
    second: &dyn Second,
    name: &Name,
) -> Result<Option<Confirmation>, Trouble> {
    let world = strategy.world;
    let start = world.elapsed();
    let told = |outcome| {
        Ok(Some(Confirmation {
            engine: name.name.clone(),
            version: Some(name.version.clone()),
            outcome,
            time: Some(world.elapsed().saturating_sub(start)),
        }))
    };
    let answers = strategy.answers();
    let is_ours =
        |answer: &&Answer| answer.time.is_none() && !matches!(answer.outcome, Outcome::Unknown(_));
    let small = |answer: &&Answer| {
        let known = strategy.known;
        known.is_none_or(|known| !known.is_too_large(answer.property))
    };
    let ours: Vec<&Answer> = answers.iter().filter(is_ours).filter(small).collect();
    if ours.is_empty() {
        return Ok(None);
    }
    let properties: Vec<usize> = ours.iter().map(|answer| answer.property).collect();
    let patience = strategy.task.options.confirm;
    let patience = world
        .time_left()
        .map_or(patience, |left| left.min(patience));
    let system = &strategy.simplified().system;
    let asked = match second.ask(system, &properties, Extent::Verdicts, Some(patience)) {
        Ok(asked) => asked,
        Err(Failure::NotFound) => return told(Agreement::NotFound),
        Err(Failure::Failed(why, _)) => return told(Agreement::Failed(why)),
        Err(internal) => return Err(Trouble::Second(internal)),
    };
    // It looks for such a run only if there is an answer that takes one to exist.
    if asked.possible == Some(false) {
        return Err(Trouble::Disagreement {
            ours: "some run satisfies all the assumptions".to_owned(),
            theirs: "that none does".to_owned(),
        });
    }
    let mut undecided = false;
    for ((theirs, _), ours) in asked.verdicts.iter().zip(&ours) {
        let theirs = match theirs.outcome {
            Outcome::Holds | Outcome::HoldsStatically => "holds",
            Outcome::Violated => "violated",
            Outcome::Unknown(_) => {
                undecided = true;
                continue;
            }
        };
        if theirs != ours.verdict() {
            let property = &strategy.task.system.properties[ours.property].name;
            return Err(Trouble::Disagreement {
                ours: format!("`{property}` is {}", ours.verdict()),
                theirs: theirs.to_owned(),
            });
        }
    }
    let left = patience.saturating_sub(world.elapsed().saturating_sub(start));
    match tables(strategy, second, Some(left)) {
        Ok(complete) => undecided |= !complete,
        Err(Refuted::Trouble(trouble)) => return Err(trouble),
        Err(Refuted::Failure(Failure::NotFound)) => return told(Agreement::NotFound),
        Err(Refuted::Failure(Failure::Failed(why, _))) => return told(Agreement::Failed(why)),
        Err(Refuted::Failure(internal)) => return Err(Trouble::Second(internal)),
    }
    told(match undecided {
        true => Agreement::Undecided,
        false => Agreement::Agrees,
    })
}

/// Why tables of what is known are not confirmed.
enum Refuted {
    Trouble(Trouble),
    Failure(Failure),
}

/// Has the second engine look at what the first says processes know, view by view. Whether it came to the end.
fn tables(
    strategy: &Strategy,
    second: &dyn Second,
    patience: Option<Duration>,
) -> Result<bool, Refuted> {
    let Some((system, claims)) = strategy.known.and_then(|known| known.claims()) else {
        return Ok(true);
    };
    let properties: Vec<usize> = (0..claims.len()).collect();
    let simplified = strategy.simplify_other(&system);
    let asked = second.ask(&simplified.system, &properties, Extent::Verdicts, patience);
    let asked = asked.map_err(Refuted::Failure)?;
    let mut complete = true;
    for ((theirs, _), ours) in asked.verdicts.iter().zip(claims) {
        let holds = match theirs.outcome {
            Outcome::Holds | Outcome::HoldsStatically => true,
            Outcome::Violated => false,
            Outcome::Unknown(_) => {
                complete = false;
                continue;
            }
        };
        if holds != ours {
            let property = &system.properties[theirs.property].name;
            let word = |holds| if holds { "holds" } else { "violated" };
            return Err(Refuted::Trouble(Trouble::Disagreement {
                ours: format!("`{property}` is {}", word(ours)),
                theirs: word(holds).to_owned(),
            }));
        }
    }
    Ok(complete)
}
