//! `hansang table …`, on a data directory and on a DynamoDB endpoint.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, OnceLock};

use flate2::read::MultiGzDecoder;
use hansang_core::{Item, Name, Store as _, Table, Value};
use hansang_embedded::{Embedded, Options};
use serde_json::json;

use crate::root;

/// A folder with a small model, and ways to run commands on it.
struct Place {
    folder: tempfile::TempDir,
    /// What says where the table is.
    store: Vec<String>,
}

const MODEL: &str = r#"
model: shop
table:
  name: Shop
  key: { pk: PK, sk: SK }
  type: Type
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
entities:
  Product:
    key: { PK: "PRODUCT#{id}", SK: META }
    unique: { code: [code] }
    index: { GSI1: { GSI1PK: "KIND#{kind}", GSI1SK: "{id}" } }
    attributes: { id: string, code: string, kind: string?, note: string? }
"#;

impl Place {
    fn embedded() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), store: Vec::new() };
        fs::write(place.path("shop.yaml"), MODEL).unwrap();
        place
    }

    /// A table of its own on dynoxide, by its environment.
    fn dynamodb(env: &str) -> Self {
        let store =
            ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", endpoint(), "--env", env];
        Self { store: store.map(str::to_owned).to_vec(), ..Self::embedded() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, verb: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
        command
            .current_dir(self.folder.path())
            .args(["table", verb, "shop.yaml"])
            .args(&self.store)
            .args(more);
        command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test");
        command
    }

    fn run(&self, verb: &str, more: &[&str]) -> (i32, String, String) {
        told(&self.command(verb, more).output().unwrap())
    }

    /// What a command prints that must succeed.
    fn ok(&self, verb: &str, more: &[&str]) -> String {
        let (code, out, err) = self.run(verb, more);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        out
    }

    /// A file with lines for `count` products, pointers included.
    fn items(&self, name: &str, count: usize) {
        let mut file = fs::File::create(self.path(name)).unwrap();
        for number in 0..count {
            for item in product(number) {
                writeln!(file, "{}", json!({ "Item": hansang_core::value::json::item_to_typed(&item) }))
                    .unwrap();
            }
        }
    }

    fn open(&self) -> (Embedded, Table) {
        let now = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
        let store = Embedded::open(self.path("hansang-data"), Options::new(now)).unwrap();
        (store, hansang_core::compile(MODEL.as_bytes()).unwrap().table.in_env(None))
    }
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn item(attributes: &[(&str, &str)]) -> Item {
    attributes.iter().map(|(name, text)| (Name::from(*name), Value::from(*text))).collect()
}

/// A product and the pointer of its code.
fn product(number: usize) -> [Item; 2] {
    let (id, code, kind) = (format!("p{number:06}"), format!("c{number}"), format!("k{}", number % 3));
    let pk = format!("PRODUCT#{id}");
    let note = "note ".repeat(60);
    [
        item(&[
            ("PK", &pk),
            ("SK", "META"),
            ("Type", "Product"),
            ("id", &id),
            ("code", &code),
            ("kind", &kind),
            ("note", &note),
            ("GSI1PK", &format!("KIND#{kind}")),
            ("GSI1SK", &id),
        ]),
        item(&[
            ("PK", &format!("UNIQUE#Product#code#{code}")),
            ("SK", "UNIQUE"),
            ("ownerPK", &pk),
            ("ownerSK", "META"),
        ]),
    ]
}

/// The lines of a file, decompressed where they are compressed, in order.
fn sorted_lines(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap();
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Where dynoxide listens, started by the first test that needs it.
pub(crate) fn endpoint() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(hansang_testkit::endpoints::dynoxide)
}

/// In and out again, and into another table by a backup; nothing gets lost or changes.
fn in_and_out(place: &Place, other: &Place, name: &str) {
    place.items("in.json", 700);
    assert_eq!(place.ok("create", &[]), format!("the table {name} is there\n"));
    assert_eq!(place.ok("verify", &[]), format!("0 items of {name} are as the model says\n"));
    assert_eq!(place.ok("import", &["in.json"]), format!("1400 items stored in {name}\n"));
    assert_eq!(place.ok("verify", &[]), format!("1400 items of {name} are as the model says\n"));
    for file in ["out.json", "out.json.gz"] {
        assert_eq!(place.ok("export", &["--to", file]), format!("1400 items of {name} in {file}\n"));
        assert_eq!(sorted_lines(&place.path(file)), sorted_lines(&place.path("in.json")));
    }
    let (code, _, err) = place.run("export", &["--to", "out.json"]);
    assert_eq!((code, err.as_str()), (2, "hansang: out.json exists already: name another file\n"));
    assert!(
        place
            .ok("backup", &["--to", "backup"])
            .starts_with(&format!("1400 items of {name} backed up in backup\n"))
    );
    let from = place.path("backup");
    assert!(
        other.ok("restore", &["--from", from.to_str().unwrap()]).starts_with("1400 items restored into Shop")
    );
    assert!(other.ok("verify", &[]).starts_with("1400 items of Shop"));
    let (code, _, err) = other.run("restore", &["--from", from.to_str().unwrap()]);
    assert_eq!(code, 4);
    assert!(err.contains("is not empty: restore into an empty one"), "{err}");
    let described = place.ok("describe", &[]);
    for line in ["key       PK / SK", "index     GSI1: GSI1PK / GSI1SK", "items     "] {
        assert!(described.contains(line), "{described}");
    }
    // A compressed file goes in as well, over what is there, and a whole directory.
    fs::create_dir(place.path("data")).unwrap();
    fs::rename(place.path("out.json.gz"), place.path("data/1.json.gz")).unwrap();
    assert_eq!(place.ok("import", &["data"]), format!("1400 items stored in {name}\n"));
}

#[test]
fn items_go_in_and_out_of_a_data_directory() {
    in_and_out(&Place::embedded(), &Place::dynamodb("restored"), "Shop");
}

#[test]
fn items_go_in_and_out_of_dynamodb() {
    in_and_out(&Place::dynamodb("source"), &Place::embedded(), "Shop-source");
}

#[test]
fn without_a_table_a_command_says_what_to_do() {
    let place = Place::embedded();
    let (code, _, err) = place.run("describe", &[]);
    assert_eq!(code, 3);
    assert!(
        err.contains("there is no data directory hansang-data: make the table with `hansang table create`"),
        "{err}"
    );
    fs::create_dir(place.path("hansang-data")).unwrap();
    fs::write(place.path("hansang-data/letter"), "dear").unwrap();
    assert!(place.run("create", &[]).2.contains("holds other files and is not a data directory of Hansang"));
    let cloud = Place::dynamodb("nowhere");
    for verb in ["describe", "verify"] {
        let (code, _, err) = cloud.run(verb, &[]);
        assert_eq!((code > 0, err.contains("hansang table create")), (true, true), "{err}");
    }
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let url = format!("http://{closed}");
    let (code, _, err) =
        place.run("create", &["--store", "dynamodb", "--region", "x", "--endpoint-url", &url]);
    assert_eq!((code, err.contains("endpoint")), (5, true), "{err}");
}

#[test]
fn what_is_wrong_is_refused_by_line_and_the_rest_is_stored() {
    let place = Place::embedded();
    place.items("in.json", 3);
    let mut file = fs::OpenOptions::new().append(true).open(place.path("in.json")).unwrap();
    writeln!(file, "{{").unwrap();
    writeln!(file, "{{}}").unwrap();
    writeln!(file, "{}", json!({"Item": {"PK": {"S": "NOBODY#1"}, "SK": {"S": "META"}}})).unwrap();
    writeln!(file, "{}", json!({"Item": {"PK": {"N": "1"}, "SK": {"S": "META"}}})).unwrap();
    let (code, out, err) = place.run("import", &["in.json"]);
    assert_eq!((code, out.as_str()), (1, "6 items stored in Shop, 4 refused\n"));
    for line in [
        "in.json:7: is not JSON",
        "in.json:8: has no `Item`",
        "in.json:9: `PK` and `SK` (`NOBODY#1` / `META`) match no entity",
        "in.json:10: the key attribute `PK` must be text",
    ] {
        assert!(err.contains(line), "{err}");
    }
}

/// Starts a command, kills it as soon as it has left a checkpoint, and says whether it was in time.
fn cut_off(place: &Place, verb: &str, more: &[&str], checkpoint: &str) -> bool {
    let mut child = place.command(verb, more).stdout(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if place.path(checkpoint).exists() {
            child.kill().unwrap();
            child.wait().unwrap();
            return place.path(checkpoint).exists();
        }
    }
    false
}

#[test]
fn an_import_and_an_export_that_were_cut_off_go_on() {
    let place = Place::embedded();
    place.items("in.json", 20_000);
    assert!(cut_off(&place, "import", &["in.json"], "in.json.import-progress"));
    let out = place.ok("import", &["in.json"]);
    assert!(
        out.contains("items stored in Shop (") && out.contains(" lines were done before it was cut off)"),
        "{out}"
    );
    assert_eq!(place.ok("verify", &[]), "40000 items of Shop are as the model says\n");
    for file in ["out.json", "out.json.gz"] {
        let checkpoint = format!("{file}.export-progress");
        // What is compressed may be too small to be cut off.
        let cut = cut_off(&place, "export", &["--to", file], &checkpoint);
        assert!(cut || file.ends_with("gz"));
        if cut {
            assert!(!place.path(file).exists());
            let out = place.ok("export", &["--to", file]);
            assert!(
                out.starts_with("40000 items of Shop in ") && out.contains("before it was cut off"),
                "{out}"
            );
        }
        assert_eq!(sorted_lines(&place.path(file)), sorted_lines(&place.path("in.json")));
        assert!(!place.path(&checkpoint).exists());
    }
}

#[test]
fn a_damaged_backup_is_not_restored() {
    let place = Place::embedded();
    place.items("in.json", 10);
    place.ok("import", &["in.json"]);
    place.ok("backup", &["--to", "backup"]);
    let mut bytes = fs::read(place.path("backup/items.json.gz")).unwrap();
    bytes[40] ^= 1;
    fs::write(place.path("backup/items.json.gz"), bytes).unwrap();
    let (code, _, err) = place.run("restore", &["--from", "backup", "--data", "other"]);
    assert_eq!(
        (code, err.contains("is damaged, and nothing is restored from it: its check sum")),
        (1, true),
        "{err}"
    );
    let (code, _, err) = place.run("restore", &["--from", "nowhere", "--data", "other"]);
    assert_eq!((code, err.contains("cannot read nowhere/backup.json")), (2, true), "{err}");
}

#[test]
fn verify_lists_what_is_wrong() {
    let place = Place::embedded();
    place.ok("create", &[]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    {
        let (store, table) = place.open();
        let [mut stale, pointer] = product(1);
        stale.insert("GSI1SK".into(), "p999999".into());
        let [no_pointer, _] = product(2);
        let [_, no_owner] = product(3);
        let foreign = item(&[("PK", "NOBODY#1"), ("SK", "META")]);
        runtime
            .block_on(store.batch_put(&table, vec![stale, pointer, no_pointer, no_owner, foreign]))
            .unwrap();
    }
    let (code, out, _) = place.run("verify", &[]);
    assert_eq!(code, 1);
    for line in [
        "NOBODY#1 / META: `PK` and `SK` (`NOBODY#1` / `META`) match no entity",
        "PRODUCT#p000001 / META: `GSI1SK` should be `p000001`",
        "PRODUCT#p000002 / META: `UNIQUE#Product#code#c2` / `UNIQUE` does not point back to it",
        "UNIQUE#Product#code#c3 / UNIQUE: `PRODUCT#p000003` / `META` does not point back to it",
        "5 items of Shop, 4 problems",
    ] {
        assert!(out.contains(line), "{out}");
    }
}

#[test]
fn a_second_process_hears_who_has_the_directory() {
    let place = Place::embedded();
    place.ok("create", &[]);
    let _held = place.open();
    let (code, _, err) = place.run("describe", &[]);
    assert_eq!((code, err.contains("is in use by another process")), (5, true), "{err}");
}

/// The models that come with Hansang, all in one directory.
#[test]
fn every_model_has_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    for model in ["content", "ledger", "entry", "documents", "contracts", "access"] {
        for verb in ["create", "describe", "verify"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
            let output =
                command.current_dir(root()).args(["table", verb, model, "--data", data]).output().unwrap();
            assert_eq!(told(&output).0, 0, "{output:?}");
        }
    }
}
