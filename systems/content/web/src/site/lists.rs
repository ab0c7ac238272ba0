//! Lists of posts: all of them, those of a category, and the results of a search.

use hansang_content::{Category, Content, Post, categories, next_change, published, render};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::route::Route;
use serde::Serialize;
use serde_json::json;

use super::home::script;
use super::pictures::{Picture, Pictures};
use super::visit::{Head, Visit, category_path, part};
use super::{Page, Site};
use crate::shown;

/// The number of posts of a page.
const POSTS: u32 = 12;
/// The number of characters of an excerpt.
pub(super) const EXCERPT: usize = 110;

/// A post in a list.
#[derive(Serialize)]
pub(super) struct Card {
    title: String,
    url: String,
    excerpt: String,
    image: Option<String>,
    /// The same with its sizes.
    picture: Option<Picture>,
    section: String,
    section_url: Option<String>,
    day: String,
    at: String,
}

#[derive(Serialize)]
struct List {
    title: String,
    desc: Option<String>,
    posts: Vec<Card>,
    /// The address of older posts.
    older: Option<String>,
    /// The address of the newest posts, on an older page.
    newest: Option<String>,
}

impl Site {
    pub(super) fn lists(&self) -> Vec<Route> {
        vec![
            self.page("/posts", async move |desk, visit, _| {
                let title = visit.say("All posts", "전체 글").to_owned();
                let desc =
                    visit.say("Everything we have written, newest first.", "새로운 글부터 모두 모았습니다.");
                list(&desk.content, &visit, None, (title, Some(desc.to_owned())), "/posts".to_owned()).await
            }),
            self.page("/categories/{name}", async move |desk, visit, name: String| {
                let category = shown::category(&desk.content, &name).await?;
                let texts = (category.title.clone(), category.desc.clone());
                let path = category_path(&category);
                list(&desk.content, &visit, Some(category), texts, path).await
            }),
        ]
    }
}

async fn list(
    content: &Content,
    visit: &Visit,
    category: Option<Category>,
    (title, desc): (String, Option<String>),
    path: String,
) -> Result<Page<impl Serialize + use<>>, Error> {
    let until = next_change(content).await?;
    let after = visit.asked.get("after").filter(|after| !after.is_empty());
    let ask = Ask { limit: Some(POSTS), cursor: after.map(str::to_owned), ..Ask::default() };
    let page = published(content, category.as_ref().map(|category| &*category.id), ask).await?;
    let url = visit.url(&path);
    let all = categories(content).await?;
    let trail = json!({
        "@context": "https://schema.org", "@type": "CollectionPage", "name": title, "url": visit.absolute(&path),
    });
    let head = Head {
        title: title.clone(),
        description: desc.clone().unwrap_or_default(),
        // Older pages change with every new post: search engines follow their links and leave them out.
        path: after.is_none().then(|| path.clone()),
        kind: "website",
        data: Some(script(&trail)),
        section: path,
        ..Head::default()
    };
    let context = List {
        title,
        desc,
        posts: cards(visit, &all, &page.posts, &Pictures::of(content, thumbnails(&page.posts), "").await?),
        older: page.next.map(|next| format!("{url}?after={}", part(&next))),
        newest: after.map(|_| url.clone()),
    };
    Ok(Page { template: "posts.html", head, context, until })
}

/// Posts as cards.
pub(super) fn cards(
    visit: &Visit,
    categories: &[Category],
    posts: &[Post],
    pictures: &Pictures,
) -> Vec<Card> {
    let card = |post: &Post| {
        let section = categories.iter().find(|category| category.id == post.category_id);
        let text = render::text(&post.text.contents, post.text.format);
        Card {
            title: post.text.title.clone(),
            url: visit.url(&post_path(post)),
            excerpt: render::excerpt(&text, EXCERPT),
            picture: post.text.thumbnail_url.as_deref().map(|link| pictures.picture(link)),
            image: post.text.thumbnail_url.clone(),
            section: section.map(|category| category.title.clone()).unwrap_or_default(),
            section_url: section.map(|category| visit.url(&category_path(category))),
            day: visit.day(post.published_at()),
            at: post.published_at().to_string(),
        }
    };
    posts.iter().map(card).collect()
}

/// The pictures of posts in a list.
pub(super) fn thumbnails(posts: &[Post]) -> impl Iterator<Item = &str> {
    posts.iter().filter_map(|post| post.text.thumbnail_url.as_deref())
}

/// The path of a post below the site. Old posts may have no slug.
pub(super) fn post_path(post: &Post) -> String {
    format!("/posts/{}", part(post.text.slug.as_ref().unwrap_or(&post.id)))
}
