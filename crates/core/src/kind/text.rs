//! Formatted texts: addresses and identifiers.

const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// The bytes of the alphabet, as a table: every plan checks identifiers.
const IN_CROCKFORD: [bool; 256] = {
    let mut known = [false; 256];
    let mut index = 0;
    while index < CROCKFORD.len() {
        known[CROCKFORD[index] as usize] = true;
        index += 1;
    }
    known
};

/// Whether it looks like an e-mail address: one `@`, a local part, a domain with a dot. Lengths are
/// counted in characters, as everywhere in a model.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain =
        |part: &str| !part.chars().any(|c| c.is_whitespace() || c.is_control() || "@,;<>\"()".contains(c));
    text.chars().count() <= 254
        && !local.is_empty()
        && local.chars().count() <= 64
        && plain(local)
        && plain(domain)
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty())
}

/// Whether it is an absolute address for a browser or an S3 client.
#[must_use]
pub fn is_url(text: &str) -> bool {
    let schemes = ["https://", "http://", "s3://"];
    let Some(rest) = schemes.iter().find_map(|scheme| text.strip_prefix(scheme)) else { return false };
    let has_host = rest.bytes().next().is_some_and(|first| !b"/?#".contains(&first));
    let blank = |text: &str| match text.is_ascii() {
        true => text.bytes().any(|byte| byte <= b' ' || byte == 0x7f),
        false => text.chars().any(|c| c.is_whitespace() || c.is_control()),
    };
    has_host && !blank(text)
}

/// Whether it is a semantic version whose numbers have at most 19 digits: longer ones do not fit 64 bits.
#[must_use]
pub fn is_semver(text: &str) -> bool {
    const MAX_PART: u64 = 9_999_999_999_999_999_999;
    let small = |version: semver::Version| {
        [version.major, version.minor, version.patch].iter().all(|number| *number <= MAX_PART)
    };
    semver::Version::parse(text).is_ok_and(small)
}

/// Whether it is a ULID in upper case.
#[must_use]
pub fn is_ulid(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 26 && bytes[0] <= b'7' && bytes.iter().all(|&byte| IN_CROCKFORD[usize::from(byte)])
}

/// Whether it is a UUID in lower case with hyphens.
#[must_use]
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        })
}

/// A ULID of a time in milliseconds and 80 random bits.
#[must_use]
pub fn ulid(millis: u64, random: u128) -> String {
    let bits = (u128::from(millis) << 80) | (random & ((1 << 80) - 1));
    let mut text = String::with_capacity(26);
    text.extend((0..26).rev().map(|digit| char::from(CROCKFORD[(bits >> (digit * 5)) as usize & 31])));
    text
}

/// A random UUID (version 4) of 122 of the given bits.
#[must_use]
pub fn uuid(random: u128) -> String {
    let bits = (random & !(0xf << 76) & !(0b11 << 62)) | (0x4 << 76) | (0b10 << 62);
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for good in ["a@b.kr", "user.name+tag@example.co.kr", "한글@example.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in ["", "a", "a@b", "@b.kr", "a@", "a b@c.kr", "a@b..kr", "a@b.kr\n", "a@b@c.kr", "<a@b.kr>"]
        {
            assert!(!is_email(bad), "{bad:?}");
        }
        for good in ["https://cdn.fm-web/banner/bn001.png", "http://localhost:8080", "s3://bucket/key"] {
            assert!(is_url(good), "{good}");
        }
        for bad in
            ["", "cdn/x.png", "javascript:alert(1)", "https://", "https:///x", "https://a b", "ftp://x"]
        {
            assert!(!is_url(bad), "{bad:?}");
        }
    }

    /// The limits are those of the JSON Schema, which counts characters and digits.
    #[test]
    fn lengths_are_those_of_the_schema() {
        assert!(is_email(&format!("{}@{}.kr", "한".repeat(64), "한".repeat(186))));
        assert!(!is_email(&format!("{}@b.kr", "a".repeat(65))));
        assert!(!is_email(&format!("a@{}.kr", "a".repeat(250))));
        assert!(is_semver("9999999999999999999.0.0"));
        assert!(!is_semver("0.10000000000000000000.0"));
        assert!(!is_semver("1.0"));
    }

    #[test]
    fn identifiers_made_here_are_valid_and_sort_by_time() {
        let earlier = ulid(1_700_000_000_000, u128::MAX);
        let later = ulid(1_700_000_000_001, 0);
        assert!(is_ulid(&earlier) && is_ulid(&later) && earlier < later);
        assert_eq!(ulid(0, 0), "0".repeat(26));
        for random in [0, 1, u128::MAX, 0x1234_5678_9abc_def0_1234_5678_9abc_def0] {
            let made = uuid(random);
            assert!(is_uuid(&made), "{made}");
            assert_eq!(&made[14..15], "4");
            assert!("89ab".contains(&made[19..20]));
        }
        for bad in
            ["", "01JD3Q0V8B5X9K2M4N6P7R8S9", "81JD3Q0V8B5X9K2M4N6P7R8S9T", "01jd3q0v8b5x9k2m4n6p7r8s9t"]
        {
            assert!(!is_ulid(bad), "{bad}");
        }
    }
}
