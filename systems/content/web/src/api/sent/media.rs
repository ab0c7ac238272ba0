//! Request bodies about media.

use hansang_content::MediaText;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::messages;

/// The name, the alternative text and the focal point of a medium.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::api) struct SentMedia {
    filename: String,
    /// What the picture shows, for people who do not see it.
    alt: Option<String>,
    /// The focal point in percent from the left; both or none.
    #[schemars(range(min = 0, max = 100))]
    focus_x: Option<i64>,
    /// The focal point in percent from the top.
    #[schemars(range(min = 0, max = 100))]
    focus_y: Option<i64>,
}

impl SentMedia {
    pub(in crate::api) fn text(self) -> Result<MediaText, Problem> {
        if self.focus_x.is_some() != self.focus_y.is_some() {
            let missing = if self.focus_x.is_some() { "focusY" } else { "focusX" };
            return Err(Error::fields(vec![violation(missing, message!(messages::PERCENT))]).into());
        }
        Ok(MediaText { filename: self.filename, alt: self.alt, focus: self.focus_x.zip(self.focus_y) })
    }
}
