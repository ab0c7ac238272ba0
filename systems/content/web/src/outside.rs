//! The outside of a site: its mail server, the programs behind webhooks, and the files of media.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hansang_command::{Config, Failure, FilesPlace, OpenFiles};
use hansang_content::{Content, ContentCode, Mailer, Ports, file_key, find_media};
use hansang_content_adapters::{EmlMailer, HttpCaller, Security, Smtp, SmtpSettings, UploadLimits};
use hansang_core::files::{Files, unavailable};
use hansang_core::{Error, message};

use crate::messages;

/// The mail server, the caller of webhooks, and the files.
pub(crate) struct Outside {
    mailer: Box<dyn Mailer>,
    caller: HttpCaller,
    pub(crate) files: Arc<dyn Files>,
    /// The directory of uploads that are not complete.
    pub(crate) uploads: PathBuf,
    pub(crate) limits: UploadLimits,
}

impl Outside {
    /// Opens what the settings say. Nothing is written yet.
    ///
    /// # Errors
    /// The first invalid setting.
    pub(crate) async fn open(config: &Config, open_files: OpenFiles) -> Result<Self, Failure> {
        let given = |name: &str| config.text(name).filter(|text| !text.is_empty());
        let below = Path::new(config.text("data").unwrap_or("hansang-data")).join("content");
        let folder = given("content-files").map_or(below, PathBuf::from);
        let from = config.text("content-mail-from").unwrap_or_default();
        let mailer: Box<dyn Mailer> = match given("content-smtp") {
            Some(host) => Box::new(smtp(config, host, from)?),
            None => Box::new(
                EmlMailer::new(&folder.join("mails"), from)
                    .map_err(|problem| wrong("content-mail-from", &problem))?,
            ),
        };
        let place = match given("content-s3-bucket") {
            Some(bucket) => FilesPlace::Bucket(bucket.to_owned()),
            None => FilesPlace::Directory(folder.join("media")),
        };
        let files = open_files(config, place).await?;
        let is_private: bool = config.need("content-private-webhooks", "true or false")?;
        let megabytes: u64 = config.need("content-upload-mb", "a whole number")?;
        Ok(Self {
            mailer,
            caller: HttpCaller::new(is_private).map_err(Failure::usage)?,
            files,
            uploads: folder.join("uploads"),
            limits: UploadLimits { max_bytes: megabytes << 20, ..UploadLimits::default() },
        })
    }

    pub(crate) fn ports(&self) -> Ports<'_> {
        Ports { mailer: &*self.mailer, caller: &self.caller, files: &*self.files }
    }
}

fn smtp(config: &Config, server: &str, from: &str) -> Result<Smtp, Failure> {
    let given = |name: &str| config.text(name).filter(|text| !text.is_empty());
    let (host, port) = match server.rsplit_once(':') {
        Some((host, port)) => {
            (host, Some(port.parse().map_err(|_| wrong("content-smtp", "the port is no number"))?))
        }
        None => (server, None),
    };
    let security = match config.text("content-smtp-security").unwrap_or_default() {
        "starttls" => Security::StartTls,
        "tls" => Security::Tls,
        "none" => Security::None,
        other => {
            return Err(wrong(
                "content-smtp-security",
                &format!("`{other}` is none of starttls, tls and none"),
            ));
        }
    };
    let certificate = given("content-smtp-certificate").map(std::fs::read).transpose();
    let login = given("content-smtp-user")
        .map(|user| (user.to_owned(), given("content-smtp-password").unwrap_or_default().to_owned()));
    let settings = SmtpSettings {
        host: host.to_owned(),
        port,
        security,
        login,
        from: from.to_owned(),
        certificate: certificate.map_err(|error| wrong("content-smtp-certificate", &error.to_string()))?,
        timeout: None,
    };
    Smtp::new(settings).map_err(|problem| wrong("content-smtp", &problem))
}

fn wrong(setting: &str, problem: &str) -> Failure {
    Failure::usage(format!("{setting}: {problem}"))
}

/// How long an address of a file outside of this server can be used.
const LIFETIME: Duration = Duration::from_secs(3600);

/// The response with a file of a medium. A file never changes, so caches keep it.
///
/// A document is read from where it is, if that has an address for it. Pictures always come from this server: their
/// addresses would be others each time, so that no cache could keep them, and pages of the console show pictures of this
/// server alone.
pub(crate) async fn file(
    content: &Content,
    outside: &Outside,
    id: &str,
    name: &str,
) -> Result<Response, Error> {
    let unknown = || Error::not_found(ContentCode::MediaUnknown, message!(messages::FILE_UNKNOWN));
    let media = find_media(content, id).await?;
    let media_type =
        media.type_of(name).and_then(|kind| HeaderValue::try_from(kind).ok()).ok_or_else(unknown)?;
    let key = file_key(id, name);
    let is_picture = media_type.as_bytes().starts_with(b"image/");
    if !is_picture && let Some(address) = outside.files.address(&key, Some(&media.filename), LIFETIME).await?
    {
        let location = HeaderValue::try_from(address).map_err(unavailable)?;
        let headers =
            [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
        return Ok((StatusCode::FOUND, headers).into_response());
    }
    let body = outside.files.get(&key, None).await?.ok_or_else(unknown)?;
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_LENGTH, HeaderValue::from(body.size)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")),
    ];
    Ok((StatusCode::OK, headers, Body::from_stream(body.chunks)).into_response())
}
