//! `hansang ledger …` on a data directory, on DynamoDB and on a server; and a server that is killed.

mod catch_up;
mod commands;
mod kill;

use std::fs;
use std::sync::Arc;

use hansang_core::value::json::{item_from_plain, item_to_typed};
use hansang_core::{Item, Store as _, compile};
use hansang_embedded::{Embedded, Options};
use hansang_testkit::endpoints;
use serde_json::{Value as Json, json};

use crate::serve::{Server, temporary_data};
use crate::{hansang, root};

/// A ledger, and the arguments that select it.
struct Setup {
    folder: tempfile::TempDir,
    place: Vec<String>,
    _server: Option<Server>,
}

impl Setup {
    fn embedded() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data").to_str().unwrap().to_owned();
        Self::table(folder, vec!["--data".to_owned(), data])
    }

    fn dynamodb() -> Self {
        let endpoint = endpoints::dynoxide();
        let place = ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", &endpoint];
        Self::table(tempfile::tempdir().unwrap(), place.map(str::to_owned).to_vec())
    }

    fn table(folder: tempfile::TempDir, place: Vec<String>) -> Self {
        let made = Self { folder, place, _server: None };
        let arguments: Vec<&str> = made.place.iter().map(String::as_str).collect();
        assert_eq!(hansang(&[&["table", "create", "ledger"], &arguments[..]].concat()).0, 0);
        made
    }

    fn server() -> Self {
        let (folder, data) = temporary_data();
        let server = Server::start(&data, &[]);
        let place = ["--server", &server.address, "--token", &server.token()].map(str::to_owned).to_vec();
        Self { folder, place, _server: Some(server) }
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let place: Vec<&str> = self.place.iter().map(String::as_str).collect();
        hansang(&[&["ledger"], arguments, &place].concat())
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.run(arguments);
        assert_eq!((code, &*err), (0, ""), "{arguments:?}: {out}");
        out
    }

    fn json(&self, arguments: &[&str]) -> Json {
        serde_json::from_str(&self.ok(&[arguments, &["--json"]].concat())).unwrap()
    }

    /// A file in the folder of the test.
    fn file(&self, name: &str, content: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

fn everywhere(story: impl Fn(&Setup)) {
    for setup in [Setup::embedded(), Setup::dynamodb(), Setup::server()] {
        story(&setup);
    }
}

const CARD: &str = "이용일,가맹점명,이용금액\n2025-01-04,스타벅스,\"4,500\"\n2025-01-05,카카오T,12300\n";

/// The same commands print the same on every kind of ledger.
#[test]
fn a_month_is_entered_and_read() {
    everywhere(|setup| {
        let food = ["add", "LIVING_EXPENSE", "식비", "9000", "--date", "2025-01-02", "--text", "점심"];
        assert_eq!(setup.ok(&food), "            9,000  2025-01-02 LIVING_EXPENSE 식비 점심\n");
        let pay = ["set", "INCOME", "배우자1", "3500000", "--detail", "월급", "--month", "2025.01"];
        assert_eq!(setup.ok(&pay), "        3,500,000  2025.01 INCOME 배우자1 월급\n");
        let refund = ["add", "LIVING_EXPENSE", "식비", "-1000", "--date", "2025-01-03"];
        assert_eq!(setup.ok(&refund), "           -1,000  2025-01-03 LIVING_EXPENSE 식비\n");
        let save = ["add", "SAVINGS", "적금1", "500000", "--date", "2025-01-31"];
        setup.ok(&save);
        let shown = setup.ok(&["month", "2025.01"]);
        assert!(shown.contains("        3,500,000  income\n            8,000  expenses\n"), "{shown}");
        assert!(shown.contains("            8,000  LIVING_EXPENSE 식비\n"), "{shown}");
        assert_eq!(setup.json(&["month", "2025.01"])["totals"]["netAsset"], 2_992_000);
        assert_eq!(setup.ok(&["lines", "2025.01"]).lines().count(), 4);
        let found = setup.ok(&["lines", "2025.01", "--search", "점심", "--to", "2025.03"]);
        assert_eq!(found, "            9,000  2025-01-02 LIVING_EXPENSE 식비 점심\n");
        let period = setup.ok(&["period", "2025.01", "2025.02"]);
        let last = period.lines().nth(2).unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(last, ["2025.02", "0", "0", "0", "500,000"]);
        let report = setup.ok(&["report", "2025"]);
        assert!(report.contains("LIVING_EXPENSE 식비"), "{report}");
        assert_eq!(setup.ok(&["recalculate", "--check"]).split(' ').nth(1), Some("months"));
    });
}

#[test]
fn a_file_is_imported_undone_and_imported_again() {
    everywhere(|setup| {
        let file = setup.file("card.csv", CARD);
        let dry = setup.ok(&["import", &file, "--dry-run"]);
        assert!(
            dry.ends_with(
                "dry run: 2 new, 0 duplicates, 0 changed, 0 entered before, 0 ignored, 0 refused\n"
            ),
            "{dry}"
        );
        let done = setup.json(&["import", &file, "--source", "card"]);
        assert_eq!((&done["status"], &done["added"]), (&"done".into(), &2.into()));
        assert_eq!(setup.json(&["import", &file])["added"], 0);
        assert_eq!(setup.json(&["import", &file, "--dry-run"])["profile"], "card");
        let id = done["importId"].as_str().unwrap();
        assert_eq!(setup.ok(&["undo", "--import", id]), format!("import {id} is undone\n"));
        let (code, _, err) = setup.run(&["undo", "--import", id]);
        assert_eq!(code, 4, "{err}");
        assert_eq!(setup.json(&["import", &file, "--exclude", "2"])["added"], 1);

        let wrong = setup.file("wrong.csv", "날짜,내용,금액\n2025-13-01,커피,4500\n");
        let (code, _, err) = setup.run(&["import", &wrong]);
        assert!(code == 2 && err.contains("line 2"), "{err}");
        let (code, _, err) = setup.run(&["import", "nowhere.csv"]);
        assert!(code == 2 && err.contains("cannot read nowhere.csv"), "{err}");
    });
}

#[test]
fn a_change_is_undone() {
    everywhere(|setup| {
        setup.ok(&["add", "LIVING_EXPENSE", "식비", "9000", "--date", "2025-01-02"]);
        let history = setup.json(&["history", "--limit", "1"]);
        assert_eq!(history["items"][0]["action"], "line.add");
        let seq = history["items"][0]["seq"].to_string();
        assert!(setup.ok(&["undo", &seq]).starts_with(&format!("change {seq} is undone by change ")));
        assert_eq!(setup.run(&["undo", &seq]).0, 4);
        assert_eq!(setup.run(&["undo", "999999"]).0, 3);
        assert!(setup.ok(&["history"]).contains("line.add"));
    });
}

/// Ls24
#[test]
fn an_export_is_restored_elsewhere() {
    everywhere(|setup| {
        setup.ok(&["add", "LIVING_EXPENSE", "식비", "9000", "--date", "2025-01-02"]);
        let file = setup.folder.path().join("all.json");
        let file = file.to_str().unwrap();
        assert!(setup.ok(&["export", "--to", "json", "--output", file]).contains("bytes in"));
        assert!(setup.ok(&["export", "--to", "csv"]).contains("2025-01-02,LIVING_EXPENSE,식비"));
        let book = setup.folder.path().join("all.xlsx");
        setup.ok(&["export", "--to", "xlsx", "--output", book.to_str().unwrap()]);
        assert!(fs::read(&book).unwrap().starts_with(b"PK"), "an xlsx is a zip");
        assert!(setup.ok(&["export", "--to", "hledger"]).contains("expenses:living:식비  9000 KRW"));
        let fresh = tempfile::tempdir().unwrap();
        let data = fresh.path().join("new").to_str().unwrap().to_owned();
        let restored = hansang(&["ledger", "restore", file, "--data", &data]);
        assert_eq!(restored, (0, "1 lines are restored\n".to_owned(), String::new()));
        let check = hansang(&["ledger", "recalculate", "--check", "--data", &data]);
        assert_eq!((check.0, check.1.starts_with("1 months add up")), (0, true), "{check:?}");
        let other = Setup::embedded();
        other.ok(&["add", "LIVING_EXPENSE", "식비", "1", "--date", "2025-01-02"]);
        assert_eq!(other.run(&["restore", file]).0, 4);
        let wrong = setup.file("wrong.json", "{");
        assert_eq!(setup.run(&["restore", &wrong]).0, 2);
    });
}

#[test]
fn codes_are_printed_and_replaced() {
    everywhere(|setup| {
        assert!(setup.ok(&["codes"]).contains("투자용: 청약, 연금저축, 주식, 코인\n"));
        assert_eq!(setup.ok(&["codes", "NAME", "--set", "지훈,수민"]), "지훈\n수민\n");
        assert_eq!(setup.ok(&["codes", "NAME"]), "NAME: 지훈, 수민\n");
        assert_eq!(setup.run(&["codes", "NAME", "--set", "a#b"]).0, 2);
    });
}

/// Ls22
#[test]
fn rules_budgets_and_goals_are_set() {
    everywhere(|setup| {
        assert_eq!(setup.ok(&["rules"]), "");
        let rent = ["rules", "--add", "FIXED_EXPENSE", "주거", "800000", "--day", "31", "--from", "2999.01"];
        let shown = setup.ok(&[&rent[..], &["--text", "월세"]].concat());
        assert!(
            shown.starts_with("          800,000  FIXED_EXPENSE 주거 월세 (next on 2999-01-31) "),
            "{shown}"
        );
        let id = setup.json(&["rules"])["items"][0]["ruleId"].as_str().unwrap().to_owned();
        assert_eq!(setup.ok(&["rules", "--delete", &id]), "");
        assert_eq!(setup.run(&["rules", "--delete", &id]).0, 3);
        assert_eq!(setup.run(&["rules", "--add", "FIXED_EXPENSE", "주거", "1", "--day", "32"]).0, 2);

        setup.ok(&["add", "LIVING_EXPENSE", "식비", "9000", "--date", "2025-01-02"]);
        let left = "           -1,000  left of 8,000 for 식비, 9,000 spent\n";
        assert_eq!(setup.ok(&["budgets", "2025.01", "--set", "식비", "8000"]), left);
        assert_eq!(setup.ok(&["budgets", "2025.01"]), left);
        assert_eq!(setup.run(&["budgets", "--set", "없음", "1"]).0, 2);

        let goal = setup.ok(&["goals", "2025.01", "--set", "여행", "1000", "--until", "2026.01"]);
        assert_eq!(goal, "                0  of 1,000 for 여행, out of reach\n");
        assert_eq!(setup.ok(&["goals", "2025.01", "--delete", "여행"]), "");
        assert_eq!(setup.run(&["goals", "--delete", "여행"]).0, 3);
    });
}

/// Ls5, Ls17
#[test]
fn wrong_arguments_are_refused() {
    let setup = Setup::embedded();
    for (arguments, code, said) in [
        (&["month", "2025.13"][..], 2, "2025.13"),
        (&["add", "FOOD", "식비", "1"], 2, "FOOD"),
        (&["add", "LIVING_EXPENSE", "식비", "1.5"], 2, "1.5"),
        (&["add", "LIVING_EXPENSE", "a#b", "1"], 2, "a#b"),
        (&["add", "LIVING_EXPENSE", "없음", "1"], 2, "없음"),
        (&["add", "INCOME", "배우자1", "1"], 2, "incomeType"),
        (&["add", "LIVING_EXPENSE", "식비", "1", "--date", "2025-02-30"], 2, "2025-02-30"),
        (&["period", "1900.01", "2900.01"], 2, "240"),
        (&["undo"], 2, "required"),
        (&["export", "--to", "pdf"], 2, "pdf"),
    ] {
        let (found, _, err) = setup.run(arguments);
        assert_eq!((found, err.contains(said)), (code, true), "{arguments:?}: {err}");
    }
    let missing = hansang(&["ledger", "month", "--data", "/nowhere/at/all"]);
    assert_eq!(missing.0, 3, "{}", missing.2);
    // The generic commands read, and leave writing to the ledger's own.
    let data = &setup.place[1];
    let put = hansang(&["put", "ledger", "CodeList", "codeType=NAME", "codes:=[]", "--data", data]);
    assert_eq!((put.0, put.2.contains("hansang ledger")), (2, true), "{}", put.2);
}

/// Replaces an item in the table itself.
fn replace_stored(data: &str, item: Item) {
    let now = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
    let store = Embedded::open(data, Options::new(now)).unwrap();
    let table = compile(&fs::read(root().join("models/ledger.yaml")).unwrap()).unwrap().table.in_env(None);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async { store.batch_put(&table, vec![item]).await.unwrap() });
}

/// A recalculation finds what another program broke, says so with its exit code, and repairs it.
#[test]
fn a_recalculation_repairs() {
    let setup = Setup::embedded();
    setup.ok(&["add", "LIVING_EXPENSE", "식비", "9000", "--date", "2025-01-02"]);
    let item = json!({"PK": "LIVING_EXPENSE#2025.01", "SK": "식비", "yearMonth": "2025.01", "category": "식비", "amount": 1,
        "createdAt": "2025-01-01T00:00:00Z", "updatedAt": "2025-01-01T00:00:00Z"});
    let file = setup.file(
        "items.json",
        &format!("{}\n", json!({"Item": item_to_typed(&item_from_plain(&item).unwrap())})),
    );
    let data = &setup.place[1];
    let model = root().join("models/ledger.yaml");
    let import = || hansang(&["table", "import", model.to_str().unwrap(), &file, "--data", data]);
    // Not even an import replaces an item.
    assert_eq!(import().0, 1);
    assert_eq!(setup.ok(&["recalculate", "--check"]), "1 months add up\n");
    replace_stored(data, item_from_plain(&item).unwrap());
    let (code, out, _) = setup.run(&["recalculate", "--check"]);
    assert_eq!((code, out.contains("its lines add up to 9000")), (4, true), "{out}");
    assert!(setup.ok(&["recalculate", "--from", "2025.02"]).starts_with("0 months add up"));
    assert!(setup.ok(&["recalculate"]).contains("differences corrected"));
    assert_eq!(setup.ok(&["recalculate", "--check"]), "1 months add up\n");
}
