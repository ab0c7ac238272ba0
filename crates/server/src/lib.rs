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
mod guard;
mod handbook;
mod identity;
mod input;
mod openapi;
mod output;
mod page;
mod route;
mod routes;
mod schema;

pub use app::{App, Settings};
pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via};
pub use problem::Problem;
