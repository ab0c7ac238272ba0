//! Indexes, and the items in them.

use expect_test::expect;

use super::{SHOP, check, shop};

#[test]
fn a_new_index_made_for_it_needs_a_backfill() {
    let new = shop(&[
        ("    Type_CreatedAt: { pk", "    GSI2: { pk: GSI2PK, sk: GSI2SK }\n    Type_CreatedAt: { pk"),
        (
            "    attributes:\n      customer: string\n      placedAt",
            "      GSI2: { GSI2PK: \"CHANNEL#{channel}\", GSI2SK: \"{placedAt}\" }\n    attributes:\n      customer: string\n      placedAt",
        ),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        index GSI2: The index is new.
            Backfill Order: Stored items lack `GSI2PK` and `GSI2SK` and are not found in it until then.
    "#]],
    );
}

/// The sort axis is made of attributes that every item has, such as `AuthorId_CreatedAt`.
#[test]
fn a_new_index_of_attributes_that_exist_is_filled_by_the_store() {
    let new = shop(&[(
        "    Type_CreatedAt: { pk",
        "    customer_CreatedAt: { pk: customer, sk: CreatedAt }\n    Type_CreatedAt: { pk",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
        index customer_CreatedAt: The index is new.
            Backfill Order, Customer: The store fills it from attributes that the items have; patterns on it miss items until that is done.
    "#]],
    );
}

#[test]
fn a_new_index_that_only_a_new_entity_is_in_needs_nothing() {
    let new = shop(&[
        ("    Type_CreatedAt: { pk", "    GSI2: { pk: GSI2PK }\n    Type_CreatedAt: { pk"),
        (
            "patterns:\n",
            "  Note:\n    key: { PK: \"NOTE#{id}\", SK: META }\n    index: { GSI2: { GSI2PK: NOTES } }\n    attributes: { id: ulid }\npatterns:\n",
        ),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Note: The entity is new.
            Nothing to do.
        index GSI2: The index is new, and no stored item is in it.
            Nothing to do.
    "#]],
    );
}

#[test]
fn an_index_that_goes_leaves_its_keys_behind() {
    let new = shop(&[
        ("    GSI1: { pk: GSI1PK, sk: GSI1SK }\n", ""),
        ("    index:\n      GSI1: { GSI1PK: \"STATUS#{status}\", GSI1SK: \"{placedAt}#{number:06}\" }\n", ""),
        ("  ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt }\n", ""),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern ordersByStatus: The pattern is gone.
            Breaking: Callers of it are refused.
        index GSI1: The index is gone; no pattern reads it any more.
            Backfill Order: Stored items still carry `GSI1PK` and `GSI1SK`, which the model no longer knows.
    "#]],
    );
}

#[test]
fn an_index_of_own_attributes_goes_without_a_trace() {
    let new = shop(&[
        ("    Type_CreatedAt: { pk: Type, sk: CreatedAt }\n", ""),
        ("  newest: { entity: Order, index: Type_CreatedAt, order: newest }\n", ""),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern newest: The pattern is gone.
            Breaking: Callers of it are refused.
        index Type_CreatedAt: The index is gone; no pattern reads it any more.
            Nothing to do.
    "#]],
    );
}

#[test]
fn an_index_with_another_key_is_made_anew() {
    let new = shop(&[("GSI1SK", "GSI1SORT")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        index GSI1: The key is now `GSI1PK` and `GSI1SORT`; it was `GSI1PK` and `GSI1SK`.
            Reindex GSI1: An index is never changed in place. Add one under a new name, let it fill, move the patterns, then remove this one.
        index GSI1: Items of Order have other keys in it.
            Backfill Order: Stored items lack `GSI1SORT` and still carry `GSI1SK` until then.
    "#]],
    );
}

#[test]
fn an_index_with_another_projection_is_made_anew() {
    let new = shop(&[("{ pk: Type, sk: CreatedAt }", "{ pk: Type, sk: CreatedAt, project: [total] }")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        index Type_CreatedAt: It now carries the keys and `total`; it was all attributes.
            Reindex Type_CreatedAt: An index is never changed in place. Add one under a new name, let it fill, move the patterns, then remove this one.
    "#]],
    );
}

#[test]
fn another_template_of_an_index_key_needs_a_backfill() {
    let new = shop(&[("GSI1PK: \"STATUS#{status}\"", "GSI1PK: \"ORDERS#{status}\"")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.GSI1PK: The template is now `ORDERS#{status}`; it was `STATUS#{status}`.
            Backfill Order: Stored items have the old key in `GSI1` until then.
    "#]],
    );
}

#[test]
fn another_padding_in_an_index_key_needs_a_backfill() {
    let new = shop(&[("GSI1SK: \"{placedAt}#{number:06}\"", "GSI1SK: \"{placedAt}#{number:08}\"")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.GSI1SK: The template is now `{placedAt}#{number:08}`; it was `{placedAt}#{number:06}`.
            Backfill Order: Stored items have the old key in `GSI1` until then.
    "#]],
    );
}

#[test]
fn an_entity_that_comes_into_an_index_needs_a_backfill() {
    let new = shop(&[(
        "    key: { PK: \"CUSTOMER#{customer}\", SK: META }\n",
        "    key: { PK: \"CUSTOMER#{customer}\", SK: META }\n    index: { GSI1: { GSI1PK: CUSTOMERS, GSI1SK: \"{name}\" } }\n",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
        index GSI1: Items of Customer are now in it.
            Backfill Customer: Stored items lack `GSI1PK` and `GSI1SK` and are not found in it until then.
    "#]],
    );
}

#[test]
fn an_entity_that_leaves_an_index_needs_a_backfill() {
    let new = shop(&[
        ("    index:\n      GSI1: { GSI1PK: \"STATUS#{status}\", GSI1SK: \"{placedAt}#{number:06}\" }\n", ""),
        ("  ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt }\n", ""),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern ordersByStatus: The pattern is gone.
            Breaking: Callers of it are refused.
        index GSI1: Items of Order are no longer in it.
            Backfill Order: Stored items still carry `GSI1PK` and `GSI1SK` and are found in it until then.
    "#]],
    );
}
