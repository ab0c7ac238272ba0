//! Media as JSON.

use hansang_content::{Media, MediaUse, UseKind, Variant, media_path};
use schemars::JsonSchema;
use serde::Serialize;

use super::time;
use crate::api::Tagged;

/// A picture or a document.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct ShownMedia {
    id: String,
    filename: String,
    content_type: String,
    /// The number of bytes of the original.
    size: i64,
    /// The path of the original.
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<i64>,
    /// What the picture shows, for people who do not see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    alt: Option<String>,
    /// The focal point in percent from the left.
    #[serde(skip_serializing_if = "Option::is_none")]
    focus_x: Option<i64>,
    /// The focal point in percent from the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    focus_y: Option<i64>,
    /// Smaller sizes, the smallest first.
    sizes: Vec<Size>,
    #[schemars(extend("format" = "date-time"))]
    created_at: String,
    /// Grows with every change: the entity tag.
    revision: i64,
}

/// A picture in one size.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Size {
    url: String,
    content_type: String,
    size: i64,
    width: i64,
    height: i64,
}

/// A medium and what shows it.
#[derive(Serialize, JsonSchema)]
pub(in crate::api) struct UsedMedia {
    #[serde(flatten)]
    media: ShownMedia,
    uses: Vec<Use>,
}

/// What shows a medium.
#[derive(Serialize, JsonSchema)]
struct Use {
    #[schemars(extend("enum" = UseKind::ALL.map(UseKind::name)))]
    kind: &'static str,
    id: String,
}

impl ShownMedia {
    pub(in crate::api) fn of(media: Media) -> Self {
        let size = |variant: &Variant| Size {
            url: media_path(&media.id, &variant.name),
            content_type: variant.content_type.clone(),
            size: variant.size,
            width: variant.width,
            height: variant.height,
        };
        Self {
            sizes: media.variants.iter().map(size).collect(),
            url: media.path(),
            id: media.id,
            filename: media.filename,
            content_type: media.content_type,
            size: media.size,
            width: media.width,
            height: media.height,
            alt: media.alt,
            focus_x: media.focus_x,
            focus_y: media.focus_y,
            created_at: time(media.created_at),
            revision: media.revision,
        }
    }
}

impl UsedMedia {
    pub(in crate::api) fn of(media: Media, uses: Vec<MediaUse>) -> Self {
        let uses = uses.into_iter().map(|one| Use { kind: one.kind.name(), id: one.of });
        Self { media: ShownMedia::of(media), uses: uses.collect() }
    }
}

impl Tagged for ShownMedia {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for UsedMedia {
    fn revision(&self) -> Option<i64> {
        Some(self.media.revision)
    }
}
