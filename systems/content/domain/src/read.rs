//! Posts as visitors see them: decided by the time of reading.

use hansang_core::db::Ask;
use hansang_core::{Error, Item, Record, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::live::{ALL, time};
use crate::post::{Post, key};
use crate::slugs::owner;
use crate::{Content, ContentCode, banners, find_post, messages};

/// The number of posts of a page without a limit.
const PAGE: u32 = 50;

/// A page of posts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostPage {
    /// The posts, newest first by publishing time.
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
}

/// The visible posts of the site or of a category, newest first by publishing time.
///
/// # Errors
/// An invalid cursor or limit.
pub async fn published(content: &Content, category_id: Option<&str>, ask: Ask) -> Result<PostPage, Error> {
    let now = content.now();
    // A cursor belongs to the exact arguments of its first page, whose time it carries.
    let carried = ask.cursor.as_deref().and_then(|cursor| cursor.split_once('.'));
    let carried = carried.and_then(|(to, rest)| Some((Timestamp::from_second(to.parse().ok()?).ok()?, rest)));
    let (to, mut cursor) = match carried {
        Some((to, rest)) => (to, Some(rest.to_owned())),
        None => (now, ask.cursor.clone()),
    };
    let arguments =
        Item::from([(name!("scope"), category_id.unwrap_or(ALL).into()), (name!("to"), time(to).into())]);
    let limit = ask.limit.unwrap_or(PAGE);
    let mut posts: Vec<Post> = Vec::new();
    loop {
        // Posts that have ended stay in the list until the next purge: others take their places.
        let missing = limit.saturating_sub(u32::try_from(posts.len()).unwrap_or(u32::MAX));
        let ask = Ask { limit: Some(missing), cursor, ..ask.clone() };
        let page = content.db.query("livePosts", arguments.clone(), ask).await?;
        posts.extend(listed(content, &page.records).await?.into_iter().filter(|post| post.is_visible(now)));
        cursor = page.next;
        if cursor.is_none() || posts.len() >= limit as usize {
            let next = cursor.map(|cursor| format!("{}.{cursor}", to.as_second()));
            return Ok(PostPage { posts, next });
        }
    }
}

/// The posts of positions in a list.
pub(crate) async fn listed(content: &Content, records: &[Record]) -> Result<Vec<Post>, Error> {
    let listed: Vec<Listed> = records.iter().filter_map(|record| record.typed().ok()).collect();
    let keys: Vec<Item> = listed.iter().map(|listed| key(&listed.category_id, &listed.id)).collect();
    let found = content.db.batch_get("Post", &keys, &crate::post::strong()).await?;
    Ok(found.iter().flatten().filter_map(|record| Post::of(record).ok()).collect())
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

/// The next time at which what visitors see changes by itself: a post or a banner appears or disappears. Caches of pages,
/// lists and feeds end there. It may name the end of a post that was hidden before; then a cache ends too early, never late.
///
/// # Errors
/// When the store fails.
pub async fn next_change(content: &Content) -> Result<Option<Timestamp>, Error> {
    let now = content.now();
    let scope = Item::from([(name!("scope"), ALL.into())]);
    let published = next_time(content, "livePosts", scope, "publishAt", now).await?;
    let ended = next_time(content, "postEnds", Item::new(), "endsAt", now).await?;
    let banners = banners(content).await?.iter().filter_map(|banner| banner.next_change(now)).min();
    Ok([published, ended, banners].into_iter().flatten().min())
}

/// The first time behind now in a list that is sorted by it.
async fn next_time(
    content: &Content,
    pattern: &str,
    mut arguments: Item,
    field: &str,
    now: Timestamp,
) -> Result<Option<Timestamp>, Error> {
    let from = now + SignedDuration::from_secs(1);
    arguments.insert(name!("from"), time(from).into());
    let ask = Ask { descending: Some(false), limit: Some(1), consistent: Some(true), ..Ask::default() };
    let page = content.db.query(pattern, arguments, ask).await?;
    Ok(page.records.first().and_then(|record| record.text(field)?.parse().ok()))
}

fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::PostUnknown, message!(messages::POST_UNKNOWN, id))
}
