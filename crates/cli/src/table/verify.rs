//! `hansang table verify`: checks every item against the model, unique values against their pointers, pointers against
//! their owners, and indexes against the table.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;

use hansang_core::identify::{Identity, check_item, identify};
use hansang_core::plan::{BatchGet, Key, Scan};
use hansang_core::store::check;
use hansang_core::{Db, Item, Value, unique};

use super::export::PAGE;
use crate::target::{Opened, Target};
use hansang_command::Failure;
use hansang_command::progress;

pub(super) async fn run(target: &Target, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut findings = Findings { out, count: 0 };
    let bar = progress::counting("verifying");
    let mut items = 0_u64;
    let mut scan = Scan { index: None, limit: PAGE, start: None, consistent: true };
    loop {
        let page = target.db.store().scan(target.table(), &scan).await?;
        for item in &page.items {
            check_one(target, item, &mut findings)?;
        }
        check_pointers(target, &page.items, &mut findings).await?;
        items += page.items.len() as u64;
        bar.set_position(items);
        scan.start = page.next;
        if scan.start.is_none() {
            break;
        }
    }
    bar.finish_and_clear();
    check_indexes(target, &mut findings).await?;
    let count = findings.count;
    if count == 0 {
        writeln!(out, "{items} items of {} are as the model says", target.table().name)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{items} items of {}, {count} problems", target.table().name)?;
    Ok(ExitCode::from(1))
}

/// Prints problems as they are found.
struct Findings<'o, W> {
    out: &'o mut W,
    count: u64,
}

impl<W: Write> Findings<'_, W> {
    fn tell(&mut self, key: &str, problem: &str) -> Result<(), Failure> {
        self.count += 1;
        writeln!(self.out, "{key}: {problem}")?;
        Ok(())
    }
}

fn shown(target: &Target, item: &Item) -> String {
    let table = target.table();
    let part = |name| item.get(name).and_then(Value::as_str).unwrap_or("?").to_owned();
    format!("{} / {}", part(&table.pk), part(&table.sk))
}

fn check_one(target: &Target, item: &Item, findings: &mut Findings<'_, impl Write>) -> Result<(), Failure> {
    let violations = check_item(target.db.model(), item).err().unwrap_or_default();
    violations.iter().try_for_each(|violation| findings.tell(&shown(target, item), &violation.to_string()))
}

/// Checks the pointers of each item of a page, and the owner of each pointer.
async fn check_pointers(
    target: &Target,
    items: &[Item],
    findings: &mut Findings<'_, impl Write>,
) -> Result<(), Failure> {
    let mut wanted: Vec<(Key, &Item)> = Vec::new();
    for item in items {
        wanted.extend(others_of(target, item).into_iter().map(|key| (key, item)));
    }
    for chunk in wanted.chunks(100) {
        let keys = chunk.iter().map(|(key, _)| key.clone()).collect();
        let gets = BatchGet { keys, consistent: true, fields: None };
        let found = target.db.store().batch_get(target.table(), &gets).await?;
        for ((key, item), other) in chunk.iter().zip(found) {
            let own = check::key_of(target.table(), item)?;
            let agrees = other.is_some_and(|other| others_of(target, &other).contains(&own));
            if !agrees {
                let problem = format!("`{}` / `{}` does not point back to it", key.pk, key.sk);
                findings.tell(&shown(target, item), &problem)?;
            }
        }
    }
    Ok(())
}

/// The keys of the pointers of an item, or of its owner.
fn others_of(target: &Target, item: &Item) -> Vec<Key> {
    let (model, table) = (target.db.model(), target.table());
    let Ok(key) = check::key_of(table, item) else { return Vec::new() };
    match identify(model, &key.pk, &key.sk) {
        Some(Identity::Entity { entity, .. }) => {
            let pointer = |one| unique::pointer_pk(entity, one, table.delimiter, item);
            let keys = entity.uniques.iter().filter_map(pointer);
            keys.map(|pk| Key { pk, sk: unique::PREFIX.to_owned() }).collect()
        }
        Some(Identity::Pointer { .. }) => {
            let part = |name: &hansang_core::Name| item.get(name).and_then(Value::as_str).map(str::to_owned);
            let owner = part(&unique::OWNER_PK).zip(part(&unique::OWNER_SK));
            owner.map(|(pk, sk)| Key { pk, sk }).into_iter().collect()
        }
        None => Vec::new(),
    }
}

/// Compares indexes with the table while others may write: what differs in each of several looks is wrong. Returns the number
/// of problems.
pub(super) async fn indexes_online(
    db: &Db,
    only: Option<&str>,
    out: &mut impl Write,
) -> Result<u64, Failure> {
    let mut problems = 0;
    for index in db.table().indexes.iter().filter(|index| only.is_none_or(|only| *index.name == *only)) {
        let has = |item: &Item| {
            item.contains_key(&index.pk) && index.sk.as_ref().is_none_or(|sk| item.contains_key(sk))
        };
        let mut wrong: Option<BTreeSet<Key>> = None;
        for look in 0..LOOKS {
            let in_table = keys_of(db, None, has).await?;
            let in_index = keys_of(db, Some(&index.name), |_| true).await?;
            let differ: BTreeSet<Key> = in_table.symmetric_difference(&in_index).cloned().collect();
            let still =
                wrong.map_or(differ.clone(), |before| before.intersection(&differ).cloned().collect());
            let is_right = still.is_empty();
            wrong = Some(still);
            if is_right {
                break;
            }
            // An index in the cloud follows a moment later.
            tokio::time::sleep(std::time::Duration::from_millis(50 << look)).await;
        }
        for key in wrong.into_iter().flatten() {
            problems += 1;
            writeln!(out, "{} / {}: {}: the index and the table differ", key.pk, key.sk, index.name)?;
        }
    }
    Ok(problems)
}

/// The number of looks at an index that differs from its table.
const LOOKS: u32 = 8;

async fn check_indexes(target: &Target, findings: &mut Findings<'_, impl Write>) -> Result<(), Failure> {
    if let Opened::Embedded(store) = &target.store {
        for wrong in store.verify(target.table())? {
            let index = wrong.index.as_deref().unwrap_or("expiry");
            findings.tell(&wrong.item, &format!("{index}: {}", wrong.problem))?;
        }
        return Ok(());
    }
    for index in &target.table().indexes {
        // Writes during the two scans look like differences, and DynamoDB updates indexes a moment later.
        let has = |item: &Item| {
            item.contains_key(&index.pk) && index.sk.as_ref().is_none_or(|sk| item.contains_key(sk))
        };
        let in_table = keys_of(&target.db, None, has).await?;
        let in_index = keys_of(&target.db, Some(&index.name), |_| true).await?;
        for key in in_table.difference(&in_index) {
            findings.tell(
                &format!("{} / {}", key.pk, key.sk),
                &format!("{}: the index lacks this item", index.name),
            )?;
        }
        for key in in_index.difference(&in_table) {
            findings.tell(
                &format!("{} / {}", key.pk, key.sk),
                &format!("{}: the index has a stale entry", index.name),
            )?;
        }
    }
    Ok(())
}

async fn keys_of(
    db: &Db,
    index: Option<&hansang_core::Name>,
    keep: impl Fn(&Item) -> bool,
) -> Result<BTreeSet<Key>, Failure> {
    let mut scan = Scan { index: index.cloned(), limit: PAGE, start: None, consistent: index.is_none() };
    let mut keys = BTreeSet::new();
    loop {
        let page = db.store().scan(db.table(), &scan).await?;
        for item in page.items.iter().filter(|item| keep(item)) {
            keys.insert(check::key_of(db.table(), item)?);
        }
        scan.start = page.next;
        if scan.start.is_none() {
            return Ok(keys);
        }
    }
}
