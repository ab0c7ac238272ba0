//! The model as a whole and its table.

use expect_test::expect;

use super::{SHOP, check, shop};

#[test]
fn a_table_with_another_name_is_another_table() {
    let new = shop(&[("name: Shop", "name: Store")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        table: The table is now `Store`; it was `Shop`.
            Rebuild Order, Customer: DynamoDB renames neither tables nor keys: this is a new table, and every item has to be copied into it.
    "#]],
    );
}

#[test]
fn a_table_with_another_key_is_another_table() {
    let new = shop(&[("sk: SK }", "sk: RANGE }"), (", SK:", ", RANGE:")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        table key: The sort key attribute is now `RANGE`; it was `SK`.
            Rebuild Order, Customer: DynamoDB renames neither tables nor keys: this is a new table, and every item has to be copied into it.
    "#]],
    );
}

#[test]
fn another_delimiter_moves_the_items() {
    let new = shop(&[("key: { pk: PK, sk: SK }", "key: { pk: PK, sk: SK }\n  delimiter: \"|\""), ("#", "|")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.PK: The template is now `CUSTOMER|{customer}`; it was `CUSTOMER#{customer}`.
            Rebuild Customer: An item cannot change its key: each has to be written under the new one, and the old one deleted. So have the pointers that keep its values unique, for they name its key.
        Order.PK: The template is now `CUSTOMER|{customer}`; it was `CUSTOMER#{customer}`.
            Rebuild Order: An item cannot change its key: each has to be written under the new one, and the old one deleted.
        Order.SK: The template is now `ORDER|{placedAt}|{number:06}`; it was `ORDER#{placedAt}#{number:06}`.
            Rebuild Order: An item cannot change its key: each has to be written under the new one, and the old one deleted.
        table: The delimiter is now `|`; it was `#`.
            Rebuild Order, Customer: The delimiter is part of their keys and of the pointers that keep values unique.
        Order.GSI1PK: The template is now `STATUS|{status}`; it was `STATUS#{status}`.
            Backfill Order: Stored items have the old key in `GSI1` until then.
        Order.GSI1SK: The template is now `{placedAt}|{number:06}`; it was `{placedAt}#{number:06}`.
            Backfill Order: Stored items have the old key in `GSI1` until then.
    "#]],
    );
}

#[test]
fn times_written_otherwise_move_the_items_whose_key_they_are_in() {
    let new = shop(&[("  type: Type\n", "  type: Type\n  timestamps: millis\n")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.SK: The template `ORDER#{placedAt}#{number:06}` is the same, but a value in it is written otherwise.
            Rebuild Order: An item cannot change its key: each has to be written under the new one, and the old one deleted.
        Customer.CreatedAt: The type is now a time such as 2025-11-14T03:00:00.123Z; it was a time such as 2025-11-14T03:00:00Z.
            Backfill Customer: Stored values are written in the old form until then.
        Order.CreatedAt: The type is now a time such as 2025-11-14T03:00:00.123Z; it was a time such as 2025-11-14T03:00:00Z.
            Backfill Order: Stored values are written in the old form until then.
        Order.GSI1SK: The template `{placedAt}#{number:06}` is the same, but a value in it is written otherwise.
            Backfill Order: Stored items have the old key in `GSI1` until then.
        Order.placedAt: The type is now a time such as 2025-11-14T03:00:00.123Z; it was a time such as 2025-11-14T03:00:00Z.
            Backfill Order: Stored values are written in the old form until then.
    "#]],
    );
}

#[test]
fn time_to_live_deletes_what_has_expired() {
    let new = shop(&[("enabled: false", "enabled: true")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        table: Items now expire by `expiresAt`; before, none did.
            Check Order: Stored items whose `expiresAt` lies in the past are deleted.
    "#]],
    );
}

#[test]
fn settings_of_the_table_and_the_model() {
    let new = shop(&[
        ("version: 1.0.0", "version: 1.1.0"),
        ("model: shop", "model: store"),
        ("  type: Type\n", "  type: Type\n  streams: true\n  recovery: true\n  tags: { team: shop }\n"),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        model: The model is now called `store`; it was `shop`.
            Breaking: Commands and addresses carry the model's name.
        model: The version is now 1.1.0; it was 1.0.0.
            Nothing to do.
        table: A change feed is kept from now on.
            Nothing to do.
        table: Point-in-time recovery is now on.
            Nothing to do.
        table: The tags are now `team=shop`.
            Nothing to do.
    "#]],
    );
}

/// If no key has the delimiter, only a value that contains the new one is a problem.
#[test]
fn a_delimiter_that_no_key_has() {
    let of = |delimiter: &str, id: &str| {
        format!(
            "model: plain\ntable: {{ name: Plain, key: {{ pk: PK, sk: SK }}, delimiter: \"{delimiter}\" }}\n\
             entities: {{ Thing: {{ key: {{ PK: \"{{id}}\", SK: META }}, attributes: {{ id: {id} }} }} }}\n"
        )
    };
    check(
        &of("#", "string"),
        &of("|", "string"),
        expect![[r#"
        table: The delimiter is now `|`; it was `#`.
            Check Thing: A text in a stored key may contain `|`, and then the key cannot be read back.
    "#]],
    );
    check(
        &of("#", "ulid"),
        &of("|", "ulid"),
        expect![[r#"
        table: The delimiter is now `|`; it was `#`.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_table_that_keeps_less() {
    let old = shop(&[
        ("enabled: false", "enabled: true"),
        ("  type: Type\n", "  type: Type\n  streams: true\n  recovery: true\n"),
    ]);
    check(
        &old,
        SHOP,
        expect![[r#"
        table: No change feed is kept any more.
            Breaking: Whoever reads the change feed sees nothing more.
        table: Items no longer expire; they did by `expiresAt`.
            Nothing to do.
        table: Point-in-time recovery is now off.
            Nothing to do.
    "#]],
    );
}
