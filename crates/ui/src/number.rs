//! Numbers as people write them: separators between thousands, won and percent.

use hansang_core::message::Language;

/// A decimal number with a comma between thousands. Other texts stay as they are.
#[must_use]
pub fn grouped(number: &str) -> String {
    let (sign, rest) = match number.strip_prefix(['-', '−']) {
        Some(rest) => ("−", rest),
        None => ("", number),
    };
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, part)| (whole, Some(part)));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || fraction.is_some_and(|fraction| !digits(fraction)) {
        return number.to_owned();
    }
    let mut out = String::from(sign);
    for (index, digit) in whole.char_indices() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// An amount of won: `1,200원` or `₩1,200`.
#[must_use]
pub fn won(amount: i64, language: Language) -> String {
    let number = grouped(&amount.unsigned_abs().to_string());
    let sign = if amount < 0 { "−" } else { "" };
    format!("{sign}{}", language.fill("₩{0}", "{0}원").with(number))
}

/// The number that a person typed into a field of money: separators, spaces and the sign of won are ignored.
#[must_use]
pub fn typed(text: &str) -> Option<i64> {
    let kept = |letter: &char| !matches!(letter, ',' | ' ' | '\u{a0}' | '₩' | '원');
    text.replace('−', "-").chars().filter(kept).collect::<String>().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (number, shown) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-1234567.50", "−1,234,567.50"),
            ("12345678901234567890123456789012345678", "12,345,678,901,234,567,890,123,456,789,012,345,678"),
            ("1e5", "1e5"),
            ("abc", "abc"),
            ("", ""),
            ("-", "-"),
            ("1.", "1."),
        ] {
            assert_eq!(grouped(number), shown);
        }
    }

    #[test]
    fn won_in_both_languages() {
        assert_eq!(won(-1_200_000, Language::Korean), "−1,200,000원");
        assert_eq!(won(650, Language::English), "₩650");
        assert_eq!(won(i64::MIN, Language::English), "−₩9,223,372,036,854,775,808");
    }

    #[test]
    fn typed_amounts_are_read() {
        for (text, amount) in [
            ("1,200원", Some(1200)),
            (" ₩ 1 200 ", Some(1200)),
            ("−300", Some(-300)),
            ("", None),
            ("1.5", None),
            ("12a", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(typed(text), amount, "{text}");
        }
    }
}
