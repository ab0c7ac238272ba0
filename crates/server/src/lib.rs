#![doc = include_str!("../README.md")]

mod action;
mod app;
mod chain;
mod code;
mod console;
mod live;
mod messages;
mod openapi;
mod output;
mod reserved;
mod routes;
pub mod schema;
mod system;

pub use action::{Action, Run};
pub use app::{App, Caller, Calls, Freeze, Settings, Snapshot};
pub use chain::rate;
pub use code::ServerCode;
pub use console::{Console, Document, Hit, People, csv};
pub use reserved::Reserved;
pub use routes::Lent;
pub use system::{Opening, QueueSpec, Records, Service, Stop, System, WorkerProcess};
