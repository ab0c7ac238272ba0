//! Access control, with a manual clock.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod accounts;
mod audit;
mod oidc;
mod passwords;
mod provider;
mod sessions;
mod set_up;
mod stolen;
mod tokens;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use hansang_access::{
    ACCESS_MODEL, Access, AccessSettings, Account, Credentials, Monotonic, NewAccount, PasswordSettings,
    Secret, SignedIn, ThrottleSettings,
};
use hansang_access::{Grants, Identity, Origin, Role};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::plan::Scan;
use hansang_core::write::Moment;
use hansang_core::{Db, Error, Item};
use hansang_embedded::Options;
use jiff::Timestamp;

use hansang_testserver::{On, open};

/// The time at which every test begins: 2027-01-15T08:00:00Z.
pub(crate) const BEGIN: i64 = 1_800_000_000;
pub(crate) const MINUTE: i64 = 60;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

/// A password that meets the rules.
pub(crate) const PASSWORD: &str = "correct horse";

/// Access control on a store in a directory of its own.
pub(crate) struct World {
    pub(crate) access: Access,
    pub(crate) db: Db,
    seconds: Arc<AtomicI64>,
    _directory: Option<tempfile::TempDir>,
}

impl World {
    pub(crate) async fn new(on: On) -> Self {
        Self::with(on, settings()).await
    }

    pub(crate) async fn with(on: On, settings: AccessSettings) -> Self {
        let seconds = Arc::new(AtomicI64::new(BEGIN));
        let now = {
            let seconds = seconds.clone();
            move || Timestamp::from_second(seconds.load(Ordering::SeqCst)).unwrap()
        };
        let options = Options { sweep_every: None, ..Options::new(Arc::new(now.clone())) };
        let (store, directory) = open(on, options).await;
        let counter = AtomicU64::new(1);
        let clock = Clock::new(move || {
            let next = u128::from(counter.fetch_add(1, Ordering::SeqCst));
            Moment { now: now(), random: next.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) }
        });
        let model = Arc::new(hansang_core::compile(ACCESS_MODEL.as_bytes()).unwrap());
        let db = Db::new(model, None, store, clock, CursorKey::new(&[7; 32]));
        db.ensure_table().await.unwrap();
        let passed = seconds.clone();
        let elapsed = move || Duration::from_secs(passed.load(Ordering::SeqCst).abs_diff(BEGIN));
        let settings = AccessSettings { monotonic: Monotonic::new(elapsed), ..settings };
        let access = Access::new(db.clone(), settings).unwrap();
        Self { access, db, seconds, _directory: directory }
    }

    /// An installation in which `root` is the administrator.
    pub(crate) async fn set_up(on: On) -> (Self, Account) {
        let world = Self::new(on).await;
        let root = world.first_administrator().await;
        (world, root)
    }

    pub(crate) async fn first_administrator(&self) -> Account {
        let link = self.access.set_up_link().await.unwrap().unwrap();
        self.access.set_up(link.expose(), new_account("root", &[])).await.unwrap()
    }

    pub(crate) fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_second(self.seconds.load(Ordering::SeqCst)).unwrap()
    }

    pub(crate) async fn account(&self, login: &str, grants: &[(&str, Role)]) -> Account {
        self.access.create_account(new_account(login, grants)).await.unwrap()
    }

    pub(crate) async fn sign_in(&self, login: &str) -> SignedIn {
        self.access.sign_in(login, PASSWORD, &origin()).await.unwrap()
    }

    /// A signed-in user, with the identity of their requests.
    pub(crate) async fn identity(&self, login: &str) -> Identity {
        let signed_in = self.sign_in(login).await;
        self.by_session(&signed_in.secret).await.unwrap()
    }

    pub(crate) async fn by_session(&self, secret: &Secret) -> Result<Identity, Error> {
        self.access.identify(Credentials::Session(secret.expose())).await
    }

    pub(crate) async fn by_bearer(&self, secret: &str) -> Result<Identity, Error> {
        self.access.identify(Credentials::Bearer(secret)).await
    }

    /// All stored items, including expired ones.
    pub(crate) async fn stored(&self) -> Vec<Item> {
        let scan = Scan { index: None, limit: 1000, start: None, consistent: true };
        self.db.store().scan(self.db.table(), &scan).await.unwrap().items
    }
}

/// Settings with cheap hashes and short times.
pub(crate) fn settings() -> AccessSettings {
    let seconds = |seconds: i64| Duration::from_secs(seconds.unsigned_abs());
    AccessSettings {
        session_idle: seconds(HOUR),
        session_longest: seconds(DAY),
        set_up_link: seconds(HOUR),
        audit_days: 400,
        password: PasswordSettings { memory_kib: 8, passes: 1, at_once: 2, waiting: 64 },
        throttle: ThrottleSettings {
            free_per_pair: 3,
            free_per_login: 3,
            free_per_address: 6,
            first_wait: seconds(10),
            longest_wait: seconds(MINUTE),
            forget_after: seconds(HOUR),
        },
        oidc: None,
        device_secret: None,
        monotonic: Monotonic::default(),
    }
}

pub(crate) fn new_account(login: &str, pairs: &[(&str, Role)]) -> NewAccount {
    NewAccount {
        login: login.to_owned(),
        name: format!("The {login}"),
        password: Secret::new(PASSWORD),
        grants: grants(pairs),
    }
}

pub(crate) fn grants(pairs: &[(&str, Role)]) -> Grants {
    Grants(pairs.iter().map(|(system, role)| ((*system).to_owned(), *role)).collect::<BTreeMap<_, _>>())
}

pub(crate) fn origin() -> Origin {
    from(1)
}

pub(crate) fn from(last: u8) -> Origin {
    Origin { address: IpAddr::from([192, 0, 2, last]), trace: "4bf92f3577b34da6".to_owned() }
}

/// The code of an error.
pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    result.unwrap_err().code.as_str()
}
