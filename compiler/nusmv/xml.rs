//! NuSMV's answers as XML: the status of a property, and traces.

use roxmltree::{Document, Node};
use rustc_hash::FxHashMap;

use super::error::Error;

/// What NuSMV says about a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The property's `NAME`.
    pub name: String,
    /// Whether it is true; none if it was not decided.
    pub holds: Option<bool>,
    /// The number of its trace, 0 if there is none.
    pub trace: u32,
}

/// A trace as NuSMV wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawTrace {
    /// Its number.
    pub id: u32,
    /// The states, each with the inputs of the step that follows it.
    pub nodes: Vec<RawNode>,
    /// If it is infinite: the state (from 0) that the last one equals.
    pub loop_to: Option<usize>,
}

/// A state of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RawNode {
    /// The variables NuSMV kept, and definitions.
    pub state: FxHashMap<String, String>,
    /// The inputs of the step to the next state.
    pub input: FxHashMap<String, String>,
}

/// Reads what `show_property -F xml` wrote: one property.
pub fn answer(text: &str) -> Result<Answer, Error> {
    let document = parse(text)?;
    let property = (document.descendants())
        .find(|n| n.has_tag_name_any("property"))
        .ok_or_else(|| Error::nonsense("a property without an answer"))?;
    let field = |name: &str| {
        property
            .children()
            .find(|n| n.has_tag_name_any(name))
            .and_then(|n| n.text())
            .map(str::trim)
            .unwrap_or_default()
    };
    let holds = match field("status") {
        "TRUE" => Some(true),
        "FALSE" => Some(false),
        "UNCHECKED" => None,
        other => return Err(Error::nonsense(format!("the status `{other}`"))),
    };
    Ok(Answer {
        name: field("name").to_string(),
        holds,
        trace: field("trace").parse().unwrap_or(0),
    })
}

/// Reads what `show_traces` wrote with the plugin for XML elements: one trace.
pub fn trace(text: &str) -> Result<RawTrace, Error> {
    let document = parse(text)?;
    let root = document.root_element();
    let mut nodes = Vec::new();
    for node in root.children().filter(|n| n.has_tag_name_any("node")) {
        let mut raw = RawNode::default();
        for part in node.children() {
            match part.tag_name().name() {
                "state" => raw.state = values(part),
                "input" => raw.input = values(part),
                _ => {}
            }
        }
        nodes.push(raw);
    }
    // Of several loop states the first is meant; the last state equals each of them.
    let loop_to = root
        .children()
        .find(|n| n.has_tag_name_any("loops"))
        .and_then(|n| n.text())
        .and_then(|text| {
            text.split(',')
                .filter_map(|n| n.trim().parse::<usize>().ok())
                .min()
        });
    let id = root.attribute("id").and_then(|id| id.parse().ok());
    match (id, loop_to) {
        (Some(id), _) if nodes.is_empty() => {
            Err(Error::nonsense(format!("trace {id} has no states")))
        }
        (Some(_), Some(state)) if state == 0 || state > nodes.len() => {
            Err(Error::nonsense(format!("a loop to state {state}")))
        }
        (Some(id), loop_to) => Ok(RawTrace {
            id,
            nodes,
            loop_to: loop_to.map(|state| state - 1),
        }),
        (None, _) => Err(Error::nonsense("a trace without a number")),
    }
}

fn values(part: Node<'_, '_>) -> FxHashMap<String, String> {
    part.children()
        .filter_map(|value| {
            let name = value.attribute("variable")?;
            Some((
                name.to_string(),
                value.text().unwrap_or("").trim().to_string(),
            ))
        })
        .collect()
}

fn parse(text: &str) -> Result<Document<'_>, Error> {
    Document::parse(text).map_err(|e| Error::nonsense(format!("not XML: {e}")))
}

/// Tags are compared without their name space, which depends on the version.
trait Tag {
    fn has_tag_name_any(&self, name: &str) -> bool;
}

impl Tag for Node<'_, '_> {
    fn has_tag_name_any(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool;

    #[test]
    fn answers_are_read() {
        let text = r#"<?xml version="1.0"?>
<properties xmlns="http://es.fbk.eu">
  <property><name>p</name><index>3</index><formula><![CDATA[ !(a & b) ]]></formula>
    <type>Invar</type><status>FALSE</status><bound>-1</bound><trace>2</trace></property>
</properties>"#;
        let found = answer(text).unwrap();
        assert_eq!(
            (found.name.as_str(), found.holds, found.trace),
            ("p", Some(false), 2)
        );
        let odd = text.replace("FALSE", "MAYBE");
        assert!(matches!(
            answer(&odd),
            Err(Error::Tool(tool::Error::Nonsense(_)))
        ));
        assert!(matches!(
            answer("<a>"),
            Err(Error::Tool(tool::Error::Nonsense(_)))
        ));
        assert!(matches!(
            answer("<a></a>"),
            Err(Error::Tool(tool::Error::Nonsense(_)))
        ));
    }

    #[test]
    fn traces_are_read() {
        let text = r#"<counter-example type="0" id="2" desc="LTL Counterexample" >
  <node><state id="1"><value variable="p.pc">a1</value></state>
    <input id="2"><value variable="running">run_p</value></input></node>
  <node><state id="2"><value variable="p.pc">b1</value></state></node>
  <loops> 2 ,1 </loops></counter-example>"#;
        let found = trace(text).unwrap();
        assert_eq!(
            (found.id, found.nodes.len(), found.loop_to),
            (2, 2, Some(0))
        );
        assert_eq!(found.nodes[0].input["running"], "run_p");
        assert_eq!(found.nodes[1].state["p.pc"], "b1");
        let finite = text.replace(" 2 ,1 ", "");
        assert_eq!(trace(&finite).unwrap().loop_to, None);
        let odd = text.replace(" 2 ,1 ", "7");
        assert!(matches!(
            trace(&odd),
            Err(Error::Tool(tool::Error::Nonsense(_)))
        ));
    }
}
