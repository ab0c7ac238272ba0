//! Whether a page shows again what was typed into its forms, after an expired session or a change of language.

use axum::body::Body;
use axum::http::Method;

use crate::Visitor;

/// A field of a form in a page.
struct Typed {
    name: String,
    /// The value to type: another one than that in the page.
    value: String,
    /// The text by which the page shows the value again.
    shown: String,
}

impl Visitor<'_> {
    /// Fills each form of a page with other values, sends it as the sign-in page does after an expired session, and
    /// expects every value back. Returns the number of fields.
    ///
    /// # Panics
    /// Stops at a page that loses a value.
    pub async fn keeps_typed(&self, path: &str) -> usize {
        let page = self.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        let body = page.text.split("<main").nth(1).unwrap_or(&page.text);
        let forms = body.split("<form").skip(1).filter_map(|form| form.split("</form>").next());
        let mut count = 0;
        for form in forms.filter(|form| form.split('>').next().unwrap().contains("method=\"post\"")) {
            let (hidden, fields) = (hidden(form), fields(form));
            if fields.is_empty() || form.contains("action=\"/console/columns\"") {
                continue;
            }
            let mut sent = form_urlencoded::Serializer::new(String::new());
            sent.extend_pairs(hidden).extend_pairs(fields.iter().map(|field| (&field.name, &field.value)));
            let headers = [
                ("cookie", self.cookie()),
                ("accept-language", self.language),
                ("content-type", "application/x-www-form-urlencoded"),
            ];
            let again = format!("{path}{}.draft=1", if path.contains('?') { '&' } else { '?' });
            let again = self.server.page(Method::POST, &again, &headers, Body::from(sent.finish())).await;
            assert_eq!(again.status, 200, "{path}: {}", again.text);
            for field in &fields {
                let lost = format!("{path} loses {} = {}", field.name, field.value);
                assert!(again.text.contains(&field.shown), "{lost}: {}", again.text);
            }
            count += fields.len();
        }
        count
    }
}

/// The value of an attribute in a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

/// The tags of a kind.
fn tags<'t>(form: &'t str, tag: &'t str) -> impl Iterator<Item = &'t str> {
    form.split(tag).skip(1).filter(|rest| rest.starts_with([' ', '>']))
}

fn plain(text: &str) -> String {
    text.replace("&#34;", "\"").replace("&quot;", "\"").replace("&#38;", "&").replace("&amp;", "&")
}

/// Names and values of the hidden fields.
fn hidden(form: &str) -> Vec<(String, String)> {
    let inputs = tags(form, "<input").map(|input| input.split('>').next().unwrap());
    let hidden = inputs.filter(|input| attribute(input, "type") == Some("hidden"));
    hidden
        .filter_map(|input| Some((plain(attribute(input, "name")?), plain(attribute(input, "value")?))))
        .collect()
}

/// The fields that a person fills in, with a value for each.
fn fields(form: &str) -> Vec<Typed> {
    let mut fields = Vec::new();
    for input in tags(form, "<input").map(|input| input.split('>').next().unwrap()) {
        let kind = attribute(input, "type").unwrap_or("text");
        let Some(name) = attribute(input, "name") else { continue };
        let is_fixed = input.contains(" readonly") || input.contains(" disabled");
        if is_fixed || ["hidden", "password", "file", "submit", "radio"].contains(&kind) {
            continue;
        }
        let number = fields.len() + 11;
        let value = match kind {
            "date" => format!("2031-03-{number:02}"),
            "month" => format!("20{number:02}-03"),
            "datetime-local" => format!("2031-03-05T04:{number:02}"),
            "time" => format!("04:{number:02}"),
            "checkbox" if input.contains(" checked") => continue,
            "checkbox" => attribute(input, "value").unwrap_or("on").to_owned(),
            _ => format!("77{number}"),
        };
        let shown = match kind {
            "checkbox" => format!("name=\"{name}\" value=\"{value}\" checked"),
            _ => format!("value=\"{value}\""),
        };
        fields.push(Typed { name: plain(name), value, shown });
    }
    for area in tags(form, "<textarea") {
        let Some(name) = attribute(area.split('>').next().unwrap(), "name") else { continue };
        let value = format!("88{}", fields.len());
        fields.push(Typed { name: plain(name), shown: format!("\n{value}</textarea>"), value });
    }
    for select in tags(form, "<select").filter_map(|select| select.split("</select>").next()) {
        let tag = select.split('>').next().unwrap();
        let Some(name) = attribute(tag, "name").filter(|_| !tag.contains(" disabled")) else { continue };
        let options = tags(select, "<option").map(|option| option.split('>').next().unwrap());
        let other = options.filter(|option| !option.contains(" selected")).last();
        let Some(value) = other.and_then(|option| attribute(option, "value")) else { continue };
        let shown = format!("<option value=\"{value}\" selected");
        fields.push(Typed { name: plain(name), value: plain(value), shown });
    }
    fields
}
