//! `hansang content migrate`: moves the tables of the old system over.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use futures_util::future::BoxFuture;
use hansang_command::export::Export;
use hansang_command::{Context, Failure, Purpose, StoreArguments, StoreKind, progress};
use hansang_content::migrate::{
    Counts, Finding, LegacyTable, LegacyTables, Options, Report, Source, Verified, migrate, verify,
};

use super::open;
use files::LegacyFiles;
use jiff::SignedDuration;
use report::ReportFile;

mod files;
mod report;

/// Arguments of `migrate`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// What holds the old tables
    #[arg(long, value_enum)]
    from: Origin,
    /// The table of posts, or its export: a file, or a directory as the cloud's export makes it
    #[arg(long, value_name = "TABLE|PATH")]
    posts: Option<String>,
    /// The table of categories, or its export
    #[arg(long, value_name = "TABLE|PATH")]
    categories: Option<String>,
    /// The table of company rows, or its export
    #[arg(long, value_name = "TABLE|PATH")]
    corp: Option<String>,
    /// The table of inquiries, or its export
    #[arg(long, value_name = "TABLE|PATH")]
    inquiries: Option<String>,
    /// The endpoint of the old tables, if not Amazon's
    #[arg(long, value_name = "URL")]
    source_endpoint_url: Option<String>,
    /// The AWS region of the old tables
    #[arg(long, value_name = "REGION")]
    source_region: Option<String>,
    /// The AWS profile for the old tables
    #[arg(long, value_name = "PROFILE")]
    source_profile: Option<String>,
    /// Check everything and write nothing
    #[arg(long, conflicts_with = "verify")]
    dry_run: bool,
    /// Compare every row with its item afterwards
    #[arg(long)]
    verify: bool,
    /// Write everything that was found to a JSON file, and to a text file beside it
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// How long an inquiry is kept after it came in: as the setting content-retention-days of the server
    #[arg(long, value_name = "N", default_value_t = 1095)]
    retention_days: u32,
    #[command(flatten)]
    store: StoreArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Origin {
    /// Tables in DynamoDB
    Dynamodb,
    /// Files with an item a line
    Export,
}

/// The maximum number of findings that are printed.
const MAX_PRINTED: u64 = 20;

pub(super) async fn run(ask: Arguments, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut source = source(&ask, context).await?;
    let purpose = if ask.dry_run { Purpose::Look } else { Purpose::Fill };
    let content = open(context, ask.store.clone(), purpose).await?;
    if !ask.dry_run {
        content.db.ensure_table().await?;
    }
    let mut found =
        Found { file: ask.report.as_deref().map(ReportFile::create).transpose()?, ..Found::default() };
    let bar = progress::counting(if ask.dry_run { "checking" } else { "migrating" });
    let report = migrate(&content, &mut *source, &options(&ask, &bar), &mut |one| found.tell(one)).await;
    bar.finish_and_clear();
    let report = report?;
    print_report(&report, out)?;
    let verified = if ask.verify {
        let bar = progress::counting("verifying");
        let verified =
            verify(&content, &mut *source, &options(&ask, &bar), &mut |one| found.tell_verified(one)).await;
        bar.finish_and_clear();
        Some(verified?)
    } else {
        None
    };
    found.print(ask.report.as_deref(), out)?;
    let right = verified.as_ref().is_none_or(|tables| tables.values().all(|table| table.wrong == 0));
    verified.iter().try_for_each(|verified| print_verified(verified, out))?;
    if let Some(file) = found.file {
        file.finish(&report, verified.as_ref())?;
    }
    Ok(if report.is_complete() && right { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Opens the old tables.
async fn source(ask: &Arguments, context: &Context) -> Result<Box<dyn Source>, Failure> {
    let given = [
        (LegacyTable::Categories, &ask.categories),
        (LegacyTable::Corp, &ask.corp),
        (LegacyTable::Posts, &ask.posts),
        (LegacyTable::Inquiries, &ask.inquiries),
    ];
    let named = given.into_iter().filter_map(|(table, name)| Some((table, name.clone()?)));
    let named: BTreeMap<LegacyTable, String> = named.collect();
    if named.is_empty() {
        return Err(Failure::usage("name at least one of --categories, --corp, --posts and --inquiries"));
    }
    if ask.from == Origin::Export {
        let open = |(table, path): (LegacyTable, String)| Ok((table, Export::open(Path::new(&path))?));
        let exports = named.into_iter().map(open).collect::<Result<_, Failure>>()?;
        return Ok(Box::new(LegacyFiles::new(exports)));
    }
    let place = StoreArguments {
        store: StoreKind::Dynamodb,
        endpoint_url: ask.source_endpoint_url.clone(),
        region: ask.source_region.clone(),
        profile: ask.source_profile.clone(),
        ..ask.store.clone()
    };
    let store = open(context, place, Purpose::Look).await?.db.store().clone();
    Ok(Box::new(LegacyTables::new(store, named)))
}

fn options(ask: &Arguments, bar: &indicatif::ProgressBar) -> Options {
    let bar = bar.clone();
    let pause = Arc::new(|attempt: u32| {
        let pause = Duration::from_millis(20 << attempt.min(7));
        let pause: BoxFuture<'static, ()> = Box::pin(tokio::time::sleep(pause));
        pause
    });
    Options {
        dry_run: ask.dry_run,
        retention: Some(SignedDuration::from_hours(24 * i64::from(ask.retention_days))),
        pause,
        progress: Arc::new(move |rows| bar.set_position(rows)),
    }
}

/// What was found, printed up to a number and written to the report.
#[derive(Default)]
struct Found {
    file: Option<ReportFile>,
    lines: Vec<String>,
    count: u64,
}

impl Found {
    fn tell(&mut self, finding: &Finding) {
        self.tell_in("findings", finding);
    }

    fn tell_verified(&mut self, finding: &Finding) {
        self.tell_in("differences", finding);
    }

    fn tell_in(&mut self, list: &'static str, finding: &Finding) {
        self.count += 1;
        let line = format!("{} {}: {}", finding.table, finding.id, finding.message());
        if let Some(file) = &mut self.file {
            file.push(list, finding, &line);
        }
        if self.count <= MAX_PRINTED {
            self.lines.push(line);
        }
    }

    fn print(&self, report: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
        for line in &self.lines {
            writeln!(out, "{line}")?;
        }
        let more = self.count - self.lines.len() as u64;
        match report {
            _ if more == 0 => {}
            Some(path) => writeln!(out, "and {more} more in {}", path.display())?,
            None => writeln!(out, "and {more} more: name a file with --report to have all of them")?,
        }
        Ok(())
    }
}

fn print_report(report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    let what = match &report.migration {
        None => "dry run, nothing written".to_owned(),
        Some(id) if report.resumed => format!("migration {id}, which had been cut off"),
        Some(id) => format!("migration {id}"),
    };
    writeln!(out, "{what}; schema {}", report.schema_version)?;
    for (table, counts) in &report.tables {
        let Counts { read, created, updated, unchanged, kept, unmapped, sum, unknown } = counts;
        writeln!(
            out,
            "{table}: {read} rows: {created} created, {updated} updated, {unchanged} unchanged, {kept} left alone, \
             {unmapped} not moved; checksum {sum}"
        )?;
        if !unknown.is_empty() {
            let names: Vec<String> = unknown.iter().map(|(name, rows)| format!("{name} ({rows})")).collect();
            writeln!(
                out,
                "{table}: attributes kept in `legacy`, with their numbers of rows: {}",
                names.join(", ")
            )?;
        }
    }
    Ok(())
}

fn print_verified(tables: &BTreeMap<LegacyTable, Verified>, out: &mut dyn Write) -> Result<(), Failure> {
    for (table, Verified { rows, faithful, changed_here, wrong, sum }) in tables {
        writeln!(
            out,
            "{table} verified: {rows} rows: {faithful} as they were, {changed_here} changed here, {wrong} wrong; \
             checksum {sum}"
        )?;
    }
    Ok(())
}
