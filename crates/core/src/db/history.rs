//! What became of one item lately, in the words of the model.

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
    /// Whether these are all that are still kept. If not, there may be older ones.
    pub whole: bool,
}

/// One change of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// When it was made.
    pub at: Timestamp,
    /// The item before; absent if the change created it.
    pub before: Option<Image>,
    /// The item after; absent if the change deleted it.
    pub after: Option<Image>,
    /// The fields that are not the same before and after, those that Hansang writes itself included,
    /// in the order of their names. All of them where the item was created or deleted; none where
    /// only keys of indexes changed, which no reader sees.
    pub fields: Vec<ChangedField>,
}

/// An item as it was at some time.
///
/// The model may have changed since. What was right then is shown all the same, since a past that
/// only shows what would be right today is none: every field that was stored is here, whether or
/// not the model still has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Its fields, without the keys of table and indexes.
    pub record: Record,
    /// In what way these are not fields that today's model would accept, in name order; most often
    /// in none.
    pub violations: Vec<Violation>,
}

/// A field that a change made another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedField {
    /// Its name.
    pub name: Name,
    /// What it was, if it was there.
    pub before: Option<Value>,
    /// What it became, if it stayed.
    pub after: Option<Value>,
}

impl Db {
    /// The last changes of one item by the fields of its key, at most `limit`, newest first. Nothing
    /// where the store keeps no changes of this table: it does so for a day, where it can and the
    /// model says `streams: true` (see [`crate::Store::history`]).
    ///
    /// There need not be an item any more, and there may never have been one: then the list is
    /// empty. An item that was moved to another key left its past under the one it had.
    ///
    /// # Errors
    /// When a field of the key is missing or wrong, or the store cannot be read. Never because of
    /// what an item was: see [`Image`].
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

/// The fields that are not the same in two items, in the order of their names.
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

/// An item in the words of today's model, as far as it has them. The keys of indexes are not
/// compared with the fields: an index that was added since does not make the past wrong.
fn image(model: &Model, entity: &Arc<Entity>, key: &Key, item: &Item) -> Image {
    let in_key = key_fields(entity, &key.pk, &key.sk).unwrap_or_default();
    let mut fields = fields_of(model, entity, item, in_key.clone());
    // A field that was only in the key and is stored by now is known all the same.
    for (name, value) in in_key {
        if !fields.contains_key(&name) {
            fields.insert(name, value);
        }
    }
    let violations = check_fields(entity, &fields).err().unwrap_or_default();
    Image { record: Record { entity: entity.clone(), fields, partial: false }, violations }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(fields: &[(&str, i64)]) -> Item {
        fields.iter().map(|(name, value)| (Name::from(*name), Value::from(*value))).collect()
    }

    #[test]
    fn what_is_the_same_is_left_out_and_the_rest_is_in_the_order_of_names() {
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
