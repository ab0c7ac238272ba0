//! Posts: listed, written, published, and edited by two people at once.

use std::time::Duration;

use hansang_content::{
    Content, Format, MAX_CONTENTS, NewPost, PostText, Publication, Standing, create_post, find_post,
    publish_post, working,
};
use hansang_testserver::{On, Response, Server, Visitor, has, lacks};

use super::{POSTS, START, category, draft, start, with_category};

hansang_testserver::on_each_store! {
    a_post_is_written_and_published,
    two_people_edit_one_post,
    a_collision_keeps_the_other_changes_of_both,
    nothing_typed_is_lost,
    every_format_is_edited,
    a_long_korean_post_is_saved,
    several_posts_move_and_keep_their_ends,
    the_history_is_shown_and_restored,
    posts_are_found_and_changed_together,
}

/// The fields of the editor as the page shows them, with some changed.
pub(super) async fn edited(content: &Content, id: &str, changes: &[(&str, &str)]) -> Vec<(String, String)> {
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

pub(super) async fn send(visitor: &Visitor<'_>, path: &str, fields: &[(String, String)]) -> Response {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    visitor.post(path, &fields).await
}

pub(super) fn at(id: &str) -> String {
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
    has(&conflict, &["아래 부분을 함께 고쳤습니다", "첫 문단 다\n\n둘째 문단 나", "첫 문단 라"]);
    let again =
        edited(&content, &post.id, &[("contents", "첫 문단 다\n\n둘째 문단 나"), ("do", "save")]).await;
    assert_eq!(send(&editor, &path, &again).await.status, 303);
    assert_eq!(working(&content, &post.id).await.unwrap().text().contents, "첫 문단 다\n\n둘째 문단 나");

    // Each sees that the other has the post open.
    let here = format!("{path}/here");
    assert_eq!(editor.post(&here, &[]).await.json()["others"], serde_json::json!([]));
    assert_eq!(admin.post(&here, &[]).await.json()["others"], serde_json::json!(["editor"]));
}

/// Where two people changed the same passage, what each of them changed elsewhere is kept all the same.
async fn a_collision_keeps_the_other_changes_of_both(on: On) {
    let (server, content) = with_category(on).await;
    let text = PostText {
        title: "글".to_owned(),
        contents: "하나\n\n둘\n\n셋".to_owned(),
        slug: Some("geul".to_owned()),
        ..PostText::default()
    };
    let new =
        NewPost { category_id: "news".to_owned(), author_id: "ann".to_owned(), text, ..NewPost::default() };
    let id = create_post(&content, "ann", new).await.unwrap().id;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let admin = Visitor::sign_in(&server, "admin", "ko").await;
    let mine = [("contents", "하나 가\n\n둘\n\n셋"), ("title", "내 제목"), ("do", "save")];
    let theirs =
        [("contents", "하나 나\n\n둘\n\n셋\n\n넷"), ("title", "그 제목"), ("slug", "other"), ("do", "save")];
    let (mine, theirs) = (edited(&content, &id, &mine).await, edited(&content, &id, &theirs).await);
    assert_eq!(send(&admin, &at(&id), &theirs).await.status, 303);
    let both = send(&editor, &at(&id), &mine).await;
    assert_eq!(both.status, 412);
    has(
        &both,
        &[
            "하나 가\n\n둘\n\n셋\n\n넷</textarea>",
            "작성한 내용 · 제목",
            "<pre class=\"text\" tabindex=\"0\">그 제목</pre>",
        ],
    );
    has(&both, &["name=\"title\" value=\"내 제목\"", "name=\"slug\" value=\"other\"", "하나 나</pre>"]);
}

/// What is typed is saved before a post is taken back, and an automatic save whose answer was lost is no conflict.
async fn nothing_typed_is_lost(on: On) {
    let (server, content) = with_category(on).await;
    let id = draft(&content, "글").await.id;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let publish = edited(&content, &id, &[("do", "publish")]).await;
    assert_eq!(send(&editor, &at(&id), &publish).await.status, 303);
    let back = edited(&content, &id, &[("contents", "입력하던 내용"), ("do", "unpublish")]).await;
    assert_eq!(
        send(&editor, &at(&id), &back).await.header("location"),
        format!("{}?done=unpublished", at(&id))
    );
    let now = working(&content, &id).await.unwrap();
    assert_eq!((&*now.text().contents, now.post.is_published()), ("입력하던 내용", false));

    let fields = edited(&content, &id, &[("contents", "저절로"), ("do", "save")]).await;
    assert_eq!(send(&editor, &format!("{}/autosave", at(&id)), &fields).await.status, 200);
    assert_eq!(
        send(&editor, &format!("{}/autosave", at(&id)), &fields).await.status,
        200,
        "the answer was lost"
    );
    assert_eq!(send(&editor, &at(&id), &fields).await.status, 303, "the same text with the old revision");
    let other = fields.iter().map(|(name, value)| match &**name {
        "contents" => (name.clone(), "다른 내용".to_owned()),
        _ => (name.clone(), value.clone()),
    });
    assert_eq!(send(&editor, &at(&id), &other.collect::<Vec<_>>()).await.status, 412);
}

/// Plain text of an old post stays plain text, and a wrong document is told.
async fn every_format_is_edited(on: On) {
    let (server, content) = with_category(on).await;
    let text = PostText {
        title: "옛 글".to_owned(),
        contents: "첫 줄\n# 둘째 줄".to_owned(),
        format: Format::Text,
        ..PostText::default()
    };
    let new =
        NewPost { category_id: "news".to_owned(), author_id: "ann".to_owned(), text, ..NewPost::default() };
    let id = create_post(&content, "ann", new).await.unwrap().id;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    has(&editor.get(&at(&id)).await, &["<option value=\"text\" selected>", "첫 줄<br># 둘째 줄"]);
    let save = edited(&content, &id, &[("title", "고친 글"), ("do", "save")]).await;
    assert_eq!(send(&editor, &at(&id), &save).await.status, 303);
    let now = working(&content, &id).await.unwrap();
    assert_eq!((&*now.text().title, now.text().format), ("고친 글", Format::Text));
    let wrong = edited(&content, &id, &[("format", "json"), ("do", "save")]).await;
    let refused = send(&editor, &at(&id), &wrong).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["f-contents-problem", "편집기의 JSON 문서가 아닙니다", "첫 줄\n# 둘째 줄"]);
    let right = [("format", "json"), ("contents", "{\"type\":\"doc\",\"content\":[]}"), ("do", "save")];
    let right = edited(&content, &id, &right).await;
    assert_eq!(send(&editor, &at(&id), &right).await.status, 303);
}

/// The longest Korean post is saved, which a form sends threefold and with the text before; a longer one is told.
async fn a_long_korean_post_is_saved(on: On) {
    let (server, content) = with_category(on).await;
    let id = draft(&content, "긴 글").await.id;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let long = "가".repeat(MAX_CONTENTS / 3);
    let save = edited(&content, &id, &[("contents", &long), ("do", "save")]).await;
    assert_eq!(send(&editor, &at(&id), &save).await.status, 303);
    let longer = format!("{}나", &long[3..]);
    let save = edited(&content, &id, &[("contents", &longer), ("do", "save")]).await;
    assert_eq!(send(&editor, &format!("{}/autosave", at(&id)), &save).await.status, 200);
    assert_eq!(working(&content, &id).await.unwrap().text().contents, longer);
    assert_eq!(editor.post(&format!("{START}/preview"), &[("contents", &long)]).await.status, 200);
    let too_long = edited(&content, &id, &[("contents", &format!("{long}다")), ("do", "save")]).await;
    let refused = send(&editor, &at(&id), &too_long).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["f-contents-problem", "300KB까지"]);
    let far_too_long = edited(&content, &id, &[("contents", &"가".repeat(600_000)), ("do", "save")]).await;
    assert_eq!(send(&editor, &at(&id), &far_too_long).await.status, 413);
}

/// A post that several people could want elsewhere moves with others, and publishing several keeps their ends.
async fn several_posts_move_and_keep_their_ends(on: On) {
    let (server, content) = with_category(on).await;
    category(&content, "products", "제품").await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let ids = [draft(&content, "하나").await.id, draft(&content, "둘").await.id];
    let end = content.now() + Duration::from_secs(3600);
    let publication = Publication { publish_at: None, expires_at: Some(end) };
    publish_post(&content, "ann", &ids[0], publication, 1).await.unwrap();
    has(&editor.get(POSTS).await, &["name=\"to\"", "value=\"move\"", "<option value=\"products\">제품"]);
    let rows = [("row", &*ids[0]), ("row", &*ids[1])];
    let published = editor.post(POSTS, &[&rows[..], &[("do", "publish")]].concat()).await;
    assert_eq!(published.status, 303, "{}", published.text);
    assert_eq!(find_post(&content, &ids[0]).await.unwrap().expires_at, Some(end.as_second()));
    let moved = editor.post(POSTS, &[&rows[..], &[("do", "move"), ("to", "products")]].concat()).await;
    assert_eq!(moved.status, 303, "{}", moved.text);
    for id in &ids {
        let post = find_post(&content, id).await.unwrap();
        assert_eq!((&*post.category_id, post.is_published()), ("products", true));
    }
    let unknown = editor.post(POSTS, &[&rows[..1], &[("do", "move"), ("to", "nowhere")]].concat()).await;
    assert_eq!(unknown.status, 409);
    has(&unknown, &["<code>nowhere</code>"]);
    // In the editor too: also when the form was refused in between.
    let wrong = [("categoryId", "news"), ("publishAt", "soon"), ("do", "save")];
    let refused = send(&editor, &at(&ids[0]), &edited(&content, &ids[0], &wrong).await).await;
    has(&refused, &["name=\"base.categoryId\" value=\"products\"", "<option value=\"news\" selected>"]);
    let move_back = edited(&content, &ids[0], &[("categoryId", "news"), ("do", "save")]).await;
    assert_eq!(send(&editor, &at(&ids[0]), &move_back).await.status, 303);
    assert_eq!(find_post(&content, &ids[0]).await.unwrap().category_id, "news");
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
