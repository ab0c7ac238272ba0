//! YAML text becomes a value, and no digit of it is lost.

use std::fmt;

use hansang_core::number::Number;
use hansang_core::{Item, Value};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Options, Spanned, UserMessageFormatter};

/// The most bytes of a file: a contract has less than 400 KB, and YAML may need a few for one.
pub(super) const MOST: u64 = 4 * 1024 * 1024;

/// Reads the one document of a file.
///
/// # Errors
/// The first thing that is wrong with it, and where.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let node: Spanned<Node> = serde_saphyr::from_str_with_options(text, options())
        .map_err(|error| error.render_with_formatter(&UserMessageFormatter))?;
    value(node, text)
}

/// What makes a small file large ends soon, and only `true` and `false` are truths: `NO` is a country.
fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            // The store keeps 32 levels, and a file has two more around them.
            max_depth: 40,
            max_documents: 2,
            max_nodes: 200_000,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 200_000 },
        duplicate_keys: DuplicateKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::Reject,
        with_snippet: false,
    }
}

/// What the parser makes of a node. It gives numbers with a fraction as doubles only, so those are read
/// again, exactly, from where they stand.
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

/// The number as it is written, if it is written plainly, and otherwise the shortest text of the double.
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
        Ok(Node::Whole(Value::S(text)))
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
