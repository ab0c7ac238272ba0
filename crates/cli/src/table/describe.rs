//! `hansang table create` and `describe`.

use std::io::Write;
use std::process::ExitCode;

use hansang_core::model::{Index, Projection};

use crate::target::{Opened, Target};
use hansang_command::Failure;

pub(super) async fn create(target: &Target, out: &mut impl Write) -> Result<ExitCode, Failure> {
    target.db.ensure_table().await?;
    writeln!(out, "the table {} is there", target.table().name)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn run(target: &Target, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let table = target.table();
    let rows = match &target.store {
        Opened::Embedded(store) => store.describe(table)?.map(|found| {
            vec![
                ("items", format!("about {}", found.items)),
                ("size", format!("{} bytes on disk, with all tables of the directory", found.disk_bytes)),
            ]
        }),
        Opened::DynamoDb(store) => store.describe(table).await?.map(|found| {
            let states = found.indexes.iter().map(|index| format!("{} {}", index.name, index.status));
            let mut rows = vec![
                ("state", found.status),
                ("items", format!("{} at the last count, which is every six hours", found.item_count)),
                ("size", format!("{} bytes at the last count", found.size_bytes)),
                ("indexes", states.collect::<Vec<_>>().join(", ")),
            ];
            rows.extend(found.recovery.map(|on| ("recovery", if on { "on" } else { "off" }.to_owned())));
            rows.extend(found.arn.map(|arn| ("ARN", arn)));
            rows
        }),
    };
    let Some(rows) = rows else {
        let text = format!("there is no table {}: make it with `hansang table create`", table.name);
        return Err(Failure::Message { text, code: 3 });
    };
    writeln!(out, "{}", table.name)?;
    writeln!(out, "  key       {} / {}", table.pk, table.sk)?;
    for index in &table.indexes {
        writeln!(out, "  index     {}", in_words(index))?;
    }
    if let Some(ttl) = table.ttl.as_ref().filter(|ttl| ttl.enabled) {
        writeln!(out, "  expires   by {}", ttl.attribute)?;
    }
    if table.streams {
        writeln!(out, "  changes   are kept for a day")?;
    }
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "  {name:9} {value}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn in_words(index: &Index) -> String {
    let sk = index.sk.as_ref().map(|sk| format!(" / {sk}")).unwrap_or_default();
    let carries = match &index.projection {
        Projection::All => String::new(),
        Projection::Keys => ", keys only".to_owned(),
        Projection::Include(names) => format!(", with {}", names.join(", ")),
    };
    format!("{}: {}{sk}{carries}", index.name, index.pk)
}
