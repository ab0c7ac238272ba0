//! Reading segments, and what completing a step checks of them.

use hansang_core::db::{Ask, TypedListing};
use hansang_core::{Error, Item, Value, name};

use crate::Documents;
use crate::claims::Lease;
use crate::edit::{PAGE, check_id, commit, erase, key, load, page};
use crate::ends::check_lease;
use crate::segment::{MAX_SEGMENT_INDEX, Segment, check_index, segment_key, unknown_segment};
use crate::texts::whole_segment;

/// Finds a segment, with its whole text.
///
/// # Errors
/// `segment_out_of_range` or `segment_unknown`.
pub async fn segment(documents: &Documents, workflow_id: &str, index: i64) -> Result<Segment, Error> {
    check_id("workflow_id", workflow_id)?;
    check_index(index)?;
    let found = load(documents, &segment_key(workflow_id, index)).await?;
    whole_segment(documents, found.ok_or_else(|| unknown_segment(index))?).await
}

/// The segments of a workflow, in order unless the other direction is asked for, from a number on. A page costs the same
/// wherever it is. A text in a file is only its beginning here: see [`whole_segment`].
///
/// # Errors
/// A wrong cursor, limit or number.
pub async fn segments(
    documents: &Documents,
    workflow_id: &str,
    from: Option<i64>,
    ask: Ask,
) -> Result<TypedListing<Segment>, Error> {
    check_id("workflow_id", workflow_id)?;
    let mut arguments = key([(name!("workflow_id"), workflow_id)]);
    if let Some(from) = from {
        check_index(from)?;
        arguments.insert(name!("from"), from.into());
    }
    page(documents, "segmentsOfWorkflow", arguments, ask).await
}

/// The first number below a total that has no segment.
pub(crate) async fn first_missing(
    documents: &Documents,
    workflow_id: &str,
    total: i64,
) -> Result<Option<i64>, Error> {
    let mut wanted = 0;
    let mut cursor = None;
    while wanted < total {
        let page = numbers(documents, key([(name!("workflow_id"), workflow_id)]), 1000, cursor).await?;
        for index in page.0 {
            if index != wanted {
                return Ok(Some(wanted).filter(|wanted| *wanted < total));
            }
            wanted += 1;
        }
        match page.1 {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    Ok(Some(wanted).filter(|wanted| *wanted < total))
}

/// Deletes the segments from a number on, which an older attempt may have left.
pub(crate) async fn drop_surplus(documents: &Documents, lease: &Lease, total: i64) -> Result<(), Error> {
    if !(0..=MAX_SEGMENT_INDEX).contains(&total) {
        return Ok(());
    }
    let mut arguments = key([(name!("workflow_id"), &*lease.workflow_id)]);
    arguments.insert(name!("from"), total.into());
    loop {
        let (surplus, _) = numbers(documents, arguments.clone(), PAGE - 1, None).await?;
        if surplus.is_empty() {
            return Ok(());
        }
        let mut operations = vec![check_lease(lease)];
        for index in surplus {
            operations.push(erase(documents, "Segment", &segment_key(&lease.workflow_id, index))?);
        }
        commit(documents, operations).await?;
    }
}

async fn numbers(
    documents: &Documents,
    arguments: Item,
    limit: u32,
    cursor: Option<String>,
) -> Result<(Vec<i64>, Option<String>), Error> {
    let ask = Ask {
        limit: Some(limit),
        consistent: Some(true),
        fields: Some(vec!["segment_index".to_owned()]),
        cursor,
        descending: None,
    };
    let listing = documents.db.query("segmentsOfWorkflow", arguments, ask).await?;
    let number = |value: &Value| value.as_number().and_then(hansang_core::number::Number::to_i64);
    let numbers = listing.records.iter().filter_map(|record| number(record.fields.get("segment_index")?));
    Ok((numbers.collect(), listing.next))
}
