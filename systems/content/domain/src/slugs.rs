//! Slugs of posts. A slug stays with the post that had it first, so that old links lead to it; a deleted post loses it to the
//! next one that wants it.

use hansang_core::db::Operation;
use hansang_core::plan::{Condition, Guard, Reason};
use hansang_core::{Error, Item, message, name};

use crate::post::strong;
use crate::{Content, ContentCode, Post, PostText, find_post, messages, numbered, slug};

/// The number of attempts to find a free slug with a number.
const ATTEMPTS: usize = 100;

/// The slug that a text is published with, and the write that reserves it.
pub(crate) async fn claim(
    content: &Content,
    post: &Post,
    text: &PostText,
) -> Result<(String, Option<Operation>), Error> {
    let taken = || Error::conflict(ContentCode::SlugTaken, message!(messages::SLUG_TAKEN));
    if let Some(chosen) = &text.slug {
        return match holder(content, chosen).await? {
            Holder::None => Ok((chosen.clone(), Some(reserve(chosen, &post.id)))),
            Holder::Gone(id) => Ok((chosen.clone(), Some(take_over(chosen, &id, &post.id)))),
            Holder::Post(id) if id == post.id => Ok((chosen.clone(), None)),
            Holder::Post(_) => Err(taken()),
        };
    }
    let base = slug(&text.title).unwrap_or_else(|| post.id.to_lowercase());
    for number in 1..=ATTEMPTS {
        let slug = if number == 1 { base.clone() } else { numbered(&base, number) };
        let write = match holder(content, &slug).await? {
            Holder::None => Some(reserve(&slug, &post.id)),
            Holder::Gone(id) => Some(take_over(&slug, &id, &post.id)),
            Holder::Post(id) if id == post.id => None,
            Holder::Post(_) => continue,
        };
        return Ok((slug, write));
    }
    Err(taken())
}

/// The id of the post that a slug names or named.
pub(crate) async fn owner(content: &Content, slug: &str) -> Result<Option<String>, Error> {
    let key = Item::from([(name!("slug"), slug.into())]);
    let found = content.db.get("PostSlug", &key, &strong()).await?;
    Ok(found.and_then(|record| record.text("id").map(str::to_owned)))
}

/// The post that a slug belongs to.
enum Holder {
    None,
    /// The post was deleted.
    Gone(String),
    Post(String),
}

async fn holder(content: &Content, slug: &str) -> Result<Holder, Error> {
    let Some(id) = owner(content, slug).await? else { return Ok(Holder::None) };
    match find_post(content, &id).await {
        Err(error) if error.code == ContentCode::PostUnknown => Ok(Holder::Gone(id)),
        // Also a post that cannot be read has its address.
        _ => Ok(Holder::Post(id)),
    }
}

pub(crate) fn reserve(slug: &str, id: &str) -> Operation {
    let fields = Item::from([(name!("slug"), slug.into()), (name!("id"), id.into())]);
    Operation::Create { entity: name!("PostSlug"), fields, guards: Vec::new() }
}

/// The write that gives a slug of a deleted post to another one.
fn take_over(slug: &str, from: &str, to: &str) -> Operation {
    let fields = Item::from([(name!("slug"), slug.into()), (name!("id"), to.into())]);
    let (entity, guards) = (name!("PostSlug"), vec![belongs(from)]);
    Operation::Put { entity, fields, expected_version: None, guards }
}

/// The write that frees a slug of a post.
pub(crate) fn free(slug: &str, id: &str) -> Operation {
    let key = Item::from([(name!("slug"), slug.into())]);
    let guards = vec![belongs(id)];
    Operation::Delete { entity: name!("PostSlug"), key, expected_version: None, guards }
}

/// The guard that a slug is that of a post.
fn belongs(id: &str) -> Guard {
    let taken = Error::conflict(ContentCode::SlugTaken, message!(messages::SLUG_TAKEN));
    Guard { condition: Condition::unchanged(&name!("id"), Some(&id.into())), otherwise: Reason::Other(taken) }
}
