//! Forms that are older than what is stored: refused for another reason first, or shown again after signing in.

use hansang_content::{
    CorpInfo, Event, NewInquiry, PostText, Publication, Save, WebhookText, change_webhook, corp_info,
    create_webhook, find_category, find_post, move_post, publish_post, save_corp_info, save_post, submit,
    working,
};
use hansang_testserver::{On, Response, Visitor, has, lacks};

use super::posts::{at, edited, send};
use super::{START, category, draft, with_category};

hansang_testserver::on_each_store! {
    a_refused_form_of_a_post_stays_old,
    a_step_that_was_done_is_no_conflict,
    a_move_by_another_editor_stays,
    refused_forms_of_lists_stay_old,
    a_kept_form_of_a_post_is_shown,
    kept_forms_of_lists_are_shown,
    a_later_time_for_a_visible_post_is_refused,
    the_dashboard_misses_nothing_old,
}

/// The value of a hidden field of a page.
fn hidden<'p>(page: &'p Response, name: &str) -> &'p str {
    let field = page.text.split(&format!("name=\"{name}\" value=\"")).nth(1);
    field.unwrap_or_else(|| panic!("no {name} in {}", page.text)).split('"').next().unwrap()
}

/// The fields of an editor's form, with the revision and the base that a page has.
fn as_shown(page: &Response, fields: &[(String, String)], change: (&str, &str)) -> Vec<(String, String)> {
    let base = page.text.split("name=\"base.contents\" hidden>\n").nth(1).unwrap();
    let base = base.split("</textarea>").next().unwrap();
    let shown = |name: &str, value: &str| match name {
        "revision" | "base.title" | "base.slug" => hidden(page, name).to_owned(),
        "base.contents" => base.to_owned(),
        name if name == change.0 => change.1.to_owned(),
        _ => value.to_owned(),
    };
    fields.iter().map(|(name, value)| (name.clone(), shown(name, value))).collect()
}

/// Someone else saves a text of a post.
async fn save_elsewhere(content: &hansang_content::Content, id: &str, contents: &str) {
    let now = working(content, id).await.unwrap();
    let text = PostText { contents: contents.to_owned(), ..now.text().clone() };
    let save = Save { text, revision: now.post.revision, keep: true };
    save_post(content, "bob", id, &save).await.unwrap();
}

/// A form with a wrong field is shown again as old as it was: saving it then is a conflict, and no text of others is lost.
async fn a_refused_form_of_a_post_stays_old(on: On) {
    let (server, content) = with_category(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    for (field, wrong, right) in
        [("title", " ", "글"), ("slug", "a b", "geul"), ("publishAt", "soon", "2020-01-01T00:00")]
    {
        let id = draft(&content, "글").await.id;
        let changes = [("contents", "내 문단"), (field, wrong), ("do", "save")];
        let mine = edited(&content, &id, &changes).await;
        save_elsewhere(&content, &id, "다른 사람의 문단").await;
        let refused = send(&editor, &at(&id), &mine).await;
        assert_eq!(refused.status, 400, "{field}");
        assert_eq!(hidden(&refused, "revision"), "1", "{field}");
        has(&refused, &["첫 문단\n\n둘째 문단</textarea>", "내 문단</textarea>"]);
        let stale = send(&editor, &at(&id), &as_shown(&refused, &mine, (field, right))).await;
        assert_eq!(stale.status, 412, "{field}");
        has(&stale, &["다른 사람의 문단", "내 문단"]);
        assert_eq!(working(&content, &id).await.unwrap().text().contents, "다른 사람의 문단");
        // The page with both texts starts from what is stored.
        let decided = send(&editor, &at(&id), &as_shown(&stale, &mine, (field, right))).await;
        assert_eq!(decided.status, 303, "{field}: {}", decided.text);
    }
}

/// A text that was saved before a later step was refused is no change of someone else.
async fn a_step_that_was_done_is_no_conflict(on: On) {
    let (server, content) = with_category(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let id = draft(&content, "글").await.id;
    let changes = [
        ("contents", "새 문단"),
        ("publishAt", "2020-01-02T00:00"),
        ("expiresAt", "2020-01-01T00:00"),
        ("do", "publish"),
    ];
    let mine = edited(&content, &id, &changes).await;
    let refused = send(&editor, &at(&id), &mine).await;
    assert_eq!(refused.status, 400);
    assert_eq!(working(&content, &id).await.unwrap().text().contents, "새 문단", "the text is saved");
    let mut again = as_shown(&refused, &mine, ("expiresAt", "2099-01-01T00:00"));
    again.iter_mut().filter(|(name, _)| name == "contents").for_each(|(_, text)| text.push_str(", 고침"));
    let published = send(&editor, &at(&id), &again).await;
    assert_eq!(published.status, 303, "{}", published.text);
    assert!(find_post(&content, &id).await.unwrap().is_visible(content.now()));
}

/// A stale form does not move a post back that someone else has moved.
async fn a_move_by_another_editor_stays(on: On) {
    let (server, content) = with_category(on).await;
    category(&content, "products", "제품").await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let id = draft(&content, "글").await.id;
    let mine = edited(&content, &id, &[("contents", "내 문단"), ("do", "save")]).await;
    move_post(&content, &id, "products").await.unwrap();
    let stale = send(&editor, &at(&id), &mine).await;
    assert_eq!(stale.status, 412);
    has(&stale, &["name=\"base.categoryId\" value=\"products\"", "<option value=\"products\" selected>"]);
}

/// The same for forms with one page: categories, the company and webhooks.
async fn refused_forms_of_lists_stay_old(on: On) {
    let (server, content) = with_category(on).await;
    let admin = Visitor::sign_in(&server, "admin", "ko").await;
    let invalid_then_stale = async |page: &str, old: &str, wrong: &[(&str, &str)], right: &[(&str, &str)]| {
        let page = format!("{START}/{page}");
        let refused = admin.post(&page, &[wrong, &[("revision", old)]].concat()).await;
        assert_eq!(refused.status, 400, "{page}");
        let shown = hidden(&refused, "revision").to_owned();
        let stale = admin.post(&page, &[right, &[("revision", &shown)]].concat()).await;
        assert_eq!(stale.status, 412, "{page}: revision {shown}");
        // The page shows what is stored, so it starts from that.
        assert_ne!(hidden(&stale, "revision"), old, "{page}");
        has(&stale, &["다른 사람이 저장한 내용"]);
    };
    let old = find_category(&content, "news").await.unwrap().revision;
    hansang_content::change_category(&content, "news", "소식", None, old).await.unwrap();
    let old = old.to_string();
    invalid_then_stale("categories/news", &old, &[("title", " ")], &[("title", "내 소식")]).await;

    let info = corp_info(&content).await.unwrap();
    let other = CorpInfo { email: Some("bob@example.com".to_owned()), ..info };
    save_corp_info(&content, &other).await.unwrap();
    invalid_then_stale("company", "0", &[("email", "x")], &[("email", "ann@example.com")]).await;

    let text = WebhookText {
        url: "https://hooks.example.com/a".to_owned(),
        secret: "a secret of 16 or more".to_owned(),
        events: vec![Event::PostPublished],
        active: true,
    };
    let hook = create_webhook(&content, &text).await.unwrap();
    let other = WebhookText { url: "https://hooks.example.com/b".to_owned(), ..text };
    change_webhook(&content, &hook.id, &other, hook.revision).await.unwrap();
    let (page, old) = (format!("webhooks/{}", hook.id), hook.revision.to_string());
    let (wrong, right) = ([("url", "ftp://x")], [("url", "https://hooks.example.com/c")]);
    let more = [("active", "true"), ("event.post.published", "true")];
    invalid_then_stale(&page, &old, &[&wrong[..], &more].concat(), &[&right[..], &more].concat()).await;
}

/// Values typed before the session ended, or the language changed, are shown again with their revision.
async fn a_kept_form_of_a_post_is_shown(on: On) {
    let (server, content) = with_category(on).await;
    category(&content, "products", "제품").await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let id = draft(&content, "글").await.id;
    let changes = [
        ("title", "입력하던 제목"),
        ("contents", "입력하던 **내용**"),
        ("slug", "typed"),
        ("format", "markdown"),
        ("categoryId", "products"),
        ("publishAt", "2099-01-01T09:00"),
        ("do", "publish"),
    ];
    let typed = edited(&content, &id, &changes).await;
    save_elsewhere(&content, &id, "다른 사람의 문단").await;
    let shown = send(&editor, &format!("{}?.draft=1", at(&id)), &typed).await;
    assert_eq!(shown.status, 200);
    has(
        &shown,
        &[
            "입력한 내용이 그대로 있습니다",
            "name=\"base.title\" value=\"글\"",
            "첫 문단\n\n둘째 문단</textarea>",
            "name=\"title\" value=\"입력하던 제목\"",
            "입력하던 **내용**</textarea>",
            "<strong>내용</strong>",
            "value=\"2099-01-01T09:00\"",
            "<option value=\"products\" selected>",
            "name=\"slug\" value=\"typed\"",
        ],
    );
    assert_eq!(hidden(&shown, "revision"), "1");
    let stale = send(&editor, &at(&id), &as_shown(&shown, &typed, ("do", "save"))).await;
    assert_eq!(stale.status, 412);
    has(&stale, &["다른 사람의 문단"]);
    assert_eq!(working(&content, &id).await.unwrap().text().contents, "다른 사람의 문단");
}

/// The same for a category with its revision, and for the boxes of a webhook.
async fn kept_forms_of_lists_are_shown(on: On) {
    let (server, content) = with_category(on).await;
    let admin = Visitor::sign_in(&server, "admin", "ko").await;
    let old = find_category(&content, "news").await.unwrap().revision;
    hansang_content::change_category(&content, "news", "소식", None, old).await.unwrap();
    let page = format!("{START}/categories/news?.draft=1");
    let shown = admin.post(&page, &[("title", "입력하던 이름"), ("revision", &old.to_string())]).await;
    has(&shown, &["value=\"입력하던 이름\""]);
    assert_eq!(hidden(&shown, "revision"), old.to_string());

    let typed = [("url", "https://hooks.example.com/a"), ("event.post.unpublished", "true")];
    let shown = admin.post(&format!("{START}/webhooks/new?.draft=1"), &typed).await;
    has(
        &shown,
        &["value=\"https://hooks.example.com/a\"", "event.post.unpublished\" value=\"true\" checked"],
    );
    lacks(
        &shown,
        &[
            "event.post.published\" value=\"true\" checked",
            "event.inquiry.created\" value=\"true\" checked",
            "name=\"active\" value=\"true\" checked",
        ],
    );
}

/// A later time for a post that visitors see would hide it: the field says what to do, and the text is kept.
async fn a_later_time_for_a_visible_post_is_refused(on: On) {
    let (server, content) = with_category(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let id = draft(&content, "글").await.id;
    let publish = edited(&content, &id, &[("do", "publish")]).await;
    assert_eq!(send(&editor, &at(&id), &publish).await.status, 303);
    let changes = [("contents", "다음 달 내용"), ("publishAt", "2099-01-01T09:00"), ("do", "publish")];
    let refused = send(&editor, &at(&id), &edited(&content, &id, &changes).await).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["id=\"f-publishAt-problem\"", "먼저 게시를 취소하세요", "다음 달 내용"]);
    let post = find_post(&content, &id).await.unwrap();
    assert!(post.is_visible(content.now()) && post.text.contents != "다음 달 내용");
}

/// An old inquiry that waits is counted, and an old post that is scheduled is listed, however many came since.
async fn the_dashboard_misses_nothing_old(on: On) {
    let (server, content) = with_category(on).await;
    let scheduled = draft(&content, "오래 기다린 글").await;
    let later = Publication { publish_at: "2099-01-01T00:00:00Z".parse().ok(), expires_at: None };
    publish_post(&content, "ann", &scheduled.id, later, 1).await.unwrap();
    let new = NewInquiry {
        name: "홍길동".to_owned(),
        email: "hong@example.com".to_owned(),
        company: "길동상사".to_owned(),
        title: "팀장".to_owned(),
        referral: "검색".to_owned(),
        subject: "오래된 문의".to_owned(),
        message: "기다립니다.".to_owned(),
        consent_version: "2026-11".to_owned(),
        ..NewInquiry::default()
    };
    submit(&content, &new).await.unwrap();
    for number in 0..205 {
        server.later(std::time::Duration::from_secs(1));
        let id = format!("done-{number}");
        let fields = [("id", &*id), ("subject", "끝난 문의")];
        let fields = fields.map(|(name, value)| (name.into(), value.into()));
        content.db.create("ContactInquiry", fields.into()).await.unwrap();
        let done = hansang_content::InquiryStatus::Done;
        hansang_content::set_status(&content, &id, done, None).await.unwrap();
        draft(&content, "초안").await;
    }
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    has(&editor.get(START).await, &["답변할 문의", "오래 기다린 글", "오래된 문의 · 홍길동"]);
}
