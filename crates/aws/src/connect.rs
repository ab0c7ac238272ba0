//! Creates SDK clients from settings.

use std::fmt;
use std::time::Duration;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use hansang_core::StoreError;

use crate::retry::Retries;

/// Default connect timeout. Connecting takes milliseconds or fails.
const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Default timeout of an attempt. A large transaction or page takes a second or two.
const DEFAULT_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// A store in DynamoDB.
#[derive(Clone, Debug)]
pub struct DynamoDb {
    pub(crate) client: Client,
    pub(crate) retries: Retries,
    /// Endpoint and region for error messages.
    pub(crate) endpoint: String,
}

/// Settings of the clients. Missing ones come from the usual sources of AWS tools: environment variables, the
/// profile in `~/.aws`, the role of the machine.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Region, such as `ap-northeast-2`.
    pub region: Option<String>,
    /// Profile in `~/.aws/config` and `~/.aws/credentials`.
    pub profile: Option<String>,
    /// Endpoint URL, if not that of the region.
    pub endpoint_url: Option<String>,
    /// Access key.
    pub access_key: Option<AccessKey>,
    /// Connect timeout; 3 seconds by default.
    pub connect_timeout: Option<Duration>,
    /// Timeout of one attempt; 10 seconds by default.
    pub attempt_timeout: Option<Duration>,
    /// Maximum number of attempts; 8 by default.
    pub attempts: Option<u32>,
    /// Maximum pause before the second attempt, doubled with each; 25 ms by default.
    pub backoff: Option<Duration>,
}

/// An access key.
#[derive(Clone)]
pub struct AccessKey {
    /// Access key ID.
    pub id: String,
    /// Secret access key.
    pub secret: String,
}

impl fmt::Debug for AccessKey {
    /// Leaves the secret out, because debug output is logged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Configuration of a client.
pub(crate) struct Connection {
    pub(crate) config: SdkConfig,
    pub(crate) retries: Retries,
    /// Timeout of one attempt, without the time of a long poll.
    pub(crate) attempt: Duration,
    /// Endpoint and region for error messages.
    pub(crate) endpoint: String,
}

impl Connection {
    /// Loads the configuration of a service from settings and the usual sources.
    pub(crate) async fn from(settings: Settings, service: &str) -> Result<Self, StoreError> {
        let attempt = settings.attempt_timeout.unwrap_or(DEFAULT_ATTEMPT_TIMEOUT);
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(settings.connect_timeout.unwrap_or(DEFAULT_CONNECT_TIMEOUT))
            .operation_attempt_timeout(attempt)
            .build();
        let mut loader = aws_config::defaults(BehaviorVersion::latest()).timeout_config(timeouts);
        if let Some(region) = settings.region {
            loader = loader.region(Region::new(region));
        }
        if let Some(profile) = settings.profile {
            loader = loader.profile_name(profile);
        }
        if let Some(url) = settings.endpoint_url {
            loader = loader.endpoint_url(url);
        }
        if let Some(key) = settings.access_key {
            loader =
                loader.credentials_provider(Credentials::new(key.id, key.secret, None, None, "settings"));
        }
        let config = loader.load().await;
        let Some(region) = config.region() else {
            return Err(StoreError::unavailable(
                "no AWS region is set: set AWS_REGION, or a region in the profile",
            ));
        };
        let endpoint = match config.endpoint_url() {
            Some(url) => format!("{service} at {url} (region {region})"),
            None => format!("{service} in {region}"),
        };
        let usual = Retries::default();
        let retries = Retries {
            attempts: settings.attempts.unwrap_or(usual.attempts),
            base: settings.backoff.unwrap_or(usual.base),
        };
        Ok(Self { config, retries, attempt, endpoint })
    }
}

impl DynamoDb {
    /// Creates a client. Sends nothing yet.
    ///
    /// # Errors
    /// When no region can be found.
    pub async fn connect(settings: Settings) -> Result<Self, StoreError> {
        let Connection { config, retries, endpoint, .. } = Connection::from(settings, "DynamoDB").await?;
        Ok(Self { endpoint, ..Self::new(Client::new(&config), retries) })
    }

    /// The SDK client, for operations beyond the port. It does not retry.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Retries of the SDK are off: this crate knows which requests may be repeated.
    fn new(client: Client, retries: Retries) -> Self {
        let config = client.config().to_builder().retry_config(RetryConfig::disabled()).build();
        Self { client: Client::from_conf(config), retries, endpoint: "DynamoDB".to_owned() }
    }
}

impl From<Client> for DynamoDb {
    /// Wraps an existing client. Its own retries are switched off.
    fn from(client: Client) -> Self {
        Self::new(client, Retries::default())
    }
}
