//! What the tests of reading share.

use std::path::{Path, PathBuf};

use hansang_documents_adapters::{
    Done, Event, Facts, Options, Reader, Segment, Trouble, extract, extract_in_child,
};
use tempfile::TempDir;

/// A directory with one file and a folder for images.
pub(crate) struct Ground {
    folder: TempDir,
    pub(crate) file: PathBuf,
}

/// What was read from a file.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) facts: Facts,
    pub(crate) segments: Vec<Segment>,
    pub(crate) done: Done,
}

impl Ground {
    pub(crate) fn new(content: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("images")).unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, content).unwrap();
        Self { folder, file }
    }

    pub(crate) fn images(&self) -> PathBuf {
        self.folder.path().join("images")
    }

    /// Options with images.
    pub(crate) fn options(&self) -> Options {
        Options { images: Some(self.images()), ..Options::default() }
    }

    /// Reads the file in this process.
    pub(crate) fn read(&self, options: &Options) -> Result<Read, Trouble> {
        read(&self.file, options)
    }

    /// Reads the file in a child.
    pub(crate) async fn read_in_child(&self, options: &Options) -> Result<Read, Trouble> {
        let mut reading = extract_in_child(&reader("read"), &self.file, options)?;
        let mut events = Vec::new();
        while let Some(event) = reading.next().await? {
            events.push(event);
        }
        Ok(collect(events))
    }
}

pub(crate) fn read(file: &Path, options: &Options) -> Result<Read, Trouble> {
    let mut events = Vec::new();
    extract(file, options, &mut |event| {
        // Every event crosses the border between processes as JSON.
        let line = serde_json::to_string(&event).unwrap();
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
        events.push(event);
        Ok(())
    })?;
    Ok(collect(events))
}

fn collect(events: Vec<Event>) -> Read {
    let mut read = Read {
        facts: Facts {
            format: hansang_documents_adapters::Format::Text,
            pages: None,
            title: None,
            language: None,
        },
        segments: Vec::new(),
        done: Done::default(),
    };
    for (at, event) in events.into_iter().enumerate() {
        match event {
            Event::Facts(facts) => {
                assert_eq!(at, 0, "facts come first");
                read.facts = facts;
            }
            Event::Segment(segment) => read.segments.push(segment),
            Event::Done(done) => read.done = done,
            Event::Failed(trouble) => panic!("{trouble:?}"),
        }
    }
    assert_eq!(read.done.segments as usize, read.segments.len());
    read
}

impl Read {
    pub(crate) fn text(&self) -> String {
        self.segments.iter().map(|segment| segment.text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// The program of the tests, in one of its modes.
pub(crate) fn reader(mode: &str) -> Reader {
    Reader { program: env!("CARGO_BIN_EXE_hansang-documents-reader").into(), arguments: vec![mode.into()] }
}
