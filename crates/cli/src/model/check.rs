//! `hansang model check`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use hansang_core::{compile, diagnostic};
use serde_json::Value as Json;

use super::{Format, source};
use hansang_command::{Failure, say, unreadable};

pub(super) fn run(paths: &[PathBuf], format: Format, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let files = source::find(paths)?;
    let mut found = Vec::new();
    let (mut count, mut broken, mut unread) = (0, 0, 0);
    for path in &files {
        let name = path.display().to_string();
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) => {
                // Continues with the other files.
                say(&format!("hansang: {}", unreadable(path, &error)));
                unread += 1;
                continue;
            }
        };
        let Err(problems) = compile(&text) else { continue };
        count += problems.len();
        broken += 1;
        match format {
            Format::Text => {
                write!(out, "{}", diagnostic::render(&name, &String::from_utf8_lossy(&text), &problems))?
            }
            Format::Json => found.extend(problems.iter().map(|problem| problem.to_json(&name))),
        }
    }
    if format == Format::Json {
        writeln!(out, "{:#}", Json::Array(found))?;
    } else if count > 0 {
        let problems = if count == 1 { "problem" } else { "problems" };
        say(&format!("{count} {problems} in {broken} of {} files", files.len()));
    }
    Ok(match (unread, count) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}
