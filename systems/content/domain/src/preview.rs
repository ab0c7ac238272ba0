//! Links to texts that are not published. The link holds a token; the store holds its hash alone.

use std::time::Duration;

use hansang_core::{CoreCode, Error, Item, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::edit::all;
use crate::hook::hex;
use crate::live::time;
use crate::post::{of_id, strong};
use crate::{Content, ContentCode, Post, PostText, find_post, messages, working};

/// The maximum lifetime of a link.
const MAX_LIFETIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// A link that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPreview {
    /// The secret of the link, which cannot be read again.
    pub token: String,
    /// The time from which the link does not work.
    pub ends_at: Timestamp,
}

/// What a link shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previewed {
    /// The post.
    pub post: Post,
    /// Its edited text.
    pub text: PostText,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    hash: String,
    ends_at: Timestamp,
}

/// Makes a link that shows the edited text of a post for a time of at most 30 days. Links that have expired are deleted.
///
/// # Errors
/// `post_unknown`.
pub async fn create_preview(
    content: &Content,
    by: &str,
    id: &str,
    lifetime: Duration,
) -> Result<NewPreview, Error> {
    find_post(content, id).await?;
    let now = content.now();
    for stored in stored(content, id).await?.iter().filter(|stored| stored.ends_at <= now) {
        delete(content, id, &stored.hash).await?;
    }
    let token = hex(&content.db.clock().moment().random.to_be_bytes());
    let lifetime = SignedDuration::try_from(lifetime.min(MAX_LIFETIME)).unwrap_or_default();
    let ends_at = now + lifetime;
    let mut fields = key(id, &hash(&token));
    fields.extend([(name!("by"), by.into()), (name!("endsAt"), time(ends_at).into())]);
    content.db.create("Preview", fields).await?;
    Ok(NewPreview { token, ends_at })
}

/// The edited text of a post, for a reader whose link has not expired.
///
/// # Errors
/// `preview_unknown`.
pub async fn previewed_post(content: &Content, id: &str, token: &str) -> Result<Previewed, Error> {
    let unknown = || Error::not_found(ContentCode::PreviewUnknown, message!(messages::PREVIEW_UNKNOWN));
    // An id from an address may be none that a key can have.
    let Ok(found) = content.db.get("Preview", &key(id, &hash(token)), &strong()).await else {
        return Err(unknown());
    };
    let stored: Stored = found.ok_or_else(unknown)?.typed()?;
    if stored.ends_at <= content.now() {
        return Err(unknown());
    }
    match working(content, id).await {
        Ok(now) => Ok(Previewed { text: now.text().clone(), post: now.post }),
        Err(error) if error.code == ContentCode::PostUnknown => Err(unknown()),
        Err(error) => Err(error),
    }
}

/// Makes every link of a post stop working. Returns the number of links.
///
/// # Errors
/// When the store fails.
pub async fn revoke_previews(content: &Content, id: &str) -> Result<usize, Error> {
    let links = stored(content, id).await?;
    for stored in &links {
        delete(content, id, &stored.hash).await?;
    }
    Ok(links.len())
}

async fn stored(content: &Content, id: &str) -> Result<Vec<Stored>, Error> {
    let records = all(content, "previews", of_id(id)).await?;
    Ok(records.iter().filter_map(|record| record.typed().ok()).collect())
}

async fn delete(content: &Content, id: &str, hash: &str) -> Result<(), Error> {
    match content.db.delete("Preview", key(id, hash), None).await {
        Err(error) if error.code == CoreCode::NotFound => Ok(()),
        other => other,
    }
}

fn key(id: &str, hash: &str) -> Item {
    Item::from([(name!("id"), id.into()), (name!("hash"), hash.into())])
}

fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}
