#![doc = include_str!("../README.md")]

pub mod compile;
pub mod diagnostic;
pub mod identify;
pub mod kind;
pub mod model;
pub mod number;
pub mod template;
pub mod unique;
pub mod validate;
pub mod value;

mod yaml;

pub use compile::compile;
pub use diagnostic::{Code, Diagnostic};
pub use model::{Attribute, Entity, Model, Pattern, Table};
pub use value::{Item, Name, Value};
