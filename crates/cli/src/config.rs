//! What the server is told: by flags, the environment and a file, in that order.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::failure::Failure;

mod settings;

pub(crate) use settings::{SETTINGS, Setting};

/// The file that is read if no other is named.
const FILE: &str = "hansang.toml";
/// What the names of variables start with.
const PREFIX: &str = "HANSANG_";

/// The flags of every setting, as they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    file: Option<PathBuf>,
    values: BTreeMap<&'static str, String>,
}

/// What is in force, and where each value came from.
#[derive(Debug)]
pub(crate) struct Config {
    values: BTreeMap<&'static str, (String, Origin)>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File(PathBuf),
    Environment(String),
    Flag,
}

impl Config {
    /// Puts everything together. `variable` gives the value of a variable of the environment.
    pub(crate) fn resolve(flags: Flags, variable: impl Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let mut values = BTreeMap::new();
        for setting in SETTINGS {
            if let Some(default) = setting.default {
                values.insert(setting.name, (default.to_owned(), Origin::Default));
            }
        }
        let named = flags.file.or_else(|| variable(&format!("{PREFIX}CONFIG")).map(PathBuf::from));
        for (name, value, path) in read_file(named)? {
            values.insert(name, (value, Origin::File(path)));
        }
        for setting in SETTINGS {
            let name = setting.variable();
            if let Some(value) = variable(&name) {
                values.insert(setting.name, (value, Origin::Environment(name)));
            }
        }
        for (name, value) in flags.values {
            values.insert(name, (value, Origin::Flag));
        }
        Ok(Self { values })
    }

    /// The text of a setting.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|(value, _)| value.as_str())
    }

    /// A setting as what it means.
    pub(crate) fn get<T: FromStr>(&self, name: &str, what: &str) -> Result<Option<T>, Failure> {
        let Some((value, origin)) = self.values.get(name) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| {
            Failure::usage(format!("`{name}` must be {what}, and is `{value}` ({origin}): change it there"))
        })
    }

    /// A setting that always has a value.
    pub(crate) fn need<T: FromStr>(&self, name: &str, what: &str) -> Result<T, Failure> {
        let missing = || Failure::usage(format!("`{name}` must be {what}: give it with --{name}"));
        self.get(name, what)?.ok_or_else(missing)
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: &str) -> Result<bool, Failure> {
        Ok(self.get(name, "true or false")?.unwrap_or_default())
    }

    /// The settings that have another value than in another configuration, in the order of the table.
    pub(crate) fn differences(&self, other: &Self) -> Vec<&'static str> {
        let all = SETTINGS.iter().map(|setting| setting.name);
        all.filter(|name| self.text(name) != other.text(name)).collect()
    }

    /// Prints what is in force. Secrets are not shown.
    pub(crate) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let shown = |setting: &Setting| match self.values.get(setting.name) {
            None => ("".to_owned(), "not set".to_owned()),
            Some((_, origin)) if setting.secret => ("********".to_owned(), origin.to_string()),
            Some((value, origin)) => (value.clone(), origin.to_string()),
        };
        let rows: Vec<(&str, (String, String))> =
            SETTINGS.iter().map(|setting| (setting.name, shown(setting))).collect();
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
fn read_file(named: Option<PathBuf>) -> Result<Vec<(&'static str, String, PathBuf)>, Failure> {
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
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let near = hansang_core::nearest(&name, SETTINGS.iter().map(|setting| setting.name));
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

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config").long("config").value_name("FILE");
        let file = file.help("The file with settings").value_parser(clap::value_parser!(PathBuf));
        SETTINGS.iter().fold(command.arg(file), |command, setting| {
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
        let given = |setting: &Setting| {
            let value = matches.get_one::<String>(setting.name)?;
            Some((setting.name, value.clone()))
        };
        Ok(Self {
            file: matches.get_one::<PathBuf>("config").cloned(),
            values: SETTINGS.iter().filter_map(given).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn flags_win_over_the_environment_and_that_over_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("h.toml");
        std::fs::write(&file, "listen = \"1.1.1.1:1\"\nlog = \"json\"\nenv = \"file\"\n").unwrap();
        let flags =
            Flags { file: Some(file.clone()), values: BTreeMap::from([("listen", "3.3.3.3:3".to_owned())]) };
        let variable =
            |name: &str| (name == "HANSANG_LISTEN" || name == "HANSANG_ENV").then(|| "2".to_owned());
        let config = Config::resolve(flags, variable).unwrap();
        let of = |name: &str| config.values.get(name).cloned().unwrap();
        assert_eq!(of("listen"), ("3.3.3.3:3".to_owned(), Origin::Flag));
        assert_eq!(of("env"), ("2".to_owned(), Origin::Environment("HANSANG_ENV".to_owned())));
        assert_eq!(of("log"), ("json".to_owned(), Origin::File(file)));
        assert_eq!(of("data").1, Origin::Default);
    }

    #[test]
    fn two_configurations_differ_in_values_and_not_in_where_they_came_from() {
        let config = |values: &[(&'static str, &str)]| {
            let values = values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            Config::resolve(Flags { file: None, values }, nothing).unwrap()
        };
        let usual = config(&[]);
        assert_eq!(usual.differences(&config(&[("log", "plain")])), [""; 0]);
        let other = config(&[("log", "json"), ("contracts-from", "x")]);
        assert_eq!(usual.differences(&other), ["contracts-from", "log"]);
    }

    /// The table of settings in docs/serve.md is this one; `UPDATE_EXPECT=1` writes it anew.
    #[test]
    fn the_settings_are_documented() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/serve.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (start, end) = ("<!-- settings -->\n", "<!-- /settings -->");
        let (before, rest) = page.split_once(start).unwrap();
        let (shown, after) = rest.split_once(end).unwrap();
        let mut table = "| setting | default | what it is |\n|---|---|---|\n".to_owned();
        for setting in SETTINGS {
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

    #[test]
    fn a_wrong_file_is_explained() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("h.toml");
        for (text, expected) in [
            ("lissten = \"x\"", "there is no setting `lissten`: did you mean `listen`?"),
            ("listen = [1]", "`listen` must be a text, a whole number, true or false"),
            ("listen = ", "TOML parse error"),
        ] {
            std::fs::write(&file, text).unwrap();
            let flags = Flags { file: Some(file.clone()), values: BTreeMap::new() };
            let failure = Config::resolve(flags, nothing).unwrap_err();
            let Failure::Message { text, code } = failure else { panic!("{failure:?}") };
            assert!(text.contains(expected), "{text}");
            assert_eq!(code, 2);
        }
    }
}
