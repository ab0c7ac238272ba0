//! Moving a post to another category, which changes its key, and deleting it.

use hansang_core::db::Operation;
use hansang_core::{Error, Item, name};

use crate::categories::{count_post, known};
use crate::live::{Live, relist};
use crate::post::Post;
use crate::posts::{change, changed, commit_post, delete_draft, unchanged};
use crate::slugs::free;
use crate::{Content, working};

/// Moves a post to another category: its id and its time of creation stay.
///
/// # Errors
/// An unknown category, or `busy`.
pub async fn move_post(content: &Content, id: &str, category_id: &str) -> Result<Post, Error> {
    let moved = change(content, id, None, |now, next| {
        if now.post.category_id == category_id {
            return Ok(Vec::new());
        }
        let changes =
            Item::from([(name!("categoryId"), category_id.into()), (name!("revision"), next.into())]);
        let relocate = Operation::Relocate {
            entity: name!("Post"),
            key: now.post.key(),
            changes,
            expected_version: None,
            guards: vec![unchanged(&now.post)],
        };
        let mut operations =
            vec![relocate, count_post(category_id, 1), count_post(&now.post.category_id, -1)];
        let before = Live::of(&now.post);
        let after = before.clone().map(|live| Live { category_id, ..live });
        operations.extend(relist(before.as_ref(), after.as_ref()));
        Ok(operations)
    });
    moved.await.map(|working| working.post).map_err(|error| known(error, category_id))
}

/// Deletes a post and its draft. Its versions stay.
///
/// # Errors
/// `post_changed` for an older revision.
pub async fn delete_post(content: &Content, id: &str, revision: i64) -> Result<(), Error> {
    let now = working(content, id).await?;
    if now.post.revision != revision {
        return Err(changed());
    }
    let delete = Operation::Delete {
        entity: name!("Post"),
        key: now.post.key(),
        expected_version: None,
        guards: vec![unchanged(&now.post)],
    };
    let mut operations = vec![delete, count_post(&now.post.category_id, -1)];
    operations.extend(relist(Live::of(&now.post).as_ref(), None));
    operations.extend(now.draft.is_some().then(|| delete_draft(id)));
    operations.extend(now.post.text.slug.as_deref().filter(|_| now.post.publish_at.is_some()).map(free));
    commit_post(content, operations).await
}
