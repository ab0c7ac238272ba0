//! Categories and users that rows mention and that are not here: created before the rows that need them, each with a record,
//! so that a step that is repeated reports them again.

use std::collections::BTreeMap;

use hansang_core::db::Operation;
use hansang_core::number::Number;
use hansang_core::plan::Key;
use hansang_core::{CoreCode, Error, Item, Value, name, write};

use super::map::Mapped;
use super::plan::Mark;
use super::state::batch;
use super::{Finding, FindingKind, LegacyTable};
use crate::posts::commit;
use crate::{Content, slug};

/// The maximum number of characters of the name of a user.
const MAX_NAME: usize = 80;

/// What rows can mention.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mentioned {
    Category,
    User,
}

impl Mentioned {
    fn entity(self) -> &'static str {
        match self {
            Self::Category => "Category",
            Self::User => "User",
        }
    }

    fn attribute(self) -> &'static str {
        match self {
            Self::Category => "categoryId",
            Self::User => "authorId",
        }
    }
}

/// Creates what is missing, and tells what that is. Without a mark nothing is written.
pub(super) async fn ensure(
    content: &Content,
    rows: &[&Mapped],
    mark: Option<Mark<'_>>,
) -> Result<Vec<Finding>, Error> {
    let categories = rows.iter().filter_map(|row| row.category.clone()).collect();
    let authors = rows.iter().filter_map(|row| row.author.clone()).collect();
    let mut findings = of(content, Mentioned::Category, categories, mark).await?;
    findings.extend(of(content, Mentioned::User, authors, mark).await?);
    Ok(findings)
}

async fn of(
    content: &Content,
    mentioned: Mentioned,
    wanted: BTreeMap<String, String>,
    mark: Option<Mark<'_>>,
) -> Result<Vec<Finding>, Error> {
    let (entity, records) = (content.db.entity(mentioned.entity())?, content.db.entity("MigratedItem")?);
    let mut keys: Vec<Key> = Vec::with_capacity(2 * wanted.len());
    for id in wanted.keys() {
        keys.push(write::key(entity, &Item::from([(name!("id"), Value::from(id.as_str()))]))?);
        keys.push(write::key(records, &record_key(mentioned, id))?);
    }
    let found = batch(content, keys).await?;
    let mut findings = Vec::new();
    for ((id, text), pair) in wanted.iter().zip(found.chunks(2)) {
        let is_missing = pair[0].is_none();
        if is_missing && let Some(mark) = mark {
            create(content, mentioned, id, text, mark).await?;
        }
        let again = mark.zip(pair[1].as_ref()).is_some_and(|(mark, record)| is_of(record, mark));
        if is_missing || again {
            let finding = Finding::new(LegacyTable::Posts, id, FindingKind::Invented);
            findings.push(finding.of(mentioned.attribute()).was(text).now(id));
        }
    }
    Ok(findings)
}

fn is_of(record: &Item, mark: Mark<'_>) -> bool {
    let step = record.get("step").and_then(Value::as_number).and_then(Number::to_i64);
    record.get("migrationId").and_then(Value::as_str) == Some(mark.migration) && step == Some(mark.step)
}

fn record_key(mentioned: Mentioned, id: &str) -> Item {
    Item::from([(name!("source"), mentioned.attribute().into()), (name!("id"), id.into())])
}

async fn create(
    content: &Content,
    mentioned: Mentioned,
    id: &str,
    text: &str,
    mark: Mark<'_>,
) -> Result<(), Error> {
    let mut record = record_key(mentioned, id);
    record.extend([
        (name!("sum"), "".into()),
        (name!("stored"), "".into()),
        (name!("outcome"), "created".into()),
        (name!("migrationId"), mark.migration.into()),
        (name!("step"), mark.step.into()),
    ]);
    let record = Operation::Put {
        entity: name!("MigratedItem"),
        fields: record,
        expected_version: None,
        guards: Vec::new(),
    };
    let slugs = match mentioned {
        Mentioned::Category => vec![slug(text), slug(&format!("{text} {id}")), None],
        Mentioned::User => vec![None],
    };
    for slug in slugs {
        let mut fields = Item::from([(name!("id"), id.into())]);
        match mentioned {
            Mentioned::Category => drop(fields.insert(name!("title"), text.into())),
            // A user who may only look: a name in an old table gives no rights.
            Mentioned::User => {
                let name: String = text.chars().take(MAX_NAME).collect();
                fields.extend([(name!("displayName"), name.into()), (name!("role"), "viewer".into())]);
            }
        }
        fields.extend(slug.map(|slug| (name!("slug"), Value::from(slug))));
        let create = Operation::Create { entity: mentioned.entity().into(), fields, guards: Vec::new() };
        match commit(content, vec![create, record.clone()]).await {
            // Another category has the slug.
            Err(error) if error.code == CoreCode::NotUnique => {}
            // Another process was first.
            Err(error) if error.code == CoreCode::AlreadyExists => return Ok(()),
            other => return other,
        }
    }
    Ok(())
}
