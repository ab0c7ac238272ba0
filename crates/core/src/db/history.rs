//! The last changes of one item, as fields of the model.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

use super::{Db, Record, failure};
use crate::error::Error;
use crate::identify::{fields_of, key_fields};
use crate::model::{Entity, Model};
use crate::plan::Key;
use crate::store::Past;
use crate::validate::{Violation, check_fields};
use crate::value::{Item, Name, Value};
use crate::write;

/// The last changes of one item: see [`Db::history`].
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// The changes, newest first.
    pub changes: Vec<Changed>,
    /// Whether these are all stored changes. If not, there may be older ones.
    pub whole: bool,
}

/// One change of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The time of the change.
    pub at: Timestamp,
    /// The item before; absent if the change created it.
    pub before: Option<Image>,
    /// The item after; absent if the change deleted it.
    pub after: Option<Image>,
    /// The fields that differ before and after, with those that Hansang writes, in name order. All fields if
    /// the item was created or deleted; empty if only index keys changed.
    pub fields: Vec<ChangedField>,
}

/// An item at some time in the past.
///
/// The model may have changed since: every stored field is here, even if the model does not have it any
/// more.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Its fields, without the keys of table and indexes.
    pub record: Record,
    /// The problems of these fields with the current model, in name order; usually empty.
    pub violations: Vec<Violation>,
}

/// A field that differs before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedField {
    /// Its name.
    pub name: Name,
    /// The value before, if there was one.
    pub before: Option<Value>,
    /// The value after, if there is one.
    pub after: Option<Value>,
}

impl Db {
    /// The last changes of one item by the fields of its key, at most `limit`, newest first. Nothing if the
    /// store keeps no changes of this table: it keeps them for a day if it can and the model has
    /// `streams: true` (see [`crate::Store::history`]).
    ///
    /// The item need not exist any more; if it never existed, the list is empty. The changes of an item that
    /// was moved stay at its old key.
    ///
    /// # Errors
    /// When a field of the key is missing or wrong, or the store cannot be read. Never because of the stored
    /// values: see [`Image`].
    pub async fn history(&self, entity: &str, key: &Item, limit: usize) -> Result<Option<Changes>, Error> {
        let entity = self.entity(entity)?;
        let key = write::key(entity, key)?;
        let history = self.store.history(&self.table, &key, limit).await.map_err(failure::of_store)?;
        Ok(history.map(|history| {
            let changes = history.changes.into_iter().map(|past| changed(&self.model, entity, &key, &past));
            Changes { changes: changes.collect(), whole: history.whole }
        }))
    }
}

/// The fields that differ between two items, in name order.
#[must_use]
pub fn compare(before: &Item, after: &Item) -> Vec<ChangedField> {
    let names: BTreeSet<&Name> = before.keys().chain(after.keys()).collect();
    let different = names.into_iter().filter(|name| before.get(name) != after.get(name));
    let field = |name: &Name| ChangedField {
        name: name.clone(),
        before: before.get(name).cloned(),
        after: after.get(name).cloned(),
    };
    different.map(field).collect()
}

fn changed(model: &Model, entity: &Arc<Entity>, key: &Key, past: &Past) -> Changed {
    let image = |item: &Item| image(model, entity, key, item);
    let (before, after) = (past.old.as_ref().map(image), past.new.as_ref().map(image));
    let nothing = Item::new();
    let [old, new] =
        [&before, &after].map(|image| image.as_ref().map_or(&nothing, |image| &image.record.fields));
    let fields = compare(old, new);
    Changed { at: past.at, before, after, fields }
}

/// An item as fields of the current model, as far as it has them. Index keys are not checked: an index
/// that was added later does not make the past invalid.
fn image(model: &Model, entity: &Arc<Entity>, key: &Key, item: &Item) -> Image {
    let in_key = key_fields(entity, &key.pk, &key.sk).unwrap_or_default();
    let mut fields = fields_of(model, entity, item, in_key.clone());
    // A field that was only in the key then, and is stored now, is known from the key.
    for (name, value) in in_key {
        if !fields.contains_key(&name) {
            fields.insert(name, value);
        }
    }
    let violations = check_fields(entity, &fields).err().unwrap_or_default();
    let problems = violations.clone();
    Image { record: Record { entity: entity.clone(), fields, partial: false, problems }, violations }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(fields: &[(&str, i64)]) -> Item {
        fields.iter().map(|(name, value)| (Name::from(*name), Value::from(*value))).collect()
    }

    #[test]
    fn only_changed_fields_are_listed_in_name_order() {
        let (before, after) = (item(&[("b", 1), ("c", 1), ("d", 1)]), item(&[("a", 2), ("b", 2), ("d", 1)]));
        let told: Vec<_> =
            compare(&before, &after).into_iter().map(|one| (one.name, one.before, one.after)).collect();
        let (one, two) = (Some(Value::from(1)), Some(Value::from(2)));
        assert_eq!(
            told,
            [("a".into(), None, two.clone()), ("b".into(), one.clone(), two), ("c".into(), one, None)]
        );
        assert_eq!(compare(&before, &before), []);
        assert_eq!(compare(&Item::new(), &item(&[("a", 1)])).len(), 1);
    }
}
