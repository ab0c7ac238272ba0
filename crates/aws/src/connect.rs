//! Clients from settings, and where they leave something out, from the usual places.

use std::fmt;
use std::time::Duration;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use hansang_core::StoreError;

use crate::retry::Retries;

/// Connecting takes milliseconds or never works: a short limit finds a dead endpoint early.
const CONNECT: Duration = Duration::from_secs(3);

/// AWS answers in milliseconds, a large transaction or page in a second or two.
const ATTEMPT: Duration = Duration::from_secs(10);

/// Tables in DynamoDB.
#[derive(Clone, Debug)]
pub struct DynamoDb {
    pub(crate) client: Client,
    pub(crate) retries: Retries,
    /// The endpoint and region, as error messages name them.
    pub(crate) place: String,
}

/// Where DynamoDB and SQS are and how to talk to them. What is left out comes from where every AWS tool looks:
/// environment variables, the profile in `~/.aws`, the role of the machine.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The region, such as `ap-northeast-2`.
    pub region: Option<String>,
    /// The profile of `~/.aws/config` and `~/.aws/credentials`.
    pub profile: Option<String>,
    /// Another endpoint than that of the region, such as one that runs on this machine.
    pub endpoint_url: Option<String>,
    /// The key to sign with.
    pub access_key: Option<AccessKey>,
    /// How long connecting may take: 3 seconds if left out.
    pub connect_timeout: Option<Duration>,
    /// How long one attempt may take: 10 seconds if left out.
    pub attempt_timeout: Option<Duration>,
    /// How often something is tried at most: 8 times if left out.
    pub attempts: Option<u32>,
    /// The longest pause before the second attempt, which doubles with each: 25 ms if left out.
    pub backoff: Option<Duration>,
}

/// A key to sign requests with.
#[derive(Clone)]
pub struct AccessKey {
    /// The public part.
    pub id: String,
    /// The secret part.
    pub secret: String,
}

impl fmt::Debug for AccessKey {
    /// Without the secret, which would end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What every client is made of.
pub(crate) struct Connection {
    pub(crate) config: SdkConfig,
    pub(crate) retries: Retries,
    /// How long one attempt may take, without what it is told to wait.
    pub(crate) attempt: Duration,
    /// The endpoint and region, as error messages name them.
    pub(crate) place: String,
}

impl Connection {
    /// What the settings say, and the usual places where they say nothing, for this service.
    pub(crate) async fn from(settings: Settings, service: &str) -> Result<Self, StoreError> {
        let attempt = settings.attempt_timeout.unwrap_or(ATTEMPT);
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(settings.connect_timeout.unwrap_or(CONNECT))
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
        let place = match config.endpoint_url() {
            Some(url) => format!("{service} at {url} (region {region})"),
            None => format!("{service} in {region}"),
        };
        let usual = Retries::default();
        let retries = Retries {
            attempts: settings.attempts.unwrap_or(usual.attempts),
            base: settings.backoff.unwrap_or(usual.base),
        };
        Ok(Self { config, retries, attempt, place })
    }
}

impl DynamoDb {
    /// A client from settings. Nothing is sent yet.
    ///
    /// # Errors
    /// When no region can be found.
    pub async fn connect(settings: Settings) -> Result<Self, StoreError> {
        let Connection { config, retries, place, .. } = Connection::from(settings, "DynamoDB").await?;
        Ok(Self { place, ..Self::new(Client::new(&config), retries) })
    }

    /// The client of the SDK, for what the port leaves out. It retries nothing.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The client retries nothing itself: only here it is known what a second attempt may do.
    fn new(client: Client, retries: Retries) -> Self {
        let config = client.config().to_builder().retry_config(RetryConfig::disabled()).build();
        Self { client: Client::from_conf(config), retries, place: "DynamoDB".to_owned() }
    }
}

impl From<Client> for DynamoDb {
    /// A client that was made elsewhere; its own retries are switched off.
    fn from(client: Client) -> Self {
        Self::new(client, Retries::default())
    }
}
