//! The company.

use hansang_core::Error;
use hansang_http::route::Route;
use serde::Serialize;

use super::visit::{Head, category_path};
use super::{Page, Site};
use crate::shown;

#[derive(Serialize)]
struct About {
    sections: Vec<Section>,
}

#[derive(Serialize)]
struct Section {
    title: String,
    desc: Option<String>,
    url: String,
}

impl Site {
    pub(super) fn about(&self) -> Route {
        self.page("/about", async move |desk, visit, _| {
            let categories = shown::categories(&desk.content).await?;
            let sections = categories.into_iter().map(|category| Section {
                url: visit.url(&category_path(&category)),
                title: category.title,
                desc: category.desc,
            });
            let head = Head {
                title: visit.say("About us", "회사 소개").to_owned(),
                description: visit
                    .say("Who we are and where to find us.", "회사와 연락처를 소개합니다.")
                    .to_owned(),
                path: Some("/about".to_owned()),
                kind: "website",
                section: "about".to_owned(),
                ..Head::default()
            };
            let context = About { sections: sections.collect() };
            Ok::<_, Error>(Page { template: "about.html", head, context, until: None })
        })
    }
}
