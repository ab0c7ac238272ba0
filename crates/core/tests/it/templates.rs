//! Keys of random templates and values: a key parses to its values, sorts as they do, and belongs to one
//! entity.
//!
//! Templates come from random model files that compile, so that the checks of the compiler are tested.

use std::sync::Arc;

use hansang_core::diagnostic::Code;
use hansang_core::identify::{Identity, identify};
use hansang_core::unique::pointer_pk;
use hansang_core::{Diagnostic, Entity, Item, Model, Name, Value, compile};
use proptest::prelude::*;

mod made;

use made::{EntityText, entity_text, model_text, rivals, value};

/// The model, or nothing if its entities collide.
fn compiled(entities: &[EntityText]) -> Result<Option<Model>, TestCaseError> {
    let text = model_text(entities);
    match compile(text.as_bytes()) {
        Ok(model) => Ok(Some(model)),
        Err(problems) if problems.iter().all(between_entities) => Ok(None),
        Err(problems) => Err(TestCaseError::fail(format!("{text}\n{problems:#?}"))),
    }
}

fn between_entities(problem: &Diagnostic) -> bool {
    matches!(problem.code, Code::KeyCollision | Code::MixedWidth)
}

/// A value for each attribute of an entity.
fn fields(entity: &Entity, seeds: &[u64]) -> Item {
    let seeds = seeds.iter().cycle();
    entity.attributes.iter().zip(seeds).map(|(a, seed)| (a.name.clone(), value(&a.kind, *seed))).collect()
}

/// The two keys of an item.
fn keys(entity: &Entity, fields: &Item) -> (String, String) {
    let render = |template: &hansang_core::template::Template| {
        template.render(fields).expect("values that can stand in a key").expect("all fields")
    };
    (render(&entity.pk), render(&entity.sk))
}

/// The fields that the key of an entity holds.
fn in_key(entity: &Entity, fields: &Item) -> Item {
    fields
        .iter()
        .filter(|(name, _)| entity.in_key(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn seeds() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(any::<u64>(), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_key_is_read_back_as_what_was_written(entity in entity_text(), seeds in seeds()) {
        let model = compiled(&[entity])?.expect("one entity cannot collide");
        let entity = &model.entities[0];
        let fields = fields(entity, &seeds);
        for template in [&entity.pk, &entity.sk] {
            let key = template.render(&fields).unwrap().unwrap();
            let parsed = template.parse(&key).expect("a key of its own");
            prop_assert_eq!(parsed.len(), template.fields().count());
            for (field, value) in parsed {
                prop_assert_eq!(Some(&value), fields.get(&field.attribute.name), "{}", key);
            }
        }
    }

    /// `begins_with` finds every key with the prefix.
    #[test]
    fn a_key_begins_with_each_of_its_prefixes(entity in entity_text(), seeds in seeds()) {
        let model = compiled(&[entity])?.expect("one entity cannot collide");
        let entity = &model.entities[0];
        let fields = fields(entity, &seeds);
        let key = entity.sk.render(&fields).unwrap().unwrap();
        for count in 0..entity.sk.segments.len() {
            let prefix = entity.sk.render_prefix(count, &fields).unwrap();
            prop_assert!(key.starts_with(&prefix), "{key} {prefix}");
        }
    }

    /// No key of one entity is one of another.
    #[test]
    fn a_key_belongs_to_one_entity(entities in rivals(), seeds in seeds()) {
        let Some(model) = compiled(&entities)? else { return Ok(()) };
        for entity in &model.entities {
            let fields = fields(entity, &seeds);
            let (pk, sk) = keys(entity, &fields);
            let could_be =
                |other: &&Arc<Entity>| other.pk.parse(&pk).is_some() && other.sk.parse(&sk).is_some();
            let owners: Vec<_> = model.entities.iter().filter(could_be).map(|owner| &owner.name).collect();
            prop_assert_eq!(owners, [&entity.name]);
            let Some(Identity::Entity { entity: found, fields: read }) = identify(&model, &pk, &sk) else {
                return Err(TestCaseError::fail("not identified"));
            };
            prop_assert_eq!(&found.name, &entity.name);
            prop_assert_eq!(read, in_key(entity, &fields));
        }
    }

    /// Es13: a value that would make a key ambiguous is rejected.
    #[test]
    fn ambiguous_values_are_rejected(
        delimiter in prop::sample::select(vec!['#', '|', '/', '~']),
        before in "[a-z]{0,5}",
        bad in prop::sample::select(vec!['\0', '\n', '\u{7f}', '\u{85}']),
        behind in "[a-z]{0,5}",
    ) {
        let model = one(delimiter, "string", &format!("K{delimiter}{{v}}{delimiter}Z"));
        let render =
            |text: &str| model.entities[0].pk.render(&Item::from([(Name::from("v"), Value::from(text))]));
        for within in [delimiter, bad] {
            let error = render(&format!("{before}{within}{behind}")).unwrap_err();
            prop_assert_eq!(error.attribute, "v");
        }
        prop_assert_eq!(render("").unwrap_err().attribute, "v");
        let good = format!("{before}-{behind}");
        prop_assert_eq!(render(&good), Ok(Some(format!("K{delimiter}{good}{delimiter}Z"))));
    }

    /// Es14: text sorts like its values.
    #[test]
    fn keys_sort_as_their_values_do(a in any::<u64>(), b in any::<u64>()) {
        for (kind, pad) in [
            ("integer", ":018"),
            ("timestamp", ""),
            ("{ type: timestamp, precision: millis }", ""),
            ("month", ""),
            ("{ type: month, separator: \".\" }", ""),
            ("ulid", ""),
        ] {
            let model = one('#', kind, &format!("K#{{v{pad}}}#Z"));
            let entity = &model.entities[0];
            let kind = &entity.attribute("v").unwrap().kind;
            let (first, second) = (made::ordered(kind, a), made::ordered(kind, b));
            let key =
                |value: Value| entity.pk.render(&Item::from([(Name::from("v"), value)])).unwrap().unwrap();
            prop_assert_eq!(key(first.1).cmp(&key(second.1)), first.0.cmp(&second.0), "{}", kind);
        }
    }

    #[test]
    fn numbers_that_do_not_fit_their_padding_are_refused(number in any::<i64>(), width in 1..=18_u32) {
        let model = one('#', "integer", &format!("K#{{v:0{width}}}"));
        let key = model.entities[0].pk.render(&Item::from([(Name::from("v"), Value::from(number))]));
        if (0..10_i64.pow(width)).contains(&number) {
            prop_assert_eq!(key, Ok(Some(format!("K#{number:0width$}", width = width as usize))));
        } else {
            prop_assert_eq!(key.unwrap_err().attribute, "v");
        }
    }

    /// Two values share the pointer that keeps them unique only if they are the same.
    #[test]
    fn pointers_of_different_values_differ(
        [a, b, c, d] in prop::array::uniform4("[a%#0-9\\x00]{0,4}"),
    ) {
        let entity = "  P:
    key: { PK: \"P#{id}\", SK: META }
    attributes: { id: ulid, x: string, y: string }
    unique: { both: [x, y] }
";
        let model = compile((model_text(&[]) + entity).as_bytes()).unwrap();
        let entity = &model.entities[0];
        let pointer = |x: &str, y: &str| {
            let fields = Item::from([(Name::from("x"), Value::from(x)), (Name::from("y"), Value::from(y))]);
            pointer_pk(entity, &entity.uniques[0], '#', &fields).unwrap()
        };
        prop_assert_eq!(pointer(&a, &b) == pointer(&c, &d), (&a, &b) == (&c, &d));
        let pointer = pointer(&a, &b);
        let found = identify(&model, &pointer, "UNIQUE");
        prop_assert!(matches!(found, Some(Identity::Pointer { .. })), "{pointer}");
    }
}

/// A model of one entity whose partition key is made of the attribute `v`.
fn one(delimiter: char, kind: &str, template: &str) -> Model {
    let text = format!(
        "model: m
table: {{ name: Tab, key: {{ pk: PK, sk: SK }}, delimiter: \"{delimiter}\" }}
entities:
  E:
    key: {{ PK: \"{template}\", SK: META }}
    attributes: {{ v: {kind} }}
"
    );
    compile(text.as_bytes()).unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"))
}
