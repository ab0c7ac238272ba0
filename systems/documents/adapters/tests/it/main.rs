//! Tests of document processing, with real child processes, the real tesseract and real connections.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod extraction;
mod grounds;
mod limits;
mod models;
mod processing;
mod recognition;
mod searching;
