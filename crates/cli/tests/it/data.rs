//! `hansang get | put | query | delete`, on a data directory, on a DynamoDB endpoint, and on a server.

pub(crate) mod server;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use crate::{root, table};

/// A table, and functions that run commands on it.
struct Setup {
    folder: tempfile::TempDir,
    /// The arguments that select the table.
    store: Vec<String>,
}

/// A model with a version attribute.
const NOTES: &str = r#"
model: notes
table: { name: Notes, key: { pk: PK, sk: SK } }
entities:
  Note:
    key: { PK: "NOTE#{id}", SK: META }
    version: rev
    attributes: { id: string, text: string?, count: integer?, tags: { set: string, optional: true }, price: number?, done: bool? }
patterns:
  note: { entity: Note, given: [id] }
"#;

impl Setup {
    /// Creates a table of `model` in a new data directory.
    fn embedded(model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("notes.yaml"), NOTES).unwrap();
        let store = vec!["--data".to_owned(), folder.path().join("data").to_str().unwrap().to_owned()];
        let setup = Self { folder, store };
        setup.ok(&["table", "create", &setup.model(model)]);
        setup
    }

    /// Creates a table of `model` on dynoxide, separated by its environment.
    fn dynamodb(model: &str, env: &str) -> Self {
        let url = table::endpoint();
        let store = ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", url, "--env", env];
        let setup = Self { store: store.map(str::to_owned).to_vec(), ..Self::embedded(model) };
        setup.ok(&["table", "create", model]);
        setup
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn model(&self, name: &str) -> String {
        if name == "notes" { self.path("notes.yaml").to_str().unwrap().to_owned() } else { name.to_owned() }
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> (i32, String, String) {
        let mut command = command();
        command.args(arguments).args(&self.store);
        finish(command, input)
    }

    /// The output of a command, which must succeed.
    fn ok(&self, arguments: &[&str]) -> String {
        succeeded(arguments, self.run(arguments))
    }

    fn json(&self, arguments: &[&str]) -> Json {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }

    /// The exit code and message of a command that must fail.
    fn refused(&self, arguments: &[&str]) -> (i32, String) {
        refused(arguments, self.run(arguments))
    }
}

/// The output of a command, which must succeed without messages.
pub(crate) fn succeeded(arguments: &[&str], (code, out, err): (i32, String, String)) -> String {
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}: {out}");
    out
}

/// The exit code and message of a command, which must fail without output.
pub(crate) fn refused(arguments: &[&str], (code, out, err): (i32, String, String)) -> (i32, String) {
    assert_eq!(out, "", "{arguments:?}");
    (code, err.strip_prefix("hansang: ").unwrap_or(&err).trim_end().to_owned())
}

/// `hansang` at the root of the repository, without the variables that name a server.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
    command.current_dir(root()).env_remove("HANSANG_SERVER").env_remove("HANSANG_TOKEN");
    command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test");
    command
}

pub(crate) fn finish(mut command: Command, input: &str) -> (i32, String, String) {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A command that fails early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The ids of a page's items.
fn ids(page: &Json) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

fn post(setup: &Setup, id: &str) {
    let id = format!("id={id}");
    setup.ok(&["put", "content", "Post", "categoryId=c1", &id, "authorId=u1", "title=T", "contents=한상"]);
}

/// Creates, reads, lists, changes and deletes items.
fn all_verbs(setup: &Setup) {
    let made = setup.json(&["put", "content", "Category", "id=c1", "title=News", "order=2", "--create"]);
    assert_eq!((&made["$entity"], &made["order"]), (&json!("Category"), &json!(2)));
    assert_eq!(made.as_object().unwrap().keys().next().unwrap(), "$entity");
    assert_eq!(setup.json(&["get", "content", "Category", "id=c1", "--consistent"]), made);
    let taken = setup.refused(&["put", "content", "Category", "id=c1", "title=News", "--create"]);
    assert_eq!(taken, (4, "this Category already exists".to_owned()));

    // A put replaces the whole item, including fields that are not given.
    let replaced = setup.json(&["put", "content", "Category", "id=c1", "title=Other", "slug=other"]);
    assert_eq!((&replaced["title"], replaced.get("order")), (&json!("Other"), None));
    assert_eq!(replaced["CreatedAt"], made["CreatedAt"]);
    assert_eq!(setup.json(&["query", "content", "categoryBySlug", "slug=other"])["items"], json!([replaced]));
    let taken = setup.refused(&["put", "content", "Category", "id=c2", "title=Third", "slug=other"]);
    assert_eq!(taken, (4, "another Category already has this slug".to_owned()));

    let some = setup.json(&["get", "content", "Category", "id=c1", "--fields", "title"]);
    assert_eq!(some, json!({ "$entity": "Category", "id": "c1", "title": "Other" }));

    for id in ["p1", "p2", "p3", "p4", "p5"] {
        post(setup, id);
    }
    pages(setup);

    assert_eq!(setup.ok(&["delete", "content", "Category", "id=c1"]), "");
    let gone = (3, "there is no such Category".to_owned());
    assert_eq!(setup.refused(&["get", "content", "Category", "id=c1"]), gone);
    assert_eq!(setup.refused(&["delete", "content", "Category", "id=c1"]), gone);
    // The slug is free again after the delete.
    setup.ok(&["put", "content", "Category", "id=c2", "title=Third", "slug=other"]);
}

/// Pages through five posts in both directions, with one command per page.
fn pages(setup: &Setup) {
    let query = |more: &[&str]| {
        setup
            .json(&[&["query", "content", "postsInCategory", "categoryId=c1", "--limit", "2"], more].concat())
    };
    let first = query(&[]);
    assert_eq!((ids(&first), &first["previous"]), (vec!["p1", "p2"], &Json::Null));
    let second = query(&["--cursor", first["next"].as_str().unwrap()]);
    assert_eq!(ids(&second), ["p3", "p4"]);
    let third = query(&["--cursor", second["next"].as_str().unwrap()]);
    assert_eq!((ids(&third), &third["next"]), (vec!["p5"], &Json::Null));
    let back = query(&["--cursor", third["previous"].as_str().unwrap()]);
    assert_eq!(ids(&back), ["p3", "p4"]);
    let back = query(&["--cursor", back["previous"].as_str().unwrap()]);
    assert_eq!((ids(&back), &back["previous"]), (vec!["p1", "p2"], &Json::Null));
    assert_eq!(ids(&query(&["--order", "descending", "--consistent"])), ["p5", "p4"]);
    let fields = query(&["--fields", "title"]);
    let title = json!({ "$entity": "Post", "categoryId": "c1", "id": "p1", "title": "T" });
    assert_eq!(fields["items"][0], title);

    let all = |more: &[&str]| {
        let out =
            setup.ok(&[&["query", "content", "postsInCategory", "categoryId=c1", "--all"], more].concat());
        let ids = out.lines().map(|line| {
            let item: Json = serde_json::from_str(line).unwrap();
            item["id"].as_str().unwrap().to_owned()
        });
        ids.collect::<Vec<_>>()
    };
    assert_eq!(all(&["--limit", "2"]), ["p1", "p2", "p3", "p4", "p5"]);
    assert_eq!(all(&["--limit", "2", "--order", "descending"]), ["p5", "p4", "p3", "p2", "p1"]);
    assert_eq!(all(&["--limit", "2", "--cursor", first["next"].as_str().unwrap()]), ["p3", "p4", "p5"]);
    assert_eq!(all(&[]).len(), 5);
    assert_eq!(setup.ok(&["query", "content", "postsInCategory", "categoryId=none", "--all"]), "");

    let cursor = first["next"].as_str().unwrap();
    let other = setup.refused(&["query", "content", "postsInCategory", "categoryId=c2", "--cursor", cursor]);
    assert_eq!((other.0, other.1.contains("does not belong to this query")), (2, true), "{other:?}");
}

#[test]
fn items_of_a_data_directory_are_written_read_and_listed() {
    all_verbs(&Setup::embedded("content"));
}

#[test]
fn items_of_dynamodb_are_written_read_and_listed() {
    all_verbs(&Setup::dynamodb("content", "items"));
}

#[test]
fn a_singleton_needs_no_key() {
    let setup = Setup::embedded("content");
    let none = (3, "there is no such CorpInfo".to_owned());
    assert_eq!(setup.refused(&["get", "content", "CorpInfo"]), none);
    setup.ok(&["put", "content", "CorpInfo", "email=a@example.com"]);
    assert_eq!(setup.json(&["get", "content", "CorpInfo"])["email"], "a@example.com");
    assert_eq!(ids(&setup.json(&["query", "content", "corpInfo"])), ["corp-info"]);
    let more = setup.refused(&["get", "content", "CorpInfo", "email=a@example.com"]);
    assert_eq!(more, (2, "`email` is not part of the key of CorpInfo, which is made of no field".to_owned()));
    setup.ok(&["delete", "content", "CorpInfo"]);
    assert_eq!(setup.refused(&["delete", "content", "CorpInfo"]), none);
}

#[test]
fn versions_are_compared() {
    let setup = Setup::embedded("notes");
    let model = setup.model("notes");
    assert_eq!(setup.json(&["put", &model, "Note", "id=a"])["rev"], 1);
    let second = setup.json(&["put", &model, "Note", "id=a", "text=x", "--version", "1"]);
    assert_eq!((&second["rev"], &second["text"]), (&json!(2), &json!("x")));
    let late = (4, "this Note was changed in the meantime: read it again".to_owned());
    assert_eq!(setup.refused(&["put", &model, "Note", "id=a", "--version", "1"]), late);
    assert_eq!(setup.refused(&["delete", &model, "Note", "id=a", "--version", "1"]), late);
    assert_eq!(
        setup.refused(&["put", &model, "Note", "id=b", "--version", "1"]),
        (3, "there is no such Note".to_owned())
    );
    setup.ok(&["delete", &model, "Note", "id=a", "--version", "2"]);
    let (code, _, err) = setup.run(&["put", &model, "Note", "id=a", "--version", "1", "--create"]);
    assert_eq!((code, err.contains("cannot be used with")), (2, true), "{err}");
    let content = Setup::embedded("content");
    let none = content.refused(&["delete", "content", "User", "id=u", "--version", "1"]);
    assert_eq!(none, (2, "User has no version to compare with".to_owned()));
}

#[test]
fn text_gets_the_type_of_the_model_and_json_keeps_its_own() {
    let setup = Setup::embedded("notes");
    let model = setup.model("notes");
    let exact = json!({ "$entity": "Note", "count": 3, "done": true, "id": "a=b:=c", "tags": ["x", "y"] });
    let stored = |arguments: &[&str]| {
        let mut item = setup.json(&[&["put", &model, "Note"], arguments].concat());
        item.as_object_mut().unwrap().remove("rev");
        item
    };
    assert_eq!(stored(&["id=a=b:=c", "count=3", "done=true", r#"tags=["y","x"]"#]), exact);
    assert_eq!(stored(&[r#"id:="a=b:=c""#, "count:=3", "done:=true", r#"tags:=["x","y"]"#]), exact);
    // All digits of a number are kept.
    let price = "12345678901234567890.123456789";
    assert!(setup.ok(&["put", &model, "Note", "id=a", &format!("price:={price}")]).contains(price));

    for (arguments, says) in [
        (
            vec!["id=a", "count=many", "done=1"],
            "`count` must be a whole number; `done` must be true or false",
        ),
        (vec!["id=a", "count:=\"3\""], "`count` must be a whole number"),
        (vec!["id=a", "text:=null"], "`text` must be text"),
        (vec!["id=a", "txet=x"], "there is no attribute of Note `txet`: did you mean `text`?"),
        (vec!["id=a", "id=b"], "`id` is given twice"),
        (vec!["text=x"], "`id` is required"),
        (vec!["id="], "`id` is part of a key and must not be empty"),
    ] {
        let (code, text) = setup.refused(&[&["put", &model, "Note"], &arguments[..]].concat());
        assert_eq!((code, text.as_str()), (2, says));
    }
    for (argument, says) in [
        ("count:=x", "what follows `count:=` is not JSON"),
        ("count", "write NAME=TEXT, such as id=c001"),
        ("=x", "write NAME=TEXT"),
        (":=1", "write NAME=TEXT"),
    ] {
        let (code, text) = setup.refused(&["put", &model, "Note", argument]);
        assert_eq!((code, text.contains(says)), (2, true), "{text}");
    }
}

#[test]
fn fields_come_from_a_file_or_the_standard_input() {
    let setup = Setup::embedded("content");
    let file = setup.path("user.json");
    let path = file.to_str().unwrap();
    let put = |more: &[&'static str]| [&["put", "content", "User", "--json"], more].concat();
    fs::write(&file, r#"{ "$entity": "User", "id": "u1", "displayName": "Kim", "role": "editor" }"#).unwrap();
    let stored = setup.json(&["put", "content", "User", "--json", path, "role=admin"]);
    assert_eq!((&stored["displayName"], &stored["role"]), (&json!("Kim"), &json!("admin")));
    let (code, out, err) =
        setup.run_with(&put(&["-"]), r#"{ "id": "u2", "displayName": "Lee", "role": "viewer" }"#);
    assert_eq!((code, err.as_str(), out.contains("Lee")), (0, "", true));
    // The output of `get` is valid input of `put`.
    let printed = setup.ok(&["get", "content", "User", "id=u2"]);
    let (code, again, err) = setup.run_with(&put(&["-", "role=admin"]), &printed);
    assert_eq!((code, err.as_str()), (0, ""));
    let role = |text: &str| serde_json::from_str::<Json>(text).unwrap()["role"].clone();
    assert_eq!((role(&printed), role(&again)), (json!("viewer"), json!("admin")));
    for (input, says) in [
        ("{", "the standard input is not JSON"),
        ("[1]", "the standard input is a list, not a JSON object with fields"),
        (r#"{ "$entity": "Post" }"#, "the standard input has the `$entity` \"Post\", not \"User\""),
        (r#"{ "id": 1 }"#, "`id` must be text"),
    ] {
        let (code, _, err) = setup.run_with(&put(&["-"]), input);
        assert_eq!((code, err.contains(says)), (2, true), "{err}");
    }
    let (code, text) = setup.refused(&put(&["nowhere.json"]));
    assert_eq!((code, text.contains("cannot read nowhere.json")), (2, true), "{text}");
}

#[test]
fn unknown_names_are_rejected() {
    let setup = Setup::embedded("content");
    for (arguments, says) in [
        (vec!["get", "content", "Pots", "id=a"], "there is no entity `Pots`: did you mean `Post`?"),
        (vec!["put", "content", "Pots"], "there is no entity `Pots`: did you mean `Post`?"),
        (vec!["delete", "content", "Pots"], "there is no entity `Pots`: did you mean `Post`?"),
        (
            vec!["query", "content", "postsInCategry"],
            "there is no pattern `postsInCategry`: did you mean `postsInCategory`?",
        ),
        (vec!["get", "content", "Post", "id=a"], "`categoryId` is required"),
        (vec!["query", "content", "postsInCategory"], "`categoryId` is required"),
        (vec!["query", "content", "users", "id=a"], "`id` is not an argument of `users`"),
        (
            vec!["get", "content", "Post", "categoryId=c", "id=a", "title=T"],
            "`title` is not part of the key of Post, which is made of categoryId, id",
        ),
        (vec!["get", "content", "User", "id=a", "--fields", "nmae"], "`nmae` is not an attribute of User"),
    ] {
        assert_eq!(setup.refused(&arguments), (2, says.to_owned()));
    }
    for (more, says) in [
        (vec!["--limit", "0"], "a page must have 1 to 1000 items, not 0"),
        (vec!["--consistent"], "consistent"),
        (vec!["--cursor", "x"], "cursor"),
    ] {
        let (code, text) = setup.refused(&[&["query", "content", "users"], &more[..]].concat());
        assert_eq!((code, text.contains(says)), (2, true), "{text}");
    }
    let (code, text) = setup.refused(&["get", "nothing", "User", "id=a"]);
    assert_eq!((code, text.contains("there is no model file nothing")), (2, true), "{text}");
}

#[test]
fn without_its_table_a_command_says_what_to_do() {
    let setup = Setup::embedded("notes");
    let (code, text) = setup.refused(&["get", "content", "User", "id=a"]);
    assert_eq!((code > 0, text.contains("hansang table create")), (true, true), "{text}");
    let mut elsewhere = command();
    elsewhere.args(["get", "content", "User", "id=a", "--data", setup.path("none").to_str().unwrap()]);
    let (code, _, err) = finish(elsewhere, "");
    assert_eq!((code, err.contains("there is no data directory")), (3, true), "{err}");
    assert!(!setup.path("none").exists());
}

#[test]
fn a_locked_directory_suggests_the_server() {
    let setup = Setup::embedded("content");
    let now = std::sync::Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
    let options = hansang_embedded::Options::new(now);
    let _held = hansang_embedded::Embedded::open(setup.path("data"), options).unwrap();
    let (code, text) = setup.refused(&["get", "content", "User", "id=a"]);
    assert_eq!(code, 5);
    assert!(
        text.contains("is in use by another process: stop that one first, or name another directory, ")
            && text.ends_with("or use --server if that is a running `hansang serve`"),
        "{text}"
    );
    // Commands for whole tables do not mention --server.
    assert!(!setup.refused(&["table", "verify", "content"]).1.contains("--server"));
}
