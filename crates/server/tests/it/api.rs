//! The API of any model.

mod access;
mod audit;
mod batch;
mod bulk;
mod dirty;
mod patterns;
mod records;
mod walk;
