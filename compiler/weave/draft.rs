//! A System under construction, and the four operations that faults and their budgets are written with.
//!
//! - [`Draft::observe`] updates new variables on matching edges: forgetting them gives the old model back.
//! - [`Draft::restrict`] adds a guard to matching edges: it only removes behaviour.
//! - [`Draft::alternative`] adds siblings to matching edges: deleting them gives the old model back.
//! - [`Draft::spontaneous`] adds edges that stem from no other: same law. [`Draft::of_nobody`] does so for nobody's steps.
//!
//! The edges that match are told by their events and kind. Faults see the program's edges, never other faults': siblings are only
//! put beside forced edges.
//!
//! What is no fault may do more: what a channel is, networks, checks, atomic blocks, the clock, detectors, and what remembers
//! something of a step. They rewrite edges or add processes, each in its own file; so does `always`, by which a fault takes the
//! place of an edge. These are not covered by the laws.

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;

use super::progress::Progress;
use crate::graph::{self, Edge, Expr, Graphs, Join, Layout, Leaf, ProcessGraph};
use crate::program::{EventId, FaultAspect, FaultTarget, KnowsId, Program, Type};
use crate::source::Span;
use crate::system::event::{Act, Event, Passage, Word};
use crate::system::{ChannelVars, Owner, StartChoice, Starts, Var};
use crate::system::{Domain, EdgeKind, Location, LocationKind, VarId};
use crate::vocabulary::{ChannelId, FairId, FaultId, ProcessId};

/// Process graphs with channels declared, on the way to a System.
pub(super) struct Draft {
    pub vars: Vec<Var>,
    /// Which variables survive a restart.
    pub durable: Vec<bool>,
    pub layout: Layout,
    pub processes: Vec<ProcessGraph>,
    /// What else is to be told of each process.
    pub about: Vec<About>,
    pub channels: Vec<ChannelVars>,
    /// The faults that the model defines: for each fault, when it happens and what it does.
    pub joins: Vec<Vec<Join>>,
    /// The failure detectors.
    pub detectors: Vec<Detector>,
    /// Where a process is after a crash.
    pub crashed: Vec<Option<NodeIndex>>,
    /// Which of several faults crashed it that it may recover from, by their numbers from 1; 0 if another did.
    pub crashed_by: Vec<Option<VarId>>,
    /// Whether it may recover.
    pub recovers: Vec<bool>,
    /// The variables that start with one of several values.
    pub starts: Starts,
    /// Which of their combinations there are.
    pub start_rules: Vec<Expr>,
    /// What faults have added beside edges of the program.
    pub alternatives: Vec<Alternative>,
    /// How far each fault is, if it is not active all the time.
    pub phases: Vec<Option<VarId>>,
    /// What specifications ask about faults.
    pub aspects: FxHashMap<(FaultAspect, FaultId), Expr>,
    /// What stands for the operators about knowledge.
    pub known: FxHashMap<KnowsId, VarId>,
    /// The same for those that `tolerant` asks about the System without its faults.
    pub known_without: FxHashMap<KnowsId, VarId>,
    /// The variables of the processes, as the program declares them.
    pub written: Vec<graph::Var>,
    /// The channels of the program.
    pub fields: Vec<Vec<Type>>,
    /// The events that specifications ask about.
    pub events: FxHashMap<EventId, Expr>,
    /// Of specifications for which something is kept while a run goes on, by their position: what they say in its terms.
    pub kept: FxHashMap<usize, Expr>,
    /// Which runs the built-in properties are about.
    pub ordinary: Option<Expr>,
    /// What is kept about progress, if statements are labelled so.
    pub progress: Option<Progress>,
    /// The process of the edges that nobody owns; added on first use.
    nobody: Option<(ProcessId, NodeIndex)>,
    /// The fair choices, those of the program first.
    pub fair: Vec<FairChoice>,
    /// The fault that is being woven, if it is fair: its name and its marker.
    pub fair_fault: Option<(String, Span)>,
    /// The durable variables that the fault that is being woven loses.
    pub lost: Vec<VarId>,
    /// What it can happen to that another fault of its kind can happen to, too.
    pub alike: Vec<FaultTarget>,
    /// What time counts down.
    pub timers: Vec<VarId>,
    /// The processes that time does not wait for, the clock itself included.
    pub timeless: Vec<ProcessId>,
    /// What says whether the last step was a tick, if somebody asks.
    pub ticked: Option<VarId>,
}

/// A fair choice under construction.
pub(super) struct FairChoice {
    /// What is fair: `select`, `req@drop`.
    pub name: String,
    pub span: Span,
    /// Whether it is owed something as soon as it is possible, not only when a fault has taken its place.
    pub by_state: bool,
}

/// An edge that a fault has added beside one of the program.
pub(super) struct Alternative {
    pub process: usize,
    pub edge: EdgeIndex,
    pub of: EdgeIndex,
    pub fault: FaultId,
    /// Whether it goes where the edge of the program would, as far as the process itself is concerned.
    pub applies: Expr,
}

/// A failure detector: a process of its own, and what it thinks.
#[derive(Clone, Copy)]
pub(super) struct Detector {
    pub process: ProcessId,
    pub idle: NodeIndex,
    /// Whom it watches.
    pub watched: ProcessId,
    /// Whether it suspects that one.
    pub suspects: VarId,
}

/// What a process is called.
pub(super) struct About {
    pub name: String,
    pub proc_name: String,
    pub labels: Vec<String>,
    pub span: Span,
}

/// An edge and where it leads.
pub(super) struct Sibling {
    pub to: NodeIndex,
    pub edge: Edge,
}

impl Draft {
    pub(super) fn new(graphs: Graphs, program: &Program) -> Draft {
        let count = graphs.processes.len();
        let written_vars = graphs.vars.clone();
        let several = (graphs.vars.iter().zip(0..)).filter(|(v, _)| !v.starts.is_empty());
        let choices = several.map(|(v, id)| StartChoice {
            var: VarId(id),
            codes: v.starts.clone(),
        });
        let timers = (graphs.vars.iter().zip(0..)).filter(|(v, _)| v.timer);
        let timers = timers.map(|(_, id)| VarId(id)).collect();
        Draft {
            starts: Starts {
                choices: choices.collect(),
                only: None,
            },
            start_rules: Vec::new(),
            durable: graphs.vars.iter().map(|v| v.durable).collect(),
            vars: graphs
                .vars
                .into_iter()
                .map(|v| Var {
                    name: v.name,
                    owner: Owner::Process(v.process),
                    domain: v.domain,
                    init: v.init,
                    derived: None,
                    hidden: v.hidden,
                })
                .collect(),
            layout: graphs.layout,
            processes: graphs.processes,
            about: (program.processes.iter())
                .map(|process| About {
                    name: process.name.clone(),
                    proc_name: process.proc_name.clone(),
                    labels: process.labels.iter().map(|l| l.name.clone()).collect(),
                    span: process.span,
                })
                .collect(),
            channels: Vec::new(),
            joins: graphs.joins,
            detectors: Vec::new(),
            crashed: vec![None; count],
            crashed_by: vec![None; count],
            recovers: vec![false; count],
            fair_fault: None,
            lost: Vec::new(),
            alike: Vec::new(),
            timers,
            timeless: Vec::new(),
            ticked: None,
            fair: (graphs.fair.into_iter())
                .map(|case| FairChoice {
                    name: case.of.to_string(),
                    span: case.span,
                    by_state: true,
                })
                .collect(),
            alternatives: Vec::new(),
            phases: vec![None; program.faults.len()],
            aspects: FxHashMap::default(),
            known: FxHashMap::default(),
            known_without: FxHashMap::default(),
            written: written_vars,
            fields: program.channels.iter().map(|c| c.fields.clone()).collect(),
            events: FxHashMap::default(),
            kept: FxHashMap::default(),
            ordinary: None,
            progress: None,
            nobody: None,
        }
    }

    /// Adds a variable.
    pub(super) fn declare(
        &mut self,
        name: impl Into<String>,
        owner: Owner,
        domain: Domain,
        init: i64,
    ) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(Var {
            name: name.into(),
            owner,
            domain,
            init,
            derived: None,
            hidden: false,
        });
        self.durable.push(true);
        id
    }

    /// Adds a hidden variable that is kept for a specification.
    pub(super) fn keep(&mut self, name: String, domain: Domain, init: i64) -> VarId {
        let owner = Owner::free(&self.vars);
        let id = self.declare(name, owner, domain, init);
        self.vars[id.0 as usize].hidden = true;
        id
    }

    /// Updates (new) variables on every matching edge.
    pub(super) fn observe(
        &mut self,
        matches: impl Fn(&Edge) -> bool,
        updates: impl Fn(&Edge) -> Vec<(VarId, Expr)>,
    ) {
        for edge in self.edges_mut().filter(|e| matches(e)) {
            let new = updates(edge);
            edge.updates.extend(new);
        }
    }

    /// Adds a guard to every matching edge.
    pub(super) fn restrict(
        &mut self,
        matches: impl Fn(&Edge) -> bool,
        guard: impl Fn(&Edge) -> Expr,
    ) {
        for edge in self.edges_mut().filter(|e| matches(e)) {
            edge.guard = Expr::and([edge.guard.clone(), guard(edge)]);
        }
    }

    /// Adds siblings to every edge of the program for which `siblings` yields some. A sibling of an edge of a fair case
    /// takes that case too; and siblings by a fair fault do not take the place of an edge for ever.
    pub(super) fn alternative(
        &mut self,
        mut siblings: impl FnMut(&Edge, NodeIndex) -> Vec<Sibling>,
    ) {
        for index in 0..self.processes.len() {
            self.alternative_of(index, &mut siblings);
        }
    }

    /// Adds siblings to every edge of the program of one process for which `siblings` yields some.
    pub(super) fn alternative_of(
        &mut self,
        index: usize,
        mut siblings: impl FnMut(&Edge, NodeIndex) -> Vec<Sibling>,
    ) {
        {
            let fair = &mut self.fair;
            let graph = &mut self.processes[index].graph;
            let mut added = Vec::new();
            for edge in graph
                .edge_references()
                .filter(|e| e.weight().kind.is_forced())
            {
                let new = siblings(edge.weight(), edge.target());
                if !new.is_empty() {
                    added.push((edge.id(), edge.source(), new));
                }
            }
            for (operation, from, siblings) in added {
                let mut events: Vec<Event<Leaf>> = (graph[operation].events.iter())
                    .filter(|e| matches!(e, Event::Granted(id) if fair[id.0 as usize].by_state))
                    .cloned()
                    .collect();
                if let Some((name, span)) = self.fair_fault.clone() {
                    let id = FairId(fair.len() as u32);
                    graph[operation].events.push(Event::Granted(id));
                    events.push(Event::Denied(id));
                    fair.push(FairChoice {
                        name,
                        span,
                        by_state: false,
                    });
                }
                for mut sibling in siblings {
                    let applies = applies(&graph[operation], &sibling.edge);
                    let kind = sibling.edge.kind;
                    sibling.edge.events.extend(events.iter().cloned());
                    let edge = graph.add_edge(from, sibling.to, sibling.edge);
                    if let EdgeKind::Fault(fault) = kind {
                        self.alternatives.push(Alternative {
                            process: index,
                            edge,
                            of: operation,
                            fault,
                            applies,
                        });
                    }
                }
            }
        }
    }

    /// Adds an edge at each of the given locations of a process.
    pub(super) fn spontaneous(
        &mut self,
        process: ProcessId,
        from: impl Fn(NodeIndex, &Location) -> bool,
        to: NodeIndex,
        edge: impl Fn(Span) -> Edge,
    ) {
        let graph = &mut self.processes[process.0 as usize].graph;
        let chosen: Vec<NodeIndex> = graph
            .node_indices()
            .filter(|n| from(*n, &graph[*n]))
            .collect();
        for node in chosen {
            let span = graph[node].span;
            graph.add_edge(node, to, edge(span));
        }
    }

    /// Adds a process that no program has, with one location: it waits there, and counts as done. Edges that it is given
    /// begin and end at that location.
    pub(super) fn add_process(
        &mut self,
        name: impl Into<String>,
        proc_name: impl Into<String>,
        span: Span,
    ) -> (ProcessId, NodeIndex) {
        let process = ProcessId(self.processes.len() as u32);
        let mut graph = DiGraph::new();
        let kinds = [LocationKind::Idle, LocationKind::Done, LocationKind::Failed];
        let [idle, done, failed] = kinds.map(|kind| {
            graph.add_node(Location {
                kind,
                labels: Vec::new(),
                span,
            })
        });
        self.processes.push(ProcessGraph {
            atomic: Vec::new(),
            deadlines: Vec::new(),
            results: Vec::new(),
            process,
            graph,
            initial: idle,
            done,
            failed,
        });
        self.about.push(About {
            name: name.into(),
            proc_name: proc_name.into(),
            labels: Vec::new(),
            span,
        });
        self.crashed.push(None);
        self.crashed_by.push(None);
        self.recovers.push(false);
        (process, idle)
    }

    /// Adds an edge that nobody owns: taking it is no move of any process.
    pub(super) fn of_nobody(&mut self, edge: Edge) {
        let (process, idle) = match self.nobody {
            Some(known) => known,
            None => {
                let span = edge.span;
                let added = self.add_process("faults", "faults", span);
                self.nobody = Some(added);
                added
            }
        };
        let graph = &mut self.processes[process.0 as usize].graph;
        graph.add_edge(idle, idle, edge);
    }

    /// Where a process is after a crash; added on first use.
    pub(super) fn crashed(&mut self, process: ProcessId) -> NodeIndex {
        let index = process.0 as usize;
        if let Some(node) = self.crashed[index] {
            return node;
        }
        let p = &mut self.processes[index];
        let span = p.graph[p.done].span;
        let node = p.graph.add_node(Location {
            kind: LocationKind::Crashed,
            labels: Vec::new(),
            span,
        });
        self.crashed[index] = Some(node);
        node
    }

    /// What says which of several faults crashed a process; added on first use.
    pub(super) fn crashed_by(&mut self, process: ProcessId) -> VarId {
        let index = process.0 as usize;
        if let Some(known) = self.crashed_by[index] {
            return known;
        }
        let domain = Domain::Int {
            lo: 0,
            hi: self.phases.len() as i64,
        };
        let id = self.declare("crashed by", Owner::Process(process), domain, 0);
        self.vars[id.0 as usize].hidden = true;
        self.crashed_by[index] = Some(id);
        id
    }

    fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        self.processes
            .iter_mut()
            .flat_map(|p| p.graph.edge_weights_mut())
    }

    /// Rewrites every edge of every process in place.
    pub(super) fn rewrite(&mut self, mut rewrite: impl FnMut(&Draft, &Edge) -> Edge) {
        for index in 0..self.processes.len() {
            let count = self.processes[index].graph.edge_count();
            for e in (0..count).map(EdgeIndex::new) {
                let edge = rewrite(self, &self.processes[index].graph[e]);
                self.processes[index].graph[e] = edge;
            }
        }
    }

    pub(super) fn channel(&self, id: ChannelId) -> &ChannelVars {
        &self.channels[id.0 as usize]
    }
}

/// Whether a fault edge can go where the edge beside which it stands could, but for the channel: for some values of the
/// picks that it has in addition.
fn applies(of: &Edge, sibling: &Edge) -> Expr {
    let extra = sibling.picks.get(of.picks.len()..).unwrap_or_default();
    let mut chosen = false;
    sibling.guard.leaves(&mut |leaf| {
        chosen |= matches!(leaf, Leaf::Pick(i) if *i as usize >= of.picks.len());
    });
    if !chosen {
        return sibling.guard.clone();
    }
    match extra.iter().any(|domain| domain.size() > 1) {
        true => of.guard.clone(),
        false => Expr::no(),
    }
}

/// The value of a variable.
pub(super) fn var(id: VarId) -> Expr {
    Expr::Leaf(Leaf::Var(id))
}

/// What a fault does, in a word and in a sentence.
pub(super) fn act(verb: &'static str, sentence: impl Into<Vec<Word<Leaf>>>) -> Event<Leaf> {
    Event::Acted(Act {
        verb,
        sentence: sentence.into(),
        passage: None,
    })
}

/// What a fault does that decides what becomes of a message: it is lost, or `arrives` at the process that takes the step.
pub(super) fn act_on<const N: usize>(
    verb: &'static str,
    sentence: [Word<Leaf>; N],
    channel: ChannelId,
    message: &[Expr],
    arrives: bool,
) -> Event<Leaf> {
    Event::Acted(Act {
        verb,
        sentence: sentence.into(),
        passage: Some(Passage {
            channel,
            message: message.to_vec(),
            arrives,
        }),
    })
}

/// A fault edge.
pub(super) fn fault_edge(
    fault: crate::vocabulary::FaultId,
    events: Vec<Event<Leaf>>,
    span: Span,
) -> Edge {
    let events = events.into_iter().chain([Event::Injected(fault)]).collect();
    Edge {
        guard: Expr::yes(),
        picks: Vec::new(),
        updates: Vec::new(),
        checks: Vec::new(),
        kind: EdgeKind::Fault(fault),
        events,
        exit: None,
        checked: false,
        span,
    }
}
