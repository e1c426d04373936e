//! Two-phase commit, of any size.

/// Two-phase commit with every fault, and so many workers.
pub fn two_phase(workers: usize) -> String {
    let each = |line: &dyn Fn(usize) -> String| -> String { (1..=workers).map(line).collect() };
    let list = |name: &str| {
        let names: Vec<String> = (1..=workers).map(|i| format!("{name}{i}")).collect();
        names.join(", ")
    };
    let text = std::fs::read_to_string(super::root().join("examples/two_phase_all.sdl"));
    let text = text.expect("the example is there");
    let procs: String = text
        .lines()
        .take_while(|line| !line.starts_with("init"))
        .collect::<Vec<_>>()
        .join("\n");
    let commits: Vec<String> = (1..=workers)
        .map(|i| format!("worker{i}.resp == Commit"))
        .collect();
    let safe: Vec<String> = (1..=workers)
        .map(|i| format!("worker{i}.resp != Commit"))
        .collect();
    format!(
        "{procs}\ninit {{\n{}{}    arbiter: Arbiter([{}], [{}]) @shutdown,\n{}}}\n\
         ltl commit_reaches_all {{ F G (arbiter.determined && arbiter.all_ready -> {}) }}\n\
         ltl abort_is_safe {{ G (arbiter.determined && !arbiter.all_ready -> {}) }}\n\
         ltl agreement {{ G !(worker1.resp == Commit && worker2.resp == Abort) }}\n",
        each(&|i| format!("    order{i}: channel {{ Response }} @drop,\n")),
        each(&|i| format!("    vote{i}: channel {{ Response }} @drop,\n")),
        list("vote"),
        list("order"),
        each(&|i| format!("    worker{i}: Worker(order{i}, vote{i}) @shutdown,\n")),
        commits.join(" && "),
        safe.join(" && "),
    )
}
