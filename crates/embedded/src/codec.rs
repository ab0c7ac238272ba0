//! Items as bytes: a tag a value, lengths as varints, names inline.

use std::cell::RefCell;

use hansang_core::number::Number;
use hansang_core::{Item, Name, Value};

/// Bytes that are not an item.
#[derive(Debug)]
pub struct Damaged;

const TEXT: u8 = 1;
const NUMBER: u8 = 2;
const BINARY: u8 = 3;
const FALSE: u8 = 4;
const TRUE: u8 = 5;
const NULL: u8 = 6;
const LIST: u8 = 7;
const MAP: u8 = 8;
const TEXTS: u8 = 9;
const NUMBERS: u8 = 10;
const BINARIES: u8 = 11;

/// Deeper than any item that passed the rules of a store.
const MAX_DEPTH: usize = 40;

/// The bytes of an item.
#[must_use]
pub fn encode(item: &Item) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    encode_map(item, &mut out);
    out
}

/// The item of these bytes, with only the attributes that `wanted` picks.
pub fn decode(bytes: &[u8], wanted: impl Fn(&str) -> bool) -> Result<Item, Damaged> {
    let mut rest = bytes;
    let count = take_length(&mut rest)?;
    let mut pairs = Vec::with_capacity(count.min(256));
    for _ in 0..count {
        let name = take_bytes(&mut rest)?;
        if wanted(text(name)?) {
            pairs.push((intern(text(name)?), take_value(&mut rest, 0)?));
        } else {
            take_value(&mut rest, 0)?;
        }
    }
    if rest.is_empty() { Ok(pairs.into_iter().collect()) } else { Err(Damaged) }
}

/// The item of these bytes, whole.
pub fn decode_whole(bytes: &[u8]) -> Result<Item, Damaged> {
    decode(bytes, |_| true)
}

fn encode_map(item: &Item, out: &mut Vec<u8>) {
    put_length(item.len(), out);
    for (name, value) in item {
        put_bytes(name.as_bytes(), out);
        encode_value(value, out);
    }
}

fn encode_value(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::S(text) => {
            out.push(TEXT);
            put_bytes(text.as_bytes(), out);
        }
        Value::N(number) => {
            out.push(NUMBER);
            put_number(*number, out);
        }
        Value::B(bytes) => {
            out.push(BINARY);
            put_bytes(bytes, out);
        }
        Value::Bool(truth) => out.push(if *truth { TRUE } else { FALSE }),
        Value::Null => out.push(NULL),
        Value::L(values) => {
            out.push(LIST);
            put_length(values.len(), out);
            values.iter().for_each(|value| encode_value(value, out));
        }
        Value::M(map) => {
            out.push(MAP);
            encode_map(map, out);
        }
        Value::Ss(texts) => {
            out.push(TEXTS);
            put_length(texts.len(), out);
            texts.iter().for_each(|text| put_bytes(text.as_bytes(), out));
        }
        Value::Ns(numbers) => {
            out.push(NUMBERS);
            put_length(numbers.len(), out);
            numbers.iter().for_each(|number| put_number(*number, out));
        }
        Value::Bs(blobs) => {
            out.push(BINARIES);
            put_length(blobs.len(), out);
            blobs.iter().for_each(|blob| put_bytes(blob, out));
        }
    }
}

fn take_value(rest: &mut &[u8], depth: usize) -> Result<Value, Damaged> {
    if depth > MAX_DEPTH {
        return Err(Damaged);
    }
    Ok(match take_byte(rest)? {
        TEXT => Value::S(text(take_bytes(rest)?)?.to_owned()),
        NUMBER => Value::N(take_number(rest)?),
        BINARY => Value::B(take_bytes(rest)?.to_vec()),
        FALSE => Value::Bool(false),
        TRUE => Value::Bool(true),
        NULL => Value::Null,
        LIST => {
            let count = take_length(rest)?;
            Value::L((0..count).map(|_| take_value(rest, depth + 1)).collect::<Result<_, _>>()?)
        }
        MAP => {
            let count = take_length(rest)?;
            let mut pair = || Ok((intern(text(take_bytes(rest)?)?), take_value(rest, depth + 1)?));
            Value::M((0..count).map(|_| pair()).collect::<Result<_, _>>()?)
        }
        TEXTS => {
            let count = take_length(rest)?;
            let mut one = || Ok(text(take_bytes(rest)?)?.to_owned());
            Value::Ss((0..count).map(|_| one()).collect::<Result<_, _>>()?)
        }
        NUMBERS => {
            let count = take_length(rest)?;
            Value::Ns((0..count).map(|_| take_number(rest)).collect::<Result<_, _>>()?)
        }
        BINARIES => {
            let count = take_length(rest)?;
            let mut one = || Ok(take_bytes(rest)?.to_vec());
            Value::Bs((0..count).map(|_| one()).collect::<Result<_, _>>()?)
        }
        _ => return Err(Damaged),
    })
}

fn put_number(number: Number, out: &mut Vec<u8>) {
    let (negative, digits, exponent) = number.parts();
    // The exponent lies between -130 and 125: shifted by 256 it is a short varint.
    let head = (u64::from(exponent.wrapping_add(256).unsigned_abs()) << 1) | u64::from(negative);
    put_varint(u128::from(head), out);
    put_varint(digits, out);
}

fn take_number(rest: &mut &[u8]) -> Result<Number, Damaged> {
    let head = take_varint(rest)?;
    let digits = take_varint(rest)?;
    let exponent = i16::try_from(head >> 1).map_err(|_| Damaged)? - 256;
    Number::from_parts(head & 1 == 1, digits, exponent).ok_or(Damaged)
}

fn put_length(length: usize, out: &mut Vec<u8>) {
    put_varint(length as u128, out);
}

fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_length(bytes.len(), out);
    out.extend_from_slice(bytes);
}

fn put_varint(mut number: u128, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_byte(rest: &mut &[u8]) -> Result<u8, Damaged> {
    let (&byte, more) = rest.split_first().ok_or(Damaged)?;
    *rest = more;
    Ok(byte)
}

/// A length; nothing that is stored has more elements than bytes are left.
fn take_length(rest: &mut &[u8]) -> Result<usize, Damaged> {
    // Almost every length is below 128.
    if let Some((&byte, more)) = rest.split_first()
        && byte < 0x80
    {
        *rest = more;
        return if usize::from(byte) <= more.len() { Ok(usize::from(byte)) } else { Err(Damaged) };
    }
    let length = usize::try_from(take_varint(rest)?).map_err(|_| Damaged)?;
    if length <= rest.len() { Ok(length) } else { Err(Damaged) }
}

fn take_bytes<'b>(rest: &mut &'b [u8]) -> Result<&'b [u8], Damaged> {
    let length = take_length(rest)?;
    let (bytes, more) = rest.split_at_checked(length).ok_or(Damaged)?;
    *rest = more;
    Ok(bytes)
}

fn take_varint(rest: &mut &[u8]) -> Result<u128, Damaged> {
    let mut number = 0_u128;
    for shift in (0..128).step_by(7) {
        let byte = take_byte(rest)?;
        number |= u128::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Damaged)
}

fn text(bytes: &[u8]) -> Result<&str, Damaged> {
    std::str::from_utf8(bytes).map_err(|_| Damaged)
}

const NAMES: usize = 256;

thread_local! {
    /// Names that this thread met lately: items of a table share a handful of them, and a shared
    /// name costs no allocation.
    static LATELY: RefCell<[Option<Name>; NAMES]> = const { RefCell::new([const { None }; NAMES]) };
}

fn intern(name: &str) -> Name {
    let mix = |hash: usize, byte: &u8| hash.wrapping_mul(31).wrapping_add(usize::from(*byte));
    let place = name.as_bytes().iter().fold(name.len(), mix) % NAMES;
    LATELY.with_borrow_mut(|names| match &names[place] {
        Some(known) if **known == *name => known.clone(),
        _ => names[place].insert(Name::from(name)).clone(),
    })
}

#[cfg(test)]
mod tests {
    use hansang_core::value::json::item_from_typed;
    use serde_json::json;

    use super::*;

    fn item() -> Item {
        let long = "가".repeat(200);
        item_from_typed(&json!({
            "PK": {"S": "POST#1"}, "SK": {"S": ""}, "long": {"S": long},
            "numbers": {"L": [{"N": "0"}, {"N": "-1.5"}, {"N": "1E-130"}, {"N": "9.9999999999999999999999999999999999999E+125"}, {"N": "12345678901234567890123456789012345678"}]},
            "bytes": {"B": "AAEC/w=="}, "yes": {"BOOL": true}, "no": {"BOOL": false}, "null": {"NULL": true},
            "map": {"M": {"a": {"M": {}}, "b": {"L": []}}},
            "texts": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "-2.5"]}, "bs": {"BS": ["AA==", "AQ=="]},
        }))
        .unwrap()
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        assert_eq!(decode_whole(&encode(&item())).unwrap(), item());
        assert_eq!(decode_whole(&encode(&Item::new())).unwrap(), Item::new());
        let some = decode(&encode(&item()), |name| name == "yes" || name == "PK").unwrap();
        assert_eq!(some.keys().map(|name| &**name).collect::<Vec<_>>(), ["PK", "yes"]);
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_a_panic() {
        let bytes = encode(&item());
        for end in 0..bytes.len() {
            assert!(decode_whole(&bytes[..end]).is_err());
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0xff;
            let _ = decode_whole(&damaged);
        }
    }
}
