//! Files as banks make them: workbooks, HTML called .xls, old encodings; and files that are not tables.

use std::io::{Read as _, Write as _};

use hansang_ledger::LedgerCode;
use hansang_ledger::import::{
    NewImport, RowStatus, Table, apply, change_upload, forget_uploads, import_of, imports, keep_upload,
    mapping_of, preview, read, resume_imports, stage, upload_of, uploaded,
};
use hansang_ledger::{Kind, Ledger, lines_of_month, month};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};

use crate::checker::check;
use crate::grounds::{self, Ground, on_each_store, subject};

on_each_store!(
    workbooks_are_read,
    text_in_every_encoding_is_read,
    bad_files_write_nothing,
    an_interrupted_import_is_resumed,
    uploads_are_kept_for_a_day,
);

/// A workbook of an old Excel, with dates as numbers, dates as text, titles above the header and a sum below.
/// Made by xlwt, which is not part of the tests.
const CARD: &[u8] = include_bytes!("files/card.xls");

/// Banksalad's export: the transactions are on the second sheet.
fn banksalad() -> Vec<u8> {
    let mut book = Workbook::new();
    let first = book.add_worksheet().set_name("뱅샐현황").unwrap();
    for row in 0..20 {
        first.write_string(row, 0, "자산 현황").unwrap();
    }
    let sheet = book.add_worksheet().set_name("가계부 내역").unwrap();
    let titles = ["날짜", "시간", "타입", "대분류", "소분류", "내용", "금액", "화폐", "결제수단", "메모"];
    for (column, title) in titles.iter().enumerate() {
        sheet.write_string(0, u16::try_from(column).unwrap(), *title).unwrap();
    }
    let date = Format::new().set_num_format("yyyy-mm-dd");
    let rows = [
        (4, "지출", "카페/간식", "스타벅스", -4500),
        (5, "지출", "교통", "카카오T", -12_300),
        (10, "수입", "급여", "회사", 3_000_000),
        (11, "이체", "내계좌이체", "적금", -500_000),
    ];
    for (row, (day, kind, category, text, amount)) in (1..).zip(rows) {
        let at = ExcelDateTime::from_ymd(2026, 2, day).unwrap();
        sheet.write_datetime_with_format(row, 0, &at, &date).unwrap();
        sheet.write_string(row, 2, kind).unwrap();
        sheet.write_string(row, 3, category).unwrap();
        sheet.write_string(row, 5, text).unwrap();
        sheet.write_number(row, 6, amount).unwrap();
    }
    book.save_to_buffer().unwrap()
}

async fn effects(ledger: &Ledger, table: &Table) -> Vec<(String, i64, &'static str)> {
    let (_, mapping) = mapping_of(ledger, table, None, None).await.unwrap();
    let seen = preview(ledger, "file", table, &mapping, &Default::default()).await.unwrap();
    let effect = |status: &RowStatus| match status {
        RowStatus::New => "new",
        RowStatus::Ignored(_) => "ignored",
        _ => "other",
    };
    seen.rows.iter().map(|row| (row.text.clone(), row.amount, effect(&row.status))).collect()
}

fn row(text: &str, amount: i64, effect: &'static str) -> (String, i64, &'static str) {
    (text.to_owned(), amount, effect)
}

async fn workbooks_are_read(ground: Ground) {
    let ledger = &ground.ledger;
    let table = read(&banksalad()).unwrap();
    assert_eq!(
        effects(ledger, &table).await,
        [
            row("스타벅스", 4500, "new"),
            row("카카오T", 12_300, "new"),
            row("회사", 3_000_000, "new"),
            row("적금", 500_000, "ignored")
        ]
    );
    let table = read(CARD).unwrap();
    assert_eq!(
        effects(ledger, &table).await,
        [
            row("스타벅스", 4500, "new"),
            row("카카오T", 12_300, "new"),
            row("책방", 9000, "ignored"),
            row("합계", 0, "ignored")
        ]
    );
    assert_eq!(table.rows[2].1[0], "이용일");
    assert!(table.rows[3].1[0].starts_with("2026-02-04"), "{:?}", table.rows[3]);
    let html = "<html><head><meta charset=euc-kr></head><body><table><tr><td colspan=3>이용내역</td></tr>\
        <tr><th>이용일자</th><th>가맹점명</th><th>이용금액</th></tr>\
        <tr><td>2026.02.04</td><td>스타벅스</td><td>4,500</td></tr></table></body></html>";
    let (bytes, ..) = encoding_rs::EUC_KR.encode(html);
    assert_eq!(effects(ledger, &read(&bytes).unwrap()).await, [row("스타벅스", 4500, "new")]);
}

async fn text_in_every_encoding_is_read(ground: Ground) {
    let text = "거래일시\t적요\t출금\t입금\r\n2026-02-04 10:11\t스타벅스\t4,500\t0\r\n2026-02-05\t급여 회사\t0\t3,000,000\r\n";
    let wide = |bytes: fn(u16) -> [u8; 2], mark: &[u8]| {
        [mark, &text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()].concat()
    };
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        encoding_rs::EUC_KR.encode(text).0.into_owned(),
        wide(u16::to_le_bytes, b"\xFF\xFE"),
        wide(u16::to_be_bytes, b"\xFE\xFF"),
    ] {
        let found = effects(&ground.ledger, &read(&bytes).unwrap()).await;
        assert_eq!(found, [row("스타벅스", 4500, "new"), row("급여 회사", 3_000_000, "new")]);
    }
}

/// A small archive that unpacks to half a gigabyte.
fn zip_bomb() -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("xl/worksheets/sheet1.xml", zip::write::SimpleFileOptions::default()).unwrap();
    let zeros = vec![0; 1024 * 1024];
    for _ in 0..512 {
        archive.write_all(&zeros).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A workbook whose cells all name one long text, and one that says that it has more texts than there is memory for.
fn text_bombs() -> [Vec<u8>; 2] {
    let long = "가".repeat(32_000);
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for row in 0..100 {
        for column in 0..40 {
            sheet.write_string(row, column, &long).unwrap();
        }
    }
    let small = banksalad();
    let mut from = zip::ZipArchive::new(std::io::Cursor::new(&small)).unwrap();
    let mut to = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for index in 0..from.len() {
        let mut part = from.by_index(index).unwrap();
        let mut text = String::new();
        part.read_to_string(&mut text).unwrap();
        let (before, behind) = text.split_once("uniqueCount=\"").unwrap_or((&text, ""));
        let behind = behind.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = match behind {
            "" => text.clone(),
            behind => format!("{before}uniqueCount=\"70000000000{behind}"),
        };
        let name = part.name().unwrap().into_owned();
        to.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        to.write_all(text.as_bytes()).unwrap();
    }
    [book.save_to_buffer().unwrap(), to.finish().unwrap().into_inner()]
}

/// Every bad file has a message of its own, and leaves nothing behind.
async fn bad_files_write_nothing(ground: Ground) {
    let ledger = &ground.ledger;
    let good = banksalad();
    let bomb = zip_bomb();
    assert!(bomb.len() < 1024 * 1024, "{}", bomb.len());
    let [texts, count] = text_bombs();
    assert!(texts.len() < 1024 * 1024, "{}", texts.len());
    for (name, bytes, code) in [
        ("bomb.xlsx", bomb, LedgerCode::FileTooLarge),
        ("texts.xlsx", texts, LedgerCode::FileTooLarge),
        ("count.xlsx", count, LedgerCode::FileTooLarge),
        ("half.xlsx", good[..good.len() / 2].to_vec(), LedgerCode::FileInvalid),
        ("half.xls", CARD[..CARD.len() / 2].to_vec(), LedgerCode::FileInvalid),
        ("half.csv", "날짜,금액\n2026-02-04,\"4".into(), LedgerCode::FileInvalid),
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\xff\xfe\xfd".to_vec(), LedgerCode::FileInvalid),
    ] {
        let error = keep_upload(ledger, "ann", name, bytes).await.unwrap_err();
        assert_eq!(error.code, code, "{name}: {error}");
    }
    // Columns that no source has: kept for a person to choose, but nothing can be imported.
    let upload = keep_upload(ledger, "ann", "a.csv", b"a,b\n1,2\n".to_vec()).await.unwrap();
    assert_eq!(upload.mapping, None);
    let table = uploaded(ledger, &upload).await.unwrap();
    assert_eq!(upload.preview(ledger, &table).await.unwrap_err().code, LedgerCode::MappingInvalid);
    assert!(imports(ledger).await.unwrap().is_empty());
    assert!(lines_of_month(ledger, grounds::month("2026.02")).await.unwrap().is_empty());
}

/// Half of an import is applied, then the process dies: the next sweep completes it, once.
async fn an_interrupted_import_is_resumed(ground: Ground) {
    let ledger = &ground.ledger;
    let mut file = "날짜,내용,금액\n".to_owned();
    for number in 0..400 {
        file.push_str(&format!("2026-02-{:02},가게 {number},1000\n", number % 28 + 1));
    }
    let upload = keep_upload(ledger, "ann", "bank.csv", file.into_bytes()).await.unwrap();
    let table = uploaded(ledger, &upload).await.unwrap();
    let (mapping, choices) = (upload.mapping.clone().unwrap(), Default::default());
    let new =
        NewImport { file: "bank.csv", profile: "bank", table: &table, mapping: &mapping, choices: &choices };
    let staged = stage(ledger, "ann", &upload.upload_id, new).await.unwrap();
    assert_eq!((&*staged.status, staged.rows), ("applying", 400));
    let half = apply(ledger, &upload.upload_id, 3).await.unwrap();
    assert!((1..400).contains(&half.applied), "{half:?}");
    // Staging the same file again does not begin anew.
    let again = stage(ledger, "ann", &upload.upload_id, new).await.unwrap();
    assert_eq!(again.applied, half.applied);
    let other = Ledger::new(ledger.db.clone());
    resume_imports(&other).await.unwrap();
    let done = import_of(ledger, &upload.upload_id).await.unwrap();
    assert_eq!((&*done.status, done.applied, done.added), ("done", 400, 400));
    assert_eq!(month(ledger, grounds::month("2026.02")).await.unwrap().totals.total_expense, 400_000);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// A file of several parts comes back as it was, with its decisions, and is deleted after a day.
async fn uploads_are_kept_for_a_day(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-02-10");
    let mut file = "날짜,내용,금액\n".to_owned();
    for number in 0..20_000 {
        file.push_str(&format!("2026-02-04,가게 {number:020},1000\n"));
    }
    let mut upload = keep_upload(ledger, "ann", "bank.csv", file.clone().into_bytes()).await.unwrap();
    assert_eq!(uploaded(ledger, &upload).await.unwrap(), read(file.as_bytes()).unwrap());
    let choice = hansang_ledger::import::Choice {
        subject: Some(subject(Kind::LivingExpense, "식비")),
        ..Default::default()
    };
    upload.choices.insert(2, choice);
    change_upload(ledger, &upload).await.unwrap();
    assert_eq!(upload_of(ledger, &upload.upload_id).await.unwrap(), upload);
    forget_uploads(ledger).await.unwrap();
    assert!(upload_of(ledger, &upload.upload_id).await.is_ok());
    ground.set_date("2026-02-12");
    forget_uploads(ledger).await.unwrap();
    assert!(upload_of(ledger, &upload.upload_id).await.is_err());
    assert!(uploaded(ledger, &upload).await.is_err());
}
