//! Feeds and files for programs: RSS, Atom, the map of the site, and the rules for crawlers.

use std::fmt::Write as _;

use axum::http::HeaderMap;
use hansang_content::{Content, Post, categories, next_change, published, render};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use jiff::Timestamp;
use jiff::fmt::rfc2822;

use super::Site;
use super::lists::post_path;
use super::visit::{Visit, category_path, company};
use crate::fresh::Made;

/// The number of posts of a feed.
const POSTS: u32 = 30;
/// The maximum number of addresses of a map, as its format has it.
const MAX_ADDRESSES: usize = 50_000;
/// The number of characters of a summary.
const SUMMARY: usize = 300;

impl Site {
    pub(super) fn feeds(&self) -> Vec<Route> {
        let all = [
            ("/feed.xml", Kind::Rss),
            ("/atom.xml", Kind::Atom),
            ("/sitemap.xml", Kind::Map),
            ("/robots.txt", Kind::Robots),
        ];
        let mut routes: Vec<Route> = all.map(|(path, kind)| self.file(path, kind)).into();
        if !self.desk.settings.site.is_empty() {
            // Crawlers ask for it at the root alone.
            let (path, operation) = ("/robots.txt".to_owned(), "content.site.root.robots".to_owned());
            routes.push(Route { path, operation, ..self.file("/robots.txt", Kind::Robots) });
        }
        routes
    }

    fn file(&self, path: &str, kind: Kind) -> Route {
        self.route(path, move |site: Self, visit: Visit, headers: HeaderMap, _| async move {
            let make = async {
                let made = make(&site.desk.content, &visit, kind);
                Ok::<_, Problem>(site.calls.measured("site.file", made).await?)
            };
            site.desk.fresh.respond(visit.name(), &headers, make).await
        })
    }
}

/// A file for programs.
#[derive(Clone, Copy)]
enum Kind {
    Rss,
    Atom,
    Map,
    Robots,
}

async fn make(content: &Content, visit: &Visit, kind: Kind) -> Result<Made, Error> {
    match kind {
        Kind::Rss => rss(content, visit).await,
        Kind::Atom => atom(content, visit).await,
        Kind::Map => sitemap(content, visit).await,
        Kind::Robots => Ok(robots(visit)),
    }
}

async fn rss(content: &Content, visit: &Visit) -> Result<Made, Error> {
    let (name, posts) = newest(content).await?;
    let home = visit.absolute("/");
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = write!(
        text,
        "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n<title>{}</title>\n<link>{home}</link>\n\
         <description>{}</description>\n<language>{}</language>\n\
         <atom:link href=\"{}\" rel=\"self\" type=\"application/rss+xml\"/>\n",
        escape(&name),
        escape(visit.say("Latest posts", "새 글")),
        visit.language.code(),
        visit.absolute("/feed.xml"),
    );
    for post in &posts {
        let at = post.published_at().to_zoned(visit.zone().clone());
        let _ = write!(
            text,
            "<item>\n<title>{}</title>\n<link>{}</link>\n<guid isPermaLink=\"false\">{}</guid>\n<pubDate>{}</pubDate>\n\
             <description>{}</description>\n</item>\n",
            escape(&post.text.title),
            visit.absolute(&post_path(post)),
            escape(&post.id),
            rfc2822::to_string(&at).unwrap_or_default(),
            escape(&summary(post)),
        );
    }
    text.push_str("</channel>\n</rss>\n");
    Ok(Made { media: "application/rss+xml; charset=utf-8", text, until: next_change(content).await? })
}

async fn atom(content: &Content, visit: &Visit) -> Result<Made, Error> {
    let (name, posts) = newest(content).await?;
    let home = visit.absolute("/");
    let updated = posts.iter().map(Post::text_at).max().unwrap_or(Timestamp::UNIX_EPOCH);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = write!(
        text,
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\">\n<title>{}</title>\n<id>{home}</id>\n\
         <link href=\"{home}\"/>\n<link rel=\"self\" href=\"{}\"/>\n<updated>{updated}</updated>\n<author><name>{}</name></author>\n",
        visit.language.code(),
        escape(&name),
        visit.absolute("/atom.xml"),
        escape(&name),
    );
    for post in &posts {
        let _ = write!(
            text,
            "<entry>\n<title>{}</title>\n<id>{}</id>\n<link href=\"{}\"/>\n<published>{}</published>\n<updated>{}</updated>\n\
             <summary>{}</summary>\n<content type=\"html\">{}</content>\n</entry>\n",
            escape(&post.text.title),
            visit.absolute(&format!("/posts/{}", super::visit::part(&post.id))),
            visit.absolute(&post_path(post)),
            post.published_at(),
            post.text_at(),
            escape(&summary(post)),
            escape(&render::html(&post.text.contents, post.text.format)),
        );
    }
    text.push_str("</feed>\n");
    Ok(Made { media: "application/atom+xml; charset=utf-8", text, until: next_change(content).await? })
}

async fn sitemap(content: &Content, visit: &Visit) -> Result<Made, Error> {
    let until = next_change(content).await?;
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let mut count = 0;
    let add = |text: &mut String, path: &str, at: Option<Timestamp>| {
        let at = at.map(|at| format!("<lastmod>{at}</lastmod>")).unwrap_or_default();
        let _ = writeln!(text, "<url><loc>{}</loc>{at}</url>", visit.absolute(path));
    };
    for path in ["/", "/about", "/posts", "/contact"] {
        add(&mut text, path, None);
    }
    for category in categories(content).await? {
        add(&mut text, &category_path(&category), None);
    }
    let mut cursor = None;
    loop {
        let page = published(content, None, Ask { limit: Some(100), cursor, ..Ask::default() }).await?;
        for post in &page.posts {
            add(&mut text, &post_path(post), Some(post.text_at()));
            count += 1;
        }
        match page.next {
            Some(next) if count < MAX_ADDRESSES - 1_000 => cursor = Some(next),
            _ => break,
        }
    }
    text.push_str("</urlset>\n");
    Ok(Made { media: "application/xml; charset=utf-8", text, until })
}

fn robots(visit: &Visit) -> Made {
    let text = format!(
        "User-agent: *\nDisallow: /console\nDisallow: /api/\nDisallow: {}\nDisallow: {}\n\nSitemap: {}\n",
        visit.url("/search"),
        visit.url("/preview"),
        visit.absolute("/sitemap.xml"),
    );
    Made { media: "text/plain; charset=utf-8", text, until: None }
}

/// The name of the company and its latest posts.
async fn newest(content: &Content) -> Result<(String, Vec<Post>), Error> {
    let name = company(content).await?.name.unwrap_or_else(|| "Hansang".to_owned());
    let posts = published(content, None, Ask { limit: Some(POSTS), ..Ask::default() }).await?.posts;
    Ok((name, posts))
}

fn summary(post: &Post) -> String {
    render::excerpt(&render::text(&post.text.contents, post.text.format), SUMMARY)
}

/// Escapes text for XML, without the characters that XML cannot have.
fn escape(text: &str) -> String {
    let is_text =
        |c: char| !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')) || matches!(c, '\n' | '\t');
    let text: String = text.chars().filter(|c| is_text(*c)).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader rejects a whole feed for one character that XML cannot have.
    #[test]
    fn characters_that_xml_cannot_have_are_left_out() {
        assert_eq!(escape("a\u{fffe}\u{ffff}\u{0}\u{7f}<b>\n\t가"), "a&lt;b&gt;\n\t가");
    }
}
