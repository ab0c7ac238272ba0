//! Cursors of registries, encoded for addresses.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hansang_core::messages::reads;
use hansang_core::{CoreCode, Error, message};

/// Encodes a cursor of a registry.
pub(super) fn closed(cursor: &str) -> String {
    BASE64.encode(cursor)
}

/// Decodes a cursor of a registry.
pub(super) fn opened(cursor: &str) -> Result<String, Error> {
    let text = BASE64.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| Error::invalid(CoreCode::InvalidCursor, message!(reads::CURSOR_OF_OTHER)))
}
