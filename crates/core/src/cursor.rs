//! Cursors: the position of a page as signed text.
//!
//! A cursor is signed together with the pattern and its arguments, so a forged one, or one of another
//! query, is rejected before it reaches a store.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::reads;
use crate::value::{Item, json};

const VERSION: u8 = 1;
const MAC_LENGTH: usize = 16;
const MAX_LENGTH: usize = 8 * 1024;

/// The secret that signs cursors.
#[derive(Clone)]
pub struct CursorKey(Vec<u8>);

impl CursorKey {
    /// A key of these bytes; use at least 32 random bytes.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        Self(secret.to_vec())
    }
}

impl std::fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CursorKey(…)")
    }
}

/// The query that a cursor belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The model.
    pub model: &'a str,
    /// The pattern.
    pub pattern: &'a str,
    /// The index it reads; empty for the table. A new version of a model may use another one.
    pub index: &'a str,
    /// The exact arguments.
    pub arguments: &'a Item,
    /// Whether the order is descending.
    pub descending: bool,
}

/// The start or the end of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of the step among all steps of the pattern.
    pub step: usize,
    /// The key attributes of the item there; absent before or after a step without a position.
    pub key: Option<Item>,
    /// Whether the cursor leads to the previous page.
    pub backward: bool,
}

/// Makes the text of a cursor.
#[must_use]
pub fn encode(key: &CursorKey, question: &Question<'_>, position: &Position) -> String {
    let mut payload = vec![VERSION, u8::from(position.backward)];
    payload.extend(u32::try_from(position.step).unwrap_or(u32::MAX).to_be_bytes());
    if let Some(attributes) = &position.key {
        payload.extend(json::item_to_typed(attributes).to_string().into_bytes());
    }
    let tag = sign(key, question, &payload).finalize().into_bytes();
    payload.extend(&tag[..MAC_LENGTH]);
    BASE64.encode(payload)
}

/// Reads the text of a cursor.
///
/// # Errors
/// When it was not made by [`encode`] with the same key for the same query.
pub fn decode(key: &CursorKey, question: &Question<'_>, text: &str) -> Result<Position, Error> {
    let refuse = || Error::invalid(CoreCode::InvalidCursor, message!(reads::CURSOR_OF_OTHER));
    if text.len() > MAX_LENGTH {
        return Err(refuse());
    }
    let bytes = BASE64.decode(text).map_err(|_| refuse())?;
    let at = bytes.len().checked_sub(MAC_LENGTH).filter(|at| *at >= 6).ok_or_else(refuse)?;
    let (payload, tag) = bytes.split_at(at);
    sign(key, question, payload).verify_truncated_left(tag).map_err(|_| refuse())?;
    if payload[0] != VERSION {
        return Err(refuse());
    }
    let step = u32::from_be_bytes([payload[2], payload[3], payload[4], payload[5]]) as usize;
    let attributes = match &payload[6..] {
        [] => None,
        rest => {
            let parsed = serde_json::from_slice(rest).map_err(|_| refuse())?;
            Some(json::item_from_typed(&parsed).map_err(|_| refuse())?)
        }
    };
    Ok(Position { step, key: attributes, backward: payload[1] == 1 })
}

fn sign(key: &CursorKey, question: &Question<'_>, payload: &[u8]) -> Hmac<Sha256> {
    let mut mac = new_mac(key);
    let mut part = |bytes: &[u8]| {
        // Each part is prefixed with its length, so that no two queries sign the same bytes.
        mac.update(&(bytes.len() as u64).to_be_bytes());
        mac.update(bytes);
    };
    part(question.model.as_bytes());
    part(question.pattern.as_bytes());
    part(question.index.as_bytes());
    part(&[u8::from(question.descending)]);
    for (name, value) in question.arguments {
        part(name.as_bytes());
        part(json::to_typed(value).to_string().as_bytes());
    }
    part(payload);
    mac
}

#[allow(clippy::expect_used, reason = "HMAC takes keys of every length")]
fn new_mac(key: &CursorKey) -> Hmac<Sha256> {
    Hmac::new_from_slice(&key.0).expect("HMAC takes keys of every length")
}
