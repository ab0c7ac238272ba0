//! Secrets: generated at random, shown once, stored as hashes.

use std::fmt;
use std::sync::Arc;

use crate::{AccessCode, messages};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hansang_core::error::Source;
use hansang_core::{Error, message};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// A text that must not get into logs. Only [`Secret::expose`] shows it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text. The caller must not log or store it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Generates 256 random bits behind a prefix that names their purpose.
    pub(super) fn random(prefix: &str) -> Result<Self, Error> {
        Ok(Self(format!("{prefix}{}", BASE64.encode(random_bytes::<32>()?))))
    }

    /// Returns the hash that is stored instead. A fast hash is enough for 256 random bits.
    pub(super) fn digest(&self) -> String {
        digest(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The hash of a secret as text.
pub(super) fn digest(secret: &str) -> String {
    BASE64.encode(Sha256::digest(secret.as_bytes()))
}

/// Compares two texts in constant time.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        let failed = Error::internal(AccessCode::NoRandomness, message!(messages::NO_RANDOMNESS));
        Error { source: Some(Source(Arc::new(error))), ..failed }
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_secrets_are_long_and_differ() {
        let (one, two) = (Secret::random("hst_").unwrap(), Secret::random("hst_").unwrap());
        assert_eq!(one.expose().len(), 4 + 43);
        assert!(one.expose().starts_with("hst_"));
        assert_ne!(one.expose(), two.expose());
        assert_ne!(one.digest(), two.digest());
    }

    #[test]
    fn same_compares_whole_texts() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }

    #[test]
    fn secrets_are_not_in_debug_output() {
        let shown = format!("{:?} {:#?}", Secret::new("hunter2"), Secret::new("hunter2"));
        assert!(!shown.contains("hunter"), "{shown}");
    }
}
