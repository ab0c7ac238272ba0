//! The port to the addresses of webhooks, and the signature of a call.

use async_trait::async_trait;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The header with the time and the signature of a call.
pub const SIGNATURE_HEADER: &str = "hansang-signature";
/// The header with the id of the delivery, the same for every attempt.
pub const DELIVERY_HEADER: &str = "hansang-delivery";
/// The header with the name of the event.
pub const EVENT_HEADER: &str = "hansang-event";

/// A call of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCall {
    /// The address.
    pub url: String,
    /// The id of the delivery.
    pub id: String,
    /// The name of the event.
    pub event: String,
    /// The value of the signature header.
    pub signature: String,
    /// The JSON.
    pub body: String,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookAnswer {
    /// The status, if there was an answer. From 200 to 299 the call was accepted.
    pub status: Option<u16>,
    /// What went wrong, if it was not accepted.
    pub error: String,
}

impl HookAnswer {
    /// Whether the call was accepted.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// Calls webhooks.
#[async_trait]
pub trait Caller: Send + Sync {
    /// Calls an address once.
    async fn call(&self, call: &HookCall) -> HookAnswer;
}

/// The signature of a body at a second since 1970: `t=…,v1=…`, where `v1` is the HMAC-SHA256 of `{t}.{body}` with the secret in
/// hexadecimal digits.
#[must_use]
pub fn sign(secret: &str, second: i64, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        unreachable!("a key of HMAC may have any length")
    };
    mac.update(format!("{second}.{body}").as_bytes());
    format!("t={second},v1={}", hex(&mac.finalize().into_bytes()))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value was computed with `openssl dgst -sha256 -hmac`.
    #[test]
    fn a_signature_can_be_checked_elsewhere() {
        assert_eq!(
            sign("0123456789abcdef", 1_700_000_000, "{}"),
            "t=1700000000,v1=e4f8e2ecae2295b2ddb2f0b5584c8275e226c0ebe9b3b819e70156bb67122e3e"
        );
    }
}
