//! What visitors see, with the time at which it changes by itself.

use hansang_content::{Category, Content, ContentCode, PostPage, next_publication, published};
use hansang_core::db::Ask;
use hansang_core::{Error, Item, message, name};
use jiff::Timestamp;

use crate::api::output::expiry;
use crate::messages;

/// A page of the posts of the site or of a category, newest first.
///
/// # Errors
/// An invalid cursor or limit.
pub(crate) async fn posts(
    content: &Content,
    category_id: Option<&str>,
    ask: Ask,
) -> Result<(PostPage, Option<Timestamp>), Error> {
    let next = next_publication(content).await?;
    let page = published(content, category_id, ask).await?;
    let ends = page.posts.iter().filter_map(expiry);
    let until = ends.chain(next).min();
    Ok((page, until))
}

/// The categories, in the order of the menu.
///
/// # Errors
/// When the store fails.
pub(crate) async fn categories(content: &Content) -> Result<Vec<Category>, Error> {
    let (mut found, mut cursor) = (Vec::<Category>::new(), None);
    loop {
        let page = content.db.query("categories", Item::new(), Ask { cursor, ..Ask::default() }).await?;
        found.extend(page.records.iter().filter_map(|record| record.typed().ok()));
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    found.sort_by(|a, b| {
        (a.order.unwrap_or(i64::MAX), &a.title).cmp(&(b.order.unwrap_or(i64::MAX), &b.title))
    });
    Ok(found)
}

/// The category of a slug or an id.
///
/// # Errors
/// `category_unknown`.
pub(crate) async fn category(content: &Content, name: &str) -> Result<Category, Error> {
    let by_slug = Item::from([(name!("slug"), name.into())]);
    let found = content.db.query("categoryBySlug", by_slug, Ask::default()).await?;
    if let Some(record) = found.records.first() {
        return record.typed();
    }
    match hansang_content::find_category(content, name).await {
        Err(error) if error.code == ContentCode::CategoryUnknown => {
            Err(Error::not_found(ContentCode::CategoryUnknown, message!(messages::NO_CATEGORY, name)))
        }
        other => other,
    }
}
