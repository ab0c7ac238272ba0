//! Imports of bank and card files: read, guess, preview, stage, apply, undo.

mod apply;
mod classify;
mod guess;
mod parse;
mod preview;
mod profile;
mod sheets;
mod table;

pub use apply::{ImportView, NewImport, import_of, imports, resume_imports, start, undo_import};
pub use guess::{Columns, Mapping, guess};
pub use parse::{amount as parse_amount, date as parse_date};
pub use preview::{Choice, Ignored, Preview, Row, RowStatus, preview};
pub use profile::mapping_of;
pub use table::{MAX_BYTES, MAX_ROWS, Table, read};
