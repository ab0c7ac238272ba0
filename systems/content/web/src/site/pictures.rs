//! Pictures of the media library on pages: a browser gets their sizes to choose from, their proportions before they load, and
//! the part that stays visible when a page crops them.

use std::collections::{BTreeMap, BTreeSet};

use hansang_content::{Content, Media, find_media_of, media_of_link, media_path};
use hansang_core::Error;
use serde::Serialize;

/// The widest original that is offered beside its smaller sizes.
const MAX_WIDTH: i64 = 2560;
/// The space that a picture in the text of a post takes.
const IN_TEXT: &str = "(min-width: 46rem) 44rem, 92vw";

/// A picture for a template. One of another site is only its address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Picture {
    pub(super) src: String,
    /// The addresses of its sizes with their widths.
    srcset: Option<String>,
    width: Option<i64>,
    height: Option<i64>,
    /// The classes that keep its focal point visible: a style sheet has them, because pages have no inline styles.
    focus: Option<String>,
}

/// The media that a page shows.
#[derive(Debug, Default)]
pub(super) struct Pictures(BTreeMap<String, Media>);

impl Pictures {
    /// Reads the media of links and of the pictures in safe HTML.
    pub(super) async fn of<'l>(
        content: &Content,
        links: impl IntoIterator<Item = &'l str>,
        html: &str,
    ) -> Result<Self, Error> {
        let mut ids: BTreeSet<String> = links.into_iter().filter_map(own).collect();
        let mut tag = |tag: &str| {
            ids.extend(source(tag).and_then(own));
            None
        };
        each_tag(html, &mut tag);
        Ok(Self(if ids.is_empty() { BTreeMap::new() } else { find_media_of(content, &ids).await? }))
    }

    /// The picture at a link.
    pub(super) fn picture(&self, link: &str) -> Picture {
        let src = link.to_owned();
        let Some(media) = own(link).and_then(|id| self.0.get(&id)) else {
            return Picture { src, ..Picture::default() };
        };
        let sizes = sizes(media);
        let list =
            sizes.iter().map(|(path, width)| format!("{path} {width}w")).collect::<Vec<_>>().join(", ");
        // Pages crop nothing without a reason to, so the middle needs no class.
        let focus = media.focus_x.zip(media.focus_y).map(|(x, y)| format!("fx{} fy{}", tenth(x), tenth(y)));
        Picture {
            src,
            srcset: (sizes.len() > 1).then_some(list),
            width: media.width,
            height: media.height,
            focus,
        }
    }

    /// Safe HTML whose pictures have sizes and proportions, and load when they come into view.
    pub(super) fn in_text(&self, html: &str) -> String {
        each_tag(html, &mut |tag| {
            let Picture { srcset, width, height, .. } = self.picture(source(tag)?);
            let mut with = tag.trim_end_matches(['>', '/', ' ']).to_owned();
            if !tag.contains(" width=") && !tag.contains(" height=") {
                for (name, value) in [("width", width), ("height", height)] {
                    with.extend(value.map(|value| format!(" {name}=\"{value}\"")));
                }
            }
            with.extend(srcset.map(|srcset| format!(" srcset=\"{srcset}\" sizes=\"{IN_TEXT}\"")));
            Some(format!("{with} loading=\"lazy\" decoding=\"async\">"))
        })
    }
}

/// The id of a medium of this site that a link leads to.
fn own(link: &str) -> Option<String> {
    link.starts_with("/media/").then(|| media_of_link(link)).flatten()
}

/// The sizes of a picture, the smallest first.
fn sizes(media: &Media) -> Vec<(String, i64)> {
    let variants = media.variants.iter().map(|variant| (media_path(&media.id, &variant.name), variant.width));
    let mut sizes: Vec<(String, i64)> = variants.collect();
    let widest = sizes.iter().map(|(_, width)| *width).max().unwrap_or_default();
    sizes.extend(
        media
            .width
            .filter(|width| (widest + 1..=MAX_WIDTH).contains(width))
            .map(|width| (media.path(), width)),
    );
    sizes
}

/// A percentage to the next ten.
fn tenth(percent: i64) -> i64 {
    (percent.clamp(0, 100) + 5) / 10 * 10
}

/// The source of a picture, from its tag.
fn source(tag: &str) -> Option<&str> {
    let rest = tag.strip_prefix("<img ")?;
    let start = if rest.starts_with("src=\"") { 5 } else { rest.find(" src=\"")? + 6 };
    rest[start..].split('"').next()
}

/// Copies safe HTML, with the tags that `change` gives another text for. The values of attributes may contain `<` and `>`,
/// which begin and end no tag there.
fn each_tag(html: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 4);
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        let mut quoted = false;
        let end = rest[start..].find(|c: char| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let end = end.map_or(rest.len(), |end| start + end + 1);
        let tag = &rest[start..end];
        match change(tag) {
            Some(changed) => out.push_str(&changed),
            None => out.push_str(tag),
        }
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use hansang_content::render::html;
    use hansang_content::{Format, MediaState, Variant};
    use jiff::Timestamp;

    use super::*;

    const ID: &str = "01JD3Q0V8B5X9K2M4N6P7R8S9T";

    fn pictures() -> Pictures {
        let variant = |width: i64| Variant {
            name: format!("{width}.webp"),
            content_type: "image/webp".to_owned(),
            size: 1,
            width,
            height: width / 2,
        };
        let media = Media {
            id: ID.to_owned(),
            filename: "a.jpg".to_owned(),
            content_type: "image/jpeg".to_owned(),
            size: 1,
            width: Some(1200),
            height: Some(600),
            alt: None,
            focus_x: Some(24),
            focus_y: Some(96),
            variants: vec![variant(320), variant(640)],
            state: MediaState::Ready,
            by: "ann".to_owned(),
            revision: 1,
            created_at: Timestamp::UNIX_EPOCH,
        };
        Pictures(BTreeMap::from([(ID.to_owned(), media)]))
    }

    #[test]
    fn a_picture_has_its_sizes_and_focus() {
        let shown = pictures().picture(&format!("/media/{ID}/640.webp"));
        let srcset =
            format!("/media/{ID}/320.webp 320w, /media/{ID}/640.webp 640w, /media/{ID}/original.jpg 1200w");
        assert_eq!(shown.srcset.as_deref(), Some(&*srcset));
        assert_eq!((shown.width, shown.focus.as_deref()), (Some(1200), Some("fx20 fy100")));
        for other in ["https://example.com/a.png", "/media/example/a.png", ""] {
            assert_eq!(pictures().picture(other), Picture { src: other.to_owned(), ..Picture::default() });
        }
    }

    #[test]
    fn pictures_in_text_have_sizes() {
        let text =
            html(&format!("![그림](/media/{ID}/640.webp) ![b](https://example.com/b.png)"), Format::Markdown);
        let shown = pictures().in_text(&text);
        assert!(
            shown.contains(&format!(
                "src=\"/media/{ID}/640.webp\" alt=\"그림\" width=\"1200\" height=\"600\""
            )),
            "{shown}"
        );
        assert!(shown.contains("640w") && shown.matches("loading=\"lazy\"").count() == 2, "{shown}");
        assert_eq!(shown.matches("srcset").count(), 1, "{shown}");
    }

    /// What looks like a picture in the value of an attribute stays there.
    #[test]
    fn nothing_gets_out_of_an_attribute() {
        for attack in [
            format!(
                "<a href=\"https://e.example\" title='<img src=\"/media/{ID}/640.webp\" x onerror=alert(1)>'>x</a>"
            ),
            format!("![<img src=/media/{ID}/640.webp \"onerror=alert(1)>](/media/{ID}/640.webp)"),
            format!("`<img src=\"/media/{ID}/640.webp\">`"),
        ] {
            let safe = html(&attack, Format::Markdown);
            let shown = pictures().in_text(&safe);
            // The sanitiser finds nothing to take away but what was added to real pictures.
            let tags = |text: &str| text.matches("<img").count();
            assert_eq!(tags(&shown), tags(&safe), "{shown}");
            let mut plain = shown.clone();
            for added in [" loading=\"lazy\" decoding=\"async\"", " width=\"1200\" height=\"600\""] {
                plain = plain.replace(added, "");
            }
            if let Some(start) = plain.find(" srcset=") {
                let end = plain[start..].find(" sizes=").unwrap() + start;
                let end = end + plain[end + 8..].find('"').unwrap() + 9;
                plain.replace_range(start..end, "");
            }
            assert_eq!(plain, safe);
        }
    }
}
