//! Writes files atomically and durably.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest as _, Sha256};

use crate::ContractRef;

/// The relative path of a new version.
pub(super) fn path_of(reference: &ContractRef) -> PathBuf {
    let version = file_name(&reference.version.to_string());
    [file_name(reference.kind.as_str()), file_name(&reference.id), format!("{version}.yaml")].iter().collect()
}

/// Creates a file. Returns `false` if it exists, and leaves it unchanged.
///
/// A hard link never replaces a file, so of several concurrent writers in any number of processes one succeeds.
pub(super) fn create(path: &Path, root: &Path, text: &str) -> io::Result<bool> {
    let parent = parent(path)?;
    fs::create_dir_all(parent)?;
    let temporary = write_aside(parent, text)?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    match linked {
        Ok(()) => {
            for directory in parent.ancestors().take_while(|directory| directory.starts_with(root)) {
                File::open(directory)?.sync_all()?;
            }
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Replaces the text of a file.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    // Replaces the target of a link, not the link.
    let path = fs::canonicalize(path)?;
    let parent = parent(&path)?;
    let temporary = write_aside(parent, text)?;
    let permissions = fs::metadata(&path)?.permissions();
    let replaced = fs::set_permissions(&temporary, permissions).and_then(|()| fs::rename(&temporary, &path));
    if replaced.is_err() {
        // Return the original error; readers skip this file.
        let _ = fs::remove_file(&temporary);
    }
    replaced?;
    File::open(parent)?.sync_all()
}

/// Writes a temporary file in the same directory, with a hidden name that readers skip.
fn write_aside(directory: &Path, text: &str) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!(".{}-{number}.tmp", std::process::id()));
        let mut file = match File::create_new(&path) {
            // Left by a process with the same id that died, or used by one on another machine.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        return Ok(path);
    }
}

fn parent(path: &Path) -> io::Result<&Path> {
    path.parent().ok_or_else(|| io::Error::other("a file lies in a directory"))
}

/// The maximum length of a name in bytes, with room for a suffix: file systems allow 255.
const MAX_NAME: usize = 200;

/// Converts a text to a file name: escapes special characters as `%2F`, and ends long names with a hash of the whole text.
fn file_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for (offset, letter) in text.char_indices() {
        let inside = offset > 0 && offset + letter.len_utf8() < text.len();
        if letter.is_alphanumeric() || matches!(letter, '-' | '_' | '+') || (letter == '.' && inside) {
            name.push(letter);
        } else {
            let mut bytes = [0; 4];
            name.extend(letter.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    if name.len() > MAX_NAME {
        let hash: String = Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let cut = name.floor_char_boundary(MAX_NAME);
        name.truncate(cut);
        name = format!("{name}~{hash}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_and_short() {
        for (text, name) in [
            ("changeset.v1", "changeset.v1"),
            ("1.0.0-rc.1+build", "1.0.0-rc.1+build"),
            ("한상", "한상"),
            ("..", "%2E%2E"),
            (".hidden", "%2Ehidden"),
            ("a.", "a%2E"),
            ("a/b\\c:d*e", "a%2Fb%5Cc%3Ad%2Ae"),
            ("100%", "100%25"),
            ("a b", "a%20b"),
        ] {
            assert_eq!(file_name(text), name, "{text}");
        }
        let (one, other) = (file_name(&"한".repeat(128)), file_name(&("한".repeat(127) + "상")));
        assert!(one.len() < 230 && other.len() < 230 && one != other, "{one} {other}");
    }
}
