//! Models in parts: nothing is lost or changed.

use hansang_core::describe::{self, SortTest};
use hansang_core::value::{Value, json};
use hansang_core::{Model, sample};

use crate::{file, model};

fn models() -> impl Iterator<Item = Model> {
    let names = ["content", "ledger", "entry", "documents", "contracts", "access"];
    names.into_iter().map(|name| model(&file(&format!("models/{name}.yaml"))))
}

/// The pieces of a template join to the text of the model file, and those of a key to the key.
#[test]
fn pieces_make_the_whole() {
    let mut examples = 0;
    for model in models() {
        for entity in &model.entities {
            let keys = describe::keys(&model, entity);
            assert_eq!(describe::text(&keys[0].pieces), entity.pk.text);
            assert_eq!(describe::text(&keys[1].pieces), entity.sk.text);
            for entry in &entity.indexes {
                for template in [entry.pk.template(), entry.sk.as_ref().and_then(|sk| sk.template())] {
                    let Some(template) = template else { continue };
                    assert_eq!(describe::text(&describe::of_template(template)), template.text);
                }
            }
            let Some(item) = sample::item(&model, entity) else { continue };
            for key in &keys {
                let Some(value) = item.get(key.name) else { continue };
                let text = match value {
                    Value::S(text) => text.to_string(),
                    other => json::to_plain(other).to_string(),
                };
                let pieces = key.of_item(&item).unwrap();
                assert_eq!(describe::text(&pieces), text);
                let fields = |pieces: &[describe::Piece<'_>]| -> Vec<String> {
                    pieces.iter().filter_map(|piece| Some(piece.attribute?.to_string())).collect()
                };
                assert_eq!(fields(&pieces), fields(&key.pieces), "{} of {}", key.name, entity.name);
                examples += 1;
            }
        }
    }
    assert!(examples > 60, "{examples}");
}

/// Numbers that are padded to ten digits and more, as the file writes them.
#[test]
fn wide_padding_is_written_as_in_the_file() {
    let model = model(
        r#"
model: m
table: { name: Tab, key: { pk: PK, sk: SK } }
entities:
  Line:
    key: { PK: "P#{file}", SK: "L#{number:012}#{part:02}" }
    attributes: { file: string, number: integer, part: integer }
patterns:
  line: { entity: Line, given: [file, number] }
"#,
    );
    let reads = describe::reads(&model, &model.patterns[0]);
    let Some((_, SortTest::BeginsWith(start))) = &reads[0].sk else { panic!("{reads:?}") };
    assert_eq!(describe::text(start), "L#{number:012}#");
    assert_eq!(
        describe::text(&describe::keys(&model, &model.entities[0])[1].pieces),
        "L#{number:012}#{part:02}"
    );
}

/// The ends of a range are values of the attribute that it narrows.
#[test]
fn a_range_belongs_to_its_attribute() {
    let model = models().nth(2).unwrap();
    let reads = describe::reads(&model, model.pattern("requestsOfUser").unwrap());
    let Some((name, SortTest::Between(from, to))) = &reads[0].sk else { panic!("{reads:?}") };
    assert_eq!(
        (&***name, describe::text(from), describe::text(to)),
        ("GSI1SK", "QAT#{from}".into(), "QAT#{to}".into())
    );
    assert_eq!(from[1].attribute.map(|name| &**name), Some("queuedAt"));
}
