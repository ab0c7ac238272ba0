//! The server, on the embedded store.
#![allow(clippy::unwrap_used, reason = "the helpers of a test may panic as a test may")]

mod access;
