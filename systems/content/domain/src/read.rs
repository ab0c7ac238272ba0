//! Posts as visitors see them: decided by the time of reading.

use hansang_core::db::Ask;
use hansang_core::{Error, Item, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::live::{ALL, time};
use crate::post::{Post, key};
use crate::slugs::owner;
use crate::{Content, ContentCode, find_post, messages};

/// A page of posts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostPage {
    /// The posts, newest first by publishing time. A page may hold fewer than its limit while more follow.
    pub posts: Vec<Post>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// The post of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addressed {
    /// The post.
    Post(Box<Post>),
    /// The post has another slug now.
    Moved(String),
}

/// The position of a post in a list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: String,
    category_id: String,
    publish_at: Timestamp,
}

/// The visible posts of the site or of a category, newest first by publishing time.
///
/// # Errors
/// An invalid cursor or limit.
pub async fn published(content: &Content, category_id: Option<&str>, ask: Ask) -> Result<PostPage, Error> {
    let now = content.now();
    let arguments =
        Item::from([(name!("scope"), category_id.unwrap_or(ALL).into()), (name!("to"), time(now).into())]);
    let page = content.db.query("livePosts", arguments, ask).await?;
    let listed: Vec<Listed> = page.records.iter().filter_map(|record| record.typed().ok()).collect();
    let keys: Vec<Item> = listed.iter().map(|listed| key(&listed.category_id, &listed.id)).collect();
    let found = content.db.batch_get("Post", &keys, &crate::post::strong()).await?;
    let posts = found.iter().flatten().filter_map(|record| Post::of(record).ok());
    Ok(PostPage { posts: posts.filter(|post| post.is_visible(now)).collect(), next: page.next })
}

/// A post, if visitors see it now. Other posts are unknown to them.
///
/// # Errors
/// `post_unknown`.
pub async fn visible_post(content: &Content, id: &str) -> Result<Post, Error> {
    let post = find_post(content, id).await?;
    if post.is_visible(content.now()) { Ok(post) } else { Err(unknown(id)) }
}

/// The visible post that a slug names, or the address that it moved to.
///
/// # Errors
/// `post_unknown`.
pub async fn post_by_slug(content: &Content, slug: &str) -> Result<Addressed, Error> {
    let id = owner(content, slug).await?.ok_or_else(|| unknown(slug))?;
    let post = visible_post(content, &id).await?;
    match &post.text.slug {
        Some(current) if current != slug => Ok(Addressed::Moved(current.clone())),
        _ => Ok(Addressed::Post(Box::new(post))),
    }
}

/// The next time at which a post of the site is published: caches of lists and feeds end there.
///
/// # Errors
/// When the store fails.
pub async fn next_publication(content: &Content) -> Result<Option<Timestamp>, Error> {
    let now = content.now();
    let arguments = Item::from([(name!("scope"), ALL.into()), (name!("from"), time(now).into())]);
    let mut cursor = None;
    loop {
        let ask = Ask { descending: Some(false), limit: Some(10), cursor, ..Ask::default() };
        let page = content.db.query("livePosts", arguments.clone(), ask).await?;
        let times = page.records.iter().filter_map(|record| record.typed::<Listed>().ok());
        if let Some(at) = times.map(|listed| listed.publish_at).find(|at| *at > now) {
            return Ok(Some(at));
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(None),
        }
    }
}

fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::PostUnknown, message!(messages::POST_UNKNOWN, id))
}
