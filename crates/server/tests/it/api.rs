//! The API of any model.

mod batch;
mod bulk;
mod patterns;
mod records;
mod walk;
