//! Banners of the front page: in order, each shown in its period.

use hansang_core::db::Operation;
use hansang_core::{Error, Item, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::edit::{Check, Fields, all, commit_known, item, optional, put_in_order, remove, replace};
use crate::live::time;
use crate::post::{of_id, strong};
use crate::posts::commit;
use crate::uses::{Owner, relink};
use crate::{Content, ContentCode, media_of_link, messages};

/// The part of a banner that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BannerText {
    /// The title.
    #[serde(default)]
    pub title: String,
    /// The description.
    pub desc: Option<String>,
    /// The address of the picture.
    #[serde(default)]
    pub img_uri: String,
    /// The text of the first button.
    pub btn1_text: Option<String>,
    /// The link of the first button.
    pub btn1_url: Option<String>,
    /// The text of the second button.
    pub btn2_text: Option<String>,
    /// The link of the second button.
    pub btn2_url: Option<String>,
    /// The time from which it is shown; at once without one.
    pub publish_at: Option<Timestamp>,
    /// The second since 1970 from which it is not shown.
    pub expires_at: Option<i64>,
}

/// A banner.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Banner {
    /// The id.
    pub id: String,
    /// The part that is edited.
    #[serde(flatten)]
    pub text: BannerText,
    /// The position, the lowest first.
    pub order: Option<i64>,
    /// The number of changes.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
}

impl Banner {
    /// Whether visitors see it at a time.
    #[must_use]
    pub fn is_visible(&self, now: Timestamp) -> bool {
        self.text.publish_at.is_none_or(|at| at <= now)
            && self.text.expires_at.is_none_or(|second| second > now.as_second())
    }

    /// The next time at which it appears or disappears.
    pub(crate) fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let end = self.text.expires_at.and_then(|second| Timestamp::from_second(second).ok());
        [self.text.publish_at, end].into_iter().flatten().filter(|at| *at > now).min()
    }
}

/// All banners in order, also those that are not shown now.
///
/// # Errors
/// When the store fails.
pub async fn banners(content: &Content) -> Result<Vec<Banner>, Error> {
    let records = all(content, "banners", Item::new()).await?;
    let mut banners: Vec<Banner> = records.iter().filter_map(|record| record.typed().ok()).collect();
    banners.sort_by(|a, b| position(a).cmp(&position(b)));
    Ok(banners)
}

/// The banners that visitors see now, in order.
///
/// # Errors
/// When the store fails.
pub async fn visible_banners(content: &Content) -> Result<Vec<Banner>, Error> {
    let now = content.now();
    let banners = banners(content).await?;
    Ok(banners.into_iter().filter(|banner| banner.is_visible(now)).collect())
}

/// Finds a banner.
///
/// # Errors
/// `banner_unknown`.
pub async fn find_banner(content: &Content, id: &str) -> Result<Banner, Error> {
    let found = content.db.get("Banner", &of_id(id), &strong()).await?;
    found.ok_or_else(|| unknown(id))?.typed()
}

/// Creates a banner, behind the others.
///
/// # Errors
/// Every field that is wrong.
pub async fn create_banner(content: &Content, text: &BannerText) -> Result<Banner, Error> {
    check(text)?;
    let last = banners(content).await?.iter().filter_map(|banner| banner.order).max();
    let id = content.new_id();
    let mut created = item(fields(text));
    created.extend([
        (name!("id"), id.as_str().into()),
        (name!("order"), last.map_or(0, |last| last + 1).into()),
        (name!("revision"), 1.into()),
    ]);
    let mut operations =
        vec![Operation::Create { entity: name!("Banner"), fields: created, guards: Vec::new() }];
    operations.extend(relink(content, &Owner::Banner(&id), &[], &pictures(text)).await?);
    commit(content, operations).await?;
    find_banner(content, &id).await
}

/// Replaces the text of a banner.
///
/// # Errors
/// Every field that is wrong, `banner_unknown`, or `changed` for an older revision.
pub async fn change_banner(
    content: &Content,
    id: &str,
    text: &BannerText,
    revision: i64,
) -> Result<Banner, Error> {
    check(text)?;
    let before = find_banner(content, id).await?;
    let mut operations = vec![replace("Banner", id, fields(text), revision)];
    operations.extend(relink(content, &Owner::Banner(id), &pictures(&before.text), &pictures(text)).await?);
    commit_known(content, operations, || unknown(id)).await?;
    find_banner(content, id).await
}

/// Deletes a banner.
///
/// # Errors
/// `banner_unknown`, or `changed` for an older revision.
pub async fn delete_banner(content: &Content, id: &str, revision: i64) -> Result<(), Error> {
    let before = find_banner(content, id).await?;
    let mut operations = vec![remove("Banner", id, revision)];
    operations.extend(relink(content, &Owner::Banner(id), &pictures(&before.text), &[]).await?);
    commit_known(content, operations, || unknown(id)).await
}

/// Puts banners in this order, in one transaction. Banners that are not named keep their positions.
///
/// # Errors
/// `banner_unknown`, an id twice, or more than [`MAX_ORDERED`](crate::MAX_ORDERED).
pub async fn order_banners(content: &Content, ids: &[String]) -> Result<(), Error> {
    put_in_order(content, "Banner", ids, unknown).await
}

fn position(banner: &Banner) -> (i64, Timestamp, &str) {
    (banner.order.unwrap_or(i64::MAX), banner.created_at, &banner.id)
}

fn pictures(text: &BannerText) -> Vec<String> {
    media_of_link(&text.img_uri).into_iter().collect()
}

fn fields(text: &BannerText) -> Fields {
    vec![
        (name!("title"), Some(text.title.trim().into())),
        (name!("desc"), optional(text.desc.as_deref())),
        (name!("imgUri"), Some(text.img_uri.trim().into())),
        (name!("btn1Text"), optional(text.btn1_text.as_deref())),
        (name!("btn1Url"), optional(text.btn1_url.as_deref())),
        (name!("btn2Text"), optional(text.btn2_text.as_deref())),
        (name!("btn2Url"), optional(text.btn2_url.as_deref())),
        (name!("publishAt"), text.publish_at.map(|at| time(at).into())),
        (name!("expiresAt"), text.expires_at.map(Into::into)),
    ]
}

fn check(text: &BannerText) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("title", &text.title, 120);
    check.optional("desc", text.desc.as_deref(), 500);
    check.text("imgUri", &text.img_uri, 2000);
    check.picture("imgUri", Some(&text.img_uri));
    for (button, label, link) in
        [("btn1", &text.btn1_text, &text.btn1_url), ("btn2", &text.btn2_text, &text.btn2_url)]
    {
        check.optional(&format!("{button}Text"), label.as_deref(), 40);
        check.link(&format!("{button}Url"), link.as_deref());
    }
    let start = text.publish_at.map_or(0, Timestamp::as_second);
    if text.expires_at.is_some_and(|end| end <= start) {
        check.problem("expiresAt", message!(messages::EXPIRES_FIRST));
    }
    check.done()
}

fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::BannerUnknown, message!(messages::BANNER_UNKNOWN, id))
}
