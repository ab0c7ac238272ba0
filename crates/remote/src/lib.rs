#![doc = include_str!("../README.md")]

mod failure;
mod lender;
mod queue;
mod store;

pub use lender::Lender;
pub use queue::RemoteQueue;
pub use store::RemoteStore;
