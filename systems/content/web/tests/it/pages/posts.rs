//! Posts: listed, written, published, and edited by two people at once.

use hansang_content::{Content, Standing, find_post, working};
use hansang_testserver::{On, Response, Server, Visitor, has, lacks};

use super::{POSTS, START, category, draft, start, with_category};

hansang_testserver::on_each_store! {
    a_post_is_written_and_published,
    two_people_edit_one_post,
    the_history_is_shown_and_restored,
    posts_are_found_and_changed_together,
}

/// The fields of the editor as the page shows them, with some changed.
async fn edited(content: &Content, id: &str, changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let now = working(content, id).await.unwrap();
    let text = now.text();
    let mut fields = vec![("revision".to_owned(), now.post.revision.to_string())];
    for (name, value) in [
        ("title", &*text.title),
        ("contents", &*text.contents),
        ("format", text.format.name()),
        ("slug", text.slug.as_deref().unwrap_or_default()),
        ("thumbnailUrl", ""),
        ("categoryId", &*now.post.category_id),
    ] {
        fields.push((format!("base.{name}"), value.to_owned()));
        let changed = changes.iter().find(|(changed, _)| *changed == name);
        fields.push((name.to_owned(), changed.map_or(value, |(_, value)| value).to_owned()));
    }
    for (name, value) in changes {
        if fields.iter().all(|(known, _)| known != name) {
            fields.push(((*name).to_owned(), (*value).to_owned()));
        }
    }
    fields
}

async fn send(visitor: &Visitor<'_>, path: &str, fields: &[(String, String)]) -> Response {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    visitor.post(path, &fields).await
}

fn at(id: &str) -> String {
    format!("{POSTS}/{id}")
}

/// Cs28, Cs29: created as a draft, scheduled, published, taken back. Nothing is lost by a wrong field.
async fn a_post_is_written_and_published(on: On) {
    let (server, content) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    has(&editor.get(START).await, &["아직 글이 없습니다"]);
    has(&editor.get(&format!("{POSTS}/new")).await, &["아직 카테고리가 없습니다"]);
    category(&content, "news", "회사 소식").await;
    let refused = editor.post(&format!("{POSTS}/new"), &[("title", " "), ("categoryId", "news")]).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["f-title-problem"]);
    let created = editor.post(&format!("{POSTS}/new"), &[("title", "새 소식"), ("categoryId", "news")]).await;
    assert_eq!(created.status, 303, "{}", created.text);
    let id = created.header("location").trim_start_matches(POSTS)[1..].split('?').next().unwrap().to_owned();
    has(&editor.get(&at(&id)).await, &["새 소식", "초안", "회사 소식", "name=\"base.contents\""]);

    // A wrong time is shown at its field, and what was typed is still there.
    let wrong =
        edited(&content, &id, &[("contents", "**본문**"), ("publishAt", "soon"), ("do", "publish")]).await;
    let refused = send(&editor, &at(&id), &wrong).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["f-publishAt-problem", "**본문**", "<strong>본문</strong>"]);
    assert_eq!(find_post(&content, &id).await.unwrap().text.contents, "", "nothing was saved");

    let later = edited(
        &content,
        &id,
        &[("contents", "**본문**"), ("publishAt", "2099-01-01T09:00"), ("do", "publish")],
    )
    .await;
    let scheduled = send(&editor, &at(&id), &later).await;
    assert_eq!(
        (scheduled.status, scheduled.header("location")),
        (303, &*format!("{}?done=scheduled", at(&id)))
    );
    assert_eq!(find_post(&content, &id).await.unwrap().standing(content.now()), Standing::Scheduled);
    has(&editor.get(POSTS).await, &["예약됨"]);
    has(&editor.get(START).await, &["예약됨", "새 소식"]);

    let back = edited(&content, &id, &[("do", "unpublish")]).await;
    assert_eq!(
        send(&editor, &at(&id), &back).await.header("location"),
        format!("{}?done=unpublished", at(&id))
    );
    let now = edited(&content, &id, &[("publishAt", ""), ("do", "publish")]).await;
    assert_eq!(send(&editor, &at(&id), &now).await.header("location"), format!("{}?done=published", at(&id)));
    // Editing does not unpublish: the draft stands beside the published text.
    let draft = edited(&content, &id, &[("title", "고친 소식"), ("do", "save")]).await;
    assert_eq!(send(&editor, &at(&id), &draft).await.status, 303);
    has(
        &editor.get(&at(&id)).await,
        &["고친 소식", "게시 중", "게시 전 수정 있음", "수정 내용 게시", "초안 버리기"],
    );
    let discard = edited(&content, &id, &[("do", "discard")]).await;
    assert_eq!(send(&editor, &at(&id), &discard).await.status, 303);
    lacks(&editor.get(&at(&id)).await, &["고친 소식"]);

    roles(&server, &content, &id).await;
    has(&editor.get(&format!("{}/delete", at(&id))).await, &["방문자가 볼 수 있는 글입니다"]);
    let stale = editor.post(&format!("{}/delete", at(&id)), &[("revision", "1")]).await;
    assert_eq!(stale.status, 412);
    let revision = find_post(&content, &id).await.unwrap().revision.to_string();
    let deleted = editor.post(&format!("{}/delete", at(&id)), &[("revision", &revision)]).await;
    assert_eq!(deleted.header("location"), format!("{POSTS}?done=deleted"));
    assert_eq!(editor.get(&at(&id)).await.status, 404);
}

/// Cs16: viewers read posts, and change nothing.
async fn roles(server: &Server, content: &Content, id: &str) {
    let viewer = Visitor::sign_in(server, "viewer", "ko").await;
    let page = viewer.get(&at(id)).await;
    assert_eq!(page.status, 200);
    lacks(&page, &["value=\"publish\"", "value=\"save\""]);
    let save = edited(content, id, &[("title", "viewer"), ("do", "save")]).await;
    assert_eq!(send(&viewer, &at(id), &save).await.status, 403);
    assert_eq!(send(&viewer, &format!("{}/autosave", at(id)), &save).await.status, 403);
    assert_eq!(viewer.get(&format!("{START}/inquiries")).await.status, 403);
    lacks(&viewer.get(START).await, &["/console/content/inquiries"]);
    assert_eq!(Visitor::signed_out(server).get(&at(id)).await.status, 303);
}

/// A stale save overwrites nothing: changes that do not overlap are combined, others are shown side by side.
async fn two_people_edit_one_post(on: On) {
    let (server, content) = with_category(on).await;
    let post = draft(&content, "함께 쓰는 글").await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let admin = Visitor::sign_in(&server, "admin", "ko").await;
    let path = at(&post.id);
    let mine = edited(&content, &post.id, &[("contents", "첫 문단 가\n\n둘째 문단"), ("do", "save")]).await;
    let theirs = edited(&content, &post.id, &[("contents", "첫 문단\n\n둘째 문단 나"), ("do", "save")]).await;
    assert_eq!(send(&admin, &path, &theirs).await.status, 303);
    let merged = send(&editor, &path, &mine).await;
    assert_eq!(merged.status, 412);
    has(&merged, &["서로 겹치지 않는 수정이라", "첫 문단 가\n\n둘째 문단 나", "<ins>"]);
    assert_eq!(working(&content, &post.id).await.unwrap().text().contents, "첫 문단\n\n둘째 문단 나");

    // The same passage: both are shown, and saving again is a decision.
    let mine =
        edited(&content, &post.id, &[("contents", "첫 문단 다\n\n둘째 문단 나"), ("do", "save")]).await;
    let theirs =
        edited(&content, &post.id, &[("contents", "첫 문단 라\n\n둘째 문단 나"), ("do", "save")]).await;
    assert_eq!(send(&admin, &path, &theirs).await.status, 303);
    let conflict = send(&editor, &path, &mine).await;
    assert_eq!(conflict.status, 412);
    has(&conflict, &["같은 부분을 고쳤습니다", "첫 문단 다\n\n둘째 문단 나", "첫 문단 라"]);
    let again =
        edited(&content, &post.id, &[("contents", "첫 문단 다\n\n둘째 문단 나"), ("do", "save")]).await;
    assert_eq!(send(&editor, &path, &again).await.status, 303);
    assert_eq!(working(&content, &post.id).await.unwrap().text().contents, "첫 문단 다\n\n둘째 문단 나");

    // Each sees that the other has the post open.
    let here = format!("{path}/here");
    assert_eq!(editor.post(&here, &[]).await.json()["others"], serde_json::json!([]));
    assert_eq!(admin.post(&here, &[]).await.json()["others"], serde_json::json!(["editor"]));
}

/// Every saved text is in the history with what it changed, and can be restored.
async fn the_history_is_shown_and_restored(on: On) {
    let (server, content) = with_category(on).await;
    let post = draft(&content, "기록").await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let save = edited(&content, &post.id, &[("contents", "첫 문단\n\n다른 문단"), ("do", "save")]).await;
    assert_eq!(send(&editor, &at(&post.id), &save).await.status, 303);
    let path = format!("{}/history", at(&post.id));
    has(
        &editor.get(&path).await,
        &["버전 2", "<del>둘째</del>", "<ins>다른</ins>", "이전 버전에서 바뀐 내용입니다"],
    );
    let first = editor.get(&format!("{path}?version=1")).await;
    has(&first, &["버전 1", "첫 버전입니다", ">복원</button>"]);
    let stale = editor.post(&path, &[("version", "1"), ("revision", "1")]).await;
    assert_eq!(stale.status, 412);
    let restored = editor.post(&path, &[("version", "1"), ("revision", "2")]).await;
    assert_eq!(restored.header("location"), format!("{}?done=version-restored", at(&post.id)));
    assert_eq!(working(&content, &post.id).await.unwrap().text().contents, "첫 문단\n\n둘째 문단");
    let link = editor.post(&format!("{}/share", at(&post.id)), &[("do", "make")]).await;
    has(&link, &["다시 표시하지 않습니다", &format!("/preview/{}/", post.id)]);
}

/// Filters and a search; an action on several posts reports those that it could not change.
async fn posts_are_found_and_changed_together(on: On) {
    let (server, content) = with_category(on).await;
    category(&content, "products", "제품").await;
    let (one, two) = (draft(&content, "첫 글").await, draft(&content, "둘째 글").await);
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let found = editor.get(&format!("{POSTS}?q=둘째+글")).await;
    has(&found, &["둘째 글"]);
    lacks(&found, &["첫 글</"]);
    has(&editor.get(&format!("{POSTS}?category=products")).await, &["글을 찾지 못했습니다"]);
    let both = [("row", &*one.id), ("row", &*two.id), ("do", "publish")];
    assert_eq!(editor.post(POSTS, &both).await.header("location"), format!("{POSTS}?done=posts-changed"));
    for post in [&one, &two] {
        assert!(find_post(&content, &post.id).await.unwrap().is_visible(content.now()));
    }
    lacks(&editor.get(&format!("{POSTS}?state=draft")).await, &["첫 글</"]);
    let some = [("row", &*one.id), ("row", "unknown"), ("do", "unpublish")];
    let partly = editor.post(POSTS, &some).await;
    assert_eq!(partly.status, 409);
    has(&partly, &["변경하지 못한 글:", "unknown"]);
    assert!(!find_post(&content, &one.id).await.unwrap().is_published());
    assert_eq!(
        editor.post(POSTS, &[("do", "delete")]).await.header("location"),
        format!("{POSTS}?done=nothing-selected")
    );
}
