//! A JSON Schema (2020-12) of the items as they are stored, in plain JSON: for editors, for other
//! languages, and to check an export.
//!
//! A schema cannot compare two values of an item, so it does not check that keys match the fields; it
//! covers everything else that [`crate::identify::read_item`] checks.

use serde_json::{Map, Value as Json, json};

use crate::kind::{Kind, Members};
use crate::message::Language;
use crate::model::{Attribute, Entity, EntityIndex, KeySource, Leg, Model, Pattern, Role};
use crate::read::Parameter;
use crate::template::{Field, Template};
use crate::unique;
use crate::value::json::to_plain;
use crate::value::{Name, Value};

mod binary;
mod pattern;

/// The name of the definition of unique constraints' pointers, which no entity can have.
const POINTER: &str = "unique-pointer";

pub(super) fn export(model: &Model, env: Option<&str>) -> String {
    let mut definitions: Map<String, Json> = model
        .entities
        .iter()
        .map(|entity| (entity.name.to_string(), Json::Object(entity_schema(model, entity))))
        .collect();
    if model.entities.iter().any(|entity| !entity.uniques.is_empty()) {
        definitions.insert(POINTER.to_owned(), pointer_schema(model));
    }
    let choices: Vec<Json> =
        definitions.keys().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect();
    let mut schema = Map::new();
    schema.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    let comment = format!("Written by Hansang from the model {}, version {}.", model.name, model.version);
    schema.insert("$comment".into(), comment.into());
    schema.insert("title".into(), format!("An item of {}", model.table.name_in(env)).into());
    describe(&mut schema, model.doc.english());
    schema.insert("oneOf".into(), choices.into());
    schema.insert("$defs".into(), definitions.into());
    format!("{:#}\n", Json::Object(schema))
}

fn entity_schema(model: &Model, entity: &Entity) -> Map<String, Json> {
    let mut members = Properties::default();
    members.add(&model.table.pk, template_schema(&entity.pk), true);
    members.add(&model.table.sk, template_schema(&entity.sk), true);
    for entry in &entity.indexes {
        add_index_keys(model, entity, entry, &mut members);
    }
    for attribute in entity.attributes.iter().filter(|attribute| attribute.stored) {
        members.add(&attribute.name, attribute_schema(entity, attribute), is_required(attribute));
    }
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    entitle(&mut schema, entity.title.english());
    describe(&mut schema, entity.doc.english());
    schema.insert("properties".into(), members.properties.into());
    schema.insert("required".into(), members.required.into());
    if !members.together.is_empty() {
        schema.insert("dependentRequired".into(), members.together.into());
    }
    schema.insert("additionalProperties".into(), false.into());
    schema
}

/// The properties of an item, the required ones, and those that depend on each other.
#[derive(Default)]
struct Properties {
    properties: Map<String, Json>,
    required: Vec<Json>,
    together: Map<String, Json>,
}

impl Properties {
    fn add(&mut self, name: &Name, schema: Map<String, Json>, required: bool) {
        if self.properties.insert(name.to_string(), schema.into()).is_none() && required {
            self.required.push(Json::from(&**name));
        }
    }
}

/// The key attributes that exist for an index alone. They are there when every field of both is,
/// and never one without the other.
fn add_index_keys(model: &Model, entity: &Entity, entry: &EntityIndex, members: &mut Properties) {
    let index = &model.table.indexes[entry.index];
    let keys = [Some((&index.pk, &entry.pk)), index.sk.as_ref().zip(entry.sk.as_ref())];
    let always = keys.iter().flatten().all(|(_, source)| always_there(source));
    for (at, key) in keys.iter().enumerate() {
        let Some((name, KeySource::Derived(template))) = key else { continue };
        members.add(name, template_schema(template), always);
        // If two indexes share the key, each of them adds it.
        let shared = entity.indexes.iter().filter(|entry| has_key(model, entry, name)).count() > 1;
        if let (Some((other, _)), false) = (keys[1 - at], shared) {
            members.together.insert(name.to_string(), json!([&**other]));
        }
    }
}

fn has_key(model: &Model, entry: &EntityIndex, name: &Name) -> bool {
    let index = &model.table.indexes[entry.index];
    index.pk == *name || index.sk.as_ref() == Some(name)
}

fn always_there(source: &KeySource) -> bool {
    match source {
        KeySource::Derived(template) | KeySource::Own(template) => is_whole(template),
        KeySource::Number(attribute) => !attribute.optional,
    }
}

/// Whether every field of the template is required, so that it always renders.
fn is_whole(template: &Template) -> bool {
    template.fields().all(|field| !field.attribute.optional)
}

/// An item that was never updated may lack the time of its last write; a rendered attribute is
/// there when its fields are.
fn is_required(attribute: &Attribute) -> bool {
    match &attribute.role {
        Role::Updated => false,
        Role::Derived(template) => is_whole(template),
        _ => !attribute.optional,
    }
}

fn template_schema(template: &Template) -> Map<String, Json> {
    let mut schema = Map::new();
    if template.fields().next().is_none() {
        schema.insert("const".into(), template.text.as_str().into());
    } else {
        schema.insert("type".into(), "string".into());
        schema.insert("pattern".into(), pattern::of_template(template).into());
    }
    schema
}

/// The schema of the values of one attribute, in plain JSON.
#[must_use]
pub fn attribute_schema(entity: &Entity, attribute: &Attribute) -> Map<String, Json> {
    attribute_schema_in(entity, attribute, Language::English)
}

/// As [`attribute_schema`], with its title and description in a language.
#[must_use]
pub fn attribute_schema_in(entity: &Entity, attribute: &Attribute, language: Language) -> Map<String, Json> {
    let mut schema = match &attribute.role {
        Role::Type => Map::from_iter([("const".to_owned(), Json::from(&*entity.name))]),
        Role::Derived(template) => template_schema(template),
        _ => kind_schema(&attribute.kind),
    };
    add_rules(attribute, &mut schema);
    // A sparse key is checked only up to its first absent field, so later fields are left unchecked.
    let looked_at =
        |template: &Template, at| template.fields().take(at).all(|field| !field.attribute.optional);
    add_key_rules(&mut schema, field_in_key(entity, attribute, looked_at));
    entitle(&mut schema, attribute.title.in_language(language));
    describe(&mut schema, attribute.doc.in_language(language));
    if let Some(default) = &attribute.default {
        schema.insert("default".into(), to_plain(default));
    }
    schema
}

fn entitle(schema: &mut Map<String, Json>, title: &str) {
    if !title.is_empty() {
        schema.insert("title".into(), title.into());
    }
}

fn describe(schema: &mut Map<String, Json>, doc: &str) {
    if !doc.is_empty() {
        schema.insert("description".into(), doc.into());
    }
}

/// The schema of a key attribute of a lookup, in plain JSON. As with arguments of patterns, a value that
/// breaks the attribute's rules is not rejected but not found.
#[must_use]
pub fn key_schema(entity: &Entity, attribute: &Attribute) -> Map<String, Json> {
    let mut schema = kind_schema(&attribute.kind);
    add_key_rules(&mut schema, field_in_key(entity, attribute, |_, _| true));
    schema
}

/// The schema of an argument of a pattern, in plain JSON, without the rules of its attribute: a value that
/// breaks them is valid and finds nothing.
#[must_use]
pub fn argument_schema(pattern: &Pattern, parameter: &Parameter<'_>) -> Map<String, Json> {
    let mut schema = kind_schema(parameter.kind);
    // Values of a unique constraint are escaped, and can be any text.
    let in_key = pattern.legs.iter().any(|leg| !matches!(leg, Leg::Lookup { .. }));
    let ends = pattern.range.as_ref().or(pattern.over.as_ref().map(|over| &over.attribute));
    let given = pattern.given.iter().find(|attribute| *attribute.name == *parameter.name);
    if let (true, Some(entity), Some(attribute)) = (in_key, pattern.entities.first(), given.or(ends)) {
        add_key_rules(&mut schema, field_in_key(entity, attribute, |_, _| true));
    }
    schema
}

/// The first position of an attribute in a key of its entity. `counts` gets a template and the number of
/// fields before the attribute.
fn field_in_key<'e>(
    entity: &'e Entity,
    attribute: &Attribute,
    counts: impl Fn(&Template, usize) -> bool,
) -> Option<(char, &'e Field)> {
    let of_indexes = entity.indexes.iter().flat_map(|entry| [Some(&entry.pk), entry.sk.as_ref()]);
    let of_indexes = of_indexes.flatten().filter_map(KeySource::template);
    let mut templates = [&entity.pk, &entity.sk].into_iter().chain(of_indexes);
    templates.find_map(|template| {
        let mut fields = template.fields().enumerate();
        let (at, field) = fields.find(|(_, field)| field.attribute.name == attribute.name)?;
        counts(template, at).then_some((template.delimiter, field))
    })
}

/// Adds the rules of a key: free text is not empty and does not contain the delimiter, and a number fits
/// its padding.
fn add_key_rules(schema: &mut Map<String, Json>, in_key: Option<(char, &Field)>) {
    let Some((delimiter, field)) = in_key else { return };
    if let Some(pad) = field.pad {
        let most = 10_i64.checked_pow(pad.into()).map_or(i64::MAX, |beyond| beyond - 1);
        narrow(schema, "minimum", 0, i64::max);
        narrow(schema, "maximum", most, i64::min);
    } else if field.attribute.kind.is_free_text() {
        add_pattern(schema, format!("^{}$", pattern::free_text(delimiter)));
    }
}

fn narrow(schema: &mut Map<String, Json>, word: &str, bound: i64, narrower: fn(i64, i64) -> i64) {
    let own = schema.get(word).and_then(Json::as_i64).unwrap_or(bound);
    schema.insert(word.into(), narrower(own, bound).into());
}

/// The schema of the values of a type, in plain JSON.
#[must_use]
pub fn kind_schema(kind: &Kind) -> Map<String, Json> {
    let schema = match kind {
        Kind::String => json!({ "type": "string" }),
        Kind::Markdown => json!({ "type": "string", "contentMediaType": "text/markdown" }),
        // Neither has to follow RFC 6531 or RFC 3987: an object of S3 may be called `a{b}`. The pattern is
        // the rule.
        Kind::Email => json!({ "type": "string", "maxLength": 254 }),
        Kind::Url => json!({ "type": "string" }),
        Kind::Timestamp(_) => json!({ "type": "string", "format": "date-time" }),
        Kind::Uuid => json!({ "type": "string", "format": "uuid" }),
        Kind::Month { .. } | Kind::Ulid | Kind::Semver => json!({ "type": "string" }),
        Kind::Number => number(),
        Kind::Integer => json!({ "type": "integer", "format": "int64" }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Enum(choices) => json!({ "enum": texts(choices) }),
        Kind::Lifecycle(life) => json!({ "enum": texts(&life.states) }),
        Kind::List(element) => json!({ "type": "array", "items": kind_schema(element) }),
        Kind::Map(element) => json!({ "type": "object", "additionalProperties": kind_schema(element) }),
        Kind::Set(members) => json!({
            "type": "array", "items": member_schema(*members), "minItems": 1, "uniqueItems": true,
        }),
        Kind::Binary => binary::schema(),
        Kind::Any => json!({}),
    };
    let Json::Object(mut schema) = schema else { return Map::new() };
    if let Some(form) = pattern::of_kind(kind) {
        schema.insert("pattern".into(), format!("^{form}$").into());
    }
    schema
}

/// DynamoDB's numbers are below 1E+126; this is the last double before it.
fn number() -> Json {
    let most = 1e126_f64.next_down();
    json!({ "type": "number", "minimum": -most, "maximum": most })
}

fn member_schema(members: Members) -> Json {
    match members {
        Members::Texts => json!({ "type": "string" }),
        Members::Numbers => number(),
        Members::Binaries => binary::schema(),
    }
}

fn texts(names: &[Name]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

fn add_rules(attribute: &Attribute, schema: &mut Map<String, Json>) {
    let rules = &attribute.rules;
    for (word, bound) in [("minimum", rules.min), ("maximum", rules.max)] {
        if let Some(bound) = bound {
            schema.insert(word.into(), to_plain(&Value::N(bound)));
        }
    }
    let (least, most) = match attribute.kind {
        Kind::Binary => {
            binary::limit(schema, rules.min_length, rules.max_length);
            ("", "")
        }
        Kind::List(_) | Kind::Set(_) => ("minItems", "maxItems"),
        Kind::Map(_) => ("minProperties", "maxProperties"),
        _ => ("minLength", "maxLength"),
    };
    for (word, bound) in [(least, rules.min_length), (most, rules.max_length)] {
        if let (Some(bound), false) = (bound, word.is_empty()) {
            // An address or a set has a bound of its own; the narrower one holds.
            let own = schema.get(word).and_then(Json::as_u64).unwrap_or(bound as u64);
            let narrower = if word == least { own.max(bound as u64) } else { own.min(bound as u64) };
            schema.insert(word.into(), narrower.into());
        }
    }
    if let Some(text) = &rules.pattern_text {
        add_pattern(schema, format!("^(?:{text})$"));
    }
}

/// Adds a pattern; further ones go into `allOf`.
fn add_pattern(schema: &mut Map<String, Json>, pattern: String) {
    if !schema.contains_key("pattern") {
        schema.insert("pattern".into(), pattern.into());
    } else if let Json::Array(all) = schema.entry("allOf").or_insert_with(|| json!([])) {
        all.push(json!({ "pattern": pattern }));
    }
}

/// The items that keep values unique.
fn pointer_schema(model: &Model) -> Json {
    let delimiter = model.table.delimiter;
    let forms: Vec<String> = model
        .entities
        .iter()
        .flat_map(|entity| entity.uniques.iter().map(move |unique| (entity, unique)))
        .map(|(entity, unique)| {
            let (pk, _) = unique::pointer_templates(entity, unique, delimiter);
            pattern::of_template(&pk)
        })
        .collect();
    let forms: Vec<Json> = forms.into_iter().map(|form| json!({ "pattern": form })).collect();
    let (pk, sk) = (&*model.table.pk, &*model.table.sk);
    let (owner_pk, owner_sk) = (&**unique::OWNER_PK, &**unique::OWNER_SK);
    json!({
        "type": "object",
        "description": "The pointer that keeps a value unique; it names the item that has the value.",
        "properties": {
            pk: { "type": "string", "anyOf": forms },
            sk: { "const": unique::PREFIX },
            owner_pk: { "type": "string" },
            owner_sk: { "type": "string" },
        },
        "required": [pk, sk, owner_pk, owner_sk],
        "additionalProperties": false,
    })
}
