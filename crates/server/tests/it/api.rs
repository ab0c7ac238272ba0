//! The API of any model.

mod access;
mod batch;
mod bulk;
mod patterns;
mod records;
mod walk;
