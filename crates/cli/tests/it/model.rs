//! `hansang model …`.

use std::process::{Command, Stdio};

use expect_test::expect;
use serde_json::Value as Json;

use crate::{hansang, root};

const MODELS: [&str; 6] = ["content", "ledger", "entry", "documents", "contracts", "access"];

/// A model file with this text, in a temporary folder.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.yaml");
    std::fs::write(&path, text).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

fn content() -> String {
    std::fs::read_to_string(root().join("models/content.yaml")).unwrap()
}

#[test]
fn check_is_silent_when_nothing_is_wrong() {
    assert_eq!(hansang(&["model", "check", "models"]), (0, String::new(), String::new()));
    let files = MODELS.map(|model| format!("models/{model}.yaml"));
    let mut arguments = vec!["model", "check"];
    arguments.extend(files.iter().map(String::as_str));
    assert_eq!(hansang(&arguments), (0, String::new(), String::new()));
}

#[test]
fn check_shows_every_problem_and_fails() {
    let (_folder, path) = file(
        &content().replace("Type_CreatedAt, order", "Type_Created, order").replace("POST#{id}", "POST#{ids}"),
    );
    let (code, out, err) = hansang(&["model", "check", &path, "models/ledger.yaml"]);
    assert_eq!(code, 1);
    assert!(out.contains("error[HS0031]: `Post` has no attribute `ids`"), "{out}");
    assert!(out.contains("error[HS0041]: there is no index `Type_Created`"), "{out}");
    assert!(out.contains(&format!("--> {path}:")), "{out}");
    assert!(err.ends_with("problems in 1 of 2 files\n"), "{err}");
}

#[test]
fn check_speaks_json() {
    let (_folder, path) = file("model: x\n");
    let (code, out, _) = hansang(&["model", "check", "--format", "json", &path]);
    let problems: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 1);
    assert_eq!(problems[0]["code"], "HS0009");
    assert_eq!((problems[0]["line"].as_u64(), problems[0]["file"].as_str()), (Some(1), Some(path.as_str())));
    let (code, out, _) = hansang(&["model", "check", "--format", "json", "models/content.yaml"]);
    assert_eq!((code, out.as_str()), (0, "[]\n"));
}

#[test]
fn check_continues_after_an_unreadable_file() {
    let (_folder, path) = file("model: x\n");
    let (code, out, err) = hansang(&["model", "check", "no-such-file.yaml", &path]);
    assert_eq!(code, 2);
    assert!(out.contains("HS0009"), "{out}");
    assert!(err.contains("cannot read no-such-file.yaml"), "{err}");
    let empty = tempfile::tempdir().unwrap();
    let (code, _, err) = hansang(&["model", "check", empty.path().to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(err.contains("there is no .yaml file in"), "{err}");
}

#[test]
fn explain_shows_requests_and_cost() {
    let (code, out, _) = hansang(&[
        "model",
        "explain",
        "entry",
        "requestsOfEvent",
        "--arg",
        "eventId=e1",
        "--arg",
        "from=2026-01-01T00:00:00Z",
        "--limit",
        "10",
        "--order",
        "descending",
        "--env",
        "prod",
    ]);
    assert_eq!(code, 0);
    expect![[r##"
        Query {
          "TableName": "AsyncEventTable-prod",
          "IndexName": "GSI2",
          "KeyConditionExpression": "#GSI2PK = :pk AND #GSI2SK BETWEEN :from AND :to",
          "ExpressionAttributeNames": { "#GSI2PK": "GSI2PK", "#GSI2SK": "GSI2SK" },
          "ExpressionAttributeValues": {
            ":from": { "S": "QAT#2026-01-01T00:00:00.000Z" },
            ":pk": { "S": "EVENT#e1" },
            ":to": { "S": "QAT#\udbff\udfff" }
          },
          "ScanIndexForward": false,
          "Limit": 10
        }

        returns     Request
        costs       Query: 10 items × 779 bytes = 7.6 KB → 2 × 4 KB × ½ (eventually consistent) = 1 read unit
    "##]]
    .assert_eq(&out);
}

#[test]
fn explain_shows_a_few_of_many_requests_and_all_in_json() {
    let period = ["model", "explain", "ledger", "period", "--arg", "from=2025.01", "--arg", "to=2025.12"];
    let (_, out, _) = hansang(&period);
    assert_eq!(out.matches("Query {").count(), 3);
    assert!(out.contains("… and 9 more like it (--format json shows all)"), "{out}");
    assert!(out.contains("also reads  MonthlySummary, AccumulatedAssets"), "{out}");
    let (_, out, _) = hansang(&[&period[..], &["--format", "json"]].concat());
    let answer: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["steps"].as_array().unwrap().len(), 12);
    assert_eq!(answer["steps"][11]["request"]["ExpressionAttributeValues"][":pk"]["S"], "2025.12");
    assert!(answer["readUnits"].as_f64().unwrap() > 0.0);
}

#[test]
fn explain_lists_the_patterns() {
    let (code, out, _) = hansang(&["model", "explain", "contracts"]);
    assert_eq!(code, 0);
    expect![[r#"
        contract          kind, id, version        One version.
        versions          kind, id                 All versions of a contract, in text order.
        contractsOfKind   kind, status             The contracts of a kind that have one status.
        allOfKind         kind                     The contracts of a kind, with any status.
        kinds             -                        All kinds of contracts.
        rulesOfContracts  -                        The rules of contracts.
        changes           ofKind, ofId, ofVersion  The status changes of a version, the first one first.
        referrers         toKind, toId             The versions that refer to a contract.
    "#]]
    .assert_eq(&out);
}

#[test]
fn explain_says_when_there_is_no_pattern() {
    let (_folder, path) = file(
        "model: bare\ntable: { name: Bare, key: { pk: PK, sk: SK } }\nentities:\n  One:\n    key: { PK: ONE, SK: META }\n",
    );
    let (code, out, _) = hansang(&["model", "explain", &path]);
    assert_eq!((code, out.as_str()), (0, "bare has no access patterns yet: add `patterns:` to its model\n"));
}

#[test]
fn explain_says_what_is_missing_or_meant() {
    let explain = |arguments: &[&str]| hansang(&[&["model", "explain", "content"], arguments].concat());
    for (arguments, said) in [
        (&["postInCategory"][..], "there is no pattern `postInCategory`: did you mean `postsInCategory`?"),
        (
            &["postsInCategory"],
            "`categoryId` is required\nusage: explain … postsInCategory --arg categoryId=…",
        ),
        (&["postsInCategory", "--arg", "categoryId=a#b"], "must not contain `#`"),
        (&["posts", "--arg", "from=soon"], "`from` must be a time such as 2025-11-14T03:00:00Z"),
        (&["posts", "--consistent"], "has no strongly consistent reads"),
        (&["posts", "--arg", "since"], "write NAME=VALUE"),
        (&["posts", "--limit", "5000"], "a page must have 1 to 1000 items"),
        (&["posts", "--fields", "titel"], "`titel` is not an attribute"),
    ] {
        let (code, out, err) = explain(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(said), "{arguments:?}: {err}");
    }
    let (code, _, err) = hansang(&["model", "explain", "no-such-model"]);
    assert_eq!(code, 2);
    assert!(err.contains("there is no model file no-such-model and no models/no-such-model.yaml"), "{err}");
}

/// C18, E9, E12, E13: the key builders.
#[test]
fn keys_are_built() {
    let (code, out, _) =
        hansang(&["model", "keys", "content", "Post", "--arg", "categoryId=c001", "--arg", "id=p001"]);
    assert_eq!(code, 0);
    expect![[r#"
        PK         CATEGORY#c001
        SK         POST#p001
        Type       (left out until CreatedAt is given)  [Type_CreatedAt]
        CreatedAt  (left out until CreatedAt is given)  [Type_CreatedAt]
    "#]]
    .assert_eq(&out);
    let request = [
        "model",
        "keys",
        "entry",
        "Request",
        "--arg",
        "requestId=01JD3Q0V8B5X9K2M4N6P7R8S9T",
        "--arg",
        "userId=u1",
    ];
    let (_, out, _) = hansang(&[&request[..], &["--arg", "queuedAt=2026-03-01T09:00:00+09:00"]].concat());
    expect![[r#"
        PK      REQ#01JD3Q0V8B5X9K2M4N6P7R8S9T
        SK      META
        GSI1PK  USER#u1  [GSI1]
        GSI1SK  QAT#2026-03-01T00:00:00.000Z#REQ#01JD3Q0V8B5X9K2M4N6P7R8S9T  [GSI1]
        GSI2PK  (left out until eventId is given)  [GSI2]
        GSI2SK  (left out until eventId is given)  [GSI2]
    "#]]
    .assert_eq(&out);
    let (code, _, err) = hansang(&["model", "keys", "content", "Post", "--arg", "categoryID=c001"]);
    assert_eq!(code, 2);
    assert!(err.contains("there is no attribute of Post `categoryID`: did you mean `categoryId`?"), "{err}");
    let (code, _, err) = hansang(&["model", "keys", "content", "Post"]);
    assert_eq!((code, err.as_str()), (2, "hansang: `categoryId` is required; `id` is required\n"));
}

#[test]
fn keys_are_identified() {
    let (code, out, _) = hansang(&["model", "identify", "content", "CATEGORY#c001", "POST#p001"]);
    assert_eq!((code, out.as_str()), (0, "Post\n  categoryId = \"c001\"\n  id = \"p001\"\n"));
    let (_, out, _) = hansang(&["model", "identify", "content", "UNIQUE#Post#id#p001", "UNIQUE"]);
    assert_eq!(out, "the pointer that keeps `id` of Post unique\n");
    let (code, out, err) = hansang(&["model", "identify", "content", "POST#p001", "METADATA"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("is the key of no entity") && err.contains("Post: CATEGORY#{categoryId} / POST#{id}"),
        "{err}"
    );
}

#[test]
fn every_model_is_documented_and_exported_in_every_format() {
    for model in MODELS {
        let (code, page, _) = hansang(&["model", "docs", model]);
        assert_eq!(code, 0);
        assert!(page.starts_with(&format!("# {model}\n")) && page.contains("```mermaid"), "{page}");
        for (format, part) in [
            ("cloudformation", "AWSTemplateFormatVersion"),
            ("sam", "AWS::Serverless-2016-10-31"),
            ("terraform", "resource \"aws_dynamodb_table\""),
            ("nosql-workbench", "\"TableFacets\""),
            ("json-schema", "https://json-schema.org/draft/2020-12/schema"),
        ] {
            let (code, out, err) = hansang(&["model", "export", model, "--to", format, "--env", "prod"]);
            assert_eq!(code, 0, "{err}");
            assert!(out.contains(part), "{model} {format}");
        }
    }
    let (code, _, err) = hansang(&["model", "export", "content", "--to", "xml"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("write one of cloudformation, sam, terraform, nosql-workbench, json-schema"),
        "{err}"
    );
}

/// A new entity only changes the model.
#[test]
fn diff_says_what_a_change_needs() {
    let (code, out, _) = hansang(&["model", "diff", "models/content.yaml", "models/content.yaml"]);
    assert_eq!((code, out.as_str()), (0, "The two versions mean the same: nothing to do.\n"));
    let notice = "  Notice:\n    key: { PK: \"NOTICE#{id}\", SK: METADATA }\n    attributes: { id: string, text: string }\n\npatterns:";
    let (_folder, path) = file(&content().replace("patterns:", notice));
    let (code, out, _) = hansang(&["model", "diff", "models/content.yaml", &path]);
    assert_eq!(code, 0, "{out}");
    expect![[r#"
        Safe (1): nothing to do
          Notice: The entity is new.
    "#]]
    .assert_eq(&out);
    let (_folder, path) = file(&content().replace("SK: \"POST#{id}\"", "SK: \"ARTICLE#{id}\""));
    let (code, out, _) = hansang(&["model", "diff", "models/content.yaml", &path]);
    assert_eq!(code, 1);
    expect![[r#"
        Rebuild (1): copy these items to their new keys, switch over, then delete the old ones
          Post.SK: The template is now `ARTICLE#{id}`; it was `POST#{id}`.
            → Post: An item cannot change its key: each has to be written under the new one, and the old one deleted. So have the pointers that keep its values unique, for they name its key.
    "#]].assert_eq(&out);
}

#[test]
fn a_model_that_does_not_compile_is_shown() {
    let (_folder, path) = file("model: x\n");
    let (code, _, err) = hansang(&["model", "docs", &path]);
    assert_eq!(code, 1);
    assert!(err.contains("does not compile") && err.contains("error[HS0009]"), "{err}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hansang"))
        .args(["model", "docs", "models/ledger.yaml"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
