//! The `attributes:` of an entity, and those that the table adds to it.

use std::sync::Arc;

use super::names::{self, Names};
use super::problems::Problems;
use super::reader::{self, Fields};
use super::{TableSource, kinds, language, lifecycles, rules, suggest, texts};
use crate::diagnostic::{Code, Span, short};
use crate::kind::Kind;
use crate::kind::time::Precision;
use crate::model::{Attribute, Role, Rules};
use crate::value::{Name, known};
use crate::words::Words;
use crate::yaml::{Content, Key, Node};

const MAX_ATTRIBUTES: usize = 200;

/// An attribute as the file has it.
pub(super) struct AttributeSource<'n> {
    pub(super) attribute: Arc<Attribute>,
    pub(super) span: Span,
    pub(super) node: &'n Node,
    /// The template it is derived from, which needs the other attributes to be compiled.
    pub(super) template: Option<&'n Node>,
    /// Whether the file accepts that the values sort as text.
    pub(super) sorts_as_text: bool,
}

/// Reads the attributes of one entity. The names of those with a problem are returned separately, so
/// that templates that use them are not reported as well.
pub(super) fn read<'n>(
    node: Option<&'n Node>,
    table: &TableSource<'_>,
    timestamps: bool,
    problems: &mut Problems,
) -> (Vec<AttributeSource<'n>>, Vec<&'n str>) {
    let Some(node) = node else { return Default::default() };
    let entries = reader::entries(node, "`attributes`", MAX_ATTRIBUTES, problems);
    let mut sources = Vec::new();
    let mut broken: Vec<&str> =
        reader::beyond(node, MAX_ATTRIBUTES).iter().map(|(key, _)| key.text.as_str()).collect();
    for (key, node) in entries {
        match read_one(key, node, table, timestamps, problems) {
            Some(source) => sources.push(source),
            None => broken.push(key.text.as_str()),
        }
    }
    (sources, broken)
}

/// The attributes that the table writes itself.
pub(super) fn of_table(entity: &Name, table: &TableSource<'_>, timestamps: bool) -> Vec<Arc<Attribute>> {
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
    Arc::new(Attribute { immutable, role, ..blank(name, kind, false) })
}

/// The table's own use of an attribute name, if it has one.
pub(super) fn job(name: &str, table: &TableSource<'_>, timestamps: bool) -> Option<&'static str> {
    let jobs = [
        (Some(&table.table.pk), "the partition key"),
        (Some(&table.table.sk), "the sort key"),
        (table.table.type_attribute.as_ref(), "the table's `type`"),
        (table.created.as_ref().filter(|_| timestamps), "the table's `created`"),
        (table.updated.as_ref().filter(|_| timestamps), "the table's `updated`"),
    ];
    jobs.iter().find(|(taken, _)| taken.is_some_and(|taken| **taken == *name)).map(|(_, job)| *job)
}

fn read_one<'n>(
    key: &'n Key,
    node: &'n Node,
    table: &TableSource<'_>,
    timestamps: bool,
    problems: &mut Problems,
) -> Option<AttributeSource<'n>> {
    let before = problems.list.len();
    names::check(&key.text, key.span, Names::Attribute, problems);
    if let Some(job) = job(&key.text, table, timestamps) {
        let message = format!("`{}` is {job} and is written by Hansang", key.text);
        problems.report(Code::ReservedName, key.span, message, "remove it here: every item has it anyway");
    }
    let mut source = match &node.content {
        Content::Map(_) => read_long(key, node, table.precision, problems),
        _ => read_short(key, node, table.precision, problems),
    };
    let is_ttl = table.table.ttl.as_ref().is_some_and(|ttl| *ttl.attribute == *key.text);
    if let Some(source) = source.as_mut().filter(|_| is_ttl) {
        Arc::make_mut(&mut source.attribute).expires = true;
    }
    source.filter(|_| problems.list.len() == before)
}

fn blank(name: &str, kind: Kind, optional: bool) -> Attribute {
    Attribute {
        name: known(name),
        title: Words::default(),
        doc: Words::default(),
        titles: Vec::new(),
        kind,
        rules: Rules::default(),
        optional,
        default: None,
        immutable: false,
        generated: None,
        stored: true,
        expires: false,
        role: Role::Given,
    }
}

/// `name: string` or `name: string?`.
fn read_short<'n>(
    key: &'n Key,
    node: &'n Node,
    precision: Precision,
    problems: &mut Problems,
) -> Option<AttributeSource<'n>> {
    let text = match &node.content {
        Content::Scalar { text, quoted } if *quoted || !text.is_empty() => text,
        Content::Scalar { .. } => {
            let help =
                format!("write `{0}: string`, or `{0}: string?` if an item can do without it", key.text);
            problems.report(Code::MissingField, key.span, format!("`{}` has no type", key.text), help);
            return None;
        }
        _ => {
            let help =
                "write `{ list: string }` for a list of texts, `{ enum: [A, B] }` for one of some texts";
            let message = format!("the type of `{}` must be a word or a map, not a list", key.text);
            problems.report(Code::WrongShape, node.span, message, help);
            return None;
        }
    };
    let (kind, optional) = read_word(text, node.span, precision, problems)?;
    let attribute = Arc::new(blank(&key.text, kind, optional));
    Some(AttributeSource { attribute, span: key.span, node, template: None, sorts_as_text: false })
}

/// A type in one word, and whether a trailing `?` makes the attribute optional.
fn read_word(text: &str, span: Span, precision: Precision, problems: &mut Problems) -> Option<(Kind, bool)> {
    let (word, optional) = text.strip_suffix('?').map_or((text, false), |word| (word, true));
    Some((kinds::word(word, span, precision, problems)?, optional))
}

/// `name: { type: string, optional: true, … }`.
fn read_long<'n>(
    key: &'n Key,
    node: &'n Node,
    precision: Precision,
    problems: &mut Problems,
) -> Option<AttributeSource<'n>> {
    let before = problems.list.len();
    let what = format!("the attribute `{}`", short(&key.text));
    let fields = Fields::read(node, &what, language::ATTRIBUTE, problems)?;
    // A field with a wrong name may be the very one that is missing, or one too many.
    let named_right = problems.list.len() == before;
    let type_key = one_type(key, &fields, named_right, problems)?;
    let precision = match fields.choice("precision", language::PRECISIONS, problems) {
        Some("millis") => Precision::Millis,
        Some(_) => Precision::Seconds,
        None => precision,
    };
    let type_node = fields.get(type_key)?;
    let (mut kind, optional) = match type_key {
        "template" => (Kind::String, true),
        "type" => read_word(reader::text(type_node, problems)?, type_node.span, precision, problems)?,
        _ => (kinds::member(type_key, type_node, precision, problems)?, false),
    };
    let before_options = problems.list.len();
    apply_kind_options(&fields, &mut kind, problems);
    let is_kind_right = problems.list.len() == before_options;
    let optional = fields.flag("optional", problems).unwrap_or(false) || optional;
    let mut attribute = blank(&key.text, kind, optional);
    attribute.title = fields.words("title", problems);
    attribute.doc = fields.words("doc", problems);
    attribute.immutable = fields.flag("immutable", problems).unwrap_or(false);
    attribute.stored = fields.flag("stored", problems).unwrap_or(true);
    rules::read(&fields, &mut attribute, is_kind_right, problems);
    // A slip in the values is reported by the type or the default.
    if problems.list.len() == before_options {
        attribute.titles = texts::titles(&fields, &attribute.kind, problems);
    }
    let template = fields.get("template");
    if template.is_some() {
        rules::check_derived(&fields, problems);
    }
    let sorts = fields.choice("sorts", language::SORTS, problems);
    if sorts.is_some() && attribute.kind != Kind::Semver {
        rules::unfit(&fields, "sorts", "a semver", problems);
    }
    let sorts_as_text = sorts.is_some();
    Some(AttributeSource { attribute: Arc::new(attribute), span: key.span, node, template, sorts_as_text })
}

/// The one field that gives the type.
fn one_type(
    key: &Key,
    fields: &Fields<'_>,
    named_right: bool,
    problems: &mut Problems,
) -> Option<&'static str> {
    let types: Vec<&'static str> =
        language::TYPE_FIELDS.iter().filter(|name| fields.get(name).is_some()).copied().collect();
    match types.as_slice() {
        [one] => return Some(one),
        _ if !named_right => {}
        [] => {
            let help =
                "write `type: string`, or one of `enum`, `lifecycle`, `list`, `map`, `set`, `template`";
            problems.report(Code::MissingField, fields.span, format!("`{}` has no type", key.text), help);
        }
        [first, second, ..] => {
            let span = fields.key(first).map(|key| key.span).max(fields.key(second).map(|key| key.span));
            let message = format!("`{}` has more than one type: {}", key.text, suggest::list(&types));
            let help = match *first {
                "type" => format!("remove `type`: `{second}` says it already"),
                _ => "keep the one that is meant".to_owned(),
            };
            problems.report(Code::BadRule, span.unwrap_or(fields.span), message, help);
        }
    }
    None
}

/// `initial` of a lifecycle, `separator` of a month, `precision` of a time; refused on other types.
fn apply_kind_options(fields: &Fields<'_>, kind: &mut Kind, problems: &mut Problems) {
    match kind {
        Kind::Lifecycle(life) => lifecycles::read_initial(fields, life, problems),
        _ if fields.get("initial").is_some() => rules::unfit(fields, "initial", "a lifecycle", problems),
        _ => {}
    }
    match (&mut *kind, fields.choice("separator", language::SEPARATORS, problems)) {
        (Kind::Month { separator }, Some(text)) => *separator = text.chars().next().unwrap_or('-'),
        (_, Some(_)) => rules::unfit(fields, "separator", "a month", problems),
        (_, None) => {}
    }
    if fields.get("precision").is_some() && !holds_times(kind) {
        rules::unfit(fields, "precision", "a timestamp", problems);
    }
}

fn holds_times(kind: &Kind) -> bool {
    match kind {
        Kind::Timestamp(_) => true,
        Kind::List(element) | Kind::Map(element) => holds_times(element),
        _ => false,
    }
}
