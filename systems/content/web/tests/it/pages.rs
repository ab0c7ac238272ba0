//! The pages of editors and managers, as a browser without scripts sees them.

mod bucket;
mod inbox;
mod manage;
mod media;
mod posts;
mod stale;

use std::sync::Arc;

use hansang_content::{Content, NewCategory, NewPost, Post, PostText, create_category, create_post};
use hansang_content_web::ContentSystem;
use hansang_testserver::{On, Server, settings};

const START: &str = "/console/content";
const POSTS: &str = "/console/content/posts";

async fn start(on: On) -> (Server, Content) {
    let server = Server::of_system(on, Arc::new(ContentSystem), settings()).await;
    let content = Content::new(server.db(hansang_content::MODEL));
    (server, content)
}

/// A server with the category `news`.
async fn with_category(on: On) -> (Server, Content) {
    let (server, content) = start(on).await;
    category(&content, "news", "회사 소식").await;
    (server, content)
}

async fn category(content: &Content, id: &str, title: &str) {
    let new = NewCategory { id: Some(id.to_owned()), title: title.to_owned(), ..NewCategory::default() };
    create_category(content, new).await.unwrap();
}

/// A draft in `news`.
async fn draft(content: &Content, title: &str) -> Post {
    let text = PostText {
        title: title.to_owned(),
        contents: "첫 문단\n\n둘째 문단".to_owned(),
        ..PostText::default()
    };
    let new =
        NewPost { category_id: "news".to_owned(), author_id: "ann".to_owned(), text, ..NewPost::default() };
    create_post(content, "ann", new).await.unwrap()
}
