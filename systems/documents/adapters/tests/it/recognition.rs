//! Recognition by tesseract.

use std::path::Path;

use hansang_core::message::Language;
use hansang_documents_adapters::Ocr;
use hansang_documents_adapters::fixtures::{picture, scanned_pdf};

use crate::grounds::Ground;

/// A scanned page is read in Korean and English, with the places of its lines and how sure they are.
#[tokio::test]
async fn a_scan_is_recognised_in_both_languages() {
    let ocr = Ocr::find(Path::new("tesseract"), "kor+eng", 120).await.unwrap();
    assert_eq!(ocr.languages(), "kor+eng");
    let lines = ["Annual budget report", "한국 예산 보고서", "Total amount 3200"];
    for file in [picture(&lines), scanned_pdf("scan", &[&lines])] {
        let ground = Ground::new(&file);
        let read = ground.read(&ground.options()).unwrap();
        let scan = ground.images().join(&read.segments[0].scan.as_ref().unwrap().name);
        let page = ocr.read(&scan, 0).await.unwrap();
        assert!(page.text.contains("Annual budget report"), "{}", page.text);
        assert!(page.text.contains("3200"), "{}", page.text);
        // The strokes of the example are no font: a word of them is enough.
        assert!(["한국", "예산", "보고서"].iter().any(|word| page.text.contains(word)), "{}", page.text);
        assert!(page.confidence.unwrap() > 50);
        let first = page.blocks[0].bounds.unwrap();
        // 60 points from the left of 595.
        assert!((900..1200).contains(&first.left), "{first:?}");
        assert!(page.blocks[0].confidence.unwrap() > 50);
    }
}

/// Without the program or a language, the reason says what to install. Nothing fails.
#[tokio::test]
async fn what_is_missing_is_said() {
    let missing = Ocr::find(Path::new("/nowhere/tesseract"), "kor+eng", 10).await.unwrap_err();
    assert!(missing.to_string().contains("install tesseract"), "{missing}");
    assert_ne!(missing.in_language(Language::Korean), missing.to_string());
    let language = Ocr::find(Path::new("tesseract"), "xyz+-l", 10).await.unwrap_err();
    assert!(language.to_string().contains("xyz"), "{language}");
    // One of two languages is enough.
    let some = Ocr::find(Path::new("tesseract"), "xyz+eng", 10).await.unwrap();
    assert_eq!(some.languages(), "eng");
}

#[tokio::test]
async fn an_image_that_is_none_fails_with_its_page() {
    let ocr = Ocr::find(Path::new("tesseract"), "eng", 60).await.unwrap();
    let ground = Ground::new(b"no image");
    let error = ocr.read(&ground.file, 6).await.unwrap_err();
    assert_eq!(error.code.as_str(), "ocr_failed");
    assert!(error.to_string().contains("page 7"), "{error}");
    let slow = Ocr::find(Path::new("tesseract"), "eng", 0).await.unwrap();
    assert_eq!(slow.read(&ground.file, 6).await.unwrap_err().code.as_str(), "ocr_slow");
}
