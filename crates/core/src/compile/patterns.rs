//! The `patterns:` section: each becomes one Get, one Query, one lookup or a bounded fan-out.

use std::sync::Arc;

use super::names::{self, Names};
use super::problems::Problems;
use super::reader::{self, Fields};
use super::{EntitySource, TableSource, checks, entities, indexes, language, suggest};
use crate::diagnostic::{Code, Span, short};
use crate::kind::Kind;
use crate::model::{Attribute, Entity, Over, Pattern, Table};
use crate::yaml::{Key, Node};

mod legs;
mod lookup;
mod passing;

const MAX_PATTERNS: usize = 500;
const MAX_ENTITIES: usize = 50;
const MAX_GIVEN: usize = 16;
const MAX_FAN_OUT: usize = 1000;
const MAX_PAGE: usize = 1000;

pub(super) fn read(
    node: &Node,
    table: &TableSource<'_>,
    entities: &[EntitySource<'_>],
    problems: &mut Problems,
) -> Vec<Pattern> {
    reader::entries(node, "`patterns`", MAX_PATTERNS, problems)
        .iter()
        .filter_map(|(key, node)| {
            let what = format!("the pattern `{}`", short(&key.text));
            let fields = Fields::read(node, &what, language::PATTERN, problems)?;
            Reader { key, fields, source: table, table: &table.table, all: entities, problems }.read()
        })
        .collect()
}

struct Reader<'a, 'p> {
    key: &'a Key,
    fields: Fields<'a>,
    source: &'a TableSource<'a>,
    table: &'a Table,
    all: &'a [EntitySource<'a>],
    problems: &'p mut Problems,
}

impl Reader<'_, '_> {
    fn read(mut self) -> Option<Pattern> {
        let name = names::check(&self.key.text, self.key.span, Names::Pattern, self.problems);
        let title = self.fields.words("title", self.problems);
        let doc = self.fields.words("doc", self.problems);
        let entities = self.entities()?;
        if self.fields.get("unique").is_some() {
            return self.lookup(name, title, doc, entities);
        }
        let before = self.problems.list.len();
        let index = self.index(&entities)?;
        // Arguments cannot be checked against an invalid index.
        if self.problems.list.len() > before {
            return None;
        }
        let given = self.given(&entities);
        let over = self.over(&entities);
        let range = self.range(&entities);
        let descending = self.descending();
        let page = self.page();
        let consistent = self.consistent(index);
        // Legs can only be checked when their parts are valid.
        if self.problems.list.len() > before || self.fields.unclear() {
            return None;
        }
        let legs = self.legs(&entities, index, &given, range.as_ref(), over.as_ref())?;
        let also_reads = passing::also_reads(self.all, &entities, index, &legs);
        Some(Pattern {
            name,
            title,
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

    /// Reports a problem at a field of the pattern, or at its name while the field is not there.
    fn report(&mut self, code: Code, field: &str, message: impl Into<String>, help: impl Into<String>) {
        let span = self.fields.get(field).map_or(self.key.span, |node| node.span);
        self.problems.report(code, span, message, help);
    }

    fn entities(&mut self) -> Option<Vec<Arc<Entity>>> {
        let names: Vec<(&str, Span)> = match (self.fields.get("entity"), self.fields.get("entities")) {
            (Some(node), None) => vec![(reader::text(node, self.problems)?, node.span)],
            (None, Some(node)) => reader::texts(node, MAX_ENTITIES, self.problems)?,
            (Some(_), Some(_)) => {
                let help = "keep `entities`, and put all of them into its list";
                self.report(Code::BadRule, "entity", "a pattern has `entity` or `entities`, not both", help);
                return None;
            }
            (None, None) => Vec::new(),
        };
        if names.is_empty() && self.fields.unclear() {
            return None;
        }
        if names.is_empty() {
            let help = "write `entity: Name`, or `entities: [A, B]` for more than one";
            let message = format!("`{}` does not say which entity it returns", self.key.text);
            self.report(Code::MissingField, "entities", message, help);
            return None;
        }
        let mut found = Vec::new();
        for (name, span) in &names {
            match entities::find(self.all, name) {
                Some(entity) => found.extend(entity.cloned()),
                None => {
                    let known = || self.all.iter().map(|source| source.key.text.as_str());
                    let help = suggest::did_you_mean(name, known(), || {
                        format!("add it under `entities:`; there is {}", suggest::some(known()))
                    });
                    let message = format!("there is no entity `{}`", short(name));
                    self.problems.report(Code::UnknownEntity, *span, message, help);
                }
            }
        }
        (found.len() == names.len()).then_some(found)
    }

    #[allow(clippy::option_option, reason = "no index, and an index that is wrong, are two answers")]
    fn index(&mut self, entities: &[Arc<Entity>]) -> Option<Option<usize>> {
        let Some(node) = self.fields.get("index") else { return Some(None) };
        let name = reader::text(node, self.problems)?;
        let Some(position) = self.table.indexes.iter().position(|index| *index.name == *name) else {
            indexes::report_unknown(self.source, name, node.span, self.problems);
            return None;
        };
        if self.source.unclear && entities.iter().any(|entity| entity.in_index(position).is_none()) {
            return None;
        }
        self.check_in_index(node, position, entities);
        Some(Some(position))
    }

    fn check_in_index(&mut self, node: &Node, position: usize, entities: &[Arc<Entity>]) {
        let index = &self.table.indexes[position];
        let compiled: Vec<&Arc<Entity>> =
            self.all.iter().filter_map(|source| source.entity.as_ref()).collect();
        if compiled.len() == self.all.len() && compiled.iter().all(|one| one.in_index(position).is_none()) {
            // The mistake is most likely in the table, and the same for every pattern.
            return checks::report_empty_index(self.source, position, &compiled, self.problems);
        }
        let keys: Vec<&str> =
            [Some(&index.pk), index.sk.as_ref()].into_iter().flatten().map(|key| &**key).collect();
        for entity in entities.iter().filter(|entity| entity.in_index(position).is_none()) {
            let message = format!("`{}` is not in the index `{}`", entity.name, index.name);
            let help = format!("give it {} under its `index:`, or use another index", suggest::list(&keys));
            self.problems.report(Code::NotInIndex, node.span, message, help);
        }
    }

    fn given(&mut self, entities: &[Arc<Entity>]) -> Vec<Arc<Attribute>> {
        let Some(node) = self.fields.get("given") else { return Vec::new() };
        let names = reader::texts(node, MAX_GIVEN, self.problems).unwrap_or_default();
        names.iter().filter_map(|(name, span)| self.argument(name, *span, entities)).collect()
    }

    /// An attribute that every entity of the pattern has, with one type.
    fn argument(&mut self, name: &str, span: Span, entities: &[Arc<Entity>]) -> Option<Arc<Attribute>> {
        let mut found: Option<(&Entity, &Arc<Attribute>)> = None;
        for entity in entities {
            match (entity.attribute(name), found) {
                (None, _) => {
                    let known = || entity.attributes.iter().map(|attribute| &*attribute.name);
                    let help =
                        suggest::did_you_mean(name, known(), || format!("it has {}", suggest::some(known())));
                    let message = format!("`{}` has no attribute `{}`", entity.name, short(name));
                    self.problems.report(Code::UnknownAttribute, span, message, help);
                    return None;
                }
                (Some(attribute), Some((first, same))) if attribute.kind != same.kind => {
                    let message = format!(
                        "`{name}` is {} in `{}` and {} in `{}`",
                        same.kind, first.name, attribute.kind, entity.name
                    );
                    let help = "give it one type in all entities of the pattern";
                    self.problems.report(Code::MixedArgument, span, message, help);
                    return None;
                }
                (Some(attribute), None) => found = Some((entity, attribute)),
                (Some(_), Some(_)) => {}
            }
        }
        found.map(|(_, attribute)| attribute.clone())
    }

    fn over(&mut self, entities: &[Arc<Entity>]) -> Option<Over> {
        let Some(node) = self.fields.get("over") else {
            if self.fields.get("max").is_some() && !self.fields.unclear() {
                let help = "add `over: attribute`; for the number of items there is `page`";
                self.report(Code::BadRule, "max", "`max` limits `over`, which is missing", help);
            }
            return None;
        };
        let name = reader::text(node, self.problems)?;
        let attribute = self.argument(name, node.span, entities)?;
        if !matches!(attribute.kind, Kind::Month { .. }) && attribute.kind.choices().is_none() {
            let message = format!("`{name}` is {}, whose values cannot be listed", attribute.kind);
            self.report(Code::Unbounded, "over", message, "fan out over a month or an enum");
            return None;
        }
        let max = match self.fields.get("max") {
            Some(node) => reader::whole(node, self.problems)?,
            None => match attribute.kind.choices() {
                Some(choices) => choices.len(),
                None if self.fields.unclear() => return None,
                None => {
                    let message = "the number of queries has no limit";
                    self.report(
                        Code::Unbounded,
                        "over",
                        message,
                        "add `max: 24`, the maximum number of months",
                    );
                    return None;
                }
            },
        };
        if !(1..=MAX_FAN_OUT).contains(&max) {
            let message = format!("a fan-out cannot have {max} values");
            self.report(Code::Unbounded, "max", message, format!("write a `max` from 1 to {MAX_FAN_OUT}"));
            return None;
        }
        Some(Over { attribute, max: max as u32 })
    }

    fn range(&mut self, entities: &[Arc<Entity>]) -> Option<Arc<Attribute>> {
        let node = self.fields.get("range")?;
        if self.fields.get("over").is_some() {
            let help = "keep one of the two: both are narrowed by `from` and `to`";
            self.report(Code::BadRange, "range", "`range` and `over` cannot be combined", help);
            return None;
        }
        let name = reader::text(node, self.problems)?;
        self.argument(name, node.span, entities)
    }

    fn descending(&mut self) -> bool {
        let word = self.fields.choice("order", language::ORDERS, self.problems);
        matches!(word, Some("newest" | "descending"))
    }

    fn page(&mut self) -> u32 {
        let Some(size) = self.fields.get("page").and_then(|node| reader::whole(node, self.problems)) else {
            return 50;
        };
        if !(1..=MAX_PAGE).contains(&size) {
            let message = format!("a page cannot have {size} items");
            self.report(Code::BadChoice, "page", message, format!("write 1 to {MAX_PAGE}"));
        }
        size as u32
    }

    fn consistent(&mut self, index: Option<usize>) -> bool {
        let consistent = self.fields.flag("consistent", self.problems).unwrap_or(false);
        if consistent && index.is_some() {
            let help = "read the table instead, or leave `consistent` out";
            self.report(Code::StrongOnIndex, "consistent", "an index has no strongly consistent reads", help);
        }
        consistent
    }
}
