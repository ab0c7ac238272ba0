//! A slip of one letter, anywhere in a real model file, gives one message and not a cascade.

use hansang_core::compile;
use hansang_core::diagnostic::render;

/// The ways in which one letter of the word at `start..end` can be wrong.
fn slips(text: &str, start: usize, end: usize) -> [String; 4] {
    let middle = start + (end - start) / 2;
    let (first, rest) = text[start..end].split_at(1);
    let other_case = |letter: &str| match letter.to_ascii_lowercase() {
        lower if lower == letter => letter.to_ascii_uppercase(),
        lower => lower,
    };
    let with = |middle: &str, from: usize, to: usize| format!("{}{middle}{}", &text[..from], &text[to..]);
    [
        with("", middle, middle + 1),
        with("x", middle, middle),
        with(&text[middle - 1..=middle].chars().rev().collect::<String>(), middle - 1, middle + 1),
        with(&format!("{}{rest}", other_case(first)), start, end),
    ]
}

/// The words of a file that mean something: not those of comments and descriptions.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.find('#').filter(|at| line[..*at].trim().is_empty()).map_or(line, |_| "");
        let code = code.split("doc:").next().unwrap_or_default();
        let mut start = None;
        for (index, byte) in code.bytes().chain([b' ']).enumerate() {
            match (start, byte.is_ascii_alphanumeric()) {
                (None, true) if byte.is_ascii_alphabetic() => start = Some(index),
                (Some(from), false) => {
                    words.extend((index - from > 1).then_some((at + from, at + index)));
                    start = None;
                }
                _ => {}
            }
        }
        at += line.len();
    }
    words
}

#[test]
fn a_slip_of_one_letter_gives_one_message() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut judged = 0;
    for entry in std::fs::read_dir(models).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        // Every third word is enough to keep the test short.
        for (start, end) in words(&text).into_iter().step_by(3) {
            for slip in slips(&text, start, end) {
                let problems = compile(slip.as_bytes()).err().unwrap_or_default();
                assert!(problems.len() <= 1, "{}", render("model.yaml", &slip, &problems));
                judged += problems.len();
            }
        }
    }
    assert!(judged > 100, "only {judged} slips were found");
}
