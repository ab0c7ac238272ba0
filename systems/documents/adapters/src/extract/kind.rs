//! The format of a file, by its content.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::Path;

use super::decode::decode_start;
use super::package::Package;
use crate::limits::Options;
use crate::trouble::{Format, Trouble};

/// The bytes from which a format is known.
const START: u64 = 8192;

/// The bytes at which a compound file of OLE begins.
const OLE: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

pub(super) fn format(file: &Path, options: &Options) -> Result<Format, Trouble> {
    let mut start = Vec::new();
    let opened = File::open(file)?;
    opened.take(START).read_to_end(&mut start)?;
    if start.is_empty() {
        return Err(Trouble::Empty);
    }
    if start.starts_with(OLE) {
        return compound(file);
    }
    if start.starts_with(b"PK") {
        return package(file, options);
    }
    // Up to 1 KB may stand before the header of a PDF file.
    if start.iter().take(1024 + 5).copied().collect::<Vec<_>>().windows(5).any(|part| part == b"%PDF-") {
        return Ok(Format::Pdf);
    }
    let found = infer::get(&start).map(|kind| kind.mime_type());
    match found {
        Some("image/jpeg" | "image/png" | "image/gif" | "image/webp" | "image/tiff") => {
            return Ok(Format::Picture);
        }
        Some("text/html") => return Ok(Format::Html),
        Some(other) if !other.starts_with("text/") => {
            return Err(Trouble::NotSupported { found: other.to_owned() });
        }
        _ => {}
    }
    let Some(text) = decode_start(&start) else {
        return Err(Trouble::NotSupported { found: "application/octet-stream".to_owned() });
    };
    Ok(text_format(&text, options.name.as_deref()))
}

/// The format of a text. Markdown is any text, so that its name alone can tell.
fn text_format(text: &str, name: Option<&str>) -> Format {
    if is_html(text) {
        return Format::Html;
    }
    let name = name.unwrap_or_default().to_lowercase();
    let markdown = [".md", ".markdown"].iter().any(|end| name.ends_with(end));
    if markdown { Format::Markdown } else { Format::Text }
}

/// Whether a text begins as a web page does, after comments and the declaration of XML.
fn is_html(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<?xml") {
            rest.find("?>").map(|at| at + 2)
        } else {
            break;
        };
        let Some(end) = end else { return false };
        rest = rest[end..].trim_start();
    }
    let start: String = rest.chars().take(16).collect::<String>().to_ascii_lowercase();
    let tags = [
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<title",
        "<meta",
        "<script",
        "<div",
        "<table",
        "<p>",
        "<h1",
    ];
    tags.iter().any(|tag| start.starts_with(tag))
}

/// The format of a package of members in a ZIP file.
fn package(file: &Path, options: &Options) -> Result<Format, Trouble> {
    let mut package = Package::open(file, Format::Docx, &options.limits)?;
    let format = if package.has("word/document.xml") {
        Format::Docx
    } else if package.has("xl/workbook.xml") {
        Format::Xlsx
    } else if package.has("ppt/presentation.xml") {
        Format::Pptx
    } else if package.has("Contents/content.hpf") || package.has("Contents/section0.xml") {
        Format::Hwpx
    } else {
        let mut found = "application/zip".to_owned();
        if let Ok(text) = package.text("mimetype", 200) {
            let text = text.trim();
            if text.is_ascii() && text.contains('/') {
                text.clone_into(&mut found);
            }
        }
        return Err(Trouble::NotSupported { found });
    };
    package.check(format)?;
    Ok(format)
}

/// The format of a compound file: HWP, an encrypted document of Office, or an old format of Office.
fn compound(file: &Path) -> Result<Format, Trouble> {
    let mut opened = File::open(file)?;
    opened.rewind()?;
    let compound = cfb::CompoundFile::open(opened).map_err(|_| Trouble::Damaged(Format::Hwp))?;
    let old = |format: &str, instead: &str| {
        Err(Trouble::OldFormat { format: format.to_owned(), instead: instead.to_owned() })
    };
    if compound.exists("/EncryptedPackage") {
        return Err(Trouble::Encrypted(Format::Docx));
    }
    if compound.exists("/FileHeader") && compound.exists("/DocInfo") {
        return Ok(Format::Hwp);
    }
    if compound.exists("/WordDocument") {
        return old("DOC", "DOCX");
    }
    if compound.exists("/Workbook") || compound.exists("/Book") {
        return old("XLS", "XLSX");
    }
    if compound.exists("/PowerPoint Document") {
        return old("PPT", "PPTX");
    }
    Err(Trouble::NotSupported { found: "application/x-ole-storage".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_pages_are_told_from_other_texts() {
        for page in [
            "<!DOCTYPE html><p>a",
            "\u{feff} \n<!-- made by -->\n<HTML lang=ko>",
            "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC>",
            "<table><tr>",
        ] {
            assert!(is_html(page), "{page}");
        }
        for text in ["a < b", "<note>a</note>", "<!-- never closed", "# <html>", ""] {
            assert!(!is_html(text), "{text}");
        }
        assert_eq!(text_format("# a", Some("Read.MD")), Format::Markdown);
        assert_eq!(text_format("# a", Some("a.conf")), Format::Text);
        assert_eq!(text_format("<html>", Some("a.md")), Format::Html);
    }
}
