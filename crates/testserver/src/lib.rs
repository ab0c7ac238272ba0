//! A server in a test.
