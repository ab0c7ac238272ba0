//! Projects are created, changed, archived and deleted.

use hansang_testserver::{On, Visitor, has, in_order, lacks};

use super::{START, start};

hansang_testserver::on_each_store! {
    projects_are_created_and_changed,
    a_project_is_archived_and_deleted,
    viewers_change_nothing,
}

/// D2, D4, D24: a new project is in the list at once; what is wrong stands at its field and nothing typed is lost.
async fn projects_are_created_and_changed(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    has(&editor.get(START).await, &["아직 프로젝트가 없습니다", "프로젝트 만들기"]);
    let new = format!("{START}/projects/new");
    let wrong =
        editor.post(&new, &[("name", " "), ("description", "계약서 모음"), ("color", "#1D5C96")]).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["f-name-problem", "계약서 모음", "value=\"#1D5C96\" checked"]);
    let project = desk.project(&editor, "계약서").await;
    desk.project(&editor, "보고서").await;
    let list = editor.get(START).await;
    in_order(&list, &["보고서", "계약서"]);
    has(&list, &["문서 0개"]);
    has(&editor.get(&format!("{START}?q=계약")).await, &["계약서"]);
    lacks(&editor.get(&format!("{START}?q=계약")).await, &["보고서"]);
    has(&editor.get(&format!("{START}?q=없음")).await, &["해당하는 프로젝트가 없습니다"]);
    has(&editor.get(&project).await, &["아직 문서가 없습니다", "name=\"file\""]);

    let edit = format!("{project}/edit");
    has(&editor.get(&edit).await, &["value=\"계약서\"", "name=\"revision\" value=\"1\""]);
    let fields = [
        ("name", "임대 계약서"),
        ("ocr", "never"),
        ("language", "ko"),
        ("color", "#17624F"),
        ("revision", "1"),
    ];
    let saved = editor.post(&edit, &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    has(&editor.get(START).await, &["임대 계약서", "fill=\"#17624F\""]);
    // Somebody else saved first.
    let stale = editor.post(&edit, &[("name", "다른 이름"), ("revision", "1")]).await;
    assert_eq!(stale.status, 412);
    has(&stale, &["value=\"다른 이름\"", "다른 곳에서 수정되었습니다"]);
}

/// D24: an archived project is read only; a deleted one is gone with all that is in it.
async fn a_project_is_archived_and_deleted(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "지난 일").await;
    desk.upload(&editor, &project, "메모.txt", "한 줄").await;
    let edit = format!("{project}/edit");
    let archived = editor.post(&edit, &[("do", "archive"), ("revision", "1")]).await;
    assert_eq!(archived.status, 303, "{}", archived.text);
    let page = editor.get(&project).await;
    has(&page, &["보관됨", "메모.txt"]);
    lacks(&page, &["name=\"file\""]);
    let refused = editor.upload(&project, "또.txt", b"text").await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    has(&refused, &["보관된 프로젝트입니다"]);
    lacks(&editor.get(START).await, &["지난 일"]);
    has(&editor.get(&format!("{START}?status=archived")).await, &["지난 일"]);
    assert_eq!(editor.post(&edit, &[("do", "restore"), ("revision", "2")]).await.status, 303);
    has(&editor.get(START).await, &["지난 일"]);

    has(&editor.get(&format!("{project}/delete")).await, &["지난 일", "문서 1개"]);
    assert_eq!(editor.post(&format!("{project}/delete"), &[]).await.status, 303);
    lacks(&editor.get(START).await, &["지난 일"]);
    assert_eq!(editor.get(&project).await.status, 404);
}

/// Viewers read, and see nothing that they may not do.
async fn viewers_change_nothing(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "공개").await;
    let viewer = Visitor::sign_in(&desk.server, "viewer", "en").await;
    lacks(&viewer.get(START).await, &["New project"]);
    let page = viewer.get(&project).await;
    lacks(&page, &["name=\"file\"", "Project settings"]);
    has(&page, &["Ask an editor"]);
    for path in [format!("{START}/projects/new"), format!("{project}/edit"), format!("{project}/delete")] {
        assert_eq!(viewer.get(&path).await.status, 403, "{path}");
        assert_eq!(viewer.post(&path, &[("name", "x")]).await.status, 403, "{path}");
    }
    assert_eq!(viewer.upload(&project, "a.txt", b"a").await.status, 403);
    assert_eq!(viewer.get(&format!("{START}/cache")).await.status, 403);
}
