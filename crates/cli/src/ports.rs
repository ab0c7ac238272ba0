//! The store and the queue of a process: the configured ones, or those that a running server lends.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use futures_util::future::BoxFuture;
use hansang_aws::{DynamoDb, S3, Settings, Sqs};
use hansang_command::{CachePlace, Config, Connection, Failure, FilesPlace};
use hansang_core::cache::Cache;
use hansang_core::files::Files;
use hansang_core::{Error, Queue, Store};
use hansang_embedded::{Directory, Embedded, MemoryCache, Options, QueueSettings};
use hansang_remote::Lender;
use hansang_server::QueueSpec;
use hansang_valkey::{Login, Valkey};

use crate::target::now;

/// The server that lends its ports, instead of a configured store and queue.
#[derive(Args)]
pub(crate) struct LenderArguments {
    /// A running `hansang serve --lend-ports` whose store and queue to use
    #[arg(long, value_name = "URL", env = "HANSANG_SERVER", conflicts_with_all =
        ["store", "data", "endpoint-url", "sqs-endpoint-url", "region", "profile"])]
    server: Option<String>,
    /// Who you are to the server: an administrator of every system
    #[arg(long, env = "HANSANG_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// A store, and a way to open queues.
pub(crate) struct Ports {
    pub(crate) store: Arc<dyn Store>,
    /// The embedded store, if it is in this process, for its maintenance.
    pub(crate) embedded: Option<Embedded>,
    /// Whether a server lends them.
    pub(crate) lent: bool,
    lender: Option<Lender>,
}

impl Ports {
    /// The ports of a server if one is named, otherwise the configured ones.
    pub(crate) async fn open(config: &Config, server: &LenderArguments) -> Result<Self, Failure> {
        // An empty variable counts as unset.
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        if let Some(url) = given(&server.server) {
            let lender = Connection::new(&url, given(&server.token).as_deref())?.lender();
            let store = Arc::new(lender.store());
            return Ok(Self { store, embedded: None, lent: true, lender: Some(lender) });
        }
        let (store, embedded) = open_store(config).await?;
        Ok(Self { store, embedded, lent: false, lender: None })
    }

    /// The queue of a system.
    pub(crate) async fn queue(&self, config: &Config, spec: QueueSpec) -> Result<Arc<dyn Queue>, Failure> {
        if let Some(lender) = &self.lender {
            return Ok(Arc::new(lender.queue(queue_name(spec, config.text("env")))));
        }
        open_queue(config, self.embedded.as_ref(), spec).await?.ok_or_else(|| {
            Failure::usage(
                "beside a DynamoDB that is not Amazon's, say where the queue is: --sqs-endpoint-url",
            )
        })
    }
}

/// The name of a queue in an environment.
pub(crate) fn queue_name(spec: QueueSpec, env: Option<&str>) -> String {
    env.map_or_else(|| spec.name.to_owned(), |env| format!("{}-{env}", spec.name))
}

/// The configured store, also as the embedded one if it is in this process.
pub(crate) async fn open_store(config: &Config) -> Result<(Arc<dyn Store>, Option<Embedded>), Failure> {
    match config.text("store") {
        Some("embedded") => {
            let data: PathBuf = config.need("data", "a directory")?;
            let store = Embedded::open(data, Options::new(Arc::new(now)))?;
            Ok((Arc::new(store.clone()), Some(store)))
        }
        Some("dynamodb") => Ok((Arc::new(DynamoDb::connect(amazon(config, "endpoint-url")).await?), None)),
        other => {
            let other = other.unwrap_or_default();
            Err(Failure::usage(format!("`store` must be embedded or dynamodb, and is `{other}`")))
        }
    }
}

/// Opens the queue of the store: in its directory, or SQS beside DynamoDB. Returns `None` for another endpoint than
/// Amazon's without `sqs-endpoint-url`, so that tests on it never use Amazon's queue.
pub(crate) async fn open_queue(
    config: &Config,
    embedded: Option<&Embedded>,
    spec: QueueSpec,
) -> Result<Option<Arc<dyn Queue>>, Failure> {
    let (queue, max_attempts) = (&*queue_name(spec, config.text("env")), spec.max_attempts);
    if let Some(store) = embedded {
        return Ok(Some(store.queue(queue, QueueSettings { max_attempts })));
    }
    if config.text("endpoint-url").is_some() && config.text("sqs-endpoint-url").is_none() {
        return Ok(None);
    }
    let settings = amazon(config, "sqs-endpoint-url");
    Ok(Some(Arc::new(Sqs::connect(settings, queue, max_attempts).await.map_err(Error::from)?)))
}

/// Opens the cache of a system.
pub(crate) fn open_cache(place: CachePlace) -> BoxFuture<'static, Result<Arc<dyn Cache>, Failure>> {
    Box::pin(async move {
        let place = match place {
            CachePlace::Memory(max_bytes, clock) => {
                let now = Arc::new(move || clock.moment().now);
                return Ok(Arc::new(MemoryCache::new(max_bytes, now)) as Arc<dyn Cache>);
            }
            CachePlace::Valkey(place) => place,
        };
        let trusted = place.trusted.as_deref().map(|file| {
            std::fs::read(file).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
        });
        let mut settings = hansang_valkey::Settings::new("");
        settings.nodes = place.nodes;
        settings.is_cluster = place.is_cluster;
        settings.tls = place.tls;
        settings.trusted = trusted.transpose()?;
        settings.login = place.password.map(|password| Login { user: place.user, password: password.0 });
        let cache = Valkey::connect(settings).await.map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Arc::new(cache) as Arc<dyn Cache>)
    })
}

/// Opens the files of a system. Beside another endpoint than Amazon's, a bucket needs `s3-endpoint-url`, so that tests on
/// it never use Amazon's buckets.
pub(crate) fn open_files(
    config: &Config,
    place: FilesPlace,
) -> BoxFuture<'_, Result<Arc<dyn Files>, Failure>> {
    Box::pin(async move {
        match place {
            FilesPlace::Directory(directory) => Ok(Arc::new(Directory::new(&directory)) as Arc<dyn Files>),
            FilesPlace::Bucket(_)
                if config.text("endpoint-url").is_some() && config.text("s3-endpoint-url").is_none() =>
            {
                Err(Failure::usage(
                    "beside a DynamoDB that is not Amazon's, say where the files are: --s3-endpoint-url",
                ))
            }
            FilesPlace::Bucket(bucket) => {
                Ok(Arc::new(S3::connect(amazon(config, "s3-endpoint-url"), &bucket).await?) as Arc<dyn Files>)
            }
        }
    })
}

fn amazon(config: &Config, endpoint: &str) -> Settings {
    let text = |name: &str| config.text(name).map(str::to_owned);
    Settings {
        region: text("region"),
        profile: text("profile"),
        endpoint_url: text(endpoint),
        ..Settings::default()
    }
}
