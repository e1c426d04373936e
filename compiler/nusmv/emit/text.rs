//! Laying out SMV text.

use crate::system::Domain;

use super::names::Names;

/// The widest line, where it can be helped.
const WIDTH: usize = 100;

/// `name := text;`, over several lines if it is long: parts joined by `glue`.
pub fn definition(name: &str, parts: &[String], glue: &str, empty: &str) -> String {
    let joined = parts.join(&format!(" {glue} "));
    let text = if parts.is_empty() { empty } else { &joined };
    let line = format!("  {name} := {text};\n");
    if line.len() <= WIDTH || parts.len() < 2 {
        return line;
    }
    format!(
        "  {name} :=\n      {};\n",
        parts.join(&format!("\n    {glue} "))
    )
}

/// `case .. esac` with an arm per line; only the last value if there are no arms.
pub fn case(arms: &[(String, String)], last: &str, indent: &str) -> String {
    if arms.is_empty() {
        return last.to_string();
    }
    let mut text = String::from("case\n");
    for (condition, value) in arms {
        text += &format!("{indent}  {condition} : {value};\n");
    }
    text += &format!("{indent}  TRUE : {last};\n{indent}esac");
    text
}

/// A type: `boolean`, `0..3`, `{Ready, Abort}`.
pub fn domain(names: &Names, domain: Domain) -> String {
    match domain {
        Domain::Bool => "boolean".into(),
        Domain::Int { lo, hi } => format!("{lo}..{hi}"),
        Domain::Data { data, count } => {
            let constants = &names.constants[data.0 as usize];
            format!("{{{}}}", constants[..count as usize].join(", "))
        }
    }
}

/// A section of a module: its keyword and its lines, or nothing if there are none.
pub fn section(keyword: &str, lines: &str) -> String {
    if lines.is_empty() {
        String::new()
    } else {
        format!("{keyword}\n{lines}")
    }
}
