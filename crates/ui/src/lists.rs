//! The chosen columns of lists and the density of their rows, remembered in cookies.

use axum::http::HeaderMap;
use hansang_http::form::Form;
use hansang_http::guard::cookie;

/// The cookie with the chosen columns: `list:column.column~list:…`, the newest choice first.
pub const COLUMNS_COOKIE: &str = "hansang_columns";
/// The cookie with the density of rows.
pub const DENSITY_COOKIE: &str = "hansang_density";

/// The maximum size of the cookie. The oldest choices are dropped.
const MAX_BYTES: usize = 3000;

/// The choices of a visitor.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// Names of lists, and the columns to show in each.
    chosen: Vec<(String, Vec<String>)>,
    /// Whether rows are close to each other.
    pub compact: bool,
}

impl Lists {
    /// The choices in the cookies of a request.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let text = cookie(headers, COLUMNS_COOKIE).unwrap_or_default();
        let entries = text.split('~').filter_map(|entry| entry.split_once(':'));
        let chosen = entries
            .map(|(list, columns)| (decoded(list), columns.split('.').map(decoded).collect()))
            .collect();
        Self { chosen, compact: cookie(headers, DENSITY_COOKIE) == Some("compact") }
    }

    /// The columns that were chosen for a list.
    #[must_use]
    pub fn columns(&self, list: &str) -> Option<&[String]> {
        self.chosen.iter().find(|(known, _)| known == list).map(|(_, columns)| &**columns)
    }

    /// The same choices with those of a submitted form: `list`, `column` as often as needed, `density`. Without columns
    /// the list has its usual ones again.
    #[must_use]
    pub fn with(mut self, sent: &Form) -> Self {
        let list = sent.text("list").to_owned();
        let columns: Vec<String> =
            sent.pairs().filter(|(name, _)| *name == "column").map(|(_, column)| column.to_owned()).collect();
        self.chosen.retain(|(known, _)| *known != list);
        if !columns.is_empty() && sent.text("reset").is_empty() {
            self.chosen.insert(0, (list, columns));
        }
        self.compact = sent.text("density") == "compact";
        self
    }

    /// The cookies of the choices: names and values.
    #[must_use]
    pub fn cookies(&self) -> [(&'static str, String); 2] {
        let mut text = String::new();
        for (list, columns) in &self.chosen {
            let columns: Vec<String> = columns.iter().map(|column| encoded(column)).collect();
            let entry = format!("{}:{}", encoded(list), columns.join("."));
            if text.len() + entry.len() >= MAX_BYTES {
                break;
            }
            let between = if text.is_empty() { "" } else { "~" };
            text = text + between + &entry;
        }
        let density = if self.compact { "compact" } else { "" };
        [(COLUMNS_COOKIE, text), (DENSITY_COOKIE, density.to_owned())]
    }
}

/// A name without the separators of the cookie.
fn encoded(name: &str) -> String {
    let safe: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    safe.replace('.', "%2E").replace('~', "%7E")
}

fn decoded(text: &str) -> String {
    let pair = format!("{text}=");
    let first = form_urlencoded::parse(pair.as_bytes()).next();
    first.map(|(name, _)| name.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use axum::http::header::COOKIE;

    use super::*;

    fn stored(lists: &Lists) -> Lists {
        let mut headers = HeaderMap::new();
        for (name, value) in lists.cookies() {
            headers.append(COOKIE, format!("{name}={value}").parse().unwrap());
        }
        Lists::of(&headers)
    }

    #[test]
    fn choices_survive_the_cookie() {
        let sent = Form::parse("list=a.b~c&column=x:y&column=%ED%95%9C+%EA%B8%80&density=compact".as_bytes());
        let lists = stored(&Lists::default().with(&sent));
        assert_eq!(lists.columns("a.b~c").unwrap(), ["x:y", "한 글"]);
        assert!(lists.compact && lists.columns("other").is_none());
        let lists = stored(&lists.with(&Form::parse(b"list=a.b~c&column=x&reset=1")));
        assert!(lists.columns("a.b~c").is_none() && !lists.compact);
    }

    #[test]
    fn the_cookie_stays_small() {
        let mut lists = Lists::default();
        for number in 0..500 {
            lists = stored(&lists.with(&Form::parse(format!("list=list{number}&column=name").as_bytes())));
        }
        assert!(lists.cookies()[0].1.len() <= MAX_BYTES);
        assert!(lists.columns("list499").is_some() && lists.columns("list0").is_none());
    }
}
