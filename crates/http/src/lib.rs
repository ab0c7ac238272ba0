#![doc = include_str!("../README.md")]

pub mod document;
pub mod form;
pub mod guard;
pub mod headers;
pub mod health;
pub mod input;
pub mod json;
pub mod kept;
pub mod limits;
pub mod listen;
pub mod messages;
pub mod metrics;
pub mod problem;
pub mod route;
pub mod telemetry;
pub mod trace;
pub mod upload;

mod body;
mod code;
mod written;

pub use code::HttpCode;
pub use written::{MAX_KEYS, written};
