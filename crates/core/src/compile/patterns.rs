//! The `patterns:` section: each becomes one Get, one Query, one lookup or a bounded fan-out.

use std::sync::Arc;

use super::reader::{self, Fields, Names, Problems};
use super::{EntitySource, entities};
use crate::diagnostic::{Code, Span};
use crate::kind::Kind;
use crate::model::{Attribute, Entity, KeySource, Leg, Over, Pattern, Sort, Table};
use crate::yaml::{Key, Node};

mod legs;

const FIELDS: &[&str] = &[
    "doc",
    "entity",
    "entities",
    "index",
    "given",
    "range",
    "over",
    "max",
    "order",
    "page",
    "consistent",
    "unique",
];
const MAX_FAN_OUT: usize = 1000;
const MAX_PAGE: usize = 1000;

pub(super) fn read(
    node: &Node,
    table: &Table,
    entities: &[EntitySource<'_>],
    problems: &mut Problems,
) -> Vec<Pattern> {
    let entries = reader::map(node, "`patterns`", problems).unwrap_or_default();
    entries
        .iter()
        .filter_map(|(key, node)| {
            let fields = Fields::read(node, "a pattern", FIELDS, problems)?;
            Reader { key, fields, table, all: entities, problems }.read()
        })
        .collect()
}

pub(super) struct Reader<'a, 'p> {
    key: &'a Key,
    fields: Fields<'a>,
    pub(super) table: &'a Table,
    all: &'a [EntitySource<'a>],
    pub(super) problems: &'p mut Problems,
}

impl Reader<'_, '_> {
    fn read(mut self) -> Option<Pattern> {
        let name = reader::check_name(&self.key.text, self.key.span, Names::Pattern, self.problems)?;
        let entities = self.entities()?;
        if self.fields.get("unique").is_some() {
            return self.lookup(name, entities);
        }
        let before = self.problems.list.len();
        let index = self.index(&entities);
        let given = self.given(&entities);
        let over = self.over(&entities);
        let range = self.range(&entities, over.is_some());
        let descending = self.descending();
        let page = self.page();
        let consistent = self.consistent(index.flatten());
        let index = index?;
        // Legs are only worth judging when what they are made of was right.
        let good = self.problems.list.len() == before;
        let legs = if good {
            self.legs(&entities, index, &given, range.as_ref(), over.as_ref())?
        } else {
            return None;
        };
        let also_reads = self.also_reads(&entities, index, &legs);
        let doc = self.fields.doc(self.problems);
        Some(Pattern {
            name,
            doc,
            entities,
            index,
            given,
            range,
            over,
            descending,
            page,
            consistent,
            legs,
            also_reads,
        })
    }

    fn report(&mut self, code: Code, field: &str, message: impl Into<String>, help: impl Into<String>) {
        let span = self.span(field);
        self.problems.report(code, span, message, help);
    }

    fn span(&self, field: &str) -> Span {
        self.fields.get(field).map_or(self.key.span, |node| node.span)
    }

    fn entities(&mut self) -> Option<Vec<Arc<Entity>>> {
        let names: Vec<(&str, Span)> = match (self.fields.get("entity"), self.fields.get("entities")) {
            (Some(node), None) => vec![(reader::text(node, self.problems)?, node.span)],
            (None, Some(node)) => reader::texts(node, self.problems),
            _ => Vec::new(),
        };
        if names.is_empty() {
            let help = "write `entity: Name`, or `entities: [A, B]` for more than one";
            self.problems.report(
                Code::MissingField,
                self.key.span,
                format!("`{}` returns no entity", self.key.text),
                help,
            );
            return None;
        }
        let mut found = Vec::new();
        for (name, span) in &names {
            match entities::find(self.all, name) {
                Some(entity) => found.extend(entity.cloned()),
                None => {
                    let help =
                        match reader::suggest(name, self.all.iter().map(|source| source.key.text.as_str())) {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => {
                                format!("add it under `entities:`; there is {}", reader::list(&self.names()))
                            }
                        };
                    self.problems.report(
                        Code::UnknownEntity,
                        *span,
                        format!("there is no entity `{name}`"),
                        help,
                    );
                }
            }
        }
        (found.len() == names.len()).then_some(found)
    }

    fn names(&self) -> Vec<&str> {
        self.all.iter().map(|source| source.key.text.as_str()).collect()
    }

    #[allow(clippy::option_option, reason = "no index, and an index that is wrong, are two answers")]
    fn index(&mut self, entities: &[Arc<Entity>]) -> Option<Option<usize>> {
        let Some(node) = self.fields.get("index") else { return Some(None) };
        let name = reader::text(node, self.problems)?;
        let Some(position) = self.table.indexes.iter().position(|index| *index.name == *name) else {
            let names: Vec<&str> = self.table.indexes.iter().map(|index| &*index.name).collect();
            let help = match reader::suggest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the table has {}", reader::list(&names)),
            };
            self.problems.report(Code::UnknownIndex, node.span, format!("there is no index `{name}`"), help);
            return None;
        };
        for entity in entities.iter().filter(|entity| entity.in_index(position).is_none()) {
            let index = &self.table.indexes[position];
            let keys: Vec<&str> =
                [Some(&index.pk), index.sk.as_ref()].into_iter().flatten().map(|key| &**key).collect();
            let message = format!("`{}` is not in the index `{name}`", entity.name);
            let help = format!("give it {} under `index:`, or use another index", reader::list(&keys));
            self.problems.report(Code::NotInIndex, node.span, message, help);
        }
        Some(Some(position))
    }

    fn given(&mut self, entities: &[Arc<Entity>]) -> Vec<Arc<Attribute>> {
        let Some(node) = self.fields.get("given") else { return Vec::new() };
        let names = reader::texts(node, self.problems);
        names.iter().filter_map(|(name, span)| self.argument(name, *span, entities)).collect()
    }

    /// An attribute that every entity of the pattern has, with one type.
    fn argument(&mut self, name: &str, span: Span, entities: &[Arc<Entity>]) -> Option<Arc<Attribute>> {
        let mut found: Option<Arc<Attribute>> = None;
        for entity in entities {
            match (entity.attribute(name), &found) {
                (None, _) => {
                    let known = entity.attributes.iter().map(|attribute| &*attribute.name);
                    let help = match reader::suggest(name, known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("add it to the attributes of `{}`", entity.name),
                    };
                    let message = format!("`{}` has no attribute `{name}`", entity.name);
                    self.problems.report(Code::UnknownAttribute, span, message, help);
                    return None;
                }
                (Some(attribute), Some(first)) if attribute.kind != first.kind => {
                    let message = format!(
                        "`{name}` is {} in `{}` and {} elsewhere",
                        attribute.kind, entity.name, first.kind
                    );
                    self.problems.report(
                        Code::MixedArgument,
                        span,
                        message,
                        "give it one type in all of them",
                    );
                    return None;
                }
                (Some(attribute), _) => found = found.or_else(|| Some(attribute.clone())),
            }
        }
        found
    }

    fn over(&mut self, entities: &[Arc<Entity>]) -> Option<Over> {
        let node = self.fields.get("over")?;
        let name = reader::text(node, self.problems)?;
        let attribute = self.argument(name, node.span, entities)?;
        let max = match self.fields.get("max") {
            Some(node) => reader::whole(node, self.problems),
            None => attribute.kind.choices().map(<[_]>::len),
        };
        if !matches!(attribute.kind, Kind::Month { .. }) && attribute.kind.choices().is_none() {
            let message = format!("`{name}` is {}, whose values cannot be counted through", attribute.kind);
            self.report(Code::Unbounded, "over", message, "fan out over a month or an enum");
            return None;
        }
        match max {
            Some(max) if (1..=MAX_FAN_OUT).contains(&max) => Some(Over { attribute, max: max as u32 }),
            Some(_) => {
                self.report(
                    Code::Unbounded,
                    "max",
                    "this bound is no bound",
                    format!("write a `max` from 1 to {MAX_FAN_OUT}"),
                );
                None
            }
            None => {
                self.report(
                    Code::Unbounded,
                    "over",
                    "nothing bounds how many queries this makes",
                    "add `max: 240`",
                );
                None
            }
        }
    }

    fn range(&mut self, entities: &[Arc<Entity>], over: bool) -> Option<Arc<Attribute>> {
        let node = self.fields.get("range")?;
        if over {
            let help = "keep one of the two: both are narrowed by `from` and `to`";
            self.report(Code::BadRange, "range", "`range` and `over` cannot be combined", help);
            return None;
        }
        let name = reader::text(node, self.problems)?;
        self.argument(name, node.span, entities)
    }

    fn descending(&mut self) -> bool {
        let words = ["oldest", "newest", "ascending", "descending"];
        let word = self.fields.get("order").and_then(|node| reader::choice(node, &words, self.problems));
        matches!(word, Some("newest" | "descending"))
    }

    fn page(&mut self) -> u32 {
        let Some(size) = self.fields.get("page").and_then(|node| reader::whole(node, self.problems)) else {
            return 50;
        };
        if !(1..=MAX_PAGE).contains(&size) {
            self.report(
                Code::BadChoice,
                "page",
                format!("a page of {size} items cannot be read"),
                format!("write 1 to {MAX_PAGE}"),
            );
        }
        size as u32
    }

    fn consistent(&mut self, index: Option<usize>) -> bool {
        let consistent = self.fields.flag("consistent", self.problems);
        if consistent && index.is_some() {
            let help = "read the table instead, or leave `consistent` out";
            self.report(Code::StrongOnIndex, "consistent", "an index has no strongly consistent reads", help);
        }
        consistent
    }

    fn lookup(mut self, name: crate::value::Name, entities: Vec<Arc<Entity>>) -> Option<Pattern> {
        for field in ["index", "given", "range", "over", "max", "order", "page"] {
            if self.fields.get(field).is_some() {
                let help = "remove it: the constraint says what must be given, and one item comes back";
                self.report(Code::BadRule, field, format!("`{field}` does not go with `unique`"), help);
            }
        }
        let node = self.fields.get("unique")?;
        let wanted = reader::text(node, self.problems)?;
        let [entity] = entities.as_slice() else {
            self.report(
                Code::BadRule,
                "entities",
                "a unique constraint belongs to one entity",
                "write `entity: Name`",
            );
            return None;
        };
        let Some(unique) = entity.unique(wanted).cloned() else {
            let names: Vec<&str> = entity.uniques.iter().map(|unique| &*unique.name).collect();
            let help =
                format!("it has {}; add `{wanted}: [attribute]` under its `unique:`", reader::list(&names));
            self.report(
                Code::UnknownUnique,
                "unique",
                format!("`{}` has no unique constraint `{wanted}`", entity.name),
                help,
            );
            return None;
        };
        let given = unique.within.iter().chain(&unique.fields).cloned().collect();
        let legs = vec![Leg::Lookup { entity: entity.clone(), unique }];
        Some(Pattern {
            name,
            doc: self.fields.doc(self.problems),
            consistent: self.fields.flag("consistent", self.problems),
            entities,
            index: None,
            given,
            range: None,
            over: None,
            descending: false,
            page: 1,
            legs,
            also_reads: Vec::new(),
        })
    }

    /// Entities of the table that a query passes on its way and that are dropped.
    fn also_reads(
        &self,
        entities: &[Arc<Entity>],
        index: Option<usize>,
        legs: &[Leg],
    ) -> Vec<crate::value::Name> {
        let others = self.all.iter().filter_map(|source| source.entity.as_ref());
        others
            .filter(|other| !entities.iter().any(|entity| entity.name == other.name))
            .filter(|other| legs.iter().any(|leg| passes(leg, other, index)))
            .map(|other| other.name.clone())
            .collect()
    }
}

fn passes(leg: &Leg, other: &Entity, index: Option<usize>) -> bool {
    let Leg::Query { pk, sort } = leg else { return false };
    let (other_pk, other_sk) = match index {
        Some(index) => match other.in_index(index) {
            Some(entry) => (Some(&entry.pk), entry.sk.as_ref()),
            None => return false,
        },
        None => (None, None),
    };
    let pk_template = other_pk.map_or(Some(&other.pk), KeySource::template);
    let sk_template = if index.is_some() { other_sk.and_then(KeySource::template) } else { Some(&other.sk) };
    let (Some(a), Some(b)) = (pk.template(), pk_template) else { return true };
    if !a.overlaps(b) {
        return false;
    }
    let (template, known) = match sort {
        Sort::Prefix { template, known } => (template, *known),
        Sort::Range { source, known } => match source.template() {
            Some(template) => (template, *known),
            None => return true,
        },
        _ => return true,
    };
    let Some(sk) = sk_template else { return true };
    let cut = |segments: &[crate::template::Segment]| crate::template::Template {
        text: String::new(),
        delimiter: template.delimiter,
        segments: segments[..known].to_vec(),
    };
    sk.segments.len() >= known && cut(&template.segments).overlaps(&cut(&sk.segments))
}
