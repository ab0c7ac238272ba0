//! Compares `texts.json` with the sources: every English text that stands before its Korean text.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::{TEXTS, read};

/// `UPDATE_EXPECT=1` rewrites the file.
#[test]
fn the_texts_are_those_of_the_sources() {
    let texts = scanned();
    let json = format!("{}\n", serde_json::to_string_pretty(&texts).unwrap());
    #[allow(clippy::disallowed_methods, reason = "the test is told by the environment to rewrite the file")]
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/texts.json"), json).unwrap();
        return;
    }
    assert!(json == TEXTS, "texts changed: run the tests with UPDATE_EXPECT=1");
}

/// A text of the example that the program does not have is a mistake, or was changed in the program.
#[test]
fn the_example_translates_texts_of_the_program() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/languages");
    assert_eq!(read(&directory).unwrap().iter().map(|one| one.code()).collect::<Vec<_>>(), ["fr"]);
    let example = std::fs::read_to_string(directory.join("fr.json")).unwrap();
    let example: serde_json::Value = serde_json::from_str(&example).unwrap();
    let known = scanned();
    let unknown = example["texts"].as_object().unwrap().keys().filter(|text| !known.contains(*text));
    assert_eq!(unknown.collect::<Vec<_>>(), [] as [&str; 0]);
}

#[test]
fn pairs_of_texts_are_found() {
    let rust = r##"
        // view.say("Comment", "주석")
        view.say("Save", "저장"); view.say("ID", "ID"); other("a", "b"); '"'; r#"raw "quoted""#;
        phrases! { X = "{0} left", "{0} 남음"; }
        Notice { code: "c", english: "Saved.", korean: "저장했습니다." }
        plural(2, "{0} day", "{0} days", "{0}일"); ("/path", "Home", "홈");
        view.say("a \"b\" \
            c", "가"); view.fill("{0}", "{0}일");
        #[cfg(test)]
        mod tests { view.say("Test", "시험") }
    "##;
    let expected = ["Home", "ID", "Save", "Saved.", "a \"b\" c", "{0} day", "{0} days", "{0} left"];
    assert_eq!(of_rust(rust).into_iter().collect::<Vec<_>>(), expected);
    let template =
        r#"<a title="{{ frame.say("Menu", "메뉴") }}">"text", "글"</a>{% let x = frame.say("It's", "것") %}"#;
    assert_eq!(of_template(template).into_iter().collect::<Vec<_>>(), ["It's", "Menu"]);
}

/// The texts of all sources.
fn scanned() -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for path in sources() {
        let source = std::fs::read_to_string(&path).unwrap();
        let is_template = path.extension().is_some_and(|extension| extension == "html");
        texts.extend(if is_template { of_template(&source) } else { of_rust(&source) });
    }
    texts
}

/// Every source file and template of the workspace.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open = vec![root.join("crates"), root.join("systems")];
    let mut files = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            match path.is_dir() {
                true if matches!(name, "tests" | "benches" | "target" | "node_modules" | "testkit") => {}
                true => open.push(path),
                false if matches!(name, "tests.rs" | "scan.rs") => {}
                false if name.ends_with(".rs") || name.ends_with(".html") => files.push(path),
                false => {}
            }
        }
    }
    files
}

/// The expressions and statements of a template.
static TEMPLATE_CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)\{\{.*?\}\}|\{%.*?%\}").unwrap());
static TEST_MODULE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"#\[cfg\(test\)\]\s*mod tests \{").unwrap());
/// A comment, a quote as a character, a raw text with quotes, or a text.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r##"(?s)//[^\n]*|'\\?"'|r#+".*?"#+|r?"(?P<text>(?:[^"\\]|\\.)*)""##).unwrap()
});
static CONTINUED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\\\n\s*").unwrap());

fn of_template(source: &str) -> BTreeSet<String> {
    TEMPLATE_CODE.find_iter(source).flat_map(|code| pairs(&literals(code.as_str()))).collect()
}

/// The tests of a file are at its end.
fn of_rust(source: &str) -> BTreeSet<String> {
    let end = TEST_MODULE.find(source).map_or(source.len(), |tests| tests.start());
    pairs(&literals(&source[..end]))
}

/// A text literal, with the code between it and the one before.
struct Literal {
    between: String,
    text: String,
}

fn literals(code: &str) -> Vec<Literal> {
    let mut found: Vec<Literal> = Vec::new();
    let (mut end, mut between) = (0, String::new());
    for token in TOKEN.captures_iter(code) {
        let whole = token.get(0).unwrap();
        between.push_str(&code[end..whole.start()]);
        end = whole.end();
        if let Some(text) = token.name("text") {
            found.push(Literal { between: std::mem::take(&mut between), text: unescaped(text.as_str()) });
        } else if !whole.as_str().starts_with("//") {
            between.push('?');
        }
    }
    found
}

fn unescaped(text: &str) -> String {
    let text = CONTINUED.replace_all(text, "");
    text.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\")
}

/// The English texts: each stands directly before a Korean text, or is the first of two in a call that chooses.
fn pairs(literals: &[Literal]) -> BTreeSet<String> {
    let is_korean = |text: &str| text.chars().any(|letter| ('가'..='힣').contains(&letter));
    let is_english = |text: &str| {
        !is_korean(text) && text.chars().any(|letter| letter.is_alphabetic() || !letter.is_ascii())
    };
    let follows = |literal: &Literal| {
        let between: String = literal.between.split_whitespace().collect();
        matches!(between.as_str(), "," | ",korean:")
    };
    let mut texts = BTreeSet::new();
    for (at, pair) in literals.windows(2).enumerate() {
        let (english, korean) = (&pair[0], &pair[1]);
        let between = english.between.trim_end();
        let chooses = [".say(", ".fill("].iter().any(|call| between.ends_with(call));
        if !follows(korean) || !is_english(&english.text) || !(chooses || is_korean(&korean.text)) {
            continue;
        }
        texts.insert(english.text.clone());
        // The text for one thing stands before that for many.
        if let Some(one) = at.checked_sub(1).map(|at| &literals[at])
            && follows(english)
            && one.text.contains("{0}")
            && english.text.contains("{0}")
            && !is_korean(&one.text)
        {
            texts.insert(one.text.clone());
        }
    }
    texts
}
