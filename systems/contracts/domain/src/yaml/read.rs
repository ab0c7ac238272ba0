//! Parses YAML without losing digits of numbers.

use std::fmt;

use hansang_core::number::Number;
use hansang_core::{Item, Value};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Options, Spanned, UserMessageFormatter};

/// The maximum size of a file: a contract has less than 400 KB, and YAML may need several bytes for one.
pub(super) const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Parses a YAML text with one document.
///
/// # Errors
/// The first problem, with its location.
pub fn read(text: &str) -> Result<Value, String> {
    let node: Spanned<Node> = serde_saphyr::from_str_with_options(text, options())
        .map_err(|error| error.render_with_formatter(&UserMessageFormatter))?;
    value(node, text)
}

/// Limits expansion, and reads only `true` and `false` as booleans: `NO` is a country.
fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            // The store allows 32 levels, and a file adds two.
            max_depth: 40,
            max_documents: 2,
            // An item holds at most 200,000 of the smallest values.
            max_nodes: 300_000,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 300_000 },
        duplicate_keys: DuplicateKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::Reject,
        with_snippet: false,
    }
}

/// A parsed node. The parser returns fractions only as doubles, so they are parsed again from the source text.
enum Node {
    Whole(Value),
    Fraction(f64),
    List(Vec<Spanned<Node>>),
    Map(Vec<(String, Spanned<Node>)>),
}

fn value(node: Spanned<Node>, text: &str) -> Result<Value, String> {
    Ok(match node.value {
        Node::Whole(value) => value,
        Node::Fraction(double) => {
            let span = node.defined.span();
            let written = span.byte_offset().zip(span.byte_len()).and_then(|(start, length)| {
                let start = usize::try_from(start).ok()?;
                text.get(start..start.checked_add(usize::try_from(length).ok()?)?)
            });
            let at = || format!(" at line {}, column {}", node.defined.line(), node.defined.column());
            Value::N(fraction(written, double).map_err(|problem| problem + &at())?)
        }
        Node::List(nodes) => {
            Value::L(nodes.into_iter().map(|node| value(node, text)).collect::<Result<_, _>>()?)
        }
        Node::Map(nodes) => Value::M(
            nodes
                .into_iter()
                .map(|(name, node)| Ok((name.into(), value(node, text)?)))
                .collect::<Result<Item, String>>()?,
        ),
    })
}

/// The number as written, if it is in plain notation, otherwise the shortest text of the double.
fn fraction(written: Option<&str>, double: f64) -> Result<Number, String> {
    let plain = written.map(|text| text.trim().trim_start_matches('+'));
    let exact = plain.filter(|text| text.parse::<f64>() == Ok(double));
    let mut buffer = ryu_js::Buffer::new();
    let text = exact.unwrap_or_else(|| buffer.format(double));
    let text = text.strip_prefix('.').map_or_else(|| text.to_owned(), |rest| format!("0.{rest}"));
    text.parse().map_err(|problem| format!("{text} {problem}"))
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Whole(Value::Null))
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Node, E> {
        Ok(Node::Whole(Value::Bool(truth)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Whole(Value::N(number.into())))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Node, E> {
        number.to_string().parse().map(|number| Node::Whole(Value::N(number))).map_err(E::custom)
    }

    fn visit_f64<E>(self, double: f64) -> Result<Node, E> {
        Ok(Node::Fraction(double))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Whole(Value::from(text)))
    }

    fn visit_string<E>(self, text: String) -> Result<Node, E> {
        Ok(Node::Whole(Value::from(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut nodes: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = nodes.next_element()? {
            list.push(node);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut nodes: A) -> Result<Node, A::Error> {
        let mut map: Vec<(String, Spanned<Node>)> = Vec::new();
        while let Some((name, node)) = nodes.next_entry::<String, _>()? {
            map.push((name, node));
        }
        Ok(Node::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use hansang_core::value::json::to_plain;

    use super::*;

    fn json(text: &str) -> String {
        to_plain(&read(text).unwrap()).to_string()
    }

    #[test]
    fn numbers_keep_every_digit() {
        for (written, exact) in [
            ("1.50", "1.5"),
            ("0.1234567890123456789", "0.1234567890123456789"),
            ("18446744073709551617", "18446744073709551617"),
            ("-9223372036854775809", "-9223372036854775809"),
            ("+.5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5"),
            ("1e3", "1000"),
            ("-1.25e-3", "-0.00125"),
            ("0x1F", "31"),
            ("!!float \"2.50\"", "2.5"),
        ] {
            assert_eq!(json(&format!("n: {written}\n")), format!("{{\"n\":{exact}}}"), "{written}");
            let again = format!("한글: &a {written}\nalias: *a\n");
            assert_eq!(json(&again), format!("{{\"alias\":{exact},\"한글\":{exact}}}"), "{written}");
        }
    }

    #[test]
    fn only_true_and_false_are_booleans() {
        let text = "[true, False, yes, NO, on, y, ~, null, '', \"null\", 2026-01-25T09:00:00Z, 1.0.0]";
        let expected =
            r#"[true,false,"yes","NO","on","y",null,null,"","null","2026-01-25T09:00:00Z","1.0.0"]"#;
        assert_eq!(json(text), expected);
        assert_eq!(json("1: a\ntrue: b\n"), r#"{"1":"a","true":"b"}"#);
        assert_eq!(json(""), "null");
    }

    #[test]
    fn problems_have_a_location() {
        for (text, part) in [
            ("a: .nan", "not a finite number at line 1, column 4"),
            ("a: 1e999", "not a finite number"),
            ("a: 1e-200", "is outside the range 1E-130 to 9.99E+125 at line 1, column 4"),
            ("a: 0.1\na: 2", "duplicate mapping key: a"),
            ("a: {b: 1", "line 1, column 4"),
            ("a: 1\n---\nb: 2", "multiple found at line 3"),
            ("a: !mine 1", "unsupported tag"),
            ("? [a]\n: 1", "line 1"),
        ] {
            let problem = read(text).unwrap_err();
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }

    #[test]
    fn a_small_file_cannot_become_large() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let before = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb += &format!("a{level}: &a{level} [{before}]\n");
        }
        assert!(read(&bomb).is_err());
        assert!(read(&"[".repeat(100)).is_err());
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        assert!(read(&deep).is_err());
    }
}
