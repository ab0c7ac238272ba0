//! Compares an existing table with the model.

use aws_sdk_dynamodb::types::{
    GlobalSecondaryIndexDescription, KeySchemaElement, KeyType, ProjectionType, ScalarAttributeType,
    StreamViewType, TableDescription,
};
use hansang_core::model::{Index, Projection, Table};
use hansang_core::value::Name;

use super::create::index_keys;

/// Returns the index of this name.
pub(super) fn index<'d>(
    found: &'d TableDescription,
    name: &str,
) -> Option<&'d GlobalSecondaryIndexDescription> {
    found.global_secondary_indexes().iter().find(|index| index.index_name() == Some(name))
}

/// Lists all differences that cannot be changed, each as part of a sentence. Indexes that are not in the
/// model are ignored; `expiry` is the current TTL attribute.
pub(super) fn differences(table: &Table, found: &TableDescription, expiry: Option<&str>) -> Vec<String> {
    let mut all = Vec::new();
    let own = vec![(&table.pk, false), (&table.sk, false)];
    all.extend(keys("its key", &own, found, found.key_schema()));
    for wanted in &table.indexes {
        let place = format!("the key of the index `{}`", wanted.name);
        let wanted_keys: Vec<_> = index_keys(wanted).collect();
        match index(found, &wanted.name) {
            Some(stored) => {
                all.extend(keys(&place, &wanted_keys, found, stored.key_schema()));
                all.extend(projection(wanted, stored));
            }
            // A missing index can be added, unless its attributes are keys of another type already.
            None => all.extend(wanted_keys.iter().filter_map(|(name, numeric)| {
                let stored = kind(found, name)?;
                let wanted = word(*numeric);
                (stored != wanted).then(|| format!("{place} needs `{name}` as {wanted}, but it is {stored}"))
            })),
        }
    }
    let wanted = table.ttl.as_ref().filter(|ttl| ttl.enabled).map(|ttl| &*ttl.attribute);
    if let (Some(wanted), Some(stored)) = (wanted, expiry)
        && wanted != stored
    {
        all.push(format!(
            "items expire by `{stored}`, not by `{wanted}` (switch expiry off first, which takes an hour)"
        ));
    }
    let stream = found.stream_specification().filter(|stream| stream.stream_enabled());
    if let (true, Some(stream)) = (table.streams, stream)
        && stream.stream_view_type() != Some(&StreamViewType::NewAndOldImages)
    {
        all.push("its stream lacks old and new images (switch the stream off first)".to_owned());
    }
    all
}

/// Describes the difference between two keys, if any.
fn keys(
    place: &str,
    wanted: &[(&Name, bool)],
    found: &TableDescription,
    schema: &[KeySchemaElement],
) -> Option<String> {
    let mut schema: Vec<_> = schema.iter().collect();
    schema.sort_by_key(|element| element.key_type() != &KeyType::Hash);
    let show = |name: &str, kind: &str| format!("`{name}` ({kind})");
    let stored: Vec<String> = schema
        .iter()
        .map(|element| {
            let name = element.attribute_name();
            show(name, kind(found, name).unwrap_or("of unknown type"))
        })
        .collect();
    let wanted: Vec<String> = wanted.iter().map(|(name, numeric)| show(name, word(*numeric))).collect();
    (stored != wanted).then(|| format!("{place} is {}, not {}", stored.join(" and "), wanted.join(" and ")))
}

fn word(numeric: bool) -> &'static str {
    if numeric { "a number" } else { "text" }
}

fn kind(found: &TableDescription, name: &str) -> Option<&'static str> {
    let definition = found.attribute_definitions().iter().find(|one| one.attribute_name() == name)?;
    Some(match definition.attribute_type() {
        ScalarAttributeType::N => word(true),
        ScalarAttributeType::S => word(false),
        _ => "bytes",
    })
}

fn projection(wanted: &Index, stored: &GlobalSecondaryIndexDescription) -> Option<String> {
    let stored = stored.projection()?;
    let mut carried: Vec<&str> = stored.non_key_attributes().iter().map(String::as_str).collect();
    let has = match stored.projection_type()? {
        ProjectionType::All => "all attributes".to_owned(),
        ProjectionType::KeysOnly => "only keys".to_owned(),
        _ => list(&mut carried),
    };
    let needs = match &wanted.projection {
        Projection::All => "all attributes".to_owned(),
        Projection::Keys => "only keys".to_owned(),
        Projection::Include(names) => list(&mut names.iter().map(|name| &**name).collect::<Vec<_>>()),
    };
    (has != needs)
        .then(|| format!("the index `{}` carries {has}, not {needs} (delete the index first)", wanted.name))
}

fn list(names: &mut [&str]) -> String {
    names.sort_unstable();
    format!("the keys and `{}`", names.join("`, `"))
}
