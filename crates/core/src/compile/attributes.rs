//! The `attributes:` of an entity, and those that the table adds to it.

use std::sync::Arc;

use super::TableSource;
use super::kinds;
use super::reader::{self, Fields, Names, Problems};
use crate::diagnostic::{Code, Span};
use crate::kind::Kind;
use crate::kind::time::Precision;
use crate::model::{Attribute, Generated, Role, Rules};
use crate::number::Number;
use crate::validate;
use crate::value::{Name, Value};
use crate::yaml::{Content, Key, Node};

/// An attribute as the file has it.
pub(super) struct AttributeSource<'n> {
    pub(super) attribute: Arc<Attribute>,
    pub(super) span: Span,
    /// The template it is derived from, which needs the other attributes to be compiled.
    pub(super) template: Option<&'n Node>,
    /// Whether the file accepts that the values sort as text.
    pub(super) sorts_as_text: bool,
}

const FIELDS: &[&str] = &[
    "type",
    "enum",
    "lifecycle",
    "list",
    "map",
    "set",
    "template",
    "doc",
    "optional",
    "default",
    "immutable",
    "generated",
    "stored",
    "min",
    "max",
    "length",
    "pattern",
    "initial",
    "precision",
    "separator",
    "sorts",
];
const TYPE_FIELDS: &[&str] = &["type", "enum", "lifecycle", "list", "map", "set", "template"];

/// Reads the attributes of one entity. Those with a problem are left out and named in the second
/// part of the answer, so that a template that uses them is not complained about as well.
pub(super) fn read<'n>(
    node: Option<&'n Node>,
    table: &TableSource,
    problems: &mut Problems,
) -> (Vec<AttributeSource<'n>>, Vec<&'n str>) {
    let entries = node.and_then(|node| reader::map(node, "`attributes`", problems)).unwrap_or_default();
    let mut sources = Vec::new();
    let mut broken = Vec::new();
    for (key, node) in entries {
        match read_one(key, node, table, problems) {
            Some(source) => sources.push(source),
            None => broken.push(key.text.as_str()),
        }
    }
    (sources, broken)
}

/// The attributes that the table writes itself.
pub(super) fn of_table(entity: &Name, table: &TableSource, timestamps: bool) -> Vec<Arc<Attribute>> {
    let kind = Kind::Timestamp(table.precision);
    let mut added = Vec::new();
    if let Some(name) = &table.table.type_attribute {
        added.push(written(name, Kind::Enum(vec![entity.clone()]), Role::Type, true));
    }
    if let Some(name) = table.created.as_ref().filter(|_| timestamps) {
        added.push(written(name, kind.clone(), Role::Created, true));
    }
    if let Some(name) = table.updated.as_ref().filter(|_| timestamps) {
        added.push(written(name, kind, Role::Updated, false));
    }
    added
}

/// An attribute that the table writes, not the user.
pub(super) fn written(name: &Name, kind: Kind, role: Role, immutable: bool) -> Arc<Attribute> {
    Arc::new(Attribute {
        name: name.clone(),
        doc: String::new(),
        kind,
        rules: Rules::default(),
        optional: false,
        default: None,
        immutable,
        generated: None,
        stored: true,
        role,
    })
}

fn read_one<'n>(
    key: &'n Key,
    node: &'n Node,
    table: &TableSource,
    problems: &mut Problems,
) -> Option<AttributeSource<'n>> {
    let before = problems.list.len();
    let name = reader::check_name(&key.text, key.span, Names::Attribute, problems);
    check_reserved(key, table, problems);
    let source = match &node.content {
        Content::Map(_) => read_long(key, node, table.precision, problems),
        _ => read_short(key, node, table.precision, problems),
    };
    let _ = name?;
    source.filter(|_| problems.list.len() == before)
}

fn check_reserved(key: &Key, table: &TableSource, problems: &mut Problems) {
    let taken = [
        (Some(&table.table.pk), "the partition key"),
        (Some(&table.table.sk), "the sort key"),
        (table.table.type_attribute.as_ref(), "the table's `type`"),
        (table.created.as_ref(), "the table's `created`"),
        (table.updated.as_ref(), "the table's `updated`"),
    ];
    if let Some((_, job)) = taken.iter().find(|(name, _)| name.is_some_and(|name| **name == *key.text)) {
        let message = format!("`{}` is {job} and is written by Hansang", key.text);
        problems.report(Code::ReservedName, key.span, message, "remove it here: every item has it anyway");
    }
}

/// `name: string` or `name: string?`.
fn read_short<'n>(
    key: &'n Key,
    node: &'n Node,
    precision: Precision,
    problems: &mut Problems,
) -> Option<AttributeSource<'n>> {
    let text = reader::text(node, problems)?;
    let (word, optional) = text.strip_suffix('?').map_or((text, false), |word| (word, true));
    let kind = kinds::word(word, node.span, precision, problems)?;
    Some(source(key, blank(key, kind, optional)))
}

fn blank(key: &Key, kind: Kind, optional: bool) -> Attribute {
    Attribute {
        name: Name::from(key.text.as_str()),
        doc: String::new(),
        kind,
        rules: Rules::default(),
        optional,
        default: None,
        immutable: false,
        generated: None,
        stored: true,
        role: Role::Given,
    }
}

fn source(key: &Key, attribute: Attribute) -> AttributeSource<'_> {
    AttributeSource { attribute: Arc::new(attribute), span: key.span, template: None, sorts_as_text: false }
}

/// `name: { type: string, optional: true, … }`.
fn read_long<'n>(
    key: &'n Key,
    node: &'n Node,
    precision: Precision,
    problems: &mut Problems,
) -> Option<AttributeSource<'n>> {
    let fields = Fields::read(node, "an attribute", FIELDS, problems)?;
    let types: Vec<&Key> = TYPE_FIELDS.iter().filter_map(|name| fields.key(name)).collect();
    let type_key = match types.as_slice() {
        [one] => *one,
        [] => {
            let help =
                "write `type: string`, or one of `enum`, `lifecycle`, `list`, `map`, `set`, `template`";
            problems.report(Code::MissingField, node.span, format!("`{}` has no type", key.text), help);
            return None;
        }
        [_, second, ..] => {
            let message = format!("`{}` has more than one type", key.text);
            problems.report(Code::BadRule, second.span, message, "keep the one that is meant");
            return None;
        }
    };
    let precision =
        match fields.get("precision").and_then(|node| reader::choice(node, &["seconds", "millis"], problems))
        {
            Some("millis") => Precision::Millis,
            Some(_) => Precision::Seconds,
            None => precision,
        };
    let template = fields.get("template");
    let (mut kind, optional) = read_kind(type_key, fields.get(&type_key.text)?, precision, problems)?;
    apply_kind_options(&fields, &mut kind, problems);
    let mut attribute = blank(key, kind, optional || fields.flag("optional", problems));
    attribute.doc = fields.doc(problems);
    attribute.immutable = fields.flag("immutable", problems);
    attribute.stored = fields.get("stored").and_then(|node| reader::flag(node, problems)).unwrap_or(true);
    attribute.generated =
        fields.get("generated").and_then(|node| read_generated(node, &attribute.kind, problems));
    attribute.rules = read_rules(&fields, &attribute.kind, problems);
    if let Some(node) = fields.get("default") {
        attribute.default = read_default(node, &attribute, problems);
    }
    if template.is_some() {
        check_derived(&fields, problems);
    }
    let sorts = fields.get("sorts").and_then(|node| reader::choice(node, &["text"], problems));
    Some(AttributeSource {
        attribute: Arc::new(attribute),
        span: key.span,
        template,
        sorts_as_text: sorts.is_some(),
    })
}

fn read_kind(key: &Key, node: &Node, precision: Precision, problems: &mut Problems) -> Option<(Kind, bool)> {
    if key.text == "template" {
        return Some((Kind::String, true));
    }
    if key.text == "type" {
        let text = reader::text(node, problems)?;
        let (word, optional) = text.strip_suffix('?').map_or((text, false), |word| (word, true));
        return Some((kinds::word(word, node.span, precision, problems)?, optional));
    }
    Some((kinds::member(key, node, precision, problems)??, false))
}

/// `initial` of a lifecycle and `separator` of a month; refused on other types.
fn apply_kind_options(fields: &Fields<'_>, kind: &mut Kind, problems: &mut Problems) {
    if let Some(node) = fields.get("initial") {
        match kind {
            Kind::Lifecycle(life) => {
                let given = reader::texts(node, problems);
                for (state, span) in &given {
                    if !life.states.iter().any(|known| **known == **state) {
                        let help = format!("the states are {}", reader::list(&life.states));
                        problems.report(
                            Code::BadLifecycle,
                            *span,
                            format!("there is no state `{state}`"),
                            help,
                        );
                    }
                }
                life.initial = given.iter().map(|(state, _)| Name::from(*state)).collect();
            }
            _ => unfit(fields, "initial", "a lifecycle", problems),
        }
    }
    if let Kind::Lifecycle(life) = kind {
        let span = fields.get("lifecycle").map_or(fields.span, |node| node.span);
        for state in life.states.iter().filter(|state| !life.initial.contains(state)) {
            if life.before(state).next().is_none() {
                let help = "add a move to it, or name it in `initial`";
                problems.report(Code::BadLifecycle, span, format!("no item can ever be `{state}`"), help);
            }
        }
    }
    if let Some(node) = fields.get("separator") {
        match (kind, reader::choice(node, &["-", ".", "/", "_"], problems)) {
            (Kind::Month { separator }, Some(text)) => *separator = text.chars().next().unwrap_or('-'),
            (_, None) => {}
            _ => unfit(fields, "separator", "a month", problems),
        }
    }
    if fields.get("precision").is_some()
        && fields.text("type", problems).is_none_or(|text| !text.starts_with("timestamp"))
    {
        unfit(fields, "precision", "a timestamp", problems);
    }
}

fn unfit(fields: &Fields<'_>, rule: &str, fits: &str, problems: &mut Problems) {
    let span = fields.key(rule).map_or(fields.span, |key| key.span);
    problems.report(Code::BadRule, span, format!("`{rule}` is for {fits}"), "remove it, or change the type");
}

fn read_generated(node: &Node, kind: &Kind, problems: &mut Problems) -> Option<Generated> {
    let generated = match reader::choice(node, &["ulid", "uuid", "now"], problems)? {
        "ulid" => Generated::Ulid,
        "uuid" => Generated::Uuid,
        _ => Generated::Now,
    };
    let fits = match generated {
        Generated::Ulid => matches!(kind, Kind::Ulid | Kind::String),
        Generated::Uuid => matches!(kind, Kind::Uuid | Kind::String),
        Generated::Now => matches!(kind, Kind::Timestamp(_)),
    };
    if !fits {
        let help = "`ulid` and `uuid` fit `string` and their own types, `now` fits `timestamp`";
        problems.report(Code::BadGenerated, node.span, format!("this does not make {kind}"), help);
        return None;
    }
    Some(generated)
}

fn read_rules(fields: &Fields<'_>, kind: &Kind, problems: &mut Problems) -> Rules {
    let mut rules = Rules::default();
    for rule in ["min", "max"] {
        let Some(node) = fields.get(rule) else { continue };
        if !kind.is_numeric() {
            unfit(fields, rule, "numbers; for text and lists use `length`", problems);
            continue;
        }
        let number = reader::text(node, problems).and_then(|text| text.parse::<Number>().ok());
        match number {
            Some(number) if rule == "min" => rules.min = Some(number),
            Some(number) => rules.max = Some(number),
            None => problems.report(
                Code::BadRule,
                node.span,
                format!("`{rule}` must be a number"),
                "write a number such as `0`",
            ),
        }
    }
    if let Some(node) = fields.get("length") {
        read_length(fields, node, kind, &mut rules, problems);
    }
    if let Some(node) = fields.get("pattern") {
        read_pattern(fields, node, kind, &mut rules, problems);
    }
    let span = |rule: &str| fields.key(rule).map_or(fields.span, |key| key.span);
    if rules.min.zip(rules.max).is_some_and(|(min, max)| min > max) {
        problems.report(
            Code::BadRule,
            span("min"),
            "`min` is above `max`: nothing is accepted",
            "swap the two",
        );
    }
    if rules.min_length.zip(rules.max_length).is_some_and(|(min, max)| min > max) {
        problems.report(
            Code::BadRule,
            span("length"),
            "the least length is above the greatest",
            "swap the two",
        );
    }
    rules
}

fn read_length(fields: &Fields<'_>, node: &Node, kind: &Kind, rules: &mut Rules, problems: &mut Problems) {
    let counts = matches!(kind, Kind::String | Kind::Markdown | Kind::Email | Kind::Url | Kind::Binary)
        || matches!(kind, Kind::List(_) | Kind::Map(_) | Kind::Set(_));
    if !counts {
        return unfit(fields, "length", "text, binary, lists, maps and sets", problems);
    }
    if let Content::List(nodes) = &node.content {
        if let [min, max] = nodes.as_slice() {
            rules.min_length = reader::whole(min, problems);
            rules.max_length = reader::whole(max, problems);
        } else {
            problems.report(Code::BadRule, node.span, "`length` has two bounds", "write `length: [1, 200]`");
        }
    } else {
        rules.min_length = reader::whole(node, problems);
        rules.max_length = rules.min_length;
    }
}

fn read_pattern(fields: &Fields<'_>, node: &Node, kind: &Kind, rules: &mut Rules, problems: &mut Problems) {
    if !kind.is_free_text() {
        return unfit(fields, "pattern", "text", problems);
    }
    let Some(text) = reader::text(node, problems) else { return };
    let whole = regex::RegexBuilder::new(&format!("^(?:{text})$")).size_limit(1 << 20).build();
    match whole {
        Ok(pattern) => {
            rules.pattern = Some(pattern);
            rules.pattern_text = Some(text.to_owned());
        }
        Err(_) => {
            let help = "check brackets and backslashes; look-around and back-references do not exist";
            problems.report(Code::BadRule, node.span, "this is not a regular expression", help);
        }
    }
}

fn read_default(node: &Node, attribute: &Attribute, problems: &mut Problems) -> Option<Value> {
    let value = match &node.content {
        Content::Scalar { text, .. } => attribute.kind.from_text(text),
        _ => attribute.kind.coerce(to_value(node)),
    };
    let checked = value.and_then(|value| {
        validate::check_rules(attribute, &value)?;
        match &attribute.kind {
            Kind::Lifecycle(life) if !life.initial.iter().any(|state| value.as_str() == Some(&**state)) => {
                Err(format!("must be one of the initial states {}", reader::list(&life.initial)))
            }
            _ => Ok(value),
        }
    });
    match checked {
        Ok(value) => Some(value),
        Err(problem) => {
            let message = format!("the default of `{}` {problem}", attribute.name);
            problems.report(Code::BadDefault, node.span, message, "write a default that the rules accept");
            None
        }
    }
}

/// A list or map of the file as a value, with plain scalars read as JSON would.
fn to_value(node: &Node) -> Value {
    match &node.content {
        Content::List(nodes) => Value::L(nodes.iter().map(to_value).collect()),
        Content::Map(entries) => Value::M(
            entries.iter().map(|(key, node)| (Name::from(key.text.as_str()), to_value(node))).collect(),
        ),
        Content::Scalar { text, quoted: true } => Value::S(text.clone()),
        Content::Scalar { text, .. } => match (text.as_str(), text.parse::<Number>()) {
            ("true", _) => Value::Bool(true),
            ("false", _) => Value::Bool(false),
            ("" | "~" | "null", _) => Value::Null,
            (_, Ok(number)) => Value::N(number),
            _ => Value::S(text.clone()),
        },
    }
}

fn check_derived(fields: &Fields<'_>, problems: &mut Problems) {
    for rule in ["default", "generated", "immutable", "stored", "length", "pattern", "optional"] {
        if fields.get(rule).is_some() {
            unfit(
                fields,
                rule,
                "attributes that are given; this one is rendered from its template",
                problems,
            );
        }
    }
}
