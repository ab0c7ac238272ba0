//! The documentation page of a model: Markdown with Mermaid diagrams, to paste into a wiki.

use crate::describe;
use crate::model::{Index, Model, Projection};

mod diagrams;
mod entities;
mod patterns;
mod text;

use text::{code, codes, paragraph, table, titles};

/// The page: the table, its indexes, a chapter for each entity, and the access patterns with their reads.
///
/// The `doc` texts of a model are taken as Markdown; everything else is escaped, so no name or value can
/// break a table or a diagram.
#[must_use]
pub fn markdown(model: &Model) -> String {
    let mut page = format!("# {}\n\n", model.name);
    page.push_str(&paragraph(&titles(&model.title)));
    page.push_str(&paragraph(model.doc.english()));
    page.push_str(&format!("Schema version {}.\n\n", code(&model.version)));
    page.push_str("## Table\n\n");
    page.push_str(&settings(model));
    if !model.table.indexes.is_empty() {
        page.push_str("## Indexes\n\n");
        page.push_str(&indexes(model));
    }
    page.push_str("## Entities\n\n");
    for entity in &model.entities {
        page.push_str(&entities::chapter(model, entity));
    }
    if !model.patterns.is_empty() {
        page.push_str("## Access patterns\n\n");
        page.push_str(&patterns::map(model));
    }
    page.push_str("## Map\n\n");
    page.push_str("Which pattern reads what, and where. Dotted lines are read along and dropped.\n\n");
    page.push_str(&diagrams::map(model));
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn settings(model: &Model) -> String {
    let settings = &model.table;
    let ttl = match &settings.ttl {
        Some(ttl) if ttl.enabled => format!("{}, epoch seconds", code(&ttl.attribute)),
        Some(ttl) => format!("off; {} is reserved for it", code(&ttl.attribute)),
        None => "off".to_owned(),
    };
    let on = |on: bool, how: &str| if on { how.to_owned() } else { "off".to_owned() };
    let tags: Vec<String> =
        settings.tags.iter().map(|(name, value)| format!("{} = {}", code(name), code(value))).collect();
    let mut rows = vec![
        ("Name", code(&settings.name)),
        // Fixed: single-table designs are billed on demand.
        ("Billing", "on demand (`PAY_PER_REQUEST`)".to_owned()),
        ("Partition key", format!("{}, text", code(&settings.pk))),
        ("Sort key", format!("{}, text", code(&settings.sk))),
        ("Between key segments", code(&settings.delimiter.to_string())),
    ];
    rows.extend(settings.type_attribute.as_ref().map(|name| ("Entity name in", code(name))));
    rows.push(("Time to live", ttl));
    rows.push(("Streams", on(settings.streams, "on (`NEW_AND_OLD_IMAGES`)")));
    rows.push(("Point-in-time recovery", on(settings.recovery, "on")));
    if !tags.is_empty() {
        rows.push(("Tags", tags.join(", ")));
    }
    table(&["Setting", "Value"], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect())
}

fn indexes(model: &Model) -> String {
    let rows = describe::indexes(model).into_iter().map(|used| {
        let index = used.index;
        let members: Vec<&str> = used.entities.iter().map(|name| &***name).collect();
        vec![
            code(&index.name),
            index_key(&index.pk, index.pk_numeric),
            index.sk.as_ref().map_or_else(String::new, |sk| index_key(sk, index.sk_numeric)),
            projection(index),
            members.join(", "),
            codes(&used.patterns),
        ]
    });
    table(&["Index", "Partition key", "Sort key", "Projection", "Entities in it", "Read by"], rows.collect())
}

fn index_key(name: &str, numeric: bool) -> String {
    format!("{}, {}", code(name), if numeric { "number" } else { "text" })
}

fn projection(index: &Index) -> String {
    match &index.projection {
        Projection::All => "all attributes".to_owned(),
        Projection::Keys => "keys only".to_owned(),
        Projection::Include(names) => format!("keys and {}", codes(names)),
    }
}
