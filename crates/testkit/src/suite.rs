//! The conformance suite of stores: behaviours by topic, and their list.

use crate::run::Behaviour;

pub mod batch;
pub mod collections;
pub mod combinations;
pub mod concurrency;
pub mod conditions;
pub mod delete;
pub mod ensure;
pub mod get;
pub mod history;
pub mod index;
pub mod limits;
pub mod numbers;
pub mod pages;
pub mod parts;
pub mod put;
pub mod query;
pub mod refusals;
pub mod scan;
pub mod tables;
pub mod transact;
pub mod update;
pub mod values;

/// Passes the list of all behaviours to a macro of this crate.
#[doc(hidden)]
#[macro_export]
macro_rules! behaviours {
    ($callback:ident { $($context:tt)* }) => {
        $crate::$callback! {
            { $($context)* }
            put {
                stores_an_item
                replaces_the_whole_item
                returns_nothing
                keeps_sort_keys_apart
                keeps_partitions_apart
                keeps_the_parts_of_a_key_apart
                keeps_tables_apart
                creates_once
                replaces_only_an_existing_item
                asks_its_guard_of_the_stored_item
                needs_all_of_its_guards
                stores_a_key_alone
                takes_attributes_of_any_name
            }
            get {
                gives_nothing_for_a_missing_item
                sees_the_last_write
                reads_without_strong_consistency
                gives_only_the_fields_asked_for
                gives_keys_as_fields
                tells_an_item_without_the_fields_from_a_missing_one
                gives_fields_whole
                takes_a_field_as_a_name
                tells_cases_apart
                tells_composed_from_decomposed
            }
            delete {
                removes_the_item
                returns_the_removed_item
                of_nothing_is_nothing
                happens_when_its_guard_holds
                does_nothing_when_its_guard_fails
                can_require_an_item
                leaves_nothing_for_the_next
            }
            update {
                sets_a_new_attribute
                sets_another_type
                sets_several_attributes
                makes_a_missing_item
                can_require_an_item
                does_nothing_when_its_guard_fails
                asks_its_guard_of_the_item_before
                sets_inside_a_map
                sets_deep_inside
                sets_an_element
                sets_behind_the_end
                sets_several_behind_the_end
                sets_attributes_of_any_name
                sets_if_absent
                sets_not_if_null
                sets_if_absent_inside_a_map
                sets_if_absent_on_a_missing_item
                removes_an_attribute
                removes_nothing
                removes_all_but_the_key
                removes_inside_a_map
                removes_an_element
                removes_elements_by_their_old_numbers
                removes_no_element_behind_the_end
                sets_and_removes_elements_at_once
                removes_no_element_that_comes_at_once
                mixes_changes
                refuses_an_invalid_path
                refuses_to_remove_at_an_invalid_path
                refuses_all_changes_for_one_wrong_path
                refuses_a_nested_path_on_a_missing_item
                asks_its_guard_before_it_follows_paths
            }
            collections {
                adds_to_a_number
                adds_a_negative_number
                adds_to_nothing
                adds_fractions_exactly
                adds_all_digits
                adds_inside_a_map
                refuses_to_add_to_another_type
                refuses_a_sum_out_of_range
                appends_to_a_list
                appends_to_nothing
                appends_any_type
                appends_inside_a_map
                refuses_to_append_to_another_type
                adds_texts_to_a_set
                adds_numbers_to_a_set
                adds_bytes_to_a_set
                adds_members_to_nothing
                deletes_texts_from_a_set
                deletes_numbers_from_a_set
                deletes_bytes_from_a_set
                removes_a_set_with_its_last_member
                deletes_members_from_nothing
                refuses_to_delete_members_at_an_invalid_path
                refuses_members_of_another_type
                builds_on_the_item_before
            }
            conditions {
                exists_holds_for_every_value
                exists_fails_for_a_missing_value
                exists_follows_paths
                absent_is_the_opposite_of_exists
                equal_compares_every_type
                equal_tells_types_apart
                equal_looks_inside
                equal_fails_for_a_missing_value
                not_equal_holds_across_types
                not_equal_holds_for_a_missing_value
                order_of_numbers
                order_of_texts
                order_of_unicode_texts
                order_of_bytes
                order_never_holds_across_types
                order_never_holds_for_a_missing_value
                between_includes_its_ends
                between_fails_for_other_types
                in_needs_an_equal_choice
                in_takes_a_hundred_choices
            }
            parts {
                empty_text_exists
                begins_with_compares_texts
                begins_with_compares_bytes
                begins_with_fails_for_other_types
                contains_finds_a_part_of_a_text
                contains_finds_a_part_of_bytes
                contains_finds_a_member_of_a_set
                contains_finds_an_element_of_a_list
                contains_fails_for_other_types
                size_counts
                size_of_text_counts_utf16_units
                size_can_be_in_a_range
                size_of_a_missing_value_never_holds
            }
            combinations {
                attributes_compare_with_each_other
                a_value_may_stand_on_the_left
                and_or_combine
                not_turns_around
                nesting_is_kept
                combinations_of_one_are_that_one
                guards_hold_together
                of_a_missing_item_are_answered
                that_fail_report_the_whole_item
            }
            query {
                gives_a_partition_in_order
                gives_a_partition_backward
                gives_nothing_for_an_empty_partition
                keeps_partitions_apart
                orders_by_bytes
                orders_prefixes_first
                by_equal
                by_equal_of_nothing
                by_prefix
                by_a_prefix_that_is_a_key
                by_a_prefix_of_nothing
                by_a_prefix_of_last_characters
                by_range
                by_a_range_between_keys
                by_a_range_of_one
                by_at_least
                by_at_most
                keeps_the_limit
                pages_lose_and_repeat_nothing
                has_a_next_page_when_the_limit_was_reached
                has_no_next_page_when_all_was_read
                starts_behind_a_key_that_is_gone
                pages_stay_in_their_range
                filters_after_the_limit
                may_give_an_empty_page
                filters_by_missing_attributes
                gives_only_the_fields_asked_for
                filters_by_a_field_that_is_not_given
                reads_without_strong_consistency
                takes_keys_of_any_character
            }
            pages {
                of_a_query_end_at_a_megabyte
                backward_end_at_a_megabyte
                of_an_index_end_at_a_megabyte
                count_read_items
                of_a_scan_end_at_a_megabyte
                end_at_their_limit_first
            }
            index {
                finds_an_item
                leaves_out_items_without_a_key
                follows_a_key_that_is_set
                follows_a_key_that_is_removed
                follows_a_changed_partition
                follows_a_changed_sort_key
                follows_a_number_that_grows
                follows_other_attributes
                follows_a_put
                follows_a_deletion
                keeps_indexes_apart
                keeps_items_of_one_key_apart
                orders_texts
                by_equal_text
                by_prefix
                by_range_of_texts
                by_bounds_of_texts
                orders_numbers
                by_equal_number
                by_range_of_numbers
                by_bounds_of_numbers
                pages_start_behind_all_keys
                pages_continue_after_an_item_that_left
                filters_and_gives_fields
                of_keys_has_only_keys
                that_includes_has_its_attributes
                filters_by_projected_attributes
                gives_projected_fields
                may_have_no_sort_key
                may_have_a_numeric_partition
                may_share_a_key_with_the_table
                may_share_a_key_with_another_index
                stays_when_a_write_fails
            }
            scan {
                gives_every_item
                of_an_empty_table_is_empty
                pages_lose_and_repeat_nothing
                has_a_next_page_when_the_limit_was_reached
                goes_on_behind_a_key
                of_an_index_gives_its_items
                gives_nothing_deleted
                reads_without_strong_consistency
                goes_on_behind_a_deleted_item
            }
            transact {
                does_all_its_writes
                does_nothing_when_one_guard_fails
                tells_every_guard_that_fails
                is_undone_by_a_check
                checks_that_an_item_is_missing
                may_only_check
                may_be_one_write
                spans_partitions
                takes_missing_items
                keeps_indexes
                leaves_indexes_when_it_fails
                takes_twenty_five_writes
                takes_a_hundred_writes
                is_undone_by_the_last_of_many
                refuses_more_than_a_hundred_writes
                refuses_two_writes_of_one_item
                refuses_an_invalid_path
                refuses_a_change_of_the_wrong_type
                refuses_a_wrong_item
                asks_guards_of_the_items_before
                may_be_repeated
                is_seen_by_the_next_write
            }
            tables {
                do_all_their_writes
                are_undone_by_a_guard_of_another_table
                tell_which_write_failed
                take_the_same_key_in_both
                refuse_two_writes_of_one_item
                count_writes_together
                count_bytes_together
                refuse_a_wrong_item_of_one
                refuse_an_unknown_one
                keep_their_indexes
            }
            batch {
                gives_items_in_the_order_of_the_keys
                leaves_the_position_of_a_missing_item_empty
                of_no_keys_is_empty
                takes_more_than_a_hundred_keys
                answers_a_repeated_key_twice
                gives_only_the_fields_asked_for
                tells_an_item_without_the_fields_from_a_missing_one
                reads_without_strong_consistency
                reads_more_than_a_response_holds
                refuses_an_empty_key
                puts_more_than_twenty_five_items
                puts_replace_stored_items
                puts_again_without_a_change
                puts_into_indexes
                puts_the_last_of_one_key
                puts_nothing
                refuses_to_put_a_wrong_item
                spans_partitions
            }
            numbers {
                keep_whole_numbers
                keep_thirty_eight_digits
                keep_the_largest
                keep_the_smallest
                keep_fractions
                are_equal_in_every_spelling
                have_one_zero
                differ_in_the_last_digit
                stand_once_in_a_set
                add_up_exactly
                add_up_to_round_numbers
                refuse_a_sum_of_more_digits
            }
            values {
                texts_come_back
                empty_text_comes_back
                bytes_come_back
                empty_bytes_come_back
                truths_and_null_come_back
                empty_lists_and_maps_come_back
                lists_come_back
                maps_come_back
                sets_come_back
                sets_with_an_empty_member_come_back
                types_are_kept
                deep_values_come_back
                deeper_values_are_refused
                many_attributes_come_back
            }
            limits {
                item_of_400_kb_is_stored
                item_of_a_byte_more_is_refused
                item_size_counts_names_and_bytes
                item_grows_to_400_kb
                item_grows_no_further
                long_keys_are_stored
                long_keys_are_measured_in_bytes
                longer_keys_are_refused
                long_index_keys_are_stored
                longer_index_keys_are_refused
            }
            refusals {
                of_a_missing_key
                of_a_key_of_the_wrong_type
                of_an_empty_key
                of_two_keys
                of_an_empty_key_to_read
                of_an_index_key_of_the_wrong_type
                of_an_index_key_updated_to_the_wrong_type
                of_an_empty_index_key
                of_an_index_key_updated_to_empty
                of_an_empty_set
                of_an_empty_set_in_an_update
                of_members_that_are_no_set
                of_a_changed_key
                of_an_update_of_nothing
                of_a_path_changed_twice
                of_overlapping_paths
                of_a_backward_range
                of_a_range_of_two_types
                of_too_few_or_many_choices
                of_empty_combinations
                of_an_order_of_unordered_values
                of_a_prefix_that_is_a_number
                of_a_condition_on_an_empty_set
                of_a_filter_on_a_key
                of_an_unknown_index
                of_a_strong_read_on_an_index
                of_a_limit_of_zero
                of_a_query_by_another_attribute
                of_a_sort_condition_without_a_sort_key
                of_a_query_value_of_the_wrong_type
                of_an_empty_query_value
                of_a_backward_range_of_keys
                of_a_filter_that_cannot_be_asked
                of_a_start_that_is_no_key
                of_an_unknown_table
            }
            ensure {
                makes_an_empty_table
                keeps_a_table_that_is_there
                makes_a_table_without_indexes
                fills_an_index_that_is_added
                keeps_an_index_that_is_added
                leaves_out_items_that_do_not_fit_an_added_index
                switches_expiry_on
                refuses_a_table_with_other_keys
                refuses_an_index_with_other_keys
                refuses_an_index_with_another_projection
            }
            history {
                tells_the_changes_of_one_item
                keeps_its_limit
                of_nothing_is_empty
                is_not_kept_without_streams
            }
            concurrency {
                stock_is_never_oversold
                answers_are_of_one_moment
                one_creates
                one_replaces_a_version
                transfers_keep_the_sum
                items_are_never_half_written
                different_items_all_arrive
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! named_behaviours {
    ({} $($area:ident { $($name:ident)* })*) => {
        &[$($((concat!(stringify!($area), "::", stringify!($name)), |store| Box::pin($area::$name(store)))),*),*]
    };
}

/// All behaviours, named by topic and function.
pub const BEHAVIOURS: &[(&str, Behaviour)] = behaviours!(named_behaviours {});
