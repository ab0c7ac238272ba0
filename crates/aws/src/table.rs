//! Tables: made, brought up to the model, described.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    Projection as SdkProjection, ProjectionType, ScalarAttributeType, StreamSpecification, StreamViewType,
};
use hansang_core::StoreError;
use hansang_core::model::{Index, Projection, Table};

use crate::DynamoDb;
use crate::batch::unbuilt;
use crate::error::failure;

pub(crate) async fn ensure(db: &DynamoDb, table: &Table) -> Result<(), StoreError> {
    create(db, table).await
}

/// Makes the table.
async fn create(db: &DynamoDb, table: &Table) -> Result<(), StoreError> {
    let indexes: Vec<_> = table.indexes.iter().map(index).collect::<Result<_, _>>()?;
    let mut request = db
        .client
        .create_table()
        .table_name(&table.name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(Some(key_schema(&table.pk, Some(&table.sk))?))
        .set_attribute_definitions(Some(definitions(table)?))
        .set_global_secondary_indexes((!indexes.is_empty()).then_some(indexes));
    if table.streams {
        request = request.stream_specification(
            StreamSpecification::builder()
                .stream_enabled(true)
                .stream_view_type(StreamViewType::NewAndOldImages)
                .build()
                .map_err(unbuilt)?,
        );
    }
    db.retries
        .run(true, || async {
            match request.clone().send().await {
                Ok(_) => Ok(()),
                Err(error) => Err(failure(&db.place, error)),
            }
        })
        .await
        .of_write(|_| false)
}

fn index(index: &Index) -> Result<GlobalSecondaryIndex, StoreError> {
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
    [Some((pk, KeyType::Hash)), sk.map(|sk| (sk, KeyType::Range))]
        .into_iter()
        .flatten()
        .map(|(name, kind)| {
            KeySchemaElement::builder().attribute_name(name).key_type(kind).build().map_err(unbuilt)
        })
        .collect()
}

/// The types of all key attributes, each once: DynamoDB refuses one that is no key.
fn definitions(table: &Table) -> Result<Vec<AttributeDefinition>, StoreError> {
    let mut kinds = BTreeMap::from([(&table.pk, false), (&table.sk, false)]);
    for index in &table.indexes {
        kinds.insert(&index.pk, index.pk_numeric);
        if let Some(sk) = &index.sk {
            kinds.insert(sk, index.sk_numeric);
        }
    }
    kinds
        .into_iter()
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
