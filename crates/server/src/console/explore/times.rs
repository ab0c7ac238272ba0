//! Times and months in forms: pickers in the zone of the reader, and stored texts in UTC.
//!
//! A submitted form is translated once, at the start of a request, so that everything behind it handles stored texts.

use hansang_core::kind::Kind;
use hansang_core::kind::time::Precision;
use hansang_core::model::Attribute;
use hansang_core::{Item, Value};
use jiff::Timestamp;
use jiff::civil::DateTime;

use hansang_ui::form::{Field, Form, Input};
use hansang_ui::time::Reader;

/// The value of a text in a form.
#[derive(Clone, Copy)]
pub(super) enum Typed<'k> {
    /// A value of this type.
    Kind(&'k Kind),
    /// A time that is stored in seconds since the epoch.
    Expiry,
}

impl<'k> Typed<'k> {
    /// The values of an attribute.
    pub(super) fn of(attribute: &'k Attribute) -> Self {
        if attribute.expires { Self::Expiry } else { Self::Kind(&attribute.kind) }
    }
}

/// The form with times and months as they are stored. A field that was not changed keeps its stored value: an hour that
/// a clock repeats has two times.
pub(super) fn stored<'k>(
    sent: &Form,
    kinds: impl Iterator<Item = (String, Typed<'k>)>,
    reader: &Reader,
    before: Option<&Item>,
) -> Form {
    let kinds: Vec<(String, Typed<'_>)> = kinds.collect();
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, text) in sent.pairs() {
        let kind = kinds.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        let same = || {
            let stored = match before?.get(name)? {
                Value::N(number) => number.to_string(),
                other => other.as_str()?.to_owned(),
            };
            (shown(kind?, &stored, reader)? == text).then_some(stored)
        };
        let translated = same().or_else(|| utc(kind?, text, reader));
        form.append_pair(name, translated.as_deref().unwrap_or(text));
    }
    Form::parse(form.finish().as_bytes())
}

/// A submitted text as it is stored; `None` if it is no time of the reader.
pub(super) fn utc(kind: Typed<'_>, text: &str, reader: &Reader) -> Option<String> {
    let local = || -> Option<Timestamp> {
        let local: DateTime = text.trim().parse().ok().filter(|_| !has_offset(text))?;
        Some(local.to_zoned(reader.zone.clone()).ok()?.timestamp())
    };
    match kind {
        Typed::Expiry => {
            let whole = || text.trim().parse::<Timestamp>().ok();
            Some(local().or_else(whole)?.as_second().to_string())
        }
        Typed::Kind(Kind::Timestamp(precision)) => Some(precision.format(local()?).to_string()),
        Typed::Kind(Kind::Month { separator }) => {
            let (year, month) = text.trim().split_once('-')?;
            let digits =
                |text: &str, count| text.len() == count && text.bytes().all(|one| one.is_ascii_digit());
            (digits(year, 4) && digits(month, 2)).then(|| format!("{year}{separator}{month}"))
        }
        _ => None,
    }
}

/// Whether a time says its offset from UTC.
fn has_offset(text: &str) -> bool {
    text.trim().get(10..).is_some_and(|rest| rest.contains(['Z', 'z', '+', '-']))
}

/// A stored text as a picker takes it; `None` if there is no picker for it.
pub(super) fn shown(kind: Typed<'_>, text: &str, reader: &Reader) -> Option<String> {
    let local = |time: Timestamp, precision: Precision| {
        let local = time.to_zoned(reader.zone.clone());
        let format = match precision {
            Precision::Millis => "%Y-%m-%dT%H:%M:%S%.3f",
            Precision::Seconds if local.second() == 0 => "%Y-%m-%dT%H:%M",
            Precision::Seconds => "%Y-%m-%dT%H:%M:%S",
        };
        local.strftime(format).to_string()
    };
    match kind {
        Typed::Expiry => {
            let time = Timestamp::from_second(text.trim().parse().ok()?).ok()?;
            Some(local(time, Precision::Seconds))
        }
        Typed::Kind(Kind::Timestamp(precision)) => Some(local(text.parse().ok()?, *precision)),
        Typed::Kind(Kind::Month { separator }) => {
            let (year, month) = text.split_once(*separator)?;
            (year.len() == 4 && month.len() == 2).then(|| format!("{year}-{month}"))
        }
        _ => None,
    }
}

/// The field with a picker, if its kind has one. A text that a picker cannot show stays a text.
pub(super) fn picker(mut field: Field, kind: Typed<'_>, reader: &Reader) -> Field {
    let input = match kind {
        Typed::Expiry | Typed::Kind(Kind::Timestamp(_)) => Input::Time,
        Typed::Kind(Kind::Month { .. }) => Input::Month,
        _ => return field,
    };
    if field.value.is_empty() {
        field.input = input;
    } else if let Some(value) = shown(kind, &field.value, reader) {
        (field.input, field.value) = (input, value);
    }
    field.code = false;
    field
}

/// A stored text as a reader sees it in a form.
pub(super) fn local(kind: Typed<'_>, text: &str, reader: &Reader) -> String {
    shown(kind, text, reader).unwrap_or_else(|| text.to_owned())
}

/// The name of the zone in which a reader enters times.
pub(super) fn zone(reader: &Reader) -> String {
    reader.zone.iana_name().unwrap_or("UTC").to_owned()
}

#[cfg(test)]
mod tests {
    use hansang_core::message::Language;
    use hansang_ui::time;

    use super::*;

    fn reader(zone: &str) -> Reader {
        Reader { zone: time::zone(zone).unwrap(), now: None, language: Language::English }
    }

    fn translated(text: &str, kind: &Kind, zone: &str, before: Option<&Item>) -> String {
        let mut form = form_urlencoded::Serializer::new(String::new());
        let sent = Form::parse(form.append_pair("at", text).finish().as_bytes());
        stored(&sent, [("at".to_owned(), Typed::Kind(kind))].into_iter(), &reader(zone), before)
            .text("at")
            .to_owned()
    }

    #[test]
    fn times_are_entered_in_the_zone_of_the_reader() {
        let seconds = Kind::Timestamp(Precision::Seconds);
        for (text, stored) in [
            ("2026-11-18T05:30", "2026-11-17T20:30:00Z"),
            ("2026-11-18T05:30:15", "2026-11-17T20:30:15Z"),
            // A whole time stays as it is, and so does what is no time.
            ("2026-11-18T05:30:00Z", "2026-11-18T05:30:00Z"),
            ("2026-11-18T05:30:00+01:00", "2026-11-18T05:30:00+01:00"),
            ("yesterday", "yesterday"),
            ("", ""),
        ] {
            assert_eq!(translated(text, &seconds, "Asia/Seoul", None), stored, "{text}");
        }
        let field = Field { value: "2026-11-17T20:30:00Z".to_owned(), ..Field::text("at", "At") };
        let field = picker(field, Typed::Kind(&seconds), &reader("Asia/Seoul"));
        assert_eq!((&*field.value, field.input_type()), ("2026-11-18T05:30", "datetime-local"));
        let typed = Field { value: "yesterday".to_owned(), ..Field::text("at", "At") };
        assert_eq!(picker(typed, Typed::Kind(&seconds), &reader("UTC")).input_type(), "text");
    }

    #[test]
    fn an_unchanged_time_of_a_repeated_hour_stays() {
        let kind = Kind::Timestamp(Precision::Millis);
        let late = "2026-10-25T01:30:00.250Z";
        let before = Item::from([("at".into(), Value::from(late))]);
        let shown = shown(Typed::Kind(&kind), late, &reader("Europe/Berlin")).unwrap();
        assert_eq!(shown, "2026-10-25T02:30:00.250");
        assert_eq!(translated(&shown, &kind, "Europe/Berlin", Some(&before)), late);
        assert_eq!(translated(&shown, &kind, "Europe/Berlin", None), "2026-10-25T00:30:00.250Z");
    }

    /// A number that is no expiry stays a number.
    #[test]
    fn expiries_are_entered_as_times() {
        let seoul = reader("Asia/Seoul");
        let sent = Form::parse(b"ttl=2026-11-18T05%3A30&count=7");
        let kinds = || {
            let count = ("count".to_owned(), Typed::Kind(&Kind::Integer));
            [("ttl".to_owned(), Typed::Expiry), count].into_iter()
        };
        let form = stored(&sent, kinds(), &seoul, None);
        assert_eq!((form.text("ttl"), form.text("count")), ("1794947400", "7"));
        let field = Field { value: "1794947400".to_owned(), ..Field::text("ttl", "Expires") };
        let field = picker(field, Typed::Expiry, &seoul);
        assert_eq!((&*field.value, field.input_type()), ("2026-11-18T05:30", "datetime-local"));
        let again = stored(&Form::parse(b"ttl=1794947400"), kinds(), &seoul, None);
        assert_eq!(again.text("ttl"), "1794947400");
    }

    #[test]
    fn months_keep_the_separator_of_the_model() {
        let kind = Kind::Month { separator: '.' };
        assert_eq!(translated("2026-01", &kind, "UTC", None), "2026.01");
        assert_eq!(translated("2026.01", &kind, "UTC", None), "2026.01");
        let field = Field { value: "2026.01".to_owned(), ..Field::text("at", "At") };
        let field = picker(field, Typed::Kind(&kind), &reader("UTC"));
        assert_eq!((&*field.value, field.input_type()), ("2026-01", "month"));
    }
}
