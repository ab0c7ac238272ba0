//! Where media are used: written in the transaction of what begins or ceases to show them.

use std::collections::BTreeSet;

use hansang_core::db::Operation;
use hansang_core::kind::text::is_ulid;
use hansang_core::validate::violation;
use hansang_core::{Error, Item, message, name, names};
use serde::Deserialize;

use crate::edit::all;
use crate::media::is_ready;
use crate::post::{of_id, strong};
use crate::{Content, PostText, messages};

/// The maximum number of writes for media in one transaction, beside those of the post itself.
const MAX_WRITES: usize = 84;

names! {
    /// The kind of thing that shows a medium.
    pub enum UseKind {
        /// The text of a post or its draft.
        Post = "post",
        /// A banner.
        Banner = "banner",
        /// The picture of a user.
        User = "user",
    }
}

/// Something that shows a medium.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MediaUse {
    /// The kind.
    pub kind: UseKind,
    /// The id.
    pub of: String,
}

/// The owner of a use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owner<'o> {
    Post(&'o str),
    Banner(&'o str),
    User(&'o str),
}

/// Everything that shows a medium.
///
/// # Errors
/// When the store fails.
pub async fn media_uses(content: &Content, id: &str) -> Result<Vec<MediaUse>, Error> {
    let records = all(content, "mediaUses", Item::from([(name!("mediaId"), id.into())])).await?;
    Ok(records.iter().filter_map(|record| record.typed().ok()).collect())
}

/// The id of the medium that a link leads to: `/media/{id}/…`, with or without a host.
#[must_use]
pub fn media_of_link(link: &str) -> Option<String> {
    media_in(link).next().map(str::to_owned)
}

/// The media that a post shows.
pub(crate) fn media_of_text(text: &PostText) -> BTreeSet<String> {
    let thumbnail = text.thumbnail_url.as_deref().unwrap_or_default();
    media_in(&text.contents).chain(media_in(thumbnail)).map(str::to_owned).collect()
}

fn media_in(text: &str) -> impl Iterator<Item = &str> {
    text.split("/media/").skip(1).filter_map(|rest| rest.get(..26)).filter(|id| is_ulid(id))
}

/// The writes after which the owner uses `after` instead of `before`. Links to media that do not exist are no uses.
pub(crate) async fn relink(
    content: &Content,
    owner: &Owner<'_>,
    before: &[String],
    after: &[String],
) -> Result<Vec<Operation>, Error> {
    let touched: BTreeSet<&String> = before.iter().chain(after).collect();
    let touched: Vec<&String> =
        touched.into_iter().filter(|id| before.contains(id) != after.contains(id)).collect();
    if touched.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<Item> = touched.iter().map(|id| owner.key(id)).collect();
    let used = content.db.batch_get("MediaUse", &keys, &strong()).await?;
    let ids: Vec<Item> = touched.iter().map(|id| of_id(id)).collect();
    let existing = content.db.batch_get("Media", &ids, &strong()).await?;
    let mut operations = Vec::new();
    for (((id, key), used), media) in touched.into_iter().zip(keys).zip(used).zip(existing) {
        match (after.contains(id), used.is_some(), media.is_some()) {
            (true, false, true) => {
                let guards = vec![is_ready(id)];
                operations.push(Operation::Check { entity: name!("Media"), key: of_id(id), guards });
                let (entity, guards) = (name!("MediaUse"), Vec::new());
                operations.push(Operation::Create { entity, fields: key, guards });
            }
            (false, true, _) => operations.push(Operation::Delete {
                entity: name!("MediaUse"),
                key,
                expected_version: None,
                guards: Vec::new(),
            }),
            _ => {}
        }
    }
    if operations.len() > MAX_WRITES {
        let most = MAX_WRITES / 3;
        return Err(Error::fields(vec![violation("contents", message!(messages::TOO_MANY_PICTURES, most))]));
    }
    Ok(operations)
}

impl Owner<'_> {
    fn key(&self, media_id: &str) -> Item {
        let (kind, of) = match self {
            Self::Post(id) => (UseKind::Post, *id),
            Self::Banner(id) => (UseKind::Banner, *id),
            Self::User(id) => (UseKind::User, *id),
        };
        Item::from([
            (name!("mediaId"), media_id.into()),
            (name!("kind"), kind.name().into()),
            (name!("of"), of.into()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_are_found_in_texts() {
        let (one, two) = ("01JD3Q0V8B5X9K2M4N6P7R8S9T", "01JD3Q0V8B5X9K2M4N6P7R8S9V");
        let contents = format!(
            "![a](/media/{one}/640.webp) <img src=\"https://site.example/media/{two}/original.png\">"
        );
        let text = PostText {
            contents,
            thumbnail_url: Some(format!("/media/{one}/320.webp")),
            ..PostText::default()
        };
        assert_eq!(media_of_text(&text).into_iter().collect::<Vec<_>>(), [one, two]);
        assert_eq!(media_of_link("/media/none"), None);
        assert_eq!(media_of_link("/media/한글한글한글한글한글"), None);
    }
}
