//! Checksums: the SHA-256 of a spec's canonical JSON (RFC 8785).

use std::fmt::{self, Write as _};

use hansang_core::number::Number;
use hansang_core::{Item, Message, Value, message};
use sha2::{Digest as _, Sha256};

use crate::messages::specs;

/// The prefix of a stored checksum; other programs may omit it.
const PREFIX: &str = "sha256:";

/// Computes the checksum of a spec.
///
/// # Errors
/// If a value has no canonical JSON.
pub fn checksum(spec: &Item) -> Result<String, Message> {
    Ok(Digest::of(spec)?.to_string())
}

/// A computed checksum as ASCII hex digits; most are only compared.
pub(crate) struct Digest([u8; 64]);

impl Digest {
    /// Computes the digest of a spec.
    pub(crate) fn of(spec: &Item) -> Result<Self, Message> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let bytes = Sha256::digest(canonical_json(spec)?);
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
        Ok(Self(digits))
    }

    /// Whether a text is this checksum, with or without the prefix.
    pub(crate) fn is(&self, checksum: &str) -> bool {
        bare(checksum).as_bytes() == self.0
    }

    /// Adds the prefix to an equal checksum that lacks it.
    pub(crate) fn written_as(&self, same: String) -> String {
        if same.starts_with(PREFIX) { same } else { self.to_string() }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        f.write_str(std::str::from_utf8(&self.0).map_err(|_| fmt::Error)?)
    }
}

/// Whether two checksums are equal, with or without the prefix.
#[must_use]
pub fn same_checksum(one: &str, other: &str) -> bool {
    bare(one) == bare(other)
}

fn bare(checksum: &str) -> &str {
    checksum.strip_prefix(PREFIX).unwrap_or(checksum)
}

/// Formats a spec as canonical JSON: no spaces, members sorted by UTF-16 code units, numbers as in ECMAScript.
///
/// # Errors
/// If a value is not JSON, or a number would change as a double: two specs that differ only there would have the same
/// checksum.
pub fn canonical_json(spec: &Item) -> Result<String, Message> {
    // Most specs have one or two kilobytes; avoids reallocations.
    let mut out = String::with_capacity(2048);
    write_map(&mut out, spec)?;
    Ok(out)
}

fn write_value(out: &mut String, value: &Value) -> Result<(), Message> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::N(number) => write_number(out, *number)?,
        Value::S(text) => write_text(out, text),
        Value::M(map) => write_map(out, map)?,
        Value::L(values) => {
            out.push('[');
            for (position, value) in values.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_value(out, value)?;
            }
            out.push(']');
        }
        Value::B(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => {
            return Err(message!(specs::NOT_JSON));
        }
    }
    Ok(())
}

fn write_map(out: &mut String, map: &Item) -> Result<(), Message> {
    out.push('{');
    // Items are sorted by bytes, which is the same order for ASCII names.
    if map.keys().all(|name| name.is_ascii()) {
        write_members(out, map.iter())?;
    } else {
        let mut members: Vec<_> = map.iter().collect();
        members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
        write_members(out, members.into_iter())?;
    }
    out.push('}');
    Ok(())
}

fn write_members<'m>(
    out: &mut String,
    members: impl Iterator<Item = (&'m hansang_core::Name, &'m Value)>,
) -> Result<(), Message> {
    for (position, (name, value)) in members.enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_text(out, name);
        out.push(':');
        write_value(out, value)?;
    }
    Ok(())
}

fn write_text(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    if !any_special(text.as_bytes()) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_special) {
        out.push_str(&rest[..at]);
        let special = char::from(rest.as_bytes()[at]);
        match special {
            '"' | '\\' => out.extend(['\\', special]),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            // Writing to a string cannot fail.
            control => drop(write!(out, "\\u{:04x}", u32::from(control))),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < b' '
}

/// Whether any byte has to be escaped, checked eight at a time: most texts of a spec are short and need no escapes.
fn any_special(bytes: &[u8]) -> bool {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    // Sets the highest bit of each byte below `least` (at most 128), and possibly of bytes above such a byte.
    let below = |eight: u64, least: u64| eight.wrapping_sub(EACH * least) & !eight & (EACH << 7);
    let look = |eight: [u8; 8]| {
        let eight = u64::from_ne_bytes(eight);
        let is = |byte: u8| below(eight ^ (EACH * u64::from(byte)), 1);
        below(eight, u64::from(b' ')) | is(b'"') | is(b'\\')
    };
    // The last eight bytes may be checked twice, which is faster than handling the remainder separately.
    let Some(last) = bytes.last_chunk::<8>() else { return bytes.iter().copied().any(is_special) };
    bytes.as_chunks::<8>().0.iter().fold(look(*last), |found, eight| found | look(*eight)) != 0
}

/// The largest integer that a double represents exactly together with all smaller ones.
const EXACT: i64 = 1 << 53;

fn write_number(out: &mut String, number: Number) -> Result<(), Message> {
    if let Some(whole) = number.to_i64().filter(|whole| (-EXACT..=EXACT).contains(whole)) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{whole}");
        return Ok(());
    }
    let exact = number.to_string();
    let double: f64 = exact.parse().map_err(|_| not_exact(&exact))?;
    if !double.is_finite() {
        return Err(not_exact(&exact));
    }
    let mut buffer = ryu_js::Buffer::new();
    let text = buffer.format_finite(double);
    if text.parse::<Number>() != Ok(number) {
        return Err(not_exact(&exact));
    }
    out.push_str(text);
    Ok(())
}

fn not_exact(number: &str) -> Message {
    message!(specs::NUMBER, number)
}

#[cfg(test)]
mod tests {
    use hansang_core::value::json::item_from_plain;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn canonical(json: serde_json::Value) -> Result<String, Message> {
        canonical_json(&item_from_plain(&json).unwrap())
    }

    /// Rs7
    #[test]
    fn members_are_sorted_by_utf_16_and_texts_minimally_escaped() {
        let json = json!({
            "\u{20ac}": "Euro Sign", "\r": "Carriage Return", "\u{fb33}": "Hebrew Letter Dalet With Dagesh",
            "1": "One", "\u{1f600}": "Emoji", "\u{80}": "Control", "\u{f6}": "o with diaeresis",
            "nested": { "b": [true, null, "a\"\\/\u{8}\u{1f}\u{7f}"], "a": {} },
        });
        let expected = "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\
            \"nested\":{\"a\":{},\"b\":[true,null,\"a\\\"\\\\/\\b\\u001f\u{7f}\"]},\
            \"\u{80}\":\"Control\",\"\u{f6}\":\"o with diaeresis\",\"\u{20ac}\":\"Euro Sign\",\
            \"\u{1f600}\":\"Emoji\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}";
        assert_eq!(canonical(json).unwrap(), expected);
    }

    #[test]
    fn numbers_are_written_as_ecmascript_does() {
        for (text, expected) in [
            ("0", "0"),
            ("-0", "0"),
            ("1.0", "1"),
            ("1e3", "1000"),
            ("4.50", "4.5"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("9007199254740992", "9007199254740992"),
            ("295147905179352830000", "295147905179352830000"),
            ("1e21", "1e+21"),
            ("999999999999999900000", "999999999999999900000"),
            ("333333333.3333332", "333333333.3333332"),
        ] {
            let json: serde_json::Value = serde_json::from_str(&format!("{{\"n\":{text}}}")).unwrap();
            assert_eq!(canonical(json), Ok(format!("{{\"n\":{expected}}}")), "{text}");
        }
    }

    #[test]
    fn numbers_that_change_as_doubles_are_rejected() {
        for text in ["9007199254740993", "0.1234567890123456789", "123456789012345678901234567890"] {
            let json: serde_json::Value = serde_json::from_str(&format!("{{\"n\":{text}}}")).unwrap();
            assert!(canonical(json).unwrap_err().to_string().contains("write it as text"), "{text}");
        }
    }

    #[test]
    fn values_that_are_not_json_are_rejected() {
        let bytes = Item::from([("b".into(), Value::B(vec![1]))]);
        assert!(checksum(&bytes).unwrap_err().to_string().contains("neither bytes nor sets"));
    }

    /// Rs8
    #[test]
    fn the_prefix_does_not_matter() {
        let text = checksum(&Item::default()).unwrap();
        assert_eq!(text, "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        assert!(same_checksum(&text, &text[7..]) && same_checksum(&text[7..], &text[7..]));
        assert!(!same_checksum(&text, "sha256:00"));
    }

    proptest! {
        #[test]
        fn bytes_to_escape_are_found_at_any_position(text in "[a-z \\x00-\\x21\"\\\\é가\\x7f]{0,20}") {
            let naive = text.bytes().any(|byte| byte == b'"' || byte == b'\\' || byte < b' ');
            prop_assert_eq!(any_special(text.as_bytes()), naive);
        }

        /// Every double reads back as itself.
        #[test]
        fn doubles_survive(double in any::<f64>().prop_filter("DynamoDB keeps it", |one| {
            one.is_finite() && (one.abs() < 1e120 && (*one == 0.0 || one.abs() > 1e-120))
        })) {
            let mut buffer = ryu_js::Buffer::new();
            let number: Number = buffer.format_finite(double).parse().unwrap();
            let mut out = String::new();
            write_number(&mut out, number).unwrap();
            prop_assert_eq!(out.parse::<f64>().unwrap(), double);
        }
    }
}
