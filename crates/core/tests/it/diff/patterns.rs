//! Access patterns, the part that callers see.

use expect_test::expect;

use super::{SHOP, check, shop};

#[test]
fn a_renamed_pattern_breaks_callers() {
    let new = shop(&[("  orders:", "  ordersOfCustomer:")]);
    check(
        SHOP,
        &new,
        expect![[r#"
            pattern ordersOfCustomer: The pattern was called `orders`.
                Breaking: Callers use the old name.
        "#]],
    );
}

#[test]
fn a_pattern_that_is_gone_breaks_callers() {
    let new = shop(&[("  newest: { entity: Order, index: Type_CreatedAt, order: newest }\n", "")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern newest: The pattern is gone.
            Breaking: Callers of it are refused.
    "#]],
    );
}

#[test]
fn a_pattern_with_other_arguments_breaks_callers() {
    let new = shop(&[
        ("given: [customer], order: newest", "given: [customer, placedAt], order: newest"),
        (", range: placedAt", ""),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern orders: It must now be given `placedAt`.
            Breaking: Callers that leave it out are refused.
        pattern ordersByStatus: It is no longer given `from`.
            Breaking: Callers that give it are refused.
        pattern ordersByStatus: It is no longer given `to`.
            Breaking: Callers that give it are refused.
    "#]],
    );
}

#[test]
fn a_pattern_with_a_range_asks_for_nothing_more() {
    let new =
        shop(&[("given: [customer], order: newest", "given: [customer], range: placedAt, order: newest")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern orders: It can now be given `from`.
            Nothing to do.
        pattern orders: It can now be given `to`.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_pattern_that_answers_otherwise_breaks_callers() {
    let new = shop(&[
        (
            "{ entity: Order, given: [customer], order: newest }",
            "{ entities: [Order, Customer], given: [customer], page: 10 }",
        ),
        (
            "{ entity: Customer, given: [customer] }",
            "{ entity: Customer, given: [customer], consistent: true }",
        ),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern orders: It returns `Customer` and `Order`; it was `Order`.
            Breaking: Callers get other items.
        pattern orders: The order is now ascending; it was descending.
            Breaking: Callers get the other end first.
        pattern customer: Reads are now strongly consistent, at twice the cost.
            Nothing to do.
        pattern orders: A page now has 10 items; it was 50.
            Nothing to do.
    "#]],
    );
}

#[test]
fn a_pattern_that_reads_elsewhere_in_another_order_breaks_callers() {
    let old = shop(&[("GSI1, given: [status], range: placedAt", "GSI1, given: [status]")]);
    let with_index = |template: &str, index: &str| {
        let entry = "    attributes:\n      customer: string\n      placedAt";
        let index_line = "    Type_CreatedAt: { pk";
        old.replace(index_line, &format!("    GSI2: {{ pk: GSI2PK, sk: GSI2SK }}\n{index_line}"))
            .replace(
                entry,
                &format!("      GSI2: {{ GSI2PK: \"S#{{status}}\", GSI2SK: \"{template}\" }}\n{entry}"),
            )
            .replace("index: GSI1, given", &format!("index: {index}, given"))
    };
    let same = "{placedAt}#{number:06}";
    check(
        &with_index(same, "GSI1"),
        &with_index(same, "GSI2"),
        expect![[r#"
        pattern ordersByStatus: It reads the index `GSI2`; it was the index `GSI1`.
            Nothing to do.
    "#]],
    );
    let other = "{number:06}";
    check(
        &with_index(other, "GSI1"),
        &with_index(other, "GSI2"),
        expect![[r#"
            pattern ordersByStatus: Items come in the order of another sort key.
                Breaking: Callers get another order, and cursors given out before do not fit.
            pattern ordersByStatus: It reads the index `GSI2`; it was the index `GSI1`.
                Nothing to do.
        "#]],
    );
}

/// A fan-out over fewer values rejects queries that worked before.
#[test]
fn a_fan_out_with_another_bound() {
    let of = |max: &str| {
        format!(
            "model: months\ntable: {{ name: Months, key: {{ pk: PK, sk: SK }} }}\n\
             entities:\n  Bill:\n    key: {{ PK: \"MONTH#{{month}}\", SK: \"{{id}}\" }}\n    \
             attributes: {{ month: month, id: ulid }}\n\
             patterns:\n  bills: {{ entity: Bill, over: month, max: {max} }}\n"
        )
    };
    check(
        &of("24"),
        &of("12"),
        expect![[r#"
        pattern bills: It fans out over at most 12 values; it was 24.
            Breaking: Callers that ask for more are refused.
    "#]],
    );
    check(
        &of("12"),
        &of("24"),
        expect![[r#"
        pattern bills: It fans out over at most 24 values; it was 12.
            Nothing to do.
    "#]],
    );
}

/// The index key changes under a pattern that itself stays the same.
#[test]
fn a_pattern_whose_index_sorts_otherwise_breaks_callers() {
    let old = shop(&[(", range: placedAt", "")]);
    let new = old.replace("GSI1SK: \"{placedAt}#{number:06}\"", "GSI1SK: \"{number:06}\"");
    check(
        &old,
        &new,
        expect![[r#"
            pattern ordersByStatus: Items come in the order of another sort key.
                Breaking: Callers get another order, and cursors given out before do not fit.
            Order.GSI1SK: The template is now `{number:06}`; it was `{placedAt}#{number:06}`.
                Backfill Order: Stored items have the old key in `GSI1` until then.
        "#]],
    );
}

/// The sort key got a field, so one item is a page of items now.
#[test]
fn a_pattern_that_gives_a_page_instead_of_one_item_breaks_callers() {
    let new = shop(&[("SK: META }", "SK: \"META#{code}\" }")]);
    check(
        SHOP,
        &new,
        expect![[r#"
            Customer.SK: The template is now `META#{code}`; it was `META`.
                Rebuild Customer: An item cannot change its key: each has to be written under the new one, and the old one deleted. So have the pointers that keep its values unique, for they name its key.
            pattern customer: It gives a page; it was one item.
                Breaking: Callers get another shape.
        "#]],
    );
}

#[test]
fn a_pattern_that_fans_out_now_breaks_callers() {
    let new = shop(&[("index: GSI1, given: [status], range: placedAt", "index: GSI1, over: status")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern ordersByStatus: It is no longer given `status`.
            Breaking: Callers that give it are refused.
        pattern ordersByStatus: It is no longer given `from`.
            Breaking: Callers that give it are refused.
        pattern ordersByStatus: It is no longer given `to`.
            Breaking: Callers that give it are refused.
        pattern ordersByStatus: It fans out over `status`; it was nothing.
            Breaking: Callers get other items.
    "#]],
    );
}
