//! Formats values as YAML that reads back as the same value.

use hansang_core::{Item, Value};
use serde::ser::{Error as _, Serialize, Serializer};

/// Formats a document.
///
/// # Errors
/// If a value is not JSON.
pub(super) fn write(document: &[(&str, Value)]) -> Result<String, String> {
    serde_saphyr::to_string(&Document(document)).map_err(|error| error.to_string())
}

/// The members in the given order, for human readers.
struct Document<'v>(&'v [(&'v str, Value)]);

struct Written<'v>(&'v Value);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, Written(value))))
    }
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::S(text) => serializer.serialize_str(text),
            Value::L(values) => serializer.collect_seq(values.iter().map(Written)),
            Value::M(map) => members(serializer, map),
            Value::N(number) => match number.to_i64() {
                Some(whole) => serializer.serialize_i64(whole),
                None => {
                    let double: f64 = number.to_string().parse().map_err(S::Error::custom)?;
                    serializer.serialize_f64(double)
                }
            },
            Value::B(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => {
                Err(S::Error::custom("a contract is JSON, which has neither bytes nor sets"))
            }
        }
    }
}

fn members<S: Serializer>(serializer: S, map: &Item) -> Result<S::Ok, S::Error> {
    serializer.collect_map(map.iter().map(|(name, value)| (&**name, Written(value))))
}

#[cfg(test)]
mod tests {
    use hansang_core::number::Number;
    use proptest::prelude::{
        Just, ProptestConfig, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest,
    };

    use super::*;
    use crate::yaml::read::read;

    fn round_trip(value: &Value) -> Value {
        let text = write(&[("value", value.clone())]).unwrap();
        let Ok(Value::M(mut document)) = read(&text) else { panic!("does not read back:\n{text}") };
        document.remove("value").unwrap()
    }

    /// Texts that mean something else in YAML, or need escapes.
    const TRICKY: &[&str] = &[
        "yes",
        "No",
        "on",
        "y",
        "~",
        "null",
        "true",
        "1.0",
        "1e5",
        "0x1F",
        "1_000",
        ".inf",
        "2026-01-25",
        "12:30",
        "",
        " ",
        "a ",
        " a",
        "-",
        "- a",
        "? a",
        "a: b",
        "a #b",
        "#a",
        "'",
        "\"",
        "\\",
        "%",
        "@",
        "`",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "{",
        "]",
        ",",
        "---",
        "...",
        "<<",
        "=",
        "\t",
        "a\tb",
        "\r",
        "a\r\nb",
        "\n",
        "a\nb",
        "a\n",
        "\na",
        "a\n\n",
        " a\nb",
        "a \nb",
        "a\n b\n",
        "한상",
        "한\n상",
        "😀",
        "\u{feff}a",
        "\u{85}",
        "\u{2028}b",
        "\u{7f}",
        "\u{0}",
        "\u{1b}[0m",
        "\u{fffe}",
    ];

    #[test]
    fn texts_that_mean_something_else_stay_texts() {
        for text in TRICKY {
            for text in [(*text).to_owned(), format!("{text} x"), format!("x\n{text}"), text.repeat(30)] {
                let value = Value::from(text.clone());
                assert_eq!(round_trip(&value), value);
                let map = Value::M([(text.into(), Value::L(vec![value.clone(), Value::Null]))].into());
                assert_eq!(round_trip(&map), map);
            }
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        let piece = prop_oneof![prop::sample::select(TRICKY).prop_map(str::to_owned), any::<String>()];
        prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
    }

    fn values() -> impl Strategy<Value = Value> {
        let doubles = any::<f64>().prop_filter_map("DynamoDB keeps it", |double| {
            let number: Number = ryu_js::Buffer::new().format(double).parse().ok()?;
            Some(Value::N(number))
        });
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::from),
            doubles,
            texts().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::L),
                prop::collection::vec((texts().prop_map(Into::into), inner), 0..5)
                    .prop_map(|members| Value::M(members.into())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_value_reads_back(value in values()) {
            prop_assert_eq!(round_trip(&value), value);
        }
    }

    #[test]
    fn values_that_are_not_json_are_rejected() {
        assert!(write(&[("b", Value::B(vec![1]))]).unwrap_err().contains("neither bytes nor sets"));
    }
}
