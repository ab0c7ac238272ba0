//! Slugs of migrated posts and categories. A slug that another one has gets the id behind it: the same in each run.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::plan::Key;
use hansang_core::{Error, Item, Value, name, unique, write};

use super::map::Mapped;
use super::state::batch;
use super::{Finding, FindingKind, LegacyTable, sum};
use crate::{Content, MAX_SLUG, is_slug, slug};

/// The slugs of a page of rows that are free.
#[derive(Debug, Default)]
pub(super) struct Free {
    owners: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl Free {
    /// Reads who has the slugs that rows could get.
    pub(super) async fn read(content: &Content, rows: &[&Mapped]) -> Result<Self, Error> {
        let (mut slugs, mut keys) = (Vec::new(), Vec::new());
        for row in rows {
            for slug in candidates(row) {
                keys.push(key(content, row.table, &slug)?);
                slugs.push(slug);
            }
        }
        let mut owners = BTreeMap::new();
        for (slug, item) in slugs.into_iter().zip(batch(content, keys).await?) {
            let owner = item.as_ref().and_then(|item| {
                let text = |name: &str| item.get(name).and_then(Value::as_str);
                text("id").or_else(|| text(&unique::OWNER_PK)?.strip_prefix("CATEGORY#")).map(str::to_owned)
            });
            owners.extend(item.is_some().then(|| (slug, owner.unwrap_or_default())));
        }
        Ok(Self { owners, taken: BTreeSet::new() })
    }

    /// The slug of a new row, and whether it already owns it.
    pub(super) fn claim(&mut self, row: &Mapped) -> Option<(String, bool)> {
        for slug in candidates(row) {
            let owned = self.owners.get(&slug).is_some_and(|owner| *owner == row.id);
            let free = owned || !self.owners.contains_key(&slug);
            if free && self.taken.insert(slug.clone()) {
                return Some((slug, owned));
            }
        }
        None
    }
}

fn key(content: &Content, table: LegacyTable, slug: &str) -> Result<Key, Error> {
    let fields = Item::from([(name!("slug"), Value::from(slug))]);
    if table == LegacyTable::Posts {
        return write::key(content.db.entity("PostSlug")?, &fields);
    }
    let entity = content.db.entity("Category")?;
    let delimiter = content.db.table().delimiter;
    let pointer = entity.unique("slug").and_then(|one| unique::pointer_pk(entity, one, delimiter, &fields));
    Ok(Key { pk: pointer.unwrap_or_default(), sk: unique::PREFIX.to_owned() })
}

/// The slugs that a row could get, the best first.
fn candidates(row: &Mapped) -> Vec<String> {
    let own = row
        .slug
        .as_deref()
        .and_then(|own| if keeps(row.table, own) { Some(own.to_owned()) } else { slug(own) });
    let first =
        own.or_else(|| slug(&row.title)).or_else(|| slug(&row.id)).unwrap_or_else(|| sum::short(&row.id));
    let behind = |end: &str| {
        let most = MAX_SLUG.saturating_sub(end.chars().count() + 1);
        let start: String = first.chars().take(most).collect();
        format!("{}-{end}", start.trim_end_matches('-')).trim_start_matches('-').to_owned()
    };
    let mut all = vec![first.clone()];
    all.extend(slug(&row.id).filter(|id| id.chars().count() <= MAX_SLUG / 2).map(|id| behind(&id)));
    all.push(behind(&sum::short(&row.id)));
    all
}

/// Whether an old slug can stay in addresses as it is. That of a category never changes, so it need not look like a new one.
fn keeps(table: LegacyTable, slug: &str) -> bool {
    if table != LegacyTable::Categories {
        return is_slug(slug);
    }
    let fits = |c: char| c.is_alphanumeric() || "-_.~".contains(c);
    (1..=MAX_SLUG).contains(&slug.chars().count())
        && slug.chars().all(fits)
        && slug.chars().any(char::is_alphanumeric)
}

/// The finding about the slug that a row got. Posts had none, so only categories are told about one that was made.
pub(super) fn finding(row: &Mapped, now: Option<&str>) -> Option<Finding> {
    let finding = || Finding::new(row.table, &row.id, FindingKind::Slug).of("slug");
    match (&row.slug, now) {
        (Some(was), Some(now)) if was != now => Some(finding().was(was).now(now)),
        (None, Some(now)) if row.table == LegacyTable::Categories => Some(finding().now(now)),
        _ => None,
    }
}
