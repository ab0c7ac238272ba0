//! Accounts: their groups, and the kind of entry that each holds.

use std::collections::BTreeMap;

use futures_util::FutureExt as _;
use hansang_core::{Error, Item, Name, Value, message, name};

use crate::change::{Edit, commit};
use crate::codes::{GROUPS, check_list, forget, stored, text_list, texts};
use crate::kind::check_name;
use crate::{Kind, Ledger, LedgerCode, messages};

/// The accounts by group, in the order of the document.
pub type Accounts = BTreeMap<String, Vec<String>>;

/// The kinds that accounts and groups are assigned to. Other accounts hold the kind of their group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignments {
    /// The kinds of accounts that differ from their group's.
    pub accounts: BTreeMap<String, Kind>,
    /// The kinds of groups that the document does not have, or that differ from the document's.
    pub groups: BTreeMap<String, Kind>,
}

/// The accounts and assignments as they are stored now.
pub(crate) async fn load(ledger: &Ledger) -> Result<(Accounts, Assignments), Error> {
    let accounts = stored(ledger, "AccountCodes", Item::new()).await?;
    let settings = stored(ledger, "Settings", Item::new()).await?;
    Ok((of_fields(accounts.as_ref()).unwrap_or_else(starting), assignments(settings.as_ref())))
}

/// The accounts of the document.
pub(crate) fn starting() -> Accounts {
    let group = |(group, _, accounts): (&str, Kind, &[&str])| {
        (group.to_owned(), accounts.iter().map(|account| (*account).to_owned()).collect())
    };
    GROUPS.into_iter().map(group).collect()
}

/// Replaces the accounts of all groups. Accounts and groups that are gone lose what was assigned to them.
///
/// # Errors
/// A name that cannot be in a key, or an account that stands twice.
pub async fn replace_accounts(ledger: &Ledger, by: &str, accounts: Accounts) -> Result<Accounts, Error> {
    check(&accounts)?;
    change(ledger, by, "accounts", |_, kinds| Ok((accounts.clone(), kinds))).await?;
    Ok(accounts)
}

/// Replaces the accounts of all groups, if they are what the caller read.
///
/// # Errors
/// As [`replace_accounts`], or accounts that were changed.
pub async fn replace_accounts_if(
    ledger: &Ledger,
    by: &str,
    was: &Accounts,
    accounts: Accounts,
) -> Result<Accounts, Error> {
    check(&accounts)?;
    change(ledger, by, "accounts", |now, kinds| {
        if now != *was && now != accounts {
            return Err(Error::conflict(LedgerCode::CodesChanged, message!(messages::CODES_CHANGED)));
        }
        Ok((accounts.clone(), kinds))
    })
    .await?;
    Ok(accounts)
}

/// Adds a group without accounts, with the kind that its accounts will hold.
///
/// # Errors
/// A name that cannot be in a key, a group that is there, or a kind that no account holds.
pub async fn add_group(ledger: &Ledger, by: &str, group: &str, kind: Kind) -> Result<(), Error> {
    check_name("accountType", group)?;
    check_kind(kind)?;
    change(ledger, by, "accounts", |mut accounts, mut kinds| {
        if accounts.insert(group.to_owned(), Vec::new()).is_some() {
            return Err(Error::invalid(LedgerCode::CodeRepeated, message!(messages::CODE_REPEATED, group)));
        }
        kinds.groups.insert(group.to_owned(), kind);
        Ok((accounts, kinds))
    })
    .await
}

/// Removes a group that has no accounts any more.
///
/// # Errors
/// A group that has accounts.
pub async fn remove_group(ledger: &Ledger, by: &str, group: &str) -> Result<(), Error> {
    change(ledger, by, "accounts", |mut accounts, kinds| {
        if accounts.remove(group).is_some_and(|accounts| !accounts.is_empty()) {
            let message = message!(messages::GROUP_NOT_EMPTY, group);
            return Err(Error::invalid(LedgerCode::GroupNotEmpty, message));
        }
        Ok((accounts, kinds))
    })
    .await
}

/// Sets which kind each account and group holds, in the place of all assignments. Accounts that are not named hold the
/// kind of their group.
///
/// # Errors
/// A kind that no account holds, or an account or group that is not there.
pub async fn assign(ledger: &Ledger, by: &str, wanted: &Assignments) -> Result<(), Error> {
    change(ledger, by, "assignments", |accounts, _| {
        check_assignments(&accounts, wanted)?;
        Ok((accounts, wanted.clone()))
    })
    .await
}

/// Assigns accounts to kinds, and leaves the other assignments as they are. `None` goes back to the kind of the group.
///
/// # Errors
/// As [`assign`].
pub async fn assign_accounts(
    ledger: &Ledger,
    by: &str,
    wanted: &BTreeMap<String, Option<Kind>>,
) -> Result<(), Error> {
    change(ledger, by, "assignments", |accounts, mut kinds| {
        for (account, kind) in wanted {
            match kind {
                Some(kind) => drop(kinds.accounts.insert(account.clone(), *kind)),
                None => drop(kinds.accounts.remove(account)),
            }
        }
        check_assignments(&accounts, &kinds)?;
        Ok((accounts, kinds))
    })
    .await
}

/// Changes accounts and assignments together. Assignments of what is gone are dropped.
pub(crate) async fn change(
    ledger: &Ledger,
    by: &str,
    action: &'static str,
    make: impl Fn(Accounts, Assignments) -> Result<(Accounts, Assignments), Error> + Sync,
) -> Result<(), Error> {
    let plan = || {
        async {
            let before = stored(ledger, "AccountCodes", Item::new()).await?;
            let settings = stored(ledger, "Settings", Item::new()).await?;
            let old_kinds = assignments(settings.as_ref());
            let old = of_fields(before.as_ref()).unwrap_or_else(starting);
            let (accounts, kinds) = make(old.clone(), old_kinds.clone())?;
            let kinds = without_gone(&accounts, kinds);
            let mut edit = Edit::new(action, by);
            if accounts != old {
                edit.item("AccountCodes", before, Some(fields(&accounts)));
            }
            if kinds != old_kinds {
                edit.item("Settings", settings, Some(assignment_fields(&kinds)));
            }
            Ok((edit, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await?;
    forget(ledger);
    Ok(())
}

/// Checks the names of groups and accounts.
pub(crate) fn check(accounts: &Accounts) -> Result<(), Error> {
    for group in accounts.keys() {
        check_name("accountType", group)?;
    }
    let all: Vec<String> = accounts.values().flatten().cloned().collect();
    check_list(&all)
}

/// Checks that accounts can hold a kind.
pub(crate) fn check_kind(kind: Kind) -> Result<(), Error> {
    if Kind::OF_ACCOUNTS.contains(&kind) {
        return Ok(());
    }
    Err(Error::invalid(LedgerCode::KindUnknown, message!(messages::ACCOUNT_KIND, kind.name())))
}

fn check_assignments(accounts: &Accounts, wanted: &Assignments) -> Result<(), Error> {
    wanted.accounts.values().chain(wanted.groups.values()).try_for_each(|kind| check_kind(*kind))?;
    let has = |name: &str| accounts.values().flatten().any(|account| account == name);
    let unknown = wanted.accounts.keys().find(|name| !has(name));
    let unknown = unknown.or_else(|| wanted.groups.keys().find(|group| !accounts.contains_key(*group)));
    match unknown {
        None => Ok(()),
        Some(name) => {
            let message = message!(messages::CODE_UNKNOWN, "ACCOUNT_TYPE", name);
            Err(Error::invalid(LedgerCode::CodeUnknown, message))
        }
    }
}

fn without_gone(accounts: &Accounts, mut kinds: Assignments) -> Assignments {
    kinds.accounts.retain(|name, _| accounts.values().flatten().any(|account| account == name));
    kinds.groups.retain(|group, _| accounts.contains_key(group));
    kinds
}

/// The fields of the item with the accounts.
pub(crate) fn fields(accounts: &Accounts) -> Item {
    let groups = accounts.iter().map(|(group, accounts)| (Name::from(&**group), text_list(accounts)));
    Item::from([(name!("codes"), Value::M(groups.collect()))])
}

fn of_fields(fields: Option<&Item>) -> Option<Accounts> {
    let Some(Value::M(groups)) = fields?.get("codes") else { return None };
    let group = |(group, list): (&Name, &Value)| (group.to_string(), texts(list).unwrap_or_default());
    Some(groups.iter().map(group).collect())
}

fn assignment_fields(kinds: &Assignments) -> Item {
    let map = |kinds: &BTreeMap<String, Kind>| {
        let kinds = kinds.iter().map(|(name, kind)| (Name::from(&**name), Value::from(kind.name())));
        Value::M(kinds.collect())
    };
    Item::from([(name!("accounts"), map(&kinds.accounts)), (name!("groups"), map(&kinds.groups))])
}

fn assignments(fields: Option<&Item>) -> Assignments {
    let kinds = |name: &str| {
        let Some(Value::M(map)) = fields.and_then(|fields| fields.get(name)) else { return BTreeMap::new() };
        let kind = |(name, kind): (&Name, &Value)| Some((name.to_string(), kind.as_str()?.parse().ok()?));
        map.iter().filter_map(kind).collect()
    };
    Assignments { accounts: kinds("accounts"), groups: kinds("groups") }
}
