//! The tests of documents.
