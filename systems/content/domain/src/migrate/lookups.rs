//! What mapping has to know beside the row: categories by slug and name, authors by name, and which company row is newest.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::db::Ask;
use hansang_core::{Error, Item, Record, Value};
use jiff::{SignedDuration, Timestamp};

use super::legacy::{NO_TIME, read_time};
use super::{LegacyTable, Options, Source, sum};
use crate::{Content, slug};

/// Categories, users and the newest company row. As large as there are categories and users.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    categories: BTreeMap<(Rank, String), (Timestamp, String)>,
    /// The categories that are only here.
    here: BTreeMap<(Rank, String), (Timestamp, String)>,
    titles: BTreeMap<String, String>,
    users: BTreeSet<String>,
    users_by_name: BTreeMap<String, String>,
    newest_corp: Option<(Timestamp, u128)>,
    /// How long an inquiry is kept.
    retention: Option<SignedDuration>,
    /// The time of the run.
    now: Timestamp,
}

/// The ways to name a category, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Slug,
    Id,
    Name,
    Similar,
}

const RANKS: [Rank; 4] = [Rank::Slug, Rank::Id, Rank::Name, Rank::Similar];

impl Lookups {
    pub(super) async fn load(
        content: &Content,
        source: &mut dyn Source,
        options: &Options,
    ) -> Result<Self, Error> {
        let mut lookups = Self { retention: options.retention, now: content.now(), ..Self::default() };
        for table in [LegacyTable::Categories, LegacyTable::Corp] {
            let mut after = source.tables().contains(&table).then_some(None);
            while let Some(position) = after.take() {
                let page = source.read(table, Option::<String>::as_deref(&position)).await?;
                for row in page.rows.iter().filter_map(|row| row.item.as_ref().ok()) {
                    match table {
                        LegacyTable::Categories => {
                            learn_category(&mut lookups.categories, &mut lookups.titles, row);
                        }
                        _ => lookups.learn_corp(row),
                    }
                }
                after = page.next.map(Some);
            }
        }
        // What is only here comes after what the source says. A category of both may have got another slug here.
        for record in all(content, "categories").await? {
            if record.text("id").is_some_and(|id| !lookups.titles.contains_key(id)) {
                learn_category(&mut lookups.here, &mut lookups.titles, &record.fields);
            }
        }
        for user in all(content, "users").await? {
            let Some(id) = user.text("id") else { continue };
            lookups.users.insert(id.to_owned());
            if let Some(name) = user.text("displayName") {
                let known = lookups.users_by_name.entry(name.to_owned()).or_insert_with(|| id.to_owned());
                if id < known.as_str() {
                    id.clone_into(known);
                }
            }
        }
        Ok(lookups)
    }

    /// The end of the retention period of an inquiry, and whether it has ended. One without a date has none.
    pub(super) fn purge_at(&self, created: Timestamp) -> Option<(Timestamp, bool)> {
        let end = created.checked_add(self.retention.filter(|_| created != NO_TIME)?).ok()?;
        Some((end, end <= self.now))
    }

    fn learn_corp(&mut self, row: &Item) {
        let this = (age_of_corp(row), sum::of(row));
        if self.newest_corp.as_ref().is_none_or(|known| *known < this) {
            self.newest_corp = Some(this);
        }
    }

    /// Whether a company row is the one that counts.
    pub(super) fn is_newest_corp(&self, sum: u128) -> bool {
        self.newest_corp.as_ref().is_none_or(|(_, newest)| *newest == sum)
    }

    /// Whether the source or the table has a category.
    pub(super) fn has_category(&self, id: &str) -> bool {
        self.titles.contains_key(id)
    }

    /// The id and the title of the category that a post names. One that no table has gets an id made of the text.
    pub(super) fn category(&self, text: &str) -> (String, String) {
        let text = text.trim();
        let exact = RANKS[..3].iter().map(|rank| (*rank, text.to_owned()));
        let similar = slug(text).map(|slug| (Rank::Similar, slug));
        let keys: Vec<(Rank, String)> = exact.chain(similar).collect();
        let found = [&self.categories, &self.here];
        let found = found.into_iter().find_map(|known| keys.iter().find_map(|key| known.get(key)));
        match found {
            Some((_, id)) => (id.clone(), self.titles.get(id).unwrap_or(id).clone()),
            // Texts that are alike name one category, now and in the next run.
            None => (made_id(&slug(text).unwrap_or_else(|| text.to_owned())), text.to_owned()),
        }
    }

    /// The id and the name of the user that a row names.
    pub(super) fn author(&self, name: &str) -> (String, String) {
        let made = made_id(name);
        let id = [name, &made].into_iter().find(|id| self.users.contains(*id));
        let id = id.or_else(|| self.users_by_name.get(name).map(String::as_str)).unwrap_or(&made);
        (id.to_owned(), name.to_owned())
    }
}

/// Learns the ways to name a category.
fn learn_category(
    categories: &mut BTreeMap<(Rank, String), (Timestamp, String)>,
    titles: &mut BTreeMap<String, String>,
    row: &Item,
) {
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| row.get(name).filter(|value| !matches!(value, Value::Null)));
        match found? {
            Value::S(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            Value::N(number) => Some(number.to_string()),
            _ => None,
        }
    };
    let Some(id) = text(&["categoryId", "id"]) else { return };
    let created = ["createdAt", "CreatedAt"].iter().find_map(|name| read_time(row.get(name)?));
    let age = (created.unwrap_or(NO_TIME), id.clone());
    let (named, title) = (text(&["slug"]), text(&["name", "title"]));
    let similar = [&named, &title].into_iter().flatten().filter_map(|text| slug(text));
    let mut keys = vec![(Rank::Id, id.clone())];
    keys.extend(named.clone().map(|text| (Rank::Slug, text)));
    keys.extend(title.clone().map(|text| (Rank::Name, text)));
    keys.extend(similar.map(|text| (Rank::Similar, text)));
    for key in keys {
        // The oldest category of two with one slug keeps its posts.
        let known = categories.entry(key).or_insert_with(|| age.clone());
        if age < *known {
            known.clone_from(&age);
        }
    }
    titles.entry(id.clone()).or_insert_with(|| title.or(named).unwrap_or(id));
}

fn age_of_corp(row: &Item) -> Timestamp {
    let times = ["updatedAt", "UpdatedAt", "createdAt", "CreatedAt"];
    times.iter().find_map(|name| read_time(row.get(name)?)).unwrap_or(NO_TIME)
}

/// An id for a text, always the same: `김대연-1a2b3c4d`.
fn made_id(text: &str) -> String {
    let start: String = slug(text).unwrap_or_default().chars().take(40).collect();
    let sum = sum::short(text);
    if start.is_empty() { sum } else { format!("{}-{sum}", start.trim_end_matches('-')) }
}

/// All records of a pattern.
async fn all(content: &Content, pattern: &str) -> Result<Vec<Record>, Error> {
    let (mut records, mut cursor) = (Vec::new(), None);
    loop {
        let page = content.db.query(pattern, Item::new(), Ask { cursor, ..Ask::default() }).await?;
        records.extend(page.records);
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(records),
        }
    }
}
