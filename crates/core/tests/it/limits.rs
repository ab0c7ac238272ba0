//! The limits of a model file: the maximum compiles, and one more is reported.

use hansang_core::compile;
use hansang_core::diagnostic::Code;

/// Numbers `range` with `make` and joins them with commas.
fn list(count: usize, make: impl Fn(usize) -> String) -> String {
    (0..count).map(make).collect::<Vec<_>>().join(", ")
}

/// A model of one entity.
fn model(table: &str, entity: &str, patterns: &str) -> String {
    format!(
        "model: limits
table: {{ name: Limits, key: {{ pk: PK, sk: SK }}{table} }}
entities:
  Thing:
    key: {{ PK: \"THING#{{id}}\", SK: META }}
{entity}
patterns:
  thing: {{ entity: Thing, given: [id] }}
{patterns}"
    )
}

/// Checks that `most` compile and that one more gives `code` alone.
fn limit(most: usize, code: Code, make: impl Fn(usize) -> String) {
    let codes = |count: usize| -> Vec<Code> {
        compile(make(count).as_bytes()).err().unwrap_or_default().iter().map(|one| one.code).collect()
    };
    assert_eq!(codes(most), [], "{most}\n{}", make(most));
    assert_eq!(codes(most + 1), [code], "{}", most + 1);
}

const ID: &str = "    attributes: { id: ulid }";

#[test]
fn of_the_table() {
    limit(20, Code::TooManyIndexes, |count| {
        model(&format!(", indexes: {{ {} }}", list(count, |n| format!("GSI{n}: {{ pk: G{n} }}"))), ID, "")
    });
    limit(50, Code::TooMany, |count| {
        model(&format!(", tags: {{ {} }}", list(count, |n| format!("t{n}: x"))), ID, "")
    });
    limit(20, Code::TooMany, |count| {
        let attributes = list(30, |n| format!("a{n}: string"));
        let index = format!("GSI1: {{ pk: a0, project: [{}] }}", list(count, |n| format!("a{n}")));
        model(
            &format!(", indexes: {{ {index} }}"),
            &format!("    attributes: {{ id: ulid, {attributes} }}"),
            "",
        )
    });
}

#[test]
fn of_entities() {
    limit(200, Code::TooMany, |count| {
        let more: Vec<String> =
            (1..count).map(|n| format!("  Thing{n}: {{ key: {{ PK: T{n}, SK: META }} }}")).collect();
        model("", &format!("{ID}\n{}", more.join("\n")), "")
    });
    limit(200, Code::TooMany, |count| {
        let more = list(count - 1, |n| format!("a{n}: string"));
        model("", &format!("    attributes: {{ id: ulid, {more} }}"), "")
    });
    limit(20, Code::TooMany, |count| {
        let constraints = list(count, |n| format!("u{n}: [id]"));
        model("", &format!("{ID}\n    unique: {{ {constraints} }}"), "")
    });
    limit(20, Code::TooMany, |count| {
        let attributes = list(30, |n| format!("a{n}: string"));
        let fields = list(count, |n| format!("a{n}"));
        model(
            "",
            &format!("    attributes: {{ id: ulid, {attributes} }}\n    unique: {{ u: [{fields}] }}"),
            "",
        )
    });
}

#[test]
fn of_attributes() {
    let of = |attribute: String| model("", &format!("    attributes: {{ id: ulid, a: {attribute} }}"), "");
    limit(500, Code::TooMany, |count| of(format!("{{ enum: [{}] }}", list(count, |n| format!("e{n}")))));
    limit(100, Code::TooMany, |count| {
        of(format!("{{ lifecycle: {{ {} }} }}", list(count, |n| format!("s{n}: [s{}]", (n + 1) % count))))
    });
    limit(100, Code::TooMany, |count| {
        let more = list(count, |n| format!("a{n}: {{ type: string, pattern: x }}"));
        model("", &format!("    attributes: {{ id: ulid, {more} }}"), "")
    });
    limit(1000, Code::BadRule, |count| of(format!("{{ type: string, pattern: {} }}", "x".repeat(count))));
}

#[test]
fn of_patterns() {
    limit(500, Code::TooMany, |count| {
        let more: Vec<String> =
            (1..count).map(|n| format!("  p{n}: {{ entity: Thing, given: [id] }}")).collect();
        model("", ID, &more.join("\n"))
    });
    limit(16, Code::TooMany, |count| {
        let attributes = list(20, |n| format!("a{n}: ulid"));
        let key: String = (0..count).map(|n| format!("#{{a{n}}}")).collect();
        let other = format!(
            "  Other:\n    key: {{ PK: \"OTHER{key}\", SK: META }}\n    attributes: {{ {attributes} }}"
        );
        let given = list(count, |n| format!("a{n}"));
        model("", &format!("{ID}\n{other}"), &format!("  other: {{ entity: Other, given: [{given}] }}"))
    });
    limit(50, Code::TooMany, |count| {
        let more: Vec<String> =
            (0..60).map(|n| format!("  Thing{n}: {{ key: {{ PK: T, SK: \"{n}\" }} }}")).collect();
        let names = list(count, |n| format!("Thing{n}"));
        model("", &format!("{ID}\n{}", more.join("\n")), &format!("  all: {{ entities: [{names}] }}"))
    });
}

#[test]
fn of_keys() {
    limit(2048, Code::BadTemplate, |count| {
        let text = "x".repeat(count);
        model("", &format!("{ID}\n  Other: {{ key: {{ PK: {text}, SK: META }} }}"), "")
    });
    limit(1024, Code::BadTemplate, |count| {
        let text = "x".repeat(count);
        model("", &format!("{ID}\n  Other: {{ key: {{ PK: OTHER, SK: {text} }} }}"), "")
    });
}
