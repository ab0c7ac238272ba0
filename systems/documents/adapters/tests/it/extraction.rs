//! What is read from files of every format.

use std::process::Command;

use hansang_documents_adapters::fixtures::{
    PdfPage, docx, html, hwp, hwpx, pdf, picture, pptx, scanned_pdf, xlsx,
};
use hansang_documents_adapters::{Format, Options, SegmentKind, WHOLE};

use crate::grounds::Ground;

fn korean_pdf() -> Vec<u8> {
    pdf(
        "2024년 예산 보고서",
        &[
            PdfPage::of(&["2024년 예산 보고서", "총 예산은 3,200억 원입니다.", "The budget grew by 12%."]),
            PdfPage::of(&["세부 항목", "교육비와 복지비가 늘었습니다."]),
        ],
    )
}

/// Ds18: the text of each page, with the positions of its lines and an image.
#[test]
fn a_korean_pdf_has_text_positions_and_images() {
    let ground = Ground::new(&korean_pdf());
    let read = ground.read(&ground.options()).unwrap();
    assert_eq!(read.facts.format, Format::Pdf);
    assert_eq!(read.facts.pages, Some(2));
    assert_eq!(read.facts.title.as_deref(), Some("2024년 예산 보고서"));
    assert_eq!(read.facts.language.as_deref(), Some("ko-KR"));
    assert_eq!(
        read.segments[0].text,
        "2024년 예산 보고서\n총 예산은 3,200억 원입니다.\nThe budget grew by 12%."
    );
    assert_eq!(read.segments[1].text, "세부 항목\n교육비와 복지비가 늘었습니다.");
    assert_eq!(read.done.without_text, 0);
    let page = &read.segments[0];
    assert_eq!((page.index, page.kind), (0, SegmentKind::Page));
    let heading = &page.blocks[0];
    let bounds = heading.bounds.unwrap();
    // The heading stands 60 points from the left of 595, and 92 of 842 above its baseline.
    assert_eq!(bounds.left, 1008);
    assert!((800..1000).contains(&bounds.top), "{bounds:?}");
    assert!(page.blocks[1].bounds.unwrap().top > bounds.top + bounds.height / 2);
    assert!(page.blocks.iter().all(|block| {
        let bounds = block.bounds.unwrap();
        bounds.left + bounds.width <= WHOLE && bounds.top + bounds.height <= WHOLE
    }));
    let image = page.image.as_ref().unwrap();
    assert_eq!((image.height, image.content_type()), (1600, "image/png"));
    let drawn = image::open(ground.images().join(&image.name)).unwrap().to_luma8();
    assert_eq!(drawn.dimensions(), (image.width, image.height));
    assert!(drawn.pixels().any(|pixel| pixel.0[0] < 80), "something is drawn");
    assert!(page.scan.is_none());
}

/// The words are those that another reader finds. It takes Hangul of drawn strokes for words of their own, so there
/// only the characters are compared.
#[test]
fn pdftotext_reads_the_same_words() {
    let latin = ["Budget report", "(a) [b] {c} <d> 0123456789 %&", "caf\u{e9} na\u{ef}ve \u{20ac}5"];
    let latin = pdf("", &[PdfPage::of(&latin), PdfPage::of(&["second page"])]);
    for (file, words) in [(latin, true), (korean_pdf(), false), (many_words(), false)] {
        let ground = Ground::new(&file);
        let mut command = Command::new("pdftotext");
        let theirs = command.args(["-raw", "-enc", "UTF-8"]).arg(&ground.file).arg("-").output().unwrap();
        assert!(theirs.status.success(), "{}", String::from_utf8_lossy(&theirs.stderr));
        let theirs = String::from_utf8(theirs.stdout).unwrap();
        let ours = ground.read(&Options::default()).unwrap().text();
        let joint = if words { " " } else { "" };
        let compared = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(joint);
        assert_eq!(compared(&ours), compared(&theirs).replace('\u{c}', ""));
    }
}

/// Text with every kind of character that the fixtures write, on several pages.
fn many_words() -> Vec<u8> {
    let lines = [
        "가각간갇갈감갑값갓강",
        "쀍뚫뷁 ABC xyz 0123456789",
        "(a) [b] {c} <d> \\e\\ \"f\" 'g'",
        "café — naïve €5",
    ];
    let pages: Vec<PdfPage<'_>> = (0..5).map(|_| PdfPage::of(&lines)).collect();
    pdf("", &pages)
}

/// A page without text has an image for OCR, and only such a page.
#[test]
fn scans_and_pictures_are_left_to_ocr() {
    let ground = Ground::new(&scanned_pdf("scan", &[&["Scanned page"]]));
    let read = ground.read(&ground.options()).unwrap();
    assert_eq!((read.segments[0].text.as_str(), read.done.without_text), ("", 1));
    let scan = read.segments[0].scan.as_ref().unwrap();
    assert!(scan.height > 3400, "{scan:?}");
    assert_eq!(read.segments[0].image.as_ref().unwrap().content_type(), "image/jpeg");

    let ground = Ground::new(&picture(&["Scanned page"]));
    let read = ground.read(&ground.options()).unwrap();
    assert_eq!((read.facts.format, read.done.without_text), (Format::Picture, 1));
    let sizes = read.segments[0].image.as_ref().map(|image| (image.width, image.height));
    assert_eq!(sizes, Some((1131, 1600)));

    // An empty page is not looked at.
    let ground = Ground::new(&pdf("", &[PdfPage::default()]));
    let read = ground.read(&ground.options()).unwrap();
    assert!(read.segments[0].image.is_some() && read.segments[0].scan.is_none());
}

#[test]
fn pictures_of_every_kind_are_read() {
    let png = image::load_from_memory(&picture(&["A"])).unwrap();
    for format in [
        image::ImageFormat::Jpeg,
        image::ImageFormat::Gif,
        image::ImageFormat::WebP,
        image::ImageFormat::Tiff,
    ] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::DynamicImage::ImageRgb8(png.to_rgb8()).write_to(&mut bytes, format).unwrap();
        let ground = Ground::new(&bytes.into_inner());
        let read = ground.read(&ground.options()).unwrap();
        assert_eq!((read.facts.format, read.segments.len()), (Format::Picture, 1), "{format:?}");
    }
}

#[test]
fn a_word_document_has_chapters_and_tables() {
    let file = docx(
        "계약서",
        &[
            ("제1조 목적", &["이 계약은 & 그 목적을 정한다.", "둘째 문단"]),
            ("제2조 기간", &["1년으로 한다."]),
        ],
        &[&["항목", "금액"], &["임대료", "500"]],
    );
    let read = Ground::new(&file).read(&Options::default()).unwrap();
    assert_eq!((read.facts.format, read.facts.title.as_deref()), (Format::Docx, Some("계약서")));
    let titles: Vec<_> = read.segments.iter().map(|segment| segment.title.as_deref().unwrap()).collect();
    assert_eq!(titles, ["제1조 목적", "제2조 기간"]);
    assert!(read.segments.iter().all(|segment| segment.kind == SegmentKind::Chapter));
    assert_eq!(read.segments[0].text, "제1조 목적\n이 계약은 & 그 목적을 정한다.\n둘째 문단");
    assert!(read.segments[1].text.contains("임대료 \t500"), "{:?}", read.segments[1].text);
}

#[test]
fn a_presentation_has_its_slides_in_order() {
    let file = pptx("발표", &[("첫 장", &["하나", "둘"]), ("둘째 장", &["셋"]), ("Third", &[])]);
    let read = Ground::new(&file).read(&Options::default()).unwrap();
    assert_eq!((read.facts.pages, read.facts.title.as_deref()), (Some(3), Some("발표")));
    let texts: Vec<_> = read.segments.iter().map(|segment| segment.text.as_str()).collect();
    assert_eq!(texts, ["첫 장\n하나\n둘", "둘째 장\n셋", "Third"]);
    assert_eq!(read.segments[1].title.as_deref(), Some("둘째 장"));

    let one = Options { pages: Some(vec![1]), ..Options::default() };
    let read = Ground::new(&file).read(&one).unwrap();
    assert_eq!((read.segments.len(), read.segments[0].index), (1, 1));
}

#[test]
fn a_workbook_has_a_segment_for_each_sheet() {
    let file = xlsx(&[("매출", &[&["월", "금액"], &["1월", "1200.5"]]), ("비용", &[&["a", "b"]])]);
    let read = Ground::new(&file).read(&Options::default()).unwrap();
    assert_eq!(read.facts.pages, Some(2));
    let segments: Vec<_> =
        read.segments.iter().map(|one| (one.title.as_deref().unwrap(), one.text.as_str())).collect();
    assert_eq!(segments, [("매출", "월\t금액\n1월\t1200.5"), ("비용", "a\tb")]);
}

#[test]
fn documents_of_hangul_are_read_in_both_formats() {
    let paragraphs = ["공문서 제목", "관련 근거에 따라 다음과 같이 알립니다."];
    let read = Ground::new(&hwpx("공문", &paragraphs)).read(&Options::default()).unwrap();
    assert_eq!((read.facts.format, read.facts.title.as_deref()), (Format::Hwpx, Some("공문")));
    assert_eq!(read.text(), paragraphs.join("\n"));
    let read = Ground::new(&hwp(&paragraphs, false)).read(&Options::default()).unwrap();
    assert_eq!(read.facts.format, Format::Hwp);
    assert_eq!(read.text(), paragraphs.join("\n"));
}

#[test]
fn a_web_page_is_known_by_its_content() {
    let page = html("안내 페이지", &["첫 문단 & 더", "둘째 문단"]);
    let options = Options { name: Some("photo.jpg".to_owned()), ..Options::default() };
    let read = Ground::new(page.as_bytes()).read(&options).unwrap();
    assert_eq!((read.facts.format, read.facts.language.as_deref()), (Format::Html, Some("ko")));
    assert_eq!(read.facts.title.as_deref(), Some("안내 페이지"));
    assert_eq!(read.segments[0].kind, SegmentKind::Web);
    assert_eq!(read.segments[0].text, "안내 페이지\n첫 문단 & 더\n둘째 문단");
    assert!(!read.text().contains("hidden"));

    // The declared encoding, lists, tables and preformatted text.
    let (page, _, _) = encoding_rs::EUC_KR.encode(
        "<html><head><meta charset=euc-kr></head><body>가나<br>다라<ul><li>하나<li>둘</ul>\
         <table><tr><td>a<td>b</tr></table><pre>x  y\n z</pre><noscript>no</noscript></body>",
    );
    let read = Ground::new(&page).read(&Options::default()).unwrap();
    assert_eq!(read.text(), "가나\n다라\n하나\n둘\na\tb\nx  y\n z");
}

#[test]
fn markdown_has_chapters_and_texts_have_parts() {
    let text = "# 제목\n첫 문단\n이어짐\n\n## 둘째\n- 하나\n- 둘 `코드`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    let markdown = Options { name: Some("README.md".to_owned()), ..Options::default() };
    let read = Ground::new(text.as_bytes()).read(&markdown).unwrap();
    assert_eq!((read.facts.format, read.facts.title.as_deref()), (Format::Markdown, Some("제목")));
    let segments: Vec<_> =
        read.segments.iter().map(|one| (one.title.as_deref().unwrap(), one.text.as_str())).collect();
    assert_eq!(segments, [("제목", "제목\n첫 문단 이어짐"), ("둘째", "둘째\n하나\n둘 코드\na\tb\n1\t2")]);

    let (korean, _, _) = encoding_rs::EUC_KR.encode("한글 문서\r\n둘째 줄\r\n");
    let read = Ground::new(&korean).read(&Options::default()).unwrap();
    assert_eq!((read.facts.format, read.text().as_str()), (Format::Text, "한글 문서\n둘째 줄"));

    // A long text is cut into parts, also if it is one line.
    let line = "가나다 라마바 ".repeat(20_000);
    let read = Ground::new(line.as_bytes()).read(&Options::default()).unwrap();
    assert!(read.segments.len() > 5);
    assert!(read.segments.iter().all(|segment| segment.text.len() <= 48 * 1024));
    let words = |text: &str| text.split_whitespace().count();
    assert_eq!(words(&read.text()), words(&line));
}

/// Ds20: a page that is read again keeps its number.
#[test]
fn single_pages_are_read_alone() {
    let ground = Ground::new(&korean_pdf());
    let options = Options { pages: Some(vec![1]), ..Options::default() };
    let read = ground.read(&options).unwrap();
    assert_eq!((read.segments.len(), read.segments[0].index), (1, 1));
    assert!(read.segments[0].text.starts_with("세부 항목"));
}
