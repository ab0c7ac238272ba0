//! Signs that an inquiry is spam. One is enough to keep it aside for a manager; none is ever dropped.

use std::time::Duration;

use hansang_core::names;

use crate::NewInquiry;

/// The time below which no person fills in the form.
const TOO_FAST: Duration = Duration::from_secs(3);
/// The maximum number of links in a message.
const MAX_LINKS: usize = 2;

names! {
    /// A sign of spam.
    pub enum SpamSign {
        /// A field was filled in that people do not see.
        Trap = "trap",
        /// The form was sent too fast.
        Fast = "fast",
        /// The message has many links, or another part has one.
        Links = "links",
    }
}

/// How a form was filled in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filling<'f> {
    /// The value of the field that people do not see.
    pub trap: &'f str,
    /// The time from showing the form to its return, if it is known.
    pub took: Option<Duration>,
}

/// The signs of spam of a new inquiry: the value of [`NewInquiry::spam`].
#[must_use]
pub fn spam_signs(new: &NewInquiry, filling: Filling<'_>) -> Vec<SpamSign> {
    let parts = [&new.name, &new.company, &new.title, &new.referral, &new.subject];
    let links = links(&new.message) > MAX_LINKS || parts.iter().any(|part| self::links(part) > 0);
    let signs = [
        (SpamSign::Trap, !filling.trap.is_empty()),
        (SpamSign::Fast, filling.took.is_some_and(|took| took < TOO_FAST)),
        (SpamSign::Links, links),
    ];
    signs.into_iter().filter(|(_, found)| *found).map(|(sign, _)| sign).collect()
}

fn links(text: &str) -> usize {
    let text = text.to_lowercase();
    ["http://", "https://", "[url"].iter().map(|link| text.matches(link).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spam_has_signs() {
        let person = NewInquiry {
            message: "https://example.com 을 보고 문의드립니다.".to_owned(),
            ..NewInquiry::default()
        };
        let calm = Filling { trap: "", took: Some(Duration::from_secs(40)) };
        assert_eq!(spam_signs(&person, calm), []);
        assert_eq!(spam_signs(&person, Filling { trap: "x", ..calm }), [SpamSign::Trap]);
        assert_eq!(spam_signs(&person, Filling { took: Some(Duration::ZERO), ..calm }), [SpamSign::Fast]);
        let many = NewInquiry { message: "HTTP://a http://b [URL=c]".to_owned(), ..NewInquiry::default() };
        assert_eq!(spam_signs(&many, calm), [SpamSign::Links]);
        let name = NewInquiry { name: "https://casino.example".to_owned(), ..NewInquiry::default() };
        assert_eq!(spam_signs(&name, calm), [SpamSign::Links]);
    }
}
