//! Several mistakes in one file: all of them at once, in the order of the file.

use expect_test::expect;
use serde_json::json;

use super::{SHOP, changed, check, problems};

/// One mistake in each part of the file.
fn broken() -> String {
    [
        ("model: shop", "model: Shop"),
        ("sk: GSI1SK }", "sk: GSI1SK, project: some }"),
        ("{orderId}\"", "{orderNumber}\""),
        ("total: integer", "total: amount"),
        ("patterns:", "  note: { key: { PK: NOTE } }\npatterns:"),
        ("range: placedAt }", "range: placedAt, ordr: newest }"),
    ]
    .iter()
    .fold(SHOP.to_owned(), |model, (from, to)| changed(&model, from, to))
}

#[test]
fn every_mistake_is_reported_once_and_in_order() {
    check(
        &broken(),
        expect![[r#"
            error[HS0011]: `Shop` cannot be the name of a model
              --> model.yaml:1:8
               |
             1 | model: Shop
               |        ^^^^
               = help: write `shop`: use lower-case letters, digits and hyphens, at most 40

            error[HS0012]: `project` cannot be `some`
              --> model.yaml:6:46
               |
             6 |     GSI1: { pk: GSI1PK, sk: GSI1SK, project: some }
               |                                              ^^^^
               = help: write one of `all` and `keys`

            error[HS0031]: `Order` has no attribute `orderNumber`
              --> model.yaml:9:52
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderNumber}" }
               |                                                    ^^^^^^^^^^^^^
               = help: add `orderNumber: string` to the attributes of `Order`, or use one that it has: `customerId`, `orderId`, `status` and `placedAt`

            error[HS0020]: there is no type `amount`
               --> model.yaml:17:14
                |
             17 |       total: amount
                |              ^^^^^^
                = help: the types are `string`, `number`, `integer`, `bool`, `timestamp`, `month`, `ulid`, `uuid`, `semver`, `binary`, `markdown`, `email`, `url`, `list`, `map` and `any`, and `{ enum: … }`, `{ lifecycle: … }`, `{ set: … }`

            error[HS0011]: `note` cannot be the name of an entity
               --> model.yaml:18:3
                |
             18 |   note: { key: { PK: NOTE } }
                |   ^^^^
                = help: write `Note`: start with a capital and use letters and digits, at most 60

            error[HS0009]: the key of `note` has no `SK`
               --> model.yaml:18:16
                |
             18 |   note: { key: { PK: NOTE } }
                |                ^^^^^^^^^^^^
                = help: write `key: { PK: "…", SK: "…" }`

            error[HS0008]: `ordr` is not a field of the pattern `ordersByStatus`
               --> model.yaml:21:83
                |
             21 |   ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt, ordr: newest }
                |                                                                                   ^^^^
                = help: did you mean `order`?

        "#]],
    );
}

#[test]
fn a_pattern_on_a_broken_entity_is_left_alone() {
    let model = changed(SHOP, "customerId: string", "customerId: strin");
    assert_eq!(problems(&model).len(), 1);
}

#[test]
fn a_name_that_does_not_exist_is_one_mistake_however_often_it_is_used() {
    check(
        &changed(SHOP, "  Order:", "  Ordr:"),
        expect![[r#"
        error[HS0050]: there is no entity `Order`
           --> model.yaml:19:31
            |
         19 |   ordersOfCustomer: { entity: Order, given: [customerId] }
            |                               ^^^^^
            = help: did you mean `Ordr`? (the same in line 20)

    "#]],
    );
    check(
        &changed(SHOP, "customerId: string", "custId: string"),
        expect![[r#"
            error[HS0031]: `Order` has no attribute `customerId`
              --> model.yaml:9:26
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
               |                          ^^^^^^^^^^^^
               = help: add `customerId: string` to the attributes of `Order`, or use one that it has: `custId`, `orderId`, `status` and `placedAt`

        "#]],
    );
    check(
        &changed(SHOP, "pk: PK", "pk: PartitionKey"),
        expect![[r#"
        error[HS0008]: `PK` is not a field of the key of an item
          --> model.yaml:9:12
           |
         9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
           |            ^^
           = help: the key of an item can have `PartitionKey` and `SK`

    "#]],
    );
}

#[test]
fn programs_read_problems_as_json() {
    let model = changed(SHOP, "total: integer", "total: int");
    let [problem] = problems(&model).try_into().unwrap();
    assert_eq!(
        problem.to_json("models/shop.yaml"),
        json!({
            "code": "HS0020",
            "file": "models/shop.yaml",
            "line": 17,
            "column": 14,
            "length": 3,
            "message": "there is no type `int`",
            "help": "did you mean `integer`?",
        })
    );
}
