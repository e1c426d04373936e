//! The words of the language: where each may stand, what it is written with, what it means. Completion and hover read this
//! table; a test compares it with the words of the lexer.

/// Where a word may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// Where a declaration begins.
    Top,
    /// Where a statement begins.
    Statement,
    /// In an expression of a process.
    Expression,
    /// In a formula.
    Formula,
    /// In `init`.
    Entry,
    /// Where a type stands.
    Type,
    /// In a `select`.
    Case,
    /// In the parentheses of a marker.
    Marker,
    /// Only together with another word.
    Inside,
}

/// A word of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word.
    pub text: &'static str,
    /// Where it may begin something.
    pub at: &'static [At],
    /// What is inserted: a snippet, in which `${1:x}` is to be filled in.
    pub snippet: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

const fn word(
    text: &'static str,
    at: &'static [At],
    snippet: &'static str,
    meaning: &'static str,
) -> Word {
    Word {
        text,
        at,
        snippet,
        meaning,
    }
}

use At::{Case, Entry, Expression, Formula, Inside, Marker, Statement, Top, Type};

/// All words. Temporal operators stand in [`OPERATORS`].
pub const WORDS: &[Word] = &[
    word(
        "data",
        &[Top],
        "data ${1:Message} { ${2:Request}, ${3:Reply} }",
        "a type with these values",
    ),
    word(
        "const",
        &[Top, Statement],
        "const ${1:N} = ${2:3}",
        "a constant",
    ),
    word(
        "module",
        &[Top],
        "module ${1:Name}(${2}) {\n\tinit {\n\t\t$0\n\t}\n}",
        "a component with processes and channels of its own",
    ),
    word(
        "proc",
        &[Top],
        "proc ${1:Name}(${2}) {\n\t$0\n}",
        "what a process does",
    ),
    word(
        "process",
        &[Type],
        "process",
        "an instance, whose `.crashed` and `.done` can be read",
    ),
    word(
        "var",
        &[Statement],
        "var ${1:x} ${2:bool}",
        "a variable of the process",
    ),
    word(
        "durable",
        &[Statement],
        "durable var ${1:x} ${2:bool}",
        "a variable that keeps its value when the process begins again",
    ),
    word(
        "if",
        &[Statement],
        "if ${1:condition} {\n\t$0\n}",
        "takes one of two ways",
    ),
    word(
        "else",
        &[Inside],
        "else",
        "what is done if the condition is false",
    ),
    word(
        "for",
        &[Statement, Entry, Case],
        "for ${1:i} in range ${2:0} to ${3:N} {\n\t$0\n}",
        "a loop: for ever, while a condition holds, over an array or a range",
    ),
    word("in", &[Inside], "in", "what a loop goes over"),
    word(
        "range",
        &[Inside],
        "range",
        "the numbers from the first to the one before the second",
    ),
    word(
        "to",
        &[Inside],
        "to",
        "before the number at which a range ends",
    ),
    word("break", &[Statement], "break", "leaves the loop"),
    word(
        "continue",
        &[Statement],
        "continue",
        "goes on with the next round of the loop",
    ),
    word(
        "goto",
        &[Statement],
        "goto ${1:label}",
        "goes on at a label",
    ),
    word(
        "return",
        &[Statement],
        "return",
        "ends the process or function",
    ),
    word("skip", &[Statement], "skip", "one step that does nothing"),
    word(
        "choice",
        &[Statement],
        "choice {\n\t$1\n}, {\n\t$2\n}",
        "any one of these blocks, chosen freely",
    ),
    word(
        "select",
        &[Statement],
        "select {\n\tcase recv(${1:ch}, ${2:x}) {\n\t\t$0\n\t}\n}",
        "performs one of the operations that can go now",
    ),
    word(
        "case",
        &[Case],
        "case ${1:recv(ch, x)} {\n\t$0\n}",
        "one of several ways",
    ),
    word(
        "default",
        &[Case],
        "default {\n\t$0\n}",
        "what is done if no other case can go",
    ),
    word(
        "send",
        &[Statement],
        "send(${1:ch}, ${2:value})",
        "puts a message into a channel; waits until that is possible",
    ),
    word(
        "recv",
        &[Statement],
        "recv(${1:ch}, ${2:x})",
        "takes a message from a channel; waits until there is one",
    ),
    word(
        "peek",
        &[Statement],
        "peek(${1:ch}, ${2:x})",
        "looks at a message without taking it; waits until there is one",
    ),
    word(
        "timeout_send",
        &[Statement, Expression],
        "timeout_send(${1:ch}, ${2:value})",
        "sends, or gives up at any moment: whether it has sent",
    ),
    word(
        "nonblock_send",
        &[Statement, Expression],
        "nonblock_send(${1:ch}, ${2:value})",
        "sends if the buffer is not full: whether it has sent",
    ),
    word(
        "timeout_recv",
        &[Statement, Expression],
        "timeout_recv(${1:ch}, ${2:x})",
        "receives, or gives up at any moment: whether it has received",
    ),
    word(
        "timeout_peek",
        &[Statement, Expression],
        "timeout_peek(${1:ch}, ${2:x})",
        "looks at a message, or gives up at any moment: whether it has seen one",
    ),
    word(
        "nonblock_recv",
        &[Statement, Expression],
        "nonblock_recv(${1:ch}, ${2:x})",
        "receives if there is a message: whether it has received",
    ),
    word(
        "nonblock_peek",
        &[Statement, Expression],
        "nonblock_peek(${1:ch}, ${2:x})",
        "looks at a message if there is one: whether it has seen one",
    ),
    word(
        "assert",
        &[Statement],
        "assert(${1:condition})",
        "a violation if the condition is false here",
    ),
    word(
        "init",
        &[Top],
        "init {\n\t$0\n}",
        "the processes and channels there are",
    ),
    word(
        "channel",
        &[Type, Entry],
        "channel { ${1:bool} }",
        "carries messages; with `[n]` it has a buffer",
    ),
    word("true", &[Expression, Formula], "true", "a truth value"),
    word("false", &[Expression, Formula], "false", "a truth value"),
    word(
        "any",
        &[Expression],
        "any",
        "any value of the type, chosen freely",
    ),
    word(
        "forall",
        &[Formula, Expression],
        "forall ${1:i} in range ${2:0} to ${3:N} { ${4:true} }",
        "true for each number of a range",
    ),
    word(
        "exists",
        &[Formula, Expression],
        "exists ${1:i} in range ${2:0} to ${3:N} { ${4:true} }",
        "true for one number of a range",
    ),
    word(
        "import",
        &[Top],
        "import \"${1:std/link}\"",
        "uses the definitions of another file",
    ),
    word(
        "limit",
        &[Top],
        "limit ${1:1} { $2 }",
        "at most so many of these faults together",
    ),
    word(
        "inject",
        &[Top],
        "inject {\n\t$0\n}",
        "marks entries with faults",
    ),
    word(
        "fault",
        &[Top],
        "fault ${1:name}(${2:x var}) on process {\n\tat write(${2:x}, ${3:v}) {\n\t\t$0\n\t}\n}",
        "a fault of your own",
    ),
    word(
        "timeout",
        &[Inside],
        "timeout",
        "a case that may always be taken",
    ),
    word(
        "after",
        &[Inside],
        "after",
        "a case for when the time has come",
    ),
    word(
        "type",
        &[Top],
        "type ${1:Name} struct {\n\t$0\n}",
        "another name of a type, or a record",
    ),
    word(
        "await",
        &[Statement],
        "await ${1:condition}",
        "waits until the condition holds",
    ),
    word(
        "atomic",
        &[Statement],
        "atomic {\n\t$0\n}",
        "several statements in one step",
    ),
    word(
        "func",
        &[Top],
        "func ${1:name}(${2}) ${3:bool} {\n\treturn $0\n}",
        "a function, written out where it is called",
    ),
    word(
        "predicate",
        &[Top],
        "predicate ${1:name}(${2}) { ${3:true} }",
        "a formula with a name",
    ),
    word(
        "protocol",
        &[Top],
        "protocol ${1:name} on ${2:ch} {\n\t$0\n}",
        "the order in which messages may come",
    ),
    word(
        "view",
        &[Top],
        "view ${1:Proc} { ${2:x} }",
        "what a process sees, for what it knows",
    ),
    word(
        "diagnosable",
        &[Top],
        "diagnosable ${1:fault} by ${2:process}",
        "a process always finds out that a fault has begun",
    ),
    word(
        "complete",
        &[Inside],
        "complete",
        "of a protocol: it must also come to its end",
    ),
    word(
        "on",
        &[Inside],
        "on",
        "what a fault marks, or a protocol is about",
    ),
    word(
        "bag",
        &[Inside],
        "bag",
        "of a channel: any message may be received",
    ),
    word(
        "overflow",
        &[Inside],
        "overflow",
        "of a channel: a send to a full buffer loses the message",
    ),
    word(
        "count",
        &[Formula],
        "count ${1:i} in range ${2:0} to ${3:N} { ${4:true} }",
        "for how many numbers of a range something is true",
    ),
    word(
        "sum",
        &[Formula],
        "sum ${1:i} in range ${2:0} to ${3:N} { ${4:i} }",
        "the sum of something over a range",
    ),
    word(
        "fair",
        &[Statement, Marker],
        "fair ",
        "not passed over for ever",
    ),
    word("struct", &[Inside], "struct", "a record with named fields"),
    word(
        "switch",
        &[Statement],
        "switch ${1:value} {\n\tcase ${2:A} {\n\t\t$0\n\t}\n}",
        "goes on by the value of something",
    ),
    word(
        "is",
        &[Inside],
        "is",
        "whether a value was made by a constructor",
    ),
    word(
        "invariant",
        &[Top],
        "invariant ${1:name} { ${2:true} }",
        "true in every state that can be reached",
    ),
    word(
        "reachable",
        &[Top],
        "reachable ${1:name} { ${2:true} }",
        "true in some state that can be reached",
    ),
    word(
        "unreachable",
        &[Top],
        "unreachable ${1:name} { ${2:false} }",
        "true in no state that can be reached",
    ),
    word(
        "ltl",
        &[Top],
        "ltl ${1:name} { ${2:G true} }",
        "true of every fair run",
    ),
    word(
        "ctl",
        &[Top],
        "ctl ${1:name} { ${2:AG true} }",
        "true of the tree of all runs",
    ),
    word(
        "assume",
        &[Top],
        "assume ${1:name} { ${2:G F true} }",
        "`ltl` properties look only at runs of which this is true",
    ),
    word(
        "tolerant",
        &[Top],
        "tolerant ${1:name} to ${2:any} at ${3:recovers} { ${4:true} }",
        "how well a condition bears faults",
    ),
    // Types.
    word("bool", &[Type], "bool", "`true` or `false`"),
    word("int", &[Type], "int", "the same as `0..8`"),
    word("bit", &[Type], "bit", "the same as `0..1`"),
    // In the parentheses of a marker.
    word(
        "max",
        &[Marker],
        "max = ${1:1}",
        "at most so often in a run",
    ),
    word("once", &[Marker], "once", "at most once in a run"),
    word("always", &[Marker], "always", "at every occasion"),
    word(
        "permanent",
        &[Marker],
        "permanent",
        "from some moment on, for ever",
    ),
    word(
        "transient",
        &[Marker],
        "transient",
        "it ends again, after some time",
    ),
    word("from", &[Marker], "from = ${1:any}", "only after this"),
    word(
        "until",
        &[Marker],
        "until = ${1:any}",
        "no longer after this",
    ),
    // In formulas.
    word(
        "len",
        &[Formula, Expression],
        "len(${1:ch})",
        "how many messages are in a buffer",
    ),
    word(
        "full",
        &[Formula, Expression],
        "full(${1:ch})",
        "whether a buffer is full",
    ),
    word(
        "empty",
        &[Formula, Expression],
        "empty(${1:ch})",
        "whether a buffer is empty",
    ),
    word(
        "sent",
        &[Formula],
        "sent(${1:ch})",
        "whether the last step sent a message to a channel",
    ),
    word(
        "received",
        &[Formula],
        "received(${1:ch})",
        "whether the last step received a message from a channel",
    ),
    word(
        "faulty",
        &[Formula],
        "faulty(${1:fault})",
        "whether this run may have the fault",
    ),
    word(
        "injected",
        &[Formula],
        "injected(${1:fault})",
        "whether the last step was the fault",
    ),
    word(
        "done",
        &[Inside],
        "done",
        "whether the process has come to its end",
    ),
    word(
        "crashed",
        &[Inside],
        "crashed",
        "whether the process has crashed",
    ),
    word(
        "failed",
        &[Inside],
        "failed",
        "whether the process has stopped at a run-time check",
    ),
];

/// The temporal operators: letters, snippet, meaning, whether of `ctl`.
pub const OPERATORS: &[(&str, &str, bool)] = &[
    ("X", "in the next state", false),
    ("G", "from now on always", false),
    ("F", "now or some time", false),
    ("U", "until", false),
    ("V", "releases", false),
    ("S", "since", false),
    ("T", "triggered", false),
    ("Y", "in the state before, which there is", false),
    ("Z", "in the state before, if there is one", false),
    ("H", "always so far", false),
    ("O", "now or some time before", false),
    ("AX", "in every next state", true),
    ("AG", "from now on always, on every run", true),
    ("AF", "some time, on every run", true),
    ("EX", "in some next state", true),
    ("EG", "from now on always, on some run", true),
    ("EF", "some time, on some run", true),
    ("A", "on every run: `A (p U q)`", true),
    ("E", "on some run: `E (p U q)`", true),
];

/// What a word means.
pub fn meaning(text: &str) -> Option<&'static str> {
    WORDS
        .iter()
        .find(|word| word.text == text)
        .map(|word| word.meaning)
}
