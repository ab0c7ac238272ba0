//! Encodes items: a tag per value, lengths as varints, names inline.

use std::cell::RefCell;

use hansang_core::number::Number;
use hansang_core::value::stored;
use hansang_core::{Item, Name, Value};

/// Bytes that do not decode to an item.
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

/// Maximum number of elements to allocate memory for before they are read.
const MAX_PREALLOCATED: usize = 256;

/// Maximum nesting depth, above what a store accepts.
const MAX_DEPTH: usize = 40;

/// Encodes an item.
#[must_use]
pub fn encode(item: &Item) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    encode_into(item, &mut out);
    out
}

/// Appends an encoded item.
pub(crate) fn encode_into(item: &Item, out: &mut Vec<u8>) {
    encode_map(item, out);
}

/// Decodes the attributes of an item that `wanted` selects.
pub fn decode(bytes: &[u8], wanted: impl Fn(&str) -> bool) -> Result<Item, Damaged> {
    RECENT.with_borrow_mut(|names| {
        let mut reader = Reader { rest: bytes, names };
        let count = reader.length()?;
        let mut pairs = Vec::with_capacity(count.min(MAX_PREALLOCATED));
        for _ in 0..count {
            let name = reader.name()?;
            let value = reader.value(0)?;
            if wanted(&name) {
                pairs.push((name, value));
            }
        }
        if reader.rest.is_empty() { Ok(pairs.into()) } else { Err(Damaged) }
    })
}

/// Decodes a whole item.
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

fn put_number(number: Number, out: &mut Vec<u8>) {
    let (negative, digits, exponent) = number.parts();
    // The exponent is between -130 and 125: adding 256 makes it a short varint.
    let head = (u64::from(exponent.wrapping_add(256).unsigned_abs()) << 1) | u64::from(negative);
    put_varint(u128::from(head), out);
    put_varint(digits, out);
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

/// Reads values from the front of a slice.
struct Reader<'b, 'n> {
    rest: &'b [u8],
    names: &'n mut Names,
}

impl<'b> Reader<'b, '_> {
    fn value(&mut self, depth: usize) -> Result<Value, Damaged> {
        if depth > MAX_DEPTH {
            return Err(Damaged);
        }
        Ok(match self.byte()? {
            TEXT => Value::S(self.text()?.into()),
            NUMBER => Value::N(self.number()?),
            BINARY => Value::B(self.bytes()?.to_vec()),
            FALSE => Value::Bool(false),
            TRUE => Value::Bool(true),
            NULL => Value::Null,
            LIST => Value::L(self.all(|reader| reader.value(depth + 1))?),
            MAP => Value::M(self.all(|reader| Ok((reader.name()?, reader.value(depth + 1)?)))?.into()),
            TEXTS => Value::Ss(self.all(|reader| Ok(reader.text()?.to_owned()))?.into_iter().collect()),
            NUMBERS => Value::Ns(self.all(Self::number)?.into_iter().collect()),
            BINARIES => Value::Bs(self.all(|reader| Ok(reader.bytes()?.to_vec()))?.into_iter().collect()),
            _ => return Err(Damaged),
        })
    }

    /// Reads as many elements as the length prefix says. Preallocates at most [`MAX_PREALLOCATED`], because a
    /// damaged length may be huge.
    fn all<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T, Damaged>) -> Result<Vec<T>, Damaged> {
        let count = self.length()?;
        let mut all = Vec::with_capacity(count.min(MAX_PREALLOCATED));
        for _ in 0..count {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn byte(&mut self) -> Result<u8, Damaged> {
        let (&byte, more) = self.rest.split_first().ok_or(Damaged)?;
        self.rest = more;
        Ok(byte)
    }

    /// Reads a length. A length above the number of remaining bytes is damage.
    fn length(&mut self) -> Result<usize, Damaged> {
        let length = match self.rest.first() {
            // Fast path: most lengths are below 128.
            Some(&byte) if byte < 0x80 => {
                self.rest = &self.rest[1..];
                usize::from(byte)
            }
            _ => usize::try_from(self.varint()?).map_err(|_| Damaged)?,
        };
        if length <= self.rest.len() { Ok(length) } else { Err(Damaged) }
    }

    fn bytes(&mut self) -> Result<&'b [u8], Damaged> {
        let length = self.length()?;
        let (bytes, more) = self.rest.split_at_checked(length).ok_or(Damaged)?;
        self.rest = more;
        Ok(bytes)
    }

    fn text(&mut self) -> Result<&'b str, Damaged> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Damaged)
    }

    fn varint(&mut self) -> Result<u128, Damaged> {
        let mut number = 0_u128;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    fn number(&mut self) -> Result<Number, Damaged> {
        let head = self.varint()?;
        let digits = self.varint()?;
        let exponent = i16::try_from(head >> 1).map_err(|_| Damaged)? - 256;
        Number::from_parts(head & 1 == 1, digits, exponent).ok_or(Damaged)
    }

    /// Reads a name, shared with recent ones of this thread where possible.
    fn name(&mut self) -> Result<Name, Damaged> {
        let bytes = self.bytes()?;
        let recent = &mut self.names[slot(bytes)];
        if let Some(known) = recent.iter().flatten().find(|known| known.as_bytes() == bytes) {
            return Ok(known.clone());
        }
        let name = stored(std::str::from_utf8(bytes).map_err(|_| Damaged)?);
        recent.rotate_right(1);
        recent[0] = Some(name.clone());
        Ok(name)
    }
}

/// Slots of the name cache.
const SLOTS: usize = 128;
/// Names per slot, most recent first.
const NAMES_PER_SLOT: usize = 4;
type Names = [[Option<Name>; NAMES_PER_SLOT]; SLOTS];

/// Slot of a name, by its length and its last eight bytes: names of one table often share a prefix.
fn slot(name: &[u8]) -> usize {
    let last = match name.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => name.iter().fold(0, |all, byte| (all << 8) | u64::from(*byte)),
    };
    let mixed = (last ^ ((name.len() as u64) << 56)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
}

thread_local! {
    /// Recently decoded names of this thread. Items of a table share a few names, and a shared name needs no
    /// allocation.
    static RECENT: RefCell<Names> = const { RefCell::new([const { [const { None }; NAMES_PER_SLOT] }; SLOTS]) };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
    fn encoding_round_trips() {
        assert_eq!(decode_whole(&encode(&item())).unwrap(), item());
        assert_eq!(decode_whole(&encode(&Item::new())).unwrap(), Item::new());
        let some = decode(&encode(&item()), |name| name == "yes" || name == "PK").unwrap();
        assert_eq!(some.keys().map(|name| &**name).collect::<Vec<_>>(), ["PK", "yes"]);
    }

    /// Names that evict each other are allocated for every item: `GSI1PK` and `GSI1SK` once did.
    #[test]
    fn names_of_a_model_share_the_cache_without_eviction() {
        for text in [
            include_str!("../../../models/content.yaml"),
            include_str!("../../../models/ledger.yaml"),
            include_str!("../../../models/entry.yaml"),
            include_str!("../../../models/documents.yaml"),
            include_str!("../../../models/contracts.yaml"),
            include_str!("../../../models/access.yaml"),
        ] {
            let model = hansang_core::compile(text.as_bytes()).unwrap();
            let indexes = model.table.indexes.iter().flat_map(|index| [Some(&index.pk), index.sk.as_ref()]);
            let fields = model.entities.iter().flat_map(|entity| &entity.attributes).map(|one| &one.name);
            let keys = [Some(&model.table.pk), Some(&model.table.sk)].into_iter().chain(indexes).flatten();
            let names: BTreeSet<&Name> = keys.chain(fields).collect();
            let mut used = [0; SLOTS];
            names.iter().for_each(|name| used[slot(name.as_bytes())] += 1);
            assert!(used.iter().all(|count| *count <= NAMES_PER_SLOT), "{}: {names:?}", model.name);
        }
    }

    #[test]
    fn damaged_bytes_are_rejected_without_a_panic() {
        let bytes = encode(&item());
        for end in 0..bytes.len() {
            assert!(decode_whole(&bytes[..end]).is_err());
        }
        for position in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[position] ^= 0xff;
            let _ = decode_whole(&damaged);
        }
    }
}
