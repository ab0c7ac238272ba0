#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "this is part of tests, which may stop at the first surprise"
)]

mod response;
pub mod running;
mod server;
mod stores;
mod switch;
mod typed;
mod visitor;

pub use response::{Response, ok, refusal};
pub use server::{SHOP, Server, fits, open_cache, open_files, settings};
pub use stores::{On, open};
pub use switch::Switch;
pub use visitor::{Visitor, has, in_order, lacks};
