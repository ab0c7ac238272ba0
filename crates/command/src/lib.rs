#![doc = include_str!("../README.md")]

mod config;
mod connection;
mod context;
pub mod export;
mod failure;
pub mod lines;
pub mod progress;

pub use config::{Config, Given, Setting};
pub use connection::{Connection, Does, Refusal, Response, ServerArguments, Unanswered};
pub use context::{Context, FilesPlace, OpenFiles, OpenTable, Purpose, StoreArguments, StoreKind};
pub use failure::{Failure, say, unreadable};
