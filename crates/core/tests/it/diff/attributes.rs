//! Attributes and their rules.

use expect_test::expect;

use super::{SHOP, check, shop};

#[test]
fn a_new_optional_attribute_needs_nothing() {
    let new = shop(&[("      email: email\n", "      email: email\n      phone: string?\n")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.phone: The attribute is new and optional.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_new_attribute_with_a_default_needs_a_backfill() {
    let new =
        shop(&[("      email: email\n", "      email: email\n      vip: { type: bool, default: false }\n")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.vip: The attribute is new and required.
            Backfill Customer: Stored items that lack it get `false`.
    "#]],
    );
}

#[test]
fn a_new_generated_attribute_needs_a_backfill() {
    let new = shop(&[(
        "      email: email\n",
        "      email: email\n      since: { type: timestamp, generated: now }\n",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.since: The attribute is new and required.
            Backfill Customer: Stored items that lack it get a value made for each.
    "#]],
    );
}

#[test]
fn a_new_required_attribute_needs_a_decision() {
    let new = shop(&[("      email: email\n", "      email: email\n      phone: string\n")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.phone: The attribute is new and required.
            Check Customer: Stored items may lack it and it has no default: decide what they get. Callers must give it.
    "#]],
    );
}

#[test]
fn a_new_attribute_of_the_table() {
    let new = shop(&[
        ("  created: CreatedAt\n", "  created: CreatedAt\n  updated: UpdatedAt\n"),
        ("SK: META }\n", "SK: META }\n    version: rev\n"),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.rev: Writes are now counted.
            Backfill Customer: Stored items lack it until then.
        Customer.UpdatedAt: The time of the last write is new.
            Nothing to do.
        Order.UpdatedAt: The time of the last write is new.
            Nothing to do.
    "#]],
    );
}

#[test]
fn the_time_of_creation_cannot_be_made_up() {
    let old = shop(&[
        ("  created: CreatedAt\n", ""),
        ("    Type_CreatedAt: { pk: Type, sk: CreatedAt }\n", ""),
        ("  newest: { entity: Order, index: Type_CreatedAt, order: newest }\n", ""),
    ]);
    let new = old.replace("  type: Type\n", "  created: CreatedAt\n");
    check(
        &old,
        &new,
        expect![[r#"
        Customer.CreatedAt: The time of creation is new.
            Check Customer: When stored items were created is not known: decide what they get.
        Order.CreatedAt: The time of creation is new.
            Check Order: When stored items were created is not known: decide what they get.
        Customer.Type: The attribute, which was written by the table, is gone.
            Backfill Customer: Stored items carry it until then, and do not fit the model.
        Order.Type: The attribute, which was written by the table, is gone.
            Backfill Order: Stored items carry it until then, and do not fit the model.
    "#]],
    );
}

#[test]
fn an_attribute_that_is_gone_is_still_stored() {
    let new = shop(&[
        ("      note: { type: string?, length: [0, 200] }\n", ""),
        ("      label: { template: \"{number:06}\" }\n", ""),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.note: The attribute is gone.
            Check Order: Stored items that still have it do not fit the model, and rewriting them loses its values. Callers that give it are refused.
        Order.label: The attribute, which was written by the table, is gone.
            Backfill Order: Stored items carry it until then, and do not fit the model.
    "#]],
    );
}

#[test]
fn tighter_rules_need_a_check_and_looser_ones_nothing() {
    let new = shop(&[
        ("min: 0, max: 999999", "min: 1, max: 9999"),
        ("length: [1, 80]", "length: [0, 90]"),
        ("length: [0, 200]", "length: [0, 100], pattern: \"[a-z]*\""),
        ("{ type: number, min: 0 }", "number"),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.note: The greatest length is now 100; it was 200.
            Check Order: A stored value may break the rule.
        Order.note: The pattern is now `[a-z]*`; there was none.
            Check Order: A stored value may break the rule.
        Order.number: The smallest number is now 1; it was 0.
            Check Order: A stored value may break the rule.
        Order.number: The largest number is now 9999; it was 999999.
            Check Order: A stored value may break the rule.
        Customer.name: There is no least length any more; it was 1.
            Nothing to do.
        Customer.name: The greatest length is now 90; it was 80.
            Nothing to do.
        Order.total: There is no smallest number any more; it was 0.
            Nothing to do.
    "#]],
    );
}

#[test]
fn required_now_with_a_default_needs_a_backfill() {
    let new = shop(&[(
        "note: { type: string?, length: [0, 200] }",
        "note: { type: string, default: \"-\", length: [0, 200] }",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.note: It is now required; it was optional.
            Backfill Order: Stored items that lack it get `"-"`.
        Order.note: The default is now `"-"`; there was none.
            Nothing to do.
    "#]],
    );
}

#[test]
fn required_now_without_a_default_needs_a_check() {
    let new = shop(&[("note: { type: string?,", "note: { type: string,")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.note: It is now required; it was optional.
            Check Order: Stored items may lack it and it has no default: decide what they get. Callers must give it.
    "#]],
    );
}

#[test]
fn no_longer_required_needs_nothing() {
    let new = shop(&[("name: { type: string,", "name: { type: string?,")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.name: It is now optional; it was required.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_default_that_is_gone_breaks_callers() {
    let new = shop(&[
        ("{ enum: [web, shop], default: web }", "{ enum: [web, shop] }"),
        ("code: { type: string, generated: ulid }", "code: string"),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.code: No value is made any more when none is given.
            Breaking: Callers that leave it out are refused.
        Order.channel: There is no default any more; it was `"web"`.
            Breaking: Callers that leave it out are refused.
    "#]],
    );
}

#[test]
fn another_default_needs_nothing() {
    let new = shop(&[("default: web", "default: shop")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.channel: The default is now `"shop"`; it was `"web"`.
            Nothing to do.
    "#]],
    );
}

#[test]
fn an_immutable_attribute_breaks_callers() {
    let new = shop(&[("email: email\n", "email: { type: email, immutable: true }\n")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.email: It can no longer change once it is written.
            Breaking: Callers that change it are refused.
    "#]],
    );
}

#[test]
fn a_newly_stored_attribute_needs_a_backfill() {
    let old =
        shop(&[("customer: string\n      email", "customer: { type: string, stored: false }\n      email")]);
    check(
        &old,
        SHOP,
        expect![[r#"
        Customer.customer: It is now stored as an attribute; it was in the key alone.
            Backfill Customer: Stored items lack it until then.
    "#]],
    );
    check(
        SHOP,
        &old,
        expect![[r#"
        Customer.customer: It is now in the key alone; it was stored as an attribute too.
            Nothing to do.
    "#]],
    );
}

#[test]
fn another_template_of_an_attribute_needs_a_backfill() {
    let new = shop(&[("label: { template: \"{number:06}\" }", "label: { template: \"{number:09}\" }")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.label: The template is now `{number:09}`; it was `{number:06}`.
            Backfill Order: Stored items have the old value until then.
    "#]],
    );
}

#[test]
fn an_attribute_that_the_table_writes_now() {
    let new = shop(&[(
        "      code: { type: string, generated: ulid }",
        "      code: { template: \"{customer}\" }",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
            Customer.code: It is now written by the table, from a template; it was written by the caller.
                Breaking: Callers that give it are refused.
            Customer.code: Stored values do not come from the table yet.
                Backfill Customer: Stored items keep the value that was given until then.
        "#]],
    );
}

/// A minimum length of zero is no rule.
#[test]
fn a_length_from_zero_tightens_only_its_end() {
    let new = shop(&[("email: email\n", "email: { type: email, length: [0, 90] }\n")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.email: The greatest length is now 90; there was none.
            Check Customer: A stored value may break the rule.
    "#]],
    );
}
