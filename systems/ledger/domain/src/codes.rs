//! Codes: the choices of the drop-downs, and the kind that each account holds.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::{Arc, PoisonError};

use futures_util::FutureExt as _;
use hansang_core::{Error, Item, Name, Value, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

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

/// The accounts by group, in the order of the document.
pub type Accounts = BTreeMap<String, Vec<String>>;

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
    fn starting(self) -> Vec<String> {
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
const GROUPS: [(&str, Kind, &[&str]); 3] = [
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
        let usual = || GROUPS.iter().find(|(name, ..)| *name == group).map(|(_, kind, _)| *kind);
        self.account_kinds.get(account).or_else(|| self.group_kinds.get(group)).copied().or_else(usual)
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

    /// Checks that the parts of a subject are in their lists.
    fn check(&self, subject: &Subject) -> Result<(), Error> {
        let listed = |list: CodeType, code: &str| {
            if self.list(list).iter().any(|one| one == code) {
                return Ok(());
            }
            let message = message!(messages::CODE_UNKNOWN, list.name(), code);
            Err(Error::invalid(LedgerCode::CodeUnknown, message))
        };
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

async fn load(ledger: &Ledger) -> Result<Codes, Error> {
    let mut lists = BTreeMap::new();
    for list in CodeType::ALL {
        let stored = stored(ledger, "CodeList", list_key(list)).await?;
        let codes = stored.and_then(|fields| texts(fields.get("codes")?)).unwrap_or_else(|| list.starting());
        lists.insert(list.name().to_owned(), codes);
    }
    let accounts = stored(ledger, "AccountCodes", Item::new()).await?;
    let accounts = accounts.and_then(|fields| match fields.get("codes") {
        Some(Value::M(groups)) => Some(
            groups.iter().map(|(group, list)| (group.to_string(), texts(list).unwrap_or_default())).collect(),
        ),
        _ => None,
    });
    let settings = stored(ledger, "Settings", Item::new()).await?.unwrap_or_default();
    Ok(Codes {
        lists,
        accounts: accounts.unwrap_or_else(starting_accounts),
        account_kinds: kinds(settings.get("accounts")),
        group_kinds: kinds(settings.get("groups")),
    })
}

fn starting_accounts() -> Accounts {
    let group = |(group, _, accounts): (&str, Kind, &[&str])| {
        (group.to_owned(), accounts.iter().map(|account| (*account).to_owned()).collect())
    };
    GROUPS.into_iter().map(group).collect()
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
        write_new(ledger, "AccountCodes", account_fields(&starting_accounts())).await?;
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
    check_list(&codes)?;
    for code in &codes {
        if list == CodeType::YearMonth {
            code.parse::<Month>()?;
        }
    }
    let after = list_fields(list, &codes);
    swap(ledger, "codes", by, "CodeList", list_key(list), Some(after)).await?;
    Ok(codes)
}

/// Replaces the accounts of all groups.
///
/// # Errors
/// A name that cannot be in a key, or an account that stands twice.
pub async fn replace_accounts(ledger: &Ledger, by: &str, accounts: Accounts) -> Result<Accounts, Error> {
    for group in accounts.keys() {
        check_name("accountType", group)?;
    }
    let all: Vec<String> = accounts.values().flatten().cloned().collect();
    check_list(&all)?;
    swap(ledger, "accounts", by, "AccountCodes", Item::new(), Some(account_fields(&accounts))).await?;
    Ok(accounts)
}

/// Sets which kind an account, or a group, holds. Accounts that are not named hold the kind of their group.
///
/// # Errors
/// When the store fails.
pub async fn assign(
    ledger: &Ledger,
    by: &str,
    accounts: BTreeMap<String, Kind>,
    groups: BTreeMap<String, Kind>,
) -> Result<(), Error> {
    let map = |kinds: BTreeMap<String, Kind>| {
        let kinds = kinds.into_iter().map(|(name, kind)| (Name::from(name), Value::from(kind.name())));
        Value::M(kinds.collect())
    };
    let fields = Item::from([(name!("accounts"), map(accounts)), (name!("groups"), map(groups))]);
    swap(ledger, "assignments", by, "Settings", Item::new(), Some(fields)).await
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

fn check_list(codes: &[String]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for code in codes {
        check_name("codes", code)?;
        if !seen.insert(code) {
            return Err(Error::invalid(LedgerCode::CodeRepeated, message!(messages::CODE_REPEATED, code)));
        }
    }
    Ok(())
}

fn list_key(list: CodeType) -> Item {
    Item::from([(name!("codeType"), Value::from(list.name()))])
}

fn list_fields(list: CodeType, codes: &[String]) -> Item {
    let mut fields = list_key(list);
    fields.insert(name!("codes"), text_list(codes));
    fields
}

fn account_fields(accounts: &Accounts) -> Item {
    let groups = accounts.iter().map(|(group, accounts)| (Name::from(&**group), text_list(accounts)));
    Item::from([(name!("codes"), Value::M(groups.collect()))])
}

fn text_list(texts: &[String]) -> Value {
    Value::L(texts.iter().map(|text| Value::from(&**text)).collect())
}

fn texts(value: &Value) -> Option<Vec<String>> {
    let Value::L(list) = value else { return None };
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn kinds(value: Option<&Value>) -> BTreeMap<String, Kind> {
    let Some(Value::M(map)) = value else { return BTreeMap::new() };
    let kind = |(name, kind): (&Name, &Value)| Some((name.to_string(), kind.as_str()?.parse().ok()?));
    map.iter().filter_map(kind).collect()
}
