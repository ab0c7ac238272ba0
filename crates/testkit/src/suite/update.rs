//! Updates: setting, removing, and rules for all changes.

use hansang_core::Store;
use hansang_core::model::Table;
use hansang_core::plan::{Change, Path};
use hansang_core::{Item, Value};

use crate::expect::{contents, failed_on, read, refused, write};
use crate::fields;
use crate::plans::{
    absent, add, append, counts, equal, exists, item, list, map, put, remove, set, set_if_absent, update,
    when,
};
use crate::table::fresh;

/// Stores `before` and updates it. The result and the stored item must be `after`.
pub(super) async fn becomes<const N: usize>(
    store: &dyn Store,
    before: Item,
    changes: [(Path, Change); N],
    after: Item,
) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", before))).await;
    let after = item("p", "s", after);
    assert_eq!(write(store, &table, update("p", "s", changes)).await, Some(after.clone()), "the answer");
    assert_eq!(read(store, &table, "p", "s").await, Some(after), "what is stored");
}

/// Stores `before` and tries an update, which must be refused and change nothing.
pub(super) async fn stays<const N: usize>(
    store: &dyn Store,
    before: Item,
    changes: [(Path, Change); N],
    code: &str,
) {
    let table = fresh(store).await;
    let before = item("p", "s", before);
    write(store, &table, put(before.clone())).await;
    refused(store.write(&table, update("p", "s", changes)).await, code);
    assert_eq!(contents(store, &table).await, [before]);
}

async fn missing_becomes<const N: usize>(
    store: &dyn Store,
    table: &Table,
    changes: [(Path, Change); N],
    after: Item,
) {
    let after = item("p", "s", after);
    assert_eq!(write(store, table, update("p", "s", changes)).await, Some(after.clone()));
    assert_eq!(contents(store, table).await, [after]);
}

/// Setting adds an attribute and leaves the others.
pub async fn sets_a_new_attribute(store: &dyn Store) {
    becomes(store, fields! { a: 1 }, [set("b", "two")], fields! { a: 1, b: "two" }).await;
}

/// Setting replaces a value, also by one of another type.
pub async fn sets_another_type(store: &dyn Store) {
    becomes(store, fields! { a: 1 }, [set("a", counts(&[1, 2]))], fields! { a: counts(&[1, 2]) }).await;
}

/// Several attributes change at once.
pub async fn sets_several_attributes(store: &dyn Store) {
    let changes = [set("a", 2), set("b", false), set("c", Value::Null)];
    becomes(store, fields! { a: 1 }, changes, fields! { a: 2, b: false, c: Value::Null }).await;
}

/// An update of a missing item creates one from the key and the changes.
pub async fn makes_a_missing_item(store: &dyn Store) {
    let table = fresh(store).await;
    let changes = [set("a", 1), add("count", "5"), append("log", ["first".into()])];
    let after = fields! { a: 1, count: 5, log: list(["first".into()]) };
    missing_becomes(store, &table, changes, after).await;
}

/// An update that requires an item does not create one.
pub async fn can_require_an_item(store: &dyn Store) {
    let table = fresh(store).await;
    failed_on(store.write(&table, when(update("p", "s", [set("a", 1)]), exists("PK"))).await, None);
    assert_eq!(contents(store, &table).await, []);
}

/// A failed guard changes nothing and reports the item.
pub async fn does_nothing_when_its_guard_fails(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { version: 3, name: "old" });
    write(store, &table, put(thing.clone())).await;
    let changes = update("p", "s", [set("name", "new"), add("version", "1")]);
    failed_on(store.write(&table, when(changes, equal("version", 2))).await, Some(&thing));
    assert_eq!(contents(store, &table).await, [thing]);
}

/// A guard is evaluated on the item before the update.
pub async fn asks_its_guard_of_the_item_before(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { version: 1 }))).await;
    write(store, &table, when(update("p", "s", [add("version", "1")]), equal("version", 1))).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(item("p", "s", fields! { version: 2 })));
    let again = when(update("p", "s", [set("once", true)]), absent("once"));
    write(store, &table, again).await;
}

/// A member of a map is set, and its siblings stay.
pub async fn sets_inside_a_map(store: &dyn Store) {
    let before = fields! { m: map(fields! { a: 1, b: 2 }) };
    let after = fields! { m: map(fields! { a: 9, b: 2, c: 3 }) };
    becomes(store, before, [set("m.a", 9), set("m.c", 3)], after).await;
}

/// A path goes as deep as the item does.
pub async fn sets_deep_inside(store: &dyn Store) {
    let nested = |value: i64| fields! { a: list([map(fields! { b: list([counts(&[0, value])]) })]) };
    becomes(store, nested(1), [set("a[0].b[0][1]", 2)], nested(2)).await;
}

/// An element of a list is replaced.
pub async fn sets_an_element(store: &dyn Store) {
    becomes(store, fields! { l: counts(&[1, 2, 3]) }, [set("l[1]", 9)], fields! { l: counts(&[1, 9, 3]) })
        .await;
}

/// An element beyond the end is appended without a gap.
pub async fn sets_behind_the_end(store: &dyn Store) {
    becomes(store, fields! { l: counts(&[1]) }, [set("l[7]", 2)], fields! { l: counts(&[1, 2]) }).await;
}

/// Several elements beyond the end are appended in the order of their indexes.
pub async fn sets_several_behind_the_end(store: &dyn Store) {
    let changes = [set("l[9]", 9), set("l[5]", 5)];
    becomes(store, fields! { l: counts(&[1]) }, changes, fields! { l: counts(&[1, 5, 9]) }).await;
}

/// Names that look like paths or reserved words are plain names.
pub async fn sets_attributes_of_any_name(store: &dyn Store) {
    let table = fresh(store).await;
    let names = ["size", "a b", "a.b", "#c", "이름", "x[0]"];
    let changes = names.map(|name| (Path { root: name.into(), inside: Vec::new() }, Change::Set(1.into())));
    write(store, &table, update("p", "s", changes)).await;
    let mut expected = item("p", "s", fields! {});
    expected.extend(names.map(|name| (name.into(), 1.into())));
    assert_eq!(read(store, &table, "p", "s").await, Some(expected));
}

/// An existing value stays, and a missing one is set.
pub async fn sets_if_absent(store: &dyn Store) {
    let changes = [set_if_absent("a", 9), set_if_absent("b", 2)];
    becomes(store, fields! { a: 1 }, changes, fields! { a: 1, b: 2 }).await;
}

/// A stored null exists.
pub async fn sets_not_if_null(store: &dyn Store) {
    becomes(store, fields! { a: Value::Null }, [set_if_absent("a", 9)], fields! { a: Value::Null }).await;
}

/// The value may be inside a map.
pub async fn sets_if_absent_inside_a_map(store: &dyn Store) {
    let before = fields! { m: map(fields! { a: 1 }) };
    let after = fields! { m: map(fields! { a: 1, b: 2 }) };
    becomes(store, before, [set_if_absent("m.a", 9), set_if_absent("m.b", 2)], after).await;
}

/// On a missing item every value is absent.
pub async fn sets_if_absent_on_a_missing_item(store: &dyn Store) {
    let table = fresh(store).await;
    missing_becomes(store, &table, [set_if_absent("created", 1)], fields! { created: 1 }).await;
}

/// An attribute is removed.
pub async fn removes_an_attribute(store: &dyn Store) {
    becomes(store, fields! { a: 1, b: 2 }, [remove("a")], fields! { b: 2 }).await;
}

/// Removing a missing value changes nothing.
pub async fn removes_nothing(store: &dyn Store) {
    becomes(store, fields! { a: 1 }, [remove("b")], fields! { a: 1 }).await;
}

/// The key remains when everything else is removed.
pub async fn removes_all_but_the_key(store: &dyn Store) {
    becomes(store, fields! { a: 1, b: 2 }, [remove("a"), remove("b")], fields! {}).await;
}

/// A member of a map is removed; the map stays, also if empty.
pub async fn removes_inside_a_map(store: &dyn Store) {
    let before = fields! { m: map(fields! { a: 1 }), n: map(fields! { a: 1, b: 2 }) };
    let after = fields! { m: map(fields! {}), n: map(fields! { b: 2 }) };
    becomes(store, before, [remove("m.a"), remove("n.a"), remove("n.missing")], after).await;
}

/// Elements after a removed one move up.
pub async fn removes_an_element(store: &dyn Store) {
    becomes(store, fields! { l: counts(&[1, 2, 3]) }, [remove("l[0]")], fields! { l: counts(&[2, 3]) }).await;
}

/// Several elements are removed by their indexes before the update.
pub async fn removes_elements_by_their_old_numbers(store: &dyn Store) {
    let changes = [remove("l[0]"), remove("l[2]"), remove("l[3]")];
    becomes(store, fields! { l: counts(&[0, 1, 2, 3, 4]) }, changes, fields! { l: counts(&[1, 4]) }).await;
}

/// Removing an element beyond the end changes nothing.
pub async fn removes_no_element_behind_the_end(store: &dyn Store) {
    becomes(store, fields! { l: counts(&[1]) }, [remove("l[1]")], fields! { l: counts(&[1]) }).await;
}

/// Setting and removing elements use the indexes before the update.
pub async fn sets_and_removes_elements_at_once(store: &dyn Store) {
    let changes = [remove("l[0]"), set("l[2]", 9)];
    becomes(store, fields! { l: counts(&[0, 1, 2]) }, changes, fields! { l: counts(&[1, 9]) }).await;
}

/// An element that did not exist is not removed, even if another one takes its index.
pub async fn removes_no_element_that_comes_at_once(store: &dyn Store) {
    let changes = [set("l[1]", 9), remove("l[0]")];
    becomes(store, fields! { l: counts(&[]) }, changes, fields! { l: counts(&[9]) }).await;
}

/// An update can set, remove and add.
pub async fn mixes_changes(store: &dyn Store) {
    let before = fields! { a: 1, b: 2, count: 3 };
    let changes = [remove("a"), set("b", "x"), add("count", "4"), set_if_absent("d", 5)];
    becomes(store, before, changes, fields! { b: "x", count: 7, d: 5 }).await;
}

/// A path into a missing value, or one that is no map or list, is refused.
pub async fn refuses_an_invalid_path(store: &dyn Store) {
    stays(store, fields! { a: 1 }, [set("m.a", 1)], "no_such_path").await;
    stays(store, fields! { a: 1 }, [set("a.b", 1)], "no_such_path").await;
    stays(store, fields! { a: "text" }, [set("a[0]", 1)], "no_such_path").await;
    stays(store, fields! { m: map(fields! {}) }, [set("m[0]", 1)], "no_such_path").await;
    stays(store, fields! { l: counts(&[1]) }, [set("l.a", 1)], "no_such_path").await;
    stays(store, fields! { l: counts(&[1]) }, [set("l[3].a", 1)], "no_such_path").await;
}

/// Removing along an invalid path is refused.
pub async fn refuses_to_remove_at_an_invalid_path(store: &dyn Store) {
    stays(store, fields! { a: 1 }, [remove("m.a")], "no_such_path").await;
    stays(store, fields! { a: 1 }, [remove("a.b")], "no_such_path").await;
}

/// One invalid path refuses the whole update.
pub async fn refuses_all_changes_for_one_wrong_path(store: &dyn Store) {
    stays(store, fields! { a: 1 }, [set("a", 2), set("m.a", 1), set("z", 1)], "no_such_path").await;
}

/// A nested path on a missing item is refused and creates no item.
pub async fn refuses_a_nested_path_on_a_missing_item(store: &dyn Store) {
    let table = fresh(store).await;
    refused(store.write(&table, update("p", "s", [set("m.a", 1)])).await, "no_such_path");
    assert_eq!(contents(store, &table).await, []);
}

/// A failed guard is reported before an invalid path.
pub async fn asks_its_guard_before_it_follows_paths(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { a: 1 });
    write(store, &table, put(thing.clone())).await;
    failed_on(
        store.write(&table, when(update("p", "s", [set("m.a", 1)]), equal("a", 2))).await,
        Some(&thing),
    );
}
