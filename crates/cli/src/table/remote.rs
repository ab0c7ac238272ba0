//! Tables of a running server, which owns its data directory.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use hansang_command::{Connection, Failure};
use reqwest::Method;

use super::export;
use hansang_command::lines;

/// The size of the pieces that are passed on.
const PIECE: usize = 1024 * 1024;

/// A model of a server.
pub(super) struct Server {
    connection: Connection,
    pub(super) model: String,
}

impl Server {
    pub(super) fn new(connection: Connection, model: &Path) -> Result<Self, Failure> {
        let model = model.to_str().filter(|name| !name.contains(['/', '\\']) && !name.ends_with(".yaml"));
        let model = model.ok_or_else(|| {
            Failure::usage("a server knows models by their names: write MODEL without folders and .yaml")
        })?;
        Ok(Self { connection, model: model.to_owned() })
    }

    pub(super) fn url(&self) -> &str {
        self.connection.url().as_str()
    }

    /// Reads the lines of an operation, and passes them on in pieces of whole lines.
    pub(super) async fn lines(
        &self,
        operation: &str,
        mut each: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let wrong = |name: &str| Failure::usage(format!("`{name}` is not a name"));
        let url = self.connection.path(&["api", &self.model, operation]).map_err(wrong)?;
        let mut response = self.connection.stream(self.connection.request(Method::GET, url)).await?;
        let mut text = Vec::new();
        while let Some(piece) = self.connection.piece(&mut response).await? {
            text.extend_from_slice(&piece);
            if text.len() >= PIECE
                && let Some(end) = text.iter().rposition(|byte| *byte == b'\n')
            {
                each(&text[..=end])?;
                text.drain(..=end);
            }
        }
        each(&text)
    }
}

/// Exports a model of a server into a file.
pub(super) async fn export(server: &Server, to: &Path, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let unwritable = |error: io::Error| Failure::unwritable(to, &error);
    if to.exists() {
        return Err(Failure::usage(format!("{} exists already: name another file", to.display())));
    }
    let part = export::part_of(to);
    let mut file =
        OpenOptions::new().create(true).write(true).truncate(true).open(&part).map_err(unwritable)?;
    let mut count = 0;
    let read = server.lines("export", |text| {
        count += text.iter().filter(|byte| **byte == b'\n').count();
        let bytes = if lines::is_compressed(to) { lines::compress(text) } else { Ok(text.to_vec()) };
        file.write_all(&bytes.map_err(unwritable)?).map_err(unwritable)
    });
    read.await?;
    file.sync_all().map_err(unwritable)?;
    fs::rename(&part, to).map_err(unwritable)?;
    writeln!(out, "{count} items of {} in {}", server.model, to.display())?;
    Ok(ExitCode::SUCCESS)
}
