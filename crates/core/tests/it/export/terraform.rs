//! Terraform configuration, read back by an HCL parser and evaluated.

use hansang_core::export::{Format, export};
use hansang_core::{Model, Words};
use hcl::eval::{Context, Evaluate};
use hcl::{Block, Body, Expression, Value};
use proptest::prelude::{any, prop_assert_eq, proptest};

use super::{CONTRACTS, NASTY, model, models};

/// Document 004, 5-1.
const DOCUMENT: &str = r#"
resource "aws_dynamodb_table" "schema_registry" {
  name         = "ivm-lite-schema-registry-${var.env}"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "PK"
  range_key    = "SK"

  attribute {
    name = "PK"
    type = "S"
  }
  attribute {
    name = "SK"
    type = "S"
  }
  attribute {
    name = "kind"
    type = "S"
  }
  attribute {
    name = "status"
    type = "S"
  }

  global_secondary_index {
    name            = "kind-status-index"
    hash_key        = "kind"
    range_key       = "status"
    projection_type = "ALL"
  }

  point_in_time_recovery {
    enabled = true
  }

  tags = {
    Service = "ivm-lite"
    Component = "schema-registry"
  }
}
"#;

fn parse(model: &Model, env: Option<&str>) -> Body {
    let text = export(model, Format::Terraform, env);
    hcl::parse(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
}

fn find<'b>(body: &'b Body, path: &[&str]) -> &'b Block {
    let labels =
        |block: &Block| block.labels().iter().map(|label| label.as_str().to_owned()).collect::<Vec<_>>();
    body.blocks()
        .find(|block| block.identifier() == path[0] && labels(block) == path[1..])
        .unwrap_or_else(|| panic!("no {path:?}"))
}

fn get<'b>(block: &'b Block, name: &str) -> Option<&'b Expression> {
    block.body().attributes().find(|attribute| attribute.key() == name).map(|attribute| attribute.expr())
}

fn named<'b>(block: &'b Block, of_type: &str) -> Vec<&'b Block> {
    block.body().blocks().filter(|block| block.identifier() == of_type).collect()
}

/// The value of an expression for an environment.
fn evaluate(expression: &Expression, env: &str) -> Value {
    let mut context = Context::new();
    context.declare_var("var", hcl::value!({ "env" = env, "table_name" = "Given" }));
    expression.evaluate(&context).unwrap()
}

/// R1, R4, R5, R28: the resource has everything of the document's example, in the same order.
#[test]
fn contracts_agrees_with_its_document() {
    let document = hcl::parse(DOCUMENT).unwrap();
    let example = find(&document, &["resource", "aws_dynamodb_table", "schema_registry"]);
    let own = models().into_iter().filter(|model| &*model.name == "contracts");
    for model in own.chain([model("contracts", CONTRACTS)]) {
        let body = parse(&model, None);
        let ours = find(&body, &["resource", "aws_dynamodb_table", "contracts"]);
        for attribute in example.body().attributes() {
            assert_eq!(get(ours, attribute.key()), Some(attribute.expr()), "{}", attribute.key());
        }
        for of_type in ["attribute", "global_secondary_index", "point_in_time_recovery"] {
            assert_eq!(named(ours, of_type), named(example, of_type));
        }
        assert!(named(ours, "ttl").is_empty() && get(ours, "stream_enabled").is_none());
        // Several regions are not a goal: nothing replicates the table.
        assert!(named(ours, "replica").is_empty(), "a replica");
    }
}

/// C3, E1: the name contains the environment, billing is on demand, and neither the table nor its data is
/// deleted by accident.
#[test]
fn the_table_is_named_for_its_environment() {
    for model in models() {
        let label = model.name.replace('-', "_");
        let body = parse(&model, Some("prod"));
        let table = find(&body, &["resource", "aws_dynamodb_table", &label]);
        let named_here = |env: &str| evaluate(get(table, "name").unwrap(), env).as_str().unwrap().to_owned();
        if model.table.name.contains("{env}") {
            assert_eq!(named_here("test"), model.table.name_in(Some("test")));
        } else {
            let default = get(find(&body, &["variable", "table_name"]), "default").unwrap();
            assert_eq!(evaluate(default, ""), Value::from(model.table.name_in(None)));
            assert_eq!((named_here("").as_str(), named_here("test").as_str()), ("Given", "Given-test"));
        }
        let default = get(find(&body, &["variable", "env"]), "default").unwrap();
        assert_eq!(evaluate(default, ""), Value::from("prod"));
        assert_eq!(get(table, "billing_mode"), Some(&Expression::from("PAY_PER_REQUEST")));
        assert_eq!(get(table, "deletion_protection_enabled"), Some(&Expression::from(true)));
        let kept = named(table, "lifecycle")[0];
        assert_eq!(get(kept, "prevent_destroy"), Some(&Expression::from(true)));
        let encrypted = named(table, "server_side_encryption")[0];
        assert_eq!(get(encrypted, "enabled"), Some(&Expression::from(true)));
    }
}

/// C4
#[test]
fn streams_and_ttl_follow_the_model() {
    let nasty = model("nasty", NASTY);
    let body = parse(&nasty, None);
    let table = find(&body, &["resource", "aws_dynamodb_table", "nasty_one"]);
    assert_eq!(get(table, "stream_enabled"), Some(&Expression::from(true)));
    assert_eq!(get(table, "stream_view_type"), Some(&Expression::from("NEW_AND_OLD_IMAGES")));
    assert_eq!(get(named(table, "ttl")[0], "attribute_name"), Some(&Expression::from("expires-at")));
    find(&body, &["output", "stream_arn"]);
    let off = NASTY.replace("ttl: expires-at", "ttl: { attribute: expires-at, enabled: false }");
    let text = export(&model("off", &off), Format::Terraform, None);
    assert!(text.contains("# TTL is off. `expires-at` is reserved for it"), "{text}");
}

#[test]
fn nasty_texts_and_keys_come_through() {
    let nasty = model("nasty", NASTY);
    let body = parse(&nasty, None);
    let table = find(&body, &["resource", "aws_dynamodb_table", "nasty_one"]);
    let tags = evaluate(get(table, "tags").unwrap(), "");
    let expected: hcl::Map<String, Value> =
        nasty.table.tags.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect();
    assert_eq!(tags, Value::Object(expected));
    let numbers: Vec<&Expression> = named(table, "attribute")
        .into_iter()
        .filter(|block| get(block, "type") == Some(&Expression::from("N")))
        .filter_map(|block| get(block, "name"))
        .collect();
    assert_eq!(numbers, [&Expression::from("score")]);
    let indexes = named(table, "global_secondary_index");
    let projections: Vec<String> = indexes
        .iter()
        .map(|index| evaluate(get(index, "projection_type").unwrap(), "").as_str().unwrap().to_owned())
        .collect();
    assert_eq!(projections, ["INCLUDE", "KEYS_ONLY", "ALL", "ALL"]);
    let added = evaluate(get(indexes[0], "non_key_attributes").unwrap(), "");
    assert_eq!(added, Value::from(vec!["title"]));
    assert_eq!(get(indexes[1], "range_key"), None);
}

proptest! {
    #[test]
    fn any_tag_comes_through(key in any::<String>(), value in any::<String>(), doc in any::<String>()) {
        let mut model = model("contracts", CONTRACTS);
        model.doc = Words::plain(doc);
        model.table.tags = vec![(key.clone(), value.clone())];
        let body = parse(&model, None);
        let table = find(&body, &["resource", "aws_dynamodb_table", "contracts"]);
        let tags = evaluate(get(table, "tags").unwrap(), "");
        prop_assert_eq!(tags, Value::Object(hcl::Map::from_iter([(key, Value::from(value))])));
    }
}

/// The application's policy names the table and the indexes it reads, and never a Scan.
#[test]
fn the_application_policy_is_least_privilege() {
    for model in models() {
        let label = model.name.replace('-', "_");
        let body = parse(&model, None);
        let document =
            |who: &str| find(&body, &["data", "aws_iam_policy_document", &format!("{label}_{who}")]).clone();
        let application = document("application");
        let text = hcl::to_string(&application).unwrap();
        assert!(!text.contains('*') && !text.contains("Scan") && !text.contains("BatchWrite"), "{text}");
        for statement in named(&application, "statement") {
            let Some(Expression::Array(resources)) = get(statement, "resources") else { panic!("{text}") };
            for resource in resources {
                let shown = resource.to_string();
                let of_table = format!("aws_dynamodb_table.{label}.arn");
                let is_index = model
                    .table
                    .indexes
                    .iter()
                    .any(|index| shown == format!("\"${{{of_table}}}/index/{}\"", index.name));
                assert!(shown == of_table || is_index, "{shown}");
            }
        }
        let operators = hcl::to_string(&document("operators")).unwrap();
        assert!(operators.contains("dynamodb:Scan") && operators.contains("dynamodb:BatchWriteItem"));
        for who in ["application", "operators"] {
            find(&body, &["resource", "aws_iam_policy", &format!("{label}_{who}")]);
        }
        for output in ["table_name", "table_arn", "application_policy_arn", "operator_policy_arn"] {
            find(&body, &["output", output]);
        }
    }
}
