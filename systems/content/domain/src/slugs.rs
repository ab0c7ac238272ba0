//! Slugs of posts. A slug stays with the post that had it first, so that old links lead to it.

use hansang_core::db::Operation;
use hansang_core::{Error, Item, message, name};

use crate::post::strong;
use crate::{Content, ContentCode, Post, PostText, messages, numbered, slug};

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
        return match owner(content, chosen).await? {
            None => Ok((chosen.clone(), Some(reserve(chosen, &post.id)))),
            Some(id) if id == post.id => Ok((chosen.clone(), None)),
            Some(_) => Err(taken()),
        };
    }
    let base = slug(&text.title).unwrap_or_else(|| post.id.to_lowercase());
    for number in 1..=ATTEMPTS {
        let slug = if number == 1 { base.clone() } else { numbered(&base, number) };
        match owner(content, &slug).await? {
            None => {
                let reserve = reserve(&slug, &post.id);
                return Ok((slug, Some(reserve)));
            }
            Some(id) if id == post.id => return Ok((slug, None)),
            Some(_) => {}
        }
    }
    Err(taken())
}

/// The id of the post that a slug names or named.
pub(crate) async fn owner(content: &Content, slug: &str) -> Result<Option<String>, Error> {
    let key = Item::from([(name!("slug"), slug.into())]);
    let found = content.db.get("PostSlug", &key, &strong()).await?;
    Ok(found.and_then(|record| record.text("id").map(str::to_owned)))
}

pub(crate) fn reserve(slug: &str, id: &str) -> Operation {
    let fields = Item::from([(name!("slug"), slug.into()), (name!("id"), id.into())]);
    Operation::Create { entity: name!("PostSlug"), fields, guards: Vec::new() }
}

/// The write that frees a slug.
pub(crate) fn free(slug: &str) -> Operation {
    let key = Item::from([(name!("slug"), slug.into())]);
    Operation::Delete { entity: name!("PostSlug"), key, expected_version: None, guards: Vec::new() }
}
