//! Places in lists. A registry writes them as it likes; in an address they are plain letters.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hansang_core::messages::reads;
use hansang_core::{CoreCode, Error, message};

/// A registry's place as it stands in an address.
pub(super) fn closed(place: &str) -> String {
    BASE64.encode(place)
}

/// The registry's place that stands in an address.
pub(super) fn opened(cursor: &str) -> Result<String, Error> {
    let text = BASE64.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| Error::invalid(CoreCode::InvalidCursor, message!(reads::CURSOR_OF_OTHER)))
}
