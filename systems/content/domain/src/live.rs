//! The lists of published posts: by publishing time for the site and for each category, and by their ends. The notes of what
//! has changed for visitors.

use hansang_core::db::Operation;
use hansang_core::kind::time::Precision;
use hansang_core::plan::{Action, Guards, Write};
use hansang_core::{Error, Item, Name, Value, name, write};
use jiff::Timestamp;

use crate::webhooks::{Event, event};
use crate::{Content, Post};

/// The list of the whole site.
pub(crate) const ALL: &str = "ALL";

/// The position of a published post in the lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Live<'p> {
    pub(crate) id: &'p str,
    pub(crate) category_id: &'p str,
    pub(crate) publish_at: Timestamp,
    pub(crate) ends_at: Option<Timestamp>,
}

impl<'p> Live<'p> {
    /// The position of a post; none if it is not published. Posts that are older than these lists have no time of
    /// publishing, and are not listed until [`crate::relist_post`].
    pub(crate) fn of(post: &'p Post) -> Option<Self> {
        let publish_at = post.publish_at.filter(|_| post.is_published())?;
        let ends_at = post.expires_at.and_then(|second| Timestamp::from_second(second).ok());
        Some(Self { id: &post.id, category_id: &post.category_id, publish_at, ends_at })
    }

    /// The items of the lists, by the fields of their keys.
    pub(crate) fn items(&self) -> Vec<(Name, Item)> {
        let listed = |scope: &str| {
            let key = Item::from([
                (name!("scope"), scope.into()),
                (name!("publishAt"), Value::from(time(self.publish_at))),
                (name!("id"), self.id.into()),
            ]);
            (name!("LivePost"), key)
        };
        let mut items = vec![listed(ALL), listed(self.category_id)];
        items.extend(self.ends_at.map(|end| {
            let key = Item::from([(name!("endsAt"), time(end).into()), (name!("id"), self.id.into())]);
            (name!("PostEnd"), key)
        }));
        items
    }
}

/// The writes that move a post in the lists.
pub(crate) fn relist(
    content: &Content,
    before: Option<&Live<'_>>,
    after: Option<&Live<'_>>,
) -> Result<Vec<Operation>, Error> {
    if before == after {
        return Ok(Vec::new());
    }
    let kept = after.map(Live::items).unwrap_or_default();
    let mut operations = Vec::new();
    for (entity, key) in before.map(Live::items).unwrap_or_default() {
        if !kept.iter().any(|(of, other)| *of == entity && *other == key) {
            // Without a condition: posts that other programs wrote may not be listed.
            let key = write::key(content.db.entity(&entity)?, &key)?;
            let delete = Write { key, action: Action::Delete, guards: Guards::default() };
            operations.push(Operation::Write(delete));
        }
    }
    for (entity, mut fields) in kept {
        if entity == name!("LivePost") {
            fields.insert(name!("categoryId"), after.map_or("", |live| live.category_id).into());
        }
        operations.push(Operation::Put { entity, fields, expected_version: None, guards: Vec::new() });
    }
    Ok(operations)
}

/// The note that a post has changed for visitors.
pub(crate) fn changed(content: &Content, id: &str) -> Operation {
    let fields = Item::from([(name!("at"), time(content.now()).into()), (name!("id"), id.into())]);
    Operation::Put { entity: name!("PostChange"), fields, expected_version: None, guards: Vec::new() }
}

/// The writes that tell of a post that visitors see from its time of publishing on.
pub(crate) fn announce(content: &Content, live: &Live<'_>) -> Vec<Operation> {
    let mut operations =
        vec![changed(content, live.id), event(content, Event::PostPublished, live.id, Some(live.publish_at))];
    operations.extend(live.ends_at.map(|end| event(content, Event::PostUnpublished, live.id, Some(end))));
    operations
}

/// The writes that tell of a post that is taken away from visitors.
pub(crate) fn withdraw(content: &Content, post: &Post) -> Vec<Operation> {
    let seen = post.is_visible(content.now());
    let seen = seen.then(|| event(content, Event::PostUnpublished, &post.id, None));
    std::iter::once(changed(content, &post.id)).chain(seen).collect()
}

/// A time as it is stored.
pub(crate) fn time(at: Timestamp) -> String {
    Precision::Seconds.format(at).to_string()
}
