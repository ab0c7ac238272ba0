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

mod backfill;

/// A folder with a small model, and functions that run commands on it.
struct Setup {
    folder: tempfile::TempDir,
    /// The arguments that select the table.
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

impl Setup {
    fn embedded() -> Self {
        let setup = Self { folder: tempfile::tempdir().unwrap(), store: Vec::new() };
        fs::write(setup.path("shop.yaml"), MODEL).unwrap();
        setup
    }

    /// A table on dynoxide, separated by its environment.
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

    /// The output of a command, which must succeed.
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

/// The sorted lines of a file, decompressed if it is compressed.
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

/// The address of dynoxide, started by the first test that needs it.
pub(crate) fn endpoint() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(hansang_testkit::endpoints::dynoxide)
}

/// The models that come with Hansang need no file.
#[test]
fn tables_of_the_systems_are_created_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
        told(&command.current_dir(folder.path()).arg("table").args(arguments).output().unwrap())
    };
    for (model, table) in [
        ("content", "FMWebAppTable"),
        ("ledger", "AssetManager"),
        ("entry", "AsyncEventTable"),
        ("documents", "IdpBackendTable"),
        ("contracts", "ivm-lite-schema-registry-dev"),
        ("access", "HansangAccess"),
    ] {
        let (code, out, err) = run(&["create", model]);
        assert_eq!((code, out, err), (0, format!("the table {table} is there\n"), String::new()), "{model}");
    }
    // A file of the same name comes first.
    fs::create_dir(folder.path().join("models")).unwrap();
    fs::write(folder.path().join("models/ledger.yaml"), MODEL).unwrap();
    assert_eq!(run(&["create", "ledger"]).1, "the table Shop is there\n");
    let (code, _, err) = run(&["create", "contract"]);
    assert_eq!((code, err.contains("no model with this name comes with Hansang")), (2, true), "{err}");
}

/// Imports, exports, and restores a backup into another table; the items stay the same.
fn in_and_out(setup: &Setup, other: &Setup, name: &str) {
    setup.items("in.json", 700);
    assert_eq!(setup.ok("create", &[]), format!("the table {name} is there\n"));
    assert_eq!(setup.ok("verify", &[]), format!("0 items of {name} are as the model says\n"));
    assert_eq!(setup.ok("import", &["in.json"]), format!("1400 items stored in {name}\n"));
    assert_eq!(setup.ok("verify", &[]), format!("1400 items of {name} are as the model says\n"));
    for file in ["out.json", "out.json.gz"] {
        assert_eq!(setup.ok("export", &["--to", file]), format!("1400 items of {name} in {file}\n"));
        assert_eq!(sorted_lines(&setup.path(file)), sorted_lines(&setup.path("in.json")));
    }
    let (code, _, err) = setup.run("export", &["--to", "out.json"]);
    assert_eq!((code, err.as_str()), (2, "hansang: out.json exists already: name another file\n"));
    assert!(
        setup
            .ok("backup", &["--to", "backup"])
            .starts_with(&format!("1400 items of {name} backed up in backup\n"))
    );
    let from = setup.path("backup");
    assert!(
        other.ok("restore", &["--from", from.to_str().unwrap()]).starts_with("1400 items restored into Shop")
    );
    assert!(other.ok("verify", &[]).starts_with("1400 items of Shop"));
    let (code, _, err) = other.run("restore", &["--from", from.to_str().unwrap()]);
    assert_eq!(code, 4);
    assert!(err.contains("is not empty: restore into an empty one"), "{err}");
    let described = setup.ok("describe", &[]);
    for line in ["key       PK / SK", "index     GSI1: GSI1PK / GSI1SK", "items     "] {
        assert!(described.contains(line), "{described}");
    }
    // Imports a compressed file over existing items, and a whole directory.
    fs::create_dir(setup.path("data")).unwrap();
    fs::rename(setup.path("out.json.gz"), setup.path("data/1.json.gz")).unwrap();
    assert_eq!(setup.ok("import", &["data"]), format!("1400 items stored in {name}\n"));
}

#[test]
fn items_go_in_and_out_of_a_data_directory() {
    in_and_out(&Setup::embedded(), &Setup::dynamodb("restored"), "Shop");
}

#[test]
fn items_go_in_and_out_of_dynamodb() {
    in_and_out(&Setup::dynamodb("source"), &Setup::embedded(), "Shop-source");
}

#[test]
fn without_a_table_a_command_says_what_to_do() {
    let setup = Setup::embedded();
    let (code, _, err) = setup.run("describe", &[]);
    assert_eq!(code, 3);
    assert!(
        err.contains("there is no data directory hansang-data: make the table with `hansang table create`"),
        "{err}"
    );
    fs::create_dir(setup.path("hansang-data")).unwrap();
    fs::write(setup.path("hansang-data/letter"), "dear").unwrap();
    assert!(setup.run("create", &[]).2.contains("holds other files and is not a data directory of Hansang"));
    let cloud = Setup::dynamodb("nowhere");
    for verb in ["describe", "verify"] {
        let (code, _, err) = cloud.run(verb, &[]);
        assert_eq!((code > 0, err.contains("hansang table create")), (true, true), "{err}");
    }
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let url = format!("http://{closed}");
    let (code, _, err) =
        setup.run("create", &["--store", "dynamodb", "--region", "x", "--endpoint-url", &url]);
    assert_eq!((code, err.contains("endpoint")), (5, true), "{err}");
}

#[test]
fn invalid_lines_are_listed_and_the_others_stored() {
    let setup = Setup::embedded();
    setup.items("in.json", 3);
    let mut file = fs::OpenOptions::new().append(true).open(setup.path("in.json")).unwrap();
    writeln!(file, "{{").unwrap();
    writeln!(file, "{{}}").unwrap();
    writeln!(file, "{}", json!({"Item": {"PK": {"S": "NOBODY#1"}, "SK": {"S": "META"}}})).unwrap();
    writeln!(file, "{}", json!({"Item": {"PK": {"N": "1"}, "SK": {"S": "META"}}})).unwrap();
    let (code, out, err) = setup.run("import", &["in.json"]);
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

/// Starts a command and kills it at its first checkpoint. Returns whether it was still running.
fn cut_off(setup: &Setup, verb: &str, more: &[&str], checkpoint: &str) -> bool {
    let mut child = setup.command(verb, more).stdout(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if setup.path(checkpoint).exists() {
            child.kill().unwrap();
            child.wait().unwrap();
            return setup.path(checkpoint).exists();
        }
    }
    false
}

#[test]
fn interrupted_imports_and_exports_resume() {
    let setup = Setup::embedded();
    setup.items("in.json", 20_000);
    assert!(cut_off(&setup, "import", &["in.json"], "in.json.import-progress"));
    let out = setup.ok("import", &["in.json"]);
    assert!(
        out.contains("items stored in Shop (") && out.contains(" lines were done before it was cut off)"),
        "{out}"
    );
    assert_eq!(setup.ok("verify", &[]), "40000 items of Shop are as the model says\n");
    for file in ["out.json", "out.json.gz"] {
        let checkpoint = format!("{file}.export-progress");
        // A compressed export may finish before it can be killed.
        let cut = cut_off(&setup, "export", &["--to", file], &checkpoint);
        assert!(cut || file.ends_with("gz"));
        if cut {
            assert!(!setup.path(file).exists());
            let out = setup.ok("export", &["--to", file]);
            assert!(
                out.starts_with("40000 items of Shop in ") && out.contains("before it was cut off"),
                "{out}"
            );
        }
        assert_eq!(sorted_lines(&setup.path(file)), sorted_lines(&setup.path("in.json")));
        assert!(!setup.path(&checkpoint).exists());
    }
}

#[test]
fn a_damaged_backup_is_not_restored() {
    let setup = Setup::embedded();
    setup.items("in.json", 10);
    setup.ok("import", &["in.json"]);
    setup.ok("backup", &["--to", "backup"]);
    let mut bytes = fs::read(setup.path("backup/items.json.gz")).unwrap();
    bytes[40] ^= 1;
    fs::write(setup.path("backup/items.json.gz"), bytes).unwrap();
    let (code, _, err) = setup.run("restore", &["--from", "backup", "--data", "other"]);
    assert_eq!(
        (code, err.contains("is damaged, and nothing is restored from it: its check sum")),
        (1, true),
        "{err}"
    );
    let (code, _, err) = setup.run("restore", &["--from", "nowhere", "--data", "other"]);
    assert_eq!((code, err.contains("cannot read nowhere/backup.json")), (2, true), "{err}");
}

#[test]
fn verify_lists_every_problem() {
    let setup = Setup::embedded();
    setup.ok("create", &[]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    {
        let (store, table) = setup.open();
        let [mut stale, pointer] = product(1);
        stale.insert("GSI1SK".into(), "p999999".into());
        let [no_pointer, _] = product(2);
        let [_, no_owner] = product(3);
        let foreign = item(&[("PK", "NOBODY#1"), ("SK", "META")]);
        runtime
            .block_on(store.batch_put(&table, vec![stale, pointer, no_pointer, no_owner, foreign]))
            .unwrap();
    }
    let (code, out, _) = setup.run("verify", &[]);
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
fn a_second_process_reports_the_owner_of_the_directory() {
    let setup = Setup::embedded();
    setup.ok("create", &[]);
    let _held = setup.open();
    let (code, _, err) = setup.run("describe", &[]);
    assert_eq!((code, err.contains("is in use by another process")), (5, true), "{err}");
}

/// Creates the tables of all built-in models in one directory.
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

/// A small compressed file with an endless line is rejected, and not read into memory.
#[test]
fn a_line_of_a_compressed_file_is_bounded() {
    let setup = Setup::embedded();
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..64 {
        bomb.write_all(&vec![b' '; 1024 * 1024]).unwrap();
    }
    fs::write(setup.path("bomb.json.gz"), bomb.finish().unwrap()).unwrap();
    let (code, out, err) = setup.run("import", &["bomb.json.gz"]);
    assert_ne!(code, 0, "{out}");
    assert!(err.contains("line 1"), "{err}");
}
