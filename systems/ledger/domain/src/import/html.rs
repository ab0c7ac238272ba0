//! The tables of an HTML page, which some banks call .xls. One pass over the text: each character is looked at once, so that a
//! file without closing tags takes no longer than another one.

use hansang_core::{Error, message};

use super::table::{MAX_CELL, MAX_COLUMNS, Rows, invalid, short};
use crate::messages;

/// The bytes that are kept of a cell while it is read: a character has up to four.
const MAX_BYTES: usize = 4 * MAX_CELL;

/// A row that is being read.
struct Row {
    /// Where it starts in the text.
    start: usize,
    cells: Vec<String>,
    /// The cell that is open.
    cell: Option<String>,
}

/// The rows of all tables.
pub(super) fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, Error> {
    let (mut rows, mut row, mut at) = (Rows::default(), None::<Row>, 0);
    while at < text.len() {
        let tag = text[at..].find('<').map_or(text.len(), |length| at + length);
        if let Some(row) = &mut row {
            row.add(&text[at..tag]);
        }
        let Some((name, is_closing, behind)) = tag_at(text, tag) else { break };
        at = behind;
        let named = |names: &[&str]| names.iter().any(|one| name.eq_ignore_ascii_case(one));
        if named(&["tr"]) || is_closing && named(&["table", "tbody", "thead", "tfoot"]) {
            if let Some(row) = row.take() {
                rows.push(rows.len() + 1, row.done())?;
            }
            if !is_closing {
                row = Some(Row { start: tag, cells: Vec::new(), cell: None });
            }
        } else if let Some(row) = &mut row {
            if named(&["td", "th"]) {
                row.close();
                row.cell = (!is_closing && row.cells.len() < MAX_COLUMNS).then(String::new);
            } else {
                row.add(" ");
            }
        }
    }
    match row {
        Some(row) => {
            let line = text[..row.start].lines().count().max(1);
            Err(invalid(message!(messages::FILE_CUT_OFF, line)))
        }
        None => Ok(rows.done()),
    }
}

impl Row {
    /// Adds text to the open cell.
    fn add(&mut self, text: &str) {
        if let Some(cell) = self.cell.as_mut().filter(|cell| cell.len() < MAX_BYTES) {
            let end = text.floor_char_boundary(MAX_BYTES);
            cell.push_str(&text[..end]);
        }
    }

    fn close(&mut self) {
        let cell = self.cell.take();
        self.cells.extend(cell.map(|cell| short(&plain(&cell)).to_owned()));
    }

    fn done(mut self) -> Vec<String> {
        self.close();
        self.cells
    }
}

/// The tag or comment at a position: its name, whether it is a closing one, and the position behind it.
fn tag_at(text: &str, at: usize) -> Option<(&str, bool, usize)> {
    let inside = text.get(at + 1..)?;
    if inside.starts_with("!--") {
        return inside.find("-->").map(|end| ("", false, at + 1 + end + 3));
    }
    let end = inside.find('>')?;
    let (is_closing, name) = match inside.strip_prefix('/') {
        Some(name) => (true, name),
        None => (false, inside),
    };
    let length = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    Some((&name[..length], is_closing, at + 1 + end + 1))
}

/// The text of a cell, with its entities decoded and without repeated spaces.
fn plain(cell: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(cell.len()), cell);
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest entity that is known: `&#x10FFFF;`.
        let end = rest.bytes().take(10).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, entity(&rest[1..end])?))) {
            Some((end, c)) => {
                text.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The character of an entity: `amp`, `#39`, `#x27`.
fn entity(name: &str) -> Option<char> {
    Some(match name {
        "nbsp" => ' ',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "amp" => '&',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?).filter(|c| *c != '\0')?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LedgerCode;

    fn cells(html: &str) -> Vec<Vec<String>> {
        rows(html).unwrap().into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn tables_are_read() {
        let html = "<html><body><TABLE><tr><th>날짜</th><th>금액</th></tr>\n<tr><td nowrap>2026-02-04<td><b>4,500</b>&nbsp;원</tr></table>";
        assert_eq!(cells(html), [["날짜", "금액"], ["2026-02-04", "4,500 원"]]);
        let open = "<table><tr><td>a<!-- <td>no> --><tr><TD>b</TD></table>";
        assert_eq!(cells(open), [["a"], ["b"]]);
        assert_eq!(rows("<table>\n<tr><td>a").unwrap_err().code, LedgerCode::FileInvalid);
    }

    #[test]
    fn entities_are_decoded() {
        let html = "<tr><td>A&amp;B &lt;&#44608;&#xBC25;&#39;&gt; &amp;lt; R&D &#0; &#xD800; &none;</tr>";
        assert_eq!(cells(html), [["A&B <김밥'> &lt; R&D &#0; &#xD800; &none;"]]);
    }

    /// A file of 5 MB without closing tags, and one of a single row, come to an end.
    #[test]
    fn files_without_closing_tags_end() {
        let open = format!("<table>{}", "<tr><td>1".repeat(550_000));
        assert_eq!(rows(&open).unwrap_err().code, LedgerCode::FileInvalid);
        let wide = format!("<tr>{}</tr>", "<td>1".repeat(1_000_000));
        assert_eq!(cells(&wide)[0].len(), MAX_COLUMNS);
        assert!(cells(&"<tr ".repeat(1_250_000)).is_empty());
        assert!(cells(&"&#".repeat(2_500_000)).is_empty());
        let entities = format!("<tr><td>{}</tr>", "&#".repeat(2_500_000));
        assert_eq!(cells(&entities)[0][0].len(), MAX_CELL);
    }
}
