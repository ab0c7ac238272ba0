//! Mistakes in the keys of entities.

use expect_test::expect;

use super::{SHOP, change, changed, check};

#[test]
fn an_attribute_that_does_not_exist() {
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{orderID}""#,
        expect![[r#"
            error[HS0031]: `Order` has no attribute `orderID`
              --> model.yaml:9:52
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderID}" }
               |                                                    ^^^^^^^^^
               = help: did you mean `orderId`?

        "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{number}""#,
        expect![[r#"
            error[HS0031]: `Order` has no attribute `number`
              --> model.yaml:9:52
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{number}" }
               |                                                    ^^^^^^^^
               = help: add `number: string` to the attributes of `Order`, or use one that it has: `customerId`, `orderId`, `status` and `placedAt`

        "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{ orderId }""#,
        expect![[r#"
            error[HS0031]: `Order` has no attribute ` orderId `
              --> model.yaml:9:52
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{ orderId }" }
               |                                                    ^^^^^^^^^^^
               = help: did you mean `orderId`?

        "#]],
    );
}

#[test]
fn a_number_that_would_sort_as_text() {
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{total}""#,
        expect![[r#"
            error[HS0034]: `total` is a number, and as text `10` sorts before `2`
              --> model.yaml:9:52
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{total}" }
               |                                                    ^^^^^^^
               = help: pad it: `{total:06}`

        "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{total:6}""#,
        expect![[r#"
        error[HS0030]: `6` is not a padding
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{total:6}" }
           |                                                    ^^^^^^^^^
           = help: write `{total:06}`, with a zero before the number of digits

    "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{orderId:06}""#,
        expect![[r#"
        error[HS0030]: `orderId` is a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, and padding is for integers
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId:06}" }
           |                                                    ^^^^^^^^^^^^
           = help: write `{orderId}`

    "#]],
    );
}

#[test]
fn a_number_that_does_not_fit_its_padding() {
    let model = changed(SHOP, "ORDER#{orderId}", "ORDER#{total:03}");
    check(
        &changed(&model, "total: integer", "total: { type: integer, max: 5000 }"),
        expect![[r#"
        error[HS0039]: `total` can be 5000, and 3 digits end at 999
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{total:03}" }
           |                                                    ^^^^^^^^^^
           = help: pad to more digits, or write `max: 999`

    "#]],
    );
    check(
        &changed(&model, "total: integer", "total: { type: integer, min: -1 }"),
        expect![[r#"
        error[HS0039]: `total` can be negative, and negative numbers do not sort as text
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{total:03}" }
           |                                                    ^^^^^^^^^^
           = help: write `min: 0`, or leave it out of keys

    "#]],
    );
}

#[test]
fn a_type_that_no_key_can_hold() {
    change(
        "orderId: ulid",
        "orderId: number",
        expect![[r#"
        error[HS0033]: `orderId` is a number, which cannot be part of a key
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
           |                                                    ^^^^^^^^^
           = help: use text, an identifier, a time, an enum or a padded integer

    "#]],
    );
}

#[test]
fn an_optional_attribute() {
    change(
        "orderId: ulid",
        "orderId: ulid?",
        expect![[r#"
        error[HS0035]: `orderId` is optional, but without it there is no key
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
           |                                                    ^^^^^^^^^
           = help: remove the `?` or `optional: true`; only keys of indexes may be absent

    "#]],
    );
}

#[test]
fn versions_sort_as_text() {
    change(
        "orderId: ulid",
        "orderId: semver",
        expect![[r#"
            error[HS0036]: `orderId` is a version, and as text `1.10.0` sorts before `1.9.0`
              --> model.yaml:9:52
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
               |                                                    ^^^^^^^^^
               = help: if you sort versions after reading, say so: `orderId: { type: semver, sorts: text }`

        "#]],
    );
    // An index that sorts by the attribute itself.
    let model = changed(SHOP, "total: integer", "release: semver");
    let index = "sk: GSI1SK }\n    RELEASE: { pk: GSI1PK, sk: release }";
    check(
        &changed(&model, "sk: GSI1SK }", index),
        expect![[r#"
        error[HS0036]: `release` is a version, and as text `1.10.0` sorts before `1.9.0`
           --> model.yaml:18:7
            |
         18 |       release: semver
            |       ^^^^^^^
            = help: if you sort versions after reading, say so: `release: { type: semver, sorts: text }`

    "#]],
    );
}

#[test]
fn fields_that_could_be_read_in_two_ways() {
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{orderId}{status}""#,
        expect![[r#"
        error[HS0032]: a field must be followed by `#` or by the end of the key
          --> model.yaml:9:61
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}{status}" }
           |                                                             ^^^^^^^^
           = help: write `#` before this, so that the key can be read back in one way only

    "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{orderId}-{status}""#,
        expect![[r#"
        error[HS0032]: a field must be followed by `#` or by the end of the key
          --> model.yaml:9:61
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}-{status}" }
           |                                                             ^
           = help: write `#` before this, so that the key can be read back in one way only

    "#]],
    );
}

#[test]
fn values_with_the_delimiter() {
    change(
        "  key: { pk",
        "  delimiter: \"-\"\n  key: { pk",
        expect![[r#"
            error[HS0037]: values of `placedAt` such as `2025-11-14T03:00:00Z` contain the delimiter `-`
               --> model.yaml:12:51
                |
             12 |       GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}" }
                |                                                   ^^^^^^^^^^
                = help: choose another `delimiter` for the table

        "#]],
    );
    change(
        "[open, paid]",
        r#"[open, "paid#late"]"#,
        expect![[r#"
            error[HS0037]: `status` can be `paid#late`, which contains the delimiter `#`
               --> model.yaml:11:31
                |
             11 |       GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}" }
                |                               ^^^^^^^^
                = help: rename the value, or choose another `delimiter` for the table

        "#]],
    );
}

#[test]
fn a_template_that_cannot_be_read() {
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{orderId""#,
        expect![[r#"
        error[HS0030]: this `{` is never closed
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId" }
           |                                                    ^^^^^^^^
           = help: write `{attribute}`

    "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#orderId}""#,
        expect![[r#"
        error[HS0030]: this `}` closes nothing
          --> model.yaml:9:59
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#orderId}" }
           |                                                           ^
           = help: remove it, or open the field before it: `{attribute}`

    "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{}""#,
        expect![[r#"
        error[HS0030]: this field names no attribute
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{}" }
           |                                                    ^^
           = help: write `{attribute}`

    "#]],
    );
    change(
        r#""ORDER#{orderId}""#,
        r#""""#,
        expect![[r#"
        error[HS0030]: a key must not be empty
          --> model.yaml:9:45
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "" }
           |                                             ^^
           = help: write a fixed text such as `META` if there is nothing to tell items apart by

    "#]],
    );
}

#[test]
fn a_place_that_cannot_be_counted_is_the_whole_template() {
    change(
        r#""ORDER#{orderId}""#,
        r#""\x4FRDER#{number}""#,
        expect![[r#"
            error[HS0031]: `Order` has no attribute `number`
              --> model.yaml:9:45
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "\x4FRDER#{number}" }
               |                                             ^^^^^^^^^^^^^^^^^^^
               = help: add `number: string` to the attributes of `Order`, or use one that it has: `customerId`, `orderId`, `status` and `placedAt`

        "#]],
    );
}

#[test]
fn a_changing_attribute_is_no_key() {
    change(
        r#"SK: "ORDER#{orderId}" }"#,
        "SK: \"{rev:06}\" }\n    version: rev",
        expect![[r#"
        error[HS0045]: `rev` changes with every write, and the key of an item never changes
          --> model.yaml:9:46
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "{rev:06}" }
           |                                              ^^^^^^^^
           = help: put it into the key of an index, which follows it

    "#]],
    );
}

#[test]
fn two_entities_with_one_key() {
    change(
        "patterns:",
        r#"  Invoice:
    key: { PK: "CUSTOMER#{id}", SK: "ORDER#{number}" }
    attributes: { id: string, number: string }
patterns:"#,
        expect![[r#"
            error[HS0040]: an item of `Invoice` can have the same key as one of `Order`: `CUSTOMER#{id}` / `ORDER#{number}` and `CUSTOMER#{customerId}` / `ORDER#{orderId}`
               --> model.yaml:19:10
                |
             19 |     key: { PK: "CUSTOMER#{id}", SK: "ORDER#{number}" }
                |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                = help: start one of the keys with a text of its own, such as `INVOICE#`

        "#]],
    );
}

#[test]
fn the_key_of_a_pointer() {
    change(
        "patterns:",
        r#"  Alias:
    key: { PK: "UNIQUE#{a}#{b}#{c}", SK: UNIQUE }
    attributes: { a: string, b: string, c: string }
    unique: { c: [c] }
patterns:"#,
        expect![[r#"
            error[HS0040]: an item of `Alias` can have the key of the pointer that keeps `c` of `Alias` unique
               --> model.yaml:19:10
                |
             19 |     key: { PK: "UNIQUE#{a}#{b}#{c}", SK: UNIQUE }
                |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                = help: keys from `UNIQUE#` with the sort key `UNIQUE` are taken: start this key differently

        "#]],
    );
}

/// A text before a field cannot be the start of a time, so the two keys never meet.
#[test]
fn a_text_that_no_time_starts_with_keeps_keys_apart() {
    let model = |text: &str, kind: &str| {
        format!(
            r#"
model: rooms
table: {{ name: Rooms, key: {{ pk: PK, sk: SK }} }}
entities:
  Joining:
    key: {{ PK: "ROOM#{{room}}", SK: "{text}{{user}}" }}
    attributes: {{ room: string, user: string }}
  Line:
    key: {{ PK: "ROOM#{{room}}", SK: "{{at}}" }}
    attributes: {{ room: string, at: {kind} }}
"#
        )
    };
    let collides = |text: &str, kind: &str| match hansang_core::compile(model(text, kind).as_bytes()) {
        Ok(_) => false,
        Err(problems) => problems.iter().all(|one| one.code.to_string() == "HS0040"),
    };
    for (text, kind, expected) in [
        ("Join:", "timestamp", false),
        ("Join:", "ulid", false),
        ("join", "uuid", false),
        ("v", "semver", false),
        ("Join:", "{ enum: [open, Join] }", false),
        ("2025-", "timestamp", true),
        ("J", "ulid", true),
        ("Join:", "string", true),
        ("Jo", "{ enum: [open, Join] }", true),
    ] {
        assert_eq!(collides(text, kind), expected, "{text} {kind}");
    }
}

/// An attribute that is only in the key may be called as a key of an index that its entity is not in.
#[test]
fn an_entity_outside_of_an_index_need_not_store_its_key() {
    let model = |index: &str| {
        format!(
            r#"
model: rooms
table:
  name: Rooms
  key: {{ pk: PK, sk: SK }}
  indexes:
    GSI1: {{ pk: GSI1PK, sk: at }}
entities:
  Line:
    key: {{ PK: "ROOM#{{room}}", SK: "{{at}}" }}
    {index}
    attributes: {{ room: string, at: {{ type: timestamp, stored: false }} }}
"#
        )
    };
    assert_eq!(super::problems(&model("")), []);
    let inside = super::problems(&model("index: { GSI1: { GSI1PK: \"LINES\" } }"));
    assert_eq!(inside.iter().map(|one| one.code.to_string()).collect::<Vec<_>>(), ["HS0026"]);
}

#[test]
fn a_field_is_written_without_a_dollar() {
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#${orderId}""#,
        expect![[r#"
        error[HS0030]: `$` would become part of the key
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#${orderId}" }
           |                                                    ^
           = help: write `{orderId}`, without `$`

    "#]],
    );
}

#[test]
fn a_padded_field_is_an_integer() {
    change(
        r#""ORDER#{orderId}""#,
        r#""ORDER#{line:06}""#,
        expect![[r#"
        error[HS0031]: `Order` has no attribute `line`
          --> model.yaml:9:52
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{line:06}" }
           |                                                    ^^^^^^^^^
           = help: add `line: integer` to the attributes of `Order`, or use one that it has: `total`

    "#]],
    );
}
