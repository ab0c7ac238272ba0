//! An item: attributes in name order, in one allocation.

use std::fmt;
use std::iter::Map;
use std::ops::Index;
use std::slice;
use std::vec;

use super::{Name, Value};

/// One item, or a map inside of one: attribute names and values, in name order.
///
/// It works like a map. Items have about a dozen attributes and a short life: a sorted list takes one
/// allocation where a tree takes several.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Item(Vec<Attribute>);

type Attribute = (Name, Value);

/// The maximum number of attributes for linear search.
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
        self.find(name).map(|position| pair(&self.0[position]))
    }

    /// The value of an attribute, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.find(name).map(|position| &mut self.0[position].1)
    }

    /// Whether there is such an attribute.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Sets the value of an attribute, and returns the previous one.
    pub fn insert(&mut self, name: Name, value: Value) -> Option<Value> {
        match self.position(&name) {
            Ok(position) => Some(std::mem::replace(&mut self.0[position].1, value)),
            Err(position) => {
                self.0.insert(position, (name, value));
                None
            }
        }
    }

    /// Removes an attribute, and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.remove_entry(name).map(|(_, value)| value)
    }

    /// Removes an attribute, and returns its name and value.
    pub fn remove_entry(&mut self, name: &str) -> Option<(Name, Value)> {
        self.find(name).map(|position| self.0.remove(position))
    }

    /// Keeps the attributes that are wanted.
    pub fn retain(&mut self, mut wanted: impl FnMut(&Name, &mut Value) -> bool) {
        self.0.retain_mut(|(name, value)| wanted(name, value));
    }

    /// The number of attributes.
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

    /// The position of a name. In short items a linear search that compares lengths first is faster than a binary one.
    fn find(&self, name: &str) -> Option<usize> {
        if self.0.len() > FEW {
            return self.position(name).ok();
        }
        self.0.iter().position(|(known, _)| **known == *name)
    }

    /// The position of a name, or the position to insert it at.
    fn position(&self, name: &str) -> Result<usize, usize> {
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
    /// The last of several values for one name wins.
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
    /// When there is no such attribute.
    fn index(&self, name: &str) -> &Value {
        match self.find(name) {
            Some(position) => &self.0[position].1,
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

        /// After any operations an item equals a `BTreeMap`.
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
