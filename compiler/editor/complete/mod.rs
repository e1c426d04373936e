//! What may be written at a place.

mod place;
mod words;

pub use place::{Around, Place};
pub use words::{At, OPERATORS, WORDS, Word, meaning};

use super::hover;
use super::index::{DefId, Definition, Kind, Ty};
use super::{Model, word_at};
use crate::load::library;
use crate::source::Span;
use crate::syntax::ast::DeclKind;
use crate::syntax::token::Tok;
use crate::vocabulary::{Level, Logic, MessageOp};

/// Something that may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What is offered.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// In a few words.
    pub detail: String,
    /// What is inserted; a snippet, in which `${1:x}` is to be filled in.
    pub snippet: String,
    /// What fits best comes first.
    pub rank: u8,
}

/// What is offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// A definition.
    Definition(Kind),
    /// A word of the language.
    Word,
    /// A marker.
    Marker,
    /// A module of the library.
    Library,
}

/// What may be written at a place of the main file, and the range of what is there already.
pub fn complete(model: &Model, offset: usize) -> (std::ops::Range<usize>, Vec<Item>) {
    let text = model.text();
    let start = word_at(&text[..offset], offset).start;
    let place = Place::of(text, start);
    let finder = Finder {
        model,
        place: &place,
        offset: start,
    };
    if let Some(quotes) = place.quotes {
        return (quotes..offset, finder.libraries());
    }
    let items = match place.comment {
        true => Vec::new(),
        false => finder.items(),
    };
    (start..offset, items)
}

struct Finder<'a> {
    model: &'a Model,
    place: &'a Place,
    offset: usize,
}

impl Finder<'_> {
    fn items(&self) -> Vec<Item> {
        let last = self.place.before().next();
        let mut items = match last.as_ref().map(|(kind, _)| *kind) {
            Some(Tok::At) => self.after_at(),
            Some(Tok::Dot) => self.after_dot(),
            Some(Tok::Goto) => self.labels(),
            _ => self.plain(last.map(|(kind, _)| kind)),
        };
        items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
        items.dedup_by(|a, b| a.label == b.label);
        items
    }

    fn plain(&self, last: Option<Tok>) -> Vec<Item> {
        let beginning = self.place.is_beginning();
        match self.place.around() {
            Around::Top if beginning => self.words(At::Top),
            Around::Top => self.in_declaration(),
            Around::Constructors => Vec::new(),
            Around::Parameters | Around::Fields => self.types(),
            Around::Init if last == Some(Tok::Colon) => self.callees(),
            Around::Init if beginning => {
                let mut items = self.words(At::Entry);
                items.extend(self.entries_to_write());
                items
            }
            Around::Body if beginning => {
                let mut items = self.words(At::Statement);
                items.extend(self.values(1));
                items
            }
            Around::Body if self.wants_type() => self.types(),
            Around::Select | Around::Switch if beginning => self.words(At::Case),
            Around::Marker(_) => {
                let mut items = self.words(At::Marker);
                items.extend(self.marked_variables());
                items
            }
            Around::Faults => self.marked_entries(),
            _ => match self.place.nature() {
                Around::Formula(logic) => self.formula(*logic),
                Around::Init => self.arguments(),
                Around::Select => self.case(last),
                Around::Faults => self.marked_entries(),
                _ => {
                    let mut items = self.values(0);
                    items.extend(self.words(At::Expression));
                    items
                }
            },
        }
    }

    /// Whether a type follows: after `var x`, after `]` of an array.
    fn wants_type(&self) -> bool {
        let mut before = self.place.before();
        let last = before.next().map(|(kind, _)| kind);
        let second = before.next().map(|(kind, _)| kind);
        let declares = matches!(second, Some(Tok::Var));
        (last == Some(Tok::Ident) && declares) || {
            let mut all = self.place.before().map(|(kind, _)| kind);
            last == Some(Tok::RBracket) && all.all(|kind| kind != Tok::Assign)
        }
    }

    fn in_declaration(&self) -> Vec<Item> {
        let text = self.model.text();
        let line: Vec<&str> = self.place.before().map(|(_, span)| &text[span]).collect();
        match line.last() {
            Some(&"tolerant") if line.first() == Some(&"at") => (Level::ALL.iter())
                .map(|level| word_item(level.as_str(), level.as_str(), level.meaning(), 0))
                .collect(),
            Some(&"type") => self.types(),
            Some(&"protocol") => self.marked_entries(),
            Some(&"tolerant") => self.fault_names(),
            _ => self.values(0),
        }
    }

    fn words(&self, at: At) -> Vec<Item> {
        let words = WORDS.iter().filter(|word| word.at.contains(&at));
        let rank = u8::from(matches!(at, At::Expression | At::Formula)) * 2;
        words
            .map(|word| word_item(word.text, word.snippet, word.meaning, rank))
            .collect()
    }

    fn formula(&self, logic: Logic) -> Vec<Item> {
        let mut items = self.marked_entries();
        items.extend(self.words(At::Formula));
        items.extend(self.values(1));
        items.extend(self.fault_names());
        let fits = |branching: bool| match logic {
            Logic::State => false,
            Logic::Linear => !branching,
            Logic::Branching => branching,
        };
        let operators = OPERATORS.iter().filter(|(.., branching)| fits(*branching));
        items
            .extend(operators.map(|(letters, meaning, _)| word_item(letters, letters, meaning, 2)));
        items
    }

    fn case(&self, last: Option<Tok>) -> Vec<Item> {
        if last != Some(Tok::Case) {
            return self.values(0);
        }
        let operations = [MessageOp::Recv, MessageOp::Peek, MessageOp::Send];
        let words = WORDS.iter().filter(|word| {
            operations.iter().any(|op| op.as_str() == word.text)
                || matches!(word.text, "timeout" | "after")
        });
        words
            .map(|word| word_item(word.text, word.snippet, word.meaning, 0))
            .collect()
    }

    /// After `@`: markers that fit the entry, or labels of the process.
    fn after_at(&self) -> Vec<Item> {
        let text = self.model.text();
        let line: Vec<_> = self.place.before().collect();
        if let Around::Formula(_) = self.place.nature() {
            let process = line.get(1).map(|(_, span)| &text[span.clone()]);
            let callee = process.and_then(|name| self.entry(name));
            return callee.map_or_else(Vec::new, |id| self.members(id, &[Kind::Label]));
        }
        let channel = match self.place.nature() {
            Around::Init => line.iter().any(|(kind, _)| *kind == Tok::Channel),
            _ => {
                let names = line.iter().filter(|(kind, _)| *kind == Tok::Ident);
                let mut kinds = names.filter_map(|(_, span)| {
                    let entry = self.find(&text[span.clone()], &[Kind::Channel, Kind::Instance]);
                    entry.map(|id| self.model.definition(id).kind)
                });
                kinds.next() == Some(Kind::Channel)
            }
        };
        let buffered = line.iter().any(|(kind, _)| *kind == Tok::LBracket);
        let known = self.model.faults.iter().filter(|fault| match channel {
            true => fault.marks.channel(
                buffered || !matches!(self.place.nature(), Around::Init),
                false,
            ),
            false => fault.marks.process(),
        });
        let markers = known.map(|fault| Item {
            label: fault.name.to_string(),
            kind: ItemKind::Marker,
            detail: fault.does.to_owned(),
            snippet: fault.name.to_string(),
            rank: 0,
        });
        let own = self.model.index.definitions.iter();
        let own = own.filter(|definition| definition.kind == Kind::Fault);
        let own = own.map(|definition| self.item(definition, 0));
        markers.chain(own).collect()
    }

    /// After `.`: what belongs to the name before it.
    fn after_dot(&self) -> Vec<Item> {
        let text = self.model.text();
        let mut before = self.place.before().skip(1);
        let mut name = before.next();
        if name
            .as_ref()
            .is_some_and(|(kind, _)| *kind == Tok::RBracket)
        {
            // `w[0].`: what stands in the brackets has a line of its own.
            name = before.find(|(kind, _)| *kind == Tok::Ident);
        }
        let Some((Tok::Ident, span)) = name else {
            return Vec::new();
        };
        let name = &text[span];
        if let Some(id) = self.visible_value(name) {
            let ty = self.model.definition(id).ty.clone();
            let ty = match self.model.index.plain(&ty) {
                Ty::Array(element) => self.model.index.plain(&element),
                other => other,
            };
            match ty {
                Ty::Named(record) => return self.members(record, &[Kind::Field]),
                Ty::Process => return state_words(),
                _ => {}
            }
        }
        if let Some(callee) = self.entry(name) {
            const PARTS: &[Kind] = &[
                Kind::Variable,
                Kind::Parameter,
                Kind::Instance,
                Kind::Channel,
            ];
            let mut items = self.members(callee, PARTS);
            if self.model.definition(callee).kind == Kind::Proc {
                items.extend(state_words());
            }
            return items;
        }
        if let Some(data) = self.find(name, &[Kind::Data]) {
            return self.members(data, &[Kind::Constructor]);
        }
        let module = self.model.loaded.imported.iter().find(|module| {
            let shown = module.name.strip_suffix(".sdl").unwrap_or(&module.name);
            shown.rsplit(['/', '\\']).next() == Some(name)
        });
        module.map_or_else(Vec::new, |module| {
            let all = self.model.index.of_file(module.id);
            let tops = all.filter(|(_, definition)| definition.owner.is_none());
            tops.map(|(_, definition)| self.item(definition, 0))
                .collect()
        })
    }

    /// The proc or module of an entry.
    fn entry(&self, name: &str) -> Option<DefId> {
        let id = self.find(name, &[Kind::Instance])?;
        self.model.definition(id).callee
    }

    fn find(&self, name: &str, kinds: &[Kind]) -> Option<DefId> {
        let mut all = self.model.index.definitions.iter().enumerate();
        let found =
            all.find(|(_, definition)| definition.name == name && kinds.contains(&definition.kind));
        found.map(|(id, _)| DefId(id))
    }

    /// The value that a name stands for at the place: the innermost.
    fn visible_value(&self, name: &str) -> Option<DefId> {
        let all = self.model.index.definitions.iter().enumerate();
        let named = all.filter(|(_, definition)| {
            definition.name == name && definition.kind.is_value() && self.is_visible(definition)
        });
        let inner = named.max_by_key(|(_, definition)| definition.scope.map(|scope| scope.start));
        inner.map(|(id, _)| DefId(id))
    }

    /// Whether a definition can be named at the place.
    fn is_visible(&self, definition: &Definition) -> bool {
        let here = |scope: Span| {
            scope.file == self.model.shown
                && (scope.start as usize) < self.offset
                && self.offset <= scope.end as usize
        };
        match definition.scope {
            Some(scope) => here(scope),
            None => match definition.owner.map(|owner| &self.model.index[owner]) {
                Some(owner) if owner.kind == Kind::Module => self.is_inside(owner),
                Some(owner) => definition.kind == Kind::Constructor && self.is_visible(owner),
                None => true,
            },
        }
    }

    /// Whether the place is in a module of the main file.
    fn is_inside(&self, module: &Definition) -> bool {
        let decls = &self.model.parsed().file.decls;
        decls.iter().any(|decl| match &decl.kind {
            DeclKind::Module(found) => {
                found.name.span == module.span && decl.span.range().contains(&self.offset)
            }
            _ => false,
        })
    }

    /// Variables, constants, constructors and functions.
    fn values(&self, rank: u8) -> Vec<Item> {
        let all = self.model.index.definitions.iter();
        let readable = |kind: Kind| kind.is_value() || matches!(kind, Kind::Func | Kind::Predicate);
        let formula = matches!(self.place.nature(), Around::Formula(_));
        all.filter(|definition| readable(definition.kind) && self.is_visible(definition))
            .filter(|definition| formula || definition.kind != Kind::Predicate)
            .map(|definition| self.item(definition, rank + u8::from(definition.scope.is_none())))
            .collect()
    }

    fn types(&self) -> Vec<Item> {
        let mut items = self.words(At::Type);
        let all = self.model.index.definitions.iter();
        let types = all.filter(|definition| definition.kind.is_type());
        items.extend(types.map(|definition| self.item(definition, 0)));
        items
    }

    fn labels(&self) -> Vec<Item> {
        let all = self.model.index.definitions.iter();
        let procs = all.filter(|definition| definition.kind == Kind::Proc);
        let decls = &self.model.parsed().file.decls;
        let around = |definition: &&Definition| {
            let decl = decls
                .iter()
                .find(|decl| decl.span.range().contains(&self.offset));
            decl.is_some_and(|decl| {
                let range = decl.span.range();
                range.contains(&(definition.span.start as usize))
                    && definition.span.file == decl.span.file
            })
        };
        let found = procs
            .filter(around)
            .map(|definition| definition.span)
            .next();
        let id = found.and_then(|span| self.model.index.at(span.file, span.start as usize));
        id.map_or_else(Vec::new, |(id, _)| self.members(id, &[Kind::Label]))
    }

    fn callees(&self) -> Vec<Item> {
        let mut items: Vec<Item> = self.words(At::Entry);
        items.retain(|item| item.label == "channel");
        let all = self.model.index.definitions.iter().enumerate();
        let callees = all.filter(|(_, definition)| {
            matches!(definition.kind, Kind::Proc | Kind::Module) && definition.owner.is_none()
        });
        items.extend(callees.map(|(id, definition)| Item {
            snippet: self.call(DefId(id)),
            ..self.item(definition, 0)
        }));
        items
    }

    /// Whole entries, one for each proc and module.
    fn entries_to_write(&self) -> Vec<Item> {
        let all = self.model.index.definitions.iter().enumerate();
        let callees = all.filter(|(_, definition)| {
            matches!(definition.kind, Kind::Proc | Kind::Module) && definition.owner.is_none()
        });
        callees
            .map(|(id, definition)| {
                let name = definition.name.to_lowercase();
                Item {
                    label: format!("{name}: {}", definition.name),
                    snippet: format!("${{9:{name}}}: {},", self.call(DefId(id))),
                    ..self.item(definition, 1)
                }
            })
            .collect()
    }

    /// `Worker(${1:ch}, ${2:n})`
    fn call(&self, id: DefId) -> String {
        let members = self.model.index.members(id);
        let params = members.filter(|(_, member)| member.kind == Kind::Parameter);
        let params: Vec<String> = params
            .enumerate()
            .map(|(i, (_, param))| format!("${{{}:{}}}", i + 1, param.name))
            .collect();
        format!("{}({})", self.model.definition(id).name, params.join(", "))
    }

    /// Arguments of an entry: those of the parameter's kind come first.
    fn arguments(&self) -> Vec<Item> {
        let mut items = self.marked_entries();
        items.extend(self.values(1));
        let wanted = super::signature::wanted(self.model, self.place);
        for item in &mut items {
            let fits = match (&wanted, item.kind) {
                (Some(Ty::Channel(..)), ItemKind::Definition(kind)) => kind == Kind::Channel,
                (Some(Ty::Process), ItemKind::Definition(kind)) => kind == Kind::Instance,
                _ => true,
            };
            item.rank += u8::from(!fits) * 4;
        }
        items
    }

    /// What `init` creates.
    fn marked_entries(&self) -> Vec<Item> {
        let all = self.model.index.definitions.iter();
        let entries = all.filter(|definition| {
            matches!(definition.kind, Kind::Instance | Kind::Channel) && self.is_visible(definition)
        });
        entries.map(|definition| self.item(definition, 0)).collect()
    }

    fn fault_names(&self) -> Vec<Item> {
        let all = self.model.index.definitions.iter();
        let names = all.filter(|definition| definition.kind == Kind::FaultName);
        names.map(|definition| self.item(definition, 1)).collect()
    }

    /// The variables of the process that is marked.
    fn marked_variables(&self) -> Vec<Item> {
        let text = self.model.text();
        let outer = self.place.open.len().checked_sub(2);
        let Some(line) = outer.map(|at| self.place.line_of(at)) else {
            return Vec::new();
        };
        let names = line.iter().filter(|(kind, _)| *kind == Tok::Ident);
        let callee = names.filter_map(|(_, span)| {
            let name = &text[span.clone()];
            self.find(name, &[Kind::Proc]).or_else(|| self.entry(name))
        });
        let callee = callee.into_iter().next();
        callee.map_or_else(Vec::new, |id| self.members(id, &[Kind::Variable]))
    }

    fn members(&self, id: DefId, kinds: &[Kind]) -> Vec<Item> {
        let members = self.model.index.members(id);
        let fit = members.filter(|(_, member)| kinds.contains(&member.kind));
        fit.map(|(_, member)| self.item(member, 0)).collect()
    }

    fn libraries(&self) -> Vec<Item> {
        let first = self.place.before().nth(1).map(|(kind, _)| kind);
        if first != Some(Tok::Import) {
            return Vec::new();
        }
        let modules = library::MODULES.iter().map(|(name, _)| {
            let path = format!("{}{name}", library::PREFIX);
            Item {
                label: path.clone(),
                kind: ItemKind::Library,
                detail: "a module of the library".to_owned(),
                snippet: path,
                rank: 0,
            }
        });
        modules.collect()
    }

    fn item(&self, definition: &Definition, rank: u8) -> Item {
        let head = hover::head(self.model, definition);
        let calls = matches!(definition.kind, Kind::Func | Kind::Predicate);
        let name = &definition.name;
        Item {
            label: name.clone(),
            kind: ItemKind::Definition(definition.kind),
            detail: head.lines().next().unwrap_or_default().to_owned(),
            snippet: match calls {
                true => format!("{name}($1)"),
                false => name.clone(),
            },
            rank,
        }
    }
}

fn word_item(label: &str, snippet: &str, meaning: &str, rank: u8) -> Item {
    Item {
        label: label.to_owned(),
        kind: ItemKind::Word,
        detail: meaning.to_owned(),
        snippet: snippet.to_owned(),
        rank,
    }
}

/// What can be read of every process.
fn state_words() -> Vec<Item> {
    let words = ["done", "crashed", "failed"].into_iter();
    words
        .map(|word| word_item(word, word, meaning(word).unwrap_or_default(), 1))
        .collect()
}
