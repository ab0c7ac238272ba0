//! The API of any model.

mod access;
mod batch;
mod bulk;
mod dirty;
mod patterns;
mod records;
mod walk;
