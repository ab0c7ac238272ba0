#![doc = include_str!("../README.md")]

pub mod apply;
pub mod cache;
pub mod code;
pub mod compile;
pub mod cost;
pub mod cursor;
pub mod db;
pub mod describe;
pub mod diagnostic;
pub mod diff;
pub mod docs;
pub mod error;
pub mod evaluate;
pub mod expiry;
pub mod export;
pub mod expression;
pub mod files;
pub mod identify;
pub mod kind;
pub mod language;
pub mod message;
pub mod messages;
pub mod model;
pub mod number;
pub mod plan;
pub mod queue;
pub mod read;
pub mod request;
pub mod sample;
pub mod store;
pub mod template;
pub mod unique;
pub mod validate;
pub mod value;
pub mod wire;
pub mod words;
pub mod write;

mod names;
mod yaml;

pub use apply::apply;
pub use code::{Code, CoreCode};
pub use compile::{compile, nearest};
pub use db::{Db, Record};
pub use diagnostic::Diagnostic;
pub use error::{Error, ErrorKind, RetryAfter};
pub use message::{Language, Message};
pub use model::{Attribute, Entity, Model, Pattern, Table};
pub use queue::{Queue, QueueError};
pub use store::{Page, Store, StoreError};
pub use value::{Item, Name, Text, Value};
pub use words::Words;

/// A name that is written in the program.
pub use arcstr::literal as name;

#[doc(hidden)]
pub use serde;
