#![doc = include_str!("../README.md")]

pub mod fixtures;
pub mod messages;

mod analysis;
mod child;
mod event;
mod extract;
mod index;
mod limits;
mod marks;
mod model;
mod ocr;
mod processor;
mod reading;
mod trouble;
mod words;

pub use analysis::{Analysis, keywords, language};
pub use child::read_as_child;
pub use event::{Block, Bounds, Done, Event, Facts, ImageFile, Segment, SegmentKind, WHOLE};
pub use extract::{extract, format_of};
pub use index::{Adding, Hit, Hits, Matching, TextIndex, TextState};
pub use limits::{Limits, Options, Scans};
pub use marks::{Mark, marks};
pub use model::{Answer, Asked, LanguageModel, MAX_EARLIER, ModelSettings, Passage, Turn, ask};
pub use ocr::{Ocr, Recognised};
pub use processor::{Processor, bring_up_to_date, current, passages, remove_deleted};
pub use reading::{Reader, Reading, extract_in_child};
pub use trouble::{Format, ProcessingCode, Trouble};
