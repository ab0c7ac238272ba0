//! Arguments of the command line: `name=text`, typed by the model, or `name:=JSON`.

use std::io::Read as _;
use std::path::Path;

use hansang_core::kind::Kind;
use hansang_core::value::json;
use hansang_core::{Item, Name, Value};
use serde_json::{Map, Value as Json};

use hansang_command::Failure;

/// The member with the name of the entity in an item's JSON.
pub(super) const ENTITY: &str = "$entity";

/// A name and its value.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(super) name: String,
    pub(super) value: Given,
}

/// A value as it was given.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    /// Text, converted to the type of the attribute.
    Text(String),
    /// JSON, which keeps its own type.
    Json(Json),
}

impl Given {
    /// The value as text, for a query string.
    pub(super) fn in_address(&self) -> String {
        match self {
            Self::Text(text) | Self::Json(Json::String(text)) => text.clone(),
            Self::Json(other) => other.to_string(),
        }
    }
}

/// Parses one argument.
pub(super) fn parse(text: &str) -> Result<Argument, String> {
    let how = "write NAME=TEXT, such as id=c001, or NAME:=JSON, such as order:=1";
    let (name, value) = text.split_once('=').ok_or(how)?;
    let argument = match name.strip_suffix(':') {
        Some(name) => {
            let json = serde_json::from_str(value).map_err(|error| {
                format!("what follows `{name}:=` is not JSON ({error}): write `{name}=` before text")
            })?;
            Argument { name: name.to_owned(), value: Given::Json(json) }
        }
        None => Argument { name: name.to_owned(), value: Given::Text(value.to_owned()) },
    };
    if argument.name.is_empty() { Err(how.to_owned()) } else { Ok(argument) }
}

/// The given fields, and the fields of a file that are not given. The file may be the output of `get`, which names the
/// entity.
pub(super) fn with_file(
    given: &[Argument],
    file: Option<&str>,
    entity: &str,
) -> Result<Vec<Argument>, Failure> {
    let mut fields = given.to_vec();
    let Some(file) = file else { return Ok(fields) };
    let mut object = read(file)?;
    if let Some(other) = object.remove(ENTITY).filter(|other| other != entity) {
        return Err(Failure::usage(format!("{} has the `{ENTITY}` {other}, not \"{entity}\"", shown(file))));
    }
    for (name, value) in object {
        if given.iter().all(|argument| argument.name != name) {
            fields.push(Argument { name, value: Given::Json(value) });
        }
    }
    Ok(fields)
}

fn shown(file: &str) -> &str {
    if file == "-" { "the standard input" } else { file }
}

fn read(file: &str) -> Result<Map<String, Json>, Failure> {
    let mut bytes = Vec::new();
    let read = match file {
        "-" => std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        path => std::fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| Failure::unreadable(Path::new(shown(file)), &error))?;
    let json = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::usage(format!("{} is not JSON: {error}", shown(file))))?;
    match json {
        Json::Object(object) => Ok(object),
        other => {
            let what = json::json_type(&other);
            Err(Failure::usage(format!("{} is {what}, not a JSON object with fields", shown(file))))
        }
    }
}

/// Rejects a name that is given twice, because it is ambiguous.
pub(super) fn check_names(given: &[Argument]) -> Result<(), Failure> {
    let twice = |place: usize| given[..place].iter().any(|before| before.name == given[place].name);
    match (0..given.len()).find(|place| twice(*place)) {
        Some(place) => Err(Failure::usage(format!("`{}` is given twice", given[place].name))),
        None => Ok(()),
    }
}

/// Values with the types that `kind` knows. Text of an unknown name stays text and is rejected later.
pub(super) fn exact<'k>(
    given: &[Argument],
    kind: impl Fn(&str) -> Option<&'k Kind>,
) -> Result<Item, Failure> {
    check_names(given)?;
    let mut item = Item::new();
    let mut problems = Vec::new();
    for Argument { name, value } in given {
        let value = match (value, kind(name)) {
            (Given::Text(text), Some(kind)) => kind.from_text(text),
            (Given::Text(text), None) => Ok(Value::from(text.as_str())),
            (Given::Json(json), _) => json::from_plain(json),
        };
        match value {
            Ok(value) => {
                item.insert(Name::from(name.as_str()), value);
            }
            Err(problem) => problems.push(format!("`{name}` {problem}")),
        }
    }
    if problems.is_empty() { Ok(item) } else { Err(Failure::usage(problems.join("; "))) }
}

/// A JSON object of values without a model: text stays text.
pub(super) fn object(given: &[Argument]) -> Result<Json, Failure> {
    check_names(given)?;
    let loose = |value: &Given| match value {
        Given::Text(text) => Json::String(text.clone()),
        Given::Json(json) => json.clone(),
    };
    Ok(Json::Object(given.iter().map(|one| (one.name.clone(), loose(&one.value))).collect()))
}
