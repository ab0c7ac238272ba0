//! Times and months as fixed-width text, which sorts in order of time.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::value::Text;

/// The precision of a timestamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `2025-11-14T03:00:00Z`
    #[default]
    Seconds,
    /// `2025-11-14T03:00:00.123Z`
    Millis,
}

impl Precision {
    /// A time written with this precision, for messages.
    #[must_use]
    pub fn example(self) -> &'static str {
        match self {
            Self::Seconds => "2025-11-14T03:00:00Z",
            Self::Millis => "2025-11-14T03:00:00.123Z",
        }
    }

    /// Whether `text` is a time that exists, written exactly this way.
    #[must_use]
    pub fn matches(self, text: &str) -> bool {
        let shape = self.example().as_bytes();
        let bytes = text.as_bytes();
        let same_shape = bytes.len() == shape.len()
            && bytes
                .iter()
                .zip(shape)
                .all(|(byte, like)| if like.is_ascii_digit() { byte.is_ascii_digit() } else { byte == like });
        same_shape && {
            let field = |from: usize| u32::from(bytes[from] - b'0') * 10 + u32::from(bytes[from + 1] - b'0');
            let year = field(0) * 100 + field(2);
            let day = field(8);
            (1..=12).contains(&field(5))
                && day >= 1
                && day <= days_in_month(year, field(5))
                && field(11) < 24
                && field(14) < 60
                && field(17) < 60
        }
    }

    /// Writes a time with this precision, truncated.
    #[must_use]
    pub fn format(self, at: Timestamp) -> Text {
        let time = Offset::UTC.to_datetime(at);
        let mut space = *b"2025-11-14T03:00:00.123Z";
        let text = &mut space[..self.example().len()];
        text.copy_from_slice(self.example().as_bytes());
        let mut put = |from: usize, width: usize, number: i16| {
            let mut rest = number.unsigned_abs();
            for digit in text[from..from + width].iter_mut().rev() {
                *digit = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
        };
        put(0, 4, time.year());
        put(5, 2, time.month().into());
        put(8, 2, time.day().into());
        put(11, 2, time.hour().into());
        put(14, 2, time.minute().into());
        put(17, 2, time.second().into());
        if self == Self::Millis {
            put(20, 3, time.millisecond());
        }
        Text::from_utf8(&*text).unwrap_or_default()
    }

    /// Reads any RFC 3339 time and writes it with this precision. A time without an offset is UTC.
    #[must_use]
    pub fn normalise(self, text: &str) -> Option<Text> {
        if self.matches(text) {
            return Some(text.into());
        }
        let at = text.parse::<Timestamp>().ok().or_else(|| {
            let time: DateTime = text.parse().ok()?;
            Offset::UTC.to_timestamp(time).ok()
        })?;
        (Offset::UTC.to_datetime(at).year() >= 0).then(|| self.format(at))
    }
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Whether `text` is a month written with this separator.
#[must_use]
pub fn is_month(text: &str, separator: char) -> bool {
    month_number(text, separator).is_some()
}

/// Months since year zero, for arithmetic with months.
#[must_use]
pub fn month_number(text: &str, separator: char) -> Option<u32> {
    let (year, month) = text.split_once(separator)?;
    let digits = |part: &str, width: usize| {
        (part.len() == width && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<u32>().ok())?
    };
    let month = digits(month, 2).filter(|month| (1..=12).contains(month))?;
    Some(digits(year, 4)? * 12 + month - 1)
}

/// The month that [`month_number`] counted.
#[must_use]
pub fn month_text(number: u32, separator: char) -> String {
    format!("{:04}{separator}{:02}", number / 12, number % 12 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C25
    #[test]
    fn only_times_that_exist_and_are_written_exactly_match() {
        for text in ["2025-11-14T03:00:00Z", "2024-02-29T23:59:59Z", "2000-02-29T00:00:00Z"] {
            assert!(Precision::Seconds.matches(text), "{text}");
        }
        for text in [
            "2025-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2025-13-01T00:00:00Z",
            "2025-11-14T24:00:00Z",
            "2025-11-14T03:60:00Z",
            "2025-11-14T03:00:60Z",
            "2025-11-14t03:00:00Z",
            "2025-11-14T03:00:00.123Z",
            "2025-11-14T03:00:00+00:00",
            "２025-11-14T03:00:00Z",
            "",
        ] {
            assert!(!Precision::Seconds.matches(text), "{text}");
        }
        assert!(Precision::Millis.matches("2025-11-14T03:00:00.123Z"));
    }

    /// C25: old timestamps become seconds.
    #[test]
    fn other_spellings_become_exact() {
        for (text, seconds) in [
            ("2025-11-12T05:00:00.123456+00:00", Some("2025-11-12T05:00:00Z")),
            ("2025-11-12T14:00:00+09:00", Some("2025-11-12T05:00:00Z")),
            ("2025-11-12T05:00:00", Some("2025-11-12T05:00:00Z")),
            ("2025-11-12", Some("2025-11-12T00:00:00Z")),
            ("yesterday", None),
            ("-000001-01-01T00:00:00Z", None),
        ] {
            assert_eq!(Precision::Seconds.normalise(text).as_deref(), seconds, "{text}");
        }
        assert_eq!(
            Precision::Millis.normalise("2025-11-12T05:00:00Z").as_deref(),
            Some("2025-11-12T05:00:00.000Z")
        );
    }

    #[test]
    fn months_are_counted_across_years() {
        let (from, to) = (month_number("2025.11", '.').unwrap(), month_number("2026.02", '.').unwrap());
        let months: Vec<_> = (from..=to).map(|month| month_text(month, '.')).collect();
        assert_eq!(months, ["2025.11", "2025.12", "2026.01", "2026.02"]);
        for text in ["2025-01", "2025.13", "2025.00", "2025.1", "25.01", "+025.01", ""] {
            assert!(!is_month(text, '.'), "{text}");
        }
    }
}
