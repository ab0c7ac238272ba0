//! Access patterns: their reads are executed until a page is full.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Db, Record, Stray, failure};
use crate::cursor::{self, Position, Question};
use crate::error::Error;
use crate::expiry;
use crate::identify::{Identity, identify, is_hidden};
use crate::message;
use crate::messages::fields;
use crate::model::{Index, Pattern, Projection, Table};
use crate::plan::{Get, Key, Query, ReadPlan, Step};
use crate::read::{self, MAX_PAGE, ReadOptions};
use crate::store::check;
use crate::unique;
use crate::validate::violation;
use crate::value::{Item, Name, Value, item_size};

/// The maximum bytes of a page, as in DynamoDB. A page ends earlier than its limit when it has them.
pub const MAX_PAGE_BYTES: usize = 1024 * 1024;

/// Options of a query; the model has the defaults.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// The maximum number of items of the page.
    pub limit: Option<u32>,
    /// Whether the order is descending.
    pub descending: Option<bool>,
    /// Whether the read is strongly consistent.
    pub consistent: Option<bool>,
    /// The fields to read, if not all; those of the key are always included.
    pub fields: Option<Vec<String>>,
    /// The page, if not the first: `next` or `previous` of another page of the same query.
    pub cursor: Option<String>,
}

/// A page of items.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The items.
    pub records: Vec<Record>,
    /// The items among them that no entity can have, because another program wrote them.
    pub strays: Vec<Stray>,
    /// The cursor of the next page; absent if nothing follows.
    pub next: Option<String>,
    /// The cursor of the previous page; absent on the first page.
    pub previous: Option<String>,
}

impl Db {
    /// One page of an access pattern.
    ///
    /// # Errors
    /// Every argument that is missing, unknown or wrong, a cursor of another query, or options out of bounds.
    pub async fn query(&self, pattern: &str, arguments: Item, ask: Ask) -> Result<Listing, Error> {
        let pattern = self.pattern(pattern)?;
        let arguments = read::arguments(pattern, arguments)?;
        let descending = ask.descending.unwrap_or(pattern.descending);
        let question = read::question(&self.model, pattern, &arguments, descending);
        let decode = |text: &str| cursor::decode(&self.cursor_key, &question, text);
        let position = ask.cursor.as_deref().map(decode).transpose()?;
        let options = ReadOptions {
            limit: ask.limit,
            descending: ask.descending,
            consistent: ask.consistent,
            fields: ask.fields.clone(),
            position: position.clone(),
        };
        let plan = read::plan(&self.model, pattern, &arguments, &options)?;
        let mut walk = Walk {
            db: self,
            pattern,
            plan: &plan,
            wanted: ask.fields.as_deref(),
            now: self.clock.moment().now,
            // One item more than the page tells whether another page follows.
            max: plan.limit as usize + 1,
            bytes: 0,
            found: Vec::new(),
        };
        walk.all_steps().await?;
        let (limit, found) = (walk.max - 1, walk.found);
        Ok(self.listing(&plan, limit, found, position.as_ref(), &question))
    }

    fn listing(
        &self,
        plan: &ReadPlan,
        limit: usize,
        mut found: Vec<Found>,
        position: Option<&Position>,
        question: &Question<'_>,
    ) -> Listing {
        let more = found.len() > limit;
        found.truncate(limit);
        if plan.backward {
            found.reverse();
        }
        let start = Position { step: 0, key: None, backward: false };
        let end = Position { step: plan.all_steps.saturating_sub(1), key: None, backward: true };
        let is_first = position.is_none_or(|position| *position == start);
        // If a cursor led to no items, all items are on its other side.
        let next = if plan.backward { Some(found.last().map_or(start, Found::behind)) } else { None };
        let next = next.or_else(|| found.last().filter(|_| more).map(Found::behind));
        let previous = if plan.backward {
            found.first().filter(|_| more).and_then(Found::before)
        } else if is_first {
            None
        } else {
            found.first().map_or(Some(end), Found::before)
        };
        let next = next.filter(|position| position.step < plan.all_steps);
        let encode = |position: Position| cursor::encode(&self.cursor_key, question, &position);
        let mut listing = Listing {
            records: Vec::with_capacity(found.len()),
            strays: Vec::new(),
            next: next.map(encode),
            previous: previous.map(encode),
        };
        for found in found {
            match found.content {
                Content::Record(record) => listing.records.push(record),
                Content::Stray(stray) => listing.strays.push(stray),
            }
        }
        listing
    }
}

/// An item of the page, and its position.
struct Found {
    step: usize,
    /// Its key attributes, if its step has several items.
    key: Option<Item>,
    content: Content,
}

#[allow(clippy::large_enum_variant, reason = "almost all are records")]
enum Content {
    Record(Record),
    Stray(Stray),
}

impl Found {
    fn behind(&self) -> Position {
        let step = if self.key.is_some() { self.step } else { self.step + 1 };
        Position { step, key: self.key.clone(), backward: false }
    }

    fn before(&self) -> Option<Position> {
        let step = if self.key.is_some() { self.step } else { self.step.checked_sub(1)? };
        Some(Position { step, key: self.key.clone(), backward: true })
    }
}

/// The state of reading one page.
struct Walk<'a> {
    db: &'a Db,
    pattern: &'a Pattern,
    plan: &'a ReadPlan,
    wanted: Option<&'a [String]>,
    now: Timestamp,
    /// The number of items after which reading ends.
    max: usize,
    /// The size of the items found so far.
    bytes: usize,
    found: Vec<Found>,
}

impl Walk<'_> {
    /// Adds an item. When the page has its bytes, reading ends with it, and it is the first item of the next page.
    fn push(&mut self, size: usize, found: Found) {
        self.found.push(found);
        self.bytes += size;
        if self.bytes > MAX_PAGE_BYTES && self.found.len() > 1 {
            self.max = self.found.len();
        }
    }

    async fn all_steps(&mut self) -> Result<(), Error> {
        for (count, step) in self.plan.steps.iter().enumerate() {
            if self.found.len() >= self.max {
                break;
            }
            let number =
                if self.plan.backward { self.plan.first_step - count } else { self.plan.first_step + count };
            match step {
                Step::Get(get) => {
                    let item = self.db.read(&self.with_expiry(get), self.now).await?;
                    self.keep(number, item, false)?;
                }
                Step::Lookup(get) => {
                    let item = self.look_up(get).await?;
                    self.keep(number, item, false)?;
                }
                Step::Query(query) => self.query(number, query).await?,
            }
        }
        Ok(())
    }

    /// The item of a pointer, unless its value changed in the meantime.
    async fn look_up(&self, get: &Get) -> Result<Option<Item>, Error> {
        let Some(pointer) = self.db.read(get, self.now).await? else { return Ok(None) };
        let text = |name: &Name| pointer.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = Key { pk: text(&unique::OWNER_PK), sk: text(&unique::OWNER_SK) };
        let owner = self.db.read(&Get { key, ..get.clone() }, self.now).await?;
        let Some(Identity::Pointer { entity, unique }) = identify(&self.db.model, &get.key.pk, &get.key.sk)
        else {
            return Ok(None);
        };
        let delimiter = self.db.table.delimiter;
        let has_value =
            |owner: &Item| unique::pointer_pk(entity, unique, delimiter, owner) == Some(get.key.pk.clone());
        Ok(owner.filter(has_value))
    }

    /// Items of a partition, page after page of the store, until there are enough.
    async fn query(&mut self, number: usize, query: &Query) -> Result<(), Error> {
        let table = &self.db.table;
        let index = query.index.as_deref().map(|name| check::index(table, name)).transpose()?;
        let ttl = self.pattern.entities.iter().find_map(|entity| expiry::attribute_of(table, entity));
        let carried = ttl.filter(|ttl| index.is_none_or(|index| can_filter(table, index, ttl)));
        let filter = carried.map(|ttl| expiry::alive(ttl, self.now));
        let mut query = Query { filter, limit: 0, ..query.clone() };
        loop {
            // After a page of which most items were dropped, a larger one is read.
            let room = u32::try_from(self.max - self.found.len()).unwrap_or(MAX_PAGE);
            query.limit = query.limit.saturating_mul(2).clamp(room, MAX_PAGE.max(room));
            let page = self.db.store.query(table, &query).await.map_err(failure::of_store)?;
            let mut items = page.items;
            if let (Some(ttl), None) = (ttl, carried) {
                items = self.alive(items, ttl).await?;
            }
            for item in items {
                if self.found.len() >= self.max {
                    return Ok(());
                }
                self.keep(number, Some(item), true)?;
            }
            match page.next {
                Some(next) if self.found.len() < self.max => query.start = Some(next),
                _ => return Ok(()),
            }
        }
    }

    /// The unexpired items of an index that does not contain the expiry: the table is read for it.
    async fn alive(&self, items: Vec<Item>, ttl: &Name) -> Result<Vec<Item>, Error> {
        let table = &self.db.table;
        let keys: Vec<Key> = items.iter().map(|item| check::key_of(table, item)).collect::<Result<_, _>>()?;
        let fields = vec![table.pk.clone(), table.sk.clone(), ttl.clone()];
        let alive: BTreeMap<Key, Item> = self.db.read_all(&keys, false, Some(fields)).await?;
        let kept = items.into_iter().zip(keys).filter(|(_, key)| alive.contains_key(key));
        Ok(kept.map(|(item, _)| item).collect())
    }

    /// Keeps an item if the pattern returns its entity, with its position if it is one of many.
    fn keep(&mut self, step: usize, item: Option<Item>, one_of_many: bool) -> Result<(), Error> {
        let Some(item) = item else { return Ok(()) };
        let (model, table) = (&self.db.model, &self.db.table);
        let size = item_size(&item);
        let (pk, sk) = check::key_texts(table, &item)?;
        let index = self.pattern.index.map(|index| &model.table.indexes[index]);
        let (entity, in_key) = match identify(model, pk, sk) {
            Some(Identity::Entity { entity, fields }) if self.plan.entities.contains(&entity.name) => {
                (entity, fields)
            }
            None if !is_hidden(model, pk, sk) => {
                let problem = violation(&table.pk, message!(fields::NO_ENTITY, &table.sk, pk, sk));
                let key = one_of_many.then(|| key_attributes(table, index, item.clone(), &Item::new()));
                let content = Content::Stray(Stray { item, problems: vec![problem] });
                self.push(size, Found { step, key, content });
                return Ok(());
            }
            _ => return Ok(()),
        };
        let whole = self.wanted.is_none() && index.is_none_or(|index| index.projection == Projection::All);
        let (record, key) = if whole {
            let (record, keys) = Record::of(model, entity, item, in_key);
            let key = one_of_many.then(|| key_attributes(table, index, keys, &record.fields));
            (record, key)
        } else {
            let key = one_of_many.then(|| key_attributes(table, index, item.clone(), &Item::new()));
            (Record::part(model, entity, item, in_key, self.wanted).0, key)
        };
        self.push(size, Found { step, key, content: Content::Record(record) });
        Ok(())
    }

    /// Adds the expiry to a get of some attributes.
    fn with_expiry(&self, get: &Get) -> Get {
        let mut get = get.clone();
        if let (Some(fields), Some(ttl)) = (&mut get.fields, expiry::attribute(&self.db.table))
            && !fields.contains(ttl)
        {
            fields.push(ttl.clone());
        }
        get
    }
}

/// Whether a query of the index can filter by this attribute: it is in the index, and not a key.
fn can_filter(table: &Table, index: &Index, name: &Name) -> bool {
    index.carries(table, name) && ![Some(&index.pk), index.sk.as_ref()].contains(&Some(name))
}

/// The key of the table and, on an index, that of the index; some of its parts may be fields.
fn key_attributes(table: &Table, index: Option<&Index>, mut keys: Item, fields: &Item) -> Item {
    let of_index = index.map(|index| [Some(&index.pk), index.sk.as_ref()]).into_iter().flatten().flatten();
    let names: Vec<&Name> = [&table.pk, &table.sk].into_iter().chain(of_index).collect();
    keys.retain(|name, _| names.contains(&name));
    for name in names {
        if !keys.contains_key(name)
            && let Some(value) = fields.get(name)
        {
            keys.insert(name.clone(), value.clone());
        }
    }
    keys
}
