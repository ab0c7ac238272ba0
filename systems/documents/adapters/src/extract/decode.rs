//! The encoding of texts, and texts decoded piece by piece.

use std::io::Read;

use encoding_rs::{CoderResult, Decoder, EUC_KR, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::trouble::Trouble;

/// The encoding of a text by its beginning: a mark, UTF-8 if it is valid, Korean if it is valid, else Western.
pub(super) fn encoding(start: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return encoding;
    }
    if let Some(encoding) = wide(start) {
        return encoding;
    }
    if is_whole(UTF_8, start) {
        UTF_8
    } else if is_whole(EUC_KR, start) {
        EUC_KR
    } else {
        WINDOWS_1252
    }
}

/// UTF-16 without a mark: every other byte of Western text is zero.
fn wide(start: &[u8]) -> Option<&'static Encoding> {
    let pairs = start.len() / 2;
    if pairs < 4 {
        return None;
    }
    let zeros = |offset: usize| start.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if odd > pairs / 2 && even == 0 {
        Some(UTF_16LE)
    } else if even > pairs / 2 && odd == 0 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Whether bytes are valid in an encoding, except for a character that the end cuts off.
fn is_whole(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out = String::with_capacity(bytes.len() * 3 + 16);
    let (result, _, replaced) = decoder.decode_to_string(bytes, &mut out, false);
    result == CoderResult::InputEmpty && !replaced
}

/// The beginning of a text, or nothing if the bytes are none.
pub(super) fn decode_start(start: &[u8]) -> Option<String> {
    let encoding = encoding(start);
    if encoding != UTF_16LE && encoding != UTF_16BE && start.contains(&0) {
        return None;
    }
    let (text, _, _) = encoding.decode(start);
    // Form feeds and escapes stand in texts of old programs.
    let strange = text.chars().filter(|one| one.is_control() && !"\n\r\t\u{c}\u{1b}".contains(*one)).count();
    (strange * 50 <= text.chars().count()).then(|| text.into_owned())
}

/// Decodes a reader in pieces of bounded size. `declared` overrides the guess, as the header of a web page does.
pub(super) fn decode(
    reader: &mut dyn Read,
    declared: fn(&[u8]) -> Option<&'static Encoding>,
    out: &mut dyn FnMut(&str) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut bytes = vec![0; 64 * 1024];
    let mut count = fill(reader, &mut bytes)?;
    let start = &bytes[..count];
    let encoding = Encoding::for_bom(start)
        .map(|(encoding, _)| encoding)
        .or_else(|| declared(start))
        .unwrap_or_else(|| encoding(start));
    let mut decoder = encoding.new_decoder();
    loop {
        let last = count == 0;
        push(&mut decoder, &bytes[..count], last, out)?;
        if last {
            return Ok(());
        }
        count = fill(reader, &mut bytes)?;
    }
}

fn push(
    decoder: &mut Decoder,
    mut bytes: &[u8],
    last: bool,
    out: &mut dyn FnMut(&str) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut text = String::with_capacity(64 * 1024);
    loop {
        let (result, read, _) = decoder.decode_to_string(bytes, &mut text, last);
        bytes = &bytes[read..];
        out(&text)?;
        text.clear();
        if result == CoderResult::InputEmpty {
            return Ok(());
        }
    }
}

fn fill(reader: &mut dyn Read, bytes: &mut [u8]) -> Result<usize, Trouble> {
    let mut count = 0;
    while count < bytes.len() {
        match reader.read(&mut bytes[count..])? {
            0 => break,
            more => count += more,
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_found_by_content() {
        let (korean, _, _) = EUC_KR.encode("한글 문서입니다");
        assert_eq!(encoding(&korean), EUC_KR);
        assert_eq!(encoding("한글".as_bytes()), UTF_8);
        // The last character is cut off.
        assert_eq!(encoding(&"한글".as_bytes()[..5]), UTF_8);
        assert_eq!(encoding(b"caf\xe9 a"), WINDOWS_1252);
        let wide: Vec<u8> = "plain text".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(encoding(&wide), UTF_16LE);
        assert!(decode_start(b"\x00\x01\x02\x03").is_none());
        assert!(decode_start(&[0x7f, 0x45, 1, 2, 3, 4, 5, 6]).is_none());
    }

    #[test]
    fn pieces_join_to_the_whole_text() {
        let text = "가나다 abc ".repeat(20_000);
        let mut got = String::new();
        decode(&mut text.as_bytes(), |_| None, &mut |part| {
            got.push_str(part);
            Ok(())
        })
        .unwrap();
        assert_eq!(got, text);
    }
}
