//! Accounts, and the rule that one enabled administrator always remains.

use std::fmt;

use hansang_core::db::{Operation, Refusal, TypedListing};
use hansang_core::plan::{Comparison, Condition, Guard, Operand, Path, Reason};
use hansang_core::{CoreCode, Error, ErrorKind, Name, Record, Value, message};
use jiff::Timestamp;
use serde_json::{Map, Value as Json, json};

use crate::identity::{EVERYWHERE, Grants, Role};
use crate::records::{self, StoredAccount};
use crate::secret::Secret;
use crate::{Access, AccessCode, Paging, grants, messages, password};
use hansang_core::messages::fields;

/// The number of attempts at a change that conflicts with other changes of the account.
const MAX_ATTEMPTS: usize = 16;

/// An account that can sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The id, which never changes and is never reused.
    pub id: String,
    /// The login, in lower case.
    pub login: String,
    /// The display name.
    pub name: String,
    /// The roles.
    pub grants: Grants,
    /// Whether it is disabled.
    pub disabled: bool,
    /// The number of changes.
    pub version: i64,
    /// The time of creation.
    pub created: Timestamp,
    /// The time of the last change.
    pub updated: Timestamp,
}

/// A new account.
#[derive(Clone)]
pub struct NewAccount {
    /// Letters, digits and `_.@+-`; upper and lower case are the same.
    pub login: String,
    /// The display name.
    pub name: String,
    /// The password: at least 10 characters, at most 256 bytes, not the login.
    pub password: Secret,
    /// The roles.
    pub grants: Grants,
}

/// A change of an account; absent fields stay as they are.
#[derive(Clone, Debug, Default)]
pub struct AccountChange {
    /// The display name.
    pub name: Option<String>,
    /// The roles.
    pub grants: Option<Grants>,
    /// Whether it is disabled. Disabling ends all its sessions; its tokens work again once it is enabled.
    pub disabled: Option<bool>,
    /// The version that must be stored, if the caller has read one.
    pub expected_version: Option<i64>,
}

impl fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewAccount").field("login", &self.login).finish_non_exhaustive()
    }
}

impl Access {
    /// Creates an account.
    ///
    /// # Errors
    /// Fails for every field that breaks a rule, if the login is taken, or if there is no administrator yet.
    pub async fn create_account(&self, new: NewAccount) -> Result<Account, Error> {
        password::check(new.password.expose(), &new.login)?;
        let create = self.account_to_create(&new).await?;
        let counted = if is_administrator(&new.grants, false) {
            one_more()?
        } else {
            let (entity, key) = ("Administration".into(), records::item(&json!({}))?);
            Operation::Check { entity, key, guards: Vec::new() }
        };
        let created = self.db().transact(vec![create, counted]).await;
        let created = created.map_err(|refusal| match (refusal.operation, refusal.error.code) {
            (Some(0), code) if code == CoreCode::NotUnique => login_taken(),
            (Some(1), code) if code == CoreCode::NotFound => not_set_up(),
            _ => refusal.error,
        })?;
        Account::written(created, 0)
    }

    /// Reads an account.
    ///
    /// # Errors
    /// Fails if no account has this id.
    pub async fn account(&self, id: &str) -> Result<Account, Error> {
        Account::of(self.stored_account(id).await?.ok_or_else(not_found)?)
    }

    /// Finds the account with this login.
    ///
    /// # Errors
    /// Fails if the store does.
    pub async fn account_by_login(&self, text: &str) -> Result<Option<Account>, Error> {
        self.stored_by_login(&login(text)).await?.map(Account::of).transpose()
    }

    /// Lists the accounts by login.
    ///
    /// # Errors
    /// Fails for a cursor of another list or a page that is too large.
    pub async fn accounts(&self, paging: Paging) -> Result<TypedListing<Account>, Error> {
        Ok(records::map_page(records::page(self.db(), "accounts", json!({}), paging).await?, Account::of))
    }

    /// Changes an account.
    ///
    /// # Errors
    /// Fails for every field that breaks a rule, if the account does not exist or has another version, or if no
    /// administrator would remain.
    pub async fn change_account(&self, id: &str, change: AccountChange) -> Result<Account, Error> {
        change.grants.as_ref().map_or(Ok(()), grants::check)?;
        for _ in 0..MAX_ATTEMPTS {
            let stored = self.stored_account(id).await?.ok_or_else(not_found)?;
            match self.change_stored(stored, &change).await {
                Err(error) if is_stale(&error, change.expected_version) => {}
                result => return result,
            }
        }
        Err(contended())
    }

    /// Sets the password of an account whose owner forgot it. Ends all its sessions.
    ///
    /// # Errors
    /// Fails if the password breaks a rule or the account does not exist.
    pub async fn set_password(&self, id: &str, password: &Secret) -> Result<(), Error> {
        let stored = self.stored_account(id).await?.ok_or_else(not_found)?;
        password::check(password.expose(), &stored.login)?;
        let hash = self.0.hashing.hash(password.expose()).await?;
        let key = json!({"accountId": stored.account_id});
        let next = [("generation", 1), ("tokenGeneration", 1)];
        let update = records::update(&key, &json!({"passwordHash": hash}), &next)?;
        let _clear = self.0.known.clear_after();
        self.db().update("Account", update).await?;
        self.0.throttle.forget(&stored.login);
        self.forget_sessions(&stored.account_id, None).await;
        self.forget_tokens(&stored.account_id).await;
        Ok(())
    }

    /// Removes an account, its sessions and its tokens.
    ///
    /// # Errors
    /// Fails if the account does not exist, has another version, or is the last administrator.
    pub async fn delete_account(&self, id: &str, expected_version: Option<i64>) -> Result<(), Error> {
        for _ in 0..MAX_ATTEMPTS {
            let stored = self.stored_account(id).await?.ok_or_else(not_found)?;
            match self.delete_stored(&stored, expected_version).await {
                Ok(()) => {
                    self.forget_sessions(&stored.account_id, None).await;
                    self.forget_tokens(&stored.account_id).await;
                    return Ok(());
                }
                Err(error) if is_stale(&error, expected_version) => {}
                Err(error) => return Err(error),
            }
        }
        Err(contended())
    }

    async fn change_stored(&self, stored: StoredAccount, change: &AccountChange) -> Result<Account, Error> {
        let before = Account::of(stored)?;
        check_version(before.version, change.expected_version)?;
        let after = Account {
            name: change.name.clone().unwrap_or_else(|| before.name.clone()),
            grants: change.grants.clone().unwrap_or_else(|| before.grants.clone()),
            disabled: change.disabled.unwrap_or(before.disabled),
            ..before.clone()
        };
        if after == before {
            return Ok(before);
        }
        let mut set = Map::new();
        set.insert("name".to_owned(), Json::from(after.name.as_str()));
        set.insert("grants".to_owned(), grants::to_json(&after.grants));
        set.insert("disabled".to_owned(), Json::from(after.disabled));
        let grow: &[(&str, i64)] =
            if after.disabled && !before.disabled { &[("generation", 1)] } else { &[] };
        let mut update = records::update(&json!({"accountId": before.id}), &Json::Object(set), grow)?;
        update.expected_version = Some(before.version);
        let update = Operation::Update { entity: "Account".into(), update, guards: Vec::new() };
        let administers = |account: &Account| is_administrator(&account.grants, account.disabled);
        let counted = match (administers(&before), administers(&after)) {
            (true, false) => Some(one_less()?),
            (false, true) => Some(one_more()?),
            _ => None,
        };
        let _clear = self.0.known.clear_after();
        Account::written(self.db().transact([update].into_iter().chain(counted).collect()).await?, 0)
    }

    async fn delete_stored(
        &self,
        stored: &StoredAccount,
        expected_version: Option<i64>,
    ) -> Result<(), Error> {
        check_version(stored.version, expected_version)?;
        let delete = Operation::Delete {
            entity: "Account".into(),
            key: records::item(&json!({"accountId": stored.account_id}))?,
            expected_version: Some(stored.version),
            guards: Vec::new(),
        };
        let administers = is_administrator(&grants::from_stored(&stored.grants)?, stored.disabled);
        let counted = if administers { Some(one_less()?) } else { None };
        let _clear = self.0.known.clear_after();
        let done = self.db().transact([delete].into_iter().chain(counted).collect()).await;
        done.map(drop).map_err(|refusal: Refusal| refusal.error)
    }

    /// The creation of an account, with its password hashed.
    pub(super) async fn account_to_create(&self, new: &NewAccount) -> Result<Operation, Error> {
        grants::check(&new.grants)?;
        let login = login(&new.login);
        if !has_login_letters(&login) {
            let mut error = records::wrong("login", message!(messages::LOGIN_LETTERS));
            if new.name.is_empty() {
                error.violations.extend(records::wrong("name", message!(fields::EMPTY)).violations);
            }
            return Err(error);
        }
        let fields = json!({
            "login": login,
            "name": new.name,
            "passwordHash": self.0.hashing.hash(new.password.expose()).await?,
            "grants": grants::to_json(&new.grants),
        });
        records::create("Account", &fields)
    }

    /// Returns the stored account with a login; `None` for invalid logins.
    pub(super) async fn stored_by_login(&self, login: &str) -> Result<Option<StoredAccount>, Error> {
        match records::one(self.db(), "accountByLogin", json!({"login": login})).await {
            Err(error) if error.kind == ErrorKind::Invalid => Ok(None),
            result => result,
        }
    }

    /// Returns the stored account with an id; `None` for invalid ids.
    pub(super) async fn stored_account(&self, id: &str) -> Result<Option<StoredAccount>, Error> {
        match records::one(self.db(), "account", json!({"accountId": id})).await {
            Err(error) if error.kind == ErrorKind::Invalid => Ok(None),
            result => result,
        }
    }
}

impl Account {
    pub(super) fn of(stored: StoredAccount) -> Result<Self, Error> {
        Ok(Self {
            grants: grants::from_stored(&stored.grants)?,
            created: records::time(&stored.created_at)?,
            updated: records::time(&stored.updated_at)?,
            id: stored.account_id,
            login: stored.login,
            name: stored.name,
            disabled: stored.disabled,
            version: stored.version,
        })
    }

    /// The account that the operation at this position of a transaction left.
    pub(super) fn written(records: Vec<Option<Record>>, position: usize) -> Result<Self, Error> {
        let record = records.into_iter().nth(position).flatten().ok_or_else(|| {
            Error::unavailable(CoreCode::WrittenUnread, message!(messages::ACCOUNT_WRITTEN_UNREAD))
        })?;
        Self::of(record.typed()?)
    }
}

/// A login as it is stored.
pub(super) fn login(text: &str) -> String {
    text.trim().to_lowercase()
}

/// Checks the pattern of the model, whose own error shows a regular expression. An empty login is reported as missing.
fn has_login_letters(login: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    login.len() <= 128
        && login.bytes().next().is_none_or(is_letter)
        && login.bytes().all(|byte| is_letter(byte) || b"_.@+-".contains(&byte))
}

fn is_administrator(grants: &Grants, disabled: bool) -> bool {
    !disabled && grants.role_in(EVERYWHERE) == Some(Role::Admin)
}

fn one_more() -> Result<Operation, Error> {
    let update = records::update(&json!({}), &json!({}), &[("administrators", 1)])?;
    Ok(Operation::Update { entity: "Administration".into(), update, guards: Vec::new() })
}

/// Decrements the count of administrators, unless it is the last one. The count is an item of its own, so that
/// concurrent removals conflict on it.
fn one_less() -> Result<Operation, Error> {
    let count = Operand::Path(Path::from(&Name::from("administrators")));
    let condition = Condition::Compare(count, Comparison::Greater, Operand::Value(Value::from(1)));
    let error = Error::conflict(AccessCode::LastAdministrator, message!(messages::LAST_ADMINISTRATOR));
    let otherwise = Reason::Other(error);
    let update = records::update(&json!({}), &json!({}), &[("administrators", -1)])?;
    let guards = vec![Guard { condition, otherwise }];
    Ok(Operation::Update { entity: "Administration".into(), update, guards })
}

fn check_version(stored: i64, expected: Option<i64>) -> Result<(), Error> {
    if expected.is_none_or(|expected| expected == stored) {
        return Ok(());
    }
    Err(Reason::Changed { entity: "Account".into() }.error())
}

/// Whether a change failed only because of a concurrent one, and the caller named no version.
fn is_stale(error: &Error, expected_version: Option<i64>) -> bool {
    error.code == CoreCode::ChangedMeanwhile && expected_version.is_none()
}

fn not_found() -> Error {
    Error::not_found(AccessCode::AccountNotFound, message!(messages::ACCOUNT_NOT_FOUND))
}

fn login_taken() -> Error {
    let violations = records::wrong("login", message!(fields::TAKEN)).violations;
    Error { violations, ..Error::conflict(AccessCode::LoginTaken, message!(messages::LOGIN_TAKEN)) }
}

fn not_set_up() -> Error {
    Error::conflict(AccessCode::NotSetUp, message!(messages::NOT_SET_UP))
}

fn contended() -> Error {
    Error::unavailable(CoreCode::Contended, message!(messages::ACCOUNT_CONTENDED))
}
