//! Versions that were stored under another spelling of their kind, such as `SINKRULE`, before that spelling was known. They
//! stay where they are and are found there; new versions are stored under the name of the kind.

use hansang_core::messages::reads;
use hansang_core::{CoreCode, Error, Item, message};

use super::StoreRegistry;
use super::items::{self, CONTRACT};
use crate::{ContractError, ContractRef, Kind};

/// Separates a spelling from the cursor within it. A cursor of the table has no such character.
const WITHIN: char = '|';

impl StoreRegistry {
    /// The names under which kinds are stored.
    pub(super) async fn stored_kinds(&self) -> Result<Vec<String>, ContractError> {
        let records = self.all("kinds", Item::default(), &["name"]).await.map_err(items::unlistable)?;
        Ok(records.iter().map(|record| record.text("name").unwrap_or_default().to_owned()).collect())
    }

    /// The names under which versions of a kind may be stored: its own comes first.
    pub(super) async fn spellings(&self, kind: &Kind) -> Result<Vec<String>, ContractError> {
        let other =
            |name: &String| name != kind.as_str() && name.parse::<Kind>().is_ok_and(|parsed| parsed == *kind);
        let others = self.stored_kinds().await?.into_iter().filter(other);
        Ok([kind.to_string()].into_iter().chain(others).collect())
    }

    /// A version that is stored under another spelling, with the spelling.
    pub(super) async fn stored_otherwise(
        &self,
        reference: &ContractRef,
    ) -> Result<Option<(String, Item)>, ContractError> {
        for spelling in self.spellings(&reference.kind).await?.into_iter().skip(1) {
            if let Some(item) = self.db.stored(CONTRACT, &items::key_under(&spelling, reference)).await? {
                return Ok(Some((spelling, item)));
            }
        }
        Ok(None)
    }

    /// The spelling after this one.
    pub(super) async fn after(&self, kind: &Kind, spelling: &str) -> Result<Option<String>, ContractError> {
        let mut all = self.spellings(kind).await?.into_iter();
        all.by_ref().find(|one| one == spelling);
        Ok(all.next())
    }
}

/// The cursor of a list, which continues under a spelling.
pub(super) fn cursor(kind: &Kind, spelling: &str, within: &str) -> String {
    if spelling == kind.as_str() { within.to_owned() } else { format!("{spelling}{WITHIN}{within}") }
}

/// The spelling under which a list continues, and the cursor within it.
pub(super) fn position(kind: &Kind, cursor: Option<&str>) -> Result<(String, Option<String>), Error> {
    let Some(cursor) = cursor else { return Ok((kind.to_string(), None)) };
    let Some((spelling, within)) = cursor.split_once(WITHIN) else {
        return Ok((kind.to_string(), Some(cursor.to_owned())));
    };
    if spelling.parse::<Kind>().is_ok_and(|parsed| parsed == *kind) {
        return Ok((spelling.to_owned(), (!within.is_empty()).then(|| within.to_owned())));
    }
    Err(Error::invalid(CoreCode::InvalidCursor, message!(reads::CURSOR_OF_OTHER)))
}
