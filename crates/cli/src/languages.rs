//! Languages beside English and Korean: one file each in the directory of the setting `languages`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use hansang_command::{Config, Failure};
use hansang_core::Language;
use hansang_core::language::Catalog;

/// Every English text of the program, as JSON. A test below writes it from the sources.
const TEXTS: &str = include_str!("texts.json");

/// Installs the languages of the setting.
pub(crate) fn install(config: &Config) -> Result<(), Failure> {
    let Some(directory) = config.text("languages").filter(|directory| !directory.is_empty()) else {
        return Ok(());
    };
    let catalogs = read(Path::new(directory)).map_err(Failure::usage)?;
    Language::install(catalogs).map_err(Failure::usage)
}

/// The catalogs of a directory: `fr.json` is that of `fr`.
fn read(directory: &Path) -> Result<Vec<Catalog>, String> {
    let of_directory = |error| format!("languages: cannot read {}: {error}", directory.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(of_directory)? {
        paths.push(entry.map_err(of_directory)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort_unstable();
    let catalog = |path: &Path| {
        let wrong = |problem: String| format!("languages: {}: {problem}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let code = path.file_stem().unwrap_or_default().to_string_lossy();
        Catalog::read(&code, &text).map_err(wrong)
    };
    paths.iter().map(|path| catalog(path)).collect()
}

/// `hansang texts`.
pub(crate) fn print(out: &mut impl Write) -> Result<ExitCode, Failure> {
    let texts: Vec<String> = serde_json::from_str(TEXTS).expect("a test wrote the texts");
    out.write_all(Catalog::template(texts.iter().map(String::as_str)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
#[path = "languages/scan.rs"]
mod scan;
