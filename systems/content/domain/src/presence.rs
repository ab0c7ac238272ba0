//! Who has a post open in an editor now.

use hansang_core::{CoreCode, Error, Item, name};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::Content;
use crate::edit::all;
use crate::live::time;
use crate::post::of_id;

/// The time for which an editor counts as present. Pages say that they are open more often than that.
const PRESENT: SignedDuration = SignedDuration::from_secs(60);
/// The time after which the item of an editor is deleted.
const FORGOTTEN: SignedDuration = SignedDuration::from_hours(24);

/// Someone who has a post open in an editor.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Editor {
    /// The account.
    pub by: String,
    /// The time at which that was last known.
    pub seen_at: Timestamp,
}

/// Notes that someone has a post open in an editor, and returns the others. A page calls this every 20 seconds.
///
/// # Errors
/// When the store fails.
pub async fn seen_editing(content: &Content, id: &str, by: &str) -> Result<Vec<Editor>, Error> {
    let mut fields = key(id, by);
    fields.insert(name!("seenAt"), time(content.now()).into());
    content.db.put("PostEditor", fields, None).await?;
    let forgotten = content.now() - FORGOTTEN;
    let editors = stored(content, id).await?;
    for old in editors.iter().filter(|editor| editor.seen_at < forgotten) {
        left_editing(content, id, &old.by).await?;
    }
    Ok(present(content, editors).filter(|editor| editor.by != by).collect())
}

/// Everyone who has a post open in an editor now.
///
/// # Errors
/// When the store fails.
pub async fn editors_of(content: &Content, id: &str) -> Result<Vec<Editor>, Error> {
    let editors = stored(content, id).await?;
    Ok(present(content, editors).collect())
}

/// Notes that someone has closed the editor of a post.
///
/// # Errors
/// When the store fails.
pub async fn left_editing(content: &Content, id: &str, by: &str) -> Result<(), Error> {
    match content.db.delete("PostEditor", key(id, by), None).await {
        Err(error) if error.code == CoreCode::NotFound => Ok(()),
        other => other,
    }
}

fn present(content: &Content, editors: Vec<Editor>) -> impl Iterator<Item = Editor> {
    let since = content.now() - PRESENT;
    editors.into_iter().filter(move |editor| editor.seen_at > since)
}

async fn stored(content: &Content, id: &str) -> Result<Vec<Editor>, Error> {
    let records = all(content, "postEditors", of_id(id)).await?;
    Ok(records.iter().filter_map(|record| record.typed().ok()).collect())
}

fn key(id: &str, by: &str) -> Item {
    Item::from([(name!("id"), id.into()), (name!("by"), by.into())])
}
