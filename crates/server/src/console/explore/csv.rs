//! Writes and reads records as CSV.
//!
//! RFC 4180: fields are separated by commas, and in quotation marks if they contain one, a comma or a line break. A
//! spreadsheet evaluates text that starts like a formula, so such text gets an apostrophe, as spreadsheets themselves
//! write it; reading removes it.

use std::fmt::Write as _;

/// The characters that start a formula in a spreadsheet, and the apostrophe that prevents it.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\''];

/// Appends a line.
pub fn push_line<'c>(out: &mut String, cells: impl IntoIterator<Item = Cell<'c>>) {
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        let (text, mark) = match cell {
            Cell::Text(text) if text.starts_with(FORMULA) => (text, "'"),
            Cell::Text(text) | Cell::Exact(text) => (text, ""),
        };
        if text.contains(['"', ',', '\n', '\r']) {
            let _ = write!(out, "\"{mark}{}\"", text.replace('"', "\"\""));
        } else {
            let _ = write!(out, "{mark}{text}");
        }
    }
    out.push_str("\r\n");
}

/// A cell to be written.
pub enum Cell<'c> {
    /// Text from a user.
    Text(&'c str),
    /// A value that cannot be a formula, such as a number.
    Exact(&'c str),
}

/// The lines of a file, each with the number of its first line.
///
/// # Errors
/// Fails with the line of a quotation mark that is never closed.
pub(crate) fn parse(text: &str) -> Result<Vec<(usize, Vec<String>)>, usize> {
    let mut lines = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let (mut number, mut start) = (1, 1);
    let mut letters = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    let mut cell = String::new();
    let mut is_quoted = false;
    let mut opened = 1;
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() => {
                is_quoted = true;
                opened = number;
            }
            ',' if !is_quoted => cells.push(plain(std::mem::take(&mut cell))),
            '\r' if !is_quoted && letters.peek() == Some(&'\n') => {}
            '\n' if !is_quoted => {
                cells.push(plain(std::mem::take(&mut cell)));
                lines.push((start, std::mem::take(&mut cells)));
                number += 1;
                start = number;
            }
            other => {
                number += usize::from(other == '\n');
                cell.push(other);
            }
        }
    }
    if is_quoted {
        return Err(opened);
    }
    if !cell.is_empty() || !cells.is_empty() {
        cells.push(plain(cell));
        lines.push((start, cells));
    }
    lines.retain(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()));
    Ok(lines)
}

/// Removes the apostrophe that prevents a formula.
fn plain(cell: String) -> String {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(FORMULA) => rest.to_owned(),
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cells: &[&str]) -> String {
        let mut out = String::new();
        push_line(&mut out, cells.iter().map(|cell| Cell::Text(cell)));
        out
    }

    #[test]
    fn written_lines_are_read_back() {
        for cells in [
            &["a", "b"][..],
            &["", "b", ""],
            &["a,b", "say \"hi\"", "two\nlines", "two\r\nlines"],
            &["=1+1", "+82", "-5", "@x", "'quoted", "'=x", "it's", "\tx"],
            &["한국어", "😀"],
        ] {
            let written = line(cells);
            let read = parse(&written).unwrap();
            assert_eq!(read, [(1, cells.iter().map(|cell| (*cell).to_owned()).collect())], "{written}");
        }
    }

    #[test]
    fn formulas_are_escaped() {
        assert_eq!(line(&["=HYPERLINK(\"x\")", "-1"]), "\"'=HYPERLINK(\"\"x\"\")\",'-1\r\n");
        let mut out = String::new();
        push_line(&mut out, [Cell::Exact("-1")]);
        assert_eq!(out, "-1\r\n");
    }

    #[test]
    fn lines_keep_their_numbers() {
        let read = parse("\u{feff}a,b\r\n\"x\ny\",2\n\n3,4").unwrap();
        let starts: Vec<usize> = read.iter().map(|(start, _)| *start).collect();
        assert_eq!(starts, [1, 2, 5]);
        assert_eq!(parse("a\n\"b"), Err(2));
    }
}
