//! The `table:` section.

use super::TableSource;
use super::reader::{self, Fields, Names, Problems};
use crate::diagnostic::{Code, Span};
use crate::kind::time::Precision;
use crate::model::{Index, Projection, Table, Ttl};
use crate::value::Name;
use crate::yaml::{Content, Node};

const FIELDS: &[&str] = &[
    "name",
    "key",
    "indexes",
    "delimiter",
    "timestamps",
    "type",
    "created",
    "updated",
    "ttl",
    "streams",
    "recovery",
    "tags",
];
const MAX_INDEXES: usize = 20;

pub(super) fn read(node: &Node, problems: &mut Problems) -> Option<TableSource> {
    let fields = Fields::read(node, "the table", FIELDS, problems)?;
    let name = fields
        .require("name", "write `name:`, the name of the DynamoDB table", problems)
        .and_then(|node| reader::name(node, Names::Table, problems));
    let key = fields
        .require("key", "write `key: { pk: PK, sk: SK }`", problems)
        .and_then(|node| read_key(node, problems));
    let attribute = |name: &str, problems: &mut Problems| {
        fields.get(name).and_then(|node| reader::name(node, Names::Attribute, problems))
    };
    let type_attribute = attribute("type", problems);
    let created = attribute("created", problems);
    let updated = attribute("updated", problems);
    let precision = match fields
        .get("timestamps")
        .and_then(|node| reader::choice(node, &["seconds", "millis"], problems))
    {
        Some("millis") => Precision::Millis,
        _ => Precision::Seconds,
    };
    let indexes = fields.get("indexes").map(|node| read_indexes(node, problems)).unwrap_or_default();
    let table = Table {
        name: name.map(|name| name.to_string()).unwrap_or_default(),
        delimiter: fields.get("delimiter").and_then(|node| read_delimiter(node, problems)).unwrap_or('#'),
        ttl: fields.get("ttl").and_then(|node| read_ttl(node, problems)),
        streams: fields.flag("streams", problems),
        recovery: fields.flag("recovery", problems),
        tags: fields.get("tags").map(|node| read_tags(node, problems)).unwrap_or_default(),
        pk: key.as_ref()?.0.clone(),
        sk: key.as_ref()?.1.clone(),
        type_attribute,
        indexes,
    };
    let ttl_span = fields.get("ttl").map(|node| node.span);
    let read = TableSource { table, precision, created, updated, ttl_span };
    check_jobs(&fields, &read, problems);
    Some(read)
}

fn read_key(node: &Node, problems: &mut Problems) -> Option<(Name, Name)> {
    let fields = Fields::read(node, "the table's key", &["pk", "sk"], problems)?;
    let help = "write `key: { pk: PK, sk: SK }` with the names of the two key attributes";
    let pk =
        fields.require("pk", help, problems).and_then(|node| reader::name(node, Names::Attribute, problems));
    let sk =
        fields.require("sk", help, problems).and_then(|node| reader::name(node, Names::Attribute, problems));
    Some((pk?, sk?))
}

fn read_delimiter(node: &Node, problems: &mut Problems) -> Option<char> {
    let text = reader::text(node, problems)?;
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(one), None) if one.is_ascii_punctuation() && !"{}%".contains(one) => Some(one),
        _ => {
            let message = format!("`{text}` cannot be the delimiter");
            problems.report(Code::BadChoice, node.span, message, "use one character such as `#`, `|` or `/`");
            None
        }
    }
}

fn read_indexes(node: &Node, problems: &mut Problems) -> Vec<Index> {
    let entries = reader::map(node, "`indexes`", problems).unwrap_or_default();
    if entries.len() > MAX_INDEXES {
        let message = format!("the table has {} indexes; DynamoDB allows {MAX_INDEXES}", entries.len());
        problems.report(
            Code::TooManyIndexes,
            node.span,
            message,
            "let entities share indexes: that is what GSI1PK and GSI1SK are for",
        );
    }
    entries
        .iter()
        .filter_map(|(key, node)| {
            let name = reader::check_name(&key.text, key.span, Names::Index, problems);
            let fields = Fields::read(node, "an index", &["pk", "sk", "project"], problems)?;
            let pk = fields
                .require("pk", "write `{ pk: GSI1PK, sk: GSI1SK }`", problems)
                .and_then(|node| reader::name(node, Names::Attribute, problems));
            let sk = fields.get("sk").and_then(|node| reader::name(node, Names::Attribute, problems));
            let projection = fields
                .get("project")
                .and_then(|node| read_projection(node, problems))
                .unwrap_or(Projection::All);
            Some(Index { name: name?, pk: pk?, pk_numeric: false, sk, sk_numeric: false, projection })
        })
        .collect()
}

fn read_projection(node: &Node, problems: &mut Problems) -> Option<Projection> {
    if let Content::List(nodes) = &node.content {
        let names = nodes.iter().filter_map(|node| reader::name(node, Names::Attribute, problems));
        return Some(Projection::Include(names.collect()));
    }
    match reader::choice(node, &["all", "keys"], problems)? {
        "keys" => Some(Projection::Keys),
        _ => Some(Projection::All),
    }
}

fn read_ttl(node: &Node, problems: &mut Problems) -> Option<Ttl> {
    if let Content::Scalar { .. } = node.content {
        return Some(Ttl { attribute: reader::name(node, Names::Attribute, problems)?, enabled: true });
    }
    let fields = Fields::read(node, "`ttl`", &["attribute", "enabled"], problems)?;
    let attribute = fields.require("attribute", "write `{ attribute: ttl, enabled: true }`", problems)?;
    let enabled = fields.get("enabled").and_then(|node| reader::flag(node, problems)).unwrap_or(true);
    Some(Ttl { attribute: reader::name(attribute, Names::Attribute, problems)?, enabled })
}

fn read_tags(node: &Node, problems: &mut Problems) -> Vec<(String, String)> {
    let entries = reader::map(node, "`tags`", problems).unwrap_or_default();
    entries
        .iter()
        .filter_map(|(key, node)| Some((key.text.clone(), reader::text(node, problems)?.to_owned())))
        .collect()
}

/// One attribute cannot be two of: partition key, sort key, type, created, updated, TTL.
fn check_jobs(fields: &Fields<'_>, read: &TableSource, problems: &mut Problems) {
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
    for index in table.indexes.iter().filter(|index| index.sk.as_ref() == Some(&index.pk)) {
        let message = format!("`{}` is both keys of the index `{}`", index.pk, index.name);
        problems.report(
            Code::SameAttribute,
            span("indexes"),
            message,
            "give the sort key another attribute, or leave `sk` out",
        );
    }
}
