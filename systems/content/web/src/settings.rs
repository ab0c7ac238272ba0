//! The settings of content.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use hansang_command::{Config, Failure, Setting};
use jiff::tz::TimeZone;

use crate::contact::Consent;

/// All settings.
pub(crate) const ALL: &[Setting] = &[
    Setting::new(
        "content-site",
        "PATH",
        "/site",
        "Where the public site is: a path such as /site, or / for all of it",
    ),
    Setting::new(
        "content-address",
        "URL",
        "",
        "The address of the public site for links in feeds, mails and previews, such as https://www.example.com; \
         that of the request if it is empty",
    ),
    Setting::new(
        "content-theme",
        "DIR",
        "",
        "The directory of a theme for the public site; its files replace those of the theme that is built in",
    ),
    Setting::new("content-time-zone", "NAME", "Asia/Seoul", "The time zone of dates on the public site"),
    Setting::new(
        "content-cache-seconds",
        "N",
        "10",
        "How long caches may keep a public page before they ask again; a page ends earlier when a post is due",
    ),
    Setting::new("content-retention-days", "N", "1095", "How long an inquiry is kept"),
    Setting::new(
        "content-consent-en",
        "TEXT",
        "",
        "The consent text of the contact form in English, with {period} for how long an inquiry is kept; a text that is \
         built in if it is empty",
    ),
    Setting::new("content-consent-ko", "TEXT", "", "The same in Korean"),
    Setting::new(
        "content-consent-version",
        "TEXT",
        "",
        "The version of the consent text, which an inquiry keeps; one that follows from the text if it is empty",
    ),
    Setting::new("rate-inquiries", "N", "6", "Inquiries a minute from one address"),
    Setting::new(
        "content-smtp",
        "HOST",
        "",
        "The mail server, such as smtp.example.com or smtp.example.com:587; without one, mails are written as files",
    ),
    Setting::new(
        "content-smtp-security",
        "KIND",
        "starttls",
        "How the mail server is spoken to: starttls, tls or none",
    ),
    Setting::new("content-smtp-user", "NAME", "", "The user of the mail server"),
    Setting::new("content-smtp-password", "TEXT", "", "The password of the mail server").secret(),
    Setting::new(
        "content-smtp-certificate",
        "FILE",
        "",
        "A certificate in PEM that signs that of the mail server",
    ),
    Setting::new("content-mail-from", "ADDRESS", "hansang@localhost", "The sender of mails"),
    Setting::new(
        "content-files",
        "DIR",
        "",
        "The directory of media and of mails without a mail server; below the data directory if it is empty",
    ),
    Setting::new(
        "content-s3-bucket",
        "NAME",
        "",
        "The bucket in S3 for the files of media, instead of the directory; region and profile are those of the server",
    ),
    Setting::new("content-upload-mb", "N", "20", "The maximum size of an uploaded file"),
    Setting::new(
        "content-private-webhooks",
        "BOOL",
        "false",
        "Whether webhooks may call addresses inside the network, and without TLS",
    ),
];

/// The values of the settings.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The path of the site, without a slash at its end.
    pub(crate) site: String,
    /// The address of the site without a path.
    pub(crate) address: Option<String>,
    /// The directory of the theme.
    pub(crate) theme: Option<PathBuf>,
    /// The time zone of dates.
    pub(crate) zone: TimeZone,
    /// How long caches may keep a page.
    pub(crate) cache: Duration,
    /// How long an inquiry is kept.
    pub(crate) retention_days: u32,
    /// The consent text of the contact form.
    pub(crate) consent: Consent,
    /// Inquiries a minute from one address.
    pub(crate) inquiries: NonZeroU32,
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// The first invalid one.
    pub(crate) fn of(config: &Config) -> Result<Self, Failure> {
        let site = config.text("content-site").unwrap_or_default();
        let is_path = |text: &str| {
            text.split('/').all(|part| {
                !part.is_empty()
                    && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
            })
        };
        let site = site.trim_matches('/');
        let taken = ["api", "console", "assets", "media", "set-up", "metrics", "health"];
        if !site.is_empty() && (!is_path(site) || taken.contains(&site.split('/').next().unwrap_or_default()))
        {
            return Err(Failure::usage(format!(
                "content-site: `/{site}` cannot be the path of the site: use letters, digits and `-`, such as /site"
            )));
        }
        let site = if site.is_empty() { String::new() } else { format!("/{site}") };
        let address = config.text("content-address").filter(|text| !text.is_empty());
        let address = address.map(|address| address.trim_end_matches('/').to_owned());
        if let Some(address) = address.as_deref().filter(|address| !is_origin(address)) {
            return Err(Failure::usage(format!(
                "content-address: `{address}` is no address without a path: use one such as https://www.example.com"
            )));
        }
        let retention_days = config.need("content-retention-days", "a whole number of days")?;
        let text = |name: &str| config.text(name).unwrap_or_default().trim();
        let version = text("content-consent-version");
        if version.chars().count() > 40 {
            return Err(Failure::usage("content-consent-version: at most 40 characters"));
        }
        let consent =
            Consent::new(version, text("content-consent-en"), text("content-consent-ko"), retention_days);
        Ok(Self {
            site,
            address,
            theme: config.text("content-theme").filter(|text| !text.is_empty()).map(PathBuf::from),
            zone: zone(config.text("content-time-zone").unwrap_or("Asia/Seoul"))?,
            cache: Duration::from_secs(config.need("content-cache-seconds", "a whole number of seconds")?),
            retention_days,
            consent,
            inquiries: config.need("rate-inquiries", "a whole number from 1 on")?,
        })
    }
}

fn zone(name: &str) -> Result<TimeZone, Failure> {
    TimeZone::get(name).map_err(|_| {
        Failure::usage(format!("content-time-zone: `{name}` is no time zone: use a name such as Asia/Seoul"))
    })
}

/// Whether a text is a scheme and a host, without a path.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| {
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte))
    })
}
