//! Times and months in forms: pickers in the zone of the reader, and stored texts in UTC.
//!
//! A submitted form is translated once, at the start of a request, so that everything behind it handles stored texts.

use hansang_core::Item;
use hansang_core::kind::Kind;
use hansang_core::kind::time::Precision;
use jiff::Timestamp;
use jiff::civil::DateTime;

use hansang_ui::form::{Field, Form, Input};
use hansang_ui::time::Reader;

/// The form with times and months as they are stored. A field that was not changed keeps its stored value: an hour that
/// a clock repeats has two times.
pub(super) fn stored<'k>(
    sent: &Form,
    kinds: impl Iterator<Item = (String, &'k Kind)>,
    reader: &Reader,
    before: Option<&Item>,
) -> Form {
    let kinds: Vec<(String, &Kind)> = kinds.collect();
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, text) in sent.pairs() {
        let kind = kinds.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        let same = || {
            let stored = before?.get(name)?.as_str()?;
            (shown(kind?, stored, reader)? == text).then(|| stored.to_owned())
        };
        let translated = same().or_else(|| utc(kind?, text, reader));
        form.append_pair(name, translated.as_deref().unwrap_or(text));
    }
    Form::parse(form.finish().as_bytes())
}

/// A submitted text as it is stored; `None` if it is no time of the reader.
fn utc(kind: &Kind, text: &str, reader: &Reader) -> Option<String> {
    match kind {
        Kind::Timestamp(precision) => {
            let local: DateTime = text.trim().parse().ok().filter(|_| !has_offset(text))?;
            let time = local.to_zoned(reader.zone.clone()).ok()?.timestamp();
            Some(precision.format(time).to_string())
        }
        Kind::Month { separator } => {
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
fn shown(kind: &Kind, text: &str, reader: &Reader) -> Option<String> {
    match kind {
        Kind::Timestamp(precision) => {
            let time: Timestamp = text.parse().ok()?;
            let local = time.to_zoned(reader.zone.clone());
            let format = match precision {
                Precision::Millis => "%Y-%m-%dT%H:%M:%S%.3f",
                Precision::Seconds if local.second() == 0 => "%Y-%m-%dT%H:%M",
                Precision::Seconds => "%Y-%m-%dT%H:%M:%S",
            };
            Some(local.strftime(format).to_string())
        }
        Kind::Month { separator } => {
            let (year, month) = text.split_once(*separator)?;
            (year.len() == 4 && month.len() == 2).then(|| format!("{year}-{month}"))
        }
        _ => None,
    }
}

/// The field with a picker, if its kind has one. A text that a picker cannot show stays a text.
pub(super) fn picker(mut field: Field, kind: &Kind, reader: &Reader) -> Field {
    let input = match kind {
        Kind::Timestamp(_) => Input::Time,
        Kind::Month { .. } => Input::Month,
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
pub(super) fn local(kind: &Kind, text: &str, reader: &Reader) -> String {
    shown(kind, text, reader).unwrap_or_else(|| text.to_owned())
}

/// The name of the zone in which a reader enters times.
pub(super) fn zone(reader: &Reader) -> String {
    reader.zone.iana_name().unwrap_or("UTC").to_owned()
}

#[cfg(test)]
mod tests {
    use hansang_core::Value;
    use hansang_core::message::Language;
    use hansang_ui::time;

    use super::*;

    fn reader(zone: &str) -> Reader {
        Reader { zone: time::zone(zone).unwrap(), now: None, language: Language::English }
    }

    fn translated(text: &str, kind: &Kind, zone: &str, before: Option<&Item>) -> String {
        let mut form = form_urlencoded::Serializer::new(String::new());
        let sent = Form::parse(form.append_pair("at", text).finish().as_bytes());
        stored(&sent, [("at".to_owned(), kind)].into_iter(), &reader(zone), before).text("at").to_owned()
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
        let field = picker(field, &seconds, &reader("Asia/Seoul"));
        assert_eq!((&*field.value, field.input_type()), ("2026-11-18T05:30", "datetime-local"));
        let typed = Field { value: "yesterday".to_owned(), ..Field::text("at", "At") };
        assert_eq!(picker(typed, &seconds, &reader("UTC")).input_type(), "text");
    }

    #[test]
    fn an_unchanged_time_of_a_repeated_hour_stays() {
        let kind = Kind::Timestamp(Precision::Millis);
        let late = "2026-10-25T01:30:00.250Z";
        let before = Item::from([("at".into(), Value::from(late))]);
        let shown = shown(&kind, late, &reader("Europe/Berlin")).unwrap();
        assert_eq!(shown, "2026-10-25T02:30:00.250");
        assert_eq!(translated(&shown, &kind, "Europe/Berlin", Some(&before)), late);
        assert_eq!(translated(&shown, &kind, "Europe/Berlin", None), "2026-10-25T00:30:00.250Z");
    }

    #[test]
    fn months_keep_the_separator_of_the_model() {
        let kind = Kind::Month { separator: '.' };
        assert_eq!(translated("2026-01", &kind, "UTC", None), "2026.01");
        assert_eq!(translated("2026.01", &kind, "UTC", None), "2026.01");
        let field = Field { value: "2026.01".to_owned(), ..Field::text("at", "At") };
        let field = picker(field, &kind, &reader("UTC"));
        assert_eq!((&*field.value, field.input_type()), ("2026-01", "month"));
    }
}
