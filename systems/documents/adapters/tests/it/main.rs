//! Tests of document processing.

mod extraction;
mod grounds;
mod limits;
