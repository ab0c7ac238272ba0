#![doc = include_str!("../README.md")]

pub mod fixtures;
pub mod messages;

mod child;
mod event;
mod extract;
mod limits;
mod reading;
mod trouble;

pub use child::read_as_child;
pub use event::{Block, Bounds, Done, Event, Facts, ImageFile, Segment, SegmentKind, WHOLE};
pub use extract::{extract, format_of};
pub use limits::{Limits, Options};
pub use reading::{Reader, Reading, extract_in_child};
pub use trouble::{Format, ProcessingCode, Trouble};
