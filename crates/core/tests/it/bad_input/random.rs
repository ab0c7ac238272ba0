//! Random files: each gives a model or problems with locations in the file.

use hansang_core::compile;
use hansang_core::diagnostic::render;
use proptest::prelude::*;

/// Compiles, and checks that every problem has a reason and a location.
fn judge(bytes: &[u8]) -> Result<(), TestCaseError> {
    let Err(problems) = compile(bytes) else { return Ok(()) };
    prop_assert!(!problems.is_empty());
    let source = String::from_utf8_lossy(bytes);
    let lines = lines(&source);
    for problem in &problems {
        let span = problem.span;
        prop_assert!(span.length >= 1, "{problem:?}");
        let line = lines.get(span.line.wrapping_sub(1));
        prop_assert!(line.is_some(), "{problem:?} is in no line of {source:?}");
        // A location may be the end of the line, after its last character.
        let columns = line.map_or(0, |line| line.chars().count()) + 1;
        prop_assert!((1..=columns).contains(&span.column), "{problem:?} is beside the line in {source:?}");
    }
    prop_assert!(problems.is_sorted_by_key(|problem| (problem.span, problem.code)));
    prop_assert!(!render("m.yaml", &source, &problems).is_empty());
    Ok(())
}

/// The lines as YAML sees them.
fn lines(source: &str) -> Vec<String> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    source.replace("\r\n", "\n").replace('\r', "\n").split('\n').map(str::to_owned).collect()
}

/// Pieces that YAML and the language give a meaning to.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "model: m\n",
        "table:\n",
        "entities:\n",
        "patterns:\n",
        "  ",
        "    ",
        "\n",
        "\r\n",
        "\t",
        " ",
        "key",
        "pk",
        "sk",
        "PK",
        "SK",
        "E",
        "name",
        "attributes",
        "index",
        "unique",
        "given",
        "entity",
        "type",
        "enum",
        "list",
        "lifecycle",
        "string",
        "ulid",
        "integer?",
        "{",
        "}",
        "[",
        "]",
        ":",
        ": ",
        ", ",
        ",",
        "-",
        "- ",
        "? ",
        "#",
        " #",
        "\"",
        "'",
        "\"E#{id}\"",
        "{id}",
        "{id:06}",
        "&a ",
        "*a",
        "!x ",
        "|\n",
        ">\n",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "\\",
        "\0",
        "한글",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "~",
        "1",
        "0.5",
        "true",
        "@",
        "`",
        "<<: ",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// The content model with some ranges deleted, repeated or replaced.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let model = include_bytes!("../../../../../models/content.yaml");
    let change = (any::<prop::sample::Index>(), 0..40_usize, 0..4_u8, pieces());
    prop::collection::vec(change, 1..5).prop_map(move |changes| {
        let mut bytes = model.to_vec();
        for (at, length, kind, piece) in changes {
            let start = at.index(bytes.len().max(1)).min(bytes.len());
            let end = (start + length).min(bytes.len());
            let replacement = match kind {
                0 => Vec::new(),
                1 => bytes[start..end].repeat(2),
                2 => piece.into_bytes(),
                _ => bytes[start..end].iter().rev().copied().collect(),
            };
            bytes.splice(start..end, replacement);
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        judge(&bytes)?;
    }

    #[test]
    fn random_text(text in "\\PC{0,80}") {
        judge(text.as_bytes())?;
    }

    #[test]
    fn random_yaml(text in pieces()) {
        judge(text.as_bytes())?;
    }

    #[test]
    fn random_entities(text in pieces()) {
        let start = "model: m\ntable: { name: Tab, key: { pk: PK, sk: SK } }\nentities:\n  E:\n    ";
        judge(format!("{start}{text}").as_bytes())?;
    }

    #[test]
    fn random_changes_of_a_model(bytes in mutated()) {
        judge(&bytes)?;
    }
}
