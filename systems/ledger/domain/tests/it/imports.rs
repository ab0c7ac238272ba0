//! Importing files of banks and cards.

use std::collections::BTreeMap;

use hansang_ledger::import::{
    Choice, Ignored, ImportView, NewImport, Preview, RowStatus, Table, imports, mapping_of, preview, read,
    start, undo_import,
};
use hansang_ledger::{
    CodeType, Kind, Ledger, LedgerCode, LineChange, ListChange, ListName, change_line, change_list,
    lines_of_month, month, replace_codes,
};

use crate::checker::check;
use crate::grounds::{self, Ground, on_each_store, subject};

on_each_store!(
    banksalad_needs_no_mapping,
    duplicates_count_occurrences,
    equal_rows_may_have_different_categories,
    another_card_is_another_purchase,
    left_out_rows_can_be_imported_anyway,
    transfers_are_learned,
    a_changed_mapping_makes_no_duplicates,
    entries_of_another_program_are_imported_into,
    corrections_are_learned,
    one_import_is_one_undo,
    who_undid_an_import_is_known,
    a_changed_row_moves_where_a_person_wants_it,
    refused_rows_stop_an_import,
);

const BANKSALAD: &str = "\
날짜,시간,타입,대분류,소분류,내용,금액,화폐,결제수단,메모
2026-02-04,09:10,지출,카페/간식,커피,스타벅스,-4500,KRW,카드,
2026-02-05,12:00,지출,교통,택시,카카오T,\"-12,300\",KRW,카드,
2026-02-10,00:00,수입,급여,월급,회사,3000000,KRW,통장,
2026-02-11,00:00,이체,이체,내계좌이체,적금,-500000,KRW,통장,
2026-02-12,10:00,지출,카페/간식,커피,스타벅스,4500,KRW,카드,환불
";

async fn look(ledger: &Ledger, table: &Table, choices: &BTreeMap<usize, Choice>) -> Preview {
    let (_, mapping) = mapping_of(ledger, table, None, None).await.unwrap();
    preview(ledger, "card", table, &mapping, choices).await.unwrap()
}

/// Imports a file.
pub(crate) async fn bring(ledger: &Ledger, text: &str) -> Result<ImportView, hansang_core::Error> {
    bring_with(ledger, text, &BTreeMap::new()).await
}

async fn bring_with(
    ledger: &Ledger,
    text: &str,
    choices: &BTreeMap<usize, Choice>,
) -> Result<ImportView, hansang_core::Error> {
    bring_from(ledger, "card", text, choices).await
}

async fn bring_from(
    ledger: &Ledger,
    profile: &str,
    text: &str,
    choices: &BTreeMap<usize, Choice>,
) -> Result<ImportView, hansang_core::Error> {
    let table = read(text.as_bytes())?;
    let (_, mapping) = mapping_of(ledger, &table, Some(profile), None).await?;
    let new = NewImport { file: "file.csv", profile, table: &table, mapping: &mapping, choices };
    start(ledger, "ann", new).await
}

fn statuses(preview: &Preview) -> Vec<&'static str> {
    let name = |status: &RowStatus| match status {
        RowStatus::New => "new",
        RowStatus::Duplicate => "duplicate",
        RowStatus::Changed(_) => "changed",
        RowStatus::Entered(_) => "entered",
        RowStatus::Ignored(_) => "ignored",
        RowStatus::Refused(_) => "refused",
    };
    preview.rows.iter().map(|row| name(&row.status)).collect()
}

/// Banksalad's export: spending, a refund, income, and a transfer that is neither.
async fn banksalad_needs_no_mapping(ground: Ground) {
    let ledger = &ground.ledger;
    let table = read(BANKSALAD.as_bytes()).unwrap();
    let seen = look(ledger, &table, &BTreeMap::new()).await;
    assert_eq!(statuses(&seen), ["new", "new", "new", "ignored", "new"]);
    assert_eq!(seen.rows[3].status, RowStatus::Ignored(Ignored::Transfer));
    assert_eq!(seen.rows[0].subject, Some(subject(Kind::LivingExpense, "식비")));
    assert_eq!(
        (seen.rows[1].amount, seen.rows[1].subject.clone()),
        (12_300, Some(subject(Kind::LivingExpense, "교통비")))
    );
    assert_eq!(seen.rows[2].subject, Some(subject(Kind::Income, "배우자1/월급")));
    let done = bring(ledger, BANKSALAD).await.unwrap();
    assert_eq!((&*done.status, done.rows, done.added), ("done", 4, 4));
    let view = month(ledger, grounds::month("2026.02")).await.unwrap();
    assert_eq!((view.totals.total_income, view.totals.total_expense), (3_000_000, 12_300));
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// The same file adds nothing; equal rows are counted; an overlapping file adds what is new.
async fn duplicates_count_occurrences(ground: Ground) {
    let ledger = &ground.ledger;
    let first = "이용내역 조회\n\n이용일,가맹점명,이용금액,취소여부\n26.02.04,커피,\"4,500원\",\n26.02.04,커피,\"4,500원\",\n2026년 02월 05일,마트,30000,\n26.02.06,책방,9000,취소\n26.02.07,옷,20000,\n26.02.07,옷,20000,취소\n,합계,83500,\n";
    let done = bring(ledger, first).await.unwrap();
    assert_eq!(done.added, 5, "a payment that was cancelled is left out, a refund is not");
    let spent = async || month(ledger, grounds::month("2026.02")).await.unwrap().totals.total_expense;
    assert_eq!(spent().await, 39_000);
    assert_eq!(bring(ledger, first).await.unwrap().added, 0);
    let more = "이용일,가맹점명,이용금액,취소여부\n26.02.04,커피,\"4,500원\",\n26.02.04,커피,\"4,500원\",\n26.02.04,커피,\"4,500원\",\n26.02.08,약국,5000,\n";
    let table = read(more.as_bytes()).unwrap();
    assert_eq!(
        statuses(&look(ledger, &table, &BTreeMap::new()).await),
        ["duplicate", "duplicate", "new", "new"]
    );
    assert_eq!(bring(ledger, more).await.unwrap().added, 2);
    assert_eq!(spent().await, 48_500);
    // The bank corrected an amount.
    let changed = "이용일,가맹점명,이용금액,취소여부\n26.02.08,약국,5500,\n";
    let table = read(changed.as_bytes()).unwrap();
    assert_eq!(statuses(&look(ledger, &table, &BTreeMap::new()).await), ["changed"]);
    bring(ledger, changed).await.unwrap();
    assert_eq!(spent().await, 49_000);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// Two equal rows are two lines, also if the second one gets a category that is applied before that of the first.
async fn equal_rows_may_have_different_categories(ground: Ground) {
    let ledger = &ground.ledger;
    let file = "날짜,내용,금액\n2026-02-04,커피,4500\n2026-02-04,커피,4500\n";
    let culture = subject(Kind::FixedExpense, "구독");
    let choices = [(3, Choice { subject: Some(culture.clone()), ..Choice::default() })].into();
    assert_eq!(bring_with(ledger, file, &choices).await.unwrap().added, 2);
    let view = month(ledger, grounds::month("2026.02")).await.unwrap();
    let amounts: Vec<_> = view.entries.iter().map(|entry| (entry.subject.clone(), entry.amount)).collect();
    assert_eq!(amounts, [(culture, 4500), (subject(Kind::LivingExpense, "식비"), 4500)]);
    assert_eq!(bring(ledger, file).await.unwrap().added, 0);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// Two cards of a couple: another amount at the same shop on the same day is another purchase, and equal rows can be
/// imported as new ones.
async fn another_card_is_another_purchase(ground: Ground) {
    let ledger = &ground.ledger;
    let (mine, yours) =
        ("날짜,내용,금액\n2026-02-04,마트,30000\n", "날짜,내용,금액\n2026-02-04,마트,12000\n");
    let none = BTreeMap::new();
    let spent = async || month(ledger, grounds::month("2026.02")).await.unwrap().totals.total_expense;
    bring_from(ledger, "ann", mine, &none).await.unwrap();
    bring_from(ledger, "bob", yours, &none).await.unwrap();
    assert_eq!(spent().await, 42_000);
    // The same source has corrected its amount; a person may say that it is a new purchase.
    let corrected = "날짜,내용,금액\n2026-02-04,마트,31000\n";
    let table = read(corrected.as_bytes()).unwrap();
    let (_, mapping) = mapping_of(ledger, &table, None, None).await.unwrap();
    let seen = preview(ledger, "ann", &table, &mapping, &none).await.unwrap();
    assert_eq!(statuses(&seen), ["changed"]);
    let anyway: BTreeMap<usize, Choice> = [(2, Choice { anyway: true, ..Choice::default() })].into();
    let seen = preview(ledger, "ann", &table, &mapping, &anyway).await.unwrap();
    assert_eq!(statuses(&seen), ["new"]);
    assert!(matches!(seen.rows[0].usual.as_deref(), Some(RowStatus::Changed(line)) if line.amount == 30_000));
    bring_from(ledger, "ann", corrected, &anyway).await.unwrap();
    assert_eq!(spent().await, 73_000);
    // Both paid the same amount at the same shop; the second row of the file is new by itself.
    let twice = "날짜,내용,금액\n2026-02-04,마트,30000\n2026-02-04,마트,30000\n2026-02-04,마트,12000\n";
    assert_eq!(bring_from(ledger, "bob", twice, &anyway).await.unwrap().added, 2);
    assert_eq!(spent().await, 133_000);
    assert_eq!(bring_from(ledger, "bob", twice, &none).await.unwrap().added, 0);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// Transfers, cancelled payments and rows of nothing are left out, unless a person says otherwise.
async fn left_out_rows_can_be_imported_anyway(ground: Ground) {
    let ledger = &ground.ledger;
    let file = "날짜,타입,대분류,내용,금액,취소여부\n\
        2026-02-01,이체,내계좌이체,적금통장,500000,\n\
        2026-02-02,지출,기타,책방,9000,취소\n\
        2026-02-03,지출,기타,무료,0,\n\
        2026-02-04,이체,카드대금,현대카드,300000,\n";
    let table = read(file.as_bytes()).unwrap();
    let seen = look(ledger, &table, &BTreeMap::new()).await;
    let reasons = [Ignored::Transfer, Ignored::Cancelled, Ignored::Zero, Ignored::CardBill];
    assert_eq!(
        seen.rows.iter().map(|row| row.status.clone()).collect::<Vec<_>>(),
        reasons.map(RowStatus::Ignored)
    );
    let savings = subject(Kind::Savings, "적금1");
    let anyway = Choice { anyway: true, ..Choice::default() };
    let choices: BTreeMap<usize, Choice> = [
        (2, Choice { subject: Some(savings.clone()), ..Choice::default() }),
        (3, anyway.clone()),
        (4, anyway.clone()),
        (5, anyway),
    ]
    .into();
    assert_eq!(statuses(&look(ledger, &table, &choices).await), ["new"; 4]);
    assert_eq!(bring_with(ledger, file, &choices).await.unwrap().added, 4);
    let view = month(ledger, grounds::month("2026.02")).await.unwrap();
    assert_eq!((view.totals.total_savings, view.totals.total_expense), (500_000, 309_000));
    assert_eq!(bring_with(ledger, file, &BTreeMap::new()).await.unwrap().added, 0);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// Money that goes to another bank is spending, until a person says that it never is; the bill of a card is not, because
/// its own file has the purchases. Both are learned.
async fn transfers_are_learned(ground: Ground) {
    let ledger = &ground.ledger;
    let file = |at: &str| {
        format!(
            "거래일,구분,적요,출금,입금\n{at}-01,타행이체,집주인,800000,\n{at}-02,타행이체,내 통장,500000,\n\
             {at}-03,이체,모임통장,100000,\n{at}-04,출금,삼성카드(주),420000,\n{at}-05,체크카드,마트 취소,,9000\n"
        )
    };
    let first = file("2026-02");
    let table = read(first.as_bytes()).unwrap();
    let seen = look(ledger, &table, &BTreeMap::new()).await;
    assert_eq!(statuses(&seen), ["new", "new", "ignored", "ignored", "new"]);
    assert_eq!(seen.rows[3].status, RowStatus::Ignored(Ignored::CardBill));
    assert_eq!(
        (seen.rows[4].amount, seen.rows[4].subject.as_ref().unwrap().kind),
        (-9000, Kind::LivingExpense)
    );
    let rent = subject(Kind::FixedExpense, "주거");
    let choices: BTreeMap<usize, Choice> = [
        (2, Choice { subject: Some(rent.clone()), ..Choice::default() }),
        (3, Choice { never: true, ..Choice::default() }),
        (4, Choice { anyway: true, ..Choice::default() }),
    ]
    .into();
    assert_eq!(bring_with(ledger, &first, &choices).await.unwrap().added, 3);
    let next = file("2026-03");
    let table = read(next.as_bytes()).unwrap();
    let seen = look(ledger, &table, &BTreeMap::new()).await;
    assert_eq!(statuses(&seen), ["new", "ignored", "new", "ignored", "new"]);
    assert_eq!(
        (&seen.rows[0].subject, &seen.rows[1].status),
        (&Some(rent), &RowStatus::Ignored(Ignored::Never))
    );
    // Choosing an entry for it takes the decision back.
    let gift = subject(Kind::LivingExpense, "기타");
    let choices = [(3, Choice { subject: Some(gift.clone()), ..Choice::default() })].into();
    bring_with(ledger, &next, &choices).await.unwrap();
    let table = read(file("2026-04").as_bytes()).unwrap();
    assert_eq!(look(ledger, &table, &BTreeMap::new()).await.rows[1].subject, Some(gift));
}

/// A row stays the same row, however its columns are read.
async fn a_changed_mapping_makes_no_duplicates(ground: Ground) {
    let ledger = &ground.ledger;
    let file = "카드 이용내역,,,,\n날짜,내용,금액,적립,메모\n2026-02-04,마트,30000,300,장보기\n2026-02-05,약국,5000,50,감기\n";
    let table = read(file.as_bytes()).unwrap();
    let (_, mapping) = mapping_of(ledger, &table, None, None).await.unwrap();
    let choices = BTreeMap::new();
    let new = NewImport { file: "a.csv", profile: "a", table: &table, mapping: &mapping, choices: &choices };
    assert_eq!(start(ledger, "ann", new).await.unwrap().added, 2);
    let mut other = mapping.clone();
    (other.columns.amount, other.columns.text) = (Some(3), Some(4));
    let mut later = mapping.clone();
    later.header = 3;
    for mapping in [&other, &later, &mapping] {
        for profile in ["a", "b"] {
            let new = NewImport { mapping, profile, ..new };
            assert_eq!(start(ledger, "ann", new).await.unwrap().added, 0, "{mapping:?}");
        }
    }
    assert_eq!(month(ledger, grounds::month("2026.02")).await.unwrap().totals.total_expense, 35_000);
}

/// Entries without lines take a line each before they take imported ones, and all of it fits into transactions.
async fn entries_of_another_program_are_imported_into(ground: Ground) {
    let ledger = &ground.ledger;
    let names: Vec<String> = (0..60).map(|number| format!("분류{number}")).collect();
    replace_codes(ledger, "ann", CodeType::LivingExpenseCategory, names.clone()).await.unwrap();
    let mut file = "날짜,내용,금액,카테고리\n".to_owned();
    for name in &names {
        let fields =
            [("yearMonth", "2026.02".into()), ("category", name.as_str().into()), ("amount", 7.into())];
        let fields = fields.map(|(name, value): (&str, hansang_core::Value)| (name.into(), value)).into();
        ledger.db.put("LivingExpense", fields, None).await.unwrap();
        file.push_str(&format!("2026-02-04,가게,1000,{name}\n"));
    }
    assert_eq!(bring(ledger, &file).await.unwrap().added, 60);
    assert_eq!(month(ledger, grounds::month("2026.02")).await.unwrap().totals.total_expense, 60 * 1007);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// A chosen category is remembered for the merchant, and a source is recognised by its header.
async fn corrections_are_learned(ground: Ground) {
    let ledger = &ground.ledger;
    let first = "일자,적요,출금,입금\n2026-02-01,행복상회 001,10000,\n2026-02-02,용돈,,50000\n";
    let clothes = subject(Kind::LivingExpense, "문화생활");
    let choices = [(2, Choice { subject: Some(clothes.clone()), ..Choice::default() })].into();
    bring_with(ledger, first, &choices).await.unwrap();
    let table = read("일자,적요,출금,입금\n2026-03-01,행복상회 002,7000,\n".as_bytes()).unwrap();
    let (profile, _) = mapping_of(ledger, &table, None, None).await.unwrap();
    assert_eq!(profile.as_deref(), Some("card"));
    assert_eq!(look(ledger, &table, &BTreeMap::new()).await.rows[0].subject, Some(clothes));
    let view = month(ledger, grounds::month("2026.02")).await.unwrap();
    assert_eq!((view.totals.total_income, view.totals.total_expense), (50_000, 10_000));
    // A category that was removed since is not chosen any more.
    let gone = ListChange::Remove("문화생활".to_owned());
    let list = ListName::Codes(CodeType::LivingExpenseCategory);
    change_list(ledger, "ann", &list, &gone).await.unwrap();
    let other = subject(Kind::LivingExpense, "기타");
    assert_eq!(look(ledger, &table, &BTreeMap::new()).await.rows[0].subject, Some(other));
}

/// Undoing an import removes its lines and frees its rows, unless a line was changed later.
async fn one_import_is_one_undo(ground: Ground) {
    let ledger = &ground.ledger;
    let mut file = "날짜,내용,금액\n".to_owned();
    for day in 1..=28 {
        for number in 0..4 {
            file.push_str(&format!("2026-0{}-{day:02},가게 {number},{}\n", 1 + number % 3, 1000 + number));
        }
    }
    let done = bring(ledger, &file).await.unwrap();
    assert_eq!((done.rows, done.added), (112, 112));
    let total = async |at: &str| month(ledger, grounds::month(at)).await.unwrap().totals.total_expense;
    assert_eq!(total("2026.02").await, 28 * 1001);
    assert_eq!(check(ledger).await, Vec::<String>::new());
    let at = grounds::month("2026.02");
    let line = lines_of_month(ledger, at).await.unwrap().remove(0);
    let change = LineChange { amount: Some(5), ..LineChange::default() };
    change_line(ledger, "bob", at, &line.line_id, change).await.unwrap();
    let error = undo_import(ledger, "ann", &done.import_id).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::UndoBlocked);
    assert_eq!(imports(ledger).await.unwrap()[0].status, "done");
    let changed = hansang_ledger::history(ledger, None, None).await.unwrap().changes[0].seq;
    hansang_ledger::undo(ledger, "bob", changed).await.unwrap();
    let error = undo_import(ledger, "ann", &done.import_id).await;
    assert_eq!(error.unwrap().status, "undone");
    assert_eq!((total("2026.01").await, total("2026.02").await), (0, 0));
    assert_eq!(check(ledger).await, Vec::<String>::new());
    assert_eq!(bring(ledger, &file).await.unwrap().added, 112);
    assert_eq!(total("2026.02").await, 28 * 1001);
}

/// Who imported a file and who undid it stay known, also after the process died in between.
async fn who_undid_an_import_is_known(ground: Ground) {
    let ledger = &ground.ledger;
    let file = "날짜,내용,금액\n2026-02-04,커피,4500\n";
    let done = bring(ledger, file).await.unwrap();
    let undone = undo_import(ledger, "bob", &done.import_id).await.unwrap();
    assert_eq!((&*undone.by, undone.undone_by.as_deref()), ("ann", Some("bob")));
    let last = hansang_ledger::history(ledger, None, None).await.unwrap().changes.remove(0);
    assert_eq!((&*last.action, &*last.by), ("import.undo", "bob"));
}

/// The category that a person chooses for a row whose amount has changed moves its line; otherwise it stays.
async fn a_changed_row_moves_where_a_person_wants_it(ground: Ground) {
    let ledger = &ground.ledger;
    let at = grounds::month("2026.02");
    let rent = subject(Kind::FixedExpense, "주거");
    bring(ledger, "날짜,내용,금액\n2026-02-04,약국,5000\n").await.unwrap();
    let line = lines_of_month(ledger, at).await.unwrap().remove(0);
    let other = subject(Kind::LivingExpense, "기타");
    let change = LineChange { subject: Some(other.clone()), ..LineChange::default() };
    change_line(ledger, "ann", at, &line.line_id, change).await.unwrap();
    let entries = async || {
        let view = month(ledger, at).await.unwrap();
        view.entries.into_iter().map(|entry| (entry.subject, entry.amount)).collect::<Vec<_>>()
    };
    let file = "날짜,내용,금액\n2026-02-04,약국,5500\n";
    let table = read(file.as_bytes()).unwrap();
    let seen = look(ledger, &table, &BTreeMap::new()).await;
    assert_eq!((statuses(&seen), seen.rows[0].subject.as_ref()), (vec!["changed"], Some(&other)));
    bring(ledger, file).await.unwrap();
    assert_eq!(entries().await, [(other.clone(), 5500)]);
    let choices = [(2, Choice { subject: Some(rent.clone()), ..Choice::default() })].into();
    let moved = bring_with(ledger, "날짜,내용,금액\n2026-02-04,약국,6000\n", &choices).await.unwrap();
    assert_eq!((moved.added, entries().await), (1, vec![(rent, 6000)]));
    undo_import(ledger, "ann", &moved.import_id).await.unwrap();
    assert_eq!(entries().await, [(other, 5500)]);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// A row that cannot be read stops the import at its line, and nothing is written.
async fn refused_rows_stop_an_import(ground: Ground) {
    let ledger = &ground.ledger;
    let file = "날짜,내용,금액\n2026-02-01,커피,4500\n2026-13-01,커피,4500\n2026-02-03,커피,4.5\n";
    let error = bring(ledger, file).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::ImportRefused);
    let text = error.message.to_string();
    assert!(text.contains("line 3") && text.contains("line 4"), "{text}");
    assert!(lines_of_month(ledger, grounds::month("2026.02")).await.unwrap().is_empty());
    assert!(imports(ledger).await.unwrap().is_empty());
    let exclude = Choice { exclude: true, ..Choice::default() };
    let choices = [(3, exclude.clone()), (4, exclude)].into();
    assert_eq!(bring_with(ledger, file, &choices).await.unwrap().added, 1);
    let error = bring(ledger, "a,b\n1,2\n").await.unwrap_err();
    assert_eq!(error.code, LedgerCode::MappingInvalid);
}
