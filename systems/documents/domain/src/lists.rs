//! Lists that are cached: all projects, and the sessions and agents of a user in a project.
//!
//! Each list has a counter in the table, raised in the transaction of every change of the list. A reader gets the counter
//! by a strong read first, and a cached list counts only if it was filled under the same number. So nothing that happens to
//! the cache shows an old list; invalidations only free it early.

use std::sync::Arc;
use std::time::Duration;

use hansang_core::cache::Stamp;
use hansang_core::db::Operation;
use hansang_core::plan::{Action, Change, Guards, Path, Write};
use hansang_core::{CoreCode, Error, Item, Name, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::edit::{add, key, path, set, strong, time};
use crate::{Documents, messages};

/// The time for which a cached list is kept.
pub const CACHE_TTL: Duration = Duration::from_secs(3600);
/// The cache key of the list of projects.
pub(crate) const PROJECTS_KEY: &str = "query_projects";
/// The time after a change for which an index may not show it, so that the list is not kept.
const SETTLED: SignedDuration = SignedDuration::from_secs(10);
/// The default and the maximum number of elements of a page.
const PAGE: usize = 50;
const MAX_PAGE: usize = 1000;

/// The part of a list that a caller wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListAsk {
    /// The maximum number of elements: 50, and at most 1,000.
    pub limit: Option<usize>,
    /// The cursor of the page.
    pub cursor: Option<String>,
    /// Whether the oldest come first.
    pub oldest: bool,
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageOf<T> {
    /// The elements.
    pub items: Vec<T>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
    /// The number of elements of the whole list.
    pub total: usize,
}

/// The cache key of a user's sessions in a project.
#[must_use]
pub fn session_list_key(user_id: &str, project_id: &str) -> String {
    format!("session_list:{user_id}:{project_id}")
}

/// The cache key of a user's agents in a project.
#[must_use]
pub fn agent_list_key(user_id: &str, project_id: &str) -> String {
    format!("agent_list:{user_id}:{project_id}")
}

/// Drops a cached list. It is filled again by the next reader.
pub async fn invalidate(documents: &Documents, key: &str) {
    documents.cached.invalidate(key).await;
}

/// A whole list, shared by those who read it at the same time.
#[derive(Debug)]
struct Whole<T>(Arc<Vec<T>>);

impl<T> Clone for Whole<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Serialize> Serialize for Whole<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|list| Self(Arc::new(list)))
    }
}

/// Reads a list through the cache; without a cache it reads directly, and no stamp.
pub(crate) async fn through_cache<T>(
    documents: &Documents,
    key: &str,
    stamp: impl Future<Output = Result<Stamp, Error>> + Send,
    load: impl Future<Output = Result<Vec<T>, Error>> + Send,
) -> Result<Arc<Vec<T>>, Error>
where
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
{
    if !documents.cached.is_active() {
        return load.await.map(Arc::new);
    }
    let stamp = stamp.await?;
    let load = async { load.await.map(|list| Whole(Arc::new(list))) };
    documents.cached.cached(key, stamp, CACHE_TTL, load).await.map(|whole| whole.0)
}

/// An element of a cached list.
pub(crate) trait Listed {
    /// The time of creation and the id, which order the list.
    fn at(&self) -> (Timestamp, &str);
}

/// Puts the newest first.
pub(crate) fn newest_first<T: Listed>(list: &mut [T]) {
    list.sort_by(|a, b| b.at().cmp(&a.at()));
}

/// Cuts a page from a list that has the newest first.
pub(crate) fn cut<T: Listed + Clone>(list: &[T], ask: &ListAsk) -> Result<PageOf<T>, Error> {
    let limit = ask.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let cursor = ask.cursor.as_deref().map(position).transpose()?;
    let newer = |element: &T| cursor.is_some_and(|cursor| element.at() > cursor);
    let reached = |element: &T| cursor.is_some_and(|cursor| element.at() >= cursor);
    // The elements that follow the cursor, and of those the ones of the page.
    let page = if ask.oldest {
        let end = if cursor.is_some() { list.partition_point(newer) } else { list.len() };
        end.saturating_sub(limit)..end
    } else {
        let start = list.partition_point(reached);
        start..list.len().min(start + limit)
    };
    let more = if ask.oldest { page.start > 0 } else { page.end < list.len() };
    let mut items = list[page.clone()].to_vec();
    let last = if ask.oldest { list.get(page.start) } else { list[..page.end].last() };
    if ask.oldest {
        items.reverse();
    }
    let next = last.filter(|_| more).map(|element| {
        let (time, id) = element.at();
        format!("{}.{id}", time.as_millisecond())
    });
    Ok(PageOf { items, next, total: list.len() })
}

fn position(cursor: &str) -> Result<(Timestamp, &str), Error> {
    let wrong = || Error::invalid(CoreCode::InvalidCursor, message!(messages::WRONG_CURSOR));
    let (millis, id) = cursor.split_once('.').ok_or_else(wrong)?;
    let time = millis.parse().ok().and_then(|millis| Timestamp::from_millisecond(millis).ok());
    Ok((time.ok_or_else(wrong)?, id))
}

/// The lists of a user in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UserList {
    Sessions,
    Agents,
}

impl UserList {
    fn counter(self) -> Name {
        match self {
            Self::Sessions => name!("sessions"),
            Self::Agents => name!("agents"),
        }
    }

    /// The cache key.
    pub(crate) fn key(self, user_id: &str, project_id: &str) -> String {
        match self {
            Self::Sessions => session_list_key(user_id, project_id),
            Self::Agents => agent_list_key(user_id, project_id),
        }
    }
}

/// Raises the counter of the list of projects.
pub(crate) fn raise_projects(documents: &Documents) -> Result<Operation, Error> {
    let changes = vec![add(name!("projects"), 1), set(name!("projects_at"), time(documents.now()))];
    upsert(documents, "ProjectLists", &Item::new(), changes)
}

/// Raises the counter of a list of a user.
pub(crate) fn raise_user(
    documents: &Documents,
    list: UserList,
    user_id: &str,
    project_id: &str,
) -> Result<Operation, Error> {
    let fields = key([(name!("user_id"), user_id), (name!("project_id"), project_id)]);
    upsert(documents, "UserLists", &fields, vec![add(list.counter(), 1)])
}

/// Changes a counter, which may not exist yet: `Db` plans no such update, because it never creates an item by one.
fn upsert(
    documents: &Documents,
    entity: &str,
    fields: &Item,
    mut changes: Vec<(Path, Change)>,
) -> Result<Operation, Error> {
    let key = hansang_core::write::key(documents.db.entity(entity)?, fields)?;
    let now = time(documents.now());
    changes.extend(fields.iter().map(|(name, value)| set(name.clone(), value.clone())));
    changes.push((path(name!("created_at")), Change::SetIfAbsent(now.clone())));
    changes.push(set(name!("updated_at"), now));
    Ok(Operation::Write(Write { key, action: Action::Update(changes), guards: Guards::default() }))
}

/// The stamp of the list of projects. The list comes from an index, which may lag behind the counter.
pub(crate) async fn stamp_of_projects(documents: &Documents) -> Result<Stamp, Error> {
    #[derive(Deserialize)]
    struct Lists {
        projects: u64,
        projects_at: Timestamp,
    }
    let Some(record) = documents.db.get("ProjectLists", &Item::new(), &strong()).await? else {
        return Ok(Stamp { number: 0, keep: true });
    };
    let lists: Lists = record.typed()?;
    let keep = documents.now().duration_since(lists.projects_at) >= SETTLED;
    Ok(Stamp { number: lists.projects, keep })
}

/// The stamp of a list of a user, which comes from the table by strong reads.
pub(crate) async fn stamp_of_user(
    documents: &Documents,
    list: UserList,
    user_id: &str,
    project_id: &str,
) -> Result<Stamp, Error> {
    let key = key([(name!("user_id"), user_id), (name!("project_id"), project_id)]);
    let record = documents.db.get("UserLists", &key, &strong()).await?;
    let counter = record.and_then(|record| record.fields.get(&list.counter())?.as_number()?.to_i64());
    Ok(Stamp { number: counter.and_then(|count| u64::try_from(count).ok()).unwrap_or_default(), keep: true })
}
