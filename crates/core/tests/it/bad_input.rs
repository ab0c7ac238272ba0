//! Invalid model files: rejected with a location in the file, never with a panic or a hang.

use expect_test::{Expect, expect};
use hansang_core::diagnostic::Code;
use hansang_core::diagnostic::render;
use hansang_core::{Diagnostic, compile};

mod random;

fn problems(bytes: &[u8]) -> Vec<Diagnostic> {
    compile(bytes).err().unwrap_or_default()
}

/// The code and the location of each problem.
fn places(bytes: &[u8]) -> Vec<String> {
    let place = |problem: &Diagnostic| {
        format!("{} {}:{} {}", problem.code, problem.span.line, problem.span.column, problem.span.length)
    };
    problems(bytes).iter().map(place).collect()
}

fn check(source: &str, expect: Expect) {
    expect.assert_eq(&render("model.yaml", source, &problems(source.as_bytes())));
}

const MODEL: &str = "model: m
table: { name: Tab, key: { pk: PK, sk: SK } }
entities:
  E:
    key: { PK: \"E#{id}\", SK: META }
    attributes:
      id: ulid
      note: nothing
";

#[test]
fn files_without_a_model() {
    for source in ["", " ", "\n\n", "# a model\n", "---\n", "---\n...\n", "~", "null", "\u{feff}"] {
        let found = places(source.as_bytes());
        // `null` is text here, as every plain word is.
        let code = if source == "null" { "HS0010 1:1 4" } else { "HS0004 1:1 1" };
        assert_eq!(found, [code], "{source:?}");
    }
    assert_eq!(places(b"model: m\n---\nmodel: n\n"), ["HS0004 2:1 3"]);
}

#[test]
fn files_that_are_no_map() {
    assert_eq!(places(b"- model: m\n- table: t\n"), ["HS0010 1:1 1"]);
    assert_eq!(places(b"[model, table]\n"), ["HS0010 1:1 14"]);
    assert_eq!(places(b"model"), ["HS0010 1:1 5"]);
    assert_eq!(places(b"\"model: m\""), ["HS0010 1:1 10"]);
    assert_eq!(places(b"|\n  model: m\n"), ["HS0010 2:3 1"]);
}

/// HS0001, which the page cannot show.
#[test]
fn bytes_that_are_not_utf_8() {
    assert_eq!(places(b"\xff"), ["HS0001 1:1 1"]);
    assert_eq!(places(b"model: m\ndoc: \xb0\xa1\n"), ["HS0001 2:6 1"]);
    assert_eq!(places(b"model: m\r\ndoc: \xb0\n"), ["HS0001 2:6 1"]);
    // Columns are characters, not bytes.
    assert_eq!(places("doc: 한글 \u{e000}".as_bytes().split_last().unwrap().1), ["HS0001 1:9 1"]);
    assert_eq!(places(b"\xef\xbb\xbfmodel: \xfe"), ["HS0001 1:8 1"]);
}

/// HS0002, which the page cannot show.
#[test]
fn files_that_are_too_large() {
    let mut source = MODEL.replace("nothing", "string").into_bytes();
    source.resize(1024 * 1024, b'\n');
    assert_eq!(places(&source), [""; 0]);
    source.push(b'\n');
    assert_eq!(places(&source), ["HS0002 1:1 1"]);
    let list = format!("[{}", "a,".repeat(100_000));
    assert_eq!(places(list.as_bytes()), ["HS0002 1:200000 1"]);
}

#[test]
fn brackets_without_end() {
    for bracket in ["[", "{", "- ", "? ", "{a: ", "[[],", "\"a\": {"] {
        let source = bracket.repeat(1024 * 1024 / bracket.len());
        let found = problems(source.as_bytes());
        assert_eq!(found.len(), 1, "{bracket}");
        let limits = [Code::TooDeep, Code::TooLarge, Code::NotYaml];
        assert!(limits.contains(&found[0].code), "{bracket}: {:?}", found[0]);
    }
    let deep: String = (0..1000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert_eq!(places(deep.as_bytes()), ["HS0006 25:25 1"]);
}

#[test]
fn anchors_bring_nothing_in() {
    let mut laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (from, to) in ('a'..='y').zip('b'..='z') {
        laughs += &format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 9].join(","));
    }
    let found = problems(laughs.as_bytes());
    assert_eq!(found.len(), 26);
    assert!(found.iter().all(|problem| problem.code == Code::Anchor));
    assert_eq!(places(b"a: &a [*a]\n"), ["HS0005 1:4 2"]);
    assert_eq!(places(b"&a model: *a\n"), ["HS0005 1:1 2"]);
    assert_eq!(places(b"model: *x\n"), ["HS0005 1:8 2"]);
    assert_eq!(places(b"*x\n"), ["HS0005 1:1 2"]);
    assert_eq!(places(b"a: &a { b: c }\nd:\n  <<: *a\n"), ["HS0005 1:4 2"]);
    assert_eq!(places(b"model: !!str m\nversion: !x 1\n"), ["HS0005 1:8 5", "HS0005 2:10 2"]);
}

#[test]
fn keys_that_are_no_names() {
    let key = |key: &str| places(MODEL.replace("note: nothing", &format!("{key}: string")).as_bytes());
    assert_eq!(key("? [a]\n      "), ["HS0010 8:9 3"]);
    assert_eq!(key("[a]"), ["HS0010 8:7 3"]);
    assert_eq!(key("{ a: b }"), ["HS0010 8:7 8"]);
    assert_eq!(key("\"\""), ["HS0010 8:7 2"]);
    assert_eq!(key("~"), ["HS0010 8:7 1"]);
    assert_eq!(key("5"), ["HS0011 8:7 1"]);
    assert_eq!(key("5.5"), ["HS0011 8:7 3"]);
    assert_eq!(key("a b"), ["HS0011 8:7 3"]);
    assert_eq!(key("id"), ["HS0007 8:7 2"]);
    assert_eq!(key("true"), [""; 0]);
    assert_eq!(key("이름"), [""; 0]);
}

#[test]
fn places_are_right_whatever_ends_the_lines() {
    assert_eq!(places(MODEL.as_bytes()), ["HS0020 8:13 7"]);
    assert_eq!(places(MODEL.replace('\n', "\r\n").as_bytes()), ["HS0020 8:13 7"]);
    assert_eq!(places(MODEL.replace('\n', "\r").as_bytes()), ["HS0020 8:13 7"]);
    assert_eq!(places(format!("\u{feff}{MODEL}").as_bytes()), ["HS0020 8:13 7"]);
    let crlf = MODEL.replace('\n', "\r\n");
    for source in [MODEL, &crlf, &format!("\u{feff}{MODEL}")] {
        let said = render("m.yaml", source, &problems(source.as_bytes()));
        assert!(said.contains("\n 8 |       note: nothing\n   |             ^^^^^^^\n"), "{said}");
    }
    // A byte order mark would shift the first line.
    let said = render("m.yaml", "\u{feff}modle: m", &problems("\u{feff}modle: m".as_bytes()));
    assert!(said.contains("\n 1 | modle: m\n   | ^^^^^\n"), "{said}");
}

#[test]
fn control_characters() {
    assert_eq!(places(b"model: m\0\n"), ["HS0003 1:9 1"]);
    assert_eq!(places(b"\0"), ["HS0003 1:1 1"]);
    assert_eq!(places(MODEL.replace("    attributes", "\tattributes").as_bytes()), ["HS0003 6:2 1"]);
    assert_eq!(places(MODEL.replace("E#{id}", "E\\t#{id}").as_bytes())[0], "HS0030 5:16 10");
    let bell = MODEL.replace("note: nothing", "\"a\\x07b\": string");
    let said = render("m.yaml", &bell, &problems(bell.as_bytes()));
    assert!(!said.contains('\u{7}'), "a message must not ring the terminal");
}

#[test]
fn a_long_line_is_cropped_around_the_place() {
    let before = (0..60).map(|n| format!("a{n}: ulid, ")).collect::<String>();
    let source = format!(
        "model: m
table: {{ name: Tab, key: {{ pk: PK, sk: SK }} }}
entities:
  E: {{ key: {{ PK: E, SK: META }}, attributes: {{ {before}note: nothing, {before2} }} }}
",
        before2 = before.replace('a', "b")
    );
    check(
        &source,
        expect![[r#"
        error[HS0020]: there is no type `nothing`
          --> model.yaml:4:704
           |
         4 | …a57: ulid, a58: ulid, a59: ulid, note: nothing, b0: ulid, b1: ulid, b2: ulid, b3: ulid, b4: ulid, b5: ulid, b6: ulid, …
           |                                         ^^^^^^^
           = help: the types are `string`, `number`, `integer`, `bool`, `timestamp`, `month`, `ulid`, `uuid`, `semver`, `binary`, `markdown`, `email`, `url`, `list`, `map` and `any`, and `{ enum: … }`, `{ lifecycle: … }`, `{ set: … }`

    "#]],
    );
}

#[test]
fn the_mark_stands_under_wide_text() {
    let korean =
        MODEL.replace("      note: nothing", "      글: { enum: [월급, 상여, 기타], default: 대출 }");
    check(
        &korean,
        expect![[r#"
        error[HS0022]: the default of `글` must be one of 월급, 상여, 기타
          --> model.yaml:8:41
           |
         8 |       글: { enum: [월급, 상여, 기타], default: 대출 }
           |                                                ^^^^
           = help: write a default that the rules accept

    "#]],
    );
    // Decomposed Hangul, as macOS writes it, takes as many columns as composed.
    let decomposed = MODEL.replace("      note: nothing", "      \u{1100}\u{1173}\u{11af}: nothing");
    check(
        &decomposed,
        expect![[r#"
        error[HS0020]: there is no type `nothing`
          --> model.yaml:8:12
           |
         8 |       글: nothing
           |           ^^^^^^^
           = help: the types are `string`, `number`, `integer`, `bool`, `timestamp`, `month`, `ulid`, `uuid`, `semver`, `binary`, `markdown`, `email`, `url`, `list`, `map` and `any`, and `{ enum: … }`, `{ lifecycle: … }`, `{ set: … }`

    "#]],
    );
}
