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
pub use context::{
    CachePlace, Context, FilesPlace, OpenCache, OpenFiles, OpenTable, Password, Purpose, StoreArguments,
    StoreKind, ValkeyPlace,
};
pub use failure::{Failure, say, unreadable};
