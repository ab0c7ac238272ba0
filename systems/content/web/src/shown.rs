//! What visitors see, with the time at which it changes by itself.

use hansang_content::{Category, Content, ContentCode, next_publication};
use hansang_core::db::Ask;
use hansang_core::{Error, Item, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::messages;

/// The next time at which the site changes by itself.
///
/// # Errors
/// When the store fails.
pub(crate) async fn next_change(content: &Content) -> Result<Option<Timestamp>, Error> {
    next_publication(content).await
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

/// A banner.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Banner {
    pub(crate) title: String,
    pub(crate) desc: Option<String>,
    pub(crate) img_uri: String,
    #[serde(rename = "btn1Text")]
    pub(crate) btn1_text: Option<String>,
    #[serde(rename = "btn2Text")]
    pub(crate) btn2_text: Option<String>,
}

/// The banners that visitors see.
///
/// # Errors
/// When the store fails.
pub(crate) async fn banners(content: &Content) -> Result<Vec<Banner>, Error> {
    let page = content.db.query("banners", Item::new(), Ask::default()).await?;
    Ok(page.records.iter().filter_map(|record| record.typed().ok()).collect())
}
