#![doc = include_str!("../README.md")]

mod config;
mod connection;
mod context;
mod failure;
pub mod progress;

pub use config::{Config, Given, Setting};
pub use connection::{Connection, Does, Refusal, Response, ServerArguments, Unanswered};
pub use context::{Context, OpenTable, Purpose, StoreArguments, StoreKind};
pub use failure::{Failure, say, unreadable};
