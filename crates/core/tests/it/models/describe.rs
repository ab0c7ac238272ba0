//! Compiled models as short texts, so that a test can show all of a table at once.

use std::fmt::Write as _;

use hansang_core::kind::Kind;
use hansang_core::model::{Attribute, Entity, Generated, KeySource, Leg, Pattern, Role, Sort};
use hansang_core::template::Template;
use hansang_core::value::json;
use hansang_core::{Model, Table};

/// The table: names, keys, indexes and settings.
pub(super) fn table(table: &Table) -> String {
    let on = |setting: bool| if setting { "on" } else { "off" };
    let mut text = format!("{} ({}, {})\n", table.name, table.pk, table.sk);
    for index in &table.indexes {
        assert!(!index.pk_numeric && !index.sk_numeric, "{} has a numeric key", index.name);
        let sk = index.sk.as_ref().map_or("", |sk| sk);
        let _ = writeln!(text, "{} ({}, {sk}) {:?}", index.name, index.pk, index.projection);
    }
    if let Some(ttl) = &table.ttl {
        let _ = writeln!(text, "ttl {} {}", ttl.attribute, on(ttl.enabled));
    }
    let _ = writeln!(text, "streams {}, recovery {}", on(table.streams), on(table.recovery));
    for (name, value) in &table.tags {
        let _ = writeln!(text, "tag {name}={value}");
    }
    text
}

/// Entities: keys, index keys and attributes.
pub(super) fn entities(model: &Model, names: &[&str]) -> String {
    names.iter().map(|name| entity(model, model.entity(name).unwrap())).collect()
}

fn entity(model: &Model, entity: &Entity) -> String {
    let mut text = format!("{} = {} / {}\n", entity.name, entity.pk, entity.sk);
    for entry in &entity.indexes {
        let sk = entry.sk.as_ref().map(source).unwrap_or_default();
        let index = &model.table.indexes[entry.index].name;
        let _ = writeln!(text, "  in {index} = {} / {sk}", source(&entry.pk));
    }
    for one in &entity.attributes {
        let _ = writeln!(text, "  {}", attribute(one));
    }
    for unique in &entity.uniques {
        let fields: Vec<&str> = unique.fields.iter().map(|field| &*field.name).collect();
        let _ = writeln!(text, "  unique {} = {}", unique.name, fields.join(", "));
    }
    text
}

fn attribute(attribute: &Attribute) -> String {
    let mark = if attribute.optional { "?" } else { "" };
    let mut text = format!("{}{mark}: {}", attribute.name, attribute.kind);
    let rules = &attribute.rules;
    if let (Some(min), Some(max)) = (rules.min_length, rules.max_length) {
        let _ = write!(text, ", length {min} to {max}");
    }
    let _ = rules.min.map(|min| write!(text, ", at least {min}"));
    let _ = rules.max.map(|max| write!(text, ", at most {max}"));
    let _ = rules.pattern_text.as_ref().map(|pattern| write!(text, ", like {pattern}"));
    let _ = attribute.default.as_ref().map(|value| write!(text, ", default {}", json::to_plain(value)));
    text.push_str(match attribute.generated {
        Some(Generated::Ulid) => ", a new ULID",
        Some(Generated::Uuid) => ", a new UUID",
        Some(Generated::Now) => ", now",
        None => "",
    });
    text.push_str(if attribute.immutable { ", immutable" } else { "" });
    text.push_str(if attribute.stored { "" } else { ", only in the key" });
    match &attribute.role {
        Role::Given => {}
        Role::Derived(template) => {
            let _ = write!(text, ", made of {template}");
        }
        role => {
            let _ = write!(text, ", by the table ({role:?})");
        }
    }
    text
}

/// The transitions of a lifecycle, one line per state, and the initial states.
pub(super) fn lifecycle(model: &Model, entity: &str, attribute: &str) -> String {
    let Kind::Lifecycle(life) = &model.entity(entity).unwrap().attribute(attribute).unwrap().kind else {
        panic!("`{attribute}` of `{entity}` has no lifecycle");
    };
    let mut text = format!("starts as {}\n", life.initial.join(" | "));
    for state in &life.states {
        let after: Vec<&str> = life.after(state).map(|after| &**after).collect();
        let after = if after.is_empty() { "the end".to_owned() } else { after.join(" | ") };
        let _ = writeln!(text, "{state} → {after}");
    }
    text
}

/// Every access pattern and the reads it is made of.
pub(super) fn patterns(model: &Model) -> String {
    model.patterns.iter().map(|one| pattern(model, one)).collect()
}

fn pattern(model: &Model, pattern: &Pattern) -> String {
    let given: Vec<&str> = pattern.given.iter().map(|attribute| &*attribute.name).collect();
    let entities: Vec<&str> = pattern.entities.iter().map(|entity| &*entity.name).collect();
    let mut text = format!("{}({}): {}", pattern.name, given.join(", "), entities.join(" + "));
    if let Some(over) = &pattern.over {
        let _ = write!(text, " for each {}, at most {}", over.attribute.name, over.max);
    }
    text.push_str(if pattern.descending { ", last first" } else { "" });
    text.push_str(if pattern.consistent { ", consistent" } else { "" });
    text.push('\n');
    for one in &pattern.legs {
        let index = pattern.index.map(|index| format!(" {}", model.table.indexes[index].name));
        let _ = writeln!(text, "  {}", leg(one, &index.unwrap_or_default()));
    }
    if !pattern.also_reads.is_empty() {
        let _ = writeln!(text, "  drops {}", pattern.also_reads.join(", "));
    }
    text
}

fn leg(leg: &Leg, index: &str) -> String {
    match leg {
        Leg::Get { pk, sk } => format!("get {pk} / {sk}"),
        Leg::Lookup { entity, unique } => format!("look up {} by unique {}", entity.name, unique.name),
        Leg::Query { pk, sort } => {
            let sort = match sort {
                Sort::All => "*".to_owned(),
                Sort::Exact(exact) => source(exact),
                Sort::Prefix { template, known } => format!("{}*", prefix(template, *known)),
                Sort::Range { source, known } => {
                    let template = source.template().unwrap();
                    let field = &template.segments[*known].field.as_ref().unwrap().attribute.name;
                    format!("{}{{{field} from … to …}}", prefix(template, *known))
                }
            };
            format!("query{index} {} / {sort}", source(pk))
        }
    }
}

fn source(source: &KeySource) -> String {
    source.template().unwrap().to_string()
}

/// The known segments and the fixed text that follows them.
fn prefix(template: &Template, known: usize) -> String {
    let delimiter = template.delimiter.to_string();
    let parts: Vec<String> = template
        .segments
        .iter()
        .take(known + 1)
        .enumerate()
        .map(|(position, segment)| match &segment.field {
            Some(field) if position < known => format!("{}{{{}}}", segment.literal, field.attribute.name),
            _ => segment.literal.clone(),
        })
        .collect();
    parts.join(&delimiter)
}
