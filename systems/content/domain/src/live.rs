//! The lists of published posts by publishing time: one of the site, one of each category.

use hansang_core::db::Operation;
use hansang_core::kind::time::Precision;
use hansang_core::{Item, Value, name};
use jiff::Timestamp;

use crate::Post;

/// The list of the whole site.
pub(crate) const ALL: &str = "ALL";

/// The position of a published post in its two lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Live<'p> {
    pub(crate) id: &'p str,
    pub(crate) category_id: &'p str,
    pub(crate) publish_at: Timestamp,
}

impl<'p> Live<'p> {
    /// The position of a post; none if it is not published. Posts that are older than these lists have no time of
    /// publishing, and are not listed.
    pub(crate) fn of(post: &'p Post) -> Option<Self> {
        let publish_at = post.publish_at.filter(|_| post.is_published())?;
        Some(Self { id: &post.id, category_id: &post.category_id, publish_at })
    }

    pub(crate) fn key(&self, scope: &str) -> Item {
        Item::from([
            (name!("scope"), scope.into()),
            (name!("publishAt"), Value::from(time(self.publish_at))),
            (name!("id"), self.id.into()),
        ])
    }
}

/// The writes that move a post in the lists.
pub(crate) fn relist(before: Option<&Live<'_>>, after: Option<&Live<'_>>) -> Vec<Operation> {
    let mut operations = Vec::new();
    if before == after {
        return operations;
    }
    let scopes = |live: &Live<'_>| [ALL.to_owned(), live.category_id.to_owned()];
    let keys = |live: Option<&Live<'_>>| -> Vec<Item> {
        live.map(|live| scopes(live).map(|scope| live.key(&scope)).to_vec()).unwrap_or_default()
    };
    let kept = keys(after);
    for key in keys(before).into_iter().filter(|key| !kept.contains(key)) {
        operations.push(Operation::Delete {
            entity: name!("LivePost"),
            key,
            expected_version: None,
            guards: Vec::new(),
        });
    }
    for mut fields in kept {
        let category_id = after.map_or("", |live| live.category_id);
        fields.insert(name!("categoryId"), category_id.into());
        operations.push(Operation::Put {
            entity: name!("LivePost"),
            fields,
            expected_version: None,
            guards: Vec::new(),
        });
    }
    operations
}

/// A time as it is stored.
pub(crate) fn time(at: Timestamp) -> String {
    Precision::Seconds.format(at).to_string()
}
