#![doc = include_str!("../README.md")]

mod batch;
mod connect;
mod error;
mod messages;
mod ours;
mod read;
mod retry;
mod s3;
mod sqs;
mod store;
mod table;
mod transact;
mod value;
mod write;

pub use connect::{AccessKey, DynamoDb, Settings};
pub use s3::S3;
pub use sqs::Sqs;
pub use table::{Description, IndexDescription};
