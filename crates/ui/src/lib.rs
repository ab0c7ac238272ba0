#![doc = include_str!("../README.md")]

pub mod assets;
pub mod escape;
pub mod form;
pub mod frame;
pub mod language;
pub mod notice;
pub mod page;
pub mod people;
pub mod svg;

mod code;

pub use code::UiCode;
