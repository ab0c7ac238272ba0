//! A post. Its old addresses lead to it, also that with its id.

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use hansang_content::{
    Addressed, Content, ContentCode, Post, PostText, Previewed, categories, find_user, next_change,
    post_by_slug, previewed_post, published, render, visible_post,
};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use serde::Serialize;
use serde_json::json;

use super::home::script;
use super::lists::{Card, cards, post_path, thumbnails};
use super::pictures::{Picture, Pictures};
use super::visit::{Head, Visit, category_path, company};
use super::{Page, Site};

/// The number of characters of a description for search engines.
const DESCRIPTION: usize = 150;
/// The number of other posts below a post.
const OTHERS: usize = 3;
/// The characters that a person reads in a minute.
const CHARACTERS_A_MINUTE: usize = 500;

/// What the page of a post shows.
#[derive(Serialize)]
pub(super) struct Article {
    title: String,
    html: String,
    image: Option<String>,
    /// The same with its sizes.
    picture: Option<Picture>,
    section: Option<Section>,
    author: Option<String>,
    day: String,
    at: String,
    changed: Option<String>,
    minutes: usize,
    others: Vec<Card>,
    /// Whether it is a preview of a text that is not published.
    preview: bool,
}

#[derive(Serialize)]
struct Section {
    title: String,
    url: String,
}

impl Site {
    pub(super) fn post_pages(&self) -> Vec<Route> {
        vec![
            self.route(
                "/posts/{name}",
                async move |site: Self, visit: Visit, headers: HeaderMap, name: String| {
                    let content = &site.desk.content;
                    if let Some(response) = site.desk.fresh.find(&visit.name(), &headers) {
                        return Ok(response);
                    }
                    let found = site.calls.measured("site.post", find(content, &name)).await?;
                    let post = match found {
                        Found::At(path) => return Ok(to(&visit, &path)),
                        Found::Post(post) => post,
                    };
                    let make = async {
                        let page = article(content, &visit, &post, &post.text, false).await?;
                        site.render(&visit, page).await
                    };
                    site.desk.fresh.respond(visit.name(), &headers, make).await
                },
            ),
            self.route("/preview/{post}/{name}", async move |site: Self, visit: Visit, _, token: String| {
                let content = &site.desk.content;
                let id = visit.parameter("post");
                let shown = previewed_post(content, &id, &token);
                let Previewed { post, text } = site.calls.measured("site.preview", shown).await?;
                let page = article(content, &visit, &post, &text, true).await?;
                site.once(&visit, StatusCode::OK, page).await
            }),
        ]
    }
}

/// The result of looking an address up.
enum Found {
    Post(Box<Post>),
    /// The post has this address.
    At(String),
}

/// The post of a slug or an id.
async fn find(content: &Content, name: &str) -> Result<Found, Error> {
    match post_by_slug(content, name).await {
        Ok(Addressed::Post(post)) => Ok(Found::Post(post)),
        Ok(Addressed::Moved(slug)) => Ok(Found::At(format!("/posts/{}", super::visit::part(&slug)))),
        Err(error) if error.code == ContentCode::PostUnknown => {
            let post = visible_post(content, name).await?;
            Ok(if post.text.slug.is_some() {
                Found::At(post_path(&post))
            } else {
                Found::Post(Box::new(post))
            })
        }
        Err(error) => Err(error),
    }
}

fn to(visit: &Visit, path: &str) -> Response {
    Redirect::permanent(&visit.url(path)).into_response()
}

/// The page of a post with one of its texts.
pub(super) async fn article(
    content: &Content,
    visit: &Visit,
    post: &Post,
    text: &PostText,
    preview: bool,
) -> Result<Page<Article>, Problem> {
    let until = next_change(content).await?;
    let all = categories(content).await?;
    let category = all.iter().find(|category| category.id == post.category_id);
    let plain = render::text(&text.contents, text.format);
    let author = author(content, &post.author_id).await?;
    let ask = Ask { limit: Some(OTHERS as u32 + 1), ..Ask::default() };
    let mut others = published(content, Some(&post.category_id), ask).await?.posts;
    others.retain(|other| other.id != post.id);
    others.truncate(OTHERS);
    let (published_at, path) = (post.published_at(), post_path(post));
    let is_changed = visit.day(post.text_at()) != visit.day(published_at);
    let image = text.thumbnail_url.as_deref().map(|image| visit.picture(image));
    let thumbnail = text.thumbnail_url.as_deref();
    let html = render::html(&text.contents, text.format);
    let pictures = Pictures::of(content, thumbnail.into_iter().chain(thumbnails(&others)), &html).await?;
    let publisher = company(content).await?.name;
    let description = render::excerpt(&plain, DESCRIPTION);
    let mut data = vec![json!({
        "@context": "https://schema.org", "@type": "BlogPosting", "headline": text.title, "description": description,
        "datePublished": published_at.to_string(), "dateModified": post.text_at().to_string(),
        "mainEntityOfPage": visit.absolute(&path), "image": image,
        "author": author.as_ref().map(|name| json!({ "@type": "Person", "name": name })),
        "publisher": publisher.map(|name| json!({ "@type": "Organization", "name": name })),
    })];
    data.extend(category.map(|category| {
        let step = |position: u8, name: &str, path: &str| {
            json!({ "@type": "ListItem", "position": position, "name": name, "item": visit.absolute(path) })
        };
        json!({
            "@context": "https://schema.org", "@type": "BreadcrumbList",
            "itemListElement": [step(1, &category.title, &category_path(category)), step(2, &text.title, &path)],
        })
    }));
    let head = Head {
        title: text.title.clone(),
        description,
        path: (!preview).then_some(path),
        image: text.thumbnail_url.clone(),
        kind: "article",
        data: (!preview).then(|| script(&data.into())),
        section: category.map(category_path).unwrap_or_default(),
    };
    let context = Article {
        title: text.title.clone(),
        html: pictures.in_text(&html),
        picture: thumbnail.map(|link| pictures.picture(link)),
        image: text.thumbnail_url.clone(),
        section: category.map(|category| Section {
            title: category.title.clone(),
            url: visit.url(&category_path(category)),
        }),
        author,
        day: visit.day(published_at),
        at: published_at.to_string(),
        changed: is_changed.then(|| visit.day(post.text_at())),
        minutes: plain.chars().count().div_ceil(CHARACTERS_A_MINUTE).max(1),
        others: cards(visit, &all, &others, &pictures),
        preview,
    };
    Ok(Page { template: "post.html", head, context, until })
}

/// The name of an author, if it is a known one.
async fn author(content: &Content, id: &str) -> Result<Option<String>, Error> {
    match find_user(content, id).await {
        Ok(user) => Ok(Some(user.text.display_name)),
        Err(error) if error.code == ContentCode::UserUnknown => Ok(None),
        Err(error) => Err(error),
    }
}
