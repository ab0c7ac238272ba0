//! Moving a post to another category, which changes its key, and deleting it.

use hansang_core::db::Operation;
use hansang_core::{Error, Item, name};

use crate::categories::{count_post, known};
use crate::live::{Live, announce, relist, withdraw};
use crate::post::Post;
use crate::posts::{Plan, change, changed, commit_post, delete_draft, relink_post, unchanged};
use crate::slugs::{free, owner};
use crate::{Content, working};

/// Moves a post to another category: its id and its time of creation stay.
///
/// # Errors
/// An unknown category, or `busy`.
pub async fn move_post(content: &Content, id: &str, category_id: &str) -> Result<Post, Error> {
    let moved = change(content, id, None, |now, next| {
        if now.post.category_id == category_id {
            return Ok(Plan::default());
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
        operations.extend(relist(content, before.as_ref(), after.as_ref())?);
        if let Some(live) = after.filter(|_| now.post.is_visible(content.now())) {
            operations.extend(announce(content, &live));
        }
        Ok(Plan { operations, texts: None })
    });
    moved.await.map(|working| working.post).map_err(|error| known(error, category_id))
}

/// Deletes a post and its draft. Its versions stay. Its addresses are free: the last one at once, older ones when another post
/// wants them.
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
    operations.extend(relist(content, Live::of(&now.post).as_ref(), None)?);
    operations.extend(now.draft.is_some().then(|| delete_draft(id)));
    operations.extend(now.post.is_published().then(|| withdraw(content, &now.post)).into_iter().flatten());
    // The text of a draft may name a slug of another post.
    if let Some(slug) = &now.post.text.slug
        && owner(content, slug).await?.is_some_and(|owner| owner == id)
    {
        operations.push(free(slug, id));
    }
    operations.extend(relink_post(content, &now, &[]).await?);
    commit_post(content, operations).await?;
    content.staged.notify_one();
    Ok(())
}
