//! Categories, banners, the company, authors and webhooks.

use hansang_content::{banners, categories, corp_info, find_category};
use hansang_testserver::{On, Visitor, has, in_order, lacks};

use super::{START, draft, start, with_category};

hansang_testserver::on_each_store! {
    categories_are_kept_in_order,
    banners_are_shown_in_their_period,
    the_company_authors_and_webhooks_are_changed,
}

/// Cs6, Cs7: created, ordered, renamed; one with posts stays.
async fn categories_are_kept_in_order(on: On) {
    let (server, content) = with_category(on).await;
    let list = format!("{START}/categories");
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let new = format!("{list}/new");
    assert_eq!(editor.post(&new, &[("title", "제품")]).await.status, 303);
    let taken = editor.post(&new, &[("title", "다른 제품"), ("slug", "제품")]).await;
    assert_eq!(taken.status, 409);
    has(&taken, &["value=\"다른 제품\""]);
    assert_eq!(editor.post(&new, &[("title", "")]).await.status, 400);
    in_order(&editor.get(&list).await, &["회사 소식", "제품"]);

    let ids = async || categories(&content).await.unwrap().into_iter().map(|one| one.id).collect::<Vec<_>>();
    let before = ids().await;
    assert_eq!(editor.post(&list, &[("up", &*before[1])]).await.status, 303);
    assert_eq!(ids().await, [&*before[1], &*before[0]]);
    let dragged = before.join(",");
    assert_eq!(editor.post(&list, &[("order", &*dragged)]).await.status, 303);
    assert_eq!(ids().await, before);

    let one = format!("{list}/news");
    let revision = find_category(&content, "news").await.unwrap().revision.to_string();
    let renamed = editor.post(&one, &[("title", "소식"), ("desc", "새 소식"), ("revision", &revision)]).await;
    assert_eq!(renamed.status, 303, "{}", renamed.text);
    let stale = editor.post(&one, &[("title", "옛 소식"), ("revision", &revision)]).await;
    assert_eq!(stale.status, 412);
    // Both texts: what was typed in the form, and what is stored beside it.
    has(
        &stale,
        &["value=\"옛 소식\"", "다른 사람이 저장한 내용", "<dd class=\"message\">소식</dd>", "새 소식"],
    );
    draft(&content, "글").await;
    let kept = editor.post(&one, &[("do", "delete")]).await;
    assert_eq!(kept.status, 409);
    has(&kept, &["먼저 글을 옮기거나 삭제하세요"]);
    assert_eq!(editor.post(&format!("{list}/{}", before[1]), &[("do", "delete")]).await.status, 303);
    assert_eq!(ids().await, ["news"]);
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    lacks(&viewer.get(&list).await, &["name=\"up\"", "/categories/new\""]);
    assert_eq!(viewer.post(&list, &[("up", "news")]).await.status, 403);
}

/// C10, Cs30: banners with an order and a period.
async fn banners_are_shown_in_their_period(on: On) {
    let (server, content) = start(on).await;
    let list = format!("{START}/banners");
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    has(&editor.get(&list).await, &["아직 배너가 없습니다"]);
    let new = format!("{list}/new");
    let wrong =
        editor.post(&new, &[("title", ""), ("imgUri", "javascript:alert(1)"), ("publishAt", "soon")]).await;
    assert_eq!(wrong.status, 400);
    let wrong = editor.post(&new, &[("title", ""), ("imgUri", "javascript:alert(1)")]).await;
    has(&wrong, &["f-title-problem", "f-imgUri-problem"]);
    for (title, from) in [("봄 행사", ""), ("여름 행사", "2099-06-01T00:00")] {
        let fields = [("title", title), ("imgUri", "https://example.com/a.png"), ("publishAt", from)];
        let created = editor.post(&new, &fields).await;
        assert_eq!(created.status, 303, "{}", created.text);
    }
    in_order(&editor.get(&list).await, &["봄 행사", "표시 중", "여름 행사", "예약됨"]);
    let stored = banners(&content).await.unwrap();
    assert_eq!(editor.post(&list, &[("down", &*stored[0].id)]).await.status, 303);
    in_order(&editor.get(&list).await, &["여름 행사", "봄 행사"]);
    let (one, revision) =
        (format!("{list}/{}", stored[0].id), banners(&content).await.unwrap()[1].revision.to_string());
    has(&editor.get(&one).await, &["value=\"봄 행사\""]);
    assert_eq!(editor.post(&one, &[("do", "delete"), ("revision", &revision)]).await.status, 303);
    assert_eq!(banners(&content).await.unwrap().len(), 1);
}

/// C11, Cs17: the company, authors and webhooks are those of administrators, as in the API.
async fn the_company_authors_and_webhooks_are_changed(on: On) {
    let (server, content) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let company = format!("{START}/company");
    assert_eq!((editor.get(&company).await.status, editor.post(&company, &[]).await.status), (403, 403));
    lacks(&editor.get(START).await, &["/console/content/company"]);
    let admin = Visitor::sign_in(&server, "admin", "ko").await;
    let wrong = admin.post(&company, &[("email", "nowhere"), ("revision", "0")]).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["f-email-problem", "value=\"nowhere\""]);
    let fields = [("name", "한상 주식회사"), ("email", "office@example.com"), ("revision", "0")];
    assert_eq!(admin.post(&company, &fields).await.status, 303);
    let other = [("name", "다른 회사"), ("email", "office@example.com"), ("revision", "0")];
    let stale = admin.post(&company, &other).await;
    assert_eq!(stale.status, 412, "an older revision");
    has(&stale, &["다른 사람이 저장한 내용", "한상 주식회사", "value=\"다른 회사\""]);
    assert_eq!(corp_info(&content).await.unwrap().name.as_deref(), Some("한상 주식회사"));
    for page in ["authors", "webhooks", "authors/new", "webhooks/new"] {
        assert_eq!(editor.get(&format!("{START}/{page}")).await.status, 403, "{page}");
    }

    let author = [("displayName", "이작가"), ("role", "editor"), ("desc", "글을 씁니다")];
    assert_eq!(admin.post(&format!("{START}/authors/new"), &author).await.status, 303);
    has(&admin.get(&format!("{START}/authors")).await, &["이작가", "편집자"]);
    let hooks = format!("{START}/webhooks");
    let short = [
        ("url", "https://hooks.example.com/a"),
        ("secret", "short"),
        ("active", "true"),
        ("event.post.published", "true"),
    ];
    let refused = admin.post(&format!("{hooks}/new"), &short).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["f-secret-problem"]);
    lacks(&refused, &["value=\"short\""]);
    let good = [
        ("url", "https://hooks.example.com/a"),
        ("secret", "a secret of 16 or more"),
        ("active", "true"),
        ("event.post.published", "true"),
    ];
    let created = admin.post(&format!("{hooks}/new"), &good).await;
    assert_eq!(created.status, 303, "{}", created.text);
    let one = created.header("location").split('?').next().unwrap().to_owned();
    let page = admin.get(&one).await;
    has(&page, &["https://hooks.example.com/a", "아직 발송 기록이 없습니다"]);
    lacks(&page, &["a secret of 16"]);
    assert_eq!(
        admin.post(&one, &[("do", "test")]).await.header("location"),
        format!("{one}?done=test-waits")
    );
    has(&admin.get(&one).await, &["시험 발송", "발송 대기"]);
    assert_eq!(admin.post(&one, &[("do", "delete"), ("revision", "1")]).await.status, 303);
    has(&admin.get(&hooks).await, &["아직 웹훅이 없습니다"]);
}
