//! Mistakes in access patterns.

use expect_test::expect;

use super::{SHOP, change, changed, check};

#[test]
fn names_that_do_not_exist() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Ordre, given: [customerId] }",
        expect![[r#"
        error[HS0050]: there is no entity `Ordre`
           --> model.yaml:19:31
            |
         19 |   ordersOfCustomer: { entity: Ordre, given: [customerId] }
            |                               ^^^^^
            = help: did you mean `Order`?

    "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [customer] }",
        expect![[r#"
        error[HS0031]: `Order` has no attribute `customer`
           --> model.yaml:19:46
            |
         19 |   ordersOfCustomer: { entity: Order, given: [customer] }
            |                                              ^^^^^^^^
            = help: did you mean `customerId`?

    "#]],
    );
    change(
        "{ entity: Order, index: GSI1, given: [status], range: placedAt }",
        "{ entity: Order, index: GSI3, given: [status] }",
        expect![[r#"
            error[HS0041]: there is no index `GSI3`
               --> model.yaml:20:43
                |
             20 |   ordersByStatus: { entity: Order, index: GSI3, given: [status] }
                |                                           ^^^^
                = help: did you mean `GSI1`?

        "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, unique: number }",
        expect![[r#"
        error[HS0057]: `Order` has no unique constraint `number`
           --> model.yaml:19:46
            |
         19 |   ordersOfCustomer: { entity: Order, unique: number }
            |                                              ^^^^^^
            = help: add `unique: { number: [attribute] }` to `Order`

    "#]],
    );
}

#[test]
fn no_entity_or_two_ways_to_name_it() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ given: [customerId] }",
        expect![[r#"
        error[HS0009]: `ordersOfCustomer` does not say which entity it returns
           --> model.yaml:19:3
            |
         19 |   ordersOfCustomer: { given: [customerId] }
            |   ^^^^^^^^^^^^^^^^
            = help: write `entity: Name`, or `entities: [A, B]` for more than one

    "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, entities: [Order] }",
        expect![[r#"
        error[HS0021]: a pattern has `entity` or `entities`, not both
           --> model.yaml:19:31
            |
         19 |   ordersOfCustomer: { entity: Order, entities: [Order] }
            |                               ^^^^^
            = help: keep `entities`, and put all of them into its list

    "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entities: [], given: [customerId] }",
        expect![[r#"
        error[HS0009]: `ordersOfCustomer` does not say which entity it returns
           --> model.yaml:19:33
            |
         19 |   ordersOfCustomer: { entities: [], given: [customerId] }
            |                                 ^^
            = help: write `entity: Name`, or `entities: [A, B]` for more than one

    "#]],
    );
}

#[test]
fn an_entity_that_is_not_in_the_index() {
    change(
        "    index:\n      GSI1: { GSI1PK: \"STATUS#{status}\", GSI1SK: \"{placedAt}\" }\n",
        "",
        expect![[r#"
            error[HS0051]: no entity is in the index `GSI1`: none has `GSI1PK`
              --> model.yaml:6:17
               |
             6 |     GSI1: { pk: GSI1PK, sk: GSI1SK }
               |                 ^^^^^^
               = help: give an entity `GSI1PK` under its `index: GSI1:`, or as an attribute

        "#]],
    );
}

#[test]
fn a_list_that_is_not_one() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: customerId }",
        expect![[r#"
        error[HS0010]: this must be a list, not `customerId`
           --> model.yaml:19:45
            |
         19 |   ordersOfCustomer: { entity: Order, given: customerId }
            |                                             ^^^^^^^^^^
            = help: write `[customerId]`

    "#]],
    );
}

#[test]
fn words_of_other_languages() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, where: [customerId], limit: 10, order: desc }",
        expect![[r#"
            error[HS0008]: `where` is not a field of the pattern `ordersOfCustomer`
               --> model.yaml:19:38
                |
             19 |   ordersOfCustomer: { entity: Order, where: [customerId], limit: 10, order: desc }
                |                                      ^^^^^
                = help: did you mean `given`?

            error[HS0008]: `limit` is not a field of the pattern `ordersOfCustomer`
               --> model.yaml:19:59
                |
             19 |   ordersOfCustomer: { entity: Order, where: [customerId], limit: 10, order: desc }
                |                                                           ^^^^^
                = help: did you mean `page`?

            error[HS0012]: `order` cannot be `desc`
               --> model.yaml:19:77
                |
             19 |   ordersOfCustomer: { entity: Order, where: [customerId], limit: 10, order: desc }
                |                                                                             ^^^^
                = help: did you mean `descending`?

        "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [customerId], order: random }",
        expect![[r#"
            error[HS0012]: `order` cannot be `random`
               --> model.yaml:19:66
                |
             19 |   ordersOfCustomer: { entity: Order, given: [customerId], order: random }
                |                                                                  ^^^^^^
                = help: write one of `oldest`, `newest`, `ascending` and `descending`

        "#]],
    );
}

#[test]
fn a_page_that_cannot_be_read() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [customerId], page: 5000 }",
        expect![[r#"
            error[HS0012]: a page cannot have 5000 items
               --> model.yaml:19:65
                |
             19 |   ordersOfCustomer: { entity: Order, given: [customerId], page: 5000 }
                |                                                                 ^^^^
                = help: write 1 to 1000

        "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [customerId], page: -1 }",
        expect![[r#"
            error[HS0010]: this must be a whole number, zero or more, not `-1`
               --> model.yaml:19:65
                |
             19 |   ordersOfCustomer: { entity: Order, given: [customerId], page: -1 }
                |                                                                 ^^
                = help: write digits such as `20`, without quotes

        "#]],
    );
}

#[test]
fn a_lookup_with_more_than_its_constraint() {
    let model = changed(SHOP, "total: integer\n", "total: integer\n    unique: { order: [orderId] }\n");
    let lookup = "{ entity: Order, unique: order, given: [orderId], page: 5 }";
    check(
        &changed(&model, "{ entity: Order, given: [customerId] }", lookup),
        expect![[r#"
            error[HS0021]: `given` cannot be combined with `unique`
               --> model.yaml:20:53
                |
             20 |   ordersOfCustomer: { entity: Order, unique: order, given: [orderId], page: 5 }
                |                                                     ^^^^^
                = help: remove it: the constraint has the arguments, and one item is returned

            error[HS0021]: `page` cannot be combined with `unique`
               --> model.yaml:20:71
                |
             20 |   ordersOfCustomer: { entity: Order, unique: order, given: [orderId], page: 5 }
                |                                                                       ^^^^
                = help: remove it: the constraint has the arguments, and one item is returned

        "#]],
    );
}
