//! The head: the order of all changes, and what is not carried into later months yet.
//!
//! Every change is conditional on the head's `seq` and adds one to it, so changes have a total order. A change of
//! month `m` writes the balances of `m` and leaves a carry for later months. `BALANCES(m)` with `carrySeq = s` is
//! exactly the state after change `s`; a reader adds the pending carries after `s` that start before `m`.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::db::{GetOptions, Operation};
use hansang_core::plan::{Change, Comparison, Condition, Guard, Operand, Path, Reason};
use hansang_core::write::Update;
use hansang_core::{Db, Error, Item, Name, Record, Value, message, name};

use crate::figures::{Balances, number_of};
use crate::{LedgerCode, Month, messages};

/// The state of the order of changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Head {
    /// The number of the last change.
    pub(crate) seq: i64,
    /// The months with totals and balances, in order.
    pub(crate) months: Vec<Month>,
    /// Carries that some later month may not have yet, in the order of their changes.
    pub(crate) pending: Vec<Carry>,
    /// Whether the item exists.
    pub(crate) stored: bool,
}

/// The amounts that a change adds to the balances of all later months.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Carry {
    pub(crate) seq: i64,
    /// The month of the change; `None` for the opening balances, which are in every month.
    pub(crate) from: Option<Month>,
    pub(crate) balances: Balances,
}

/// The balances of a month as they are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StoredBalances {
    pub(crate) balances: Balances,
    /// The change up to which they are complete; absent if another program wrote them.
    pub(crate) carry_seq: Option<i64>,
}

impl StoredBalances {
    fn of(record: &Record) -> Self {
        Self {
            balances: Balances::of(&record.fields),
            carry_seq: record.fields.get("carrySeq").map(|_| number_of(&record.fields, "carrySeq")),
        }
    }
}

impl Carry {
    /// Whether the carry changes the balances of a month that are complete up to a change.
    pub(crate) fn applies(&self, month: Month, carry_seq: i64) -> bool {
        self.seq > carry_seq && self.from.is_none_or(|from| from < month)
    }

    fn value(&self) -> Value {
        let mut map: Item = self.balances.fields().into();
        map.insert(name!("seq"), self.seq.into());
        if let Some(from) = self.from {
            map.insert(name!("from"), from.to_string().into());
        }
        Value::M(map)
    }

    fn of(value: &Value) -> Option<Self> {
        let Value::M(map) = value else { return None };
        let from = match map.get("from") {
            Some(from) => Some(from.as_str()?.parse().ok()?),
            None => None,
        };
        Some(Self { seq: number_of(map, "seq"), from, balances: Balances::of(map) })
    }
}

impl Head {
    /// Whether a month has totals and balances.
    pub(crate) fn has(&self, month: Month) -> bool {
        self.months.binary_search(&month).is_ok()
    }

    /// About the number of bytes of the item.
    pub(crate) fn size(&self) -> usize {
        let carry = |carry: &Carry| {
            let accounts = carry.balances.short_savings_balances.keys();
            150 + accounts.map(|account| account.len() + 25).sum::<usize>()
        };
        100 + 10 * self.months.len() + self.pending.iter().map(carry).sum::<usize>()
    }

    /// The last stored month up to this one.
    pub(crate) fn latest(&self, month: Month) -> Option<Month> {
        let behind = self.months.partition_point(|stored| *stored <= month);
        self.months[..behind].last().copied()
    }

    /// The balances of a stored month in the state of this head, or of a later one if the item is newer.
    pub(crate) fn complete(&self, month: Month, stored: &StoredBalances) -> Result<Balances, Error> {
        let carry_seq = stored.carry_seq.unwrap_or_default();
        let carries = self.pending.iter().filter(|carry| carry.applies(month, carry_seq));
        carries.map(|carry| &carry.balances).try_fold(stored.balances.clone(), |sum, carry| sum.plus(carry))
    }

    /// The balances at the end of a month, stored or not.
    pub(crate) async fn balances(&self, db: &Db, month: Month) -> Result<Balances, Error> {
        match self.latest(month) {
            Some(month) => self.complete(month, &need_balances(db, month).await?),
            None => opening(db).await,
        }
    }

    /// The balances at the end of each month, read together.
    pub(crate) async fn balances_of(&self, db: &Db, months: &[Month]) -> Result<Vec<Balances>, Error> {
        let latest: Vec<Option<Month>> = months.iter().map(|month| self.latest(*month)).collect();
        let wanted: BTreeSet<Month> = latest.iter().flatten().copied().collect();
        let keys: Vec<Item> = wanted.iter().map(|month| month_key(*month)).collect();
        let records = db.batch_get("AccumulatedAssets", &keys, &strong()).await?;
        let mut balances = BTreeMap::new();
        for (month, record) in wanted.into_iter().zip(records) {
            let stored = record.as_ref().map(StoredBalances::of).unwrap_or_default();
            balances.insert(month, self.complete(month, &stored)?);
        }
        let opening = if latest.contains(&None) { opening(db).await? } else { Balances::default() };
        let at =
            |month: &Option<Month>| month.and_then(|month| balances.get(&month)).unwrap_or(&opening).clone();
        Ok(latest.iter().map(at).collect())
    }

    /// The write of a head that follows this one.
    pub(crate) fn write(&self, next: &Self) -> Operation {
        let months = next.months.iter().map(|month| Value::from(month.to_string())).collect();
        let pending = next.pending.iter().map(Carry::value).collect();
        let fields = [
            (name!("seq"), next.seq.into()),
            (name!("months"), Value::L(months)),
            (name!("pending"), Value::L(pending)),
        ];
        if !self.stored {
            return Operation::Create { entity: name!("Head"), fields: fields.into(), guards: Vec::new() };
        }
        let update = update(Item::new(), fields);
        Operation::Update { entity: name!("Head"), update, guards: vec![same(&name!("seq"), Some(self.seq))] }
    }
}

/// Reads the head with a strong read. A ledger without changes has an empty one.
pub(crate) async fn load(db: &Db) -> Result<Head, Error> {
    let Some(record) = db.get("Head", &Item::new(), &strong()).await? else { return Ok(Head::default()) };
    let damaged = || Error::corrupt(LedgerCode::HeadDamaged, message!(messages::HEAD_DAMAGED));
    let list = |name: &str| match record.fields.get(name) {
        Some(Value::L(list)) => Ok(list),
        _ => Err(damaged()),
    };
    let month = |value: &Value| value.as_str().and_then(|text| text.parse().ok()).ok_or_else(damaged);
    Ok(Head {
        seq: number_of(&record.fields, "seq"),
        months: list("months")?.iter().map(month).collect::<Result<_, _>>()?,
        pending: list("pending")?
            .iter()
            .map(|value| Carry::of(value).ok_or_else(damaged))
            .collect::<Result<_, _>>()?,
        stored: true,
    })
}

/// Reads the stored balances of a month.
pub(crate) async fn load_balances(db: &Db, month: Month) -> Result<Option<StoredBalances>, Error> {
    let record = db.get("AccumulatedAssets", &month_key(month), &strong()).await?;
    Ok(record.as_ref().map(StoredBalances::of))
}

/// Reads the balances of a month that the head lists.
pub(crate) async fn need_balances(db: &Db, month: Month) -> Result<StoredBalances, Error> {
    let stored = load_balances(db, month).await?;
    // Another program deleted the item: a recalculation writes it again.
    Ok(stored.unwrap_or_default())
}

/// Reads the balances before the first month.
pub(crate) async fn opening(db: &Db) -> Result<Balances, Error> {
    let record = db.get("Opening", &Item::new(), &strong()).await?;
    Ok(record.map(|record| Balances::of(&record.fields)).unwrap_or_default())
}

/// The write of a month's balances that are complete up to a change.
pub(crate) fn write_balances(
    month: Month,
    stored: Option<&StoredBalances>,
    balances: &Balances,
    carry_seq: i64,
) -> Operation {
    let fields = balances.fields().into_iter().chain([(name!("carrySeq"), carry_seq.into())]);
    write_month(
        "AccumulatedAssets",
        month,
        fields,
        stored.map(|stored| vec![same(&name!("carrySeq"), stored.carry_seq)]),
    )
}

/// The write of an aggregate of a month: an update with these guards, or a new item without.
pub(crate) fn write_month(
    entity: &'static str,
    month: Month,
    fields: impl IntoIterator<Item = (Name, Value)>,
    stored: Option<Vec<Guard>>,
) -> Operation {
    let entity = Name::from(entity);
    match stored {
        Some(guards) => Operation::Update { entity, update: update(month_key(month), fields), guards },
        None => {
            let mut all = month_key(month);
            all.extend(fields);
            Operation::Create { entity, fields: all, guards: Vec::new() }
        }
    }
}

/// An update that sets these fields.
pub(crate) fn update(key: Item, fields: impl IntoIterator<Item = (Name, Value)>) -> Update {
    let set = |(name, value): (Name, Value)| (Path { root: name, inside: Vec::new() }, Change::Set(value));
    Update { key, changes: fields.into_iter().map(set).collect(), expected_version: None }
}

/// The guard that a number is as it was read.
pub(crate) fn same(name: &Name, number: Option<i64>) -> Guard {
    let condition = match number {
        Some(number) => {
            Condition::Compare(Operand::Path(name.into()), Comparison::Equal, Operand::Value(number.into()))
        }
        None => Condition::Absent(name.into()),
    };
    Guard { condition, otherwise: Reason::Other(moved()) }
}

/// Another change was faster: read again.
pub(crate) fn moved() -> Error {
    Error::conflict(LedgerCode::Moved, message!(messages::MOVED))
}

/// The key fields of a month's aggregates.
pub(crate) fn month_key(month: Month) -> Item {
    Item::from([(name!("yearMonth"), Value::from(month.to_string()))])
}

/// Options of a strong read.
pub(crate) fn strong() -> GetOptions {
    GetOptions { consistent: true, fields: None }
}
