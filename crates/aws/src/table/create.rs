//! Requests that create a table and its indexes.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection as SdkProjection, ProjectionType,
    ProvisionedThroughput, ScalarAttributeType, StreamSpecification, StreamViewType, TableDescription, Tag,
};
use hansang_core::StoreError;
use hansang_core::model::{Index, Projection, Table};
use hansang_core::value::Name;

use crate::DynamoDb;
use crate::batch::unbuilt;
use crate::error::failure;

/// Creates the table, unless another process just did.
pub(super) async fn table(db: &DynamoDb, table: &Table) -> Result<(), StoreError> {
    let indexes: Vec<_> = table.indexes.iter().map(global).collect::<Result<_, _>>()?;
    let tags = tags(table)?;
    let request = db
        .client
        .create_table()
        .table_name(&table.name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(Some(key_schema(&table.pk, Some(&table.sk))?))
        .set_attribute_definitions(Some(definitions(keys(table))?))
        .set_global_secondary_indexes((!indexes.is_empty()).then_some(indexes))
        .set_stream_specification(table.streams.then(stream).transpose()?)
        .set_tags((!tags.is_empty()).then_some(tags));
    let tried = db.retries.run(true, || async {
        request.clone().send().await.map(drop).map_err(|error| failure(&db.endpoint, error))
    });
    in_use_is_done(tried.await.result)
}

/// Starts to add one index to a table.
pub(super) async fn index(
    db: &DynamoDb,
    table: &Table,
    index: &Index,
    found: &TableDescription,
) -> Result<(), StoreError> {
    let action = CreateGlobalSecondaryIndexAction::builder()
        .index_name(&*index.name)
        .set_key_schema(Some(key_schema(&index.pk, index.sk.as_deref())?))
        .projection(projection(&index.projection))
        .set_provisioned_throughput(throughput(found)?)
        .build()
        .map_err(unbuilt)?;
    let request = db
        .client
        .update_table()
        .table_name(&table.name)
        .set_attribute_definitions(Some(definitions(index_keys(index).collect())?))
        .global_secondary_index_updates(GlobalSecondaryIndexUpdate::builder().create(action).build());
    let tried = db.retries.run(true, || async {
        request.clone().send().await.map(drop).map_err(|error| failure(&db.endpoint, error))
    });
    in_use_is_done(tried.await.result)
}

/// A table with provisioned throughput needs one for each index: the same as the table.
fn throughput(found: &TableDescription) -> Result<Option<ProvisionedThroughput>, StoreError> {
    let fixed = |units: Option<i64>| units.filter(|units| *units > 0);
    let Some(stored) = found.provisioned_throughput() else { return Ok(None) };
    match (fixed(stored.read_capacity_units), fixed(stored.write_capacity_units)) {
        (Some(read), Some(write)) => {
            let builder = ProvisionedThroughput::builder();
            let built = builder.read_capacity_units(read).write_capacity_units(write).build();
            built.map(Some).map_err(unbuilt)
        }
        _ => Ok(None),
    }
}

/// A table in use is being created or changed: its final state is checked later.
pub(super) fn in_use_is_done(result: Result<(), StoreError>) -> Result<(), StoreError> {
    match result {
        Err(StoreError::Conflict) => Ok(()),
        other => other,
    }
}

/// Stream with old and new images.
pub(super) fn stream() -> Result<StreamSpecification, StoreError> {
    StreamSpecification::builder()
        .stream_enabled(true)
        .stream_view_type(StreamViewType::NewAndOldImages)
        .build()
        .map_err(unbuilt)
}

/// Tags of the model.
pub(super) fn tags(table: &Table) -> Result<Vec<Tag>, StoreError> {
    let tag = |(key, value): &(String, String)| Tag::builder().key(key).value(value).build().map_err(unbuilt);
    table.tags.iter().map(tag).collect()
}

/// Key attributes of an index, and whether they are numeric.
pub(super) fn index_keys(index: &Index) -> impl Iterator<Item = (&Name, bool)> {
    let sk = index.sk.as_ref().map(|sk| (sk, index.sk_numeric));
    std::iter::once((&index.pk, index.pk_numeric)).chain(sk)
}

/// Key attributes of the table and its indexes, and whether they are numeric.
fn keys(table: &Table) -> Vec<(&Name, bool)> {
    let own = [(&table.pk, false), (&table.sk, false)];
    own.into_iter().chain(table.indexes.iter().flat_map(index_keys)).collect()
}

fn global(index: &Index) -> Result<GlobalSecondaryIndex, StoreError> {
    GlobalSecondaryIndex::builder()
        .index_name(&*index.name)
        .set_key_schema(Some(key_schema(&index.pk, index.sk.as_deref())?))
        .projection(projection(&index.projection))
        .build()
        .map_err(unbuilt)
}

fn projection(projection: &Projection) -> SdkProjection {
    let builder = SdkProjection::builder();
    match projection {
        Projection::All => builder.projection_type(ProjectionType::All),
        Projection::Keys => builder.projection_type(ProjectionType::KeysOnly),
        Projection::Include(names) => builder
            .projection_type(ProjectionType::Include)
            .set_non_key_attributes(Some(names.iter().map(ToString::to_string).collect())),
    }
    .build()
}

fn key_schema(pk: &str, sk: Option<&str>) -> Result<Vec<KeySchemaElement>, StoreError> {
    let element = |(name, kind)| {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build().map_err(unbuilt)
    };
    let parts = [Some((pk, KeyType::Hash)), sk.map(|sk| (sk, KeyType::Range))];
    parts.into_iter().flatten().map(element).collect()
}

/// Types of key attributes, each once: DynamoDB refuses duplicates and other attributes.
fn definitions(mut keys: Vec<(&Name, bool)>) -> Result<Vec<AttributeDefinition>, StoreError> {
    keys.sort();
    keys.dedup();
    keys.into_iter()
        .map(|(name, numeric)| {
            let kind = if numeric { ScalarAttributeType::N } else { ScalarAttributeType::S };
            AttributeDefinition::builder()
                .attribute_name(&**name)
                .attribute_type(kind)
                .build()
                .map_err(unbuilt)
        })
        .collect()
}
