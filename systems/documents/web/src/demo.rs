//! Example data: a project with a contract, minutes, a price list and a scan, made here. The built-in processor reads them as
//! soon as the server runs.

use std::io::Write as _;

use hansang_command::Failure;
use hansang_core::Error;
use hansang_core::files::unavailable;
use hansang_documents::{
    NewFile, OcrMode, Project, ProjectText, Received, begin_upload, create_project, finish_upload,
};
use hansang_documents_adapters::fixtures::{PdfPage, docx, hwpx, pdf, scanned_pdf, xlsx};

use crate::state::State;
use crate::types::type_of;
use crate::uploads::measure;

/// The user of the example data.
const BY: &str = "u001";

/// Fills the empty table with example data.
///
/// # Errors
/// When the store or the files fail.
pub(crate) async fn fill(state: &State) -> Result<(), Failure> {
    let kitchen = ProjectText {
        name: "두 번째 조리장 / Second kitchen".to_owned(),
        description: Some("청주 조리장의 계약과 회의록, 단가표입니다.".to_owned()),
        language: Some("ko".to_owned()),
        color: Some("#8A3B12".to_owned()),
        document_prompt: Some("금액과 날짜를 그대로 옮깁니다.".to_owned()),
        ocr: Some(OcrMode::Auto),
        ocr_languages: Some("kor+eng".to_owned()),
    };
    let kitchen = create_project(&state.documents, BY, &kitchen).await?;
    for (name, content) in [
        ("임대차계약서.pdf", lease()),
        ("2026-11 회의록.docx", minutes()),
        ("단가표.xlsx", prices()),
        ("위생 점검 안내.hwpx", notice()),
        ("영수증 스캔.pdf", scan()),
    ] {
        upload(state, &kitchen, name, content).await?;
    }
    let recipes = ProjectText {
        name: "Recipes".to_owned(),
        description: Some("Recipes for nine side dishes.".to_owned()),
        language: Some("en".to_owned()),
        color: Some("#2F6B4F".to_owned()),
        ..ProjectText::default()
    };
    let recipes = create_project(&state.documents, BY, &recipes).await?;
    let text = "# Spinach with sesame\n\nBlanch the spinach for thirty seconds. Season it with soy sauce, garlic and sesame oil.\n";
    upload(state, &recipes, "spinach.md", text.as_bytes().to_vec()).await?;
    Ok(())
}

async fn upload(state: &State, project: &Project, name: &str, content: Vec<u8>) -> Result<(), Error> {
    let written = tokio::task::spawn_blocking(move || {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(&content)?;
        Ok::<_, std::io::Error>(file)
    });
    let file = written.await.map_err(unavailable)?.map_err(unavailable)?;
    let arrived = measure(file.path()).await?;
    let file_type = type_of(file.path(), "application/octet-stream", name).await?;
    let file_size = i64::try_from(arrived.size).unwrap_or(i64::MAX);
    let new = NewFile { name: name.to_owned(), file_type: file_type.clone(), file_size, source_url: None };
    let documents = &state.documents;
    let begun = begin_upload(documents, BY, &project.project_id, &new).await?;
    documents.files.put(&begun.version.s3_key, &file_type, file.path()).await?;
    let received =
        Received { sha256: arrived.sha256, file_size, file_type, s3_key: Some(begun.version.s3_key) };
    let document_id = &begun.document.document_id;
    finish_upload(documents, BY, &project.project_id, document_id, 1, &received).await.map(drop)
}

fn lease() -> Vec<u8> {
    let first = PdfPage::of(&[
        "임대차계약서",
        "임대인과 임차인은 청주 조리장을 다음과 같이 빌리기로 한다.",
        "제1조 임대차 기간은 2026년 12월 1일부터 2028년 11월 30일까지로 한다.",
        "제2조 보증금은 삼천만 원, 월세는 이백만 원으로 한다.",
        "제3조 월세는 매월 말일에 낸다.",
    ]);
    let second = PdfPage::of(&[
        "특약 사항",
        "제4조 임차인은 환기 설비를 새로 달 수 있다.",
        "제5조 계약을 마칠 때 설비는 임대인이 정한 값으로 넘긴다.",
    ]);
    pdf("임대차계약서", &[first, second])
}

fn minutes() -> Vec<u8> {
    docx(
        "회의록",
        &[
            ("참석", &["김하나, 이두리, 박세나"][..]),
            (
                "결정",
                &["새벽 배송은 12월 15일에 시작한다.", "조리장 환기 설비는 이두리가 견적을 받는다."][..],
            ),
            ("다음 회의", &["12월 3일 오전 10시, 청주 조리장"][..]),
        ],
        &[
            &["할 일", "맡은 사람", "기한"],
            &["견적 받기", "이두리", "11월 28일"],
            &["식단 확정", "박세나", "11월 30일"],
        ],
    )
}

fn prices() -> Vec<u8> {
    xlsx(&[(
        "단가",
        &[
            &["품목", "단위", "단가"],
            &["쌀", "20kg", "58000"],
            &["시금치", "1kg", "4200"],
            &["두부", "1모", "1500"],
        ],
    )])
}

fn notice() -> Vec<u8> {
    hwpx(
        "위생 점검 안내",
        &["위생 점검 안내", "11월 25일에 조리장 위생 점검이 있습니다.", "냉장고 온도 기록을 준비해 주세요."],
    )
}

fn scan() -> Vec<u8> {
    scanned_pdf("영수증", &[&["영수증", "환기 설비 견적", "합계 3,450,000원"]])
}
