//! The texts of a model that people read: titles, labels of records, and references between records.

use std::borrow::Cow;

use super::{Attribute, Entity, Model, Pattern};
use crate::message::Language;
use crate::value::{Item, Name};
use crate::words::{Words, spaced};

/// The template of a record's title, such as `{lastName}, {firstName}`, in one or more languages.
#[derive(Clone, Debug, Default)]
pub struct Label(pub Words);

/// An attribute that holds the key of another record, alone or with other attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The attribute with the `ref`.
    pub attribute: Name,
    /// The entity that it refers to.
    pub entity: Name,
    /// Each key attribute of that entity, and the own attribute with its value.
    pub key: Vec<(Name, Name)>,
}

/// A part of a label.
pub(crate) enum Part<'l> {
    Text(&'l str),
    Field(&'l str),
}

impl Label {
    /// Whether the model gives no label.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The label in a language, with the texts of its fields; nothing if none of them has a text.
    #[must_use]
    pub fn render(&self, language: Language, text: impl Fn(&str) -> Option<String>) -> Option<String> {
        let mut label = String::new();
        let (mut fields, mut found) = (0, 0);
        for part in parts(self.0.in_language(language)) {
            match part {
                Part::Text(text) => label.push_str(text),
                Part::Field(name) => {
                    let text = text(name).filter(|text| !text.is_empty());
                    fields += 1;
                    found += usize::from(text.is_some());
                    label.push_str(&text.unwrap_or_default());
                }
            }
        }
        let label = label.trim();
        (!label.is_empty() && (fields == 0 || found > 0)).then(|| label.to_owned())
    }
}

/// The parts of a label that compiled.
pub(crate) fn parts(label: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = label;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some((name, behind)) = rest.strip_prefix('{').and_then(|open| open.split_once('}')) {
            rest = behind;
            return Some(Part::Field(name));
        }
        let (text, behind) = rest.split_at(rest.find('{').filter(|at| *at > 0).unwrap_or(rest.len()));
        rest = behind;
        Some(Part::Text(text))
    })
}

impl Reference {
    /// The key of the record that these fields refer to; nothing if one of them is absent.
    #[must_use]
    pub fn key_in(&self, fields: &Item) -> Option<Item> {
        self.key.iter().map(|(theirs, own)| Some((theirs.clone(), fields.get(own)?.clone()))).collect()
    }

    /// The fields by which a record with this key is referred to.
    #[must_use]
    pub fn fields_of(&self, key: &Item) -> Option<Item> {
        self.key.iter().map(|(theirs, own)| Some((own.clone(), key.get(theirs)?.clone()))).collect()
    }
}

fn title<'w>(words: &'w Words, name: &str, language: Language) -> Cow<'w, str> {
    match words.is_empty() {
        true => Cow::Owned(spaced(name)),
        false => Cow::Borrowed(words.in_language(language)),
    }
}

impl Model {
    /// The title in a language; made of the name if the file gives none.
    #[must_use]
    pub fn title_in(&self, language: Language) -> Cow<'_, str> {
        title(&self.title, &self.name, language)
    }
}

impl Entity {
    /// The title of one record's entity in a language; made of the name if the file gives none.
    #[must_use]
    pub fn title_in(&self, language: Language) -> Cow<'_, str> {
        title(&self.title, &self.name, language)
    }

    /// The title of a list of records in a language.
    #[must_use]
    pub fn plural_in(&self, language: Language) -> Cow<'_, str> {
        match self.plural.is_empty() {
            true => self.title_in(language),
            false => Cow::Borrowed(self.plural.in_language(language)),
        }
    }

    /// The reference that starts at this attribute.
    #[must_use]
    pub fn reference(&self, attribute: &str) -> Option<&Reference> {
        self.references.iter().find(|one| &*one.attribute == attribute)
    }
}

impl Attribute {
    /// The title in a language; made of the name if the file gives none.
    #[must_use]
    pub fn title_in(&self, language: Language) -> Cow<'_, str> {
        title(&self.title, &self.name, language)
    }

    /// The title of an enum member or a lifecycle state, if the file gives one.
    #[must_use]
    pub fn value_title(&self, value: &str, language: Language) -> Option<&str> {
        let (_, words) = self.titles.iter().find(|(name, _)| &**name == value)?;
        Some(words.in_language(language))
    }
}

impl Pattern {
    /// The title in a language; made of the name if the file gives none.
    #[must_use]
    pub fn title_in(&self, language: Language) -> Cow<'_, str> {
        title(&self.title, &self.name, language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_filled() {
        let label = Label(Words::plain("{month} · {name}"));
        let of = |month: Option<&str>, name: Option<&str>| {
            label.render(Language::English, |field| {
                if field == "month" { month } else { name }.map(ToOwned::to_owned)
            })
        };
        assert_eq!(of(Some("2026.01"), Some("Kim")).as_deref(), Some("2026.01 · Kim"));
        assert_eq!(of(Some("2026.01"), None).as_deref(), Some("2026.01 ·"));
        assert_eq!(of(None, Some("")), None);
        let fixed = Label(Words::plain("회사 정보"));
        assert_eq!(fixed.render(Language::Korean, |_| None).as_deref(), Some("회사 정보"));
    }
}
