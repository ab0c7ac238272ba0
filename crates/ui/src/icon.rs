//! Icons: symbols of one sprite, drawn in the colour of the text around them.

use crate::assets::{ICONS, SPRITE};
use crate::html::Html;

/// The icon of this name, hidden from screen readers: a label stands beside it. A test rejects unknown names in
/// templates.
#[must_use]
pub fn icon(name: &str) -> Html {
    debug_assert!(is_known(name), "there is no icon {name:?}");
    Html::new(format!(
        r#"<svg class="icon" aria-hidden="true"><use href="{}#{name}"/></svg>"#,
        ICONS.address()
    ))
}

/// Whether the sprite has an icon of this name.
#[must_use]
pub fn is_known(name: &str) -> bool {
    names().any(|known| known == name)
}

/// The names of all icons.
pub fn names() -> impl Iterator<Item = &'static str> {
    SPRITE.split("<symbol id=\"").skip(1).filter_map(|symbol| symbol.split('"').next())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// The files of our crates with these endings.
    fn files(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                files(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "html" || ending == "rs") {
                found.push(std::fs::read_to_string(&path).unwrap());
            }
        }
    }

    #[test]
    fn every_icon_of_a_page_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut texts = Vec::new();
        files(&root.join("crates"), &mut texts);
        files(&root.join("systems"), &mut texts);
        let mut used = 0;
        for text in &texts {
            for start in ["icon(\"", "icon: \"", "fn icon(&self) -> &'static str {\n        \""] {
                for name in text.split(start).skip(1).filter_map(|rest| rest.split('"').next()) {
                    // The names in this file are examples.
                    if text.contains("fn every_icon_of_a_page_exists") {
                        continue;
                    }
                    assert!(is_known(name), "there is no icon {name:?}");
                    used += 1;
                }
            }
        }
        assert!(used > 30, "{used}");
    }

    #[test]
    fn icons_have_one_name_and_one_size() {
        let all: Vec<&str> = names().collect();
        assert!(all.len() > 60, "{}", all.len());
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a name is used twice");
        assert_eq!(SPRITE.matches(r#"viewBox="0 0 24 24""#).count(), all.len());
        assert!(!SPRITE.contains("style=") && !SPRITE.contains("fill=") && !SPRITE.contains("stroke="));
        assert!(is_known("piggy-bank") && !is_known("piggy"));
    }
}
