//! One request of a visitor: the language, the address, and what every page shows.

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::Response;
use hansang_content::Content;
use hansang_core::message::Language;
use hansang_core::{Error, Item};
use hansang_http::form::Form;
use hansang_http::guard::cookie;
use hansang_http::headers::PublicPage;
use hansang_ui::language::accepted;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use crate::settings::Settings;
use crate::shown;

/// The cookie with the chosen language of the site.
const LANGUAGE: &str = "site_language";

/// A visitor of a page.
#[derive(Clone)]
pub(super) struct Visit {
    /// The language of the page.
    pub(super) language: Language,
    /// The path of the site, without a slash at its end.
    pub(super) base: String,
    /// The scheme and the host of the site.
    pub(super) origin: String,
    /// The path of the page, as the visitor asked for it.
    pub(super) path: String,
    /// The parameters of the page.
    pub(super) asked: Form,
    query: String,
    /// Whether the visitor has just chosen the language.
    chose: bool,
    zone: TimeZone,
}

/// What search engines and browsers are told of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Head {
    /// The title, without that of the site.
    pub(super) title: String,
    /// The description.
    pub(super) description: String,
    /// The path of its one address below the site; none if search engines leave the page out.
    pub(super) path: Option<String>,
    /// The address of a picture for previews.
    pub(super) image: Option<String>,
    /// `website` or `article`.
    pub(super) kind: &'static str,
    /// The page as data for search engines, as JSON.
    pub(super) data: Option<String>,
    /// The part of the menu that the page belongs to.
    pub(super) section: String,
}

/// What every page shows.
#[derive(Debug, Serialize)]
pub(super) struct Frame {
    company: Company,
    menu: Vec<Link>,
    year: i16,
}

/// A link of the menu.
#[derive(Debug, Serialize)]
struct Link {
    title: String,
    url: String,
    section: String,
}

/// The company, as it has entered itself.
#[derive(Debug, Default, Serialize)]
pub(super) struct Company {
    pub(super) name: Option<String>,
    pub(super) address: Option<String>,
    pub(super) email: Option<String>,
    pub(super) fax: Option<String>,
    pub(super) number: Option<String>,
    pub(super) ceo: Option<String>,
    pub(super) home: Option<String>,
}

impl Visit {
    pub(super) fn of(settings: &Settings, tls: bool, uri: &Uri, headers: &HeaderMap) -> Self {
        let query = uri.query().unwrap_or_default().to_owned();
        let asked = Form::parse(query.as_bytes());
        let of =
            |code: &str| [Language::Korean, Language::English].into_iter().find(|one| one.code() == code);
        let chosen = asked.get("lang").and_then(of);
        let language = chosen
            .or_else(|| cookie(headers, LANGUAGE).and_then(of))
            .unwrap_or_else(|| accepted(headers, &[Language::Korean, Language::English]));
        let scheme = if tls { "https" } else { "http" };
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let host = if is_host(host) { host } else { "localhost" };
        Self {
            language,
            base: settings.site.clone(),
            origin: settings.address.clone().unwrap_or_else(|| format!("{scheme}://{host}")),
            path: uri.path().to_owned(),
            asked,
            query,
            chose: chosen.is_some(),
            zone: settings.zone.clone(),
        }
    }

    /// The name of the page among kept responses.
    pub(super) fn name(&self) -> String {
        format!("{} {}{}?{}", self.language.code(), self.origin, self.path, self.query)
    }

    /// One of two texts.
    pub(super) fn say<'t>(&self, english: &'t str, korean: &'t str) -> &'t str {
        self.language.say(english, korean)
    }

    /// An address below the site.
    pub(super) fn url(&self, path: &str) -> String {
        if path == "/" && self.base.is_empty() {
            "/".to_owned()
        } else {
            format!("{}{}", self.base, path.trim_end_matches('/'))
        }
    }

    /// An address below the site with its scheme and host.
    pub(super) fn absolute(&self, path: &str) -> String {
        format!("{}{}", self.origin, self.url(path))
    }

    /// The whole address of a picture, which may be on another site.
    pub(super) fn picture(&self, url: &str) -> String {
        if url.starts_with('/') { format!("{}{url}", self.origin) } else { url.to_owned() }
    }

    /// The same page in another language.
    pub(super) fn in_language(&self, code: &str) -> String {
        let kept = self.asked.pairs().filter(|(name, _)| *name != "lang");
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(kept).append_pair("lang", code);
        format!("{}?{}", self.path, query.finish())
    }

    /// A day as people read it.
    pub(super) fn day(&self, at: Timestamp) -> String {
        let day = at.to_zoned(self.zone.clone());
        match self.language {
            Language::Korean => day.strftime("%Y년 %-m월 %-d일").to_string(),
            _ => day.strftime("%b %-d, %Y").to_string(),
        }
    }

    /// The time zone of the site.
    pub(super) fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The parts that every page shows.
    pub(super) async fn frame(&self, content: &Content) -> Result<Frame, Error> {
        let company = company(content).await?;
        let mut menu = vec![self.link(self.say("About", "회사 소개"), "/about", "about")];
        for category in shown::categories(content).await? {
            let path = category_path(&category);
            menu.push(self.link(&category.title, &path, &path));
        }
        menu.push(self.link(self.say("Contact", "문의"), "/contact", "contact"));
        let year = content.now().to_zoned(self.zone.clone()).year();
        Ok(Frame { company, menu, year })
    }

    fn link(&self, title: &str, path: &str, section: &str) -> Link {
        Link { title: title.to_owned(), url: self.url(path), section: section.to_owned() }
    }

    /// Adds the headers of a page of the site.
    pub(super) fn finish(&self, mut response: Response) -> Response {
        response.extensions_mut().insert(PublicPage);
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("accept-language, cookie"));
        if self.chose {
            let path = if self.base.is_empty() { "/" } else { &self.base };
            let kept = format!(
                "{LANGUAGE}={}; Path={path}; Max-Age=31536000; HttpOnly; SameSite=Lax",
                self.language.code()
            );
            if let Ok(kept) = HeaderValue::try_from(kept) {
                headers.append(header::SET_COOKIE, kept);
                // A response with a cookie is for one visitor.
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
            }
        }
        response
    }
}

impl Frame {
    /// The name of the company; that of the product before a company has entered itself.
    pub(super) fn name(&self) -> &str {
        self.company.name.as_deref().unwrap_or("Hansang")
    }
}

/// A text as a part of a path.
pub(super) fn part(text: &str) -> String {
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    utf8_percent_encode(text, KEPT).to_string()
}

/// The path of a category below the site.
pub(super) fn category_path(category: &hansang_content::Category) -> String {
    let name = category.slug.as_ref().unwrap_or(&category.id);
    format!("/categories/{}", part(name))
}

/// The company.
pub(super) async fn company(content: &Content) -> Result<Company, Error> {
    let Some(record) = content.db.get("CorpInfo", &Item::new(), &Default::default()).await? else {
        return Ok(Company::default());
    };
    let text = |name: &str| record.text(name).filter(|text| !text.trim().is_empty()).map(str::to_owned);
    Ok(Company {
        name: text("name"),
        address: text("address"),
        email: text("email"),
        fax: text("fax"),
        number: text("corpNum"),
        ceo: text("ceo"),
        home: text("hp"),
    })
}

/// Whether a text can be the host of a link.
fn is_host(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 256
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte))
}
