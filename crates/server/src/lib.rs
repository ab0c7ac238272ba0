#![doc = include_str!("../README.md")]

mod body;
pub mod headers;
pub mod health;
mod identity;
pub mod limits;
pub mod listen;
pub mod metrics;
pub mod problem;
pub mod telemetry;
pub mod trace;

pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via};
pub use problem::Problem;
