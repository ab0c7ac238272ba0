//! Documents are uploaded, followed, read, searched and processed again.

use hansang_testserver::{On, Visitor, has, in_order, lacks};

use super::{address, start};

hansang_testserver::on_each_store! {
    a_file_is_uploaded_and_read,
    a_failure_says_what_to_do,
    selected_documents_are_changed_together,
    pages_are_searched_corrected_and_asked,
}

/// D5, D7, D10, D13: from the upload to the pages, with the state of each step.
async fn a_file_is_uploaded_and_read(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "계약서").await;
    let empty = editor.upload(&project, "빈.txt", b"").await;
    assert_eq!(empty.status, 400);
    has(&empty, &["파일을 고르세요"]);
    let document = desk.upload(&editor, &project, "임대차 계약.txt", "임대차 계약").await;
    let here = address(&project, &document);
    has(&editor.get(&project).await, &["임대차 계약.txt", "시작을 기다리는 중", "0%", "data-active"]);
    has(&editor.get(&here).await, &["대기 중", "처리 취소", "파일 확인"]);
    desk.process(&["첫 쪽\n보증금은 천만 원", "둘째 쪽"]).await;
    let list = editor.get(&project).await;
    has(&list, &["완료", "TXT"]);
    lacks(&list, &["data-active"]);
    let page = editor.get(&here).await;
    has(&page, &["짧은 요약입니다.", "임대차", "class=\"k5\"", "2쪽", "한국어", "버전 1", "1초 미만"]);
    lacks(&page, &["처리 취소"]);
    in_order(&editor.get(&format!("{here}/pages/1")).await, &["첫 쪽", "보증금은 천만 원"]);
    assert_eq!(editor.get(&format!("{here}/pages/3")).await.status, 404);
    assert_eq!(editor.get(&format!("{here}/pages/0")).await.status, 400);
    let turned = editor.get(&format!("{here}/page?page=2&q=쪽")).await;
    assert!(turned.header("location").starts_with(&format!("{here}/pages/2?q=")), "{turned:?}");

    // The same file again is a document of its own, and is reported.
    let again = editor.upload(&project, "복사본.txt", "임대차 계약".as_bytes()).await;
    assert!(again.header("location").ends_with("done=uploaded-again"), "{again:?}");
    // A new version of the first.
    let version = editor.upload(&here, "고친 계약.txt", "고친 계약".as_bytes()).await;
    assert_eq!(version.status, 303, "{}", version.text);
    has(&editor.get(&here).await, &["버전 2", "고친 계약.txt", "이전 결과를 보여 줍니다"]);
}

/// D9: a failed run names its step, its reason and the next step; it is processed again with instructions.
async fn a_failure_says_what_to_do(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "자료").await;
    let document = desk.upload(&editor, &project, "잠긴 문서.pdf", "%PDF-1.7").await;
    let here = address(&project, &document);
    desk.break_off("the file is locked by a password").await;
    has(&editor.get(&project).await, &["실패", "이유 보기"]);
    has(
        &editor.get(&here).await,
        &["처리하지 못했습니다", "the file is locked by a password", "암호로 잠겨", "다시 분석"],
    );
    has(&editor.get(&format!("{project}?status=failed")).await, &["잠긴 문서.pdf"]);
    has(&editor.get(&format!("{project}?status=done")).await, &["해당하는 문서가 없습니다"]);

    let again = format!("{here}/reanalyse");
    let wrong = editor.post(&again, &[("pages", "zwei"), ("instructions", "표를 살려 주세요")]).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["f-pages-problem", "value=\"zwei\"", "표를 살려 주세요"]);
    let started = editor.post(&again, &[("pages", ""), ("instructions", "표를 살려 주세요")]).await;
    assert_eq!(started.status, 303, "{}", started.text);
    has(&editor.get(&here).await, &["표를 살려 주세요", "처리 취소"]);
    let busy = editor.post(&again, &[]).await;
    assert_eq!(busy.status, 409);
    has(&busy, &["문서를 처리하고 있습니다"]);
    assert_eq!(editor.post(&format!("{here}/cancel"), &[]).await.status, 303);
    let cancelled = editor.get(&here).await;
    has(&cancelled, &["처리를 취소했습니다", "취소한 사람: editor"]);
    lacks(&cancelled, &["cancelled by"]);
    let viewer = Visitor::sign_in(&desk.server, "viewer", "ko").await;
    assert_eq!(viewer.post(&format!("{here}/cancel"), &[]).await.status, 403);
    lacks(&viewer.get(&here).await, &["/reanalyse", "/delete"]);
}

/// Several documents are deleted after a confirmation that names them.
async fn selected_documents_are_changed_together(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "자료").await;
    let mut ids = Vec::new();
    for name in ["하나.txt", "둘.txt", "셋.txt"] {
        ids.push(desk.upload(&editor, &project, name, name).await.document_id);
        desk.process(&[name]).await;
    }
    in_order(&editor.get(&project).await, &["셋.txt", "둘.txt", "하나.txt"]);
    in_order(&editor.get(&format!("{project}?sort=oldest")).await, &["하나.txt", "둘.txt", "셋.txt"]);
    in_order(&editor.get(&format!("{project}?sort=name")).await, &["둘.txt", "셋.txt", "하나.txt"]);
    let selected = format!("{project}/selected");
    let none = editor.post(&selected, &[("do", "delete")]).await;
    assert!(none.header("location").ends_with("no-documents-selected"), "{none:?}");
    let two = [("do", "delete"), ("row", &*ids[0]), ("row", &*ids[1])];
    let asked = editor.post(&selected, &two).await;
    has(&asked, &["하나.txt", "둘.txt", "문서 2개", "name=\"sure\""]);
    lacks(&asked, &["셋.txt"]);
    let sure = [("do", "delete"), ("sure", "1"), ("row", &*ids[0]), ("row", &*ids[1])];
    assert_eq!(editor.post(&selected, &sure).await.status, 303);
    let list = editor.get(&project).await;
    has(&list, &["셋.txt"]);
    lacks(&list, &["하나.txt", "둘.txt"]);
    assert_eq!(editor.post(&selected, &[("do", "reanalyse"), ("row", &*ids[2])]).await.status, 303);
    has(&editor.get(&project).await, &["data-active"]);
    let busy = editor.post(&selected, &[("do", "reanalyse"), ("row", &*ids[2])]).await;
    assert_eq!(busy.status, 409);
    has(&busy, &["문서를 처리하고 있습니다", "셋.txt"]);
}

/// D12: search inside a document marks the words; a text is corrected; a question is kept with its answer.
async fn pages_are_searched_corrected_and_asked(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "자료").await;
    let document = desk.upload(&editor, &project, "계약.txt", "계약").await;
    desk.process(&["임대 기간은 2년이다.", "보증금은 천만 원이다.\n<b>굵게</b>"]).await;
    let here = address(&project, &document);
    let found = editor.get(&format!("{here}/pages/1?q=보증금")).await;
    has(&found, &["1쪽에서 찾았습니다", "/pages/2?q=", "<mark>보증금</mark>은"]);
    let page = editor.get(&format!("{here}/pages/2?q=보증금")).await;
    has(&page, &["class=\"hit\"", "&#60;b&#62;"]);
    has(&editor.get(&format!("{here}/pages/1?q=없는말")).await, &["찾지 못했습니다"]);

    let second = format!("{here}/pages/2");
    has(&editor.get(&format!("{second}?edit=1")).await, &["보증금은 천만 원이다."]);
    let corrected = editor.post(&second, &[("do", "correct"), ("content", "보증금은 이천만 원이다.")]).await;
    assert_eq!(corrected.status, 303, "{}", corrected.text);
    has(&editor.get(&format!("{second}?view=text")).await, &["이천만 원"]);

    let blank = editor.post(&second, &[("do", "ask"), ("question", " ")]).await;
    assert_eq!(blank.status, 400);
    has(&blank, &["f-question-problem"]);
    let asked = editor.post(&second, &[("do", "ask"), ("question", "보증금은 얼마인가요?")]).await;
    assert_eq!(asked.status, 303, "{}", asked.text);
    in_order(&editor.get(&second).await, &["보증금은 얼마인가요?", "이천만 원이다."]);
    let viewer = Visitor::sign_in(&desk.server, "viewer", "ko").await;
    let refused = viewer.post(&second, &[("do", "correct"), ("content", "x")]).await;
    assert_eq!(refused.status, 403);
}
