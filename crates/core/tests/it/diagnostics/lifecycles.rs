//! Mistakes in lifecycles.

use expect_test::expect;

use super::{SHOP, change, changed, check};

#[test]
fn a_state_that_no_item_can_reach() {
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: { open: [paid], lost: [found], found: [lost] } }",
        expect![[r#"
            error[HS0024]: items never reach `lost` and `found`
               --> model.yaml:15:44
                |
             15 |       status: { lifecycle: { open: [paid], lost: [found], found: [lost] } }
                |                                            ^^^^
                = help: add a transition from another state, or an `initial` state: items start as `open`

        "#]],
    );
}

#[test]
fn a_state_that_is_almost_another() {
    let lifecycle = "{ lifecycle: { open: [paid], paid: [sent], sent: [piad] } }";
    change(
        "{ enum: [open, paid] }",
        lifecycle,
        expect![[r#"
        error[HS0024]: `piad` looks like a slip of `paid`
           --> model.yaml:15:65
            |
         15 |       status: { lifecycle: { open: [paid], paid: [sent], sent: [piad] } }
            |                                                                 ^^^^
            = help: write `paid`, or list it too if it is meant: `piad: []`

    "#]],
    );
    let lifecycle = "{ lifecycle: { open: [paid], piad: [sent] } }";
    change(
        "{ enum: [open, paid] }",
        lifecycle,
        expect![[r#"
            error[HS0024]: items never reach `piad` and `sent`
               --> model.yaml:15:44
                |
             15 |       status: { lifecycle: { open: [paid], piad: [sent] } }
                |                                            ^^^^
                = help: did you mean `paid` instead of `piad`?

        "#]],
    );
    // Numbered and short states are similar on purpose, and so is a listed one.
    let lifecycle =
        "{ lifecycle: { step1: [step2], step2: [step3, new], now: [step1] }, initial: [now, step1] }";
    change("{ enum: [open, paid] }", lifecycle, expect![[""]]);
    let lifecycle = "{ lifecycle: { open: [paid, piad], paid: [], piad: [] } }";
    change("{ enum: [open, paid] }", lifecycle, expect![[""]]);
}

#[test]
fn an_initial_state_that_does_not_exist() {
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: { open: [paid] }, initial: [opne] }",
        expect![[r#"
        error[HS0024]: there is no state `opne`
           --> model.yaml:15:56
            |
         15 |       status: { lifecycle: { open: [paid] }, initial: [opne] }
            |                                                        ^^^^
            = help: did you mean `open`?

    "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: { open: [paid] }, initial: [] }",
        expect![[r#"
        error[HS0024]: no item could ever be created
           --> model.yaml:15:55
            |
         15 |       status: { lifecycle: { open: [paid] }, initial: [] }
            |                                                       ^^
            = help: name a state, or leave `initial` out: then it is the first of the lifecycle

    "#]],
    );
}

#[test]
fn moves_that_are_not_lists() {
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: { open: paid, paid: } }",
        expect![[r#"
            error[HS0010]: this must be a list, not `paid`
               --> model.yaml:15:36
                |
             15 |       status: { lifecycle: { open: paid, paid: } }
                |                                    ^^^^
                = help: write `[paid]`

            error[HS0010]: this must be a list, not nothing
               --> model.yaml:15:42
                |
             15 |       status: { lifecycle: { open: paid, paid: } }
                |                                          ^^^^
                = help: write `[one, two]`, or `[]` for none

        "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: [open, paid] }",
        expect![[r#"
            error[HS0010]: a lifecycle is a map from each state to those that can follow it
               --> model.yaml:15:28
                |
             15 |       status: { lifecycle: [open, paid] }
                |                            ^^^^^^^^^^^^
                = help: write `{ lifecycle: { NEW: [DONE] } }`: each state with those that can follow it

        "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: {} }",
        expect![[r#"
        error[HS0024]: a lifecycle has at least one state
           --> model.yaml:15:28
            |
         15 |       status: { lifecycle: {} }
            |                            ^^
            = help: write `{ lifecycle: { NEW: [DONE] } }`: each state with those that can follow it

    "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: { open: [paid, paid] } }",
        expect![[r#"
            error[HS0007]: `paid` is repeated in this list
               --> model.yaml:15:43
                |
             15 |       status: { lifecycle: { open: [paid, paid] } }
                |                                           ^^^^
                = help: keep one of the two

        "#]],
    );
}

#[test]
fn a_lifecycle_that_cannot_move() {
    let lifecycle = "{ lifecycle: { open: [paid] }, immutable: true }";
    change(
        "{ enum: [open, paid] }",
        lifecycle,
        expect![[r#"
            error[HS0024]: an `immutable` attribute never changes, and a lifecycle is made of changes
               --> model.yaml:15:46
                |
             15 |       status: { lifecycle: { open: [paid] }, immutable: true }
                |                                              ^^^^^^^^^
                = help: remove `immutable`, or write an `enum`

        "#]],
    );
}

#[test]
fn a_default_that_is_not_initial() {
    change(
        "{ enum: [open, paid] }",
        "{ lifecycle: { open: [paid] }, default: paid }",
        expect![[r#"
            error[HS0022]: the default of `status` must be an initial state: `open`
               --> model.yaml:15:55
                |
             15 |       status: { lifecycle: { open: [paid] }, default: paid }
                |                                                       ^^^^
                = help: write a default that the rules accept

        "#]],
    );
}

#[test]
fn a_lifecycle_in_the_key_of_the_table() {
    let model = changed(SHOP, "{ enum: [open, paid] }", "{ lifecycle: { open: [paid] } }");
    check(
        &changed(&model, "ORDER#{orderId}", "{status}#{orderId}"),
        expect![[r#"
            error[HS0045]: `status` changes with its lifecycle, and the key of an item never changes
              --> model.yaml:9:46
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "{status}#{orderId}" }
               |                                              ^^^^^^^^
               = help: put it into the key of an index, which follows it

        "#]],
    );
}
