//! The settings of access control, with secure defaults.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Secret;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The settings of access control.
#[derive(Clone, Debug)]
pub struct AccessSettings {
    /// The idle timeout of a session.
    pub session_idle: Duration,
    /// The maximum lifetime of a session.
    pub session_longest: Duration,
    /// The lifetime of the link for the first administrator.
    pub set_up_link: Duration,
    /// The retention of audit entries, in days.
    pub audit_days: u32,
    /// The hashing of passwords.
    pub password: PasswordSettings,
    /// The throttling of sign-in attempts.
    pub throttle: ThrottleSettings,
    /// The identity provider whose tokens are accepted, if any.
    pub oidc: Option<OidcSettings>,
    /// The secret that signs the marks of known devices; without one, marks last as long as the process.
    pub device_secret: Option<Secret>,
    /// The clock for waits.
    pub monotonic: Monotonic,
}

/// A monotonic clock: setting the system time neither lengthens nor shortens a wait.
#[derive(Clone)]
pub struct Monotonic(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Monotonic {
    /// A clock that calls this function for the time since a fixed moment.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(elapsed))
    }

    pub(super) fn elapsed(&self) -> Duration {
        (self.0)()
    }
}

impl Default for Monotonic {
    fn default() -> Self {
        let start = Instant::now();
        Self::new(move || start.elapsed())
    }
}

impl fmt::Debug for Monotonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Monotonic(…)")
    }
}

/// The hashing of passwords. Hashes made with other settings are renewed at the next sign-in.
#[derive(Clone, Debug)]
pub struct PasswordSettings {
    /// The memory of one hash, in KiB.
    pub memory_kib: u32,
    /// The number of passes over that memory.
    pub passes: u32,
    /// The number of concurrent hashes. Each takes a thread and its memory.
    pub at_once: usize,
    /// The length of the queue; further requests are rejected.
    pub waiting: usize,
}

/// The throttling of sign-in attempts.
#[derive(Clone, Debug)]
pub struct ThrottleSettings {
    /// The free failures of a login at one address, and on its known devices together.
    pub free_per_pair: u32,
    /// The free failures of a login at all addresses together.
    pub free_per_login: u32,
    /// The free failures of an address, which many people can share.
    pub free_per_address: u32,
    /// The first wait after these. Each further failure doubles it.
    pub first_wait: Duration,
    /// The maximum wait.
    pub longest_wait: Duration,
    /// The time without failures after which the count is reset.
    pub forget_after: Duration,
}

/// An identity provider with OpenID Connect.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// The issuer, exactly as in `iss` of its tokens.
    pub issuer: String,
    /// The audience: the name of this server in `aud`.
    pub audience: String,
    /// The URL of its public keys, a JSON Web Key Set.
    pub jwks_url: String,
    /// The claim that names roles: `admin`, `ledger:editor`, or a list of such. Dots are a path into objects, unless a
    /// claim has the whole name.
    pub role_claim: String,
}

impl Default for AccessSettings {
    fn default() -> Self {
        Self {
            session_idle: Duration::from_secs(12 * HOUR),
            session_longest: Duration::from_secs(7 * DAY),
            set_up_link: Duration::from_secs(24 * HOUR),
            audit_days: 400,
            password: PasswordSettings::default(),
            throttle: ThrottleSettings::default(),
            oidc: None,
            device_secret: None,
            monotonic: Monotonic::default(),
        }
    }
}

impl Default for PasswordSettings {
    /// The second of OWASP's equivalent recommendations for Argon2id.
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, passes: 2, at_once: 2, waiting: 64 }
    }
}

impl Default for ThrottleSettings {
    fn default() -> Self {
        Self {
            free_per_pair: 5,
            free_per_login: 50,
            free_per_address: 20,
            first_wait: Duration::from_secs(2),
            longest_wait: Duration::from_secs(15 * MINUTE),
            forget_after: Duration::from_secs(HOUR),
        }
    }
}
