//! Codes: the choices of the drop-downs, and the kind that each account holds.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::{Arc, PoisonError};

use futures_util::FutureExt as _;
use hansang_core::{Error, Item, Value, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::accounts::{self, Accounts};
use crate::change::{Edit, commit};
use crate::head::strong;
use crate::kind::{Subject, check_name};
use crate::{Kind, Ledger, LedgerCode, Month, messages};

/// The time after which codes are read again, because another process may have changed them.
const TIME_TO_LIVE: SignedDuration = SignedDuration::from_secs(30);

/// A list of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CodeType {
    /// The months that are offered.
    YearMonth,
    /// The people.
    Name,
    /// The types of income.
    IncomeType,
    /// The types of fixed expenses.
    FixedExpenseType,
    /// The categories of living expenses.
    LivingExpenseCategory,
}

/// All codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Codes {
    /// The lists, by name.
    pub lists: BTreeMap<String, Vec<String>>,
    /// The accounts, by group.
    pub accounts: Accounts,
    /// The kinds of accounts that differ from their group's.
    pub account_kinds: BTreeMap<String, Kind>,
    /// The kinds of groups that the document does not have.
    pub group_kinds: BTreeMap<String, Kind>,
}

/// Codes and when they were read.
pub(crate) type Cached = (Timestamp, Arc<Codes>);

impl CodeType {
    /// All lists.
    pub const ALL: [Self; 5] =
        [Self::YearMonth, Self::Name, Self::IncomeType, Self::FixedExpenseType, Self::LivingExpenseCategory];

    /// The name in the key.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::YearMonth => "YEAR_MONTH",
            Self::Name => "NAME",
            Self::IncomeType => "INCOME_TYPE",
            Self::FixedExpenseType => "FIXED_EXPENSE_TYPE",
            Self::LivingExpenseCategory => "LIVING_EXPENSE_CATEGORY",
        }
    }

    /// The values of the document.
    pub(crate) fn starting(self) -> Vec<String> {
        let list: &[&str] = match self {
            Self::YearMonth => {
                return (1..=24)
                    .map(|month| format!("{}.{:02}", 2025 + (month - 1) / 12, (month - 1) % 12 + 1))
                    .collect();
            }
            Self::Name => &["배우자1", "배우자2"],
            Self::IncomeType => &["월급", "상여", "기타수입"],
            Self::FixedExpenseType => &["대출", "주거", "통신", "곗돈", "구독"],
            Self::LivingExpenseCategory => &["식비", "교통비", "의료비", "문화생활", "기타"],
        };
        list.iter().map(|code| (*code).to_owned()).collect()
    }
}

impl FromStr for CodeType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|list| list.name() == text).ok_or_else(|| {
            Error::not_found(LedgerCode::CodeListUnknown, message!(messages::CODE_LIST_UNKNOWN, text))
        })
    }
}

/// The groups of the document, with their kinds and accounts.
pub(crate) const GROUPS: [(&str, Kind, &[&str]); 3] = [
    ("현금확보용적금", Kind::Savings, &["적금1", "적금2", "적금3"]),
    ("투자용", Kind::Investment, &["청약", "연금저축", "주식", "코인"]),
    ("단기저축용", Kind::ShortSavings, &["운동", "여행", "경조비"]),
];

impl Codes {
    /// A list.
    #[must_use]
    pub fn list(&self, list: CodeType) -> &[String] {
        self.lists.get(list.name()).map_or(&[], Vec::as_slice)
    }

    /// The group of an account.
    #[must_use]
    pub fn group(&self, account: &str) -> Option<&str> {
        self.accounts
            .iter()
            .find(|(_, accounts)| accounts.iter().any(|one| one == account))
            .map(|(group, _)| &**group)
    }

    /// The kind of entry that an account holds.
    #[must_use]
    pub fn kind_of(&self, account: &str) -> Option<Kind> {
        let group = self.group(account)?;
        self.account_kinds.get(account).copied().or_else(|| self.kind_of_group(group))
    }

    /// The kind of entry that the accounts of a group hold, unless one is assigned otherwise.
    #[must_use]
    pub fn kind_of_group(&self, group: &str) -> Option<Kind> {
        let usual = || GROUPS.iter().find(|(name, ..)| *name == group).map(|(_, kind, _)| *kind);
        self.group_kinds.get(group).copied().or_else(usual)
    }

    /// The accounts that hold a kind of entry.
    pub fn accounts_of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let all = self.accounts.values().flatten().map(String::as_str);
        all.filter(move |account| self.kind_of(account) == Some(kind))
    }

    /// The group that an entry of an account carries, also after the account was removed from the codes.
    pub(crate) fn group_for(&self, subject: &Subject) -> String {
        let usual =
            || GROUPS.iter().find(|(_, kind, _)| *kind == subject.kind).map_or("-", |(group, ..)| group);
        self.group(&subject.name).unwrap_or_else(usual).to_owned()
    }

    fn check_listed(&self, list: CodeType, code: &str) -> Result<(), Error> {
        if self.list(list).iter().any(|one| one == code) {
            return Ok(());
        }
        let message = message!(messages::CODE_UNKNOWN, list.name(), code);
        Err(Error::invalid(LedgerCode::CodeUnknown, message))
    }

    /// Checks that the parts of a subject are in their lists.
    pub(crate) fn check(&self, subject: &Subject) -> Result<(), Error> {
        let listed = |list: CodeType, code: &str| self.check_listed(list, code);
        match subject.kind {
            Kind::Income => {
                listed(CodeType::Name, &subject.name)?;
                listed(CodeType::IncomeType, &subject.detail)
            }
            Kind::FixedExpense => listed(CodeType::FixedExpenseType, &subject.name),
            Kind::LivingExpense => listed(CodeType::LivingExpenseCategory, &subject.name),
            Kind::Savings | Kind::Investment | Kind::ShortSavings => match self.kind_of(&subject.name) {
                Some(kind) if kind == subject.kind => Ok(()),
                Some(kind) => {
                    let message = message!(messages::ACCOUNT_OF_OTHER_KIND, &subject.name, kind.name());
                    Err(Error::invalid(LedgerCode::AccountOfOtherKind, message))
                }
                None if self.group(&subject.name).is_some() => {
                    let message = message!(messages::ACCOUNT_WITHOUT_KIND, &subject.name);
                    Err(Error::invalid(LedgerCode::AccountWithoutKind, message))
                }
                None => {
                    let message = message!(messages::CODE_UNKNOWN, "ACCOUNT_TYPE", &subject.name);
                    Err(Error::invalid(LedgerCode::CodeUnknown, message))
                }
            },
        }
    }
}

/// Checks a subject for a new entry. Codes that seem to be missing are read again: another process may have added them.
pub(crate) async fn check(ledger: &Ledger, subject: &Subject) -> Result<(), Error> {
    if ledger.codes().await?.check(subject).is_ok() {
        return Ok(());
    }
    forget(ledger);
    ledger.codes().await?.check(subject)
}

/// Checks that a code is in a list, which is read again if it seems to be missing.
pub(crate) async fn check_listed(ledger: &Ledger, list: CodeType, code: &str) -> Result<(), Error> {
    if ledger.codes().await?.check_listed(list, code).is_ok() {
        return Ok(());
    }
    forget(ledger);
    ledger.codes().await?.check_listed(list, code)
}

pub(crate) async fn cached(ledger: &Ledger) -> Result<Arc<Codes>, Error> {
    let now = ledger.now();
    let known = ledger.codes.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match known {
        Some((read_at, codes)) if now.duration_since(read_at) < TIME_TO_LIVE && now >= read_at => Ok(codes),
        _ => {
            let codes = Arc::new(load(ledger).await?);
            *ledger.codes.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, codes.clone()));
            Ok(codes)
        }
    }
}

pub(crate) fn forget(ledger: &Ledger) {
    *ledger.codes.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Reads the codes as they are stored now.
pub(crate) async fn load(ledger: &Ledger) -> Result<Codes, Error> {
    let mut lists = BTreeMap::new();
    for list in CodeType::ALL {
        let stored = stored(ledger, "CodeList", list_key(list)).await?;
        let codes = stored.and_then(|fields| texts(fields.get("codes")?)).unwrap_or_else(|| list.starting());
        lists.insert(list.name().to_owned(), codes);
    }
    let (accounts, kinds) = accounts::load(ledger).await?;
    Ok(Codes { lists, accounts, account_kinds: kinds.accounts, group_kinds: kinds.groups })
}

/// Stores the document's codes that are missing, so that other programs find them.
///
/// # Errors
/// When the store fails.
pub async fn prepare(ledger: &Ledger) -> Result<(), Error> {
    for list in CodeType::ALL {
        if stored(ledger, "CodeList", list_key(list)).await?.is_none() {
            write_new(ledger, "CodeList", list_fields(list, &list.starting())).await?;
        }
    }
    if stored(ledger, "AccountCodes", Item::new()).await?.is_none() {
        write_new(ledger, "AccountCodes", accounts::fields(&accounts::starting())).await?;
    }
    Ok(())
}

async fn write_new(ledger: &Ledger, entity: &str, fields: Item) -> Result<(), Error> {
    match ledger.db.create(entity, fields).await {
        Err(error) if error.code != hansang_core::CoreCode::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Replaces a list of codes: adds, removes and reorders. Entries with a removed code stay.
///
/// # Errors
/// A code that cannot be in a key, or stands twice.
pub async fn replace_codes(
    ledger: &Ledger,
    by: &str,
    list: CodeType,
    codes: Vec<String>,
) -> Result<Vec<String>, Error> {
    check_codes(list, &codes)?;
    let after = list_fields(list, &codes);
    swap(ledger, "codes", by, "CodeList", list_key(list), Some(after)).await?;
    Ok(codes)
}

/// Replaces, creates or deletes an item that changes no figures.
pub(crate) async fn swap(
    ledger: &Ledger,
    action: &'static str,
    by: &str,
    entity: &'static str,
    key: Item,
    after: Option<Item>,
) -> Result<(), Error> {
    let plan = || {
        async {
            let mut edit = Edit::new(action, by);
            edit.item(entity, stored(ledger, entity, key.clone()).await?, after.clone());
            Ok((edit, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await?;
    forget(ledger);
    Ok(())
}

/// The stored fields of an item, without the times.
pub(crate) async fn stored(ledger: &Ledger, entity: &str, key: Item) -> Result<Option<Item>, Error> {
    let record = ledger.db.get(entity, &key, &strong()).await?;
    Ok(record.map(|record| without_times(record.fields)))
}

/// Fields without the times that the table adds.
pub(crate) fn without_times(mut fields: Item) -> Item {
    fields.remove("createdAt");
    fields.remove("updatedAt");
    fields
}

/// Checks the codes of a list.
pub(crate) fn check_codes(list: CodeType, codes: &[String]) -> Result<(), Error> {
    check_list(codes)?;
    if list == CodeType::YearMonth {
        codes.iter().try_for_each(|code| code.parse::<Month>().map(drop))?;
    }
    Ok(())
}

pub(crate) fn check_list(codes: &[String]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for code in codes {
        check_name("codes", code)?;
        if !seen.insert(code) {
            return Err(Error::invalid(LedgerCode::CodeRepeated, message!(messages::CODE_REPEATED, code)));
        }
    }
    Ok(())
}

pub(crate) fn list_key(list: CodeType) -> Item {
    Item::from([(name!("codeType"), Value::from(list.name()))])
}

pub(crate) fn list_fields(list: CodeType, codes: &[String]) -> Item {
    let mut fields = list_key(list);
    fields.insert(name!("codes"), text_list(codes));
    fields
}

pub(crate) fn text_list(texts: &[String]) -> Value {
    Value::L(texts.iter().map(|text| Value::from(&**text)).collect())
}

pub(crate) fn texts(value: &Value) -> Option<Vec<String>> {
    let Value::L(list) = value else { return None };
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}
