//! The attribute by which a list is read: the part of its sort key that differs between its records.

use hansang_core::model::{Entity, KeySource, Leg, Pattern, Sort};

/// The attribute that the records of a pattern are read in the order of, if its keys give one.
pub(super) fn of<'e>(pattern: &Pattern, entity: &'e Entity) -> Option<&'e str> {
    let [Leg::Query { sort, .. }] = &*pattern.legs else { return None };
    if pattern.over.is_some() || pattern.entities.len() > 1 {
        return None;
    }
    let known = match sort {
        Sort::All => 0,
        Sort::Prefix { known, .. } | Sort::Range { known, .. } => *known,
        Sort::Exact(_) => return None,
    };
    let template = match pattern.index {
        None => &entity.sk,
        Some(index) => match entity.indexes.iter().find(|one| one.index == index)?.sk.as_ref()? {
            KeySource::Derived(template) | KeySource::Own(template) => template,
            KeySource::Number(attribute) => return Some(&attribute.name),
        },
    };
    let is_given = |name: &str| pattern.given.iter().any(|given| &*given.name == name);
    let fields = template.segments.iter().skip(known).filter_map(|segment| segment.field.as_ref());
    fields.map(|field| &*field.attribute.name).find(|name| !is_given(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_give_the_order_of_a_list() {
        let model = br##"
model: shop
table:
  name: Shop
  key: { pk: PK, sk: SK }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
entities:
  Item:
    key: { PK: "SHELF#{shelf}", SK: "ITEM#{number:04}" }
    index:
      GSI1: { GSI1PK: "ITEMS", GSI1SK: "{color}#{at}#{number:04}" }
    attributes:
      shelf: string
      number: integer
      color: string
      at: timestamp
patterns:
  item:         { entity: Item, given: [shelf, number] }
  itemsOfShelf: { entity: Item, given: [shelf] }
  items:        { entity: Item, index: GSI1 }
  itemsOfColor: { entity: Item, index: GSI1, given: [color], range: at }
"##;
        let model = hansang_core::compile(model).unwrap();
        let entity = model.entity("Item").unwrap();
        let order = |name: &str| of(model.patterns.iter().find(|one| &*one.name == name).unwrap(), entity);
        assert_eq!(order("item"), None);
        assert_eq!(order("itemsOfShelf"), Some("number"));
        assert_eq!(order("items"), Some("color"));
        assert_eq!(order("itemsOfColor"), Some("at"));
    }
}
