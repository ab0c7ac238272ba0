//! Exported tables: files of items, one a line, or the directory that the cloud's own export makes.
//!
//! Such a directory has `manifest-files.json`, a line for each data file with the number of its items, and the files under
//! `data/`. A file that is missing, or has another number of items, is an error: nothing is lost silently.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hansang_core::Item;
use hansang_core::value::json::{item_from_plain, item_from_typed};
use serde_json::Value as Json;

use crate::Failure;
use crate::lines::Lines;

/// The tags of DynamoDB's typed JSON.
const TAGS: [&str; 10] = ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"];
const MANIFEST: &str = "manifest-files.json";

/// The files of an export, in their order. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    files: Arc<Vec<DataFile>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct DataFile {
    path: PathBuf,
    /// The number of items that the manifest names.
    items: Option<u64>,
}

/// A position in an export: lines of a file that are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The number of the file, from zero.
    pub file: usize,
    /// The number of its lines that are done.
    pub line: u64,
}

/// A line of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The file and the line, for a person.
    pub location: String,
    /// The item, or the problem of the line.
    pub item: Result<Item, String>,
    /// The position behind it.
    pub behind: Position,
}

/// An open export.
#[derive(Debug)]
pub struct Reader {
    export: Export,
    at: Position,
    lines: Option<Lines>,
    items: u64,
}

impl Export {
    /// Finds the files of a path: a file, a directory of files, or an export of the cloud.
    ///
    /// # Errors
    /// A path that cannot be read, has no items, or lacks a file of its manifest.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if !path.is_dir() {
            fs::metadata(path).map_err(|error| Failure::unreadable(path, &error))?;
            return Ok(Self { files: Arc::new(vec![DataFile { path: path.to_owned(), items: None }]) });
        }
        match manifest(path)? {
            Some(directory) => of_manifest(&directory),
            None => of_directory(path),
        }
    }

    /// The bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| fs::metadata(&file.path).ok()).map(|found| found.len()).sum()
    }

    /// The paths of the files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| &*file.path)
    }

    /// Reads on behind a position.
    #[must_use]
    pub fn read(&self, from: Position) -> Reader {
        Reader { export: self.clone(), at: from, lines: None, items: 0 }
    }
}

impl Reader {
    /// The next line with an item, in any of the forms that exports have.
    ///
    /// # Errors
    /// A file that cannot be read, or has another number of items than its manifest says.
    #[allow(clippy::should_implement_trait, reason = "an iterator would go on after an error")]
    pub fn next(&mut self) -> Result<Option<Line>, Failure> {
        loop {
            let Some(file) = self.export.files.get(self.at.file) else { return Ok(None) };
            let unreadable = |error: io::Error| Failure::unreadable(&file.path, &error);
            let lines = match &mut self.lines {
                Some(lines) => lines,
                closed => {
                    let mut lines = Lines::open(&file.path).map_err(unreadable)?;
                    self.items = 0;
                    for _ in 0..self.at.line {
                        let skipped = lines.next().map_err(unreadable)?;
                        self.items += u64::from(skipped.is_some_and(|line| !line.is_empty()));
                    }
                    closed.insert(lines)
                }
            };
            let Some(line) = lines.next().map_err(unreadable)? else {
                if let Some(expected) = file.items.filter(|expected| *expected != self.items) {
                    let text = format!(
                        "{} has {} items and its manifest says {expected}: copy the export again",
                        file.path.display(),
                        self.items
                    );
                    return Err(Failure::Message { text, code: 1 });
                }
                self.at = Position { file: self.at.file + 1, line: 0 };
                self.lines = None;
                continue;
            };
            self.at.line += 1;
            if line.is_empty() {
                continue;
            }
            self.items += 1;
            let location = format!("{}:{}", file.path.display(), self.at.line);
            return Ok(Some(Line { location, item: item(&line), behind: self.at }));
        }
    }

    /// The position behind the last line.
    #[must_use]
    pub fn position(&self) -> Position {
        self.at
    }
}

/// The item of a line: `{"Item": {…}}`, typed JSON by itself, or plain JSON.
fn item(line: &str) -> Result<Item, String> {
    let json: Json = serde_json::from_str(line).map_err(|error| format!("is not JSON: {error}"))?;
    let Json::Object(members) = &json else { return Err("is no JSON object".to_owned()) };
    let read = match members.get("Item") {
        Some(item) if members.len() == 1 => item_from_typed(item),
        _ if !members.is_empty() && members.values().all(is_typed) => item_from_typed(&json),
        _ => item_from_plain(&json),
    };
    read.map_err(|problem| problem.to_string())
}

fn is_typed(value: &Json) -> bool {
    let tag =
        value.as_object().filter(|members| members.len() == 1).and_then(|members| members.keys().next());
    tag.is_some_and(|tag| TAGS.contains(&tag.as_str()))
}

/// The directory with the manifest: this one, or one below, as in `AWSDynamoDB/01234-abcd/`.
fn manifest(path: &Path) -> Result<Option<PathBuf>, Failure> {
    let mut level = vec![path.to_owned()];
    for _ in 0..3 {
        let found: Vec<PathBuf> =
            level.iter().filter(|path| path.join(MANIFEST).is_file()).cloned().collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(Some(one.clone())),
            _ => {
                let text = format!("there are several exports in {}: name one of them", path.display());
                return Err(Failure::usage(text));
            }
        }
        let mut below = Vec::new();
        for directory in &level {
            below.extend(entries(directory)?.into_iter().filter(|path| path.is_dir()));
        }
        level = below;
    }
    Ok(None)
}

fn of_manifest(directory: &Path) -> Result<Export, Failure> {
    let path = directory.join(MANIFEST);
    let text = fs::read_to_string(&path).map_err(|error| Failure::unreadable(&path, &error))?;
    let damaged = || Failure::usage(format!("{} is damaged: copy the export again", path.display()));
    let mut files = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let json: Json = serde_json::from_str(line).map_err(|_| damaged())?;
        let key = json["dataFileS3Key"].as_str().ok_or_else(damaged)?;
        let name = Path::new(key).file_name().ok_or_else(damaged)?;
        let file =
            [directory.join("data").join(name), directory.join(name)].into_iter().find(|file| file.is_file());
        let file = file.ok_or_else(|| {
            Failure::usage(format!(
                "{} names {key}, which is not there: copy the export again",
                path.display()
            ))
        })?;
        files.push(DataFile { path: file, items: json["itemCount"].as_u64() });
    }
    Ok(Export { files: Arc::new(files) })
}

fn of_directory(path: &Path) -> Result<Export, Failure> {
    let mut files: Vec<PathBuf> = entries(path)?.into_iter().filter(|path| has_items(path)).collect();
    if files.is_empty() {
        return Err(Failure::usage(format!("there is no .json or .json.gz file in {}", path.display())));
    }
    files.sort();
    let files = files.into_iter().map(|path| DataFile { path, items: None }).collect();
    Ok(Export { files: Arc::new(files) })
}

fn entries(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(path).map_err(|error| Failure::unreadable(path, &error))?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

fn has_items(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".json", ".jsonl", ".json.gz", ".jsonl.gz"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::compress;

    fn all(export: &Export, from: Position) -> Vec<Line> {
        let mut reader = export.read(from);
        std::iter::from_fn(|| reader.next().unwrap()).collect()
    }

    fn ids(lines: &[Line]) -> Vec<String> {
        let id = |line: &Line| match &line.item {
            Ok(item) => item["id"].as_str().unwrap_or("?").to_owned(),
            Err(problem) => problem.clone(),
        };
        lines.iter().map(id).collect()
    }

    /// Cs21: each form of a line is read, and a line that is none is a problem of its own.
    #[test]
    fn lines_have_several_forms() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("posts.jsonl");
        let text = "{\"Item\":{\"id\":{\"S\":\"a\"}}}\n\n{\"id\":{\"S\":\"b\"}}\r\n{\"id\":\"c\",\"x\":{\"S\":1}}\n[1]\nx";
        fs::write(&path, text).unwrap();
        let lines = all(&Export::open(&path).unwrap(), Position::default());
        let found = ids(&lines);
        assert_eq!(found[..4], ["a", "b", "c", "is no JSON object"]);
        assert!(found[4].starts_with("is not JSON"), "{found:?}");
        assert!(lines[1].location.ends_with("posts.jsonl:3"), "{}", lines[1].location);
        assert_eq!(lines[1].behind, Position { file: 0, line: 3 });
    }

    /// Cs21, Cs23: an export of the cloud is found by its manifest and read on from any position.
    #[test]
    fn an_export_of_the_cloud_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let export = directory.path().join("AWSDynamoDB/01-ab");
        fs::create_dir_all(export.join("data")).unwrap();
        let mut manifest = String::new();
        for (name, texts) in [("one.json.gz", ["a", "b"]), ("two.json.gz", ["c", "d"])] {
            let lines = texts.map(|id| format!("{{\"Item\":{{\"id\":{{\"S\":\"{id}\"}}}}}}\n")).concat();
            fs::write(export.join("data").join(name), compress(lines.as_bytes()).unwrap()).unwrap();
            manifest += &format!("{{\"itemCount\":2,\"dataFileS3Key\":\"AWSDynamoDB/01-ab/data/{name}\"}}\n");
        }
        fs::write(export.join(MANIFEST), &manifest).unwrap();
        let found = Export::open(directory.path()).unwrap();
        let lines = all(&found, Position::default());
        assert_eq!(ids(&lines), ["a", "b", "c", "d"]);
        for (index, line) in lines.iter().enumerate() {
            assert_eq!(ids(&all(&found, line.behind)), ids(&lines[index + 1..]));
        }

        fs::write(export.join(MANIFEST), manifest.replacen("\"itemCount\":2", "\"itemCount\":3", 1)).unwrap();
        let short = Export::open(directory.path()).unwrap();
        let mut reader = short.read(Position::default());
        let failed = std::iter::from_fn(|| Some(reader.next())).find_map(Result::err);
        let Some(Failure::Message { text, .. }) = failed else { panic!("{failed:?}") };
        assert!(text.contains("has 2 items and its manifest says 3"), "{text}");
        fs::remove_file(export.join("data/two.json.gz")).unwrap();
        let Err(Failure::Message { text, .. }) = Export::open(directory.path()) else { panic!("opened") };
        assert!(text.contains("two.json.gz"), "{text}");
    }
}
