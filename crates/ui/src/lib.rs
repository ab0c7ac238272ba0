#![doc = include_str!("../README.md")]

// Templates name `hansang_ui` here as in every other crate.
extern crate self as hansang_ui;

pub mod address;
pub mod assets;
pub mod escape;
pub mod form;
pub mod frame;
pub mod html;
pub mod icon;
pub mod language;
pub mod lists;
pub mod month;
pub mod notice;
pub mod number;
pub mod page;
pub mod people;
pub mod sign_in;
pub mod svg;
pub mod table;
pub mod time;

mod code;

pub use code::UiCode;
pub use html::prose;
pub use icon::icon;
