//! The table that a command works on, and the environment of a system's command.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use futures_util::future::BoxFuture;
use hansang_core::cache::Cache;
use hansang_core::db::Clock;
use hansang_core::files::Files;
use hansang_core::{Db, Model};

use crate::{Config, Failure};

/// Where the table is.
#[derive(Args, Clone, Debug)]
pub struct StoreArguments {
    /// What keeps the items
    #[arg(long, value_enum, default_value_t)]
    pub store: StoreKind,
    /// The data directory of the embedded store
    #[arg(long, value_name = "DIR", default_value = "hansang-data")]
    pub data: PathBuf,
    /// The environment, which is part of the table's name
    #[arg(long)]
    pub env: Option<String>,
    /// An endpoint that speaks DynamoDB, if not Amazon's
    #[arg(long, value_name = "URL")]
    pub endpoint_url: Option<String>,
    /// The AWS region
    #[arg(long)]
    pub region: Option<String>,
    /// The AWS profile
    #[arg(long)]
    pub profile: Option<String>,
}

/// The store that keeps the items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StoreKind {
    /// A directory of this machine
    #[default]
    Embedded,
    /// Amazon DynamoDB, or an endpoint that speaks its language
    Dynamodb,
}

/// The reason to open a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To fill it: only then is a missing data directory created.
    Fill,
    /// To read the whole of it.
    Look,
    /// To read and write single items, which a running server can do as well.
    Items,
}

/// Opens the table of a model.
pub type OpenTable = fn(Model, StoreArguments, Purpose) -> BoxFuture<'static, Result<Db, Failure>>;

/// Where the files of a system are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesPlace {
    /// A directory of this machine.
    Directory(PathBuf),
    /// A bucket in S3.
    Bucket(String),
}

/// Opens the files of a system, by its settings and those of the server.
pub type OpenFiles = for<'c> fn(&'c Config, FilesPlace) -> BoxFuture<'c, Result<Arc<dyn Files>, Failure>>;

/// Where a system caches.
#[derive(Clone, Debug)]
pub enum CachePlace {
    /// The memory of this process, at most about this many bytes, by this clock.
    Memory(u64, Clock),
    /// A server that speaks the language of Valkey and Redis.
    Valkey(ValkeyPlace),
}

/// A server that speaks the language of Valkey and Redis, or a cluster of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValkeyPlace {
    /// The server, or some nodes of the cluster: `host` or `host:port`.
    pub nodes: Vec<String>,
    /// Whether the nodes are those of a cluster.
    pub is_cluster: bool,
    /// Whether to speak TLS.
    pub tls: bool,
    /// The file with the certificates to trust instead of those of the machine, as PEM.
    pub trusted: Option<PathBuf>,
    /// The user; the default one if there is none.
    pub user: Option<String>,
    /// The password.
    pub password: Option<Password>,
}

/// A password, which debug output leaves out.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password")
    }
}

/// Opens a cache.
pub type OpenCache = fn(CachePlace) -> BoxFuture<'static, Result<Arc<dyn Cache>, Failure>>;

/// The environment of a command: the stores that the program was built with, and the clock.
#[derive(Clone, Debug)]
pub struct Context {
    /// The clock, with its source of randomness.
    pub clock: Clock,
    /// Opens the table of a model in the store that the arguments name.
    pub open_table: OpenTable,
    /// Opens the files of a system.
    pub open_files: OpenFiles,
    /// Opens a cache.
    pub open_cache: OpenCache,
}
