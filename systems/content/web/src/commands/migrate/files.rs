//! The old tables as files: exports of the cloud, or lines of JSON.

use std::collections::BTreeMap;

use async_trait::async_trait;
use hansang_command::Failure;
use hansang_command::export::{Export, Position, Reader};
use hansang_content::ContentCode;
use hansang_content::migrate::{LegacyTable, PAGE, Row, Rows, Source};
use hansang_core::value::item_size;
use hansang_core::{Error, Message};

/// The maximum bytes of the items of a page.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The old tables in files.
pub(super) struct LegacyFiles {
    exports: BTreeMap<LegacyTable, Export>,
    /// The file that is being read, and its table.
    open: Option<(LegacyTable, Reader)>,
}

impl LegacyFiles {
    pub(super) fn new(exports: BTreeMap<LegacyTable, Export>) -> Self {
        Self { exports, open: None }
    }
}

#[async_trait]
impl Source for LegacyFiles {
    fn name(&self) -> String {
        let paths = self.exports.iter().flat_map(|(table, export)| {
            export.paths().map(move |path| format!("{table}={}", path.display()))
        });
        format!("export {}", paths.collect::<Vec<_>>().join(" "))
    }

    fn tables(&self) -> Vec<LegacyTable> {
        self.exports.keys().copied().collect()
    }

    async fn read(&mut self, table: LegacyTable, after: Option<&str>) -> Result<Rows, Error> {
        let Some(export) = self.exports.get(&table) else { return Ok(Rows::default()) };
        let position = after.map(position).transpose()?.unwrap_or_default();
        let open = self.open.take().filter(|(of, reader)| *of == table && reader.position() == position);
        let mut reader = open.map_or_else(|| export.read(position), |(_, reader)| reader);
        let (mut rows, mut bytes) = (Vec::with_capacity(PAGE), 0);
        while rows.len() < PAGE && bytes < MAX_BYTES {
            let Some(line) = reader.next().map_err(unreadable)? else { return Ok(Rows { rows, next: None }) };
            bytes += line.item.as_ref().map_or(0, item_size);
            rows.push(Row { location: line.location, item: line.item });
        }
        let Position { file, line } = reader.position();
        self.open = Some((table, reader));
        Ok(Rows { rows, next: Some(format!("{file}:{line}")) })
    }
}

fn position(text: &str) -> Result<Position, Error> {
    let parts = text.split_once(':').and_then(|(file, line)| Some((file.parse().ok()?, line.parse().ok()?)));
    let (file, line) = parts.ok_or_else(|| unreadable(Failure::internal("the position of the migration")))?;
    Ok(Position { file, line })
}

/// The error of a file: the message of the reader, which names it.
fn unreadable(failure: Failure) -> Error {
    let text = match failure {
        Failure::Message { text, .. } => text,
        Failure::BrokenPipe => String::new(),
    };
    Error::invalid(ContentCode::SourceUnavailable, Message::raw(text))
}
