//! A System as text: `sandalc dump woven`.

use std::fmt::Write as _;

pub mod expr;

use crate::system::*;
use crate::vocabulary::*;

/// A number that two texts share only if they are the same, for all practical purposes: FNV-1a.
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The whole System.
pub fn system(system: &System) -> String {
    let mut out = String::new();
    for (index, var) in system.vars.iter().enumerate() {
        let name = system.var_name(VarId(index as u32));
        let domain = domain(system, var.domain);
        let _ = match &var.derived {
            Some(e) => writeln!(out, "derived {name}: {domain} = {}", expr(system, e)),
            None => {
                let codes = system.start_codes(VarId(index as u32));
                let codes = codes.iter().map(|c| code(system, var.domain, *c));
                let codes: Vec<String> = codes.collect();
                writeln!(out, "var {name}: {domain} = {}", codes.join(" | "))
            }
        };
    }
    if let Some(only) = &system.starts.only {
        let _ = writeln!(out, "starts if {}", expr(system, only));
    }
    for (_, process) in system.processes() {
        let _ = writeln!(
            out,
            "\nprocess {} ({}) starts at {}",
            process.name, process.proc_name, process.initial
        );
        for (index, location) in process.locations.iter().enumerate() {
            let here = LocId(index as u32);
            let labels: Vec<String> = location
                .labels
                .iter()
                .map(|l| format!(" @{}", process.labels[l.0 as usize]))
                .collect();
            let kind = format!("{:?}", location.kind).to_lowercase();
            let _ = writeln!(out, "  {here} {kind}{}", labels.concat());
            for edge in process.edges.iter().filter(|e| e.from == here) {
                let _ = writeln!(out, "    {}", print_edge(system, edge));
            }
        }
    }
    if !system.assumptions.is_empty() || !system.properties.is_empty() {
        out.push('\n');
    }
    for (index, fair) in system.fair.iter().enumerate() {
        let owed = match fair.owed.is_no() {
            true => String::new(),
            false => format!(" if {}", expr(system, &fair.owed)),
        };
        let _ = writeln!(out, "fair #{index} {}{owed}", fair.name);
    }
    for assumption in &system.assumptions {
        let _ = writeln!(
            out,
            "assume {}: {}",
            assumption.name,
            formula(system, &assumption.formula)
        );
    }
    for operator in &system.knowledge {
        let names = operator.processes.iter();
        let names: Vec<&str> = names.map(|p| system.process(*p).name.as_str()).collect();
        let seen: Vec<&str> = (operator.views.iter().flatten())
            .map(|sight| sight.name.as_str())
            .collect();
        let within = operator.within.as_ref().map(|within| {
            let (start, stay) = (expr(system, &within.start), expr(system, &within.stay));
            format!(" on runs from {start} through {stay}")
        });
        let _ = writeln!(
            out,
            "{}: {}({}) who see {}: {}{}",
            system.var_name(operator.var),
            operator.how.as_str(),
            names.join(", "),
            seen.join(", "),
            formula(system, &operator.what),
            within.unwrap_or_default()
        );
    }
    for property in &system.properties {
        let (kind, what) = (property.kind_name(), property.kind.show(system));
        let _ = writeln!(out, "{kind} {}: {what}", property.name);
        if let Some(tolerant) = &property.tolerant {
            for (level, kind) in Level::ALL.iter().zip(&tolerant.levels) {
                let _ = writeln!(out, "    {}: {}", level.as_str(), kind.show(system));
            }
        }
    }
    out
}

fn print_edge(system: &System, edge: &Edge) -> String {
    let mut out = format!("-> {}", edge.to);
    match edge.kind {
        EdgeKind::Normal => {}
        EdgeKind::Timeout => out.push_str(" timeout"),
        EdgeKind::Fault(f) => {
            let _ = write!(out, " fault {}", system.fault_name(f));
        }
        EdgeKind::Acting(f) => {
            let _ = write!(out, " acting {}", system.fault_name(f));
        }
        EdgeKind::Moment(f) => {
            let _ = write!(out, " moment {}", system.fault_name(f));
        }
        EdgeKind::Recovery(f) => {
            let _ = write!(out, " recovery {}", system.fault_name(f));
        }
    }
    for (fair, granted) in fairness::roles(edge) {
        let word = if granted { "grants" } else { "denies" };
        let _ = write!(out, " {word} #{}", fair.0);
    }
    for (i, pick) in edge.picks.iter().enumerate() {
        let _ = write!(out, " pick{i} in {}", domain(system, *pick));
    }
    if !edge.guard.is_yes() {
        let _ = write!(out, " if {}", expr(system, &edge.guard));
    }
    for (i, (var, value)) in edge.updates.iter().enumerate() {
        let separator = if i == 0 { ":" } else { "," };
        let _ = write!(
            out,
            "{separator} {} := {}",
            system.var_name(*var),
            expr(system, value)
        );
    }
    out
}

fn domain(system: &System, domain: Domain) -> String {
    expr::domain(&system.data, domain)
}

fn code(system: &System, domain: Domain, code: i64) -> String {
    expr::scalar(&system.data, domain.scalar(code))
}

/// An expression.
pub fn expr(system: &System, e: &Expr) -> String {
    let leaf = |leaf: &Leaf| match leaf {
        Leaf::Var(v) => system.var_name(*v),
        Leaf::Pick(i) => format!("pick{i}"),
        Leaf::At(p, locations) => {
            let locations: Vec<String> = locations.iter().map(ToString::to_string).collect();
            format!("{} at {}", system.process(*p).name, locations.join("|"))
        }
    };
    expr::Printer {
        data: &system.data,
        leaf: &leaf,
    }
    .expr(e)
}

/// A formula.
pub fn formula(system: &System, f: &Formula) -> String {
    let part = |f: &Formula| format!("({})", formula(system, f));
    let join = |parts: &[Formula], op: &str| parts.iter().map(part).collect::<Vec<_>>().join(op);
    match f {
        Formula::Atom(e) => expr(system, e),
        Formula::Not(f) => format!("!{}", part(f)),
        Formula::And(parts) => join(parts, " && "),
        Formula::Or(parts) => join(parts, " || "),
        Formula::Implies(a, b) => format!("{} -> {}", part(a), part(b)),
        Formula::Iff(a, b) => format!("{} <-> {}", part(a), part(b)),
        Formula::Unary(op, f) => format!("{} {}", op.as_str(), part(f)),
        Formula::Binary(op, a, b) => format!("{} {} {}", part(a), op.as_str(), part(b)),
        Formula::Path(op, a, b) => {
            let letter = match op {
                PathOp::All => "A",
                PathOp::Exists => "E",
            };
            format!("{letter} ({} U {})", part(a), part(b))
        }
    }
}

impl std::fmt::Display for LocId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s{}", self.0)
    }
}
