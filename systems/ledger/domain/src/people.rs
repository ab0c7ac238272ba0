//! People: what each one earned, spent and saved, and which sign-in belongs to which name.

use std::collections::BTreeMap;

use futures_util::FutureExt as _;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::{Error, Item, Name, Value, message, name};

use crate::change::{Edit, commit};
use crate::codes::{self, CodeType, stored};
use crate::line::{self, Line};
use crate::read::steady;
use crate::report::{CONCURRENT, Day, check_period};
use crate::{Kind, Ledger, LedgerCode, Month, messages};

/// The maximum number of characters of the id of a sign-in.
const MAX_ID: usize = 64;

/// The names of people by the ids of their sign-ins.
pub type SignIns = BTreeMap<String, String>;

/// What each person earned, spent and saved in a month.
///
/// # Errors
/// As [`people_of_period`].
pub async fn people(ledger: &Ledger, month: Month) -> Result<BTreeMap<String, Day>, Error> {
    people_of_period(ledger, month, month).await
}

/// What each person earned, spent and saved in a period. Income belongs to the person that it names, other lines to
/// whoever entered them: by name if the sign-in has one, otherwise by its id.
///
/// # Errors
/// A period that is empty or too long, or `busy`.
pub async fn people_of_period(
    ledger: &Ledger,
    from: Month,
    to: Month,
) -> Result<BTreeMap<String, Day>, Error> {
    check_period(from, to)?;
    let db = &ledger.db;
    let read = |_| {
        async move {
            let months = from.to(to).map(|month| line::of_month(db, month)).collect::<Vec<_>>();
            let lines: Vec<Line> = stream::iter(months).buffered(CONCURRENT).try_concat().await?;
            Ok((lines, sign_ins(ledger).await?))
        }
        .boxed()
    };
    let (_, (lines, names)) = steady(db, read).await?;
    let codes = ledger.codes().await?;
    let mut people: BTreeMap<String, Day> =
        codes.list(CodeType::Name).iter().map(|name| (name.clone(), Day::default())).collect();
    for line in lines {
        let person = match line.subject.kind {
            Kind::Income => line.subject.name.clone(),
            _ => names.get(&line.by).cloned().unwrap_or(line.by),
        };
        people.entry(person).or_default().add(&line.subject, line.amount)?;
    }
    Ok(people)
}

/// The names of sign-ins.
///
/// # Errors
/// When the store fails.
pub async fn sign_ins(ledger: &Ledger) -> Result<SignIns, Error> {
    Ok(names(stored(ledger, "SignIns", Item::new()).await?.as_ref()))
}

/// Assigns a sign-in to a person, or to none.
///
/// # Errors
/// A name that is not in the codes, or an id that no sign-in has.
pub async fn name_sign_in(ledger: &Ledger, by: &str, id: &str, person: Option<&str>) -> Result<(), Error> {
    if !(1..=MAX_ID).contains(&id.chars().count()) {
        return Err(Error::invalid(LedgerCode::NameInvalid, message!(messages::SIGN_IN_INVALID, MAX_ID)));
    }
    if let Some(person) = person {
        codes::check_listed(ledger, CodeType::Name, person).await?;
    }
    let plan = || {
        async {
            let before = stored(ledger, "SignIns", Item::new()).await?;
            let mut all = names(before.as_ref());
            match person {
                Some(person) => drop(all.insert(id.to_owned(), person.to_owned())),
                None => drop(all.remove(id)),
            }
            let mut edit = Edit::new("people", by);
            if all != names(before.as_ref()) {
                edit.item("SignIns", before, Some(fields(&all)));
            }
            Ok((edit, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(drop)
}

fn names(fields: Option<&Item>) -> SignIns {
    let Some(Value::M(map)) = fields.and_then(|fields| fields.get("names")) else { return SignIns::new() };
    map.iter().filter_map(|(id, name)| Some((id.to_string(), name.as_str()?.to_owned()))).collect()
}

pub(crate) fn fields(names: &SignIns) -> Item {
    let names = names.iter().map(|(id, name)| (Name::from(&**id), Value::from(&**name)));
    Item::from([(name!("names"), Value::M(names.collect()))])
}
