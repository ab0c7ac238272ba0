//! An item: a handful of attributes in the order of their names, in one piece of memory.

use std::fmt;
use std::iter::Map;
use std::ops::Index;
use std::slice;
use std::vec;

use super::{Name, Value};

/// One item, or a map inside of one: attribute names and values, in name order.
///
/// It is used as a map is. Items are read and thrown away by the million, and have a dozen
/// attributes: a sorted list takes one allocation where a tree takes several.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Item(Vec<Attribute>);

type Attribute = (Name, Value);

/// As many attributes as are looked through one by one.
const FEW: usize = 24;

impl Item {
    /// An item without attributes.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The value of an attribute.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.get_key_value(name).map(|(_, value)| value)
    }

    /// The name and the value of an attribute.
    #[must_use]
    pub fn get_key_value(&self, name: &str) -> Option<(&Name, &Value)> {
        self.find(name).map(|place| pair(&self.0[place]))
    }

    /// The value of an attribute, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.find(name).map(|place| &mut self.0[place].1)
    }

    /// Whether there is such an attribute.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Gives an attribute a value; the one it had comes back.
    pub fn insert(&mut self, name: Name, value: Value) -> Option<Value> {
        match self.place(&name) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (name, value));
                None
            }
        }
    }

    /// Takes an attribute away; the value it had comes back.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.remove_entry(name).map(|(_, value)| value)
    }

    /// Takes an attribute away; its name and the value it had come back.
    pub fn remove_entry(&mut self, name: &str) -> Option<(Name, Value)> {
        self.find(name).map(|place| self.0.remove(place))
    }

    /// Keeps the attributes that are wanted.
    pub fn retain(&mut self, mut wanted: impl FnMut(&Name, &mut Value) -> bool) {
        self.0.retain_mut(|(name, value)| wanted(name, value));
    }

    /// How many attributes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no attribute.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The attributes, in name order.
    pub fn iter(&self) -> Iter<'_> {
        self.into_iter()
    }

    /// The attributes, their values to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Name, &mut Value)> {
        self.0.iter_mut().map(|(name, value)| (&*name, value))
    }

    /// The names, in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Name> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The values, in the order of their names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Where a name is. Among a few, those of another length are passed over quicker than any order is followed.
    fn find(&self, name: &str) -> Option<usize> {
        if self.0.len() > FEW {
            return self.place(name).ok();
        }
        self.0.iter().position(|(known, _)| **known == *name)
    }

    /// Where a name is, or where it belongs.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }
}

/// The attributes of an item.
type Iter<'i> = Map<slice::Iter<'i, Attribute>, fn(&Attribute) -> (&Name, &Value)>;

fn pair((name, value): &Attribute) -> (&Name, &Value) {
    (name, value)
}

impl<'i> IntoIterator for &'i Item {
    type Item = (&'i Name, &'i Value);
    type IntoIter = Iter<'i>;

    fn into_iter(self) -> Iter<'i> {
        self.0.iter().map(pair)
    }
}

impl IntoIterator for Item {
    type Item = Attribute;
    type IntoIter = vec::IntoIter<Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<Vec<Attribute>> for Item {
    /// Of two values for one name the later one stands.
    fn from(mut attributes: Vec<Attribute>) -> Self {
        let in_order = |pair: &[Attribute]| pair[0].0 < pair[1].0;
        if !attributes.windows(2).all(in_order) {
            attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
            attributes.dedup_by(|later, earlier| {
                let same = later.0 == earlier.0;
                if same {
                    std::mem::swap(later, earlier);
                }
                same
            });
        }
        Self(attributes)
    }
}

impl<const N: usize> From<[Attribute; N]> for Item {
    fn from(attributes: [Attribute; N]) -> Self {
        Self::from(Vec::from(attributes))
    }
}

impl FromIterator<Attribute> for Item {
    fn from_iter<I: IntoIterator<Item = Attribute>>(attributes: I) -> Self {
        Self::from(Vec::from_iter(attributes))
    }
}

impl Extend<Attribute> for Item {
    fn extend<I: IntoIterator<Item = Attribute>>(&mut self, attributes: I) {
        let mut all = std::mem::take(&mut self.0);
        all.extend(attributes);
        *self = Self::from(all);
    }
}

impl Index<&str> for Item {
    type Output = Value;

    /// # Panics
    /// When there is no such attribute, as maps do.
    fn index(&self, name: &str) -> &Value {
        match self.find(name) {
            Some(place) => &self.0[place].1,
            None => panic!("the item has no attribute `{name}`"),
        }
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever is done to it, an item holds what a tree would hold, in the same order.
        #[test]
        fn an_item_is_a_map(start in any::<Vec<(u8, i64)>>(), steps in any::<Vec<(u8, Option<i64>)>>(), more in any::<Vec<(u8, i64)>>()) {
            let named = |(name, number): (u8, i64)| (Name::from(format!("n{}", name % 40)), Value::from(number));
            let mut item: Item = start.iter().copied().map(named).collect();
            let mut map: BTreeMap<Name, Value> = start.into_iter().map(named).collect();
            for (name, step) in steps {
                let (name, value) = named((name, step.unwrap_or_default()));
                prop_assert_eq!(item.get(&name), map.get(&name));
                prop_assert_eq!(item.contains_key(&name), map.contains_key(&name));
                if step.is_some() {
                    prop_assert_eq!(item.insert(name.clone(), value.clone()), map.insert(name, value));
                } else {
                    prop_assert_eq!(item.remove(&name), map.remove(&name));
                }
            }
            item.extend(more.iter().copied().map(named));
            map.extend(more.into_iter().map(named));
            item.retain(|name, _| &**name != "n3");
            map.retain(|name, _| &**name != "n3");
            prop_assert_eq!(item.len(), map.len());
            prop_assert_eq!(item.iter().collect::<Vec<_>>(), map.iter().collect::<Vec<_>>());
            prop_assert_eq!(item.into_iter().collect::<Vec<_>>(), map.into_iter().collect::<Vec<_>>());
        }
    }
}
