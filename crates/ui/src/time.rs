//! Times in the zone of the reader.

use hansang_core::message::Language;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// The cookie with the zone of the browser, which the script sets.
pub const ZONE_COOKIE: &str = "hansang_zone";

/// A time as text for people, and in full for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The text for people.
    pub text: String,
    /// The full time for programs.
    pub exact: String,
    /// The time in UTC, shown on hover; empty if the text is in UTC.
    pub title: String,
    /// The distance from now, such as `3 minutes ago`; empty if it does not matter.
    pub ago: String,
}

/// The reader of times: the zone, the current time and the language.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The time zone.
    pub zone: TimeZone,
    /// The current time, if it is known.
    pub now: Option<Timestamp>,
    /// The language.
    pub language: Language,
}

impl Moment {
    /// A time in UTC, to the second.
    pub fn of(time: Timestamp) -> Self {
        Self::utc(time, "%Y-%m-%d %H:%M:%S")
    }

    /// A time in UTC, to the millisecond, where the order within a second matters.
    pub fn exactly(time: Timestamp) -> Self {
        Self::utc(time, "%Y-%m-%d %H:%M:%S%.3f")
    }

    /// A time in UTC, to the day.
    pub fn day_of(time: Timestamp) -> Self {
        Self::utc(time, "%Y-%m-%d")
    }

    /// The order in time: texts of times with and without fractions of a second sort wrong.
    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        match (self.exact.parse::<Timestamp>(), other.exact.parse::<Timestamp>()) {
            (Ok(one), Ok(two)) => one.cmp(&two),
            _ => self.exact.cmp(&other.exact),
        }
    }

    fn utc(time: Timestamp, format: &str) -> Self {
        Self { text: time.strftime(format).to_string(), exact: time.to_string(), ..Self::default() }
    }
}

impl Reader {
    /// A time to the minute, with its distance from now.
    pub fn time(&self, time: Timestamp) -> Moment {
        let ago = self.now.map(|now| distance(now, time, self.language)).unwrap_or_default();
        Moment { ago, ..self.local(time, "%Y-%m-%d %H:%M") }
    }

    /// A time to the millisecond, where the order within a second matters.
    pub fn exactly(&self, time: Timestamp) -> Moment {
        self.local(time, "%Y-%m-%d %H:%M:%S%.3f")
    }

    /// The time of the day, for charts of minutes.
    #[must_use]
    pub fn clock(&self, time: Timestamp) -> String {
        time.to_zoned(self.zone.clone()).strftime("%H:%M:%S").to_string()
    }

    /// A time to the day.
    pub fn day(&self, time: Timestamp) -> Moment {
        self.local(time, "%Y-%m-%d")
    }

    /// The value of a time field: local, without a zone.
    #[must_use]
    pub fn field(&self, time: Timestamp) -> String {
        time.to_zoned(self.zone.clone()).strftime("%Y-%m-%dT%H:%M:%S").to_string()
    }

    /// The time in a field: with a zone or, as browsers send it, in the zone of the reader.
    #[must_use]
    pub fn typed(&self, text: &str) -> Option<Timestamp> {
        let text = text.trim();
        let local = |time: DateTime| time.to_zoned(self.zone.clone()).map(|zoned| zoned.timestamp());
        text.parse().or_else(|_| text.parse::<DateTime>().and_then(local)).ok()
    }

    fn local(&self, time: Timestamp, format: &str) -> Moment {
        let local = time.to_zoned(self.zone.clone());
        Moment {
            text: local.strftime(format).to_string(),
            exact: time.to_string(),
            title: time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
            ago: String::new(),
        }
    }
}

/// The zone of this IANA name, such as `Asia/Seoul`.
#[must_use]
pub fn zone(name: &str) -> Option<TimeZone> {
    let is_name = !name.is_empty() && name.len() <= 64 && name.is_ascii();
    if is_name { TimeZone::get(name).ok() } else { None }
}

/// The names of all zones.
pub fn zones() -> impl Iterator<Item = String> {
    let names = jiff::tz::db().available().map(|name| name.to_string());
    let mut names: Vec<String> = names.filter(|name| name == "UTC" || name.contains('/')).collect();
    names.retain(|name| !name.starts_with("Etc/") && !name.starts_with("US/"));
    names.sort_unstable();
    names.dedup();
    names.into_iter()
}

/// The distance between now and another time, in its largest unit.
fn distance(now: Timestamp, time: Timestamp, language: Language) -> String {
    let seconds = time.as_second().saturating_sub(now.as_second());
    let units = [
        (
            31_536_000,
            ["{0} year ago", "{0} years ago", "{0}년 전"],
            ["in {0} year", "in {0} years", "{0}년 후"],
        ),
        (
            2_592_000,
            ["{0} month ago", "{0} months ago", "{0}개월 전"],
            ["in {0} month", "in {0} months", "{0}개월 후"],
        ),
        (86_400, ["{0} day ago", "{0} days ago", "{0}일 전"], ["in {0} day", "in {0} days", "{0}일 후"]),
        (
            3600,
            ["{0} hour ago", "{0} hours ago", "{0}시간 전"],
            ["in {0} hour", "in {0} hours", "{0}시간 후"],
        ),
        (
            60,
            ["{0} minute ago", "{0} minutes ago", "{0}분 전"],
            ["in {0} minute", "in {0} minutes", "{0}분 후"],
        ),
    ];
    let size = seconds.unsigned_abs();
    let Some((unit, past, future)) = units.into_iter().find(|(unit, ..)| size >= *unit) else {
        return language.say("just now", "방금").to_owned();
    };
    let [one, many, korean] = if seconds < 0 { past } else { future };
    language.plural(size / unit, one, many, korean).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn times_are_local_with_utc_on_hover() {
        let reader = Reader {
            zone: zone("Asia/Seoul").unwrap(),
            now: Some(at("2026-11-18T00:00:00Z")),
            language: Language::Korean,
        };
        let shown = reader.time(at("2026-11-17T20:30:15Z"));
        assert_eq!((&*shown.text, &*shown.ago), ("2026-11-18 05:30", "3시간 전"));
        assert_eq!((&*shown.title, &*shown.exact), ("2026-11-17 20:30:15 UTC", "2026-11-17T20:30:15Z"));
        assert_eq!(reader.day(at("2026-11-17T20:30:15Z")).text, "2026-11-18");
        assert_eq!(reader.exactly(at("2026-11-17T20:30:15.25Z")).text, "2026-11-18 05:30:15.250");
    }

    #[test]
    fn fields_are_in_the_zone_of_the_reader() {
        let reader = Reader { zone: zone("Asia/Seoul").unwrap(), now: None, language: Language::Korean };
        let time = at("2026-11-17T20:30:15Z");
        assert_eq!(reader.field(time), "2026-11-18T05:30:15");
        assert_eq!(reader.typed(&reader.field(time)), Some(time));
        assert_eq!(reader.typed(" 2026-11-18T05:30 "), Some(at("2026-11-17T20:30:00Z")));
        assert_eq!(reader.typed("2026-11-17T20:30:15Z"), Some(time));
        assert_eq!(reader.typed("tomorrow"), None);
    }

    #[test]
    fn distances_use_the_largest_unit() {
        let now = at("2026-11-18T00:00:00Z");
        for (time, english, korean) in [
            ("2026-11-18T00:00:59Z", "just now", "방금"),
            ("2026-11-17T23:59:00Z", "1 minute ago", "1분 전"),
            ("2026-11-18T02:00:00Z", "in 2 hours", "2시간 후"),
            ("2026-11-01T00:00:00Z", "17 days ago", "17일 전"),
            ("2026-08-01T00:00:00Z", "3 months ago", "3개월 전"),
            ("2020-11-18T00:00:00Z", "6 years ago", "6년 전"),
        ] {
            assert_eq!(distance(now, at(time), Language::English), english);
            assert_eq!(distance(now, at(time), Language::Korean), korean);
        }
    }

    #[test]
    fn zones_are_known_by_name() {
        assert!(zones().any(|name| name == "Asia/Seoul") && zones().any(|name| name == "UTC"));
        assert!(zone("Europe/Berlin").is_some());
        for wrong in ["", "Nowhere/Town", "../../etc/passwd", "한국"] {
            assert!(zone(wrong).is_none(), "{wrong}");
        }
    }
}
