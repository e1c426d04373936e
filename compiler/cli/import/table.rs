//! Tables: a row for each line, fields separated by `;`, `null` for none. What is wrong is told by row and field.

/// What is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What, and in which row and field.
    pub text: String,
    /// What was expected.
    pub hint: String,
}

/// Something written in a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The word.
    pub word: String,
    /// The row, from 1.
    pub row: usize,
    /// The field, from 1, and what it is for.
    pub field: (usize, &'static str),
}

/// A row of a table of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub row: usize,
    /// Whose state.
    pub process: Cell,
    /// The state.
    pub state: Cell,
    /// What is received.
    pub received: Option<Cell>,
    /// What decides.
    pub guard: Option<Cell>,
    /// What is sent.
    pub transmitted: Option<Cell>,
    /// The next state.
    pub next: Option<Cell>,
}

/// A row of a table of messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// In which conversation.
    pub conversation: Cell,
    /// Who sends.
    pub from: Cell,
    /// Who receives.
    pub to: Cell,
    /// What.
    pub message: Cell,
}

const STATES: [&str; 6] = [
    "process",
    "state",
    "received",
    "guard",
    "transmitted",
    "next",
];
const MESSAGES: [&str; 4] = ["conversation", "from", "to", "message"];

impl Cell {
    /// A problem here.
    pub fn problem(&self, what: &str, expected: impl Into<String>) -> Problem {
        let Cell { word, row, field } = self;
        let (number, name) = field;
        Problem {
            text: format!("row {row}, field {number} ({name}): `{word}` {what}"),
            hint: expected.into(),
        }
    }
}

/// The rows of a table of states.
pub fn rows(text: &str) -> Result<Vec<Row>, Problem> {
    let rows: Result<Vec<Row>, Problem> = cells(text, STATES)?.into_iter().map(row).collect();
    let rows = rows?;
    match rows.is_empty() {
        true => Err(Problem {
            text: "this table has no rows".to_owned(),
            hint: format!("write rows of the form `{}`", STATES.join(";")),
        }),
        false => Ok(rows),
    }
}

/// The rows of a table of messages.
pub fn messages(text: &str) -> Result<Vec<Sent>, Problem> {
    let rows = cells(text, MESSAGES)?;
    if rows.is_empty() {
        return Err(Problem {
            text: "this table has no rows".to_owned(),
            hint: format!("write rows of the form `{}`", MESSAGES.join(";")),
        });
    }
    let sent = |(_, [conversation, from, to, message]): (usize, [Cell; 4])| {
        Ok(Sent {
            conversation: given(conversation)?,
            from: given(from)?,
            to: given(to)?,
            message: given(message)?,
        })
    };
    rows.into_iter().map(sent).collect()
}

/// The cells of a table; empty lines, comments (`#`) and a line with the names of the fields are passed over.
fn cells<const N: usize>(
    text: &str,
    names: [&'static str; N],
) -> Result<Vec<(usize, [Cell; N])>, Problem> {
    let mut found = Vec::new();
    let lines = text.trim_start_matches('\u{FEFF}').lines();
    for (row, line) in (1..).zip(lines) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line == names.join(";") {
            continue;
        }
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        if fields.len() != N {
            let (missing, has) = (names.get(fields.len()), fields.len());
            return Err(Problem {
                text: match missing {
                    Some(name) => format!("row {row} has {has} of {N} fields: no `{name}`"),
                    None => format!("row {row} has {has} fields instead of {N}"),
                },
                hint: format!("write `{}`", names.join(";")),
            });
        }
        let mut words = fields.into_iter();
        let mut number = 0;
        let cells = names.map(|name| {
            number += 1;
            Cell {
                word: words.next().unwrap_or_default().to_owned(),
                row,
                field: (number, name),
            }
        });
        for cell in &cells {
            if cell.word.is_empty() {
                return Err(cell.problem("is empty", "write a name, or `null` for none"));
            }
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            // A guard is only told in a comment.
            let free = cell.field.1 == "guard";
            if !free
                && (!cell.word.chars().all(plain)
                    || cell.word.starts_with(|c: char| c.is_ascii_digit()))
            {
                return Err(cell.problem(
                    "is no name",
                    "use letters, digits and `_` only, a letter first",
                ));
            }
        }
        found.push((row, cells));
    }
    Ok(found)
}

fn row((row, cells): (usize, [Cell; 6])) -> Result<Row, Problem> {
    let [process, state, received, guard, transmitted, next] = cells;
    let (process, state) = (given(process)?, given(state)?);
    let some = |cell: Cell| (cell.word != "null").then_some(cell);
    Ok(Row {
        row,
        process,
        state,
        received: some(received),
        guard: some(guard),
        transmitted: some(transmitted),
        next: some(next),
    })
}

fn given(cell: Cell) -> Result<Cell, Problem> {
    match cell.word == "null" {
        true => Err(cell.problem(
            "says that there is none",
            "write a name: this field is needed",
        )),
        false => Ok(cell),
    }
}
