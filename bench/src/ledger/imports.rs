//! An import of 100,000 rows, compared with Actual's own API.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use hansang_ledger::import::{NewImport, mapping_of, read, start};
use serde_json::json;

use super::{embedded, failed, open};
use crate::goal;

const ROWS: usize = 100_000;
const CATEGORIES: [&str; 5] = ["식비", "교통비", "의료비", "문화생활", "기타"];

/// A row: the date, the merchant, the category and the amount.
fn row(number: usize) -> (String, String, &'static str, usize) {
    let date = format!("{}-{:02}-{:02}", 2024 + number / 12 % 2, 1 + number % 12, 1 + number / 24 % 28);
    (date, format!("가게 {}", number % 500), CATEGORIES[number % 5], 1000 + number)
}

pub(super) async fn measure(directory: &Path) -> Result<(), String> {
    let ledger = open(embedded(&directory.join("import"))?).await?;
    let mut file = String::from("날짜,시간,타입,대분류,소분류,내용,금액,화폐,결제수단,메모\n");
    for (date, merchant, category, amount) in (0..ROWS).map(row) {
        file.push_str(&format!("{date},12:00,지출,{category},미분류,{merchant},-{amount},KRW,카드,\n"));
    }
    let began = Instant::now();
    let table = read(file.as_bytes()).map_err(failed)?;
    let (_, mapping) = mapping_of(&ledger, &table, None, None).await.map_err(failed)?;
    let choices = BTreeMap::new();
    let new = NewImport {
        file: "bench.csv",
        profile: "bench",
        table: &table,
        mapping: &mapping,
        choices: &choices,
    };
    let import = start(&ledger, "bench", new).await.map_err(failed)?;
    let ours = began.elapsed().as_secs_f64();
    if import.added != ROWS as i64 {
        return Err(format!("{} of {ROWS} rows were added", import.added));
    }
    let rows: Vec<_> = (0..ROWS)
        .map(|number| {
            let (date, merchant, _, amount) = row(number);
            json!({ "date": date, "amount": -(amount as i64) * 100, "payee_name": merchant, "imported_id": number.to_string() })
        })
        .collect();
    let rows_file = directory.join("rows.json");
    std::fs::write(&rows_file, json!(rows).to_string()).map_err(|error| error.to_string())?;
    let output = Command::new("node").arg("bench/ledger/actual.mjs").arg(&rows_file).output();
    let output = output.map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let actual: f64 =
        said.trim().parse().map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
    println!("| import of {ROWS} rows | s | rows a second | × Actual |\n|---|---|---|---|");
    let line = |name: &str, seconds: f64| {
        println!("| {name} | {seconds:.1} | {:.0} | {:.1} |", ROWS as f64 / seconds, actual / seconds);
    };
    line("Actual, `importTransactions`, already parsed, in SQLite", actual);
    line("Hansang: parse, classify, compare, and durable changes with history and undo", ours);
    println!();
    goal("an import is at least 5 times as fast as Actual's", actual / ours >= 5.0);
    println!();
    Ok(())
}
