//! Rules for passwords, and hashing with bounded concurrency.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hansang_core::error::Source;
use hansang_core::{Error, message};
use tokio::sync::Semaphore;

use crate::records;
use crate::secret::random_bytes;
use crate::settings::PasswordSettings;
use crate::{AccessCode, messages};
use hansang_core::messages::fields;

const MIN_CHARACTERS: usize = 10;
const MAX_BYTES: usize = 256;

/// Hashes passwords on blocking threads, a few at a time.
pub(super) struct Hashing {
    params: Params,
    permits: Arc<Semaphore>,
    slots: Arc<Semaphore>,
    /// A hash without a password. Unknown logins are verified against it, so that they take as long as wrong passwords.
    dummy: Arc<str>,
}

/// The result of verifying a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verified {
    /// The password is wrong.
    No,
    /// The password is right.
    Yes,
    /// The password is right, and its hash was made with other settings.
    Outdated,
}

impl Hashing {
    pub(super) fn new(settings: &PasswordSettings) -> Result<Self, Error> {
        let params = Params::new(settings.memory_kib, settings.passes, 1, None).map_err(|_| {
            Error::invalid(AccessCode::InvalidSettings, message!(messages::PASSWORD_SETTINGS))
        })?;
        let dummy = dummy_hash(&params)?.into();
        let at_once = settings.at_once.max(1);
        Ok(Self {
            params,
            permits: Arc::new(Semaphore::new(at_once)),
            slots: Arc::new(Semaphore::new(at_once.saturating_add(settings.waiting))),
            dummy,
        })
    }

    /// The hash of a password, with its salt and settings.
    pub(super) async fn hash(&self, password: &str) -> Result<String, Error> {
        let password = password.to_owned();
        self.run(move |argon2| hash(&argon2, password.as_bytes())).await?
    }

    /// Verifies a password against a hash. Without a hash the result is `No`, after the same time.
    pub(super) async fn verify(&self, password: &str, hash: Option<&str>) -> Result<Verified, Error> {
        let password = password.to_owned();
        let stored = hash.map(str::to_owned);
        let dummy = self.dummy.clone();
        self.run(move |argon2| {
            let known = stored.as_deref().and_then(|stored| PasswordHash::new(stored).ok());
            let Some(known) = known else {
                let _ = argon2.verify_password(password.as_bytes(), &*dummy);
                return Verified::No;
            };
            if argon2.verify_password(password.as_bytes(), &known).is_err() {
                return Verified::No;
            }
            let is_ours = Params::try_from(&known).is_ok_and(|params| same_cost(&params, argon2.params()));
            if is_ours && known.algorithm == Algorithm::Argon2id.ident() {
                Verified::Yes
            } else {
                Verified::Outdated
            }
        })
        .await
    }

    /// Runs the work once a permit is free. The work itself holds the permit, so that a caller who disconnects does not
    /// free it early.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Argon2<'static>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.slots.clone().try_acquire_owned().map_err(|_| busy())?;
        let permit = self.permits.clone().acquire_owned().await.map_err(|_| busy())?;
        let argon2 = argon2(&self.params);
        let done = tokio::task::spawn_blocking(move || {
            let result = work(argon2);
            drop((permit, slot));
            result
        });
        done.await.map_err(|_| Error::internal(AccessCode::HashingFailed, message!(messages::CHECK_FAILED)))
    }
}

/// Rejects passwords that are not allowed for this login.
pub(super) fn check(password: &str, login: &str) -> Result<(), Error> {
    let problem = if password.chars().count() < MIN_CHARACTERS {
        message!(fields::MIN_CHARACTERS, MIN_CHARACTERS)
    } else if password.len() > MAX_BYTES {
        message!(fields::MAX_BYTES, MAX_BYTES)
    } else if is_repeated(password) {
        message!(messages::REPEATED_CHARACTER)
    } else if password.trim().to_lowercase() == login.trim().to_lowercase() {
        message!(messages::NOT_THE_LOGIN)
    } else {
        return Ok(());
    };
    Err(records::wrong("password", problem))
}

/// Whether a password is one character again and again.
fn is_repeated(password: &str) -> bool {
    let mut characters = password.chars();
    characters.next().is_some_and(|first| characters.all(|one| one == first))
}

fn argon2(params: &Params) -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone())
}

fn hash(argon2: &Argon2<'_>, password: &[u8]) -> Result<String, Error> {
    let salt = random_bytes::<16>()?;
    let hash = argon2.hash_password_with_salt(password, &salt).map_err(|error| {
        let failed = Error::internal(AccessCode::HashingFailed, message!(messages::HASHING_FAILED));
        Error { source: Some(Source(Arc::new(error))), ..failed }
    })?;
    Ok(hash.to_string())
}

/// Random bytes in the form of a hash. Computing one would take time and memory at every start.
fn dummy_hash(params: &Params) -> Result<String, Error> {
    let (salt, output) = (random_bytes::<16>()?, random_bytes::<32>()?);
    let (salt, output) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output));
    let (memory, passes, lanes) = (params.m_cost(), params.t_cost(), params.p_cost());
    Ok(format!("$argon2id$v=19$m={memory},t={passes},p={lanes}${salt}${output}"))
}

fn same_cost(one: &Params, other: &Params) -> bool {
    let cost = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
    cost(one) == cost(other)
}

fn busy() -> Error {
    Error::unavailable(AccessCode::Busy, message!(messages::BUSY))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashing(memory_kib: u32, waiting: usize) -> Hashing {
        Hashing::new(&PasswordSettings { memory_kib, passes: 1, at_once: 1, waiting }).unwrap()
    }

    #[tokio::test]
    async fn hashes_are_verified_and_old_settings_detected() {
        let (old, new) = (hashing(8, 4), hashing(16, 4));
        let hash = old.hash("correct horse").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{hash}");
        assert_ne!(hash, old.hash("correct horse").await.unwrap());
        assert_eq!(old.verify("correct horse", Some(&hash)).await.unwrap(), Verified::Yes);
        assert_eq!(new.verify("correct horse", Some(&hash)).await.unwrap(), Verified::Outdated);
        for other in [Some(&*hash), Some("not a hash"), None] {
            assert_eq!(new.verify("correct hors", other).await.unwrap(), Verified::No);
        }
    }

    /// A malformed hash would be rejected at once, and the time would reveal which logins exist.
    #[test]
    fn the_dummy_hash_costs_what_others_cost() {
        let hashing = hashing(16, 1);
        let dummy = PasswordHash::new(&hashing.dummy).unwrap();
        assert!(same_cost(&Params::try_from(&dummy).unwrap(), &hashing.params));
        let real = hash(&argon2(&hashing.params), b"real").unwrap();
        assert_eq!(real.len(), hashing.dummy.len());
        let refused = argon2(&hashing.params).verify_password(b"real", &dummy);
        assert_eq!(refused, Err(argon2::password_hash::Error::PasswordInvalid));
    }

    #[tokio::test]
    async fn requests_beyond_the_queue_are_rejected() {
        let hashing = hashing(8, 1);
        let held = hashing.permits.clone().acquire_owned().await.unwrap();
        let waits = hashing.hash("one");
        tokio::pin!(waits);
        // One slot is for the permit that the test holds, so two can wait and the third is rejected.
        assert!(futures_util::poll!(&mut waits).is_pending());
        let waits_too = hashing.hash("two");
        tokio::pin!(waits_too);
        assert!(futures_util::poll!(&mut waits_too).is_pending());
        assert_eq!(hashing.hash("three").await.unwrap_err().code, "busy");
        drop(held);
        waits.await.unwrap();
        waits_too.await.unwrap();
        hashing.hash("three").await.unwrap();
    }

    #[test]
    fn passwords_have_rules() {
        for (password, allowed) in [
            ("123456789", false),
            ("1234567890", true),
            ("비밀번호는열글자이상", true),
            ("Somebody.Else", false),
            (&"xy".repeat(128), true),
            (&"xy".repeat(129), false),
            (&"x".repeat(20), false),
        ] {
            assert_eq!(check(password, "somebody.else").is_ok(), allowed, "{password}");
        }
        let told = check("hunter2", "kim").unwrap_err();
        assert!(!told.message.to_string().contains("hunter2"), "{}", told.message);
    }
}
