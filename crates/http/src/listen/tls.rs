//! Certificates from files, reloadable while the server runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{HttpCode, messages};
use arc_swap::ArcSwap;
use hansang_core::{Error, Message, message};
use rustls_pki_types::pem::{Error as PemError, PemObject as _};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::{Error as TlsError, ServerConfig};
use tokio_rustls::server::TlsStream;

/// The certificate of the server and its key. All clones share them.
#[derive(Clone, Debug)]
pub struct Tls(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    certificate: PathBuf,
    key: PathBuf,
    config: ArcSwap<ServerConfig>,
}

impl Tls {
    /// Reads a certificate with its chain and its private key, both as PEM.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is invalid, or if the key does not match the certificate.
    pub fn load(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, Error> {
        let (certificate, key) = (certificate.into(), key.into());
        let config = ArcSwap::from_pointee(read(&certificate, &key)?);
        Ok(Self(Arc::new(Shared { certificate, key, config })))
    }

    /// Reads the files again for new connections. Open connections keep their certificate; after an error, all do.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn reload(&self) -> Result<(), Error> {
        let config = read(&self.0.certificate, &self.0.key)?;
        self.0.config.store(Arc::new(config));
        Ok(())
    }

    pub(super) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
    ) -> io::Result<TlsStream<S>> {
        TlsAcceptor::from(self.0.config.load_full()).accept(stream).await
    }
}

fn read(certificate: &Path, key: &Path) -> Result<ServerConfig, Error> {
    let chain = chain(certificate, &bytes(certificate, message!(messages::CERTIFICATE))?)?;
    let private = private_key(key, &bytes(key, message!(messages::PRIVATE_KEY))?)?;
    let versions = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| {
            Error::internal(HttpCode::TlsUnavailable, message!(messages::NO_TLS_VERSIONS)).caused_by(error)
        })?;
    let mut config = versions.with_no_client_auth().with_single_cert(chain, private).map_err(|error| {
        let (certificate, key) = (certificate.display().to_string(), key.display().to_string());
        let message = match error {
            TlsError::InconsistentKeys(_) => message!(messages::WRONG_KEY, key, certificate),
            _ => message!(messages::WRONG_CHAIN, key, certificate),
        };
        Error::invalid(HttpCode::TlsUnusable, message).caused_by(error)
    })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn bytes(path: &Path, part: Message) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| {
        let path = path.display().to_string();
        let message = match error.kind() {
            io::ErrorKind::NotFound => message!(messages::NO_FILE, path, part),
            io::ErrorKind::PermissionDenied => message!(messages::MAY_NOT_BE_READ, path, part),
            _ => message!(messages::CANNOT_BE_READ, path, part),
        };
        Error::invalid(HttpCode::TlsUnreadable, message).caused_by(error)
    })
}

fn chain(path: &Path, bytes: &[u8]) -> Result<Vec<CertificateDer<'static>>, Error> {
    let all: Result<Vec<_>, PemError> = CertificateDer::pem_slice_iter(bytes).collect();
    let path = path.display().to_string();
    match all {
        Ok(chain) if chain.is_empty() => {
            Err(Error::invalid(HttpCode::TlsUnusable, message!(messages::NO_CERTIFICATE, path)))
        }
        Ok(chain) => Ok(chain),
        Err(error) => {
            let message = message!(messages::DAMAGED, path, message!(messages::CERTIFICATE));
            Err(Error::invalid(HttpCode::TlsUnusable, message).caused_by(error))
        }
    }
}

fn private_key(path: &Path, bytes: &[u8]) -> Result<PrivateKeyDer<'static>, Error> {
    PrivateKeyDer::from_pem_slice(bytes).map_err(|error| {
        let path = path.display().to_string();
        let message = match error {
            PemError::NoItemsFound => message!(messages::NO_PRIVATE_KEY, path),
            _ => message!(messages::DAMAGED, path, message!(messages::PRIVATE_KEY)),
        };
        Error::invalid(HttpCode::TlsUnusable, message).caused_by(error)
    })
}
