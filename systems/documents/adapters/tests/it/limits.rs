//! Bad files, and limits: an error that says what is wrong, and a parent that goes on.

use hansang_core::message::Language;
use hansang_documents_adapters::fixtures::{
    PdfPage, cut, docx, encrypted_pdf, hwp, lying_zip, pdf, pdf_bomb, picture, recursive_pdf, zip_bomb,
};
use hansang_documents_adapters::{Format, Limits, Options, Trouble, extract_in_child};

use crate::grounds::{Ground, reader};

fn refused(content: &[u8]) -> Trouble {
    let ground = Ground::new(content);
    ground.read(&ground.options()).unwrap_err()
}

#[test]
fn bad_files_are_refused_with_what_is_wrong() {
    let whole = pdf("a", &[PdfPage::of(&["a"])]);
    let word = docx("a", &[("a", &["b"])], &[]);
    let not = |found: &str| Trouble::NotSupported { found: found.to_owned() };
    let old =
        |format: &str, instead: &str| Trouble::OldFormat { format: format.into(), instead: instead.into() };
    assert_eq!(refused(b""), Trouble::Empty);
    assert_eq!(refused(&cut(&whole, 60)), Trouble::Truncated(Format::Pdf));
    assert_eq!(refused(&encrypted_pdf()), Trouble::Encrypted(Format::Pdf));
    assert_eq!(refused(b"%PDF-1.7\nnothing\nstartxref\n0\n%%EOF\n"), Trouble::Damaged(Format::Pdf));
    assert_eq!(refused(&cut(&word, 60)), Trouble::Truncated(Format::Docx));
    assert_eq!(refused(&cut(&picture(&["a"]), 60)), Trouble::Truncated(Format::Picture));
    assert_eq!(refused(&hwp(&["a"], true)), Trouble::Encrypted(Format::Hwp));
    assert_eq!(
        refused(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0".repeat(9).as_slice()),
        not("application/x-executable")
    );
    assert_eq!(refused(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), not("application/octet-stream"));
    assert_eq!(refused(&compound(&["/WordDocument"])), old("DOC", "DOCX"));
    assert_eq!(refused(&compound(&["/Workbook"])), old("XLS", "XLSX"));
    assert_eq!(
        refused(&compound(&["/EncryptionInfo", "/EncryptedPackage"])),
        Trouble::Encrypted(Format::Docx)
    );
    let broken = zip_of(&[("word/document.xml", "<w:p><w:t>a</w:t")]);
    assert_eq!(refused(&broken), Trouble::Damaged(Format::Docx));
    assert_eq!(refused(&zip_of(&[("a.txt", "a")])), not("application/zip"));
    let text = zip_of(&[("mimetype", "application/vnd.oasis.opendocument.text")]);
    assert_eq!(refused(&text), not("application/vnd.oasis.opendocument.text"));
}

fn compound(streams: &[&str]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).unwrap();
    for stream in streams {
        file.create_stream(stream).unwrap();
    }
    file.into_inner().into_inner()
}

fn zip_of(members: &[(&str, &str)]) -> Vec<u8> {
    use std::io::Write as _;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn packages_may_not_unpack_to_too_much() {
    let limits = Limits { expanded_mb: 8, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    // What the directory says is added up; a member that has more than it says is damaged.
    for (bomb, trouble) in
        [(zip_bomb(10), Trouble::ExpandsTooMuch(8)), (lying_zip(10), Trouble::Damaged(Format::Docx))]
    {
        assert!(bomb.len() < 200_000);
        assert_eq!(Ground::new(&bomb).read(&options).unwrap_err(), trouble);
    }
    assert!(Ground::new(&zip_bomb(5)).read(&options).is_ok());
}

#[test]
fn pictures_and_documents_may_not_be_too_large() {
    let limits = Limits { megapixels: 1, pages: 2, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let trouble = Ground::new(&picture(&["a"])).read(&options).unwrap_err();
    assert_eq!(trouble, Trouble::TooManyPixels(1));
    let three = pdf("", &[PdfPage::of(&["a"]), PdfPage::of(&["b"]), PdfPage::of(&["c"])]);
    assert_eq!(Ground::new(&three).read(&options).unwrap_err(), Trouble::TooManyPages(2));
}

/// A bomb ends the child that reads it, and nothing else.
#[tokio::test]
async fn a_pdf_bomb_ends_its_reader_alone() {
    let limits = Limits { memory_mb: 100, seconds: 120, ..Limits::default() };
    let ground = Ground::new(&pdf_bomb(150));
    let options = Options { limits, ..ground.options() };
    assert_eq!(ground.read_in_child(&options).await.unwrap_err(), Trouble::OutOfMemory(100));

    let good = Ground::new(&pdf("", &[PdfPage::of(&["after the bomb"])]));
    let options = Options { limits, ..good.options() };
    assert_eq!(good.read_in_child(&options).await.unwrap().text(), "after the bomb");
}

#[tokio::test]
async fn a_file_that_takes_too_long_is_given_up() {
    let limits = Limits { seconds: 1, ..Limits::default() };
    let ground = Ground::new(&recursive_pdf());
    let options = Options { limits, ..ground.options() };
    assert_eq!(ground.read_in_child(&options).await.unwrap_err(), Trouble::TooSlow(1));
    // A child that waits uses no time of the processor.
    let mut hanging = extract_in_child(&reader("hang"), &ground.file, &options).unwrap();
    assert_eq!(hanging.next().await.unwrap_err(), Trouble::TooSlow(1));
    assert_eq!(hanging.next().await, Ok(None));
}

#[tokio::test]
async fn a_reader_that_crashes_is_an_error_of_its_file() {
    let ground = Ground::new(b"text");
    for mode in ["abort", "panic", "overflow", "nonsense", "stop", "unknown"] {
        let mut reading = extract_in_child(&reader(mode), &ground.file, &ground.options()).unwrap();
        assert_eq!(reading.next().await.unwrap_err(), Trouble::Crashed, "{mode}");
    }
    let mut missing = reader("read");
    missing.program = "/nowhere/reader".into();
    let trouble = extract_in_child(&missing, &ground.file, &ground.options()).unwrap_err();
    assert_eq!(trouble, Trouble::NotStarted);
    assert!(trouble.may_pass());

    // A child that says a lot does not fill the memory, and is killed when nobody listens.
    let mut flood = extract_in_child(&reader("flood"), &ground.file, &ground.options()).unwrap();
    for _ in 0..100 {
        assert!(flood.next().await.unwrap().is_some());
    }
    drop(flood);
}

/// 3,000 pages whose contents together are far larger than the memory that the reader has.
#[tokio::test]
async fn three_thousand_pages_are_read_in_bounded_memory() {
    let texts: Vec<String> = (0..3000).map(|page| format!("page {page} of the report")).collect();
    let pages: Vec<PdfPage<'_>> =
        texts.iter().map(|text| PdfPage { padding: 300_000, ..PdfPage::of(&[text, "text"]) }).collect();
    let ground = Ground::new(&pdf("long", &pages));
    let limits = Limits { memory_mb: 120, ..Limits::default() };
    let options = Options { image_side: 40, limits, ..ground.options() };
    let mut reading = extract_in_child(&reader("read"), &ground.file, &options).unwrap();
    let mut next = 0;
    while let Some(event) = reading.next().await.unwrap() {
        if let hansang_documents_adapters::Event::Segment(segment) = event {
            assert_eq!(segment.index, next);
            assert_eq!(segment.text, format!("page {next} of the report\ntext"));
            assert!(segment.image.is_some());
            next += 1;
        }
    }
    assert_eq!(next, 3000);
}

/// Every reason has a message in both languages, and a code.
#[test]
fn every_reason_has_its_words() {
    let reasons = [
        Trouble::NotSupported { found: "x/y".into() },
        Trouble::OldFormat { format: "DOC".into(), instead: "DOCX".into() },
        Trouble::Empty,
        Trouble::Truncated(Format::Pdf),
        Trouble::Damaged(Format::Hwp),
        Trouble::Encrypted(Format::Xlsx),
        Trouble::ExpandsTooMuch(1),
        Trouble::TooManyPixels(1),
        Trouble::TooManyPages(1),
        Trouble::OutOfMemory(1),
        Trouble::TooSlow(1),
        Trouble::Crashed,
        Trouble::NotReadable,
        Trouble::NotStarted,
    ];
    let mut codes: Vec<_> = reasons.iter().map(Trouble::code).collect();
    for reason in &reasons {
        let korean = reason.message().in_language(Language::Korean);
        assert_ne!(korean, reason.message().to_string());
        let line = serde_json::to_string(reason).unwrap();
        assert_eq!(&serde_json::from_str::<Trouble>(&line).unwrap(), reason);
    }
    codes.dedup();
    assert_eq!(codes.len(), reasons.len());
}
