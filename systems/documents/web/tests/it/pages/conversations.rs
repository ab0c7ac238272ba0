//! Search over a project, conversations and agents.

use hansang_testserver::{On, Visitor, has, lacks};

use super::{address, start};

hansang_testserver::on_each_store! {
    everything_of_a_project_is_searched,
    a_conversation_cites_its_pages,
    agents_belong_to_their_user,
}

/// Search finds pages of all documents, parts of Korean words too, and marks the words.
async fn everything_of_a_project_is_searched(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "자료").await;
    let search = format!("{project}/search");
    has(&editor.get(&search).await, &["무엇을 찾으세요?"]);
    let document = desk.upload(&editor, &project, "계약.txt", "a").await;
    desk.process(&["임대차보증금 반환", "관리비 정산"]).await;
    let found = editor.get(&format!("{search}?q=보증금")).await;
    has(
        &found,
        &[
            "1쪽을 찾았습니다",
            "계약.txt",
            "<mark>보증금</mark>",
            &format!("{}/pages/1?q=", address(&project, &document)),
        ],
    );
    has(&editor.get(&format!("{search}?q=보험")).await, &["결과가 없습니다"]);
    // What was deleted is not found.
    assert_eq!(editor.post(&format!("{}/delete", address(&project, &document)), &[]).await.status, 303);
    has(&editor.get(&format!("{search}?q=보증금")).await, &["결과가 없습니다"]);
}

/// D25: a conversation is begun with a question, renamed and deleted; its answer names the page. Nobody else sees it.
async fn a_conversation_cites_its_pages(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "자료").await;
    let document = desk.upload(&editor, &project, "계약.txt", "a").await;
    desk.process(&["관리비는 매달 낸다.", "보증금은 계약이 끝나면 돌려준다."]).await;
    let list = format!("{project}/conversations");
    has(&editor.get(&list).await, &["아직 대화가 없습니다"]);
    let blank = editor.post(&list, &[("question", "??")]).await;
    assert_eq!(blank.status, 400);
    has(&blank, &["f-question-problem", "??"]);
    let begun = editor.post(&list, &[("question", "보증금은 언제 돌려주나요?")]).await;
    assert_eq!(begun.status, 303, "{}", begun.text);
    let chat = begun.header("location").to_owned();
    let page = editor.get(&chat).await;
    has(&page, &["보증금은 언제 돌려주나요?", "보증금은 계약이 끝나면 돌려준다.", "계약.txt", "2쪽"]);
    has(&page, &[&format!("{}/pages/2", address(&project, &document))]);
    assert_eq!(editor.post(&chat, &[("question", "관리비는?")]).await.status, 303);
    has(&editor.get(&chat).await, &["관리비는 매달 낸다."]);
    let edit = format!("{chat}/edit");
    let fields = [("session_name", "보증금 문의"), ("revision", "1")];
    assert_eq!(editor.post(&edit, &fields).await.status, 303);
    has(&editor.get(&list).await, &["보증금 문의"]);
    assert_eq!(editor.post(&edit, &fields).await.status, 412, "an older revision");

    let viewer = Visitor::sign_in(&desk.server, "viewer", "ko").await;
    lacks(&viewer.get(&list).await, &["보증금 문의"]);
    assert_eq!(viewer.get(&chat).await.status, 404);
    assert_eq!(viewer.post(&format!("{chat}/delete"), &[]).await.status, 404);
    has(&editor.get(&format!("{chat}/delete")).await, &["보증금 문의"]);
    assert_eq!(editor.post(&format!("{chat}/delete"), &[]).await.status, 303);
    lacks(&editor.get(&list).await, &["보증금 문의"]);
}

/// D26: agents are created, changed and deleted, each by its user alone.
async fn agents_belong_to_their_user(on: On) {
    let desk = start(on).await;
    let editor = desk.visit("editor").await;
    let project = desk.project(&editor, "자료").await;
    let list = format!("{project}/agents");
    let viewer = Visitor::sign_in(&desk.server, "viewer", "ko").await;
    has(&viewer.get(&list).await, &["아직 에이전트가 없습니다"]);
    let new = format!("{list}/new");
    let wrong = viewer.post(&new, &[("name", ""), ("content", "짧게 답하기")]).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["f-name-problem", "짧게 답하기"]);
    assert_eq!(viewer.post(&new, &[("name", "변호사"), ("content", "짧게 답하기")]).await.status, 303);
    let page = viewer.get(&list).await;
    has(&page, &["변호사", "짧게 답하기"]);
    let link = format!("href=\"{list}/");
    let one = page.text.split(&link).map(|rest| rest.split('"').next().unwrap());
    let id = one.filter(|id| id.len() == 26).next().unwrap();
    let one = format!("{list}/{id}");
    assert_eq!(editor.get(&one).await.status, 404, "an agent of somebody else");
    let changed = viewer.post(&one, &[("name", "법무사"), ("content", "길게"), ("revision", "1")]).await;
    assert_eq!(changed.status, 303, "{}", changed.text);
    let stale = viewer.post(&one, &[("name", "노무사"), ("content", "길게"), ("revision", "1")]).await;
    assert_eq!(stale.status, 412);
    has(&stale, &["value=\"노무사\""]);
    has(&viewer.get(&format!("{project}/conversations")).await, &["법무사"]);
    assert_eq!(viewer.post(&format!("{one}/delete"), &[]).await.status, 303);
    has(&viewer.get(&list).await, &["아직 에이전트가 없습니다"]);
}
