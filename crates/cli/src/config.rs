//! The settings of the server, and the flags of all settings.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use hansang_command::{Config, Failure, Given, Setting};

use crate::systems::settings;

/// The given flags of all settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags(Given);

impl Flags {
    /// Resolves the settings from these flags, the environment and the file.
    #[allow(clippy::disallowed_methods, reason = "the command line is where the environment is read")]
    pub(crate) fn resolve(self) -> Result<Config, Failure> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Config::resolve(settings(), self.0, variable)
    }
}

/// The settings of the server, in the order in which they are shown.
pub(crate) const SERVER_SETTINGS: &[Setting] = &[
    Setting::new("listen", "ADDRESS", "127.0.0.1:8080", "Where to listen"),
    Setting::new("address", "URL", "", "The address that people use, if it is another one"),
    Setting::new(
        "models",
        "DIR",
        "",
        "The directory of model files; without one, the models that come with Hansang",
    )
    .reloaded(),
    Setting::new("demo", "", "false", "Load example data into empty tables"),
    Setting::new("store", "KIND", "embedded", "What keeps the items: embedded or dynamodb"),
    Setting::new("data", "DIR", "hansang-data", "The data directory"),
    Setting::new("env", "NAME", "", "The environment, which is part of the tables' names"),
    Setting::new("endpoint-url", "URL", "", "An endpoint that speaks DynamoDB, if not Amazon's"),
    Setting::new("sqs-endpoint-url", "URL", "", "An endpoint that speaks SQS, if not Amazon's"),
    Setting::new("s3-endpoint-url", "URL", "", "An endpoint that speaks S3, if not Amazon's"),
    Setting::new("region", "NAME", "", "The AWS region"),
    Setting::new("profile", "NAME", "", "The AWS profile"),
    Setting::new("tls-certificate", "FILE", "", "The certificate chain as PEM: with it, only TLS is spoken"),
    Setting::new("tls-key", "FILE", "", "The private key of the certificate as PEM"),
    Setting::new(
        "behind-proxy",
        "",
        "false",
        "Trust X-Forwarded-For and X-Forwarded-Proto of the proxy in front",
    ),
    Setting::new(
        "cursor-secret",
        "TEXT",
        "",
        "The key that signs cursors; without one, the servers of a table share a key of their own",
    )
    .secret(),
    Setting::new("session-hours", "N", "12", "How long a session lasts without being used"),
    Setting::new("audit-days", "N", "400", "How long the audit log is kept"),
    Setting::new("oidc-issuer", "URL", "", "The identity provider whose tokens are accepted"),
    Setting::new("oidc-audience", "TEXT", "", "The audience that its tokens must have"),
    Setting::new("oidc-jwks", "URL", "", "Where its keys are"),
    Setting::new("oidc-role-claim", "NAME", "roles", "The claim that names roles"),
    Setting::new("metrics-open", "", "false", "Give /metrics to everybody, not only to administrators"),
    Setting::new(
        "lend-ports",
        "",
        "false",
        "Lend the store and the queues to workers in other processes that have a token of an administrator of every system",
    ),
    Setting::new(
        "time-zone",
        "NAME",
        "",
        "The time zone of pages, such as Asia/Seoul, for accounts that chose none; the browser's if it is empty",
    ),
    Setting::new(
        "languages",
        "DIR",
        "",
        "The directory of further languages of pages, one file such as fr.json each; see hansang texts",
    ),
    Setting::new("max-body", "BYTES", "1048576", "The most bytes of a request's body"),
    Setting::new(
        "max-requests",
        "N",
        "512",
        "How many requests are answered at once; others are told to come back",
    ),
    Setting::new(
        "max-connections",
        "N",
        "10000",
        "The connections that are open at once; fewer if the limit of open files is low",
    ),
    Setting::new(
        "max-connections-address",
        "N",
        "256",
        "The connections of one address that are open at once; not limited with behind-proxy",
    ),
    Setting::new("request-seconds", "N", "30", "How long a request may take"),
    Setting::new(
        "grace-seconds",
        "N",
        "20",
        "How long stopping may take: requests finish, then the store is closed",
    ),
    Setting::new("rate-address", "N", "300", "Requests a second from one address"),
    Setting::new("rate-account", "N", "300", "Requests a second of one account"),
    Setting::new("log", "FORM", "plain", "How the log is written: plain or json"),
    Setting::new(
        "log-level",
        "FILTER",
        "info",
        "What is logged, such as `info` or `hansang_server=debug,info`",
    ),
    Setting::new("otlp-endpoint", "URL", "", "Where traces are sent by OTLP over HTTP"),
];

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config").long("config").value_name("FILE");
        let file = file.help("The file with settings").value_parser(clap::value_parser!(PathBuf));
        settings().into_iter().fold(command.arg(file), |command, setting| {
            let arg = Arg::new(setting.name).long(setting.name).help(setting.help).action(ArgAction::Set);
            command.arg(if setting.is_switch() {
                arg.num_args(0..=1).default_missing_value("true").require_equals(true).value_name("BOOL")
            } else {
                arg.value_name(setting.value)
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |setting: Setting| {
            let value = matches.get_one::<String>(setting.name)?;
            Some((setting.name, value.clone()))
        };
        Ok(Self(Given {
            file: matches.get_one::<PathBuf>("config").cloned(),
            values: settings().into_iter().filter_map(given).collect(),
        }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The table of settings in docs/serve.md equals this one; `UPDATE_EXPECT=1` rewrites it.
    #[test]
    fn the_settings_are_documented() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/serve.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (start, end) = ("<!-- settings -->\n", "<!-- /settings -->");
        let (before, rest) = page.split_once(start).unwrap();
        let (shown, after) = rest.split_once(end).unwrap();
        let mut table = "| setting | default | what it is |\n|---|---|---|\n".to_owned();
        for setting in settings() {
            let default = setting.default.map(|default| format!("`{default}`")).unwrap_or_default();
            table.push_str(&format!("| `{}` | {default} | {} |\n", setting.name, setting.help));
        }
        #[allow(
            clippy::disallowed_methods,
            reason = "the test is told by the environment to rewrite the page"
        )]
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, format!("{before}{start}{table}{end}{after}")).unwrap();
            return;
        }
        assert_eq!(shown, table, "run the tests with UPDATE_EXPECT=1");
    }
}
