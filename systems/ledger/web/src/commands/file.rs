//! Commands that read and write files.

use std::collections::BTreeMap;
use std::io::{Read as _, Write};
use std::path::Path;
use std::time::Duration;

use hansang_command::{Context, Does, Failure, Purpose, progress};
use hansang_ledger::import::{Choice, Mapping, imports, mapping_of, preview, read, start};
use hansang_ledger::{export as read_export, restore as write_export};
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::arguments::{Export, ExportFormat, Import, Restore};
use super::change::name_entry;
use super::open;
use super::place::{Place, Remote, json as json_of};
use super::show::{self, all, entry, text, won};
use crate::actions::ImportFile;
use crate::api::files::FORMATS;
use crate::api::output::{ShownCount, ShownImport, ShownPreview};
use crate::api::upload::source_of;

/// The pause between two looks at a running import.
const LOOK: Duration = Duration::from_millis(200);

pub(super) async fn import(ask: &Import, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let bytes = std::fs::read(&ask.file).map_err(|error| Failure::unreadable(&ask.file, &error))?;
    let name = ask.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let place = open(&ask.place, context).await?;
    let shown = match (&place, ask.dry_run) {
        (Place::Table(ledger, by), dry) => {
            let table = read(&bytes)?;
            let (known, mapping) = match mapping(ask)? {
                Some(mapping) => (None, mapping),
                None => mapping_of(ledger, &table, ask.source.as_deref(), Some(by)).await?,
            };
            let profile = ask.source.clone().or_else(|| known.clone()).unwrap_or_else(|| source_of(&name));
            if dry {
                let found = preview(ledger, &profile, &table, &mapping, &choices(ask)).await?;
                json_of(ShownPreview::of(known, mapping, found))?
            } else {
                let file = ImportFile { file: name, profile, table, mapping, choices: choices(ask) };
                let total = file.table.rows.len();
                let poll = async || Ok(imports(ledger).await?.first().map(|import| import.applied));
                let work = async { Ok(start(ledger, by, file.new_import()).await?) };
                json_of(ShownImport::from(watched(total, poll, work).await?))?
            }
        }
        (Place::Server(remote), dry) => upload(ask, remote, &name, bytes, dry).await?,
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    if ask.dry_run { show_rows(out, &shown) } else { show_import(out, &shown) }
}

async fn upload(
    ask: &Import,
    remote: &Remote,
    name: &str,
    bytes: Vec<u8>,
    dry_run: bool,
) -> Result<Json, Failure> {
    let sent = |choice: &Choice| {
        let mut body = json!({ "exclude": choice.exclude, "anyway": choice.anyway, "never": choice.never });
        if let Some(subject) = &choice.subject {
            name_entry(&mut body, subject);
        }
        body
    };
    let decided = choices(ask);
    let decided: BTreeMap<String, Json> =
        decided.iter().map(|(line, choice)| (line.to_string(), sent(choice))).collect();
    let decided = json!(decided).to_string();
    let mapping = mapping(ask)?.map(|mapping| json_of(mapping).map(|json| json.to_string())).transpose()?;
    let mut query = vec![("file", name), ("choices", &*decided)];
    query.extend(mapping.as_deref().map(|mapping| ("mapping", mapping)));
    query.extend(ask.source.as_deref().map(|source| ("profile", source)));
    let file = ("application/octet-stream", bytes);
    if dry_run {
        return remote.upload(&["imports", "preview"], &query, file, Does::Read).await;
    }
    let poll = async || {
        let all = remote.get(&["imports"], &[]).await?;
        Ok(all["items"][0]["applied"].as_i64())
    };
    let total = bytecount(&file.1);
    watched(total, poll, remote.upload(&["imports"], &query, file, Does::Write)).await
}

/// The number of lines of a file, about as many as it has rows.
fn bytecount(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Shows the progress of an import while it works.
async fn watched<T>(
    total: usize,
    poll: impl AsyncFn() -> Result<Option<i64>, Failure>,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let bar = progress::of_total("importing", total);
    let watch = async {
        loop {
            tokio::time::sleep(LOOK).await;
            if let Ok(Some(applied)) = poll().await {
                bar.set_position(u64::try_from(applied).unwrap_or_default());
            }
        }
    };
    let done = tokio::select! {
        done = work => done,
        () = watch => Err(Failure::internal("the progress of an import")),
    };
    bar.finish_and_clear();
    done
}

/// The decisions about rows. A row may have several.
fn choices(ask: &Import) -> BTreeMap<usize, Choice> {
    let mut choices: BTreeMap<usize, Choice> = BTreeMap::new();
    for (line, subject) in &ask.choose {
        choices.entry(*line).or_default().subject = Some(subject.clone());
    }
    for line in &ask.exclude {
        choices.entry(*line).or_default().exclude = true;
    }
    for line in &ask.anyway {
        choices.entry(*line).or_default().anyway = true;
    }
    for line in &ask.never {
        choices.entry(*line).or_default().never = true;
    }
    choices
}

/// The columns of the file that `--mapping` names.
fn mapping(ask: &Import) -> Result<Option<Mapping>, Failure> {
    let Some(path) = &ask.mapping else { return Ok(None) };
    let bytes = std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))?;
    let wrong =
        |error: serde_json::Error| Failure::usage(format!("{} has no mapping: {error}", path.display()));
    let mut json: Json = serde_json::from_slice(&bytes).map_err(wrong)?;
    let own = json.get_mut("mapping").map(Json::take);
    serde_json::from_value(own.unwrap_or(json)).map(Some).map_err(wrong)
}

fn show_rows(out: &mut dyn Write, shown: &Json) -> Result<(), Failure> {
    for row in all(shown, "rows") {
        let [date, what, reason] = ["date", "text", "reason"].map(|name| text(&row[name]));
        let [line, status] = [row["line"].to_string(), text(&row["status"]).to_owned()];
        let told = format!("{date} {what} {} {reason}", entry(&row["entry"]));
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(out, "{line:>6} {status:<9} {:>13}  {told}", won(&row["amount"]))?;
    }
    let counts = &shown["counts"];
    let [new, duplicate, changed, entered, ignored, refused] =
        ["new", "duplicate", "changed", "entered", "ignored", "refused"].map(|name| counts[name].clone());
    writeln!(
        out,
        "dry run: {new} new, {duplicate} duplicates, {changed} changed, {entered} entered before, {ignored} ignored, {refused} refused"
    )?;
    Ok(())
}

fn show_import(out: &mut dyn Write, shown: &Json) -> Result<(), Failure> {
    let (id, rows, added) = (text(&shown["importId"]), &shown["rows"], &shown["added"]);
    Ok(writeln!(out, "{added} of {rows} new rows are lines now; `undo --import {id}` takes them back")?)
}

pub(super) async fn export(ask: &Export, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let name = match ask.format {
        ExportFormat::Csv => "csv",
        ExportFormat::Json => "json",
        ExportFormat::Hledger => "hledger",
        ExportFormat::Xlsx => "xlsx",
    };
    let format = FORMATS.into_iter().find(|format| format.name == name);
    let format = format.ok_or_else(|| Failure::internal("the export of the ledger"))?;
    let bytes = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => (format.write)(&read_export(&ledger).await?)?,
        Place::Server(remote) => {
            let request = remote.request(Method::GET, &["exports", name], &[])?;
            let mut response = remote.0.stream(request).await?;
            let mut bytes = Vec::new();
            while let Some(piece) = remote.0.piece(&mut response).await? {
                bytes.extend(piece);
            }
            bytes
        }
    };
    match &ask.output {
        Some(path) => {
            std::fs::write(path, &bytes).map_err(|error| Failure::unwritable(path, &error))?;
            Ok(writeln!(out, "{} bytes in {}", bytes.len(), path.display())?)
        }
        None => Ok(out.write_all(&bytes)?),
    }
}

pub(super) async fn restore(ask: &Restore, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let bytes = contents(&ask.file)?;
    let shown = match ask.place.open(context, Purpose::Fill).await? {
        Place::Table(ledger, by) => {
            let export: hansang_ledger::Export = serde_json::from_slice(&bytes).map_err(|error| {
                Failure::usage(format!("{} is not an export of a ledger: {error}", ask.file.display()))
            })?;
            json_of(ShownCount { count: write_export(&ledger, &by, &export).await? })?
        }
        Place::Server(remote) => {
            remote.upload(&["restore"], &[], ("application/json", bytes), Does::Write).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    Ok(writeln!(out, "{} lines are restored", shown["count"])?)
}

fn contents(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))
}
