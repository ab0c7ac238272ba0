//! The name under which a browser saves a file.

use std::fmt::Write as _;

/// The header that gives a file this name. Browsers show what they can show, and save the rest.
pub(super) fn of(name: &str) -> String {
    let mut header = "inline; filename*=UTF-8''".to_owned();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            header.push(char::from(byte));
        } else {
            // Writing into a text cannot fail.
            let _ = write!(header, "%{byte:02X}");
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded() {
        assert_eq!(of("a-1.pdf"), "inline; filename*=UTF-8''a-1.pdf");
        assert_eq!(of("가 \"x\"\r\n"), "inline; filename*=UTF-8''%EA%B0%80%20%22x%22%0D%0A");
    }
}
