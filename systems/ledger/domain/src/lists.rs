//! Changes of one list of codes, so that two people who change it at once lose nothing.

use futures_util::FutureExt as _;
use hansang_core::{Error, message};

use crate::accounts;
use crate::change::{Edit, commit};
use crate::codes::{CodeType, check_codes, forget, list_fields, list_key, stored, texts};
use crate::{Ledger, LedgerCode, messages};

/// A list of codes, or the accounts of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListName {
    /// A list of codes.
    Codes(CodeType),
    /// The accounts of a group.
    Group(String),
}

/// A change of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListChange {
    /// Adds a code at the end.
    Add(String),
    /// Removes a code. Entries with it stay.
    Remove(String),
    /// Moves a code up by one.
    Up(String),
    /// Moves a code down by one.
    Down(String),
    /// Replaces the whole list, if it still is what the caller read.
    Replace {
        /// The list as the caller read it.
        was: Vec<String>,
        /// The new list.
        now: Vec<String>,
    },
}

impl ListChange {
    /// Changes a list.
    fn apply(&self, mut codes: Vec<String>) -> Result<Vec<String>, Error> {
        let place = |code: &str| codes.iter().position(|one| one == code);
        match self {
            Self::Add(code) => codes.push(code.clone()),
            Self::Remove(code) => codes.retain(|one| one != code),
            Self::Up(code) => {
                if let Some(place) = place(code).filter(|place| *place > 0) {
                    codes.swap(place, place - 1);
                }
            }
            Self::Down(code) => {
                if let Some(place) = place(code).filter(|place| place + 1 < codes.len()) {
                    codes.swap(place, place + 1);
                }
            }
            Self::Replace { was, now } => {
                if codes != *was && codes != *now {
                    return Err(Error::conflict(LedgerCode::CodesChanged, message!(messages::CODES_CHANGED)));
                }
                codes.clone_from(now);
            }
        }
        Ok(codes)
    }
}

/// Changes a list. Returns the new list.
///
/// # Errors
/// A code that cannot be in a key or stands twice, a group that is not there, or a list that was changed meanwhile.
pub async fn change_list(
    ledger: &Ledger,
    by: &str,
    list: &ListName,
    change: &ListChange,
) -> Result<Vec<String>, Error> {
    match list {
        ListName::Codes(list) => change_codes(ledger, by, *list, change).await,
        ListName::Group(group) => {
            accounts::change(ledger, by, "accounts", |mut accounts, kinds| {
                let Some(own) = accounts.get_mut(group) else {
                    let message = message!(messages::CODE_UNKNOWN, "ACCOUNT_TYPE", group);
                    return Err(Error::invalid(LedgerCode::CodeUnknown, message));
                };
                *own = change.apply(std::mem::take(own))?;
                accounts::check(&accounts)?;
                Ok((accounts, kinds))
            })
            .await?;
            Ok(ledger.codes().await?.accounts.get(group).cloned().unwrap_or_default())
        }
    }
}

async fn change_codes(
    ledger: &Ledger,
    by: &str,
    list: CodeType,
    change: &ListChange,
) -> Result<Vec<String>, Error> {
    let plan = || {
        async {
            let before = stored(ledger, "CodeList", list_key(list)).await?;
            let now = before.as_ref().and_then(|fields| texts(fields.get("codes")?));
            let codes = change.apply(now.unwrap_or_else(|| list.starting()))?;
            check_codes(list, &codes)?;
            let mut edit = Edit::new("codes", by);
            edit.item("CodeList", before, Some(list_fields(list, &codes)));
            Ok((edit, codes))
        }
        .boxed()
    };
    let (_, codes) = commit(ledger, plan).await?;
    forget(ledger);
    Ok(codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_changed_one_step_at_a_time() {
        let list = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let code = |text: &str| text.to_owned();
        for (change, after) in [
            (ListChange::Add(code("d")), "a b c d"),
            (ListChange::Remove(code("b")), "a c"),
            (ListChange::Remove(code("x")), "a b c"),
            (ListChange::Up(code("a")), "a b c"),
            (ListChange::Up(code("c")), "a c b"),
            (ListChange::Down(code("a")), "b a c"),
            (ListChange::Down(code("c")), "a b c"),
            (ListChange::Replace { was: list("a b c"), now: list("c") }, "c"),
        ] {
            assert_eq!(change.apply(list("a b c")).unwrap(), list(after), "{change:?}");
        }
        let stale = ListChange::Replace { was: list("a b"), now: list("c") };
        assert_eq!(stale.apply(list("a b c")).unwrap_err().code, LedgerCode::CodesChanged);
    }
}
