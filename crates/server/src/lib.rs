#![doc = include_str!("../README.md")]

mod identity;

pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via};
