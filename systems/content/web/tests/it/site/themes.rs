//! Themes.

use std::fs;
use std::sync::Arc;

use hansang_command::{Config, Given};
use hansang_content::MODEL;
use hansang_content_web::ContentSystem;
use hansang_server::System;
use hansang_testserver::{On, Server, has, lacks, settings};

use super::{open, with};

/// Opens the system with a theme, which may be refused.
async fn refusal(directory: &str) -> String {
    let system: Arc<dyn System> = Arc::new(ContentSystem);
    let server = Server::of_system(On::Embedded, system.clone(), settings()).await;
    let given = Given { file: None, values: [("content-theme", directory.to_owned())].into() };
    let config = Config::resolve(system.settings().to_vec(), given, |_| None).unwrap();
    let own = server.db(MODEL);
    let opening = hansang_server::Opening {
        config: &config,
        db: own.clone(),
        own,
        queue: None,
        open_files: hansang_testserver::open_files,
        open_cache: hansang_testserver::open_cache,
        secret: &[7; 32],
        local: false,
        before: None,
    };
    match system.open(opening).await {
        Ok(_) => panic!("the theme was taken"),
        Err(failure) => format!("{failure:?}"),
    }
}

/// The second theme: its files replace those of the first, and the rest stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_theme_changes_the_look() {
    let theme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/themes/paper");
    let server = with(On::Embedded, &[("content-theme", theme)]).await;
    let home = open(&server, "/site", "ko").await;
    has(&home, &["class=\"masthead\"", "청주에 두 번째 조리장이"]);
    lacks(&home, &["class=\"hero\""]);
    for path in
        ["/site/posts", "/site/posts/nine-side-dishes-one-box", "/site/about", "/site/contact", "/site/none"]
    {
        has(&open(&server, path, "ko").await, &["class=\"masthead\"", "한상푸드"]);
    }
    let style = home.text.split("href=\"/site/theme/style.css?v=").nth(1).unwrap().split('"').next().unwrap();
    let style = open(&server, &format!("/site/theme/style.css?v={style}"), "ko").await;
    has(&style, &[".masthead"]);
    assert_eq!(style.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(open(&server, "/site/theme/style.css", "ko").await.header("cache-control"), "no-cache");
    assert_eq!(open(&server, "/site/theme/home.html", "ko").await.status, 404);
}

/// A mistake in a theme is told when the server starts, with its line.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_theme_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    fs::write(directory.path().join("home.html"), "<p>\n{% if %}</p>").unwrap();
    let told = refusal(path).await;
    assert!(told.contains("home.html") && told.contains("line 2"), "{told}");
    fs::remove_file(directory.path().join("home.html")).unwrap();
    fs::write(directory.path().join("run.php"), "").unwrap();
    assert!(refusal(path).await.contains("sites have no files of this kind"));
    assert!(refusal("/no/such/directory").await.contains("/no/such/directory"));
}
