#![doc = include_str!("../README.md")]

pub mod messages;

mod eml;
mod http;
mod letter;
mod pictures;
mod smtp;
mod upload;

pub use eml::EmlMailer;
pub use http::{HttpCaller, is_public};
pub use smtp::{Security, Smtp, SmtpSettings};
pub use upload::{UploadLimits, upload};
