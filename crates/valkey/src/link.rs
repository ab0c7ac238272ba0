//! Connections to one server or a cluster.

use std::sync::Arc;
use std::time::Duration;

use hansang_core::cache::CacheError;
use redis::aio::MultiplexedConnection;
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::cluster_async::ClusterConnection;
use redis::{
    AsyncConnectionConfig, Cmd, ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _, RedisConnectionInfo,
    RedisError, RedisResult, TlsCertificates, Value,
};
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::aws_lc_rs;

use crate::settings::{Settings, host_and_port};

/// The part of the time to connect to a cluster that one node may take. The client asks all nodes, then those that it
/// learns of, and one that hangs must not use up the time of the others.
const NODE_SHARE: u32 = 5;

/// What opens connections.
pub(crate) struct Client {
    kind: Kind,
    /// The time in which a connection must be made.
    limit: Duration,
    /// The nodes, for messages.
    pub(crate) nodes: String,
}

enum Kind {
    Single(Box<redis::Client>, AsyncConnectionConfig),
    Cluster(Box<ClusterClient>),
}

/// A connection, shared by all callers.
#[derive(Clone)]
pub(crate) enum Link {
    Single(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Client {
    /// Reads the settings. Connects to nothing.
    pub(crate) fn new(settings: &Settings) -> Result<Self, CacheError> {
        if settings.tls {
            // The client uses the provider of the process. One that was installed before stays.
            let _ = aws_lc_rs::default_provider().install_default();
        }
        let infos: Vec<ConnectionInfo> =
            settings.nodes.iter().map(|node| info(settings, node)).collect::<Result<_, _>>()?;
        let kind = match (&infos[..], settings.is_cluster) {
            ([], _) => {
                return Err(invalid("no node of the cache is named: name one as host:port".to_owned()));
            }
            ([info], false) => Kind::Single(Box::new(single(settings, info)?), config(settings)),
            (_, false) => {
                return Err(invalid(
                    "only a cluster has several nodes: name one server as host:port".to_owned(),
                ));
            }
            (_, true) => Kind::Cluster(Box::new(cluster(settings, infos)?)),
        };
        Ok(Self { kind, limit: settings.connect_limit, nodes: settings.nodes.join(", ") })
    }

    /// Connects, and waits for an answer.
    pub(crate) async fn open(&self) -> Result<Link, CacheError> {
        let opening = async {
            let link = match &self.kind {
                Kind::Single(client, config) => {
                    Link::Single(client.get_multiplexed_async_connection_with_config(config).await?)
                }
                Kind::Cluster(client) => Link::Cluster(client.get_async_connection().await?),
            };
            link.clone().send(&redis::cmd("PING")).await.map(|_| link)
        };
        match timeout(self.limit, opening).await {
            Ok(Ok(link)) => Ok(link),
            Ok(Err(error)) => Err(self.failed(error)),
            Err(_) => Err(CacheError::Slow),
        }
    }

    /// The error of a command or connection.
    pub(crate) fn failed(&self, error: RedisError) -> CacheError {
        let message = format!(
            "the cache at {} cannot be used: check its address, TLS, the login and the network",
            self.nodes
        );
        CacheError::Failed { message, source: Some(Arc::new(error)) }
    }
}

impl Link {
    pub(crate) async fn send(&mut self, command: &Cmd) -> RedisResult<Value> {
        match self {
            Self::Single(connection) => command.query_async(connection).await,
            Self::Cluster(connection) => command.query_async(connection).await,
        }
    }
}

fn info(settings: &Settings, node: &str) -> Result<ConnectionInfo, CacheError> {
    let wrong = || invalid(format!("`{node}` is no address of a cache: write it as host:port"));
    let (host, port) = host_and_port(node).ok_or_else(wrong)?;
    let address = if settings.tls {
        ConnectionAddr::TcpTls { host, port, insecure: false, tls_params: None }
    } else {
        ConnectionAddr::Tcp(host, port)
    };
    let mut login = RedisConnectionInfo::default();
    if let Some(given) = &settings.login {
        login = login.set_password(&given.password);
        if let Some(user) = &given.user {
            login = login.set_username(user);
        }
    }
    Ok(address.into_connection_info().map_err(|_| wrong())?.set_redis_settings(login))
}

fn certificates(settings: &Settings) -> Option<TlsCertificates> {
    let trusted = settings.trusted.clone().filter(|_| settings.tls)?;
    Some(TlsCertificates { client_tls: None, root_cert: Some(trusted) })
}

fn single(settings: &Settings, info: &ConnectionInfo) -> Result<redis::Client, CacheError> {
    match certificates(settings) {
        Some(trusted) => redis::Client::build_with_tls(info.clone(), trusted),
        None => redis::Client::open(info.clone()),
    }
    .map_err(unreadable)
}

fn config(settings: &Settings) -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(Some(settings.connect_limit))
        .set_response_timeout(Some(settings.answer_limit))
}

fn cluster(settings: &Settings, infos: Vec<ConnectionInfo>) -> Result<ClusterClient, CacheError> {
    let mut builder = ClusterClientBuilder::new(infos)
        .connection_timeout(settings.connect_limit / NODE_SHARE)
        .response_timeout(settings.answer_limit)
        .retries(3)
        .min_retry_wait(1)
        .max_retry_wait(10);
    if let Some(trusted) = certificates(settings) {
        builder = builder.certs(trusted);
    }
    builder.build().map_err(unreadable)
}

fn unreadable(error: RedisError) -> CacheError {
    let message = "the settings of the cache are invalid: check the certificates to trust and the login";
    CacheError::Failed { message: message.to_owned(), source: Some(Arc::new(error)) }
}

fn invalid(message: String) -> CacheError {
    CacheError::Failed { message, source: None }
}
