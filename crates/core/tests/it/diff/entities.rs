//! Entities, their keys and unique constraints.

use expect_test::expect;

use super::{SHOP, check, shop};

#[test]
fn a_new_entity_needs_nothing() {
    let new = shop(&[(
        "patterns:\n",
        "  Note:\n    key: { PK: \"NOTE#{id}\", SK: META }\n    attributes: { id: ulid }\npatterns:\n  note: { entity: Note, given: [id] }\n",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Note: The entity is new.
            Nothing to do.
        pattern note: The pattern is new.
            Nothing to do.
    "#]],
    );
}

#[test]
fn another_key_template_moves_the_items() {
    let new = shop(&[("ORDER#{placedAt}", "O#{placedAt}")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.SK: The template is now `O#{placedAt}#{number:06}`; it was `ORDER#{placedAt}#{number:06}`.
            Rebuild Order: An item cannot change its key: each has to be written under the new one, and the old one deleted.
    "#]],
    );
}

#[test]
fn an_entity_that_is_gone_leaves_its_items() {
    let new = shop(&[
        ("  Customer:\n    key", "  Client:\n    key"),
        ("SK: META }", "SK: CLIENT }"),
        ("entity: Customer", "entity: Client"),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer: The operations of the entity are gone.
            Breaking: Callers of its operations are refused.
        pattern customer: It returns `Client`; it was `Customer`.
            Breaking: Callers get other items.
        pattern customerByEmail: It returns `Client`; it was `Customer`.
            Breaking: Callers get other items.
        Customer: The entity is gone.
            Check Customer: Its stored items belong to no entity of the new model: export and delete them, or keep it.
        Client: The entity is new.
            Nothing to do.
    "#]],
    );
}

#[test]
fn an_entity_with_the_same_keys_was_renamed() {
    let new = shop(&[("Customer:", "Client:"), ("entity: Customer", "entity: Client")]);
    check(
        SHOP,
        &new,
        expect![[r#"
            Client: The entity was called Customer: it has the same keys.
                Breaking: Callers use the old name.
            Client unique email: The pointers are now those of Client; they were of Customer.
                Backfill Client: Pointers have to be written anew and the old ones deleted.
            Client.Type: It is now `Client`; it was `Customer`.
                Backfill Client: Stored items still say `Customer`.
        "#]],
    );
}

#[test]
fn a_new_unique_constraint_needs_pointers() {
    let new = shop(&[(
        "      email: [email]\n",
        "      email: [email]\n      name: { fields: [name], within: [code] }\n",
    )]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer unique name: `name` within `code` must now be unique.
            Backfill Customer: Pointers have to be written for stored items, which finds those that share a value.
    "#]],
    );
}

#[test]
fn a_unique_constraint_of_other_attributes_needs_other_pointers() {
    let new = shop(&[("      email: [email]\n", "      email: [email, name]\n")]);
    check(
        SHOP,
        &new,
        expect![[r#"
            pattern customerByEmail: It must now be given `name`.
                Breaking: Callers that leave it out are refused.
            Customer unique email: What must be unique is now `email` and `name`; it was `email`.
                Backfill Customer: Pointers have to be written anew and the old ones deleted; this finds shared values.
        "#]],
    );
}

#[test]
fn a_unique_constraint_that_is_gone_leaves_its_pointers() {
    let new = shop(&[
        ("    unique:\n      email: [email]\n", ""),
        ("  customerByEmail: { entity: Customer, unique: email }\n", ""),
    ]);
    check(
        SHOP,
        &new,
        expect![[r#"
        pattern customerByEmail: The pattern is gone.
            Breaking: Callers of it are refused.
        Customer unique email: `email` need not be unique any more.
            Backfill Customer: The pointers have to be deleted: no entity of the model has them.
    "#]],
    );
}

#[test]
fn another_padding_in_a_key_moves_the_items() {
    let new = shop(&[("#{number:06}\" }\n    index", "#{number:09}\" }\n    index")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Order.SK: The template is now `ORDER#{placedAt}#{number:09}`; it was `ORDER#{placedAt}#{number:06}`.
            Rebuild Order: An item cannot change its key: each has to be written under the new one, and the old one deleted.
    "#]],
    );
}

/// Pointers name the key of their owner, so they do not outlive it.
#[test]
fn another_key_of_an_entity_with_pointers() {
    let new = shop(&[("SK: META", "SK: METADATA")]);
    check(
        SHOP,
        &new,
        expect![[r#"
        Customer.SK: The template is now `METADATA`; it was `META`.
            Rebuild Customer: An item cannot change its key: each has to be written under the new one, and the old one deleted. So have the pointers that keep its values unique, for they name its key.
    "#]],
    );
}
