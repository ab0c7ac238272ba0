//! Imports of bank and card files: upload, read, guess, preview, stage, apply, undo.

mod apply;
mod biff;
mod classify;
mod compare;
mod guess;
mod html;
mod learned;
mod money;
mod parse;
mod preview;
mod profile;
mod record;
mod sheets;
mod stage;
mod sweep;
mod table;
mod undo;
mod upload;

pub(crate) use apply::seen_writes;
pub use apply::{apply, resume_imports};
pub use guess::{Columns, Mapping, guess};
pub use learned::{Learned, Merchant, forget_merchant, forget_source, learned};
pub use parse::{amount as parse_amount, date as parse_date};
pub use preview::{Choice, Ignored, Preview, Row, RowStatus, preview};
pub use profile::mapping_of;
pub use record::{ImportView, import_of, imports};
pub use stage::{NewImport, stage, start};
pub use table::{MAX_BYTES, MAX_ROWS, Table, read};
pub use undo::undo_import;
pub use upload::{Upload, change_upload, discard_upload, forget_uploads, keep_upload, upload_of, uploaded};
