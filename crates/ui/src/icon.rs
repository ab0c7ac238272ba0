//! Icons: symbols of one sprite, drawn in the colour of the text around them.

use crate::assets::{ICONS, SPRITE};
use crate::html::Html;

/// The icon of this name, hidden from screen readers: a label stands beside it. A test rejects unknown names in
/// templates.
#[must_use]
pub fn icon(name: &str) -> Html {
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

    use super::*;

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
