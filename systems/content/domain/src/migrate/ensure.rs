//! Categories and users that rows mention and that are not here: created before the rows that need them.

use std::collections::BTreeMap;

use hansang_core::plan::Key;
use hansang_core::{CoreCode, Error, Item, Value, name, write};

use super::map::Mapped;
use super::state::batch;
use super::{Finding, FindingKind, LegacyTable};
use crate::{Content, slug};

/// The maximum number of characters of the name of a user.
const MAX_NAME: usize = 80;

/// Creates what is missing, and tells what that is.
pub(super) async fn ensure(
    content: &Content,
    rows: &[&Mapped],
    dry_run: bool,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let categories: BTreeMap<_, _> = rows.iter().filter_map(|row| row.category.clone()).collect();
    for (id, title) in missing(content, "Category", categories).await? {
        if !dry_run {
            category(content, &id, &title).await?;
        }
        findings.push(invented(&id, "categoryId", &title));
    }
    let authors: BTreeMap<_, _> = rows.iter().filter_map(|row| row.author.clone()).collect();
    for (id, name) in missing(content, "User", authors).await? {
        if !dry_run {
            user(content, &id, &name).await?;
        }
        findings.push(invented(&id, "authorId", &name));
    }
    Ok(findings)
}

fn invented(id: &str, attribute: &str, was: &str) -> Finding {
    Finding::new(LegacyTable::Posts, id, FindingKind::Invented).of(attribute).was(was).now(id)
}

async fn missing(
    content: &Content,
    entity: &str,
    wanted: BTreeMap<String, String>,
) -> Result<Vec<(String, String)>, Error> {
    let of = content.db.entity(entity)?;
    let key = |id: &String| write::key(of, &Item::from([(name!("id"), Value::from(id.as_str()))]));
    let keys: Vec<Key> = wanted.keys().map(key).collect::<Result<_, _>>()?;
    let found = batch(content, keys).await?;
    Ok(wanted.into_iter().zip(found).filter(|(_, item)| item.is_none()).map(|(one, _)| one).collect())
}

async fn category(content: &Content, id: &str, title: &str) -> Result<(), Error> {
    for slug in [slug(title), slug(&format!("{title} {id}"))] {
        let mut fields = Item::from([(name!("id"), id.into()), (name!("title"), title.into())]);
        fields.extend(slug.map(|slug| (name!("slug"), Value::from(slug))));
        match content.db.create("Category", fields).await {
            Err(error) if error.code == CoreCode::NotUnique => {}
            other => return created(other.map(drop)),
        }
    }
    Ok(())
}

/// A user who may only look: nobody gets a role by a name in an old table.
async fn user(content: &Content, id: &str, name: &str) -> Result<(), Error> {
    let name: String = name.chars().take(MAX_NAME).collect();
    let fields = Item::from([
        (name!("id"), id.into()),
        (name!("displayName"), name.into()),
        (name!("role"), "viewer".into()),
    ]);
    created(content.db.create("User", fields).await.map(drop))
}

/// Another attempt, or another process, may have been first.
fn created(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error) if error.code == CoreCode::AlreadyExists => Ok(()),
        other => other,
    }
}
