//! The settings: from flags, the environment and a file, in that order.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::failure::Failure;

/// The default path of the file.
const FILE: &str = "hansang.toml";
/// The prefix of environment variables.
const PREFIX: &str = "HANSANG_";

/// A setting: a flag `--name`, a variable `HANSANG_NAME`, a line `name = …` of the file.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name of the flag.
    pub name: &'static str,
    /// The placeholder of its value in `--help`; empty for a switch.
    pub value: &'static str,
    /// The default, if there is one.
    pub default: Option<&'static str>,
    /// Whether its value is secret and never printed.
    pub secret: bool,
    /// Whether a reload of a running server applies a changed value.
    pub reloads: bool,
    /// One line of help.
    pub help: &'static str,
}

impl Setting {
    /// A setting with a default, or without one if that is empty.
    #[must_use]
    pub const fn new(
        name: &'static str,
        value: &'static str,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        let default = if default.is_empty() { None } else { Some(default) };
        Self { name, value, default, secret: false, reloads: false, help }
    }

    /// The same setting, applied on a reload.
    #[must_use]
    pub const fn reloaded(self) -> Self {
        Self { reloads: true, ..self }
    }

    /// The same setting, whose value is never printed.
    #[must_use]
    pub const fn secret(self) -> Self {
        Self { secret: true, ..self }
    }

    /// The environment variable.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.to_ascii_uppercase().replace('-', "_"))
    }

    /// Whether it is true or false.
    #[must_use]
    pub fn is_switch(&self) -> bool {
        self.value.is_empty()
    }
}

/// The flags of a command line.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The file with settings, if one is named.
    pub file: Option<PathBuf>,
    /// The values by the names of their settings.
    pub values: BTreeMap<&'static str, String>,
}

/// The values in force, and the source of each.
#[derive(Clone, Debug)]
pub struct Config {
    settings: Vec<Setting>,
    values: BTreeMap<&'static str, (String, Origin)>,
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File(PathBuf),
    Environment(String),
    Flag,
}

impl Config {
    /// Merges all sources. `variable` returns the value of an environment variable.
    pub fn resolve(
        settings: Vec<Setting>,
        flags: Given,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        let mut values = BTreeMap::new();
        for setting in &settings {
            if let Some(default) = setting.default {
                values.insert(setting.name, (default.to_owned(), Origin::Default));
            }
        }
        let named = flags.file.or_else(|| variable(&format!("{PREFIX}CONFIG")).map(PathBuf::from));
        for (name, value, path) in read_file(&settings, named)? {
            values.insert(name, (value, Origin::File(path)));
        }
        for setting in &settings {
            let name = setting.variable();
            if let Some(value) = variable(&name) {
                values.insert(setting.name, (value, Origin::Environment(name)));
            }
        }
        for (name, value) in flags.values {
            values.insert(name, (value, Origin::Flag));
        }
        Ok(Self { settings, values })
    }

    /// The text of a setting.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|(value, _)| value.as_str())
    }

    /// The parsed value of a setting.
    pub fn get<T: FromStr>(&self, name: &str, what: &str) -> Result<Option<T>, Failure> {
        let Some((value, origin)) = self.values.get(name) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| {
            Failure::usage(format!("`{name}` must be {what}, and is `{value}` ({origin}): change it there"))
        })
    }

    /// A setting that always has a value.
    pub fn need<T: FromStr>(&self, name: &str, what: &str) -> Result<T, Failure> {
        let missing = || Failure::usage(format!("`{name}` must be {what}: give it with --{name}"));
        self.get(name, what)?.ok_or_else(missing)
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> Result<bool, Failure> {
        Ok(self.get(name, "true or false")?.unwrap_or_default())
    }

    /// The settings with different values in another configuration, in the order of the table.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let all = self.settings.iter().map(|setting| setting.name);
        all.filter(|name| self.text(name) != other.text(name)).collect()
    }

    /// The settings with different values in another configuration that need a restart.
    #[must_use]
    pub fn needs_restart(&self, other: &Self) -> Vec<&'static str> {
        let reloads =
            |name: &str| self.settings.iter().any(|setting| setting.name == name && setting.reloads);
        let mut changed = self.differences(other);
        changed.retain(|name| !reloads(name));
        changed
    }

    /// Prints the settings in force, without secrets.
    pub fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let shown = |setting: &Setting| match self.values.get(setting.name) {
            None => ("".to_owned(), "not set".to_owned()),
            Some((_, origin)) if setting.secret => ("********".to_owned(), origin.to_string()),
            Some((value, origin)) => (value.clone(), origin.to_string()),
        };
        let rows: Vec<(&str, (String, String))> =
            self.settings.iter().map(|setting| (setting.name, shown(setting))).collect();
        let width =
            |of: fn(&(&str, (String, String))) -> usize| rows.iter().map(of).max().unwrap_or_default();
        let (names, values) = (width(|row| row.0.len()), width(|row| row.1.0.chars().count()));
        for (name, (value, origin)) in &rows {
            writeln!(out, "{name:names$}  {value:values$}  {origin}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag => f.write_str("flag"),
        }
    }
}

/// The settings of a file, if there is one.
fn read_file(
    settings: &[Setting],
    named: Option<PathBuf>,
) -> Result<Vec<(&'static str, String, PathBuf)>, Failure> {
    let path = match named {
        Some(path) => path,
        None if Path::new(FILE).exists() => PathBuf::from(FILE),
        None => return Ok(Vec::new()),
    };
    let text = std::fs::read_to_string(&path).map_err(|error| Failure::unreadable(&path, &error))?;
    let wrong = |problem: String| Failure::usage(format!("{}: {problem}", path.display()));
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
    let mut found = Vec::new();
    for (name, value) in table {
        let Some(setting) = settings.iter().find(|setting| setting.name == name) else {
            let near = hansang_core::nearest(&name, settings.iter().map(|setting| setting.name));
            let meant = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
            return Err(wrong(format!("there is no setting `{name}`{meant}")));
        };
        let value = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(truth) => truth.to_string(),
            _ => return Err(wrong(format!("`{name}` must be a text, a whole number, true or false"))),
        };
        found.push((setting.name, value, path.clone()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &[Setting] = &[
        Setting::new("listen", "ADDRESS", "127.0.0.1:8080", "Where to listen"),
        Setting::new("files-from", "DIR", "", "A directory").reloaded(),
        Setting::new("data", "DIR", "hansang-data", "The data directory"),
        Setting::new("env", "NAME", "", "The environment"),
        Setting::new("log", "FORM", "plain", "How the log is written"),
    ];

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn flags_win_over_the_environment_and_that_over_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("h.toml");
        std::fs::write(&file, "listen = \"1.1.1.1:1\"\nlog = \"json\"\nenv = \"file\"\n").unwrap();
        let flags =
            Given { file: Some(file.clone()), values: BTreeMap::from([("listen", "3.3.3.3:3".to_owned())]) };
        let variable =
            |name: &str| (name == "HANSANG_LISTEN" || name == "HANSANG_ENV").then(|| "2".to_owned());
        let config = Config::resolve(SETTINGS.to_vec(), flags, variable).unwrap();
        let of = |name: &str| config.values.get(name).cloned().unwrap();
        assert_eq!(of("listen"), ("3.3.3.3:3".to_owned(), Origin::Flag));
        assert_eq!(of("env"), ("2".to_owned(), Origin::Environment("HANSANG_ENV".to_owned())));
        assert_eq!(of("log"), ("json".to_owned(), Origin::File(file)));
        assert_eq!(of("data").1, Origin::Default);
    }

    #[test]
    fn configurations_differ_by_values_and_not_by_sources() {
        let config = |values: &[(&'static str, &str)]| {
            let values = values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            Config::resolve(SETTINGS.to_vec(), Given { file: None, values }, nothing).unwrap()
        };
        let usual = config(&[]);
        assert_eq!(usual.differences(&config(&[("log", "plain")])), [""; 0]);
        let other = config(&[("log", "json"), ("files-from", "x")]);
        assert_eq!(usual.differences(&other), ["files-from", "log"]);
        assert_eq!(usual.needs_restart(&other), ["log"], "the other one is reloaded");
    }

    #[test]
    fn an_invalid_file_is_explained() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("h.toml");
        for (text, expected) in [
            ("lissten = \"x\"", "there is no setting `lissten`: did you mean `listen`?"),
            ("listen = [1]", "`listen` must be a text, a whole number, true or false"),
            ("listen = ", "TOML parse error"),
        ] {
            std::fs::write(&file, text).unwrap();
            let flags = Given { file: Some(file.clone()), values: BTreeMap::new() };
            let failure = Config::resolve(SETTINGS.to_vec(), flags, nothing).unwrap_err();
            let Failure::Message { text, code } = failure else { panic!("{failure:?}") };
            assert!(text.contains(expected), "{text}");
            assert_eq!(code, 2);
        }
    }
}
