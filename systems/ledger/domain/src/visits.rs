//! Visits: the changes by others since an account looked at the ledger last.

use hansang_core::kind::time::Precision;
use hansang_core::{Error, Item, name};
use jiff::{SignedDuration, Timestamp};

use crate::Ledger;
use crate::figures::number_of;
use crate::head::{self, strong};
use crate::trail::{TrailRow, Wanted, trail};

/// The time without a look after which the next look is another visit.
const PAUSE: SignedDuration = SignedDuration::from_mins(30);
/// The time after which a look is written down again.
const FRESH: SignedDuration = SignedDuration::from_mins(5);
/// The number of changes that are looked through; an import is one.
const MAX_ROWS: usize = 50;

/// The changes by others since the last visit of an account, newest first, at most `limit`. Looking again during the
/// same visit gives the same ones. An account that never looked has none.
///
/// # Errors
/// When the store fails.
pub async fn news(ledger: &Ledger, account: &str, limit: usize) -> Result<Vec<TrailRow>, Error> {
    let key = Item::from([(name!("account"), account.into())]);
    let stored = ledger.db.get("Visit", &key, &strong()).await?;
    let (seq, now) = (head::load(&ledger.db).await?.seq, ledger.now());
    let at: Option<Timestamp> =
        stored.as_ref().and_then(|visit| visit.text("at")).and_then(|at| at.parse().ok());
    let age = at.map(|at| now.duration_since(at));
    let number = |name: &str| stored.as_ref().map_or(seq, |visit| number_of(&visit.fields, name));
    let (since, seen) = (number("since"), number("seen"));
    let since = if age.is_some_and(|age| age > PAUSE) { seen } else { since };
    if seen != seq || age.is_none_or(|age| age > FRESH) {
        let mut fields = key;
        fields.insert(name!("since"), since.into());
        fields.insert(name!("seen"), seq.into());
        fields.insert(name!("at"), Precision::Millis.format(now).into());
        ledger.db.put("Visit", fields, None).await?;
    }
    if since >= seq {
        return Ok(Vec::new());
    }
    let wanted = Wanted { not_by: Some(account.to_owned()), after: since, ..Wanted::default() };
    let found = trail(ledger, &wanted, None, MAX_ROWS, true).await?;
    let is_told = |row: &TrailRow| !(row.change.lines.is_empty() && row.change.others.is_empty());
    Ok(found.rows.into_iter().filter(is_told).take(limit).collect())
}
