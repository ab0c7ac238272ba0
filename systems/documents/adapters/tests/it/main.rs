//! Tests of document processing.

mod extraction;
mod grounds;
mod limits;
mod models;
mod processing;
mod recognition;
mod searching;
