//! Example files, made here: for the example data, and for tests. Nothing is copied and no font is embedded; the Hangul
//! of PDF files is drawn with strokes.

mod broken;
mod hangul;
mod office;
mod pdf;
mod scan;

pub use broken::{cut, encrypted_pdf, lying_zip, pdf_bomb, recursive_pdf, zip_bomb};
pub use office::{docx, hwp, hwpx, pptx, xlsx};
pub use pdf::{PdfPage, pdf};
pub use scan::{picture, scanned_pdf};

/// A web page with a title, a script and a table.
#[must_use]
pub fn html(title: &str, paragraphs: &[&str]) -> String {
    let body: String = paragraphs.iter().map(|text| format!("<p>{}</p>\n", escape(text))).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"ko\"><head><meta charset=\"utf-8\"><title>{0}</title>\n\
         <style>p {{ margin: 0 }}</style><script>var hidden = '<p>hidden</p>';</script></head>\n\
         <body><h1>{0}</h1>\n{body}</body></html>\n",
        escape(title)
    )
}

/// A text with the characters of XML escaped.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
