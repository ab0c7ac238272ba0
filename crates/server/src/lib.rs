#![doc = include_str!("../README.md")]

// A server is put together from the inside to the outside, each step a function that takes a router
// and gives one back:
//
//   1. the routes, then `problem::for_unknown`, which covers only routes that are there by then;
//   2. `limits::body_up_to`, `limits::within`, `limits::at_most`, `limits::by_address`: the last one
//      is asked first, and it is the cheapest. Routes that stream stay without `within`;
//   3. `health::with_health` and `metrics::with_metrics`, which no limit may turn away;
//   4. `trace::traced`: whatever refuses stands inside, and so has the trace id; panics end here;
//   5. `metrics::measured`, which sees every answer, also to panics;
//   6. `headers::secured`, for all of it;
//   7. `listen::serve`.

mod body;
pub mod headers;
pub mod health;
mod identity;
pub mod limits;
pub mod listen;
pub mod metrics;
pub mod problem;
pub mod telemetry;
pub mod trace;

pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via};
pub use problem::Problem;
