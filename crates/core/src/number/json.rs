//! Numbers in serde: JSON numbers with every digit, in the structs of callers.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::Number;

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number: serde_json::Number = self.to_string().parse().map_err(ser::Error::custom)?;
        number.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        number.to_string().parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_survives() {
        for text in ["12345678901234567890123456789012345678", "-0.1", "0", "100000"] {
            let number: Number = serde_json::from_str(text).unwrap();
            assert_eq!(number, text.parse().unwrap());
            assert_eq!(serde_json::to_value(number).unwrap().to_string(), text);
        }
        assert!(serde_json::from_str::<Number>(&"1".repeat(39)).is_err());
        assert!(serde_json::from_str::<Number>("\"1\"").is_err());
    }
}
