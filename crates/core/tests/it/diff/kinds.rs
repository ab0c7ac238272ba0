//! Types of attributes.

use expect_test::expect;

use super::{SHOP, check, shop};

#[test]
fn a_wider_type_needs_nothing() {
    let new = shop(&[("email: email", "email: string")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.email: The type is now text; it was an e-mail address such as name@example.com.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_narrower_type_needs_a_check() {
    let new = shop(&[("name: { type: string, length: [1, 80] }", "name: { type: url, length: [1, 80] }")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.name: The type is now an address that starts with https://, http:// or s3://; it was text.
            Check Customer: A stored value must be an address that starts with https://, http:// or s3://.
    "#]],
    );
}

#[test]
fn a_type_that_is_stored_otherwise_needs_a_conversion() {
    let new = shop(&[("total: { type: number, min: 0 }", "total: string")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.total: The type is now text; it was a number.
            Check Order: Every stored value has the old type and has to be converted first.
    "#]],
    );
}

#[test]
fn an_enum_that_loses_a_value_needs_a_check() {
    let new = shop(&[("enum: [web, shop]", "enum: [web, phone]")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.channel: It can no longer be `shop`.
            Check Order: A stored item may still have `shop`.
        Order.channel: It can now also be `phone`.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_lifecycle_that_loses_a_state_needs_a_check() {
    let new = shop(&[(
        "OPEN: [PAID, CANCELLED], PAID: [SHIPPED], CANCELLED: [], SHIPPED: []",
        "OPEN: [PAID], PAID: [SHIPPED, LOST]",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern ordersByStatus: `status` is now one of OPEN, PAID, SHIPPED, LOST; it was one of OPEN, PAID, CANCELLED, SHIPPED.
            Breaking: Callers that give anything else are refused.
        Order.status: It can no longer be `CANCELLED`.
            Check Order: A stored item may still have `CANCELLED`.
        Order.status: It can now also be `LOST`.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_lifecycle_with_other_moves() {
    let new = shop(&[(
        "OPEN: [PAID, CANCELLED], PAID: [SHIPPED], CANCELLED: [], SHIPPED: [] }",
        "OPEN: [PAID], PAID: [SHIPPED, CANCELLED], CANCELLED: [], SHIPPED: [] }, initial: [PAID, OPEN]",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
            Order.status: There is no transition `OPEN → CANCELLED` any more.
                Breaking: Callers that make such a transition are rejected, and items may be stuck.
            Order.status: There is now the transition `PAID → CANCELLED`.
                Nothing to do.
            Order.status: An item can now start as `PAID`.
                Nothing to do.
        "#]],
    );
}

#[test]
fn a_plain_choice_becomes_a_lifecycle() {
    let new = shop(&[(
        "{ enum: [web, shop], default: web }",
        "{ lifecycle: { web: [shop], shop: [web] }, default: web }",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
            Order.channel: It is now a lifecycle; it was a plain choice.
                Breaking: A change that is not one of the transitions is rejected.
        "#]],
    );
}
