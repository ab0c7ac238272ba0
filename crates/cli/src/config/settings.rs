//! The one table of settings.

/// A setting: a flag `--name`, a variable `HANSANG_NAME`, a line `name = …` of the file.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// What stands for its value; nothing for a switch.
    pub(crate) value: &'static str,
    pub(crate) default: Option<&'static str>,
    /// Whether it is never shown.
    pub(crate) secret: bool,
    pub(crate) help: &'static str,
}

impl Setting {
    /// The variable of the environment.
    pub(crate) fn variable(&self) -> String {
        format!("{}{}", super::PREFIX, self.name.to_ascii_uppercase().replace('-', "_"))
    }

    pub(crate) fn is_switch(&self) -> bool {
        self.value.is_empty()
    }
}

const fn setting(
    name: &'static str,
    value: &'static str,
    default: &'static str,
    help: &'static str,
) -> Setting {
    let default = if default.is_empty() { None } else { Some(default) };
    Setting { name, value, default, secret: false, help }
}

/// Every setting, in the order in which they are shown.
pub(crate) const SETTINGS: &[Setting] = &[
    setting("listen", "ADDRESS", "127.0.0.1:8080", "Where to listen"),
    setting("address", "URL", "", "The address that people use, if it is another one"),
    setting(
        "models",
        "DIR",
        "",
        "The directory of model files; without one, the models that come with Hansang",
    ),
    setting(
        "contracts-from",
        "DIR",
        "",
        "Read contracts from this directory of YAML files, and not from the store",
    ),
    setting(
        "contracts-cache-seconds",
        "N",
        "",
        "How long a contract is remembered; without it 300, or 30 where `env` is dev, development, local or not set",
    ),
    setting(
        "contracts-cache-entries",
        "N",
        "10000",
        "How many versions of contracts are remembered; 0 switches it off",
    ),
    setting(
        "entry-workers",
        "N",
        "4",
        "How many batches of entries are decided at once in this process; with 0 a server leaves it to `hansang worker`",
    ),
    setting("entry-tokens", "", "false", "Have everybody get an entry token before they enter an event"),
    setting("entry-request-days", "N", "90", "How long a request is kept after the end of its event"),
    setting("entry-lock-days", "N", "7", "How long a user is kept to one entry after the end of its event"),
    setting("entry-log-days", "N", "30", "How long the log of a request is kept"),
    setting("demo", "", "false", "Load example data into empty tables"),
    setting("store", "KIND", "embedded", "What keeps the items: embedded or dynamodb"),
    setting("data", "DIR", "hansang-data", "The data directory"),
    setting("env", "NAME", "", "The environment, which is part of the tables' names"),
    setting("endpoint-url", "URL", "", "An endpoint that speaks DynamoDB, if not Amazon's"),
    setting("sqs-endpoint-url", "URL", "", "An endpoint that speaks SQS, if not Amazon's"),
    setting("region", "NAME", "", "The AWS region"),
    setting("profile", "NAME", "", "The AWS profile"),
    setting("tls-certificate", "FILE", "", "The certificate chain as PEM: with it, only TLS is spoken"),
    setting("tls-key", "FILE", "", "The private key of the certificate as PEM"),
    setting("behind-proxy", "", "false", "Trust X-Forwarded-For and X-Forwarded-Proto of the proxy in front"),
    Setting {
        name: "cursor-secret",
        value: "TEXT",
        default: None,
        secret: true,
        help: "What signs the cursors of pages; without one, the servers of a table share one of their own",
    },
    setting("session-hours", "N", "12", "How long a session lasts without being used"),
    setting("audit-days", "N", "400", "How long the audit log is kept"),
    setting("oidc-issuer", "URL", "", "The identity provider whose tokens are accepted"),
    setting("oidc-audience", "TEXT", "", "The audience that its tokens must have"),
    setting("oidc-jwks", "URL", "", "Where its keys are"),
    setting("oidc-role-claim", "NAME", "roles", "The claim that names roles"),
    setting("metrics-open", "", "false", "Give /metrics to everybody, not only to administrators"),
    setting(
        "lend-ports",
        "",
        "false",
        "Lend the store and the queues to workers in other processes that have a token of an administrator of every system",
    ),
    setting("max-body", "BYTES", "1048576", "The most bytes of a request's body"),
    setting(
        "max-requests",
        "N",
        "512",
        "How many requests are answered at once; others are told to come back",
    ),
    setting("max-connections", "N", "10000", "How many connections are open at once"),
    setting("request-seconds", "N", "30", "How long a request may take"),
    setting("grace-seconds", "N", "20", "How long requests may take to finish when the server stops"),
    setting("rate-address", "N", "300", "Requests a second from one address"),
    setting("rate-account", "N", "300", "Requests a second of one account"),
    setting("rate-entries", "N", "5", "Entries a second of one account"),
    setting("log", "FORM", "plain", "How the log is written: plain or json"),
    setting("log-level", "FILTER", "info", "What is logged, such as `info` or `hansang_server=debug,info`"),
    setting("otlp-endpoint", "URL", "", "Where traces are sent by OTLP over HTTP"),
];
