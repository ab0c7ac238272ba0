#![doc = include_str!("../README.md")]

pub mod access;
pub mod headers;
pub mod health;
pub mod limits;
pub mod listen;
pub mod metrics;
pub mod problem;
pub mod telemetry;
pub mod trace;

mod app;
mod body;
mod console;
mod escape;
mod guard;
mod identity;
mod input;
mod korean;
mod live;
mod openapi;
mod output;
mod route;
mod routes;
mod schema;
mod svg;
mod system;

pub use app::{App, Settings};
pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via};
pub use problem::Problem;
pub use routes::Lent;
pub use system::{EntryDoor, System, Verbs};
