//! What can be set about access control, with defaults that can be served as they are.

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The settings of access control.
#[derive(Clone, Debug)]
pub struct AccessSettings {
    /// How long a session lasts that nobody uses.
    pub session_idle: Duration,
    /// How long a session lasts at the most, however much it is used.
    pub session_longest: Duration,
    /// How long the link for the first administrator works.
    pub set_up_link: Duration,
    /// For how many days audit entries are kept.
    pub audit_days: u32,
    /// How passwords are hashed.
    pub password: PasswordSettings,
    /// How attempts to sign in are slowed down.
    pub throttle: ThrottleSettings,
    /// The identity provider whose tokens are accepted, if there is one.
    pub oidc: Option<OidcSettings>,
}

/// How passwords are hashed. Hashes made with other settings are renewed when their owner signs in.
#[derive(Clone, Debug)]
pub struct PasswordSettings {
    /// The memory that one hash takes, in KiB.
    pub memory_kib: u32,
    /// How often that memory is passed over.
    pub passes: u32,
    /// How many hashes are made at the same time. Each takes a thread and its memory.
    pub at_once: usize,
    /// How many more may wait for their turn before others are turned away.
    pub waiting: usize,
}

/// How attempts to sign in are slowed down.
#[derive(Clone, Debug)]
pub struct ThrottleSettings {
    /// How many failures a login has free.
    pub free_per_login: u32,
    /// How many failures an address has free; many people can share one.
    pub free_per_address: u32,
    /// The wait after these. Each further failure doubles it.
    pub first_wait: Duration,
    /// The longest wait.
    pub longest_wait: Duration,
    /// When failures are forgotten that nothing followed.
    pub forget_after: Duration,
}

/// An identity provider that speaks OpenID Connect.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// Its name, exactly as its tokens have it in `iss`.
    pub issuer: String,
    /// The name of this server in `aud`.
    pub audience: String,
    /// The address of its public keys, a JSON Web Key Set.
    pub jwks_url: String,
    /// The claim that names roles: `admin`, `ledger:editor`, or a list of such. Dots lead into
    /// objects, unless a claim has the whole name.
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
            free_per_login: 5,
            free_per_address: 20,
            first_wait: Duration::from_secs(2),
            longest_wait: Duration::from_secs(15 * MINUTE),
            forget_after: Duration::from_secs(HOUR),
        }
    }
}
