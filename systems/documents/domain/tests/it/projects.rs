//! Projects.

use hansang_core::{CoreCode, ErrorKind};
use hansang_documents::{
    DocumentsCode, ListAsk, OcrMode, ProjectStatus, ProjectText, archive_project, begin_upload,
    change_project, create_project, find_project, projects, query_projects,
};

use crate::grounds::{Ground, file, named, on_each_store};

/// Ds15, D3: a project is created, changed by the revision that was read, and read back.
async fn projects_are_edited(ground: Ground) {
    let documents = &ground.documents;
    let made = ground.project("식단표").await;
    assert_eq!((&*made.text.name, &*made.created_by, made.revision), ("식단표", "ann", 1));
    assert_eq!(made.status, ProjectStatus::Active);
    let text = ProjectText {
        name: " 식단 ".to_owned(),
        description: Some("월별".to_owned()),
        language: Some("ko".to_owned()),
        color: Some("#8A3B12".to_owned()),
        document_prompt: Some("표를 그대로 옮긴다.".to_owned()),
        ocr: Some(OcrMode::Never),
        ocr_languages: Some("kor+eng".to_owned()),
    };
    let changed = change_project(documents, &made.project_id, &text, 1).await.unwrap();
    assert_eq!(changed.text, ProjectText { name: "식단".to_owned(), ..text.clone() });
    let stale = change_project(documents, &made.project_id, &text, 1).await.unwrap_err();
    assert_eq!((stale.kind, stale.code), (ErrorKind::Precondition, DocumentsCode::Changed.into()));
    let bare = change_project(documents, &made.project_id, &named("식단"), 2).await.unwrap();
    assert_eq!(bare.text, named("식단"));
    assert_eq!(find_project(documents, &made.project_id).await.unwrap(), bare);
    for id in ["none", "a:b", "a#b", ""] {
        let missing = find_project(documents, id).await.unwrap_err();
        let code = if id == "none" { DocumentsCode::ProjectUnknown } else { DocumentsCode::IdInvalid };
        assert_eq!(missing.code, code, "{id}");
    }
    let unknown = change_project(documents, "none", &text, 1).await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::ProjectUnknown);
    let bad = ProjectText { color: Some("red".to_owned()), ..named("a") };
    assert_eq!(create_project(documents, "ann", &bad).await.unwrap_err().code, CoreCode::InvalidFields);
    assert!(create_project(documents, "ann", &named(" ")).await.is_err());
    assert!(create_project(documents, "a:b", &named("a")).await.is_err());
}

/// D4, Ds2, Ds4: pages in both directions, and by status.
async fn projects_are_listed_in_pages(ground: Ground) {
    let documents = &ground.documents;
    let mut made = Vec::new();
    for number in 0..7 {
        // Two in the same second are ordered by id.
        ground.pass(number % 2);
        made.push(ground.project(&format!("{number}")).await.text.name);
    }
    let all = |oldest: bool| async move {
        let (mut names, mut cursor) = (Vec::new(), None);
        loop {
            let ask = ListAsk { limit: Some(3), cursor, oldest };
            let page = projects(documents, None, &ask).await.unwrap();
            assert_eq!(page.total, 7);
            names.extend(page.items.into_iter().map(|project| project.text.name));
            match page.next {
                Some(next) => cursor = Some(next),
                None => return names,
            }
        }
    };
    assert_eq!(all(true).await, made);
    made.reverse();
    assert_eq!(all(false).await, made);
    let first = query_projects(documents).await.unwrap()[0].clone();
    archive_project(documents, &first.project_id, true, 1).await.unwrap();
    let archived = projects(documents, Some(ProjectStatus::Archived), &ListAsk::default()).await.unwrap();
    assert_eq!((archived.items.len(), archived.next), (1, None));
    let active = projects(documents, Some(ProjectStatus::Active), &ListAsk::default()).await.unwrap();
    assert_eq!(active.items.len(), 6);
    let wrong = ListAsk { cursor: Some("x".to_owned()), ..ListAsk::default() };
    assert_eq!(projects(documents, None, &wrong).await.unwrap_err().code, CoreCode::InvalidCursor);
}

/// An archived project takes no documents until it is active again.
async fn archived_projects_take_no_documents(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await;
    let id = &project.project_id;
    archive_project(documents, id, true, 1).await.unwrap();
    let refused = begin_upload(documents, "ann", id, &file("a.pdf")).await.unwrap_err();
    assert_eq!((refused.kind, refused.code), (ErrorKind::Conflict, DocumentsCode::ProjectArchived.into()));
    archive_project(documents, id, false, 2).await.unwrap();
    begin_upload(documents, "ann", id, &file("a.pdf")).await.unwrap();
    let unknown = begin_upload(documents, "ann", "none", &file("a.pdf")).await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::ProjectUnknown);
}

on_each_store!(projects_are_edited, projects_are_listed_in_pages, archived_projects_take_no_documents);
