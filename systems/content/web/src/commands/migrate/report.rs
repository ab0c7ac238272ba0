//! The report of a migration: a JSON file for programs, and a text file beside it. Findings are written as they are told, so
//! that a report of any length fits into memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use hansang_command::Failure;
use hansang_content::migrate::{Finding, LegacyTable, Report, Verified};
use serde_json::json;

/// A report that is being written.
pub(super) struct ReportFile {
    path: PathBuf,
    json: BufWriter<File>,
    text: BufWriter<File>,
    /// The list that is open, and whether it has an element.
    list: Option<&'static str>,
    /// The first error of writing, reported at the end.
    failed: Option<io::Error>,
}

impl ReportFile {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let beside = path.with_extension("txt");
        if beside == path {
            return Err(Failure::usage("name a .json file: the text is written to the .txt beside it"));
        }
        let create = |path: &Path| File::create(path).map_err(|error| Failure::unwritable(path, &error));
        let mut json = BufWriter::new(create(path)?);
        json.write_all(b"{").map_err(|error| Failure::unwritable(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            json,
            text: BufWriter::new(create(&beside)?),
            list: None,
            failed: None,
        })
    }

    /// Adds a finding to a list. The lists come one after the other.
    pub(super) fn push(&mut self, list: &'static str, finding: &Finding, line: &str) {
        let mut element = json!(finding);
        element["message"] = json!(finding.message().to_string());
        let before = match self.list {
            Some(open) if open == list => ",\n".to_owned(),
            Some(_) => format!("\n],\n\"{list}\": [\n"),
            None => format!("\n\"{list}\": [\n"),
        };
        self.list = Some(list);
        let written = write!(self.json, "{before}{element}").and_then(|()| writeln!(self.text, "{line}"));
        self.failed = self.failed.take().or(written.err());
    }

    pub(super) fn finish(
        mut self,
        report: &Report,
        verified: Option<&BTreeMap<LegacyTable, Verified>>,
    ) -> Result<(), Failure> {
        let close = if self.list.is_some() { "\n],\n" } else { "\n" };
        let verified = json!(verified);
        let written =
            write!(self.json, "{close}\"report\": {},\n\"verified\": {verified}\n}}\n", json!(report));
        let written = written.and_then(|()| writeln!(self.text, "{}", json!(report)));
        let flushed = written.and_then(|()| self.json.flush()).and_then(|()| self.text.flush());
        match self.failed.or(flushed.err()) {
            Some(error) => Err(Failure::unwritable(&self.path, &error)),
            None => Ok(()),
        }
    }
}
