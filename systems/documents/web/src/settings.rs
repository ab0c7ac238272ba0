//! The settings of documents.

use std::path::{Path, PathBuf};

use hansang_command::{Config, Failure, Password, Setting, ValkeyPlace};
use hansang_documents::MAX_FILE;
use hansang_documents_adapters::{LanguageModel, Limits, ModelSettings};
use jiff::SignedDuration;

/// The maximum number of documents that the built-in processor works on at once.
const MAX_PROCESSORS: usize = 64;
/// The maximum number of seconds of a lease.
const MAX_LEASE: i64 = 3600;

/// All settings.
pub(crate) const ALL: &[Setting] = &[
    Setting::new(
        "documents-files",
        "DIR",
        "",
        "The directory of files and of uploads that are not complete; below the data directory if it is empty",
    ),
    Setting::new(
        "documents-cache",
        "KIND",
        "none",
        "Where lists are cached: none, or memory for the memory of this process",
    ),
    Setting::new("documents-cache-mb", "N", "64", "The maximum size of a cache in memory"),
    Setting::new("documents-upload-mb", "N", "500", "The maximum size of an uploaded file, at most 500"),
    Setting::new(
        "documents-s3-bucket",
        "NAME",
        "",
        "The bucket in S3 for files, instead of a directory; uploads that are not complete stay in the directory",
    ),
    Setting::new(
        "documents-processors",
        "N",
        "1",
        "How many documents the built-in processor works on at once; 0 leaves all steps to other processors",
    ),
    Setting::new(
        "documents-lease-seconds",
        "N",
        "60",
        "How long a processor has a step without a sign of life before another one gets it, at most 3600",
    ),
    Setting::new("documents-memory-mb", "N", "1024", "The memory that reading one file may use"),
    Setting::new("documents-seconds", "N", "600", "The time that reading one file may take"),
    Setting::new("documents-pages", "N", "10000", "The pages, sheets or slides that are read of one file"),
    Setting::new(
        "documents-tesseract",
        "PATH",
        "tesseract",
        "The program that recognises text on pages without text",
    ),
    Setting::new(
        "documents-ocr-seconds",
        "N",
        "120",
        "The time that recognising the text of one page may take",
    ),
    Setting::new(
        "documents-answers-url",
        "URL",
        "",
        "An OpenAI-compatible API for summaries and answers, such as http://127.0.0.1:11434/v1; without one, \
         summaries are made of sentences and answers of passages",
    ),
    Setting::new("documents-answers-key", "TEXT", "", "The key of that API").secret(),
    Setting::new("documents-answers-model", "NAME", "", "The language model of that API"),
    Setting::new("documents-answers-seconds", "N", "60", "The time that an answer of that API may take"),
    Setting::new(
        "elasticache-endpoint",
        "HOST",
        "",
        "The Valkey or Redis that caches lists, as host or host:port, several with commas; it replaces documents-cache",
    ),
    Setting::new("elasticache-tls", "BOOL", "true", "Whether the cache is spoken to with TLS"),
    Setting::new("elasticache-cluster", "BOOL", "true", "Whether the endpoint is that of a cluster"),
    Setting::new("elasticache-user", "NAME", "", "The user of the cache"),
    Setting::new("elasticache-password", "TEXT", "", "The password of the cache").secret(),
    Setting::new(
        "elasticache-certificate",
        "FILE",
        "",
        "The certificates in PEM that sign that of the cache, instead of those of the machine",
    ),
];

/// Where lists are cached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CacheKind {
    /// Nowhere: each list is read from the store.
    None,
    /// In the memory of this process, at most this many bytes.
    Memory(u64),
    /// In Valkey or Redis.
    Valkey(ValkeyPlace),
}

impl CacheKind {
    /// The name for people and programs.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Memory(_) => "memory",
            Self::Valkey(_) => "valkey",
        }
    }
}

/// How the built-in processor works.
#[derive(Clone, Debug)]
pub(crate) struct Processing {
    /// How many documents are worked on at once.
    pub(crate) count: usize,
    /// What reading a file may use.
    pub(crate) limits: Limits,
    /// The program that recognises text.
    pub(crate) tesseract: PathBuf,
    /// The time that recognising the text of one page may take.
    pub(crate) ocr_seconds: u64,
}

/// The values of the settings.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The directory of files, of uploads that are not complete, and of the index.
    pub(crate) folder: PathBuf,
    /// Where lists are cached.
    pub(crate) cache: CacheKind,
    /// The bucket of files, instead of a directory.
    pub(crate) bucket: Option<String>,
    /// The maximum size of a file in bytes.
    pub(crate) max_file: i64,
    /// The time for which a processor has a step without a sign of life.
    pub(crate) lease: SignedDuration,
    /// How the built-in processor works.
    pub(crate) processing: Processing,
    /// The language model.
    pub(crate) model: Option<LanguageModel>,
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// The first invalid one.
    pub(crate) fn of(config: &Config) -> Result<Self, Failure> {
        let given = |name: &str| config.text(name).filter(|text| !text.is_empty());
        let below = Path::new(config.text("data").unwrap_or("hansang-data")).join("documents");
        let largest: u32 = config.need("documents-upload-mb", "a whole number of megabytes")?;
        let max_file = i64::from(largest) << 20;
        if !(1..=MAX_FILE).contains(&max_file) {
            return Err(Failure::usage(format!(
                "documents-upload-mb: `{largest}` is not from 1 to {}: change it",
                MAX_FILE >> 20
            )));
        }
        Ok(Self {
            folder: given("documents-files").map_or(below, PathBuf::from),
            bucket: given("documents-s3-bucket").map(str::to_owned),
            cache: cache(config)?,
            max_file,
            lease: lease(config)?,
            processing: processing(config)?,
            model: model(config)?,
        })
    }
}

fn cache(config: &Config) -> Result<CacheKind, Failure> {
    let given = |name: &str| config.text(name).filter(|text| !text.is_empty());
    let Some(endpoint) = given("elasticache-endpoint") else {
        let megabytes: u64 = config.need("documents-cache-mb", "a whole number of megabytes")?;
        return match config.text("documents-cache").unwrap_or("none") {
            "none" => Ok(CacheKind::None),
            "memory" => Ok(CacheKind::Memory(megabytes.saturating_mul(1024 * 1024))),
            other => Err(Failure::usage(format!(
                "documents-cache: `{other}` is no kind of cache: use none or memory"
            ))),
        };
    };
    let password = given("elasticache-password");
    if given("elasticache-user").is_some() && password.is_none() {
        return Err(Failure::usage("elasticache-user: give the password with --elasticache-password"));
    }
    Ok(CacheKind::Valkey(ValkeyPlace {
        nodes: endpoint.split(',').map(|node| node.trim().to_owned()).collect(),
        is_cluster: config.need("elasticache-cluster", "true or false")?,
        tls: config.need("elasticache-tls", "true or false")?,
        trusted: given("elasticache-certificate").map(PathBuf::from),
        user: given("elasticache-user").map(str::to_owned),
        password: password.map(|password| Password(password.to_owned())),
    }))
}

fn lease(config: &Config) -> Result<SignedDuration, Failure> {
    let seconds: i64 = config.need("documents-lease-seconds", "a whole number of seconds")?;
    if !(1..=MAX_LEASE).contains(&seconds) {
        return Err(Failure::usage(format!(
            "documents-lease-seconds: `{seconds}` is not from 1 to {MAX_LEASE}: change it"
        )));
    }
    Ok(SignedDuration::from_secs(seconds))
}

fn processing(config: &Config) -> Result<Processing, Failure> {
    let count: usize = config.need("documents-processors", "a whole number")?;
    if count > MAX_PROCESSORS {
        return Err(Failure::usage(format!(
            "documents-processors: `{count}` is not from 0 to {MAX_PROCESSORS}: change it"
        )));
    }
    Ok(Processing {
        count,
        limits: Limits {
            memory_mb: config.need("documents-memory-mb", "a whole number of megabytes")?,
            seconds: config.need("documents-seconds", "a whole number of seconds")?,
            pages: config.need("documents-pages", "a whole number")?,
            ..Limits::default()
        },
        tesseract: PathBuf::from(config.text("documents-tesseract").unwrap_or("tesseract")),
        ocr_seconds: config.need("documents-ocr-seconds", "a whole number of seconds")?,
    })
}

fn model(config: &Config) -> Result<Option<LanguageModel>, Failure> {
    let given = |name: &str| config.text(name).filter(|text| !text.is_empty());
    let Some(address) = given("documents-answers-url") else { return Ok(None) };
    let Some(model) = given("documents-answers-model") else {
        return Err(Failure::usage(
            "documents-answers-url: name the language model with --documents-answers-model",
        ));
    };
    let settings = ModelSettings {
        address: address.to_owned(),
        key: given("documents-answers-key").map(str::to_owned),
        model: model.to_owned(),
        seconds: config.need("documents-answers-seconds", "a whole number of seconds")?,
    };
    let opened = LanguageModel::new(settings);
    opened.map(Some).map_err(|problem| Failure::usage(format!("documents-answers-url: {problem}")))
}
