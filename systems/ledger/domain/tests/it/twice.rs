//! The same purchase in two files, or typed and imported: it counts once, and two purchases count twice.

use std::collections::BTreeMap;

use hansang_ledger::import::{
    Choice, ImportView, NewImport, Preview, RowStatus, mapping_of, preview, read, start, undo_import,
};
use hansang_ledger::{
    Kind, Ledger, Line, Rule, add_line, delete_line, lines_of_month, month, run_rules, set_rule,
};

use crate::checker::check;
use crate::grounds::{self, Ground, line, on_each_store, subject};

on_each_store!(
    a_day_may_be_in_two_files,
    rows_at_other_times_are_other_purchases,
    a_typed_line_and_its_row_are_one,
    a_rule_and_its_row_are_one,
);

async fn look(ledger: &Ledger, file: &str, choices: &BTreeMap<usize, Choice>) -> Preview {
    let table = read(file.as_bytes()).unwrap();
    let (_, mapping) = mapping_of(ledger, &table, Some("card"), None).await.unwrap();
    preview(ledger, "card", &table, &mapping, choices).await.unwrap()
}

async fn effects(ledger: &Ledger, file: &str) -> Vec<&'static str> {
    let effect = |status: &RowStatus| match status {
        RowStatus::New => "new",
        RowStatus::Duplicate => "duplicate",
        RowStatus::Changed(_) => "changed",
        RowStatus::Entered(_) => "entered",
        RowStatus::Ignored(_) => "ignored",
        RowStatus::Refused(_) => "refused",
    };
    look(ledger, file, &BTreeMap::new()).await.rows.iter().map(|row| effect(&row.status)).collect()
}

async fn bring(ledger: &Ledger, file: &str, choices: &BTreeMap<usize, Choice>) -> ImportView {
    let table = read(file.as_bytes()).unwrap();
    let (_, mapping) = mapping_of(ledger, &table, Some("card"), None).await.unwrap();
    let new = NewImport { file: "a.csv", profile: "card", table: &table, mapping: &mapping, choices };
    start(ledger, "ann", new).await.unwrap()
}

async fn spent(ledger: &Ledger) -> i64 {
    month(ledger, grounds::month("2026.02")).await.unwrap().totals.total_expense
}

fn file(rows: &[&str]) -> String {
    format!("날짜,내용,금액\n{}\n", rows.join("\n"))
}

/// The second file goes on at noon where the first one ended: its coffee is another one. A file that has the whole day again
/// has corrected its amount.
async fn a_day_may_be_in_two_files(ground: Ground) {
    let ledger = &ground.ledger;
    let none = BTreeMap::new();
    bring(ledger, &file(&["2026-02-04,커피,4500", "2026-02-04,마트,30000"]), &none).await;
    let afternoon = file(&["2026-02-04,커피,5000", "2026-02-04,약국,7000"]);
    assert_eq!(effects(ledger, &afternoon).await, ["new", "new"]);
    bring(ledger, &afternoon, &none).await;
    assert_eq!(spent(ledger).await, 46_500);
    let whole = file(&[
        "2026-02-04,커피,4800",
        "2026-02-04,마트,31000",
        "2026-02-04,커피,5000",
        "2026-02-04,약국,7000",
    ]);
    assert_eq!(effects(ledger, &whole).await, ["changed", "changed", "duplicate", "duplicate"]);
    bring(ledger, &whole, &none).await;
    assert_eq!(spent(ledger).await, 47_800);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// Banksalad says when: the same time is the same purchase, and another time another one.
async fn rows_at_other_times_are_other_purchases(ground: Ground) {
    let ledger = &ground.ledger;
    let file = |rows: &[(&str, &str)]| {
        let mut text = "날짜,시간,타입,대분류,소분류,내용,금액,화폐,결제수단,메모\n".to_owned();
        for (time, amount) in rows {
            text.push_str(&format!("2026-02-04,{time},지출,카페/간식,커피,스타벅스,-{amount},KRW,카드,\n"));
        }
        text
    };
    let none = BTreeMap::new();
    bring(ledger, &file(&[("09:10", "4500")]), &none).await;
    assert_eq!(effects(ledger, &file(&[("14:30", "5000")])).await, ["new"]);
    assert_eq!(effects(ledger, &file(&[("09:10", "5000")])).await, ["changed"]);
    assert_eq!(effects(ledger, &file(&[("14:30", "5000"), ("09:10", "4700")])).await, ["new", "changed"]);
    bring(ledger, &file(&[("14:30", "5000"), ("09:10", "4700")]), &none).await;
    assert_eq!(spent(ledger).await, 9_700);
}

/// A purchase typed on the phone is not counted again when the card's file is imported; a second equal purchase is.
async fn a_typed_line_and_its_row_are_one(ground: Ground) {
    let ledger = &ground.ledger;
    let at = grounds::month("2026.02");
    let coffee = line("2026-02-04", Kind::LivingExpense, "식비", "커피", 4500);
    let typed = add_line(ledger, "bob", coffee).await.unwrap();
    let card = file(&["2026-02-04,스타벅스,4500", "2026-02-04,스타벅스,4500", "2026-02-05,스타벅스,4500"]);
    let seen = look(ledger, &card, &BTreeMap::new()).await;
    assert!(matches!(&seen.rows[0].status, RowStatus::Entered(line) if line.line_id == typed.line_id));
    assert_eq!(effects(ledger, &card).await, ["entered", "new", "new"]);
    // A person may say that it is another purchase: then the typed line is the second row's.
    let anyway: BTreeMap<usize, Choice> = [(2, Choice { anyway: true, ..Choice::default() })].into();
    let seen = look(ledger, &card, &anyway).await;
    assert_eq!(seen.rows[0].status, RowStatus::New);
    assert!(matches!(seen.rows[0].usual.as_deref(), Some(RowStatus::Entered(_))));
    assert!(matches!(seen.rows[1].status, RowStatus::Entered(_)));
    let done = bring(ledger, &card, &BTreeMap::new()).await;
    assert_eq!((done.rows, done.added, spent(ledger).await), (3, 2, 13_500));
    // The line keeps its category and text, and is not the line of another row any more.
    let find = |lines: Vec<Line>| lines.into_iter().find(|line| line.line_id == typed.line_id).unwrap();
    let linked = find(lines_of_month(ledger, at).await.unwrap());
    assert_eq!((&*linked.text, &*linked.by, linked.amount), ("커피", "bob", 4500));
    assert_eq!(effects(ledger, &card).await, ["duplicate"; 3]);
    assert_eq!(effects(ledger, &file(&["2026-02-04,다른 카페,4500"])).await, ["new"]);
    // Undoing the import frees it.
    undo_import(ledger, "ann", &done.import_id).await.unwrap();
    assert_eq!((spent(ledger).await, effects(ledger, &card).await[0]), (4500, "entered"));
    delete_line(ledger, "bob", at, &typed.line_id).await.unwrap();
    assert_eq!(effects(ledger, &card).await, ["new"; 3]);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// The rent that a rule enters is paid some days later, after a holiday, and even in the next month.
async fn a_rule_and_its_row_are_one(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-01-31");
    let rent = Rule {
        rule_id: String::new(),
        subject: subject(Kind::FixedExpense, "주거"),
        text: "월세".to_owned(),
        amount: 800_000,
        day: 31,
        yearly: None,
        from: grounds::month("2026.01"),
        until: None,
        by: String::new(),
        done_through: None,
    };
    set_rule(ledger, "ann", rent).await.unwrap();
    assert_eq!(run_rules(ledger).await.unwrap().entered, 1);
    let bank = file(&["2026-02-02,집주인,800000", "2026-02-10,집주인,800000"]);
    assert_eq!(effects(ledger, &bank).await, ["entered", "new"]);
    let done = bring(ledger, &bank, &BTreeMap::new()).await;
    assert_eq!((done.added, spent(ledger).await), (1, 800_000));
    assert_eq!(month(ledger, grounds::month("2026.01")).await.unwrap().totals.total_expense, 800_000);
    assert_eq!(effects(ledger, &bank).await, ["duplicate"; 2]);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}
