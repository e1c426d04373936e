//! What the random models contain: a construct that none of them has is not tested by them.

use super::fault::{MARKERS, TIMINGS};
use super::generate::generate;
use super::spec::ASPECTS;

/// How many models are looked at here: writing them is quick, and so nothing hangs on how likely a construct is.
const LOOKED_AT: u64 = 1200;

/// What they have to contain, each at least once.
const CONSTRUCTS: &[&str] = &[
    "data ",
    "const ",
    "module ",
    "proc ",
    "process",
    "init {",
    "[2]channel",
    "channel {",
    "channel [1] {",
    "channel [] {",
    "channel bag [",
    "} overflow",
    "durable var ",
    "var ",
    " = any\n",
    "any)",
    "any(",
    "any(",
    "[0] = ",
    "+= ",
    "-= ",
    "*= ",
    "/= ",
    "%= ",
    "&= ",
    "|= ",
    "^= ",
    "if ",
    "else {",
    "else if ",
    "for {",
    "for e in ",
    "for i in range 0 to K {",
    "for i in range 0 to x",
    "for i in range x",
    "break",
    "continue",
    "goto ",
    "L0: ",
    "end_1: ",
    "return",
    "skip",
    "choice {",
    "select {",
    "case recv(",
    "case peek(",
    "case send(",
    "case timeout {",
    "case timeout if ",
    "case if ",
    "for j in range 0 to K + 1 {",
    "await ",
    "atomic {",
    " = pause(",
    "pick(",
    ", x1 = ",
    "forall k in range",
    "exists k, l in range",
    "count k in range",
    "sum k in range",
    "max(",
    "min(",
    "default {",
    " send(",
    " recv(",
    " peek(",
    "timeout_send(",
    "nonblock_send(",
    "timeout_recv(",
    "timeout_peek(",
    "nonblock_recv(",
    "nonblock_peek(",
    "if !timeout_recv(",
    "= timeout_recv(",
    "assert(",
    "_)",
    " << ",
    " >> ",
    " / ",
    " % ",
    " & ",
    " | ",
    " ^ ",
    "q.crashed",
    "q.done",
    "detector(",
    " suspects(d0)",
    "case suspects(d) {",
    "!suspects(d)",
    "@unstable",
    " as f",
    "inject {",
    "    [c",
    "    [p",
    "at = ",
    "loses = [",
    "until = any",
    "until = p",
    "until = sent(",
    "until = received(",
    "until = injected(",
    "from = p",
    "from = sent(",
    "from = received(",
    "from = injected(",
    "injected()",
    "fair choice ",
    "fair select ",
    "(max = 0)",
    "(max = 1)",
    "(max = 2)",
    "limit ",
    "invariant ",
    "reachable ",
    "ltl ",
    "ctl ",
    "assume ",
    "G ",
    "F ",
    "X ",
    "Y ",
    "Z ",
    "H ",
    "O ",
    " U ",
    " V ",
    " S ",
    " T ",
    "AG ",
    "AF ",
    "AX ",
    "EG ",
    "EF ",
    "EX ",
    " A (",
    " E (",
    "len(",
    "full(",
    "empty(",
    ".done",
    ".crashed",
    ".failed",
    "@L0",
    "#1",
    "#2",
    "--timely",
    "--no-faults",
    "--faults ",
];

/// Of how many models the seed decides that they have a marker, a timing and a question about a fault: all of them, as far as
/// something there can be marked in that way.
#[test]
fn models_have_all_faults_and_timings() {
    let all: Vec<String> = (0..LOOKED_AT).map(generate).collect();
    let mut rare = Vec::new();
    let mut count = |what: String, least: usize, has: &dyn Fn(&str) -> bool| {
        let count = all.iter().filter(|text| has(text)).count();
        println!("{count:>4} of {} models: {what}", all.len());
        if count < least {
            rare.push(what);
        }
    };
    for marker in MARKERS {
        count(format!("@{marker}"), 20, &|text| {
            text.contains(&format!("@{marker}"))
        });
    }
    for timing in TIMINGS {
        // The events in it are whatever they are.
        let parts: Vec<&str> = timing.split('E').collect();
        count(timing.to_owned(), 5, &|text| {
            lines(text, "@").any(|line| parts.iter().all(|part| line.contains(part)))
        });
    }
    for aspect in ASPECTS {
        count(aspect.to_owned(), 20, &|text| {
            let asks = format!("{aspect}(");
            let specs = text.lines().filter(|line| line.ends_with('}'));
            specs.into_iter().any(|line| line.contains(&asks))
        });
    }
    assert!(rare.is_empty(), "hardly any model has {rare:?}");
}

#[test]
fn models_use_every_construct() {
    let all: Vec<String> = (0..LOOKED_AT).map(generate).collect();
    let missing: Vec<&&str> = CONSTRUCTS
        .iter()
        .filter(|construct| !all.iter().any(|text| text.contains(**construct)))
        .collect();
    assert!(missing.is_empty(), "no model has {missing:?}");
}

/// Whether something occurs in the text of a model.
type Occurs = fn(&str) -> bool;

/// Things that meet in one model, with what tells that they do.
const MEETINGS: &[(&str, Occurs)] = &[
    ("replicated processes whose ids are values", |text| {
        lines(text, "[i]: P").any(|line| line.contains(", i)") || line.contains(", i, "))
    }),
    ("replicated processes with a channel each", |text| {
        lines(text, "[i]: P")
            .any(|line| ["c0[i]", "c1[i]", "c2[i]"].iter().any(|c| line.contains(c)))
    }),
    ("a channel of three processes or more", |text| {
        ["c0", "c1", "c2"].iter().any(|channel| {
            let users = text.lines().filter(|line| is_instance(line));
            users.filter(|line| line.contains(channel)).count() >= 3
        })
    }),
    ("budgets that race: two count one fault", |text| {
        let limited: Vec<&str> = lines(text, "limit ").collect();
        limited.iter().flat_map(|limit| items(limit)).any(|item| {
            let twice = limited
                .iter()
                .filter(|limit| items(limit).any(|i| i == item));
            let own = match item.split_once(' ') {
                Some((name, fault)) => {
                    let (entry, own) = (format!(" {name}: "), format!("{fault}(max = "));
                    lines(text, &entry).any(|line| line.contains(&own))
                }
                None => {
                    let named = text.split(&format!(" as {item}")).next();
                    let marker = named.and_then(|before| before.rsplit('@').next());
                    marker.is_some_and(|m| m.contains("max = ") || m.contains("once"))
                }
            };
            twice.count() > 1 || own
        })
    }),
    ("a limit on an array of processes", |text| {
        lines(text, "[i]: P").any(|line| {
            let name = line.trim().split('[').next().expect("a name");
            let alias = line.trim_end_matches(',').split(" as ").nth(1);
            lines(text, "limit ").any(|limit| {
                let named = |alias: &str| items(limit).any(|item| item == alias);
                limit.contains(&format!(" {name} @")) || alias.is_some_and(named)
            })
        })
    }),
    ("`default` beside `@reorder`", |text| {
        text.contains("default {") && text.contains("@reorder") && !text.contains("--no-faults")
    }),
    ("a range with two bounds that are not constant", |text| {
        let mut loops = lines(text, "in range x");
        loops.any(|line| line.contains(" to x") || line.contains(" to i"))
    }),
    (
        "a channel whose index is computed and may be out of bounds",
        |text| {
            let mut operations = lines(text, "(a");
            operations.any(|l| l.contains("[x") && (l.contains(" + 1], ") || l.contains(" - 1], ")))
        },
    ),
    ("strong fairness as an assumption", |text| {
        lines(text, "assume { G F ").any(|line| line.contains(" -> G F "))
    }),
    ("several assumptions", |text| {
        lines(text, "assume {").count() > 1
    }),
    ("operators without parentheses", |text| {
        lines(text, "ltl ").any(|line| {
            let formula = line.split_once('{').expect("a formula").1;
            !formula.contains('(')
                && formula.split(' ').filter(|word| is_operator(word)).count() > 2
        })
    }),
    ("a state wider than 64 bits", |text| {
        text.contains("var w [24]0..7") && text.contains(" w[")
    }),
    ("a `process` parameter in the guard of a case", |text| {
        lines(text, "case ").any(|line| line.split(" if ").nth(1).is_some_and(|c| c.contains("q.")))
    }),
    ("modules in modules", |text| {
        lines(text, ": M").any(|line| line.starts_with("        m"))
    }),
];

fn lines<'a>(text: &'a str, part: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter(move |line| line.contains(part))
}

fn is_instance(line: &str) -> bool {
    [": P", ": M", ": N"].iter().any(|part| line.contains(part))
}

/// The faults that a `limit` names.
fn items(limit: &str) -> impl Iterator<Item = &str> {
    let inside = limit.split_once("{ ").expect("a brace").1;
    inside.trim_end_matches(" }").split(", ")
}

fn is_operator(word: &str) -> bool {
    const OPERATORS: &[&str] = &[
        "<->", "->", "||", "&&", "U", "V", "S", "T", "X", "G", "F", "Y", "Z", "H", "O",
    ];
    OPERATORS.contains(&word)
}

/// How many of a hundred models have each of [`MEETINGS`], at least.
const PERCENT: usize = 1;

#[test]
fn models_use_constructs_together() {
    let all: Vec<String> = (0..LOOKED_AT).map(generate).collect();
    let mut rare = Vec::new();
    for (name, has) in MEETINGS {
        let count = all.iter().filter(|text| has(text)).count();
        println!("{count:>4} of {} models: {name}", all.len());
        if count * 100 < PERCENT * all.len() {
            rare.push(name);
        }
    }
    assert!(rare.is_empty(), "hardly any model has {rare:?}");
}
