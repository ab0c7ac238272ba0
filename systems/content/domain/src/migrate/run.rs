//! A run and its record: how far it is, what it counted, what it found.

use hansang_core::db::{Ask, GetOptions, Operation};
use hansang_core::plan::{Action, Change, Condition, Guard, Path, Reason, Write};
use hansang_core::value::{from_item, item_size, to_item};
use hansang_core::write;
use hansang_core::{CoreCode, Error, Item, Record, Value, message, name};

use super::parts::Place;
use super::plan::{self, Mark};
use super::step::{ATTEMPTS, Done, is_passing};
use super::{Finding, LegacyTable, Options, Report, Source};
use crate::live::time;
use crate::{Content, ContentCode, messages};

/// A run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    id: String,
    /// The number of finished steps.
    step: i64,
    /// Where the next step begins; nowhere after the last one.
    pub(super) place: Option<Place>,
    pub(super) report: Report,
}

impl Run {
    /// A run that leaves no record.
    pub(super) fn dry(content: &Content, source: &dyn Source) -> Self {
        let report = Report { from: source.name(), schema_version: version(content), ..Report::default() };
        Self { id: "dry".to_owned(), step: 0, place: Place::first(source), report }
    }

    /// Goes on with the last run on the same source if it was cut off, or begins one.
    pub(super) async fn begin(
        content: &Content,
        source: &dyn Source,
        options: &Options,
    ) -> Result<Self, Error> {
        let mut attempt = 1;
        loop {
            let begun = match last(content, &source.name()).await {
                Ok(Some(run)) if run.step == 0 => return Ok(Self { place: Place::first(source), ..run }),
                Ok(Some(run)) => return Ok(run),
                Ok(None) => Self::create(content, source).await,
                Err(error) => Err(error),
            };
            match begun {
                Err(error) if attempt < ATTEMPTS && is_passing(&error) => (options.pause)(attempt).await,
                other => return other,
            }
            attempt += 1;
        }
    }

    async fn create(content: &Content, source: &dyn Source) -> Result<Self, Error> {
        let run = Self { id: content.new_id(), ..Self::dry(content, source) };
        let report = Report { migration: Some(run.id.clone()), ..run.report.clone() };
        let run = Self { report, ..run };
        let fields = Item::from([
            (name!("id"), run.id.as_str().into()),
            (name!("from"), run.report.from.as_str().into()),
            (name!("state"), "running".into()),
            (name!("schemaVersion"), run.report.schema_version.as_str().into()),
            (name!("step"), 0.into()),
            (name!("counts"), Value::M(Item::new())),
        ]);
        content.db.create("Migration", fields).await?;
        Ok(run)
    }

    fn of(record: &Record) -> Result<Self, Error> {
        let text = |name: &str| record.text(name).map(str::to_owned);
        let step = record.fields.get("step").and_then(Value::as_number).and_then(|step| step.to_i64());
        let tables = match record.fields.get("counts") {
            Some(Value::M(counts)) => from_item(counts).ok(),
            _ => None,
        };
        let (Some(id), Some(step), Some(tables)) = (text("id"), step, tables) else {
            return Err(Error::corrupt(ContentCode::MigrationDamaged, message!(messages::MIGRATION_DAMAGED)));
        };
        let report = Report {
            migration: Some(id.clone()),
            from: text("from").unwrap_or_default(),
            schema_version: text("schemaVersion").unwrap_or_default(),
            resumed: step > 0,
            tables,
        };
        let table = text("table").as_deref().and_then(LegacyTable::named);
        let done = record.fields.get("rows").and_then(Value::as_number).and_then(|rows| rows.to_i64());
        let done = done.and_then(|rows| usize::try_from(rows).ok()).unwrap_or_default();
        let place = table.map(|table| Place { table, position: text("position"), done });
        Ok(Self { id, step, place, report })
    }

    /// The mark of the records of the step that is under way.
    pub(super) fn mark(&self) -> Mark<'_> {
        Mark { migration: &self.id, step: self.step + 1 }
    }

    /// Ends a step: the counts of posts and the new position are one transaction. Its findings are written before that, and
    /// again if the step is repeated.
    pub(super) async fn advance(
        &mut self,
        content: &Content,
        options: &Options,
        done: &Done,
    ) -> Result<(), Error> {
        for (part, findings) in (0_i64..).zip(parts(&done.findings)?) {
            let fields = Item::from([
                (name!("migrationId"), self.id.as_str().into()),
                (name!("step"), (self.step + 1).into()),
                (name!("part"), part.into()),
                (name!("findings"), Value::L(findings)),
            ]);
            let entity = name!("MigrationFindings");
            let put = Operation::Put { entity, fields, expected_version: None, guards: Vec::new() };
            insist(content, options, vec![put]).await?;
        }
        let mut operations = vec![self.moved(content, "running")?];
        for (category, posts) in &done.posts {
            operations.push(Operation::Write(plan::count(content, category, *posts)?));
        }
        self.commit(content, options, operations).await
    }

    /// Marks the run as done.
    pub(super) async fn end(&mut self, content: &Content, options: &Options) -> Result<(), Error> {
        let operations = vec![self.moved(content, "done")?];
        self.commit(content, options, operations).await
    }

    /// After a lost response the record tells whether the step was taken.
    async fn commit(
        &mut self,
        content: &Content,
        options: &Options,
        operations: Vec<Operation>,
    ) -> Result<(), Error> {
        let mut attempt = 1;
        loop {
            let failed = match content.db.commit(operations.clone()).await {
                Ok(()) => break,
                Err(refusal) => refusal.error,
            };
            if attempt == ATTEMPTS || !is_passing(&failed) {
                return Err(failed);
            }
            (options.pause)(attempt).await;
            attempt += 1;
            match self.stored_step(content).await {
                Ok(Some(step)) if step == self.step + 1 => break,
                Ok(Some(step)) if step != self.step => {
                    return Err(Error::conflict(
                        ContentCode::MigrationTaken,
                        message!(messages::MIGRATION_TAKEN),
                    ));
                }
                _ => {}
            }
        }
        self.step += 1;
        Ok(())
    }

    async fn stored_step(&self, content: &Content) -> Result<Option<i64>, Error> {
        let key = Item::from([(name!("id"), self.id.as_str().into())]);
        let options = GetOptions { consistent: true, fields: None };
        let record = content.db.get("Migration", &key, &options).await?;
        Ok(record.and_then(|record| record.fields.get("step")?.as_number()?.to_i64()))
    }

    /// The write of the position, if no other process has moved it.
    fn moved(&self, content: &Content, state: &str) -> Result<Operation, Error> {
        let entity = content.db.entity("Migration")?;
        let key = write::key(entity, &Item::from([(name!("id"), self.id.as_str().into())]))?;
        let counts = to_item(&self.report.tables)
            .map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))?;
        let optional = |value: Option<&str>| value.map_or(Change::Remove, |text| Change::Set(text.into()));
        let place = self.place.as_ref();
        let rows = place.filter(|place| place.done > 0);
        let rows = rows.map_or(Change::Remove, |place| Change::Set(Value::from(place.done as i64)));
        let now = time(content.now());
        let mut changes: Vec<(Path, Change)> = vec![
            ((&name!("step")).into(), Change::Set((self.step + 1).into())),
            ((&name!("state")).into(), Change::Set(state.into())),
            ((&name!("table")).into(), optional(place.map(|place| place.table.name()))),
            ((&name!("position")).into(), optional(place.and_then(|place| place.position.as_deref()))),
            ((&name!("rows")).into(), rows),
            ((&name!("counts")).into(), Change::Set(Value::M(counts))),
            ((&name!("UpdatedAt")).into(), Change::Set(now.as_str().into())),
        ];
        if state == "done" {
            changes.push(((&name!("endedAt")).into(), Change::Set(now.into())));
        }
        let condition = Condition::unchanged(&name!("step"), Some(&self.step.into()));
        let taken = Error::conflict(ContentCode::MigrationTaken, message!(messages::MIGRATION_TAKEN));
        let guards = vec![Guard { condition, otherwise: Reason::Other(taken) }].into();
        Ok(Operation::Write(Write { key, action: Action::Update(changes), guards }))
    }

    /// Tells all findings of the run, those of the processes before this one included.
    pub(super) async fn findings(
        &self,
        content: &Content,
        found: &mut (dyn FnMut(&Finding) + Send),
    ) -> Result<(), Error> {
        let arguments = Item::from([(name!("migrationId"), self.id.as_str().into())]);
        let mut cursor = None;
        loop {
            let page = content
                .db
                .query("migrationFindings", arguments.clone(), Ask { cursor, ..Ask::default() })
                .await?;
            for record in &page.records {
                let Some(Value::L(findings)) = record.fields.get("findings") else { continue };
                for finding in findings {
                    if let Value::M(finding) = finding
                        && let Ok(finding) = from_item::<Finding>(finding)
                    {
                        found(&finding);
                    }
                }
            }
            match page.next {
                Some(next) => cursor = Some(next),
                None => return Ok(()),
            }
        }
    }
}

/// Commits writes that may be repeated.
async fn insist(content: &Content, options: &Options, operations: Vec<Operation>) -> Result<(), Error> {
    let mut attempt = 1;
    loop {
        match content.db.commit(operations.clone()).await.map_err(Error::from) {
            Err(error) if attempt < ATTEMPTS && is_passing(&error) => (options.pause)(attempt).await,
            other => return other,
        }
        attempt += 1;
    }
}

/// The bytes of findings of one item, which may have 400 KB.
const MAX_PART: usize = 300_000;

/// The findings of a step, in parts that fit into items.
fn parts(findings: &[Finding]) -> Result<Vec<Vec<Value>>, Error> {
    let (mut parts, mut size) = (Vec::<Vec<Value>>::new(), MAX_PART);
    for finding in findings {
        let item = to_item(finding).map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))?;
        // Maps and lists have a few bytes of their own for each value.
        let own = item_size(&item) + 16;
        if size + own > MAX_PART {
            parts.push(Vec::new());
            size = 0;
        }
        size += own;
        parts.last_mut().into_iter().for_each(|part| part.push(Value::M(item.clone())));
    }
    Ok(parts)
}

/// The last run on a source, if it was cut off.
async fn last(content: &Content, from: &str) -> Result<Option<Run>, Error> {
    let page = content.db.query("migrations", Item::new(), Ask::default()).await?;
    let last = page.records.iter().find(|record| record.text("from") == Some(from));
    last.filter(|record| record.text("state") == Some("running")).map(Run::of).transpose()
}

fn version(content: &Content) -> String {
    content.db.model().version.clone()
}
