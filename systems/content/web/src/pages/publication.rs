//! The period of a post in a form.

use hansang_content::Publication;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_ui::form::Form;
use hansang_ui::frame::View;
use jiff::Timestamp;

use crate::messages;

/// The period in a form, or the problems of both times.
pub(super) fn publication(view: &View, sent: &Form) -> Result<Publication, Error> {
    let mut wrong = Vec::new();
    let mut time = |name: &str| -> Option<Timestamp> {
        let text = sent.text(name).trim();
        let time = view.reader.typed(text);
        if time.is_none() && !text.is_empty() {
            wrong.push(violation(name, message!(messages::NOT_A_TIME)));
        }
        time
    };
    let publication = Publication { publish_at: time("publishAt"), expires_at: time("expiresAt") };
    if wrong.is_empty() { Ok(publication) } else { Err(Error::fields(wrong)) }
}
