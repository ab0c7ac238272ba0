//! Amounts as people type them: separators, the sign of won, and arithmetic such as `12000+3500`.

/// The amount of a text in whole won; `None` if it is not one.
pub(super) fn amount(text: &str) -> Option<i64> {
    let kept = |letter: &char| !matches!(letter, ',' | ' ' | '\u{a0}' | '₩' | '원');
    let plain: Vec<char> = text.chars().map(plain).filter(kept).collect();
    let mut rest = &plain[..];
    let sum = sum(&mut rest)?;
    if rest.is_empty() { i64::try_from(sum).ok() } else { None }
}

/// The usual sign for one that a keyboard or a copied text has instead.
fn plain(letter: char) -> char {
    match letter {
        '−' | '–' => '-',
        '×' => '*',
        '÷' => '/',
        '０'..='９' => char::from_u32(letter as u32 - '０' as u32 + '0' as u32).unwrap_or(letter),
        _ => letter,
    }
}

fn sum(rest: &mut &[char]) -> Option<i128> {
    let mut sum = product(rest)?;
    while let [sign @ ('+' | '-'), tail @ ..] = *rest {
        *rest = tail;
        let next = product(rest)?;
        sum = if *sign == '+' { sum.checked_add(next)? } else { sum.checked_sub(next)? };
    }
    Some(sum)
}

fn product(rest: &mut &[char]) -> Option<i128> {
    let mut product = factor(rest)?;
    while let [sign @ ('*' | '/'), tail @ ..] = *rest {
        *rest = tail;
        let next = factor(rest)?;
        product = if *sign == '*' { product.checked_mul(next)? } else { product.checked_div_euclid(next)? };
    }
    Some(product)
}

fn factor(rest: &mut &[char]) -> Option<i128> {
    if let ['-', tail @ ..] = *rest {
        *rest = tail;
        return Some(-number(rest)?);
    }
    number(rest)
}

fn number(rest: &mut &[char]) -> Option<i128> {
    let length = rest.iter().take_while(|letter| letter.is_ascii_digit()).count();
    let (digits, tail) = rest.split_at(length);
    *rest = tail;
    digits.iter().collect::<String>().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read() {
        for (text, expected) in [
            ("12000+3500", Some(15_500)),
            ("1,200원", Some(1200)),
            ("-300", Some(-300)),
            ("10000 - 2500*2", Some(5000)),
            ("30000/3", Some(10_000)),
            ("30000÷2×3", Some(45_000)),
            ("−5", Some(-5)),
            ("５００", Some(500)),
            ("", None),
            ("12+", None),
            ("1.5", None),
            ("1/0", None),
            ("12a", None),
            ("99999999999999999999", None),
            ("9999999999999999999999999999999999999999999", None),
        ] {
            assert_eq!(amount(text), expected, "{text}");
        }
    }
}
