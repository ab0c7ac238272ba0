//! No text is a cursor but those that were made with the key.
#![no_main]

use hansang_core::Item;
use hansang_core::cursor::{CursorKey, Question, decode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let arguments = Item::new();
    let question = Question { model: "content", pattern: "banners", index: "Type_CreatedAt", arguments: &arguments, descending: true };
    assert!(decode(&CursorKey::new(b"a secret of this target alone"), &question, text).is_err());
});
