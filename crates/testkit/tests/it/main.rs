//! Tests of the suite itself, and of the store that fails on purpose.

mod listed;
