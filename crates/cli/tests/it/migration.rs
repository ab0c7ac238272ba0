//! `hansang content migrate`: from exports of the cloud and from tables, killed and run again.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value as Json, json};

use crate::hansang;

/// An export of the cloud: a manifest and two compressed files.
fn export(directory: &Path, lines: &[String]) {
    let export = directory.join("AWSDynamoDB/01-ab");
    fs::create_dir_all(export.join("data")).unwrap();
    let mut manifest = String::new();
    for (number, part) in lines.chunks(lines.len().div_ceil(2)).enumerate() {
        let name = format!("part{number}.json.gz");
        let mut file =
            GzEncoder::new(fs::File::create(export.join("data").join(&name)).unwrap(), Compression::fast());
        file.write_all(part.concat().as_bytes()).unwrap();
        file.finish().unwrap();
        manifest +=
            &format!("{}\n", json!({ "itemCount": part.len(), "dataFileS3Key": format!("x/data/{name}") }));
    }
    fs::write(export.join("manifest-files.json"), manifest).unwrap();
}

fn post(number: usize) -> String {
    let text = |text: &str| json!({ "S": text });
    let item = json!({
        "postId": text(&format!("p{number:05}")), "category": text("회사 소식"), "title": text(&format!("글 {}", number % 50)),
        "content": text(&"본문\n".repeat(20)), "author": text("김대연"), "thumbnailUrl": { "NULL": true },
        "createdAt": text("2025-11-12T05:00:00.123456+00:00"),
    });
    format!("{}\n", json!({ "Item": item }))
}

/// C36, Cs21, Cs23, Cs24, Cs26, Cs27: an export is checked, migrated by two processes of which the first is killed, and
/// verified; what could not be kept is in the report.
#[test]
fn an_export_is_migrated() {
    const POSTS: usize = 8000;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let mut lines: Vec<String> = (0..POSTS).map(post).collect();
    lines.push("{\"Item\":{\"postId\":{\"S\":\"a#b\"}}}\n".to_owned());
    export(&directory.path().join("posts"), &lines);
    let (posts, data, report) = (path("posts"), path("data"), path("report.json"));
    let from = ["content", "migrate", "--from", "export", "--data", &data, "--posts", &posts];
    let categories = ["--categories", "examples/legacy/categories.jsonl"];
    let all = |more: &[&str]| hansang(&[&from[..], &categories, more].concat());

    let (code, _, err) = all(&["--dry-run"]);
    assert_eq!((code, err.contains("there is no data directory")), (3, true), "{err}");
    assert_eq!(hansang(&["table", "create", "content", "--data", &data]).0, 0);
    let (code, out, err) = all(&["--dry-run"]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.starts_with("dry run, nothing written; schema 1.0.0\n"), "{out}");
    assert!(
        out.contains("posts: 8001 rows: 8000 created, 0 updated, 0 unchanged, 0 left alone, 1 not moved"),
        "{out}"
    );
    assert!(hansang(&["table", "verify", "content", "--data", &data]).1.starts_with("0 items"));

    let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
    let mut child = command
        .current_dir(crate::root())
        .args([&from[..], &categories].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The journal grows with every step.
    let grown = || walk(Path::new(&data)) > 2 * 1024 * 1024;
    while child.try_wait().unwrap().is_none() && !grown() {}
    child.kill().unwrap();
    child.wait().unwrap();
    let (code, out, err) = all(&["--verify", "--report", &report]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("which had been cut off; schema 1.0.0\n"), "{out}");
    assert!(
        out.contains("posts: 8001 rows: 8000 created, 0 updated, 0 unchanged, 0 left alone, 1 not moved"),
        "{out}"
    );
    assert!(out.contains("posts verified: 8001 rows: 8000 as they were, 0 changed here, 1 wrong"), "{out}");
    let report: Json = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    let lost: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["kind"] == "not_mapped")
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(lost, ["a#b"], "{report}");
    let text = fs::read_to_string(path("report.txt")).unwrap();
    assert!(text.contains("posts a#b: not moved: the id contains `#`"), "{text}");
    let (code, out, _) = hansang(&["table", "verify", "content", "--data", &data]);
    assert_eq!((code, out.ends_with(" are as the model says\n")), (0, true), "{out}");

    // Another run moves nothing.
    let (_, out, _) = all(&[]);
    assert!(
        out.contains("posts: 8001 rows: 0 created, 0 updated, 8000 unchanged, 0 left alone, 1 not moved"),
        "{out}"
    );
    let (code, _, err) = hansang(&["content", "migrate", "--from", "export", "--data", &data]);
    assert_eq!((code, err.contains("name at least one of --categories")), (2, true), "{err}");
}

/// The bytes below a directory.
fn walk(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                walk(&entry.path())
            } else {
                entry.metadata().map_or(0, |found| found.len())
            }
        })
        .sum()
}

/// Calls an operation of a DynamoDB endpoint, which accepts any credentials.
fn call(endpoint: &str, operation: &str, body: &Json) -> Json {
    let answer = reqwest::blocking::Client::new()
        .post(endpoint)
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
        .header("content-type", "application/x-amz-json-1.0")
        .header("x-amz-date", "20260101T000000Z")
        .header(
            "authorization",
            "AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
        )
        .body(body.to_string())
        .send()
        .unwrap();
    let text = answer.text().unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{operation}: {error}: {text}"))
}

/// An old table with rows.
fn old_table(endpoint: &str, name: &str, key: &str, rows: &[Json]) {
    let made = call(
        endpoint,
        "CreateTable",
        &json!({
            "TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{ "AttributeName": key, "KeyType": "HASH" }],
            "AttributeDefinitions": [{ "AttributeName": key, "AttributeType": "S" }],
        }),
    );
    assert_eq!(made["TableDescription"]["TableName"], name, "{made}");
    for row in rows {
        let item: serde_json::Map<String, Json> = row
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| match value {
                Json::Null => (name.clone(), json!({ "NULL": true })),
                Json::Number(number) => (name.clone(), json!({ "N": number.to_string() })),
                text => (name.clone(), json!({ "S": text })),
            })
            .collect();
        call(endpoint, "PutItem", &json!({ "TableName": name, "Item": item }));
    }
}

/// C32, C36, Cs21, Cs27: tables are migrated by the program and stay as they were; the moved posts get another order by an index
/// of a changed model, as the documentation shows it.
#[test]
fn tables_are_migrated_and_get_an_index() {
    let endpoint = hansang_testkit::endpoints::dynoxide();
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let category = json!({ "categoryId": "c1", "name": "회사 소식", "slug": "news" });
    old_table(&endpoint, "CategoriesTable", "categoryId", &[category]);
    let posts: Vec<Json> = (0..5)
        .map(|number| {
            json!({
                "postId": format!("p{number}"), "category": "회사 소식", "title": format!("글 {number}"), "content": "본문",
                "author": if number % 2 == 0 { "김대연" } else { "이작가" }, "thumbnailUrl": null, "views": number,
                "createdAt": format!("2025-11-1{number}T05:00:00.123456+00:00"),
            })
        })
        .collect();
    old_table(&endpoint, "PostsTable", "postId", &posts);
    let personal = "비밀 연락처 010-1234-5678";
    let inquiry = json!({ "inquiryId": "i1", "subject": "문의", "createdAt": "2025-11-15T09:00:00Z", "notifiedEmail": personal });
    old_table(&endpoint, "ContactTable", "inquiryId", &[inquiry]);
    let rows = || {
        ["CategoriesTable", "PostsTable", "ContactTable"].map(|table| {
            let mut rows = call(&endpoint, "Scan", &json!({ "TableName": table }))["Items"].take();
            rows.as_array_mut().unwrap().sort_by_key(|row| row["postId"]["S"].to_string());
            rows
        })
    };
    let before = rows();

    let store =
        ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", &endpoint, "--env", "moved"];
    let from = [
        "content",
        "migrate",
        "--from",
        "dynamodb",
        "--source-region",
        "eu-central-1",
        "--source-endpoint-url",
        &endpoint,
        "--categories",
        "CategoriesTable",
        "--posts",
        "PostsTable",
        "--inquiries",
        "ContactTable",
    ];
    let (code, out, err) =
        hansang(&[&from[..], &store, &["--verify", "--report", &path("report.json")]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(
        out.contains("posts: 5 rows: 5 created, 0 updated, 0 unchanged, 0 left alone, 0 not moved"),
        "{out}"
    );
    assert!(
        out.contains("posts: attributes kept in `legacy`, with their numbers of rows: views (5)\n"),
        "{out}"
    );
    assert!(out.contains("posts verified: 5 rows: 5 as they were, 0 changed here, 0 wrong"), "{out}");
    assert_eq!(rows(), before, "the old tables are only read");
    for file in ["report.json", "report.txt"] {
        let report = fs::read_to_string(path(file)).unwrap();
        assert!(report.contains("notifiedEmail") && !report.contains(personal), "{report}");
    }

    let index = "    Type_CreatedAt: { pk: Type, sk: CreatedAt }";
    let key = "    key: { PK: \"CATEGORY#{categoryId}\", SK: \"POST#{id}\" }";
    let model = fs::read_to_string(crate::root().join("models/content.yaml")).unwrap();
    let changed = model
        .replace(index, &format!("{index}\n    AuthorId_CreatedAt: {{ pk: AuthorId, sk: CreatedAt }}"))
        .replace(key, &format!("{key}\n    index: {{ AuthorId_CreatedAt: {{ AuthorId: \"{{authorId}}\" }} }}"))
        .replace(
            "\npatterns:",
            "\npatterns:\n  postsOfAuthor: { entity: Post, index: AuthorId_CreatedAt, given: [authorId], order: newest }",
        );
    let site = path("site.yaml");
    fs::write(&site, changed).unwrap();
    let ok = |arguments: &[&str]| {
        let (code, out, err) = hansang(&[arguments, &store].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}: {out}");
        out
    };
    let filled = ok(&["table", "backfill", &site, "--index", "AuthorId_CreatedAt"]);
    assert!(filled.starts_with("5 of "), "{filled}");
    assert!(ok(&["table", "verify", &site]).ends_with(" are as the model says\n"));
    let posts = ok(&["query", &site, "postsOfAuthor", "authorId=김대연-aa3d040d", "--fields", "id", "--all"]);
    let ids: Vec<usize> = ["p4", "p2", "p0"].map(|id| posts.find(&format!("\"{id}\"")).expect(id)).into();
    assert!(ids.is_sorted() && !posts.contains("\"p1\""), "{posts}");
}
