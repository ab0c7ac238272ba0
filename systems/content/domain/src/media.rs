//! The media library: pictures and documents. Their files are behind the port [`Files`](hansang_core::files::Files).
//!
//! A medium is stored before its files and deleted after them, so a crash leaves an item that [`purge_media`] finishes, and
//! never a file that nothing names. It is not deleted while something shows it: deleting marks it first, and whatever
//! begins to show a medium checks the mark in its own transaction.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::db::{Ask, GetOptions, Operation};
use hansang_core::files::Files;
use hansang_core::plan::{Change, Condition, Guard, Reason};
use hansang_core::value::to_item;
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Value, message, name, names};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::edit::{Check, all, commit_known, optional, replace, same_revision};
use crate::post::{of_id, strong};
use crate::posts::{commit, path, set};
use crate::{Content, ContentCode, messages};

/// The time after which an upload that was not finished is deleted.
const ABANDONED: SignedDuration = SignedDuration::from_hours(24);

names! {
    /// The state of a medium.
    pub enum MediaState {
        /// Its files are being stored.
        Uploading = "uploading",
        /// It can be used.
        Ready = "ready",
        /// Its files are being deleted.
        Deleting = "deleting",
    }
}

/// A file of a picture in one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// The name of the file: the medium's address is `/media/{id}/{name}`.
    pub name: String,
    /// The type.
    pub content_type: String,
    /// The number of bytes.
    pub size: i64,
    /// The width in pixels.
    pub width: i64,
    /// The height in pixels.
    pub height: i64,
}

/// A picture or a document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// The id.
    pub id: String,
    /// The name of the uploaded file.
    pub filename: String,
    /// The type, as its first bytes tell.
    pub content_type: String,
    /// The number of bytes of the original.
    pub size: i64,
    /// The width of a picture in pixels.
    pub width: Option<i64>,
    /// The height of a picture in pixels.
    pub height: Option<i64>,
    /// What the picture shows.
    pub alt: Option<String>,
    /// The focal point in percent from the left.
    pub focus_x: Option<i64>,
    /// The focal point in percent from the top.
    pub focus_y: Option<i64>,
    /// Smaller sizes, the smallest first.
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// The state.
    pub state: MediaState,
    /// Who uploaded it.
    pub by: String,
    /// The number of changes.
    #[serde(default)]
    pub revision: i64,
    /// The time it was uploaded.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
}

impl Media {
    /// The name of the file with the original: `original.jpg`.
    #[must_use]
    pub fn original(&self) -> String {
        format!("original.{}", extension(&self.content_type))
    }

    /// The path of the original in the site.
    #[must_use]
    pub fn path(&self) -> String {
        media_path(&self.id, &self.original())
    }

    /// The type of a file of the medium; `None` if it has no such file.
    #[must_use]
    pub fn type_of(&self, name: &str) -> Option<&str> {
        if name == self.original() {
            return Some(&self.content_type);
        }
        self.variants.iter().find(|variant| variant.name == name).map(|variant| &*variant.content_type)
    }

    fn files(&self) -> impl Iterator<Item = String> {
        let variants = self.variants.iter().map(|variant| variant.name.clone());
        std::iter::once(self.original()).chain(variants).map(|name| file_key(&self.id, &name))
    }
}

/// A medium whose files are about to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMedia {
    /// The name of the uploaded file.
    pub filename: String,
    /// The type.
    pub content_type: String,
    /// The number of bytes.
    pub size: i64,
    /// The width and height of a picture.
    pub pixels: Option<(i64, i64)>,
    /// What the picture shows.
    pub alt: Option<String>,
    /// The sizes that will be stored.
    pub variants: Vec<Variant>,
}

/// The part of a medium that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaText {
    /// The file name.
    pub filename: String,
    /// What the picture shows.
    pub alt: Option<String>,
    /// The focal point in percent from the left and from the top.
    pub focus: Option<(i64, i64)>,
}

/// A page of media.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaPage {
    /// The media, newest first. A page may hold fewer than its limit while more follow.
    pub media: Vec<Media>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// The path of a file of a medium in the site.
#[must_use]
pub fn media_path(id: &str, name: &str) -> String {
    format!("/media/{id}/{name}")
}

/// The key of a file of a medium in [`Files`].
#[must_use]
pub fn file_key(id: &str, name: &str) -> String {
    format!("{id}/{name}")
}

/// The end of a file name for a type that can be uploaded.
#[must_use]
pub fn extension(content_type: &str) -> &'static str {
    match content_type {
        "image/jpeg" => "jpg",
        "image/png" => "png",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "application/pdf" => "pdf",
        _ => "bin",
    }
}

/// The media that can be used, newest first.
///
/// # Errors
/// An invalid cursor or limit.
pub async fn media(content: &Content, ask: Ask) -> Result<MediaPage, Error> {
    let page = content.db.query("allMedia", Item::new(), ask).await?;
    let media = page.records.iter().filter_map(|record| record.typed::<Media>().ok());
    Ok(MediaPage { media: media.filter(|one| one.state == MediaState::Ready).collect(), next: page.next })
}

/// Finds a medium that can be used.
///
/// # Errors
/// `media_unknown`.
pub async fn find_media(content: &Content, id: &str) -> Result<Media, Error> {
    let media = load(content, id).await?.ok_or_else(|| unknown(id))?;
    if media.state == MediaState::Ready { Ok(media) } else { Err(unknown(id)) }
}

/// The media of these ids that can be used.
///
/// # Errors
/// When the store fails.
pub async fn find_media_of(
    content: &Content,
    ids: &BTreeSet<String>,
) -> Result<BTreeMap<String, Media>, Error> {
    let keys: Vec<Item> = ids.iter().map(|id| of_id(id)).collect();
    let found = content.db.batch_get("Media", &keys, &GetOptions::default()).await?;
    let media = found.iter().flatten().filter_map(|record| record.typed::<Media>().ok());
    Ok(media.filter(|one| one.state == MediaState::Ready).map(|one| (one.id.clone(), one)).collect())
}

/// Begins an upload: the item is stored, its files are not. The files have the keys of [`file_key`].
///
/// # Errors
/// A file name that is empty or too long.
pub async fn begin_media(content: &Content, by: &str, new: &NewMedia) -> Result<Media, Error> {
    check(&new.filename, new.alt.as_deref(), None)?;
    let id = content.new_id();
    let mut fields = Item::from([
        (name!("id"), id.as_str().into()),
        (name!("filename"), new.filename.trim().into()),
        (name!("contentType"), new.content_type.as_str().into()),
        (name!("size"), new.size.into()),
        (name!("variants"), variants(&new.variants)?),
        (name!("by"), by.into()),
        (name!("revision"), 1.into()),
    ]);
    if let Some((width, height)) = new.pixels {
        fields.extend([(name!("width"), width.into()), (name!("height"), height.into())]);
    }
    fields.extend(optional(new.alt.as_deref()).map(|alt| (name!("alt"), alt)));
    content.db.create("Media", fields).await?.typed()
}

/// Ends an upload: every file is stored, and the medium can be used.
///
/// # Errors
/// `media_unknown` if the upload took so long that it was deleted.
pub async fn finish_media(content: &Content, id: &str) -> Result<Media, Error> {
    content.db.update("Media", into(id, MediaState::Ready)).await.map_err(|error| gone(error, id))?.typed()
}

/// Changes the name, the alternative text and the focal point of a medium.
///
/// # Errors
/// Every field that is wrong, `media_unknown`, or `changed` for an older revision.
pub async fn change_media(
    content: &Content,
    id: &str,
    text: &MediaText,
    revision: i64,
) -> Result<Media, Error> {
    check(&text.filename, text.alt.as_deref(), text.focus)?;
    let fields = vec![
        (name!("filename"), Some(text.filename.trim().into())),
        (name!("alt"), optional(text.alt.as_deref())),
        (name!("focusX"), text.focus.map(|(x, _)| x.into())),
        (name!("focusY"), text.focus.map(|(_, y)| y.into())),
    ];
    commit_known(content, vec![replace("Media", id, fields, revision)], || unknown(id)).await?;
    find_media(content, id).await
}

/// Deletes a medium that nothing shows, and its files.
///
/// # Errors
/// `media_in_use`, `media_unknown`, `changed` for an older revision, or files that cannot be deleted now: the worker deletes
/// them later.
pub async fn delete_media(
    content: &Content,
    files: &dyn Files,
    id: &str,
    revision: i64,
) -> Result<(), Error> {
    let media = find_media(content, id).await?;
    let mark = Operation::Update {
        entity: name!("Media"),
        update: into(id, MediaState::Deleting),
        guards: vec![same_revision(revision)],
    };
    commit_known(content, vec![mark], || unknown(id)).await?;
    // From here on no use can be added.
    if !crate::media_uses(content, id).await?.is_empty() {
        keep(content, id).await?;
        return Err(Error::conflict(ContentCode::MediaInUse, message!(messages::MEDIA_IN_USE)));
    }
    delete_files(content, files, &media).await
}

/// Finishes deletions and abandoned uploads. Any number of processes may do it. Returns the number of media that are gone.
///
/// # Errors
/// When the store or the files cannot be reached. The next run does the rest.
pub async fn purge_media(content: &Content, files: &dyn Files) -> Result<usize, Error> {
    let abandoned = content.now() - ABANDONED;
    let mut gone = 0;
    for record in all(content, "allMedia", Item::new()).await? {
        let Ok(media) = record.typed::<Media>() else { continue };
        let stale = media.state != MediaState::Ready && media.created_at <= abandoned;
        if stale {
            if media.state == MediaState::Uploading {
                match content.db.update("Media", into(&media.id, MediaState::Deleting)).await {
                    // It was finished or deleted meanwhile.
                    Err(error) if error.code == CoreCode::WrongState || error.code == CoreCode::NotFound => {
                        continue;
                    }
                    other => drop(other?),
                }
            } else if !crate::media_uses(content, &media.id).await?.is_empty() {
                keep(content, &media.id).await?;
                continue;
            }
            delete_files(content, files, &media).await?;
            gone += 1;
        }
    }
    Ok(gone)
}

/// Takes the mark off a medium that is used.
async fn keep(content: &Content, id: &str) -> Result<(), Error> {
    match content.db.update("Media", into(id, MediaState::Ready)).await {
        Err(error) if error.code == CoreCode::WrongState || error.code == CoreCode::NotFound => Ok(()),
        other => other.map(drop),
    }
}

async fn delete_files(content: &Content, files: &dyn Files, media: &Media) -> Result<(), Error> {
    for key in media.files() {
        files.delete(&key).await?;
    }
    // A deletion that was taken back meanwhile keeps the item.
    let deleting = Condition::unchanged(&name!("state"), Some(&MediaState::Deleting.name().into()));
    let guard = Guard { condition: deleting, otherwise: Reason::Other(unknown(&media.id)) };
    let delete = Operation::Delete {
        entity: name!("Media"),
        key: of_id(&media.id),
        expected_version: None,
        guards: vec![guard],
    };
    match commit(content, vec![delete]).await {
        Err(error) if error.code == CoreCode::NotFound || error.code == ContentCode::MediaUnknown => Ok(()),
        other => other,
    }
}

/// The guard that a medium can be used.
pub(crate) fn is_ready(id: &str) -> Guard {
    let condition = Condition::unchanged(&name!("state"), Some(&MediaState::Ready.name().into()));
    Guard { condition, otherwise: Reason::Other(unknown(id)) }
}

async fn load(content: &Content, id: &str) -> Result<Option<Media>, Error> {
    let found = content.db.get("Media", &of_id(id), &strong()).await?;
    found.map(|record| record.typed()).transpose()
}

fn into(id: &str, state: MediaState) -> Update {
    let changes = vec![set(name!("state"), state.name()), (path(name!("revision")), Change::Add(1.into()))];
    Update { key: of_id(id), changes, expected_version: None }
}

fn variants(variants: &[Variant]) -> Result<Value, Error> {
    let items = variants.iter().map(|variant| to_item(variant).map(Value::M));
    let items: Result<Vec<Value>, _> = items.collect();
    items.map(Value::L).map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))
}

fn check(filename: &str, alt: Option<&str>, focus: Option<(i64, i64)>) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("filename", filename, 200);
    check.optional("alt", alt, 500);
    if focus.is_some_and(|(x, y)| !(0..=100).contains(&x) || !(0..=100).contains(&y)) {
        check.problem("focus", message!(messages::FOCUS));
    }
    check.done()
}

fn gone(error: Error, id: &str) -> Error {
    if error.code == CoreCode::NotFound { unknown(id) } else { error }
}

pub(crate) fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::MediaUnknown, message!(messages::MEDIA_UNKNOWN, id))
}
