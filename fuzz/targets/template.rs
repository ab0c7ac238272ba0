//! Any key is that of at most one entity, and the fields read out of it render to the same key.
#![no_main]

use std::sync::LazyLock;

use hansang_core::identify::{Identity, identify};
use hansang_core::{Model, compile};
use libfuzzer_sys::fuzz_target;

static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| {
    [
        include_bytes!("../../models/content.yaml").as_slice(),
        include_bytes!("../../models/ledger.yaml"),
        include_bytes!("../../models/entry.yaml"),
        include_bytes!("../../models/documents.yaml"),
        include_bytes!("../../models/contracts.yaml"),
    ]
    .into_iter()
    .map(|source| compile(source).unwrap())
    .collect()
});

fuzz_target!(|keys: (&str, &str)| {
    let (pk, sk) = keys;
    for model in &*MODELS {
        let owners = model.entities.iter().filter(|one| one.pk.parse(pk).is_some() && one.sk.parse(sk).is_some());
        assert!(owners.count() <= 1, "{pk} / {sk}");
        if let Some(Identity::Entity { entity, fields }) = identify(model, pk, sk) {
            assert_eq!(entity.pk.render(&fields), Ok(Some(pk.to_owned())));
            assert_eq!(entity.sk.render(&fields), Ok(Some(sk.to_owned())));
        }
    }
});
