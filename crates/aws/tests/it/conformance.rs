//! The conformance suite of stores, on both endpoints.

use std::sync::Arc;

use hansang_core::Store;

use crate::endpoints;

mod dynoxide {
    use super::*;

    async fn connect() -> Arc<dyn Store> {
        Arc::new(endpoints::dynoxide().await)
    }

    hansang_testkit::conformance!(connect().await, except [
        ensure::leaves_out_items_that_do_not_fit_an_added_index:
            "A new index of dynoxide takes items whose key has the wrong type.",
        limits::item_grows_to_400_kb:
            "In an update dynoxide counts a few bytes more than the item has.",
    ]);
}

mod dynamodb_local {
    use super::*;

    async fn connect() -> Arc<dyn Store> {
        Arc::new(endpoints::dynamodb_local().await)
    }

    hansang_testkit::conformance!(connect().await, except [
        parts::empty_text_exists: "This version is older than empty values, which came in 2020.",
        values::empty_text_comes_back: "This version is older than empty values, which came in 2020.",
        values::empty_bytes_come_back: "This version is older than empty values, which came in 2020.",
        values::sets_with_an_empty_member_come_back:
            "This version is older than empty values, which came in 2020.",
        conditions::in_takes_a_hundred_choices:
            "This version counts the attribute itself among the hundred choices.",
        ensure::leaves_out_items_that_do_not_fit_an_added_index:
            "A new index of this version takes items whose key has the wrong type.",
        refusals::of_an_index_key_updated_to_the_wrong_type:
            "This version does not look at the type when a number is added to an absent key of an index.",
        transact::takes_twenty_five_writes: "A transaction of this version has at most ten writes.",
        transact::takes_a_hundred_writes: "A transaction of this version has at most ten writes.",
    ]);
}
