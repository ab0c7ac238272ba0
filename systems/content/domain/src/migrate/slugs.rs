//! Slugs of migrated posts and categories. A slug that another one has gets the id behind it: the same in each run.

use std::collections::{BTreeMap, HashMap, HashSet};

use hansang_core::plan::Key;
use hansang_core::{Error, Item, Value, name, unique, write};

use super::map::Mapped;
use super::state::batch;
use super::{Finding, FindingKind, LegacyTable, sum};
use crate::{Content, MAX_SLUG, is_slug, slug};

/// The slugs of new rows, by their ids, and whether the row already owns it.
#[derive(Debug, Default)]
pub(super) struct Claims(BTreeMap<String, (String, bool)>);

/// The owners of the slugs that were looked up.
type Owners = HashMap<String, Option<String>>;

impl Claims {
    /// Gives each of these rows the first slug that it can have. Rows are of one table.
    pub(super) async fn of(content: &Content, rows: &[&Mapped]) -> Result<Self, Error> {
        let mut owners = Owners::new();
        let mut candidates: Vec<Vec<String>> = rows.iter().map(|row| vec![first(row)]).collect();
        loop {
            let (claims, unknown) = claim(rows, &mut candidates, &owners);
            let Some(row) = rows.first().filter(|_| !unknown.is_empty()) else { return Ok(Self(claims)) };
            look(content, row.table, unknown, &mut owners).await?;
        }
    }

    /// The slug of a row.
    pub(super) fn take(&mut self, row: &Mapped) -> Option<(String, bool)> {
        self.0.remove(&row.id)
    }
}

/// Claims slugs in the order of the rows. Returns the slugs that have to be looked up before that is certain, too.
fn claim(
    rows: &[&Mapped],
    candidates: &mut [Vec<String>],
    owners: &Owners,
) -> (BTreeMap<String, (String, bool)>, Vec<String>) {
    let (mut claims, mut taken, mut unknown) = (BTreeMap::new(), HashSet::new(), Vec::new());
    for (row, candidates) in rows.iter().zip(candidates) {
        for choice in 0.. {
            if choice == 1 && candidates.len() == 1 {
                let others = others(row, &candidates[0]);
                candidates.extend(others);
            }
            let Some(slug) = candidates.get(choice) else { break };
            let Some(owner) = owners.get(slug) else {
                unknown.push(slug.clone());
                break;
            };
            let owned = owner.as_ref() == Some(&row.id);
            if (owned || owner.is_none()) && taken.insert(slug.clone()) {
                claims.insert(row.id.clone(), (slug.clone(), owned));
                break;
            }
        }
    }
    (claims, unknown)
}

/// Looks up the owners of these slugs.
async fn look(
    content: &Content,
    table: LegacyTable,
    slugs: Vec<String>,
    owners: &mut Owners,
) -> Result<(), Error> {
    let keys = slugs.iter().map(|slug| key(content, table, slug)).collect::<Result<_, _>>()?;
    for (slug, item) in slugs.into_iter().zip(batch(content, keys).await?) {
        let owner = item.map(|item| {
            let text = |name: &str| item.get(name).and_then(Value::as_str);
            let owner = text("id").or_else(|| text(&unique::OWNER_PK)?.strip_prefix("CATEGORY#"));
            owner.unwrap_or_default().to_owned()
        });
        owners.insert(slug, owner);
    }
    Ok(())
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

/// The best slug that a row could get.
fn first(row: &Mapped) -> String {
    let own = row
        .slug
        .as_deref()
        .and_then(|own| if keeps(row.table, own) { Some(own.to_owned()) } else { slug(own) });
    own.or_else(|| slug(&row.title)).or_else(|| slug(&row.id)).unwrap_or_else(|| sum::short(&row.id))
}

/// The slugs of a row that cannot have the first one, the better one first.
fn others(row: &Mapped, first: &str) -> Vec<String> {
    let behind = |end: &str| {
        let most = MAX_SLUG.saturating_sub(end.chars().count() + 1);
        let start: String = first.chars().take(most).collect();
        format!("{}-{end}", start.trim_end_matches('-')).trim_start_matches('-').to_owned()
    };
    let id = slug(&row.id).filter(|id| id.chars().count() <= MAX_SLUG / 2);
    id.map(|id| behind(&id)).into_iter().chain([behind(&sum::short(&row.id))]).collect()
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
