//! The first page: banners, the latest posts, the sections.

use hansang_content::{Banner, Content, categories, next_change, published, visible_banners};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::route::Route;
use serde::Serialize;
use serde_json::json;

use super::lists::{Card, cards, thumbnails};
use super::pictures::{Picture, Pictures};
use super::visit::{Head, Visit, category_path, company};
use super::{Page, Site};

/// The number of posts on the page.
const POSTS: u32 = 7;

#[derive(Serialize)]
struct Home {
    banners: Vec<Shown>,
    posts: Vec<Card>,
    sections: Vec<Section>,
}

#[derive(Serialize)]
struct Shown {
    title: String,
    desc: Option<String>,
    image: String,
    /// The same with its sizes.
    picture: Picture,
    buttons: Vec<Button>,
}

#[derive(Serialize)]
struct Button {
    text: String,
    url: String,
}

#[derive(Serialize)]
struct Section {
    title: String,
    desc: Option<String>,
    url: String,
}

impl Site {
    pub(super) fn home(&self) -> Route {
        self.page("", async move |desk, visit, _| {
            let content = &desk.content;
            let until = next_change(content).await?;
            let posts = published(content, None, Ask { limit: Some(POSTS), ..Ask::default() }).await?.posts;
            let banners = visible_banners(content).await?;
            let links = banners.iter().map(|banner| &*banner.text.img_uri).chain(thumbnails(&posts));
            let pictures = Pictures::of(content, links, "").await?;
            let banners = banners.into_iter().map(|banner| of(&visit, banner, &pictures)).collect();
            let all = categories(content).await?;
            let sections = all.iter().map(|category| Section {
                title: category.title.clone(),
                desc: category.desc.clone(),
                url: visit.url(&category_path(category)),
            });
            let context =
                Home { banners, posts: cards(&visit, &all, &posts, &pictures), sections: sections.collect() };
            let head = head(content, &visit).await?;
            Ok::<_, Error>(Page { template: "home.html", head, context, until })
        })
    }
}

fn of(visit: &Visit, banner: Banner, pictures: &Pictures) -> Shown {
    let text = banner.text;
    // Buttons of old banners have no links: the first leads to the posts, the second to the contact form.
    let buttons = [(text.btn1_text, text.btn1_url, "/posts"), (text.btn2_text, text.btn2_url, "/contact")];
    let buttons = buttons.into_iter().filter_map(|(text, url, path)| {
        Some(Button { text: text?, url: url.unwrap_or_else(|| visit.url(path)) })
    });
    let picture = pictures.picture(&text.img_uri);
    Shown { title: text.title, desc: text.desc, picture, image: text.img_uri, buttons: buttons.collect() }
}

async fn head(content: &Content, visit: &Visit) -> Result<Head, Error> {
    let company = company(content).await?;
    let name = company.name.clone().unwrap_or_default();
    let url = visit.absolute("/");
    let data = json!([
        {
            "@context": "https://schema.org", "@type": "Organization", "name": name, "url": url,
            "email": company.email, "address": company.address, "faxNumber": company.fax,
        },
        {
            "@context": "https://schema.org", "@type": "WebSite", "name": name, "url": url,
            "potentialAction": {
                "@type": "SearchAction", "query-input": "required name=q",
                "target": format!("{}?q={{q}}", visit.absolute("/search")),
            },
        },
    ]);
    Ok(Head {
        description: visit
            .say("News, products and people of our company.", "회사 소식과 제품, 사람들의 이야기를 전합니다.")
            .to_owned(),
        path: Some("/".to_owned()),
        kind: "website",
        data: Some(script(&data)),
        section: "home".to_owned(),
        ..Head::default()
    })
}

/// JSON that can stand in a script element.
pub(super) fn script(json: &serde_json::Value) -> String {
    json.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
