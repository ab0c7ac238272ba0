//! The server, on the embedded store.
