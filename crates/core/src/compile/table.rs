//! The `table:` section.

use super::names::{self, Names};
use super::problems::Problems;
use super::reader::{self, Fields};
use super::{TableSource, language};
use crate::diagnostic::{Code, Span, short};
use crate::kind::time::Precision;
use crate::model::{Index, Projection, Table, Ttl};
use crate::value::Name;
use crate::yaml::{Content, Node};

const MAX_INDEXES: usize = 20;
const MAX_TAGS: usize = 50;
const MAX_PROJECTED: usize = 20;

pub(super) fn read<'n>(node: &'n Node, problems: &mut Problems) -> Option<TableSource<'n>> {
    let fields = Fields::read(node, "the table", language::TABLE, problems)?;
    let name = fields
        .require("name", "write `name:`, the name of the DynamoDB table", problems)
        .and_then(|node| names::read(node, Names::Table, problems));
    let key = fields
        .require("key", "write `key: { pk: PK, sk: SK }`", problems)
        .and_then(|node| read_key(node, problems));
    let attribute = |name: &str, problems: &mut Problems| {
        fields.get(name).and_then(|node| names::read(node, Names::Attribute, problems))
    };
    let type_attribute = attribute("type", problems);
    let created = attribute("created", problems);
    let updated = attribute("updated", problems);
    let precision = match fields.choice("timestamps", language::PRECISIONS, problems) {
        Some("millis") => Precision::Millis,
        _ => Precision::Seconds,
    };
    let (indexes, broken_indexes) =
        fields.get("indexes").map(|node| read_indexes(node, problems)).unwrap_or_default();
    let delimiter = fields.get("delimiter").map(|node| read_delimiter(node, problems));
    let (delimiter, delimiter_works) = delimiter.unwrap_or((Some('#'), true));
    let table = Table {
        name: name.map(|name| name.to_string()).unwrap_or_default(),
        delimiter: delimiter.unwrap_or('#'),
        ttl: fields.get("ttl").and_then(|node| read_ttl(node, problems)),
        streams: fields.flag("streams", problems).unwrap_or(false),
        recovery: fields.flag("recovery", problems).unwrap_or(false),
        tags: fields.get("tags").map(|node| read_tags(node, problems)).unwrap_or_default(),
        pk: key.as_ref()?.0.clone(),
        sk: key.as_ref()?.1.clone(),
        type_attribute,
        indexes,
    };
    let unclear = fields.unclear();
    let read =
        TableSource { node, table, unclear, precision, created, updated, broken_indexes, delimiter_works };
    check_jobs(&fields, &read, problems);
    Some(read)
}

fn read_key(node: &Node, problems: &mut Problems) -> Option<(Name, Name)> {
    let fields = Fields::read(node, "the table's key", language::TABLE_KEY, problems)?;
    let help = "write `key: { pk: PK, sk: SK }` with the names of the two key attributes";
    let pk = fields.require("pk", help, problems);
    let sk = fields.require("sk", help, problems);
    let pk = pk.and_then(|node| names::read(node, Names::Attribute, problems));
    let sk = sk.and_then(|node| names::read(node, Names::Attribute, problems));
    Some((pk?, sk?))
}

/// The delimiter and whether it is valid. An invalid one is reported, and then used as far as possible:
/// otherwise every key of the file would be reported as well.
fn read_delimiter(node: &Node, problems: &mut Problems) -> (Option<char>, bool) {
    let Some(text) = reader::text(node, problems) else { return (None, false) };
    let mut chars = text.chars();
    let (first, second) = (chars.next(), chars.next());
    let works =
        second.is_none() && first.is_some_and(|one| one.is_ascii_punctuation() && !"{}%".contains(one));
    if !works {
        let message = format!("`{}` cannot be the delimiter", short(text));
        problems.report(Code::BadChoice, node.span, message, "use one character such as `#`, `|` or `/`");
    }
    (first, works)
}

/// The indexes, and the names of those that cannot be used.
fn read_indexes(node: &Node, problems: &mut Problems) -> (Vec<Index>, Vec<String>) {
    let entries = reader::map(node, "`indexes`", problems).unwrap_or_default();
    if let Some((key, _)) = entries.get(MAX_INDEXES) {
        let message = format!("the table has {} indexes; DynamoDB allows {MAX_INDEXES}", entries.len());
        let help = "let entities share indexes: that is what GSI1PK and GSI1SK are for";
        problems.report(Code::TooManyIndexes, key.span, message, help);
    }
    let (used, mut broken) = (&entries[..entries.len().min(MAX_INDEXES)], Vec::new());
    broken.extend(entries.iter().skip(MAX_INDEXES).map(|(key, _)| key.text.clone()));
    let mut indexes = Vec::new();
    for (key, node) in used {
        let name = names::check(&key.text, key.span, Names::Index, problems);
        match read_index(name, node, problems) {
            Some(index) => indexes.push(index),
            None => broken.push(key.text.clone()),
        }
    }
    (indexes, broken)
}

fn read_index(name: Name, node: &Node, problems: &mut Problems) -> Option<Index> {
    let fields = Fields::read(node, &format!("the index `{name}`"), language::INDEX, problems)?;
    let pk = fields.require("pk", "write `{ pk: GSI1PK, sk: GSI1SK }`", problems);
    let pk = pk.and_then(|node| names::read(node, Names::Attribute, problems));
    let sk_node = fields.get("sk");
    let sk = sk_node.and_then(|node| names::read(node, Names::Attribute, problems));
    let projection = fields.get("project").and_then(|node| read_projection(node, problems));
    if let Some(node) = sk_node.filter(|_| pk.is_some() && sk == pk) {
        let message = format!("`{}` is both keys of the index `{name}`", pk.as_deref().unwrap_or_default());
        let help = "give the sort key another attribute, or leave `sk` out";
        problems.report(Code::SameAttribute, node.span, message, help);
        return None;
    }
    let projection = projection.unwrap_or(Projection::All);
    // An `sk` that cannot be read is not the same as a missing one.
    let readable = sk.is_some() || (sk_node.is_none() && !fields.unclear());
    Some(Index { name, pk: pk?, pk_numeric: false, sk, sk_numeric: false, projection }).filter(|_| readable)
}

fn read_projection(node: &Node, problems: &mut Problems) -> Option<Projection> {
    let Content::List(_) = node.content else {
        return match reader::choice(node, "project", language::PROJECTIONS, problems)? {
            "keys" => Some(Projection::Keys),
            _ => Some(Projection::All),
        };
    };
    let texts = reader::texts(node, MAX_PROJECTED, problems)?;
    if texts.is_empty() {
        let help = "write `project: keys`, or name the attributes that are needed";
        problems.report(Code::BadRule, node.span, "a projection cannot be empty", help);
    }
    let names = texts.iter().map(|(name, span)| names::check(name, *span, Names::Attribute, problems));
    Some(Projection::Include(names.collect()))
}

fn read_ttl(node: &Node, problems: &mut Problems) -> Option<Ttl> {
    if let Content::Scalar { .. } = node.content {
        return Some(Ttl { attribute: names::read(node, Names::Attribute, problems)?, enabled: true });
    }
    let fields = Fields::read(node, "`ttl`", language::TTL, problems)?;
    let attribute = fields.require("attribute", "write `{ attribute: ttl, enabled: true }`", problems)?;
    let enabled = fields.flag("enabled", problems).unwrap_or(true);
    Some(Ttl { attribute: names::read(attribute, Names::Attribute, problems)?, enabled })
}

fn read_tags(node: &Node, problems: &mut Problems) -> Vec<(String, String)> {
    reader::entries(node, "`tags`", MAX_TAGS, problems)
        .iter()
        .filter_map(|(key, node)| Some((key.text.clone(), reader::text(node, problems)?.to_owned())))
        .collect()
}

/// One attribute cannot be two of: partition key, sort key, type, created, updated, TTL.
fn check_jobs(fields: &Fields<'_>, read: &TableSource<'_>, problems: &mut Problems) {
    let table = &read.table;
    let span = |name: &str| fields.get(name).map_or(fields.span, |node| node.span);
    let mut jobs: Vec<(&str, &Name, Span)> =
        vec![("the partition key", &table.pk, span("key")), ("the sort key", &table.sk, span("key"))];
    jobs.extend(table.type_attribute.iter().map(|name| ("`type`", name, span("type"))));
    jobs.extend(read.created.iter().map(|name| ("`created`", name, span("created"))));
    jobs.extend(read.updated.iter().map(|name| ("`updated`", name, span("updated"))));
    jobs.extend(table.ttl.iter().map(|ttl| ("`ttl`", &ttl.attribute, span("ttl"))));
    for (position, (job, name, span)) in jobs.iter().enumerate() {
        if let Some((other, _, _)) = jobs[..position].iter().find(|(_, taken, _)| taken == name) {
            let message = format!("`{name}` is {other} already and cannot be {job} too");
            problems.report(Code::SameAttribute, *span, message, "give each its own attribute name");
        }
    }
}
