//! Publishing: the edited text becomes the published one, now or at a time. Nothing runs at that time: readers compare it with
//! their clock.

use hansang_core::db::Operation;
use hansang_core::plan::Change;
use hansang_core::validate::violation;
use hansang_core::{CoreCode, Error, message, name};
use jiff::Timestamp;

use crate::live::{Live, announce, relist, time, withdraw};
use crate::post::{ATTEMPTS, Post, PostState, PostText, Working, busy, working};
use crate::posts::{
    Plan, change, changed, commit_post, delete_draft, first_version, path, relink_post, set, text_changes,
    touch,
};
use crate::slugs::claim;
use crate::versions::{VersionEvent, write_version};
use crate::{Content, ContentCode, messages};

/// The period in which a post is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Publication {
    /// The time of publishing. Without one a published post keeps its time, and another one is published now.
    pub publish_at: Option<Timestamp>,
    /// The time from which it is not shown.
    pub expires_at: Option<Timestamp>,
}

/// Publishes the edited text of a post.
///
/// # Errors
/// `post_changed` for an older revision, a slug of another post, a period that ends before it starts, or a later time for a
/// post that visitors see: it has one time of publishing, so they would see neither text until then.
pub async fn publish_post(
    content: &Content,
    by: &str,
    id: &str,
    publication: Publication,
    revision: i64,
) -> Result<Post, Error> {
    for _ in 0..ATTEMPTS {
        let now = working(content, id).await?;
        if now.post.revision != revision {
            return Err(changed());
        }
        let instant = content.now();
        let publish_at = match publication.publish_at {
            Some(at) => at,
            None if now.post.is_published() => now.post.published_at(),
            None => instant,
        };
        if publish_at > instant && now.post.is_visible(instant) {
            return Err(Error::fields(vec![violation("publishAt", message!(messages::WOULD_HIDE))]));
        }
        if publication.expires_at.is_some_and(|end| end <= publish_at) {
            return Err(Error::invalid(ContentCode::PublicationInvalid, message!(messages::EXPIRES_FIRST)));
        }
        let (slug, reserve) = claim(content, &now.post, now.text()).await?;
        let text = PostText { slug: Some(slug), ..now.text().clone() };
        let mut operations =
            operations(content, by, &now, &text, publish_at, publication.expires_at, reserve)?;
        operations.extend(relink_post(content, &now, &[&text]).await?);
        operations.extend(first_version(&now.post)?);
        match commit_post(content, operations).await {
            Ok(()) => {
                content.staged.notify_one();
                return Ok(working(content, id).await?.post);
            }
            // Another post took the slug meanwhile.
            Err(error)
                if error.code == CoreCode::AlreadyExists
                    || error.code == CoreCode::Contended
                    || error.code == ContentCode::SlugTaken => {}
            Err(error) => return Err(error),
        }
    }
    Err(busy())
}

fn operations(
    content: &Content,
    by: &str,
    now: &Working,
    text: &PostText,
    publish_at: Timestamp,
    expires_at: Option<Timestamp>,
    reserve: Option<Operation>,
) -> Result<Vec<Operation>, Error> {
    let id = &*now.post.id;
    let mut changes = text_changes(text);
    changes.push(set(name!("state"), PostState::Published.name()));
    changes.push(set(name!("publishAt"), time(publish_at)));
    changes.push(match expires_at {
        Some(end) => set(name!("expiresAt"), end.as_second()),
        None => (path(name!("expiresAt")), Change::Remove),
    });
    if !now.post.is_published() || *text != now.post.text {
        changes.push(set(name!("textAt"), time(content.now())));
    }
    let mut operations = vec![
        touch(now, changes),
        write_version(id, now.post.revision + 1, VersionEvent::Published, by, text)?,
    ];
    let ends_at = expires_at;
    let listed = Live { id, category_id: &now.post.category_id, publish_at, ends_at };
    operations.extend(relist(content, Live::of(&now.post).as_ref(), Some(&listed))?);
    operations.extend(announce(content, &listed));
    operations.extend(now.draft.is_some().then(|| delete_draft(id)));
    operations.extend(reserve);
    Ok(operations)
}

/// Takes a post back. The edited text, if there is one, becomes its text.
///
/// # Errors
/// `post_changed` for an older revision.
pub async fn unpublish_post(content: &Content, by: &str, id: &str, revision: i64) -> Result<Working, Error> {
    change(content, id, Some(revision), |now, next| {
        // The slug stays with the post, so that it is published at the same address again.
        let slug = now.text().slug.clone().or_else(|| now.post.text.slug.clone());
        let text = PostText { slug, ..now.text().clone() };
        let mut changes = text_changes(&text);
        changes.push(set(name!("state"), PostState::Draft.name()));
        changes.push((path(name!("publishAt")), Change::Remove));
        changes.push((path(name!("expiresAt")), Change::Remove));
        changes.push((path(name!("textAt")), Change::Remove));
        let mut operations =
            vec![touch(now, changes), write_version(id, next, VersionEvent::Unpublished, by, &text)?];
        operations.extend(relist(content, Live::of(&now.post).as_ref(), None)?);
        operations
            .extend(now.post.is_published().then(|| withdraw(content, &now.post)).into_iter().flatten());
        operations.extend(now.draft.is_some().then(|| delete_draft(id)));
        Ok(Plan { operations, texts: Some(vec![text]) })
    })
    .await
}
