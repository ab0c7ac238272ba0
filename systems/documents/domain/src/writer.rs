//! Writing segments in bulk.
//!
//! Segments come in any number and are stored in transactions of up to 99, each of which renews the lease. Writing the same
//! segments again changes nothing, so a call that was interrupted is repeated as a whole.

use std::collections::{BTreeSet, VecDeque};

use futures_util::{Stream, StreamExt as _, pin_mut};
use hansang_core::db::Operation;
use hansang_core::plan::{Change, Path};
use hansang_core::value::to_item;
use hansang_core::{CoreCode, Error, Item, Name, Record, Value, message, name};
use serde::{Deserialize, Serialize};

use crate::claims::{Lease, held, lost};
use crate::edit::{ATTEMPTS, Check, busy, create, is_stale, optional, replace, set, strong, time, update};
use crate::segment::{NewSegment, Segment, SegmentText, check_index, segment_key};
use crate::step::{Step, StepStatus, find_step};
use crate::texts::{
    MAX_IN_ITEM, check_inside, delete_file, document_folder, size, stored_text, whole_segment,
};
use crate::{Documents, DocumentsCode, messages};

/// The maximum number of segments of one call.
pub const MAX_BULK: usize = 10_000;
/// The maximum number of segments of a transaction, beside the lease.
const MAX_BATCH: usize = 99;
/// The maximum bytes of the segments of a transaction, which may have 4 MB: the lease is one of its items.
const MAX_BATCH_BYTES: usize = 3_500_000;
/// The bytes of an item beside its fields: its keys.
const BESIDE_FIELDS: usize = 200;

/// The result of a bulk write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The number of segments.
    pub segments: usize,
}

/// Writes segments as they come, under a lease.
#[derive(Debug)]
pub struct SegmentWriter<'d> {
    documents: &'d Documents,
    lease: Lease,
    step: Step,
    batch: Vec<NewSegment>,
    numbers: BTreeSet<i64>,
    bytes: usize,
    written: Written,
}

/// Writes the segments of a stream. Those before an error are stored.
///
/// # Errors
/// `lease_lost`, `too_many_segments`, a segment that is wrong, or an error of the stream.
pub async fn write_segments(
    documents: &Documents,
    lease: &Lease,
    segments: impl Stream<Item = Result<NewSegment, Error>>,
) -> Result<Written, Error> {
    pin_mut!(segments);
    let mut writer = SegmentWriter::begin(documents, lease).await?;
    while let Some(segment) = segments.next().await {
        writer.push(segment?).await?;
    }
    writer.finish().await
}

impl<'d> SegmentWriter<'d> {
    /// Begins to write under a lease.
    ///
    /// # Errors
    /// `lease_lost`.
    pub async fn begin(documents: &'d Documents, lease: &Lease) -> Result<Self, Error> {
        let step = find_step(documents, &lease.workflow_id, lease.name).await?;
        let step = step.filter(|step| lease.holds(step) && step.status == StepStatus::InProgress);
        Ok(Self {
            documents,
            lease: lease.clone(),
            step: step.ok_or_else(lost)?,
            batch: Vec::new(),
            numbers: BTreeSet::new(),
            bytes: 0,
            written: Written::default(),
        })
    }

    /// Writes a segment, now or with those that follow.
    ///
    /// # Errors
    /// `lease_lost`, `too_many_segments`, or a segment that is wrong.
    pub async fn push(&mut self, segment: NewSegment) -> Result<(), Error> {
        if self.written.segments + self.batch.len() >= MAX_BULK {
            let message = message!(messages::TOO_MANY_SEGMENTS, MAX_BULK);
            return Err(Error::invalid(DocumentsCode::TooManySegments, message));
        }
        check(&self.step, &segment)?;
        let bytes = size(&given_text(&segment)).min(MAX_IN_ITEM);
        let is_full = self.batch.len() >= MAX_BATCH || self.bytes + bytes > MAX_BATCH_BYTES;
        if is_full || self.numbers.contains(&segment.segment_index) {
            self.flush().await?;
        }
        self.bytes += bytes;
        self.numbers.insert(segment.segment_index);
        self.batch.push(segment);
        Ok(())
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// `lease_lost`, or when the store or the files fail.
    pub async fn finish(mut self) -> Result<Written, Error> {
        self.flush().await?;
        self.documents.ring();
        Ok(self.written)
    }

    async fn flush(&mut self) -> Result<(), Error> {
        let batch = std::mem::take(&mut self.batch);
        self.numbers.clear();
        self.bytes = 0;
        let (mut rest, mut stored, mut attempts) = (&batch[..], VecDeque::new(), 0);
        while !rest.is_empty() {
            if stored.is_empty() {
                stored = self.stored(rest).await?;
            }
            let planned = self.plan(rest, &stored).await?;
            let Err(refusal) = self.documents.db.commit(planned.operations).await else {
                self.written.segments += planned.segments;
                forget(self.documents, &planned.replaced).await;
                rest = &rest[planned.segments..];
                drop(stored.drain(..planned.segments));
                attempts = 0;
                continue;
            };
            let error = refusal.error;
            let is_gone = error.code == CoreCode::NotFound;
            if error.code != CoreCode::OutcomeUnknown {
                forget(self.documents, &planned.files).await;
            }
            match refusal.operation {
                Some(0) if is_gone => return Err(lost()),
                _ if is_gone || is_stale(&error) => {}
                _ => return Err(error),
            }
            attempts += 1;
            if attempts == ATTEMPTS {
                return Err(busy());
            }
            stored.clear();
        }
        Ok(())
    }

    /// The stored segments with the numbers of a batch.
    async fn stored(&self, batch: &[NewSegment]) -> Result<VecDeque<Option<Record>>, Error> {
        let key = |segment: &NewSegment| segment_key(&self.lease.workflow_id, segment.segment_index);
        let keys: Vec<Item> = batch.iter().map(key).collect();
        Ok(self.documents.db.batch_get("Segment", &keys, &strong()).await?.into())
    }

    /// Plans the writes of the first segments of a batch from what is stored: as many as a transaction has room for, which
    /// counts all of an item that it changes.
    async fn plan(&self, batch: &[NewSegment], stored: &VecDeque<Option<Record>>) -> Result<Planned, Error> {
        let now = self.documents.now();
        let renewed = vec![
            set(name!("due_at"), time(now + self.documents.lease)),
            set(name!("heartbeat_at"), time(now)),
        ];
        let mut planned = Planned {
            operations: vec![update(name!("Step"), self.lease.key(), renewed, held(&self.lease))],
            segments: 0,
            files: Vec::new(),
            replaced: Vec::new(),
        };
        let folder = document_folder(&self.step.project_id, &self.step.document_id);
        let mut bytes = 0;
        for (new, record) in batch.iter().zip(stored) {
            let stored: Option<Segment> = record.as_ref().map(Record::typed).transpose()?;
            let mut fields = plain_fields(new);
            let (mut file, mut replaced) = (None, None);
            let given = given_text(new);
            if given != SegmentText::default() || new.blocks.is_some() {
                let old = match &stored {
                    Some(stored) => Some(whole_segment(self.documents, stored.clone()).await?),
                    None => None,
                };
                let text = merged(old.map(|old| old.text).unwrap_or_default(), given, new.blocks.is_some());
                let (text, text_ref) = stored_text(self.documents, &folder, new.segment_index, &text).await?;
                file.clone_from(&text_ref);
                replaced = stored.as_ref().and_then(|stored| stored.text_ref.clone());
                fields.extend(text_fields(&text, text_ref.as_deref())?);
            }
            bytes += size_after(record.as_ref(), &fields);
            if planned.segments > 0 && bytes > MAX_BATCH_BYTES {
                forget(self.documents, file.as_slice()).await;
                break;
            }
            let key = segment_key(&self.lease.workflow_id, new.segment_index);
            planned.operations.push(write(stored.is_some(), key, fields));
            planned.files.extend(file);
            planned.replaced.extend(replaced);
            planned.segments += 1;
        }
        Ok(planned)
    }
}

/// The bytes that an item has when its fields are written.
fn size_after(stored: Option<&Record>, fields: &[(Name, Option<Value>)]) -> usize {
    let field = |(name, value): (&Name, &Value)| name.len() + value.size();
    let written = fields.iter().filter_map(|(name, value)| value.as_ref().map(|value| (name, value)));
    let is_written = |name: &Name| fields.iter().any(|(other, _)| other == name);
    let kept = stored.into_iter().flat_map(|stored| &stored.fields).filter(|(name, _)| !is_written(name));
    written.map(field).sum::<usize>() + kept.map(field).sum::<usize>() + BESIDE_FIELDS
}

struct Planned {
    operations: Vec<Operation>,
    /// How many segments of the batch they write.
    segments: usize,
    /// Files that were stored for it.
    files: Vec<String>,
    /// Files that are no longer needed after it.
    replaced: Vec<String>,
}

/// The changes of a text of a segment, for the whole of it.
pub(crate) fn text_fields(
    text: &SegmentText,
    text_ref: Option<&str>,
) -> Result<Vec<(Name, Option<Value>)>, Error> {
    let texts = text.texts.iter().map(|(source, text)| (Name::from(&**source), Value::from(text.as_str())));
    let blocks = text.blocks.iter().map(|block| to_item(block).map(Value::M));
    let blocks: Result<Vec<Value>, _> = blocks.collect();
    let blocks = blocks.map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))?;
    Ok(vec![
        (name!("content"), text.content.as_deref().map(Value::from)),
        (name!("texts"), (!text.texts.is_empty()).then(|| Value::M(texts.collect()))),
        (name!("blocks"), (!blocks.is_empty()).then_some(Value::L(blocks))),
        (name!("text_ref"), text_ref.map(Value::from)),
    ])
}

/// A new segment, or a change of a stored one.
fn write(exists: bool, key: Item, fields: Vec<(Name, Option<Value>)>) -> Operation {
    if exists {
        let changes: Vec<(Path, Change)> =
            fields.into_iter().map(|(name, value)| replace(name, value)).collect();
        return update(name!("Segment"), key, changes, Vec::new());
    }
    let mut item = key;
    item.extend(fields.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))));
    create(name!("Segment"), item)
}

/// The fields of a segment that are given, beside its text.
fn plain_fields(new: &NewSegment) -> Vec<(Name, Option<Value>)> {
    let keywords =
        |words: &Vec<String>| Value::L(words.iter().map(|word| Value::from(word.as_str())).collect());
    let fields = [
        (name!("segment_type"), new.segment_type.map(|kind| kind.name().into())),
        (name!("title"), optional(new.title.as_deref())),
        (name!("s3_key"), optional(new.s3_key.as_deref())),
        (name!("image_uri"), optional(new.image_uri.as_deref())),
        (name!("image_key"), optional(new.image_key.as_deref())),
        (name!("image_width"), new.image_width.map(Value::from)),
        (name!("image_height"), new.image_height.map(Value::from)),
        (name!("language"), optional(new.language.as_deref())),
        (name!("keywords"), new.keywords.as_ref().map(keywords)),
    ];
    fields.into_iter().filter(|(_, value)| value.is_some()).collect()
}

fn given_text(new: &NewSegment) -> SegmentText {
    let blocks = new.blocks.clone().unwrap_or_default();
    SegmentText { content: new.content.clone(), texts: new.texts.clone(), blocks }
}

fn merged(mut text: SegmentText, given: SegmentText, replaces_blocks: bool) -> SegmentText {
    text.texts.extend(given.texts);
    if given.content.is_some() {
        text.content = given.content;
    }
    if replaces_blocks {
        text.blocks = given.blocks;
    }
    text
}

fn check(step: &Step, new: &NewSegment) -> Result<(), Error> {
    check_index(new.segment_index)?;
    if let Some(file) = &new.image_key {
        check_inside(&document_folder(&step.project_id, &step.document_id), file)?;
    }
    let mut check = Check::default();
    check.optional("title", new.title.as_deref(), 500);
    for source in new.texts.keys() {
        check.text("texts", source, 40);
    }
    for word in new.keywords.iter().flatten() {
        check.text("keywords", word, 100);
    }
    check.done()
}

/// Deletes files that nothing names. Those that are left are deleted with the document.
pub(crate) async fn forget(documents: &Documents, files: &[String]) {
    for file in files {
        if let Err(error) = delete_file(documents, Some(file)).await {
            tracing::warn!(%error, key = file, "a replaced text is left until its document is deleted");
        }
    }
}
