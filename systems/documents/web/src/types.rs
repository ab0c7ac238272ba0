//! The media type of a file, by its content. What is declared counts only among texts, whose content does not tell.

use std::path::Path;

use hansang_core::Error;
use hansang_core::files::unavailable;
use tokio::io::AsyncReadExt as _;

/// The bytes that are looked at.
const BEGINNING: u64 = 64 * 1024;

/// The type of a file.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn type_of(file: &Path, declared: &str, name: &str) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let opened = tokio::fs::File::open(file).await.map_err(unavailable)?;
    opened.take(BEGINNING).read_to_end(&mut bytes).await.map_err(unavailable)?;
    Ok(of_bytes(&bytes, declared, name).to_owned())
}

/// Whether pages show files of this type as pictures.
pub(crate) fn is_picture(media: &str) -> bool {
    matches!(media, "image/png" | "image/jpeg" | "image/webp" | "image/gif")
}

/// The type of a file with this beginning.
fn of_bytes<'t>(bytes: &[u8], declared: &'t str, name: &str) -> &'t str {
    const HWP: &[u8] = b"H\0W\0P\0";
    const MARK: &[u8] = b"HWP Document File";
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    // Packages of Hangul name their type in their first file.
    if bytes.starts_with(b"PK\x03\x04") && has(b"application/hwp+zip") {
        return "application/hwp+zip";
    }
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") && (has(MARK) || has(HWP) || has(b"H\0w\0p\0")) {
        return "application/x-hwp";
    }
    if let Some(kind) = infer::get(bytes) {
        return kind.mime_type();
    }
    let Some(text) = text(bytes) else { return "application/octet-stream" };
    let start =
        text.trim_start_matches('\u{feff}').trim_start().get(..15).unwrap_or_default().to_ascii_lowercase();
    if start.starts_with("<!doctype html") || start.starts_with("<html") {
        return "text/html";
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("md" | "markdown") => "text/markdown",
        _ if declared.starts_with("text/") && declared != "text/html" => declared,
        _ => "text/plain",
    }
}

/// The beginning of a text; a last character may be cut.
fn text(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_the_type() {
        let cases: [(&[u8], &str, &str, &str); 9] = [
            (b"%PDF-1.7\n", "image/png", "a.png", "application/pdf"),
            (b"\x89PNG\r\n\x1a\n", "application/pdf", "a.pdf", "image/png"),
            (b"<!DOCTYPE html><p>", "text/plain", "a.txt", "text/html"),
            (b"# Title", "application/pdf", "a.md", "text/markdown"),
            (b"a,b", "text/csv", "a.csv", "text/csv"),
            (b"plain", "application/pdf", "a.pdf", "text/plain"),
            (b"plain", "text/html", "a.html", "text/plain"),
            (b"a\0b", "text/plain", "a.txt", "application/octet-stream"),
            (b"PK\x03\x04 mimetypeapplication/hwp+zip", "application/zip", "a.hwpx", "application/hwp+zip"),
        ];
        for (bytes, declared, name, expected) in cases {
            assert_eq!(of_bytes(bytes, declared, name), expected, "{name}");
        }
    }

    #[test]
    fn a_cut_character_is_still_text() {
        let bytes = "가나".as_bytes();
        assert_eq!(text(&bytes[..5]), Some("가"));
        assert_eq!(text(b"\xff\xfe"), None);
    }
}
