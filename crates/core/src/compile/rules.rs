//! Rules, defaults and generators of attributes.

use super::problems::Problems;
use super::reader::{self, Fields};
use super::{language, suggest};
use crate::diagnostic::Code;
use crate::kind::Kind;
use crate::message::Message;
use crate::model::{Attribute, Generated, Rules};
use crate::number::Number;
use crate::validate;
use crate::value::{Name, Value};
use crate::yaml::{Content, Node};

const MAX_EXPRESSIONS: usize = 100;
const MAX_EXPRESSION_TEXT: usize = 1000;
/// The maximum memory of one expression.
const MAX_EXPRESSION_BYTES: usize = 512 * 1024;

/// Reads the rules, the default and the generator of an attribute. A default is only checked against a
/// valid type and valid rules.
pub(super) fn read(
    fields: &Fields<'_>,
    attribute: &mut Attribute,
    is_kind_right: bool,
    problems: &mut Problems,
) {
    attribute.generated = read_generated(fields, &attribute.kind, problems);
    let before = problems.list.len();
    attribute.rules = read_rules(fields, &attribute.kind, problems);
    let Some(node) = fields.get("default") else { return };
    if attribute.generated.is_some() {
        let message = format!("the default of `{}` would never be used: it is generated", attribute.name);
        problems.report(Code::BadDefault, node.span, message, "keep one of `default` and `generated`");
    } else if is_kind_right && problems.list.len() == before {
        attribute.default = read_default(node, attribute, problems);
    }
}

/// Reports a field that does not fit the type of the attribute.
pub(super) fn unfit(fields: &Fields<'_>, rule: &str, fits: &str, problems: &mut Problems) {
    unfit_because(fields, rule, fits, "remove it, or change the type", problems);
}

fn unfit_because(fields: &Fields<'_>, rule: &str, fits: &str, help: &str, problems: &mut Problems) {
    let span = fields.key(rule).map_or(fields.span, |key| key.span);
    problems.report(Code::BadRule, span, format!("`{rule}` is for {fits}"), help);
}

/// Reports fields that an attribute with a template cannot have.
pub(super) fn check_derived(fields: &Fields<'_>, problems: &mut Problems) {
    for rule in ["default", "generated", "immutable", "stored", "length", "pattern", "optional"] {
        if fields.get(rule).is_some() {
            let help = "remove it: the value is made from the template, and is absent if a field is";
            unfit_because(fields, rule, "attributes that are given", help, problems);
        }
    }
}

fn read_generated(fields: &Fields<'_>, kind: &Kind, problems: &mut Problems) -> Option<Generated> {
    let word = fields.choice("generated", language::GENERATED, problems)?;
    let (generated, fits) = match word {
        "ulid" => (Generated::Ulid, matches!(kind, Kind::Ulid | Kind::String)),
        "uuid" => (Generated::Uuid, matches!(kind, Kind::Uuid | Kind::String)),
        _ => (Generated::Now, matches!(kind, Kind::Timestamp(_))),
    };
    if !fits {
        let node = fields.get("generated")?;
        let help = match word {
            "now" => "`now` makes a `timestamp`",
            "ulid" => "`ulid` makes a `ulid` or a `string`",
            _ => "`uuid` makes a `uuid` or a `string`",
        };
        problems.report(Code::BadGenerated, node.span, format!("`{word}` does not make {kind}"), help);
        return None;
    }
    Some(generated)
}

fn read_rules(fields: &Fields<'_>, kind: &Kind, problems: &mut Problems) -> Rules {
    let mut rules = Rules::default();
    for rule in ["min", "max"] {
        let Some(node) = fields.get(rule) else { continue };
        if !kind.is_numeric() {
            let help = "remove it; for text, lists, maps and sets there is `length: [1, 200]`";
            unfit_because(fields, rule, "numbers", help, problems);
            continue;
        }
        let Some(text) = reader::text(node, problems) else { continue };
        match text.parse::<Number>() {
            Ok(number) if rule == "min" => rules.min = Some(number),
            Ok(number) => rules.max = Some(number),
            Err(_) => {
                let message = format!("`{rule}` must be a number");
                problems.report(Code::BadRule, node.span, message, format!("write `{rule}: 0`"));
            }
        }
    }
    if let Some((min, max)) = rules.min.zip(rules.max).filter(|(min, max)| min > max) {
        let span = fields.key("min").map_or(fields.span, |key| key.span);
        let help = format!("swap the two: `min: {max}, max: {min}`");
        problems.report(Code::BadRule, span, "`min` is above `max`: nothing would be accepted", help);
    }
    if let Some(node) = fields.get("length") {
        read_length(fields, node, kind, &mut rules, problems);
    }
    if let Some(node) = fields.get("pattern") {
        read_pattern(fields, node, kind, &mut rules, problems);
    }
    rules
}

fn read_length(fields: &Fields<'_>, node: &Node, kind: &Kind, rules: &mut Rules, problems: &mut Problems) {
    let counts = matches!(kind, Kind::String | Kind::Markdown | Kind::Email | Kind::Url | Kind::Binary)
        || matches!(kind, Kind::List(_) | Kind::Map(_) | Kind::Set(_));
    if !counts {
        let help = match kind.is_numeric() {
            true => "remove it; for numbers there is `min` and `max`",
            false => "remove it: all values of this type have the same length",
        };
        return unfit_because(fields, "length", "text, binary, lists, maps and sets", help, problems);
    }
    match &node.content {
        Content::List(nodes) => match nodes.as_slice() {
            [min, max] => {
                rules.min_length = reader::whole(min, problems);
                rules.max_length = reader::whole(max, problems);
            }
            _ => {
                let help = "write `length: [1, 200]`, or one number for an exact length";
                problems.report(Code::BadRule, node.span, "`length` needs a minimum and a maximum", help);
            }
        },
        _ => {
            rules.min_length = reader::whole(node, problems);
            rules.max_length = rules.min_length;
        }
    }
    if let Some((min, max)) = rules.min_length.zip(rules.max_length).filter(|(min, max)| min > max) {
        let message = "the minimum length is above the maximum: nothing would be accepted";
        problems.report(Code::BadRule, node.span, message, format!("swap the two: `length: [{max}, {min}]`"));
    }
}

fn read_pattern(fields: &Fields<'_>, node: &Node, kind: &Kind, rules: &mut Rules, problems: &mut Problems) {
    if !kind.is_free_text() {
        return unfit(fields, "pattern", "text", problems);
    }
    let Some(text) = reader::text(node, problems) else { return };
    problems.expressions += 1;
    if problems.expressions > MAX_EXPRESSIONS {
        let message =
            format!("a model may have {MAX_EXPRESSIONS} patterns of attributes, and this is one more");
        problems.report(
            Code::TooMany,
            node.span,
            message,
            "use `length`, `enum` or a type with a fixed format",
        );
        return;
    }
    match whole_text(text) {
        Ok(pattern) => {
            rules.pattern = Some(pattern);
            rules.pattern_text = Some(text.to_owned());
        }
        Err(regex::Error::CompiledTooBig(_)) => {
            let help = "repeat less: `length` limits how long a text is, and costs nothing";
            problems.report(Code::BadRule, node.span, "this regular expression becomes too large", help);
        }
        Err(error) => {
            let error = error.to_string();
            let why = error.rsplit("error: ").next().unwrap_or_default().trim();
            let help = "check brackets and backslashes; look-around and back-references do not exist";
            problems.report(
                Code::BadRule,
                node.span,
                format!("this is not a regular expression: {why}"),
                help,
            );
        }
    }
}

/// An expression that matches a text as a whole or not at all.
fn whole_text(text: &str) -> Result<regex::Regex, regex::Error> {
    let build = |text: &str| regex::RegexBuilder::new(text).size_limit(MAX_EXPRESSION_BYTES).build();
    if text.len() > MAX_EXPRESSION_TEXT {
        return Err(regex::Error::CompiledTooBig(MAX_EXPRESSION_BYTES));
    }
    // Brackets that are closed and opened again would let the rest escape from the group below.
    if text.contains(')') {
        build(text)?;
    }
    build(&format!("^(?:{text})$"))
}

fn read_default(node: &Node, attribute: &Attribute, problems: &mut Problems) -> Option<Value> {
    let value = match &node.content {
        Content::Scalar { .. } => attribute.kind.from_text(reader::text(node, problems)?),
        _ => attribute.kind.coerce(to_value(node)),
    };
    let checked = value.and_then(|value| {
        validate::check_rules(attribute, &value)?;
        match &attribute.kind {
            Kind::Lifecycle(life) if !life.initial.iter().any(|state| value.as_str() == Some(&**state)) => {
                Err(Message::raw(format!("must be an initial state: {}", suggest::list(&life.initial))))
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
        Content::Scalar { text, quoted: true } => Value::from(text.clone()),
        Content::Scalar { text, .. } => match (text.as_str(), text.parse::<Number>()) {
            ("true", _) => Value::Bool(true),
            ("false", _) => Value::Bool(false),
            ("" | "~" | "null", _) => Value::Null,
            (_, Ok(number)) => Value::N(number),
            _ => Value::from(text.clone()),
        },
    }
}
