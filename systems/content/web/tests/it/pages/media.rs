//! The media library: uploads, what shows a picture, and pictures on the site.

use axum::body::Body;
use axum::http::Method;
use hansang_content::{
    Content, MODEL, NewPost, PostText, Publication, Save, create_post, publish_post, save_post,
};
use hansang_testserver::{On, Visitor, has, lacks};

use super::START;
use crate::site::{open, with};

hansang_testserver::on_each_store! {
    a_picture_is_uploaded_and_used,
    wrong_files_are_refused,
}

const PICTURE: &[u8] = include_bytes!("../../../src/demo/soup.png");

fn media() -> String {
    format!("{START}/media")
}

/// C6: a picture is uploaded, described and shown in sizes; while a post shows it, it is not deleted.
async fn a_picture_is_uploaded_and_used(on: On) {
    let folder = tempfile::tempdir().unwrap();
    let server = with(on, &[("content-files", folder.path().to_str().unwrap())]).await;
    let content = Content::new(server.db(MODEL));
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    has(&editor.get(&media()).await, &["아직 미디어가 없습니다", "action=\"/console/content/media/upload\""]);
    assert_eq!(editor.get(&format!("{}/upload", media())).await.header("location"), media());
    let upload = format!("{}/upload", media());
    let created = editor.upload_with(&upload, "국.png", PICTURE, &[("alt", "뜨거운 국")]).await;
    assert_eq!(created.status, 303, "{}", created.text);
    let one = created.header("location").split('?').next().unwrap().to_owned();
    let id = one.rsplit('/').next().unwrap().to_owned();
    has(&editor.get(&media()).await, &["국.png", "alt=\"뜨거운 국\"", &format!("/media/{id}/")]);
    has(&editor.get(&one).await, &["국.png", "뜨거운 국", "쓰인 곳이 없습니다"]);

    let described =
        [("filename", "soup.png"), ("alt", "된장국"), ("focusX", "20"), ("focusY", "75"), ("revision", "2")];
    let revision = hansang_content::find_media(&content, &id).await.unwrap().revision.to_string();
    let described =
        described.map(|(name, value)| (name, if name == "revision" { &*revision } else { value }));
    let saved = editor.post(&one, &described).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let other = described.map(|(name, value)| (name, if name == "alt" { "다른 국" } else { value }));
    let stale = editor.post(&one, &other).await;
    assert_eq!(stale.status, 412);
    has(&stale, &["다른 사람이 저장한 내용", "<dd class=\"message\">된장국</dd>", "다른 국"]);
    let wrong = [("filename", "x"), ("focusX", "101"), ("focusY", "1"), ("revision", "3")];
    has(&editor.post(&one, &wrong).await, &["f-focusX-problem"]);
    // A wrong field does not make an old form new.
    let wrong = [("filename", "x"), ("focusX", "101"), ("focusY", "1"), ("revision", &*revision)];
    let field = format!("name=\"revision\" value=\"{revision}\"");
    has(&editor.post(&one, &wrong).await, &["f-focusX-problem"]);
    has(&editor.post(&one, &wrong).await, &[&field]);

    // The picture in a post, and as its thumbnail.
    let text = PostText {
        title: "국".to_owned(),
        contents: format!("![국](/media/{id}/original.png)"),
        thumbnail_url: Some(format!("/media/{id}/original.png")),
        ..PostText::default()
    };
    let new =
        NewPost { category_id: "c001".to_owned(), author_id: "ann".to_owned(), text, ..NewPost::default() };
    let new =
        NewPost { category_id: hansang_content::categories(&content).await.unwrap()[0].id.clone(), ..new };
    let post = create_post(&content, "ann", new).await.unwrap();
    let post = publish_post(&content, "ann", &post.id, Publication::default(), 1).await.unwrap();
    has(&editor.get(&one).await, &[&format!("/console/content/posts/{}", post.id)]);
    let shown = open(&server, "/site/posts/국", "ko").await;
    assert_eq!(shown.status, 200);
    has(
        &shown,
        &[
            &format!("/media/{id}/320.jpg 320w"),
            "sizes=\"(min-width: 46rem) 44rem, 92vw\"",
            "loading=\"lazy\" decoding=\"async\"",
            "class=\"fx20 fy80\"",
        ],
    );
    has(&open(&server, "/site/posts", "ko").await, &["320w", "fx20 fy80"]);
    let file = open(&server, &format!("/media/{id}/original.png"), "ko").await;
    assert_eq!((file.status, file.header("content-type")), (200, "image/png"));
    assert_eq!(
        open(&server, &format!("/media/{id}/320.jpg"), "ko").await.header("content-type"),
        "image/jpeg"
    );
    for missing in [format!("/media/{id}/321.webp"), "/media/none/original.png".to_owned()] {
        assert_eq!(open(&server, &missing, "ko").await.status, 404, "{missing}");
    }

    let delete = async || {
        let revision = hansang_content::find_media(&content, &id).await.unwrap().revision.to_string();
        editor.post(&one, &[("do", "delete"), ("revision", &revision)]).await
    };
    let kept = delete().await;
    assert_eq!(kept.status, 409);
    has(&kept, &["사용 중인 미디어입니다"]);
    let save = Save {
        text: PostText { title: "국".to_owned(), ..PostText::default() },
        revision: post.revision,
        keep: true,
    };
    let saved = save_post(&content, "ann", &post.id, &save).await.unwrap().post;
    publish_post(&content, "ann", &post.id, Publication::default(), saved.revision).await.unwrap();
    assert_eq!(delete().await.status, 303);
    assert_eq!(open(&server, &format!("/media/{id}/original.png"), "ko").await.status, 404);
}

/// Settled: what is no picture is refused whatever its name is, and only editors upload.
async fn wrong_files_are_refused(on: On) {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("content-files", folder.path().to_str().unwrap()), ("content-upload-mb", "1")];
    let server = with(on, &settings).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let upload = format!("{}/upload", media());
    let page = b"<!doctype html><script>alert(1)</script>";
    let large = vec![0; 2 << 20];
    for (name, bytes, why) in [
        ("page.jpg", &page[..], "이 파일의 내용은 다른 형식입니다"),
        ("empty.png", b"", "이 파일의 내용은 다른 형식입니다"),
        ("large.png", &large, "파일이 1MB보다 큽니다"),
        ("", PICTURE, "파일을 선택하세요"),
    ] {
        let refused = editor.upload(&upload, name, bytes).await;
        assert_eq!(refused.status, 400, "{name}");
        has(&refused, &[why, "아직 미디어가 없습니다"]);
    }

    let insert = format!("{}/insert", media());
    let inserted = editor.upload(&insert, "pasted.png", PICTURE).await.json();
    assert_eq!(inserted["alt"], "pasted");
    assert!(inserted["url"].as_str().unwrap().starts_with("/media/"), "{inserted}");
    assert_eq!(editor.upload(&insert, "page.jpg", page).await.status, 400);
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    for path in [&upload, &insert] {
        assert_eq!(viewer.upload(path, "a.png", PICTURE).await.status, 403);
    }
    // A form of another site does not know the secret of the session.
    let forged = "--part\r\ncontent-disposition: form-data; name=\"csrf\"\r\n\r\nguess\r\n--part--\r\n";
    let headers = [("cookie", editor.cookie()), ("content-type", "multipart/form-data; boundary=part")];
    let refused = server.page(Method::POST, &upload, &headers, Body::from(forged)).await;
    assert_eq!(refused.status, 403);
    lacks(&editor.get(&media()).await, &["page.jpg"]);
}
