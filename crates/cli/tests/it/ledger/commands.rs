//! Commands for entries, lines, accounts, rules and imports: the same on every kind of ledger.

use serde_json::Value as Json;

use super::{CARD, everywhere};

/// Ls8: an entry is created once, looked at, moved, copied and deleted.
#[test]
fn entries_are_created_moved_copied_and_deleted() {
    everywhere(|setup| {
        let pay = ["INCOME", "배우자1", "3000000", "--detail", "월급", "--month", "2025.01"];
        let create = [&["create"], &pay[..]].concat();
        assert_eq!(setup.ok(&create), "        3,000,000  2025.01 INCOME 배우자1 월급\n");
        let (code, _, err) = setup.run(&create);
        assert_eq!((code, err.contains("already has the entry")), (4, true), "{err}");
        setup.ok(&["add", "LIVING_EXPENSE", "식비", "9000", "--date", "2025-01-02", "--text", "점심"]);
        let food = ["LIVING_EXPENSE", "식비", "--month", "2025.01"];
        let shown = setup.ok(&[&["entry"], &food[..]].concat());
        assert_eq!(
            shown,
            "            9,000  2025.01 LIVING_EXPENSE 식비\n            9,000  2025-01-02 LIVING_EXPENSE 식비 점심\n"
        );
        assert_eq!(setup.json(&[&["entry"], &food[..]].concat())["lines"][0]["text"], "점심");

        let moved = setup.ok(&[&["move"], &food[..], &["--to", "2025.02"]].concat());
        assert_eq!(moved, "2025.01 LIVING_EXPENSE 식비 is in 2025.02 now\n");
        assert_eq!(setup.run(&[&["entry"], &food[..]].concat()).0, 3);
        assert_eq!(setup.ok(&["copy", "2025.03"]), "1 entries are copied to 2025.03\n");
        assert!(setup.ok(&["months"]).starts_with("2025.01\n2025.02\n2025.03\n"));
        let gone = ["delete", "LIVING_EXPENSE", "식비", "--month", "2025.03"];
        assert_eq!(setup.ok(&gone), "2025.03 LIVING_EXPENSE 식비 is deleted\n");
        assert_eq!(setup.run(&gone).0, 3);
        assert!(
            setup
                .ok(&["calendar", "2025.02"])
                .ends_with("                0             9,000                 0  2025-02-02\n")
        );
        assert!(
            setup
                .ok(&["people", "2025.01"])
                .contains("        3,000,000                 0                 0  배우자1\n")
        );
    });
}

/// Ls7, Ls14: one line is found by its id, changed, moved and deleted; the history says how.
#[test]
fn a_line_is_found_changed_and_deleted() {
    everywhere(|setup| {
        setup.ok(&["add", "LIVING_EXPENSE", "식비", "9000", "--date", "2025-01-02", "--text", "점심"]);
        setup.ok(&["add", "FIXED_EXPENSE", "통신", "50000", "--date", "2025-02-02"]);
        let of_kind = setup.ok(&["lines", "2025.01", "--to", "2025.02", "--kind", "FIXED_EXPENSE", "--ids"]);
        let (id, rest) = of_kind.split_once(' ').unwrap();
        assert_eq!(rest, "           50,000  2025-02-02 FIXED_EXPENSE 통신\n");
        assert_eq!(setup.ok(&["lines", "2025.01", "--entered-by", "nobody"]), "");
        assert_eq!(setup.ok(&["line", "2025.02", id]), rest);
        let change = ["line", "2025.02", id, "--amount", "49000", "--text", "2월", "--date", "2025-02-03"];
        assert_eq!(setup.ok(&change), "           49,000  2025-02-03 FIXED_EXPENSE 통신 2월\n");
        let moved = setup.ok(&["line", "2025.02", id, "--kind", "LIVING_EXPENSE", "--name", "기타"]);
        assert_eq!(moved, "           49,000  2025-02-03 LIVING_EXPENSE 기타 2월\n");
        assert_eq!(setup.run(&["line", "2025.02", id, "--kind", "SAVINGS"]).0, 2, "a kind needs a name");
        let seq = setup.json(&["history", "--limit", "1"])["items"][0]["seq"].to_string();
        let told = setup.ok(&["history", &seq]);
        let lines: Vec<&str> = told.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "-            49,000  2025-02-03 FIXED_EXPENSE 통신 2월",
                "+            49,000  2025-02-03 LIVING_EXPENSE 기타 2월",
            ]
        );
        assert_eq!(setup.ok(&["line", "2025.02", id, "--delete"]), format!("line {id} is deleted\n"));
        assert_eq!(setup.run(&["line", "2025.02", id]).0, 3);
        assert!(setup.ok(&["recalculate", "--check"]).ends_with("months add up\n"));
    });
}

/// L28, Ls18: accounts, what they hold, and the balances before the first month.
#[test]
fn accounts_are_assigned_and_opened() {
    everywhere(|setup| {
        let opened =
            ["opening", "--savings", "13500000", "--account", "여행=300000", "--account", "운동=400000"];
        let balances = "       13,500,000  savings\n                0  investments\n          300,000  여행\n          400,000  운동\n";
        assert_eq!(setup.ok(&opened), balances);
        assert_eq!(setup.ok(&["opening"]), balances);
        assert!(!setup.ok(&["opening", "--account", "운동=0"]).contains("운동"));
        assert_eq!(setup.run(&["opening", "--account", "여행"]).0, 2);

        let added = setup.ok(&["accounts", "--group", "비상금", "--set", "파킹통장,금고"]);
        assert!(added.contains("비상금 (no kind): 파킹통장, 금고\n"), "{added}");
        let parked = ["add", "SAVINGS", "파킹통장", "5", "--date", "2025-01-02"];
        let (code, _, err) = setup.run(&parked);
        assert_eq!((code, err.contains("no kind yet")), (2, true), "{err}");
        let assigned = setup.ok(&["assign", "비상금", "SAVINGS", "--group"]);
        assert!(assigned.contains("비상금 (SAVINGS): 파킹통장, 금고\n"), "{assigned}");
        setup.ok(&parked);
        let other = setup.ok(&["assign", "금고", "INVESTMENT"]);
        assert!(other.contains("비상금 (SAVINGS): 파킹통장, 금고 (INVESTMENT)\n"), "{other}");
        assert!(setup.ok(&["assign", "금고"]).contains("비상금 (SAVINGS): 파킹통장, 금고\n"));
        assert_eq!(setup.run(&["assign", "금고", "INCOME"]).0, 2);
        assert_eq!(setup.run(&["assign", "없음", "SAVINGS"]).0, 2);
        assert!(!setup.ok(&["accounts", "--remove", "비상금"]).contains("비상금"));
        assert_eq!(setup.run(&["accounts", "--remove", "비상금"]).0, 2);
    });
}

/// Ls22: a rule is changed in parts; every budget that was set is listed.
#[test]
fn rules_are_changed_and_budgets_listed() {
    everywhere(|setup| {
        setup.ok(&["rules", "--add", "FIXED_EXPENSE", "주거", "800000", "--day", "31", "--from", "2999.01"]);
        let id = setup.json(&["rules"])["items"][0]["ruleId"].as_str().unwrap().to_owned();
        let change = ["rules", "--change", &id, "--amount", "850000", "--day", "5", "--until", "2999.06"];
        let shown = setup.ok(&change);
        assert!(shown.starts_with("          850,000  FIXED_EXPENSE 주거  (next on 2999-01-05)"), "{shown}");
        let rule = setup.json(&["rules", "--change", &id, "--forever", "--text", "월세"])["items"][0].clone();
        assert_eq!(
            (&rule["until"], &rule["text"], &rule["amount"]),
            (&Json::Null, &"월세".into(), &850_000.into())
        );
        assert_eq!(setup.run(&["rules", "--change", "01KA9Z6Q3N8V5T2R7W4Y1M0CDE", "--day", "1"]).0, 3);
        assert_eq!(setup.run(&["rules", "--amount", "1"]).0, 2);
        setup.ok(&["budgets", "2025.01", "--set", "식비", "8000", "--rollover"]);
        setup.ok(&["budgets", "2025.03", "--set", "식비", "9000"]);
        let all = setup.ok(&["budgets", "--all"]);
        assert_eq!(
            all,
            "            8,000  from 2025.01 for LIVING_EXPENSE 식비 with rollover\n            9,000  from 2025.03 for LIVING_EXPENSE 식비\n"
        );
    });
}

/// Ls23: the columns of an unknown file and the entries of its rows are chosen; imports are listed.
#[test]
fn an_import_takes_columns_and_choices() {
    everywhere(|setup| {
        let file = setup.file("card.csv", CARD);
        let seen = setup.json(&["import", &file, "--dry-run"]);
        let columns = setup.file("columns.json", &seen.to_string());
        let chosen = [
            "import",
            &file,
            "--mapping",
            &columns,
            "--choose",
            "3=LIVING_EXPENSE/문화생활",
            "--exclude",
            "2",
        ];
        let done = setup.json(&chosen);
        assert_eq!(done["added"], 1);
        assert!(setup.ok(&["month", "2025.01"]).contains("           12,300  LIVING_EXPENSE 문화생활\n"));
        let id = done["importId"].as_str().unwrap();
        assert_eq!(setup.ok(&["imports"]), format!("{id} done 1 of 1 rows card.csv\n"));
        assert_eq!(setup.json(&["imports", id])["status"], "done");
        assert_eq!(setup.run(&["imports", "01KA9Z6Q3N8V5T2R7W4Y1M0CDE"]).0, 3);
        let wrong = setup.file("wrong.json", "{\"mapping\": 1}");
        assert_eq!(setup.run(&["import", &file, "--mapping", &wrong]).0, 2);
        assert_eq!(setup.run(&["import", &file, "--choose", "3=FOOD"]).0, 2);
    });
}
